"""Tables in and out of databases, as they are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.api.arguments import with_progress
from celosia.types import Schema

if TYPE_CHECKING:
    from celosia.run import Ask
    from celosia.tables.table import Progress


__all__ = ["ImportedTable", "export_table", "import_table"]


@dataclass(frozen=True)
class ImportedTable:
    """A file in a database: the name of its table, how many rows it has, and its columns."""

    table: str
    rows: int
    schema: Schema


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
    **reading: Any,
) -> ImportedTable:
    """Put a file into a new table of the database at ``out``, whole or not at all.

    ``types`` are types by column, or a schema, which has lengths too; what is not given is proposed from all values.
    ``save`` is called with the columns before rows are written; ``missing`` are the texts that become NULL, the empty
    one unless others are given; ``reading`` are further options of ``celosia.tables.open_table``.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("zip,age\\n28001,31\\n28002,47\\n")
    ...     import_table(f"{folder}/people.csv", out=f"sqlite:///{folder}/people.db", out_table="people").rows
    2
    """
    from celosia.tables import FileTable, open_table
    from celosia.tables.copy import copy_to_table, propose_columns
    from celosia.tables.sql.address import parse_address
    from celosia.tables.types_file import as_columns

    parse_address(out, variable="CELOSIA_OUT_PASSWORD")
    table = open_table(source, missing=missing, **reading)
    assert isinstance(table, FileTable)
    schema = propose_columns(table, as_columns(types, table.columns(), where=table.name))
    if save is not None:
        save(schema)
    from celosia.tables.sql.open import new_table

    target = new_table(out, out_table, overwrite=overwrite, ask=ask)
    try:
        return ImportedTable(
            target.shown, copy_to_table(table, schema, target, **with_progress(progress)), schema
        )
    finally:
        target.database.close()


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
    from celosia.tables import close_table, open_table
    from celosia.tables.copy import copy_to_file

    opened = open_table(source, table=table, where=where, missing=(), ask=ask)
    try:
        return copy_to_file(
            opened,
            Path(out),
            separator=separator,
            encoding=encoding,
            overwrite=overwrite,
            **with_progress(progress),
        )
    finally:
        close_table(opened)
