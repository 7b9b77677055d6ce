"""Projects made of others: ``extends`` names files whose fields a project takes over unless it says them itself."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from celosia.errors import ProjectError
from celosia.project.document import Document, read_document
from celosia.project.nodes import FieldPath, Node
from celosia.say import say

__all__ = ["Resolve", "extend", "merge", "read_extended", "relative_to_folder"]

Resolve = Callable[[FieldPath, Any, Path], Any]
"""From a field, what it says and the folder of its file to what it means: ``ages.csv`` to ``shared/ages.csv``."""

MOST_FILES_DEEP = 20
SHORT = {
    "column": "role",
    "source": "path",
    "destination": "path",
    "population": "source",
    "operation": "name",
    "technique": "name",
    "ledger": "file",
}
"""What a text alone stands for: ``age: sensitive`` is ``age: {role: sensitive}``."""
TELLING = {"operation": "name", "technique": "name"}
"""What tells one kind of thing from another: its parameters are not taken over by another."""
WAYS = {
    "source": ("path", "connection"),
    "destination": ("path", "connection"),
    "population": ("source", "fraction", "weight"),
    "key": ("environment", "keyring", "file"),
}
"""Ways to say where something is, of which one is meant: saying another one leaves the first behind."""
KINDS = (
    (("keys", ""), "key"),
    (("columns", ""), "column"),
    (("columns", "", "operation"), "operation"),
    (("source",), "source"),
    (("control",), "source"),
    (("population", "source"), "source"),
    (("attacker", "source"), "source"),
    (("destination",), "destination"),
    (("population",), "population"),
    (("technique",), "technique"),
    (("ledger",), "ledger"),
)
"""What fields are, of a project or of one of its tables; an empty text is any name."""


def read_extended(path: str | Path, *, resolve: Resolve | None = None) -> Document:
    """The document in a file with all that it extends; every field keeps the place where it is written.

    ``resolve`` is asked about every text, number, true and false, and answers with what it means where the document is
    used. The paths of a record stay as they are.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "roles.yaml").write_text("columns: {age: quasi-identifier, sex: common}")
    ...     _ = Path(folder, "p.yaml").write_text("extends: roles.yaml\\ncolumns: {sex: null, zip: common}")
    ...     read_extended(Path(folder, "p.yaml")).data
    {'columns': {'age': 'quasi-identifier', 'zip': 'common'}}
    """
    return _ProjectReader(resolve).read(Path(path), ())


def extend(document: Document, *, resolve: Resolve | None = None) -> Document:
    """A document that was read or parsed already, with all that it extends; paths are relative to its ``where``.

    >>> from celosia.project.document import parse_document
    >>> extend(parse_document("seed: 7", "p.yaml")).data
    {'seed': 7}
    """
    path = Path(document.where)
    return _ProjectReader(resolve).settle(document, path, (path,))


def relative_to_folder(value: str, folder: Path) -> str:
    """A path that is relative to a folder, as seen from here; whole paths and addresses stay as they are.

    >>> relative_to_folder("ages.csv", Path("shared")), relative_to_folder("postgresql://db/clinic", Path("shared"))
    ('shared/ages.csv', 'postgresql://db/clinic')
    """
    from celosia.tables.place import is_remote
    from celosia.tables.spark.address import is_place
    from celosia.tables.sql.address import is_address

    return value if is_address(value) or is_place(value) or is_remote(value) else str(folder / value)


def merge(parent: Node, child: Node, path: FieldPath = ()) -> Node:
    """The fields of both; where both say something the child wins, and its null takes away what the parent says.

    Mappings are merged field by field, lists and all else replaced. A text that stands for a mapping counts as one.
    """
    kind = _kind(path)
    parent, child = _long(parent, kind), _long(child, kind)
    if not isinstance(parent.value, dict) or not isinstance(child.value, dict):
        return child
    if _is_another(kind, parent.value, child.value):
        return child
    merged = dict(parent.value)
    for key, node in child.value.items():
        if key not in parent.value:
            merged[key] = node
        elif node.value is None:
            del merged[key]
        else:
            merged[key] = merge(parent.value[key], node, (*path, key))
    return Node(merged, child.place, 1 + sum(node.size for node in merged.values()))


def _kind(path: FieldPath) -> str:
    """What a field is, as far as merging cares; nothing for most."""
    of_table = path[2:] if path[:1] == ("tables",) else path
    for pattern, kind in KINDS:
        if len(pattern) == len(of_table) and all(
            part in ("", name) for part, name in zip(pattern, of_table, strict=True)
        ):
            return kind
    return ""


def _long(node: Node, kind: str) -> Node:
    if kind in SHORT and isinstance(node.value, str):
        return Node({SHORT[kind]: node}, node.place, 2)
    return node


def _is_another(kind: str, parent: dict[str, Node], child: dict[str, Node]) -> bool:
    if kind in TELLING:
        name = TELLING[kind]
        return name in parent and name in child and parent[name].value != child[name].value
    theirs, ours = ([way for way in WAYS.get(kind, ()) if way in document] for document in (parent, child))
    return bool(theirs and ours) and theirs != ours


class _ProjectReader:
    """Reads files once, however often they are extended."""

    def __init__(self, resolve: Resolve | None) -> None:
        self._resolve = resolve
        self._done: dict[Path, Document] = {}

    def read(self, path: Path, chain: tuple[Path, ...]) -> Document:
        identity = path.resolve()
        if identity not in self._done:
            self._done[identity] = self.settle(read_document(path), path, (*chain, path))
        return self._done[identity]

    def settle(self, document: Document, path: Path, chain: tuple[Path, ...]) -> Document:
        """The document with its parents merged; ``chain`` are the files on the way to it, itself last."""
        own = document.root
        if self._resolve is not None and not document.is_record:
            own = self._resolved(own, path.parent)
        named = own.value.get("extends")
        if named is None:
            return Document(own, document.where, document.files, document.is_record)
        own = Node({k: v for k, v in own.value.items() if k != "extends"}, own.place, own.size - named.size)
        merged, files = Node({}, own.place), [document.where]
        for node in _names(document.root.value["extends"]):
            parent = self._parent(node, path.parent / node.value, chain)
            merged = merge(merged, parent.root)
            files += [file for file in parent.files if file not in files]
        return Document(merge(merged, own), document.where, tuple(files), document.is_record)

    def _parent(self, node: Node, path: Path, chain: tuple[Path, ...]) -> Document:
        location = say("{place}, {field}", place=str(node.place), field="extends")
        if path.resolve() in [visited.resolve() for visited in chain]:
            shown = " → ".join(str(file) for file in (*chain, path))
            raise ProjectError(
                say("the files extend each other in a circle: {files}", files=shown),
                where=location,
                remedy=say("leave one out"),
            )
        if len(chain) > MOST_FILES_DEEP:
            raise ProjectError(
                say("more than {most} files extend one another", most=MOST_FILES_DEEP),
                where=location,
                remedy=say("extend fewer"),
            )
        if not path.exists():
            raise ProjectError(
                say("the file {path} does not exist", path=path),
                where=location,
                remedy=say("paths are relative to the file that names them"),
            )
        return self.read(path, chain)

    def _resolved(self, node: Node, folder: Path, path: FieldPath = ()) -> Node:
        assert self._resolve is not None
        value: Any
        if isinstance(node.value, dict):
            value = {key: self._resolved(child, folder, (*path, key)) for key, child in node.value.items()}
        elif isinstance(node.value, list):
            value = [self._resolved(child, folder, (*path, i)) for i, child in enumerate(node.value)]
        else:
            value = None if node.value is None else self._resolve(path, node.value, folder)
        return Node(value, node.place, node.size)


def _names(node: Node) -> list[Node]:
    if node.value is None:
        return []
    named: list[Node] = node.value if isinstance(node.value, list) else [node]
    for name in named:
        if not isinstance(name.value, str) or not name.value:
            raise ProjectError(
                say("it should be the path of a file, or a list of them"),
                where=say("{place}, {field}", place=str(name.place), field="extends"),
                remedy=say("write extends: roles.yaml"),
            )
    return named
