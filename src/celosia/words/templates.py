"""What there is to translate, read off the code itself: marked phrases, and the sentences of mistakes."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = ["error_templates", "phrase_texts"]

SOURCE = Path(__file__).parents[1]
MARKS = ("words", "phrase")
"""Calls whose first argument is a text for people: ``self.words(...)`` counts as ``words``."""


@cache
def phrase_texts() -> frozenset[str]:
    """Every text that is shown through :class:`~celosia.words.Words`.

    >>> "Record of processing" in phrase_texts()
    True
    """
    return frozenset(_phrases())


@cache
def error_templates() -> frozenset[str]:
    """Every sentence of a mistake, with a numbered place wherever the code puts a value.

    >>> "{0} exists already" in error_templates()
    True
    """
    return frozenset(_sentences())


def _phrases() -> Iterator[str]:
    for call in _calls():
        if _name(call.func) in MARKS and call.args:
            yield from _texts(call.args[0], plain=True)


def _sentences() -> Iterator[str]:
    for call in _calls():
        if _name(call.func).endswith("Error"):
            remedies = [each.value for each in call.keywords if each.arg == "remedy"]
            for node in [*call.args[:1], *remedies]:
                yield from _texts(node, plain=False)


def _calls() -> Iterator[ast.Call]:
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _texts(node: ast.expr, *, plain: bool) -> Iterator[str]:
    """The texts that an expression may be; a choice between two is two."""
    if isinstance(node, ast.IfExp):
        yield from _texts(node.body, plain=plain)
        yield from _texts(node.orelse, plain=plain)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip():
        yield node.value
    elif isinstance(node, ast.JoinedStr) and not plain:
        text, count = "", 0
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value)
            else:
                text, count = f"{text}{{{count}}}", count + 1
        if text.replace("{0}", "").strip(" :;,."):
            yield text
