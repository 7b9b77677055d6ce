"""Tables in and out of databases, as they are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.api.arguments import with_progress
from celosia.api.opening import OUT_PASSWORD, opened_table
from celosia.api.requests import TableSource, names_of
from celosia.types import Schema

if TYPE_CHECKING:
    from celosia.api.results import Ask, Progress


__all__ = ["ImportRequest", "ImportedTable", "check_writing", "export_table", "import_file", "import_table"]


@dataclass(frozen=True)
class ImportedTable:
    """A file in a database: the name of its table, how many rows it has, and its columns."""

    table: str
    rows: int
    schema: Schema


def check_writing(path: Path, *, separator: str | None = None, encoding: str = "utf-8") -> None:
    """Raise unless rows can be written to a file in the format that its name says.

    >>> check_writing(Path("people.csv"), separator=";")
    """
    from celosia.tables import copy

    copy.check_writing(path, separator=separator, encoding=encoding)


@dataclass(frozen=True)
class ImportRequest:
    """A file, and the new table of the database at ``out`` that it goes to.

    The types of the source may have lengths; what is not given is proposed from all values. The texts that its
    ``missing`` names become NULL.
    """

    source: TableSource
    out: str
    table: str
    overwrite: bool = False


def import_file(
    request: ImportRequest,
    *,
    save: Callable[[Schema], None] | None = None,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> ImportedTable:
    """Put a file into a new table of a database, whole or not at all.

    ``save`` is called with the columns before rows are written.
    """
    from celosia.tables import FileTable
    from celosia.tables.copy import copy_to_table, propose_columns
    from celosia.tables.sql.address import parse_address
    from celosia.tables.types_file import as_columns

    parse_address(request.out, variable=OUT_PASSWORD)
    with opened_table(replace(request.source, types={})) as table:
        assert isinstance(table, FileTable)
        declared = as_columns(request.source.types or None, table.columns(), where=table.name)
        schema = propose_columns(table, declared)
        if save is not None:
            save(schema)
        from celosia.tables.sql.open import new_table

        target = new_table(request.out, request.table, overwrite=request.overwrite, ask=ask)
        try:
            rows = copy_to_table(table, schema, target, **with_progress(progress))
            return ImportedTable(target.shown, rows, schema)
        finally:
            target.database.close()


def import_table(
    source: str | Path,
    *,
    out: str,
    out_table: str,
    types: Mapping[str, str] | Schema | None = None,
    overwrite: bool = False,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
    save: Callable[[Schema], None] | None = None,
    missing: Sequence[str] = ("",),
    **reading: object,
) -> ImportedTable:
    """Put a file into a new table of the database at ``out``, whole or not at all.

    ``types`` are types by column, or a schema, which has lengths too; what is not given is proposed from all values.
    ``save`` is called with the columns before rows are written; ``missing`` are the texts that become NULL, the empty
    one unless others are given; ``reading`` are further fields of :class:`celosia.api.requests.TableSource`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("zip,age\\n28001,31\\n28002,47\\n")
    ...     import_table(f"{folder}/people.csv", out=f"sqlite:///{folder}/people.db", out_table="people").rows
    2
    """
    described = TableSource.of(source, types=types, missing=missing, **reading)
    request = ImportRequest(described, out, out_table, overwrite)
    return import_file(request, save=save, progress=progress, ask=ask)


def export_table(
    source: str,
    out: str | Path,
    *,
    table: str | Sequence[str],
    where: str | None = None,
    separator: str | None = None,
    encoding: str = "utf-8",
    overwrite: bool = False,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> int:
    """Write the rows of a table in a database to a file as they are, not anonymized; returns how many there are.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("zip,age\\n28001,31\\n28002,47\\n")
    ...     _ = import_table(f"{folder}/people.csv", out=f"sqlite:///{folder}/people.db", out_table="people")
    ...     export_table(f"sqlite:///{folder}/people.db", f"{folder}/old.csv", table="people", where="age > 40")
    1
    """
    from celosia.tables.copy import copy_to_file

    described = TableSource(source, tables=names_of(table), where=where, missing=())
    with opened_table(described, ask=ask) as opened:
        return copy_to_file(
            opened,
            Path(out),
            separator=separator,
            encoding=encoding,
            overwrite=overwrite,
            **with_progress(progress),
        )
