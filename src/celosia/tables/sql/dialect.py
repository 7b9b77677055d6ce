"""What differs from one kind of database to the next; what they share stands here as the default."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import polars as pl
import sqlalchemy as sa

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.splitter import SplitDialect
from celosia.tables.sql.columns import NativeType, SqlColumn
from celosia.tables.sql.connection import DatabaseConnection, SqlalchemyConnection
from celosia.tables.sql.errors import DatabaseErrorMeaning
from celosia.types import Column, ColumnType

if TYPE_CHECKING:
    from celosia.tables.sql.address import Address
    from celosia.tables.sql.database import Database

__all__ = ["BATCH", "DatabaseTable", "Dialect", "InlineTable", "Result", "TableMove", "unreadable"]

Result = TypeVar("Result")

BATCH = 1 << 16
"""Rows that are fetched or inserted at once."""


@dataclass(frozen=True)
class DatabaseTable:
    """A table or view that a database has."""

    schema: str | None
    name: str
    kind: str = "table"


@dataclass(frozen=True)
class TableMove:
    """A table that we made, as statements call it, and where it goes; ``overwrite`` if one may be there."""

    old: str
    schema: str | None
    name: str
    overwrite: bool = False


@dataclass(frozen=True)
class InlineTable:
    """A small table that a statement joins: names and types of its columns, and rows of texts."""

    name: str
    columns: Mapping[str, str]
    rows: Sequence[tuple[Any, ...]]
    keys: tuple[str, ...] = ()
    """Columns by which it is looked up."""

    @property
    def frame(self) -> pl.DataFrame:
        """Its rows."""
        columns = list(zip(*self.rows, strict=True)) or [()] * len(self.columns)
        return pl.DataFrame(
            [pl.Series(name, list(one)) for name, one in zip(self.columns, columns, strict=True)]
        )


def unreadable(column: SqlColumn) -> TableError:
    """What to raise over values that the type of their column does not lead one to expect."""
    return TableError(
        say("column {name!r} holds values that cannot be read as {type}", name=column.name, type=column.type),
        remedy=say(
            "look for infinite or impossible dates and for very large numbers; leave the rows "
            "out with --where"
        ),
    )


class Dialect:
    """How one kind of database is spoken to."""

    scheme: ClassVar[str]
    driver: ClassVar[str]
    is_transactional: ClassVar[bool] = True
    """Whether tables made in a transaction vanish when it is undone."""
    name_length: ClassVar[int | None] = None
    """Bytes that a name may have."""
    random: ClassVar[str] = "random()"
    integer: ClassVar[str] = "BIGINT"
    in_order: ClassVar[str | None] = None
    """Stands before what is selected to have tables joined in the order given, where a server needs to be told."""
    drop_temporary: ClassVar[str] = "DROP TABLE"
    """Stands before the name of a table that ends with the connection to drop it earlier."""
    mark: ClassVar[str] = "?"
    """Stands for a value in a statement."""
    nan: ClassVar[str | None] = None
    """How a number that is none is written, if there is such a thing."""
    words: ClassVar[SplitDialect] = SplitDialect()
    """How a splitter speaks to it."""
    spills: ClassVar[bool] = True
    """Whether sorting and counting do without the memory of this process, or keep to what it is allowed."""
    types: ClassVar[Mapping[ColumnType, str]] = {
        ColumnType.TEXT: "TEXT",
        ColumnType.INTEGER: "BIGINT",
        ColumnType.REAL: "DOUBLE PRECISION",
        ColumnType.DECIMAL: "NUMERIC",
        ColumnType.BOOLEAN: "BOOLEAN",
        ColumnType.DATE: "DATE",
        ColumnType.DATETIME: "TIMESTAMP",
        ColumnType.OTHER: "TEXT",
    }

    def connect(self, address: "Address", password: str | None, *, writes: bool) -> DatabaseConnection:
        """Connect; ``writes`` False means that nothing is to be changed, not even a file created."""
        url = address.url.set(drivername=self.driver, password=password)
        engine = sa.create_engine(
            url, poolclass=sa.pool.NullPool, hide_parameters=True, connect_args=self.arguments(writes=writes)
        )
        return SqlalchemyConnection(engine)

    def arguments(self, *, writes: bool) -> dict[str, Any]:
        """What the driver is told beside the address."""
        return {}

    def begin(self, database: "Database") -> None:
        """Start the one transaction, so that all that is read belongs together; ``database.writes`` or not."""

    def explain(self, error: BaseException) -> DatabaseErrorMeaning | None:
        """What an error means; None if that is not known."""
        return None

    def carry_out(self, database: "Database", work: Callable[[], Result]) -> Result:
        """Let the driver do something that may take long, so that signals are heard meanwhile."""
        return work()

    def cancel(self, database: "Database") -> None:
        """Stop what the server is still doing after somebody lost patience."""

    def default_schema(self, database: "Database") -> str | None:
        """Where a table without a schema is looked for and made."""
        return None

    def tables(self, database: "Database") -> list[DatabaseTable]:
        """Tables and views that can be seen."""
        raise NotImplementedError

    def columns(self, database: "Database", schema: str | None, name: str) -> list[SqlColumn]:
        """The columns of a table, none if it does not exist."""
        raise NotImplementedError

    def width(self, database: "Database", schema: str | None, name: str) -> int:
        """How many columns a table has; costs no look at its rows."""
        return len(self.columns(database, schema, name))

    def has_schema(self, database: "Database", name: str) -> bool:
        """Whether there is a schema of that name."""
        named = database.render(sa.literal(name))
        return bool(database.ask(f"SELECT 1 FROM information_schema.schemata WHERE schema_name = {named}"))

    def key(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """What is fetched, counted and compared of a value.

        Texts are equal only byte by byte. Numbers are equal whose value is: 1.1 and 1.10, the two zeros, and where a
        column may hold anything, 1 and '1'. Who reads the values may tell those apart (``spelling``), so they leave
        in one form (``canonical``).
        """
        return value

    def canonical(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """A value as it leaves, of the column's own type: the same for all values of one ``key``."""
        if column.type is not ColumnType.REAL:
            return value
        # To the database -0.0 and 0.0 are equal; to who reads the release they must be the same.
        return sa.case((value == 0, self.typed(column, "0.0")), else_=value)

    def spelling(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any] | None:
        """A text that differs for values of one ``key`` that a reader can tell apart; None where there are none."""
        return sa.cast(value, sa.Text) if column.type is ColumnType.REAL else None

    def key_type(self, column: SqlColumn) -> str:
        """The type of that."""
        return column.native

    def ddl_type(self, column: Column) -> str:
        """The type of a new column."""
        if column.type is ColumnType.TEXT and column.length:
            return f"VARCHAR({column.length})"
        return self.types[column.type]

    def knows(self, database: "Database", native: str) -> bool:
        """Whether there is such a type: people may have made some of their own elsewhere."""
        return True

    def decimal(self, scale: int) -> str:
        """The type of numbers with so many decimals."""
        return self.types[ColumnType.DECIMAL]

    def end(self, database: "Database") -> None:
        """Let go of what a connection needed beside it."""

    def pass_on(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """A value that is not plain as a text, so that rows can travel."""
        return sa.cast(value, sa.Text)

    def take_in(self, native: str, parameter: str) -> str:
        """That text as a value of the type again; for rows that are inserted."""
        return parameter

    def frames(
        self, database: "Database", statement: sa.Select[Any], columns: Sequence[SqlColumn]
    ) -> Iterator[pl.DataFrame]:
        """The rows of a query, a bounded number at a time."""
        cursor = self.open_cursor(database)
        try:
            cursor.execute(database.render(statement))
            while rows := cursor.fetchmany(BATCH):
                values = list(zip(*rows, strict=True))
                yield pl.DataFrame(
                    [self.arrive(column, list(one)) for column, one in zip(columns, values, strict=True)]
                )
        finally:
            cursor.close()

    def open_cursor(self, database: "Database") -> Any:
        """A cursor of the driver that does not fetch more than it is asked for."""
        return database.driver.cursor()

    def arrive(self, column: SqlColumn, values: list[Any]) -> pl.Series:
        """Values of the driver as a column."""
        try:
            return pl.Series(column.name, values, dtype=column.dtype)
        except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
            raise unreadable(column) from None

    def append(
        self, database: "Database", target: str, types: Mapping[str, str], frame: pl.DataFrame
    ) -> None:
        """Insert rows; ``types`` are those of the columns of the table, and what is not plain comes as text."""
        marks = [self.take_in(kind, self.mark) for kind in types.values()]
        self.insert(database, f"INSERT INTO {target} VALUES ({', '.join(marks)})", frame)

    def insert(self, database: "Database", statement: str, frame: pl.DataFrame) -> None:
        """Carry out a statement for every row."""
        cursor = database.driver.cursor()
        try:
            for part in frame.iter_slices(BATCH):
                cursor.executemany(statement, part.rows())
        finally:
            cursor.close()

    def small(self, database: "Database", table: InlineTable) -> sa.FromClause:
        """A small table that the next statements can join: by default one that ends with the connection."""
        return database.make_temporary(table)

    def values(self, table: InlineTable) -> sa.FromClause:
        """A small table written into the statement itself."""
        kinds = [NativeType(kind) for kind in table.columns.values()]
        if not table.rows:
            nulls = [
                sa.cast(sa.null(), kind).label(name) for name, kind in zip(table.columns, kinds, strict=True)
            ]
            return sa.select(*nulls).where(sa.false()).subquery(table.name)
        columns = [sa.column(name, kind) for name, kind in zip(table.columns, kinds, strict=True)]
        # A column of nulls would be one of texts if nobody said what it is.
        rows = [
            tuple(
                sa.cast(sa.null(), kind) if one is None else one for one, kind in zip(row, kinds, strict=True)
            )
            for row in table.rows
        ]
        return sa.values(*columns, name=table.name, literal_binds=True).data(rows)

    def create_as(self, database: "Database", target: str, query: str, types: Mapping[str, str]) -> int:
        """Make a table from a query; how many rows it has, -1 if that is not told.

        ``types`` are those of the columns, for databases that would forget them.
        """
        return database.run(f"CREATE TABLE {target} AS {query}")

    def typed(self, column: SqlColumn, text: str) -> sa.ColumnElement[Any]:
        """A text as a value of the type of a column."""
        return sa.cast(sa.literal(text, sa.Text), NativeType(column.native))

    def comparable(self, column: SqlColumn, text: str) -> sa.ColumnElement[Any]:
        """A text as something to compare with what ``key`` gives."""
        return sa.cast(sa.literal(text, sa.Text), NativeType(self.key_type(column)))

    def make_work(self, database: "Database") -> str:
        """A database for what is temporary, where tables cannot be made unseen."""
        raise NotImplementedError

    def drop_work(self, database: "Database") -> None:
        """Drop it with all that is in it, and look that it is gone."""

    def erase_leftovers(self, database: "Database") -> list[str]:
        """Drop what runs that were killed left behind; where transactions hold tables, they left nothing."""
        return []

    def move(self, database: "Database", moves: Sequence[TableMove]) -> None:
        """Move tables made by us to their places and names, all or none."""
        raise NotImplementedError

    def proof(
        self, database: "Database", place: tuple[str | None, str], schema: str | None, name: str
    ) -> str | None:
        """A query that finds a row if the table made at ``place`` got its name; None where no connection is lost."""
        return None

    def check_filter(self, database: "Database", statement: str) -> None:
        """Raise if a query with somebody's condition in it is more than one statement, or none."""
        database.ask(statement)

    def rename(self, database: "Database", old: str, schema: str | None, name: str) -> None:
        """Give a table made by us its name."""
        database.run(f"ALTER TABLE {old} RENAME TO {database.quote(name)}")

    def allow_memory(self, database: "Database", memory: int | None) -> None:
        """Keep to so many bytes from now on, or to no limit of ours, where the engine runs in this process."""
