"""A project document as text: plain data, and the file and line of every field."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from celosia.errors import ProjectError
from celosia.project.json_nodes import parse_json
from celosia.project.nodes import FieldPath, FileLine, Node, plain, walk
from celosia.project.yaml_nodes import parse_yaml
from celosia.say import say

__all__ = ["Document", "Format", "parse_document", "read_document"]

Format = Literal["yaml", "json"]

SUFFIXES: dict[str, Format] = {".yaml": "yaml", ".yml": "yaml", ".json": "json"}
MOST_BYTES = 64 * 2**20
"""No project is larger; a table that is named by mistake is not read whole to find that out."""
WRITE_ONE = say("a project is a YAML or JSON file of fields, as in version: 2")


@dataclass(frozen=True)
class Document:
    """Plain data (mappings, lists, texts, numbers, true, false, null) and where each of it is written.

    ``files`` are those it was read from, its own first. One from the record of a release ``is_record``: its paths are
    relative to the folder that the run was started in, not to the file.

    >>> document = parse_document("models:\\n- model: k-anonymity\\n  k: 5", "p.yaml")
    >>> document.data["models"][0]["k"], str(document.place(("models", 0, "k")))
    (5, 'p.yaml, line 3')
    """

    root: Node
    where: str
    files: tuple[str, ...] = ()
    is_record: bool = False

    @cached_property
    def data(self) -> dict[str, Any]:
        """The fields of the document as plain values, without their places."""
        data = plain(self.root)
        assert isinstance(data, dict)
        return data

    def place(self, path: FieldPath) -> FileLine:
        """Where a field is written; for one that is not, where it would have to be: the nearest around it.

        >>> str(parse_document("a:\\n  b: 1", "p.yaml").place(("a", "c", "d")))
        'p.yaml, line 1'
        """
        node = self.root
        for part in path:
            child = _child(node, part)
            if child is None:
                break
            node = child
        return node.place

    @property
    def places(self) -> Iterator[tuple[FieldPath, FileLine]]:
        """Every field with its place, in the order of the document."""
        return ((path, node.place) for path, node in walk(self.root))


def _child(node: Node, part: str | int) -> Node | None:
    if isinstance(node.value, dict):
        return node.value.get(part)
    if isinstance(node.value, list) and isinstance(part, int) and 0 <= part < len(node.value):
        child: Node = node.value[part]
        return child
    return None


def read_document(path: str | Path) -> Document:
    """The document in a file: YAML or JSON, or the record of a release, whose project it then is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "p.yaml")
    ...     _ = path.write_text("version: 2")
    ...     read_document(path).data
    {'version': 2}
    """
    path = Path(path)
    text = _decode(_read(path), str(path))
    document = parse_document(text, str(path), SUFFIXES.get(path.suffix.lower()))
    if path.name.endswith(".record.json") and not document.is_record:
        raise ProjectError(say("this record holds no project"), where=str(path), remedy=WRITE_ONE)
    return document


def parse_document(text: str, location: str, format: Format | None = None) -> Document:
    """The document in a text; ``location`` is how messages call it. Without ``format`` it may be either.

    >>> parse_document('{"version": 2}', "p.json", "json").data
    {'version': 2}
    >>> parse_document("- a\\n- b", "p.yaml", "yaml")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: p.yaml: this is a list, and no project; a project is a YAML or JSON file of fields,
    as in version: 2
    """
    text = text.removeprefix("\ufeff")
    root = _parse(text, location, format)
    if not isinstance(root.value, dict):
        problem = say("it is empty")
        if root.value is not None:
            problem = say("this is a text or a table, and no project")
        if isinstance(root.value, list):
            problem = say("this is a list, and no project")
        raise ProjectError(problem, where=location, remedy=WRITE_ONE)
    project = root.value.get("project")
    # No project has a field of this name, but every record does.
    if isinstance(project, Node) and isinstance(project.value, dict):
        return Document(project, location, (location,), is_record=True)
    return Document(root, location, (location,))


def _parse(text: str, location: str, format: Format | None) -> Node:
    if not text.strip():
        raise ProjectError(say("it is empty"), where=location, remedy=WRITE_ONE)
    if format == "json":
        return parse_json(text, location)
    if text.lstrip().startswith("{"):
        # JSON is nearly YAML: indented with tabs it is not.
        try:
            return parse_json(text, location)
        except ProjectError:
            pass
    try:
        return parse_yaml(text, location)
    except ProjectError as error:
        if format is None:
            # Somebody named a table, a program or a picture.
            raise ProjectError(say("this is no project"), where=error.where, remedy=WRITE_ONE) from None
        raise


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ProjectError(say("this file is too large for a project"), where=str(path), remedy=WRITE_ONE)
        return path.read_bytes()
    except FileNotFoundError:
        raise ProjectError(
            say("this file does not exist"), where=str(path), remedy=say("check the path")
        ) from None
    except IsADirectoryError:
        raise ProjectError(
            say("this is a folder"), where=str(path), remedy=say("name the file in it")
        ) from None
    except OSError as error:
        raise ProjectError(
            say("it cannot be read ({cause})", cause=error.strerror or error),
            where=str(path),
            remedy=say("check the permissions"),
        ) from None


def _decode(content: bytes, location: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ProjectError(
            say("this is not text in UTF-8"),
            where=str(FileLine(location, line)),
            remedy=say("save it as UTF-8"),
        ) from None
