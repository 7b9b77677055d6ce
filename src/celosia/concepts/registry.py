"""All concepts by kind and name, gathered from the things themselves.

A new operation, model, technique, perturbation or measure has its explanation at once. Rooms are opened when they are
first asked about.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from celosia.concepts.concept import Concept, Kind
from celosia.concepts.docstrings import Read, read, short
from celosia.errors import ProjectError
from celosia.types import nearest
from celosia.words import Words

__all__ = ["concept", "concept_texts", "concepts"]

BUILDERS = ("dates", "digits", "flat", "gain_intervals", "intervals", "prefixes", "taxonomy")
CALLED = (Kind.MODEL, Kind.TECHNIQUE, Kind.PERTURBATION)
"""Kinds whose docstrings begin with what they are called."""

LONGEST_TITLE, LONGEST_TEXT, LONGEST_EXAMPLE = 55, 480, 260
"""Characters: an explanation is a paragraph, the documents have the rest."""


def concepts(
    kind: Kind | str | None = None, words: Words | None = None
) -> Mapping[tuple[Kind, str], Concept]:
    """Every concept of a kind, or of all, by kind and name, in the language of ``words``; English without.

    >>> [name for _, name in concepts("role")]
    ['identifier', 'quasi-identifier', 'sensitive', 'common']
    """
    kinds = tuple(Kind) if kind is None else (Kind(kind),)
    language = "en" if words is None else words.language
    return MappingProxyType(
        {(one, name): found for one in kinds for name, found in _of_kind(one, language).items()}
    )


def concept(kind: Kind | str, name: str, words: Words | None = None) -> Concept:
    """One concept in the language of ``words``; English without.

    >>> concept("operation", "round").example
    'With step 10, 23 becomes 20 and 25 becomes 30.'
    >>> concept("operation", "round", Words("es")).example
    'Con un paso de 10, 23 pasa a ser 20 y 25 pasa a ser 30.'
    """
    found = _of_kind(Kind(kind), "en" if words is None else words.language)
    if name not in found:
        remedy = nearest(name, tuple(found), f"the {kind}s")
        raise ProjectError(f"there is no {kind} {name!r}", where="concepts", remedy=remedy)
    return found[name]


@cache
def concept_texts() -> frozenset[str]:
    """Every text of every concept, as there is to translate.

    >>> "A diagnosis, a salary." in concept_texts()
    True
    """
    return frozenset(text for one in concepts().values() for text in one.texts())


@cache
def _of_kind(kind: Kind, language: str) -> Mapping[str, Concept]:
    if language != "en":
        words = Words(language)
        return {name: one.told(words) for name, one in _of_kind(kind, "en").items()}
    return {one.name: one for one in SOURCES[kind]()}


def _general(kind: Kind) -> Iterator[Concept]:
    from celosia.concepts.general import ROLES, WORDS

    entries = ROLES if kind is Kind.ROLE else WORDS
    return (Concept(kind, name, name.capitalize(), *texts) for name, texts in entries.items())


def _hierarchies() -> Iterator[Concept]:
    from celosia import hierarchies
    from celosia.concepts.examples import EXAMPLES

    for name in BUILDERS:
        summary = read(getattr(hierarchies, name)).summary
        yield Concept(Kind.HIERARCHY, name, _titled(name), summary, EXAMPLES[name])


def _operations() -> Iterator[Concept]:
    from celosia.mask.registry import operations

    return _registered(Kind.OPERATION, operations())


def _models() -> Iterator[Concept]:
    from celosia.privacy import MODELS

    return _registered(Kind.MODEL, MODELS)


def _techniques() -> Iterator[Concept]:
    from celosia.recode.techniques.registry import TECHNIQUES

    return _registered(Kind.TECHNIQUE, TECHNIQUES)


def _perturbations() -> Iterator[Concept]:
    from celosia.perturb.registry import perturbations

    return _registered(Kind.PERTURBATION, perturbations())


def _learning_models() -> Iterator[Concept]:
    from celosia.measure.learning.registry import learning_models

    return _registered(Kind.LEARNING_MODEL, learning_models())


def _registered(kind: Kind, known: Mapping[str, type[Any]]) -> Iterator[Concept]:
    from celosia.concepts.examples import EXAMPLES

    for name, made in known.items():
        found = read(made)
        parameters = {field: info.description or "" for field, info in made.model_fields.items()}
        example = short(found.example, LONGEST_EXAMPLE) or EXAMPLES.get(name, "")
        title = found.title if kind in CALLED and 0 < len(found.title) <= LONGEST_TITLE else _titled(name)
        yield Concept(kind, name, title, _text(found), example, MappingProxyType(parameters))


def _measures(kind: Kind) -> Iterator[Concept]:
    from celosia.concepts.examples import EXAMPLES
    from celosia.measure.measured import Family
    from celosia.measure.registry import release_measures
    from celosia.measure.utility import utility_measures

    measures: dict[str, Any] = {**utility_measures(), **release_measures()}
    for name, measure in measures.items():
        is_attack = getattr(measure, "family", None) is Family.ATTACK
        if is_attack == (kind is Kind.ATTACK):
            yield Concept(kind, name, _titled(name), measure.meaning, EXAMPLES.get(name, ""))


def _text(found: Read) -> str:
    """The summary, then what it is used for, then whatever else there is room for."""
    more = sorted(found.more, key=lambda paragraph: not paragraph.startswith("Use it"))
    return short(" ".join([found.summary, *more]), LONGEST_TEXT)


def _titled(name: str) -> str:
    from celosia.concepts.titles import TITLES

    if name in TITLES:
        return TITLES[name]
    text = name.replace("-", " ").replace("_", " ")
    return text[:1].upper() + text[1:]


SOURCES: Mapping[Kind, Callable[[], Iterator[Concept]]] = MappingProxyType(
    {
        Kind.WORD: lambda: _general(Kind.WORD),
        Kind.ROLE: lambda: _general(Kind.ROLE),
        Kind.HIERARCHY: _hierarchies,
        Kind.OPERATION: _operations,
        Kind.MODEL: _models,
        Kind.TECHNIQUE: _techniques,
        Kind.PERTURBATION: _perturbations,
        Kind.LEARNING_MODEL: _learning_models,
        Kind.MEASURE: lambda: _measures(Kind.MEASURE),
        Kind.ATTACK: lambda: _measures(Kind.ATTACK),
    }
)
