"""DuckDB: a file with tables in it, and an engine that hands over whole columns."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql.base import PGDialect

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.duckdb_engine import WORDS, listening
from celosia.tables.private import erase_file, erase_leftovers, make_private_folder, remove_folder
from celosia.tables.sql.columns import DTYPES, SqlColumn
from celosia.tables.sql.connection import DatabaseConnection
from celosia.tables.sql.dialect import BATCH, DatabaseTable, Dialect, Result, unreadable
from celosia.tables.sql.errors import DatabaseErrorMeaning
from celosia.tables.sql.sqlite import check_file
from celosia.types import ColumnType

if TYPE_CHECKING:
    from celosia.tables.sql.address import Address
    from celosia.tables.sql.database import Database

__all__ = ["DuckDB", "DuckdbConnection"]

WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")


class DuckdbConnection:
    """DuckDB's own connection, with a transaction that the first statement begins."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        # DuckDB speaks PostgreSQL's SQL; nothing of PostgreSQL's drivers is needed to write it.
        self.grammar: sa.Dialect = PGDialect(paramstyle="qmark")  # type: ignore[no-untyped-call]
        self._is_begun = False

    def run(self, statement: str) -> int:
        """Carry out a statement; DuckDB does not say how many rows it touched."""
        self._execute(statement)
        return -1

    def ask(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query; marks in its text stand for ``values``."""
        return list(self._execute(query, values).fetchall())

    def _execute(self, statement: str, values: Sequence[Any] = ()) -> Any:
        if not self._is_begun:
            self.driver.begin()
            self._is_begun = True
        return self.driver.execute(statement, list(values)) if values else self.driver.execute(statement)

    def commit(self) -> None:
        """Make what was done last."""
        if self._is_begun:
            self.driver.commit()
            self._is_begun = False

    def rollback(self) -> None:
        """Undo what was not committed."""
        if self._is_begun:
            self._is_begun = False
            self.driver.rollback()

    def open_another(self) -> Any:
        """One more connection to the file that this process has open."""
        return self.driver.cursor()

    def close(self) -> None:
        """Let go of the file."""
        self.driver.close()


class DuckDB(Dialect):
    """One process at a time may write to the file."""

    scheme = "duckdb"
    driver = "duckdb"
    nan = "CAST('NaN' AS DOUBLE)"
    words = WORDS
    types: ClassVar[Mapping[ColumnType, str]] = {
        **Dialect.types,
        ColumnType.REAL: "DOUBLE",
        ColumnType.DECIMAL: "DECIMAL(38, 18)",
    }

    def __init__(self) -> None:
        self.private: Path | None = None
        self.made: Path | None = None
        """The file, if it did not exist before."""

    def connect(self, address: "Address", password: str | None, *, writes: bool) -> DatabaseConnection:
        """Nothing is fetched from anywhere; what an address says behind ``?`` are settings of DuckDB."""
        import duckdb

        check_file(address, writes=writes)
        path = Path(address.url.database or "").absolute()
        is_new = writes and not path.exists()
        settings = {
            **address.url.query,
            "access_mode": "AUTOMATIC" if writes else "READ_ONLY",
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
        }
        connection = duckdb.connect(str(path), config=settings)
        self.made = path if is_new else None
        return DuckdbConnection(connection)

    def begin(self, database: "Database") -> None:
        """No bar of its own; what does not fit in memory goes where it will be erased."""
        database.run("SET enable_progress_bar = false")
        if self.made is not None:  # it holds nothing yet; the engine takes no empty file that we made
            self.made.chmod(0o600)
        if self.private is None:
            self.private = make_private_folder(Path(tempfile.gettempdir()))
            place = database.render(sa.literal(str(self.private)))
            database.run(f"SET temp_directory = {place}")

    def end(self, database: "Database") -> None:
        """Erase that place, and a new file that nothing was put into."""
        made, self.made = self.made, None
        if made is not None and _is_empty(made):
            for each in (made, made.with_name(made.name + ".wal")):
                with suppress(FileNotFoundError):
                    erase_file(each)  # rows that were never committed may lie in it
        private, self.private = self.private, None
        if private is not None:
            remove_folder(private)

    def carry_out(self, database: "Database", work: Callable[[], Result]) -> Result:
        """Where signals are heard meanwhile."""
        return listening(database.driver, work)

    def erase_leftovers(self, database: "Database") -> list[str]:
        """The places of runs that were killed."""
        return [str(path) for path in erase_leftovers(Path(tempfile.gettempdir()))]

    def decimal(self, scale: int) -> str:
        """Every decimal is kept."""
        return f"DECIMAL(38, {scale})"

    def explain(self, error: BaseException) -> DatabaseErrorMeaning | None:
        """By the class of the error."""
        import duckdb

        if isinstance(error, RuntimeError) and "interrupted" in str(error).lower():
            raise KeyboardInterrupt from None
        if not isinstance(error, duckdb.Error):
            return None
        first = (str(error).strip().splitlines() or [""])[0][:200].rstrip(". ")
        if isinstance(error, duckdb.InterruptException):
            raise KeyboardInterrupt from None
        if isinstance(error, duckdb.IOException):
            if "lock" in first:
                return DatabaseErrorMeaning(
                    say("somebody else has the database open"), say("wait until they are done")
                )
            return DatabaseErrorMeaning(
                say("the file cannot be opened as a DuckDB database"), say("check the path")
            )
        is_taken = "already exists" in first and "Column with name" not in first
        if isinstance(error, duckdb.CatalogException) and is_taken:
            return DatabaseErrorMeaning(
                say("a table of that name exists already"), say("choose another name")
            )
        if isinstance(error, duckdb.DataError | duckdb.ConstraintException | duckdb.InvalidInputException):
            return DatabaseErrorMeaning(
                say("the database refused a value"), say("check types and lengths of the columns")
            )
        return DatabaseErrorMeaning(
            say("the database refused it ({cause})", cause=first), say("check the table and the filter")
        )

    def default_schema(self, database: "Database") -> str | None:
        """Usually main."""
        return str(database.ask("SELECT current_schema()")[0][0])

    def tables(self, database: "Database") -> list[DatabaseTable]:
        """Tables and views of the file."""
        rows = database.ask(
            "SELECT table_schema, table_name, CASE WHEN table_type = 'VIEW' THEN 'view' ELSE 'table' END "
            "FROM information_schema.tables WHERE table_catalog = current_database() ORDER BY 1, 2"
        )
        return [DatabaseTable(*row) for row in rows]

    def columns(self, database: "Database", schema: str | None, name: str) -> list[SqlColumn]:
        """By the catalogue."""
        asked = database.render(
            sa.select(sa.column("column_name"), sa.column("data_type"))
            .select_from(sa.text("information_schema.columns"))
            .where(
                sa.column("table_schema") == schema,
                sa.column("table_name") == name,
                sa.text("table_catalog = current_database()"),
            )
            .order_by(sa.column("ordinal_position"))
        )
        return [_column(*row) for row in database.ask(asked)]

    def key(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """Texts byte by byte, whatever the collation of the column says."""
        return sa.cast(value, sa.Text).collate("C") if column.type is ColumnType.TEXT else value

    def key_type(self, column: SqlColumn) -> str:
        """Wide enough for any text or number that is looked up."""
        if isinstance(column.dtype, pl.Decimal):
            return f"DECIMAL(38, {column.dtype.scale})"
        wide = {ColumnType.TEXT: "VARCHAR", ColumnType.INTEGER: "BIGINT"}
        return "UBIGINT" if column.dtype == pl.UInt64 else wide.get(column.type, column.native)

    def frames(
        self, database: "Database", statement: sa.Select[Any], columns: Sequence[SqlColumn]
    ) -> Iterator[pl.DataFrame]:
        """Whole columns, in batches."""
        query = database.render(statement)
        reader = self.carry_out(database, lambda: database.driver.sql(query).to_arrow_reader(BATCH))
        while (batch := self.carry_out(database, lambda: next(reader, None))) is not None:
            frame = pl.DataFrame(pl.from_arrow(batch))
            yield pl.DataFrame([_typed(frame.to_series(i), column) for i, column in enumerate(columns)])

    def check_filter(self, database: "Database", statement: str) -> None:
        """This engine would carry out several."""
        with database.explained():
            if len(database.driver.extract_statements(statement)) != 1:
                raise TableError(
                    say("the filter is no condition"), where=str(database), remedy=say("correct --where")
                )
        database.ask(statement)

    def append(
        self, database: "Database", target: str, types: Mapping[str, str], frame: pl.DataFrame
    ) -> None:
        """Whole columns at once; texts become values of the type of their column."""
        import duckdb

        rows = frame.rename({name: f"c{i}" for i, name in enumerate(frame.columns)})
        chosen = ", ".join(f"CAST(c{i} AS {kind})" for i, kind in enumerate(types.values()))
        database.driver.register("celosia_rows", rows.to_arrow(compat_level=pl.CompatLevel.oldest()))
        try:
            statement = f"INSERT INTO {target} SELECT {chosen} FROM celosia_rows"
            self.carry_out(database, lambda: database.driver.execute(statement))
        finally:
            with suppress(duckdb.TransactionException):  # what went wrong before is what is to be told
                database.driver.unregister("celosia_rows")

    def allow_memory(self, database: "Database", memory: int | None) -> None:
        """What does not fit goes to disk."""
        database.run(
            "RESET memory_limit"
            if memory is None
            else f"SET memory_limit = '{max(memory, 1 << 25) >> 10}KiB'"
        )


def _is_empty(path: Path) -> bool:
    """Whether there is a database without tables and views; False if nobody can say."""
    import duckdb

    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            found = connection.execute(
                "SELECT 1 FROM duckdb_tables() UNION ALL SELECT 1 FROM duckdb_views() WHERE NOT internal"
            ).fetchone()
    except duckdb.Error:
        return False
    return found is None


def _typed(values: pl.Series, column: SqlColumn) -> pl.Series:
    try:
        return values.cast(column.dtype).alias(column.name)
    except pl.exceptions.PolarsError:
        raise unreadable(column) from None


def _column(name: str, native: str) -> SqlColumn:
    base = native.partition("(")[0]
    kinds = {
        **dict.fromkeys(WHOLE, ColumnType.INTEGER),
        **dict.fromkeys(("FLOAT", "DOUBLE"), ColumnType.REAL),
        **dict.fromkeys(("VARCHAR", "ENUM", "UUID"), ColumnType.TEXT),
        "DECIMAL": ColumnType.DECIMAL,
        "BOOLEAN": ColumnType.BOOLEAN,
        "DATE": ColumnType.DATE,
        **dict.fromkeys(("TIMESTAMP", "TIMESTAMP WITH TIME ZONE"), ColumnType.DATETIME),
    }
    # A list is written as the type of its items with brackets behind.
    type = ColumnType.OTHER if native.endswith("]") else kinds.get(base, ColumnType.OTHER)
    dtype = DTYPES[type]
    if native == "UBIGINT":
        dtype = pl.UInt64()
    elif base == "FLOAT":
        dtype = pl.Float32()
    elif base == "TIMESTAMP WITH TIME ZONE":
        dtype = pl.Datetime("us", "UTC")
    elif type is ColumnType.DECIMAL:
        dtype = pl.Decimal(38, int(native.rpartition(",")[2].rstrip(")")))
    return SqlColumn(name, type, native, dtype, is_plain=type is not ColumnType.OTHER)
