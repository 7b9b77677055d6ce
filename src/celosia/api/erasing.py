"""Tables, files and leftovers of killed runs, erased; and signed statements of that."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.errors import ProjectError, ReleaseError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import Ask, SecretKey
    from celosia.ledger.erasure import FileTraces

__all__ = [
    "ErasureResult",
    "ErasureStatement",
    "check_erasable_file",
    "check_statement",
    "erase_database_leftovers",
    "erase_database_table",
    "erase_file",
    "erase_file_of",
    "erase_leftovers",
    "file_traces",
    "read_statement",
    "sign_erasure",
]

DISK = say("a disk that writes elsewhere, a snapshot or a backup may still hold its bytes")
BESIDE = ("-wal", "-shm", "-journal", ".wal")
"""What SQLite and DuckDB keep beside their files."""


@dataclass(frozen=True)
class ErasureResult:
    """What was erased, and what may be left of it all the same."""

    names: Sequence[str]
    left: str = ""


def erase_file(path: Path) -> None:
    """Overwrite a file and remove it."""
    from celosia.tables import private

    private.erase_file(path)


def erase_leftovers(folder: Path) -> list[Path]:
    """Erase what killed runs left in a folder; returns what that was."""
    from celosia.tables import private

    return list(private.erase_leftovers(folder))


def erase_database_leftovers(address: str, *, ask: "Ask | None" = None) -> ErasureResult:
    """Erase what killed runs left in a database, and where the system keeps temporary files."""
    import tempfile

    from celosia.tables.sql.erase import erase_temporary

    # Rows on their way to a database lie where the system keeps temporary files.
    files = erase_leftovers(Path(tempfile.gettempdir()))
    return ErasureResult([*erase_temporary(address, ask=ask), *map(str, files)])


def erase_database_table(address: str, table: str, *, ask: "Ask | None" = None) -> ErasureResult:
    """Erase a table of a database, and look that it is gone."""
    from celosia.tables.sql.erase import erase_table

    erased = erase_table(address, table, ask=ask)
    return ErasureResult([f"{address} {erased.table}"], erased.left)


def check_erasable_file(path: Path) -> None:
    """Raise unless there is a file, itself and no link to one."""
    if path.is_symlink():
        raise ProjectError(
            say("this is a link"),
            where=str(path),
            remedy=say("name the file itself: {path}", path=path.resolve()),
        )
    if not path.is_file():
        raise ProjectError(say("this file does not exist"), where=str(path), remedy=say("check the path"))


def erase_file_of(path: Path) -> ErasureResult:
    """Erase a file, with what a database keeps beside it."""
    check_erasable_file(path)
    is_shared = path.stat().st_nlink > 1
    gone = []
    for file in [path, *(path.with_name(path.name + ending) for ending in BESIDE)]:
        if file.is_symlink() or not file.is_file():
            continue
        try:
            erase_file(file)
        except OSError as error:
            raise ReleaseError(
                say("the file could not be erased ({reason})", reason=error.strerror or error),
                where=str(file),
                remedy=say("check the permissions there"),
            ) from error
        gone.append(str(file))
    if is_shared:
        return ErasureResult(gone, say("the same file has another name, under which it is still there"))
    return ErasureResult(gone, DISK)


def file_traces(path: Path, key: "SecretKey") -> "FileTraces | None":
    """What tells a file apart from others once it is erased; None if there is none."""
    from celosia.ledger import erasure

    return erasure.file_traces(path, key) if path.is_file() and not path.is_symlink() else None


@dataclass(frozen=True)
class ErasureStatement:
    """A signed statement of erasure, and where what was erased was found afterwards all the same."""

    document: Mapping[str, object]
    still_there: Sequence[str]


def sign_erasure(
    erased: ErasureResult,
    *,
    key: "SecretKey",
    traces: "FileTraces | None" = None,
    folders: Sequence[Path] = (),
    reason: str = "",
) -> ErasureStatement:
    """Look for what was erased, in ``folders`` too, and sign what was found."""
    from celosia.ledger.erasure import ErasureSearch, erasure_limits, search_for_copies, sign_statement

    told: list[dict[str, object]] = [{"what": name} for name in erased.names]
    if traces is None:
        # A table or a folder of leftovers: whoever erased it has looked that it is gone.
        looked = [ErasureSearch(name, say("by its name, where it was"), ()) for name in erased.names]
        promised = [erased.left] if erased.left else erasure_limits(Path.cwd())
    else:
        about = {"bytes": traces.size, "digest": traces.keyed, "overwritten": traces.links == 1}
        told = [{"what": str(Path(name).absolute())} for name in erased.names]
        told = [trace | about if trace["what"] == str(traces.path) else trace for trace in told]
        looked = list(search_for_copies(traces, folders))
        promised = erasure_limits(traces.path)
    document = sign_statement(told, looked, key=key, promised=promised, reason=reason)
    return ErasureStatement(document, [str(place) for search in looked for place in search.found])


def read_statement(path: Path) -> dict[str, object]:
    """A signed statement of erasure from its file."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_once)
        is_statement = document["statement"] == "erasure"
    except (OSError, ValueError, LookupError, TypeError):
        is_statement = False
    if not is_statement:
        raise ReleaseError(
            say("this is no statement of erasure"),
            where=str(path),
            remedy=say("celosia erase --proof writes one"),
        )
    return dict(document)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A name that stands twice is read in two ways, one of which was never signed."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError(say("a name stands twice"))
    return dict(pairs)


def check_statement(statement: Mapping[str, object], *, public_key: str | None = None) -> bool:
    """Whether a statement is as it was signed, and by the key that is known from elsewhere."""
    from celosia.ledger import erasure

    return erasure.check_statement(statement, public_key=public_key)
