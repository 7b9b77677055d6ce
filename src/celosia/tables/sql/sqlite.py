"""SQLite: a file with tables in it; the type of a column is what its values really are."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl
import sqlalchemy as sa

from celosia.errors import TableError
from celosia.tables.sql.columns import DTYPES, SqlColumn
from celosia.tables.sql.dialect import Dialect, Found, Trouble
from celosia.types import ColumnType

if TYPE_CHECKING:
    from celosia.tables.sql.address import Address
    from celosia.tables.sql.database import Database

__all__ = ["SQLite", "check_file"]


class SQLite(Dialect):
    """Through the driver that Python has."""

    scheme = "sqlite"
    driver = "sqlite"
    extra = "sqlite"
    integer = "INTEGER"
    types: ClassVar[Mapping[ColumnType, str]] = {
        **Dialect.types,
        ColumnType.INTEGER: "INTEGER",
        ColumnType.REAL: "REAL",
        ColumnType.DATETIME: "DATETIME",
    }

    def connect(self, address: "Address", password: str | None, *, writes: bool) -> sa.Engine:
        """A file that is only read is opened so that it cannot be changed, nor come into being."""
        check_file(address, writes=writes)
        path = Path(address.url.database or "").absolute()
        mode = "rwc" if writes else "ro"
        url = f"sqlite:///{path.as_uri()}?mode={mode}&uri=true"
        # Transactions are ours: the driver would end them at statements that make tables.
        return sa.create_engine(
            url, poolclass=sa.pool.NullPool, hide_parameters=True, connect_args={"isolation_level": None}
        )

    def begin(self, database: "Database") -> None:
        """What is deleted is overwritten, nothing temporary goes to a file, and Ctrl-C is heard."""
        database.run("PRAGMA secure_delete = ON")
        database.run("PRAGMA temp_store = MEMORY")
        database.driver.set_progress_handler(lambda: 0, 100_000)
        database.run("BEGIN")

    def explain(self, error: BaseException) -> Trouble | None:
        """By the words of the library."""
        import sqlite3

        if not isinstance(error, sqlite3.Error):
            return None
        text = str(error)
        if "interrupted" in text:
            raise KeyboardInterrupt from None
        known = {
            "not a database": Trouble("this is not a SQLite database", "check the path"),
            "unable to open": Trouble("the file cannot be opened", "check the path and its permissions"),
            "readonly": Trouble("the file may not be written", "check its permissions"),
            "locked": Trouble("somebody else is writing to the database", "wait until they are done"),
            "no such table": Trouble("there is no such table", "`celosia tables ADDRESS` lists them"),
            "already exists": Trouble("a table of that name exists already", "choose another name"),
            "full": Trouble("the disk is full", "make room there"),
        }
        found = next((trouble for words, trouble in known.items() if words in text), None)
        return found or Trouble(f"the database refused it ({text[:200]})", "check the table and the filter")

    def default_schema(self, database: "Database") -> str | None:
        """The file itself."""
        return "main"

    def tables(self, database: "Database") -> list[Found]:
        """Tables and views of the file."""
        rows = database.ask(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') "
            "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        )
        return [Found("main", name, kind) for name, kind in rows]

    def columns(self, database: "Database", schema: str | None, name: str) -> list[SqlColumn]:
        """By the classes of storage that occur: a declaration binds nobody here."""
        place = database.quote(schema)
        found = database.ask(f"PRAGMA {place}.table_xinfo({database.quote(name)})")
        fields = [(row[1], row[2] or "") for row in found if row[6] in (0, 2, 3)]
        if not fields:
            return []
        asked = ", ".join(
            f"MAX(typeof({database.quote(field)}) = '{kind}')"
            for field, _ in fields
            for kind in ("integer", "real", "text", "blob")
        )
        seen = database.ask(f"SELECT {asked} FROM {database.quote(schema, name)}")[0]
        return [
            _column(field, declared, *map(bool, seen[4 * i : 4 * i + 4]))
            for i, (field, declared) in enumerate(fields)
        ]

    def key(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """Texts byte by byte."""
        if column.type is ColumnType.TEXT:
            return sa.cast(value, sa.Text).collate("BINARY")
        return value

    def key_type(self, column: SqlColumn) -> str:
        """The class of storage."""
        named = {ColumnType.INTEGER: "INTEGER", ColumnType.BOOLEAN: "INTEGER", ColumnType.REAL: "REAL"}
        return named.get(column.type, "TEXT")

    def arrive(self, name: str, column: SqlColumn, values: list[Any]) -> pl.Series:
        """Truth values are integers here, dates are texts."""
        if column.dtype == pl.Boolean:
            values = [None if value is None else bool(value) for value in values]
        if column.dtype == pl.Float64:
            values = [None if value is None else float(value) for value in values]
        return super().arrive(name, column, values)

    def append(
        self, database: "Database", target: str, types: Mapping[str, str], frame: pl.DataFrame
    ) -> None:
        """Dates and decimals as the texts they are."""
        odd = [name for name, dtype in frame.schema.items() if dtype.is_temporal() or dtype.is_decimal()]
        super().append(database, target, types, frame.with_columns(pl.col(odd).cast(pl.String)))


def _column(
    name: str, declared: str, has_integer: bool, has_real: bool, has_text: bool, has_blob: bool
) -> SqlColumn:
    words = declared.upper()
    if has_blob:
        type = ColumnType.OTHER
    elif has_text or not (has_integer or has_real):
        type = _declared(words) if not (has_integer or has_real) else ColumnType.TEXT
    elif has_real:
        type = ColumnType.REAL
    else:
        type = ColumnType.BOOLEAN if words.startswith("BOOL") else ColumnType.INTEGER
    length = "".join(filter(str.isdigit, words.partition("(")[2].partition(")")[0].partition(",")[0]))
    is_text = type is ColumnType.TEXT and length
    dtype = pl.String() if type in (ColumnType.DATE, ColumnType.DATETIME) else DTYPES[type]
    plain = type is not ColumnType.OTHER
    return SqlColumn(name, type, declared or "TEXT", dtype, int(length) if is_text else None, plain)


def _declared(words: str) -> ColumnType:
    """What a column of texts, or an empty one, was declared as."""
    if words.startswith(("DATETIME", "TIMESTAMP")):
        return ColumnType.DATETIME
    if words.startswith("DATE"):
        return ColumnType.DATE
    return ColumnType.TEXT


def check_file(address: "Address", *, writes: bool) -> None:
    """Raise if the file of a database that is to be read does not exist, or the folder of a new one."""
    name = address.url.database
    if not name or name == ":memory:":
        raise TableError(
            "the address names no file", where=str(address), remedy="write it as in sqlite:///people.db"
        )
    path = Path(name)
    if path.is_dir():
        raise TableError("this is a folder", where=str(address), remedy="give the path of a file")
    if not writes and not path.exists():
        raise TableError("this file does not exist", where=str(address), remedy="check the path")
    if not path.absolute().parent.is_dir():
        raise TableError("its folder does not exist", where=str(address), remedy="create it first")
