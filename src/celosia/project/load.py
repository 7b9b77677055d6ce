"""Projects read from files, made from fields, and written."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from celosia.errors import ProjectError
from celosia.project.document import Document, Format, parse_document
from celosia.project.extending import extend, read_extended, relative_to_folder
from celosia.project.mistakes import explain, explain_fields, list_mistakes
from celosia.project.nodes import FieldPath
from celosia.project.project import Project
from celosia.project.upgrade import upgrade
from celosia.project.writing import to_yaml
from celosia.say import say

__all__ = [
    "find_mistakes",
    "from_folder",
    "is_path_field",
    "load_project",
    "make_project",
    "parse_project",
    "save_project",
]


THE_PROJECT = say("the project")


def load_project(path: str | Path) -> Project:
    """The project in a file, YAML or JSON, with all that it extends; what is wrong is said by field and line.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "p.yaml")
    ...     _ = path.write_text("version: 2\\nsuppression: 2")
    ...     load_project(path)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: .../p.yaml, line 2, suppression: it should be less than or equal to 1...
    """
    return _validated(read_extended(path, resolve=resolve))


def find_mistakes(path: str | Path) -> list[ProjectError]:
    """Everything that is wrong with the project in a file, in the order of the document; nothing if it can be loaded.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "p.yaml")
    ...     _ = path.write_text("version: 2\\nsuppression: 2\\nseed: x")
    ...     [mistake.where.rpartition(", ")[2] for mistake in find_mistakes(path)]
    ['suppression', 'seed']
    """
    try:
        document = read_extended(path, resolve=resolve)
        Project.model_validate(upgrade(document.data, location=str(document.place(("version",)))))
    except ValidationError as error:
        return list_mistakes(error, document, model=Project)
    except ProjectError as error:
        return [error]
    return []


def parse_project(text: str, location: str = THE_PROJECT) -> Project:
    """The project in a text; its paths are relative to the folder of ``location``."""
    format: Format = "json" if text.lstrip().startswith("{") else "yaml"
    return _validated(extend(parse_document(text, location, format), resolve=resolve))


def _validated(document: Document) -> Project:
    data = upgrade(document.data, location=str(document.place(("version",))))
    try:
        return Project.model_validate(data)
    except ValidationError as error:
        raise explain(error, document, model=Project) from None


def make_project(**fields: Any) -> Project:
    """A project from its fields; what is wrong is said by field, without a traceback.

    >>> make_project(suppression=2)
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: suppression: it should be less than or equal to 1, not 2; correct the project
    """
    try:
        return Project.model_validate(fields)
    except ValidationError as error:
        raise explain_fields(error, fields, model=Project) from None


def save_project(project: Project, path: str | Path) -> None:
    """Write a project as YAML, or as JSON where the path ends in it; what it says by default is left out.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_project(make_project(name="Census"), Path(folder, "p.yaml"))
    ...     load_project(Path(folder, "p.yaml")).name
    'Census'
    """
    import json

    path = Path(path)
    data = {"version": project.version, **project.model_dump(mode="json", exclude_defaults=True)}
    data = _relative(data, path.parent)
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n" if path.suffix == ".json" else to_yaml(data)
    path.write_text(text, encoding="utf-8")


def resolve(path: FieldPath, value: object, folder: Path) -> object:
    """A field as it is meant where the project is used: paths are relative to the file in which they stand."""
    return (
        relative_to_folder(value, folder) if isinstance(value, str) and is_path_field(path, value) else value
    )


def _relative(value: Any, folder: Path, path: FieldPath = ()) -> Any:
    """Plain data with all paths as seen from the folder of the file that it is written to."""
    if isinstance(value, dict):
        return {key: _relative(child, folder, (*path, key)) for key, child in value.items()}
    if isinstance(value, list):
        return [_relative(child, folder, (*path, number)) for number, child in enumerate(value)]
    return from_folder(value, folder) if isinstance(value, str) and is_path_field(path, value) else value


def from_folder(place: str, folder: Path) -> str:
    """A path as seen from a folder, the opposite of ``beside``; whole paths and addresses stay as they are.

    >>> from_folder("people.csv", Path("projects")), from_folder("projects/people.csv", Path("projects"))
    ('../people.csv', 'people.csv')
    """
    import os

    from celosia.tables.place import is_remote
    from celosia.tables.spark.address import is_place
    from celosia.tables.sql.address import is_address

    stays = is_address(place) or is_place(place) or is_remote(place) or Path(place).is_absolute()
    return place if stays else os.path.relpath(place, folder)


def is_path_field(path: FieldPath, value: str) -> bool:
    """Whether a field is the path of a file.

    >>> is_path_field(("tables", "people", "source"), "people.csv"), is_path_field(("name",), "people.csv")
    (True, False)
    """
    last, before = path[-1], path[-2] if len(path) > 1 else None
    if path[0] == "tables" and _is_place(path[2:]):
        return True
    if before in ("source", "destination", "control") and last in ("path", "record"):
        return True
    if path[:2] == ("compare", "others"):
        return True
    if path == ("ledger",):
        return True
    if last == "file":  # of a key, of a ledger, or of a table of substitutions
        return True
    # A hierarchy may also be named as one of the project's: a file has an ending or a folder.
    names_one = last == "hierarchy" or (before == "hierarchies" and len(path) == 2)
    return names_one and (bool(Path(value).suffix) or "/" in value)


def _is_place(path: FieldPath) -> bool:
    """Whether a field of a table is a place, for which its path may stand."""
    match path:
        case ("source" | "destination" | "control" | "population",):
            return True
        case ("population" | "attacker", "source"):
            return True
    return False
