"""What there is to translate, read off the code itself: marked phrases, and the sentences that other rooms make.

Rooms below the pages know of no language: they say things in English, with their values in place. What they may say is
found here as templates, by where sentences go: into errors, reasons, remarks, findings and the like.
"""

import ast
from collections.abc import Iterator
from functools import cache

from celosia.words.code import Module, called, keywords, modules
from celosia.words.expressions import Assigned, texts_of
from celosia.words.further import FURTHER

__all__ = ["error_templates", "library_texts", "phrase_texts", "progress_texts"]

MARKS = ("words", "phrase")
"""Calls whose first argument is a text for people."""

TOLD_BY = {
    "Finding": (6,),
    "Problem": (1, 2),
    "Proposal": (1,),
    "Reason": (1,),
    "Remark": (1,),
    "SchemaChange": (2,),
    "Trouble": (0, 1),
    "content_reason": (2,),
    "nearest": (2,),
    "refuse": (2,),
    "trouble": (3,),
}
"""What carries a sentence, and at which places."""

TOLD_AS = ("note", "notes", "reason", "remedy", "what", "why_not")
"""Keywords that carry one."""

TOLD_IN = (
    *("_accepted", "_choose", "_first_reason", "_meant", "_missing", "_note", "_notes", "_order", "_people"),
    *(
        "_place",
        "_problems",
        "_reason",
        "_refused",
        "_tell_score",
        "_too_few",
        "_unplanned",
        "_vacuum",
        "_without_labels",
    ),
    *(
        "_write_anew",
        "describe",
        "meaning",
        "name_some",
        "nearest",
        "not_monotone",
        "reading",
        "say_expected",
    ),
    *("tell_frequencies", "warn_of_small_parts", "weaknesses"),
)
"""Functions that return one."""

TOLD_AS_TEXT = {"mask": "__str__", "profile": "__str__", "project": "__str__", "recode": "text"}
"""What tells things of a room as a text."""

FACTS = ("caution", "keeps", "leaks", "missing", "reversible")
"""What operations and perturbations say of themselves."""

DETAILED = ("against", "compared_with", "note")
"""Details of measures that are texts."""

TABLED = {"profile": ("FORMATS", "PATTERNS", "VOCABULARY"), "project": ("ADVICE", "WORDS")}
"""Dictionaries of texts, by room."""

COMMAND_LINE = ("cli", "sparktptds")
"""Rooms whose sentences no page shows, but for their mistakes."""


@cache
def phrase_texts() -> frozenset[str]:
    """Every text that is shown through :class:`~celosia.words.Words`.

    >>> "A diagnosis, a salary." in phrase_texts()
    True
    """
    return frozenset(
        text
        for module in modules()
        for call, _ in module.calls
        if called(call).lstrip("_") in MARKS and call.args
        for text in _written(call.args[0])
    )


@cache
def error_templates() -> frozenset[str]:
    """Every sentence of a mistake, with a numbered place wherever the code puts a value.

    >>> "{0} exists already" in error_templates()
    True
    """
    return frozenset(text for module in modules() for text in _mistaken(module))


@cache
def progress_texts() -> frozenset[str]:
    """What long work calls its stages.

    >>> sorted(progress_texts())[:2]
    ['checking {0}', 'comparing columns']
    """
    return frozenset(
        text
        for module in modules()
        for call, names in module.calls
        if called(call).lstrip("_") == "progress" and call.args
        for text in _sentences([call.args[0]], names)
    )


@cache
def library_texts() -> frozenset[str]:
    """What else is told in whole sentences: reasons, remarks, findings, notes, what operations do and leak.

    >>> "the release is empty" in library_texts()
    True
    """
    told = (text for module in modules() if module.room not in COMMAND_LINE for text in _told(module))
    return frozenset(told).union(FURTHER)


def _written(node: ast.expr) -> Iterator[str]:
    """The texts that stand in a call; a choice between two is two."""
    if isinstance(node, ast.IfExp):
        yield from _written(node.body)
        yield from _written(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value


def _mistaken(module: Module) -> Iterator[str]:
    for call, names in module.calls:
        if called(call).endswith("Error"):
            for text in _sentences([*call.args[:1], *keywords(call, "remedy")], names):
                yield text
                if called(call) == "ValueError" and "; " in text:
                    # A project takes such a sentence apart: what is wrong, and what to do.
                    yield from (half for half in text.split("; ", 1) if half.strip("{}0123456789"))
    for call, names in module.raises:
        if not called(call).endswith("Error"):
            # A function that makes the mistake; single words are not what it says.
            yield from (text for text in _sentences(call.args, names) if " " in text)


def _told(module: Module) -> Iterator[str]:
    for call, names in module.calls:
        name = called(call)
        if name.endswith("Error"):
            # One word is a field of a project, and these are written as they are.
            yield from (text for text in _sentences(keywords(call, "where"), names) if " " in text)
            continue
        places = TOLD_BY.get(name.lstrip("_"), ())
        given = [call.args[place] for place in places if place < len(call.args)]
        given += _listed(call) if name == "append" else keywords(call, *TOLD_AS)
        yield from _sentences(given, names)
    for function, value, names in module.returns:
        if function in TOLD_IN or function == TOLD_AS_TEXT.get(module.room):
            yield from _sentences([value], names)
    for name in TABLED.get(module.room, ()):
        yield from (text for table in module.names.get(name, ()) for text in _tabled(table))
    yield from _facts(module)
    if module.room == "measure":
        yield from _details(module)


def _listed(call: ast.Call) -> list[ast.expr]:
    """What is added to a list of notes or problems."""
    of = call.func.value if isinstance(call.func, ast.Attribute) else None
    return call.args if isinstance(of, ast.Name) and of.id in ("notes", "problems", "unknown") else []


def _facts(module: Module) -> Iterator[str]:
    names = _shared(module.room)
    for node in ast.walk(module.tree):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if name in FACTS:
                yield from _sentences([value], names)


def _details(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        pairs: list[tuple[ast.expr | None, ast.expr]] = []
        if isinstance(node, ast.Dict):
            pairs = list(zip(node.keys, node.values, strict=True))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            pairs = [(node.targets[0].slice, node.value)]
        for key, value in pairs:
            if isinstance(key, ast.Constant) and key.value in DETAILED:
                yield from (text for text in _sentences([value], module.names) if " " in text)


@cache
def _shared(room: str) -> Assigned:
    """The constants of all modules of a room: they are used by each other's."""
    return {
        name: found for module in modules() if module.room == room for name, found in module.names.items()
    }


def _tabled(table: ast.expr) -> Iterator[str]:
    """The texts of a dictionary; where they stand for lists of words, they are its keys."""
    if not isinstance(table, ast.Dict):
        return
    for key, value in zip(table.keys, table.values, strict=True):
        first = value.elts[0] if isinstance(value, ast.Tuple) else value
        yield from _tabled(first)
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            text = first.value
            if "|" in text and isinstance(key, ast.Constant):
                text = str(key.value)
            # A single word could be anybody's: it is told where it is sure to be ours.
            yield text if " " in text else f"the name says {{0}}, {text}"


def _sentences(nodes: list[ast.expr], names: Assigned) -> Iterator[str]:
    """The texts of some expressions that say something by themselves."""
    for node in nodes:
        for text in texts_of(node, names):
            if any(character.isalpha() for character in text):
                yield text
