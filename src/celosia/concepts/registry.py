"""All concepts by kind and name, gathered from the things themselves.

A new operation, model, technique, perturbation or measure has its explanation at once. Rooms are opened when they are
first asked about.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from celosia.concepts.concept import Concept, ConceptKind
from celosia.concepts.docstrings import ParsedDocstring, parse_docstring, shorten
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import nearest
from celosia.words import Words

__all__ = ["concept", "concept_texts", "concepts"]

BUILDERS = ("dates", "digits", "flat", "gain_intervals", "intervals", "prefixes", "taxonomy")
CALLED = (ConceptKind.MODEL, ConceptKind.TECHNIQUE, ConceptKind.PERTURBATION)
"""Kinds whose docstrings begin with what they are called."""

KIND_NAMES = {
    ConceptKind.WORD: (say("word"), say("the words")),
    ConceptKind.ROLE: (say("role"), say("the roles")),
    ConceptKind.HIERARCHY: (say("hierarchy"), say("the hierarchies")),
    ConceptKind.OPERATION: (say("operation"), say("the operations")),
    ConceptKind.MODEL: (say("privacy model"), say("the privacy models")),
    ConceptKind.TECHNIQUE: (say("technique"), say("the techniques")),
    ConceptKind.PERTURBATION: (say("perturbation"), say("the perturbations")),
    ConceptKind.LEARNING_MODEL: (say("learning model"), say("the learning models")),
    ConceptKind.MEASURE: (say("measure"), say("the measures")),
    ConceptKind.ATTACK: (say("attack"), say("the attacks")),
}
"""What one of a kind is called, and all of it."""

LONGEST_TITLE, LONGEST_TEXT, LONGEST_EXAMPLE = 55, 480, 260
"""Characters: an explanation is a paragraph, the documents have the rest."""


def concepts(
    kind: ConceptKind | str | None = None, words: Words | None = None
) -> Mapping[tuple[ConceptKind, str], Concept]:
    """Every concept of a kind, or of all, by kind and name, in the language of ``words``; English without.

    >>> [name for _, name in concepts("role")]
    ['identifier', 'quasi-identifier', 'sensitive', 'common']
    """
    kinds = tuple(ConceptKind) if kind is None else (ConceptKind(kind),)
    language = "en" if words is None else words.language
    return MappingProxyType(
        {(kind, name): entry for kind in kinds for name, entry in _of_kind(kind, language).items()}
    )


def concept(kind: ConceptKind | str, name: str, words: Words | None = None) -> Concept:
    """One concept in the language of ``words``; English without.

    >>> concept("operation", "round").example
    'With step 10, 23 becomes 20 and 25 becomes 30.'
    >>> concept("operation", "round", Words("es")).example
    'Con un paso de 10, 23 pasa a ser 20 y 25 pasa a ser 30.'
    """
    of_kind = _of_kind(ConceptKind(kind), "en" if words is None else words.language)
    if name not in of_kind:
        singular, plural = KIND_NAMES[ConceptKind(kind)]
        raise ProjectError(
            say("there is no {kind} {name!r}", kind=singular, name=name),
            where="concepts",
            remedy=nearest(name, tuple(of_kind), plural),
        )
    return of_kind[name]


@cache
def concept_texts() -> frozenset[str]:
    """Every text of every concept, as there is to translate.

    >>> "A diagnosis, a salary." in concept_texts()
    True
    """
    return frozenset(text for concept in concepts().values() for text in concept.texts())


@cache
def _of_kind(kind: ConceptKind, language: str) -> Mapping[str, Concept]:
    if language != "en":
        words = Words(language)
        return {name: entry.told(words) for name, entry in _of_kind(kind, "en").items()}
    return {entry.name: entry for entry in SOURCES[kind]()}


def _general(kind: ConceptKind) -> Iterator[Concept]:
    from celosia.concepts.general import ROLES, WORDS

    entries = ROLES if kind is ConceptKind.ROLE else WORDS
    return (Concept(kind, name, name.capitalize(), *texts) for name, texts in entries.items())


def _hierarchies() -> Iterator[Concept]:
    from celosia import hierarchies
    from celosia.concepts.examples import EXAMPLES

    for name in BUILDERS:
        summary = parse_docstring(getattr(hierarchies, name)).summary
        yield Concept(ConceptKind.HIERARCHY, name, _titled(name), summary, EXAMPLES[name])


def _operations() -> Iterator[Concept]:
    from celosia.mask.registry import operations

    return _registered(ConceptKind.OPERATION, operations())


def _models() -> Iterator[Concept]:
    from celosia.privacy import MODELS

    return _registered(ConceptKind.MODEL, MODELS)


def _techniques() -> Iterator[Concept]:
    from celosia.recode.techniques.registry import TECHNIQUES

    return _registered(ConceptKind.TECHNIQUE, TECHNIQUES)


def _perturbations() -> Iterator[Concept]:
    from celosia.perturb.registry import perturbations

    return _registered(ConceptKind.PERTURBATION, perturbations())


def _learning_models() -> Iterator[Concept]:
    from celosia.measure.learning.registry import learning_models

    return _registered(ConceptKind.LEARNING_MODEL, learning_models())


def _registered(kind: ConceptKind, known: Mapping[str, type[Any]]) -> Iterator[Concept]:
    from celosia.concepts.examples import EXAMPLES

    for name, registered in known.items():
        docstring = parse_docstring(registered)
        parameters = {field: info.description or "" for field, info in registered.model_fields.items()}
        example = shorten(docstring.example, LONGEST_EXAMPLE) or EXAMPLES.get(name, "")
        title = (
            docstring.title if kind in CALLED and 0 < len(docstring.title) <= LONGEST_TITLE else _titled(name)
        )
        yield Concept(kind, name, title, _text(docstring), example, MappingProxyType(parameters))


def _measures(kind: ConceptKind) -> Iterator[Concept]:
    from celosia.concepts.examples import EXAMPLES
    from celosia.measure.registry import release_measures
    from celosia.measure.release_measure import MeasureFamily
    from celosia.measure.utility import utility_measures

    measures: dict[str, Any] = {**utility_measures(), **release_measures()}
    for name, measure in measures.items():
        is_attack = getattr(measure, "family", None) is MeasureFamily.ATTACK
        if is_attack == (kind is ConceptKind.ATTACK):
            yield Concept(kind, name, _titled(name), measure.meaning, EXAMPLES.get(name, ""))


def _text(docstring: ParsedDocstring) -> str:
    """The summary, then what it is used for, then whatever else there is room for."""
    more = sorted(docstring.more, key=lambda paragraph: not paragraph.startswith("Use it"))
    return shorten(" ".join([docstring.summary, *more]), LONGEST_TEXT)


def _titled(name: str) -> str:
    from celosia.concepts.titles import TITLES

    if name in TITLES:
        return TITLES[name]
    text = name.replace("-", " ").replace("_", " ")
    return text[:1].upper() + text[1:]


SOURCES: Mapping[ConceptKind, Callable[[], Iterator[Concept]]] = MappingProxyType(
    {
        ConceptKind.WORD: lambda: _general(ConceptKind.WORD),
        ConceptKind.ROLE: lambda: _general(ConceptKind.ROLE),
        ConceptKind.HIERARCHY: _hierarchies,
        ConceptKind.OPERATION: _operations,
        ConceptKind.MODEL: _models,
        ConceptKind.TECHNIQUE: _techniques,
        ConceptKind.PERTURBATION: _perturbations,
        ConceptKind.LEARNING_MODEL: _learning_models,
        ConceptKind.MEASURE: lambda: _measures(ConceptKind.MEASURE),
        ConceptKind.ATTACK: lambda: _measures(ConceptKind.ATTACK),
    }
)
