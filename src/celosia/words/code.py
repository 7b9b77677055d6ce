"""The code of the house as what it calls, returns and keeps in tables, each with the names that are known there."""

import ast
import gc
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from celosia.words.expressions import Assigned, assigned

__all__ = ["Module", "called", "keywords", "modules"]

SOURCE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Module:
    """A module: the room it is in, its calls, those that are raised, what functions return, names of its own."""

    room: str
    tree: ast.Module
    calls: tuple[tuple[ast.Call, Assigned], ...]
    raises: tuple[tuple[ast.Call, Assigned], ...]
    returns: tuple[tuple[str, ast.expr, Assigned], ...]
    names: Assigned


@cache
def modules() -> tuple[Module, ...]:
    """Every module but those of this room.

    >>> len({module.room for module in modules()}) > 10
    True
    """
    here = Path(__file__).parent
    was_enabled = gc.isenabled()
    # Trees are millions of objects that all stay: looking through them for garbage takes twice as long as making them.
    gc.disable()
    try:
        return tuple(_read(path) for path in sorted(SOURCE.rglob("*.py")) if path.parent != here)
    finally:
        if was_enabled:
            gc.enable()


def called(call: ast.Call) -> str:
    """The name of what is called: ``self.words(...)`` counts as ``words``."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def keywords(call: ast.Call, *wanted: str) -> list[ast.expr]:
    """What a call is given under these names."""
    return [each.value for each in call.keywords if each.arg in wanted]


def _read(path: Path) -> Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    body = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    names = assigned(ast.Module(body=list(body), type_ignores=[]))
    reader = _Reader(names)
    reader.visit(tree)
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    return Module(room, tree, tuple(reader.calls), tuple(reader.raises), tuple(reader.returns), names)


class _Reader(ast.NodeVisitor):
    """Goes through a module, function by function."""

    def __init__(self, names: Assigned) -> None:
        self.names, self.function = names, ""
        self.calls: list[tuple[ast.Call, Assigned]] = []
        self.raises: list[tuple[ast.Call, Assigned]] = []
        self.returns: list[tuple[str, ast.expr, Assigned]] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before = self.names, self.function
        self.names, self.function = {**self.names, **assigned(node)}, node.name
        self.generic_visit(node)
        self.names, self.function = before

    def visit_Call(self, node: ast.Call) -> None:
        self.calls.append((node, self.names))
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        if isinstance(node.exc, ast.Call):
            self.raises.append((node.exc, self.names))
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        self._leave(node.value)
        self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield) -> None:
        self._leave(node.value)
        self.generic_visit(node)

    def _leave(self, value: ast.expr | None) -> None:
        if value is not None:
            self.returns.append((self.function, value, self.names))
