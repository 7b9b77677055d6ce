"""What a document is read into: plain values, each with the place where it is written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from celosia.errors import ProjectError
from celosia.say import say

__all__ = ["HALF", "FieldPath", "FileLine", "Node", "NodeBuilder", "plain", "spell", "walk"]

FieldPath = tuple[str | int, ...]
"""The way to a field: keys of mappings and places in lists."""

HALF = re.compile("[\ud800-\udfff]")
"""Half of a character, which no file can hold."""
MOST_DEEP = 200
"""Mappings and lists in each other; a document deeper than that is a mistake or malice."""
MOST_FIELDS = 1_000_000
"""Fields of a document that repeats parts of itself: a few hundred bytes can ask for more than any memory holds."""


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line of a file.

    >>> print(FileLine("people.yaml", 3))
    people.yaml, line 3
    """

    file: str
    line: int

    def __str__(self) -> str:
        return say("{file}, line {line}", file=self.file, line=self.line)


class Node(NamedTuple):
    """A value of a document and its place; mappings and lists hold nodes.

    ``size`` is how many fields it holds, itself counted; parts that are repeated count every time.
    """

    value: Any
    place: FileLine
    size: int = 1


def plain(node: Node) -> object:
    """The value of a node as plain data, in containers of its own."""
    if isinstance(node.value, dict):
        return {key: plain(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return [plain(child) for child in node.value]
    return node.value


def walk(node: Node, path: FieldPath = ()) -> Iterator[tuple[FieldPath, Node]]:
    """Every node with its path, the outer ones first."""
    yield path, node
    children: Any = ()
    if isinstance(node.value, dict):
        children = node.value.items()
    elif isinstance(node.value, list):
        children = enumerate(node.value)
    for key, child in children:
        yield from walk(child, (*path, key))


def spell(path: FieldPath) -> str:
    """A path as people write it.

    >>> spell(("tables", "people", "columns", "age", "role")), spell(("models", 0, "k"))
    ('tables.people.columns.age.role', 'models[0].k')
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


@dataclass
class _Open:
    """A mapping or list that is not complete yet."""

    container: Any
    place: FileLine
    key: tuple[str, int] | None = None
    size: int = 1


class NodeBuilder:
    """Puts nodes together from the parts of a text, in the order in which they are read.

    >>> builder = NodeBuilder("people.yaml")
    >>> builder.open({}, 1)
    >>> builder.key("k", 1)
    >>> _ = builder.add(5, 1)
    >>> plain(builder.close())
    {'k': 5}
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Node | None = None
        self._stack: list[_Open] = []
        self._place = FileLine(file, 1)

    @property
    def wants_key(self) -> bool:
        """Whether the next part is the key of a mapping."""
        return (
            bool(self._stack) and isinstance(self._stack[-1].container, dict) and self._stack[-1].key is None
        )

    def key(self, name: str, line: int) -> None:
        """The key of what comes next."""
        top = self._stack[-1]
        if name in top.container:
            first = top.container[name].place.line
            raise ProjectError(
                say("this field is written twice"),
                where=say(
                    "{place}, {field}", place=str(FileLine(self.file, line)), field=spell((*self.path, name))
                ),
                remedy=say("it stands in line {line} already: leave one out", line=first),
            )
        top.key = (name, line)

    @property
    def path(self) -> FieldPath:
        """The way to what is being read."""
        path: list[str | int] = []
        for entry in self._stack:
            if isinstance(entry.container, list):
                path.append(len(entry.container))
            elif entry.key is not None:
                path.append(entry.key[0])
        return tuple(path)

    def open(self, container: object, line: int) -> None:
        """Begin a mapping or a list."""
        if len(self._stack) >= MOST_DEEP:
            raise ProjectError(
                say("it is more than {most} levels deep", most=MOST_DEEP),
                where=str(FileLine(self.file, line)),
                remedy=say("is a bracket not closed?"),
            )
        self._stack.append(_Open(container, self._at(line)))

    def close(self) -> Node:
        """End the mapping or list that was begun last."""
        done = self._stack.pop()
        return self._put(Node(done.container, done.place, done.size))

    def add(self, value: Any, line: int) -> Node:
        """Add a text, a number, true, false or null."""
        return self._put(Node(value, self._at(line)))

    def _at(self, line: int) -> FileLine:
        """The place of a line, one object for all that is written there."""
        if self._place.line != line:
            self._place = FileLine(self.file, line)
        return self._place

    def repeat(self, node: Node, line: int) -> None:
        """Add a node once more."""
        self._put(Node(node.value, self._at(line), node.size))
        if sum(entry.size for entry in self._stack) > MOST_FIELDS:
            raise ProjectError(
                say(
                    "with all that it repeats it has more than {most:,} fields",
                    most=MOST_FIELDS,
                ),
                where=str(FileLine(self.file, line)),
                remedy=say("repeat less with *names"),
            )

    def _put(self, node: Node) -> Node:
        if not self._stack:
            self.root = node
            return node
        top = self._stack[-1]
        top.size += node.size
        if isinstance(top.container, list):
            top.container.append(node)
        else:
            assert top.key is not None
            name, line = top.key
            # A field is where its name is: what it holds may begin lines later.
            node = Node(node.value, self._at(line), node.size)
            top.container[name] = node
            top.key = None
        return node
