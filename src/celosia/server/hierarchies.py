"""Hierarchies that a project keeps, as files in its folder: ``hierarchies/NAME.csv``."""

import csv
import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from celosia.api.erasing import erase_file
from celosia.api.hierarchies import check_rows, file_endings, read_hierarchy
from celosia.errors import HierarchyError
from celosia.say import say
from celosia.server.access import MemberRole, User, require
from celosia.server.audit import note
from celosia.server.service import Service, new_id
from celosia.server.workspace import HIERARCHIES, file_in, plain_name, project_folder

__all__ = ["list_hierarchies", "problems", "read_file", "read_rows", "remove_hierarchy", "write_rows"]

MOST = 20_000_000
"""Characters of all labels of one hierarchy."""


def list_hierarchies(service: Service, user: User, project: str) -> list[str]:
    """Their names."""
    folder = _folder(service, user, project, MemberRole.VIEWER)
    return sorted(path.stem for path in folder.glob("*.csv")) if folder.is_dir() else []


def read_rows(service: Service, user: User, project: str, name: str) -> list[list[str]]:
    """The rows of one: a value, then its label at every level."""
    folder = _folder(service, user, project, MemberRole.ANALYST)
    text = file_in(folder, f"{name}.csv").read_text(encoding="utf-8")
    with service.store.begin() as data:  # its first column holds the values of the table
        note(data, user.name, "see hierarchy file", project=project, detail=name)
    return [row for row in csv.reader(io.StringIO(text), delimiter=";") if row]


def write_rows(
    service: Service, user: User, project: str, name: str, rows: Iterable[Sequence[str]]
) -> list[list[str]]:
    """Keep one; what may be wrong with it is for its reader to see, but it has rows and they are alike."""
    folder = _folder(service, user, project, MemberRole.ANALYST)
    kept = [[str(cell) for cell in row] for row in rows]
    if not kept or len({len(row) for row in kept}) != 1 or len(kept[0]) < 1:
        raise HierarchyError(
            say("rows differ in length, or there are none"),
            where=name,
            remedy=say("give every value all its labels"),
        )
    if sum(len(cell) for row in kept for cell in row) > MOST:
        raise HierarchyError(
            say("the hierarchy is too large"), where=name, remedy=say("build it from fewer values")
        )
    folder.mkdir(mode=0o700, exist_ok=True)
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(kept)
    _replace(folder / plain_name(f"{name}.csv"), text.getvalue())
    with service.store.begin() as data:
        note(data, user.name, "write hierarchy", project=project, detail=f"{name}, {len(kept)} values")
    return kept


def remove_hierarchy(service: Service, user: User, project: str, name: str) -> None:
    """Erase one."""
    erase_file(file_in(_folder(service, user, project, MemberRole.ANALYST), f"{name}.csv"))
    with service.store.begin() as data:
        note(data, user.name, "remove hierarchy", project=project, detail=name)


def problems(rows: Iterable[Sequence[str]], values: Iterable[str] | None = None) -> list[dict[str, str]]:
    """What is wrong with one.

    >>> problems([["Ávila", "León"], ["Soria", "Castilla"]])[0]["remedy"]
    "add a last level '*'"
    """
    return [asdict(fault) for fault in check_rows(rows, values)]


def read_file(content: bytes, ending: str, column: str) -> list[list[str]]:
    """The rows of the hierarchy of a column in a file that was made elsewhere: a level table, or a tree in JSON.

    >>> read_file(b"Lugo;North;*\\nVigo;North;*\\n", ".csv", "town")
    [['Lugo', 'North', '*'], ['Vigo', 'North', '*']]
    """
    import tempfile

    if ending not in file_endings():
        raise HierarchyError(
            say("this is no file of a hierarchy"),
            where=ending[:20],
            remedy=say("give one of {names}", names=", ".join(file_endings())),
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"hierarchy{ending}")
        path.write_bytes(content)
        try:
            try:
                hierarchy = read_hierarchy(path, column)
            except HierarchyError as error:
                if not error.what.startswith("it is not utf-8"):
                    raise
                hierarchy = read_hierarchy(path, column, encoding="cp1252")
        except HierarchyError as error:
            raise HierarchyError(error.what, where=column, remedy=error.remedy) from None
    return [list(row) for row in hierarchy.rows()]


def _folder(service: Service, user: User, project: str, needed: MemberRole) -> Path:
    with service.store.begin() as data:
        require(data, user, project, needed)
    return project_folder(service.settings.workspace, project) / HIERARCHIES


def _replace(path: Path, text: str) -> None:
    hidden = path.with_name(f".{new_id()}.part")
    with os.fdopen(
        os.open(hidden, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8"
    ) as file:
        file.write(text)
    os.replace(hidden, path)
