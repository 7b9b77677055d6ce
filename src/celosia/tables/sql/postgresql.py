"""PostgreSQL: tables made in a transaction stay unseen, and rows come and go by COPY."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import polars as pl
import sqlalchemy as sa

from celosia.tables.splitter import SplitDialect
from celosia.tables.sql.columns import DTYPES, NativeType, SqlColumn
from celosia.tables.sql.copying import read_blocks, read_columns, read_texts
from celosia.tables.sql.dialect import BATCH, DatabaseTable, Dialect, InlineTable
from celosia.tables.sql.errors import DatabaseErrorMeaning, explain_postgresql
from celosia.types import ColumnType

if TYPE_CHECKING:
    from celosia.tables.sql.database import Database

__all__ = ["PostgreSQL"]

IN_STATEMENT = 2000
"""Rows of a small table that are written into the statement, which workers can share; more go to a table."""

KINDS = {
    **dict.fromkeys(("int2", "int4", "int8"), ColumnType.INTEGER),
    **dict.fromkeys(("float4", "float8"), ColumnType.REAL),
    "numeric": ColumnType.DECIMAL,
    "bool": ColumnType.BOOLEAN,
    "date": ColumnType.DATE,
    "timestamp": ColumnType.DATETIME,
    "timestamptz": ColumnType.DATETIME,
}
TEXTS = (
    "text",
    "varchar",
    "bpchar",
    "char",
    "name",
    "citext",
    "uuid",
    "inet",
    "cidr",
    "macaddr",
    "time",
    "interval",
)
COLUMNS = """
SELECT a.attname, format_type(a.atttypid, a.atttypmod), b.typname, b.typtype,
       information_schema._pg_char_max_length(b.oid, coalesce(nullif(t.typtypmod, -1), a.atttypmod)),
       information_schema._pg_numeric_precision(b.oid, coalesce(nullif(t.typtypmod, -1), a.atttypmod)),
       information_schema._pg_numeric_scale(b.oid, coalesce(nullif(t.typtypmod, -1), a.atttypmod))
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
JOIN pg_catalog.pg_type b ON b.oid = coalesce(nullif(t.typbasetype, 0), t.oid)
WHERE n.nspname = {schema} AND c.relname = {name} AND a.attnum > 0 AND NOT a.attisdropped
  AND c.relkind IN ('r', 'v', 'm', 'p', 'f')
ORDER BY a.attnum
"""
TABLES = """
SELECT n.nspname, c.relname, CASE WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND n.nspname NOT LIKE 'pg\\_toast%' AND n.nspname NOT LIKE 'pg\\_temp%'
ORDER BY 1, 2
"""


class PostgreSQL(Dialect):
    """Version 13 or newer."""

    scheme = "postgresql"
    driver = "postgresql+psycopg"
    name_length = 63
    nan = "CAST('NaN' AS DOUBLE PRECISION)"
    mark = "%s"
    words = SplitDialect(
        real="DOUBLE PRECISION",
        text="TEXT",
        key="TEXT",
        joins_values=True,
        days="CAST({} - DATE '1970-01-01' AS BIGINT)",
        # In two steps, for older servers count seconds in floating point.
        microseconds=(
            "CAST(CAST({0} AS DATE) - DATE '1970-01-01' AS BIGINT) * 86400000000 "
            "+ CAST(EXTRACT(EPOCH FROM CAST({0} AS TIME)) * 1000000 AS BIGINT)"
        ),
    )
    types: ClassVar[Mapping[ColumnType, str]] = Dialect.types

    def arguments(self, *, writes: bool) -> dict[str, Any]:
        """Texts in UTF-8, dates in ISO form, and a server that cannot be reached is soon known."""
        return {"client_encoding": "utf8", "connect_timeout": 15, "application_name": "celosia"}

    def begin(self, database: "Database") -> None:
        """One snapshot for all that is read; more memory for sorting, if there was little."""
        database.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        if not database.writes:  # a condition may call functions that do more than look
            database.run("SET TRANSACTION READ ONLY")
        database.run("SET LOCAL DateStyle = 'ISO, YMD'")
        database.run("SET LOCAL TimeZone = 'UTC'")
        database.run("SET LOCAL jit = off")
        # Few groups come of many rows: with the usual guess of what handing over rows costs, one worker does it all.
        database.run("SET LOCAL parallel_tuple_cost = 0.001")
        database.run(
            "SELECT set_config('work_mem', '256MB', true) "
            "FROM pg_settings WHERE name = 'work_mem' AND setting::bigint < 262144"
        )

    def explain(self, error: BaseException) -> DatabaseErrorMeaning | None:
        """By the state that the server gives; data errors may quote values, so their text is not shown."""
        return explain_postgresql(error)

    def default_schema(self, database: "Database") -> str | None:
        """The first schema of the search path."""
        return str(database.ask("SELECT current_schema()")[0][0] or "public")

    def tables(self, database: "Database") -> list[DatabaseTable]:
        """Tables and views of all schemas but those of the system."""
        return [DatabaseTable(*row) for row in database.ask(TABLES)]

    def columns(self, database: "Database", schema: str | None, name: str) -> list[SqlColumn]:
        """By the catalogue; a domain is what it rests on."""
        query = COLUMNS.format(
            schema=database.render(sa.literal(schema)), name=database.render(sa.literal(name))
        )
        return [_column(*row) for row in database.ask(query)]

    def key(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """Texts are compared byte by byte, whatever the collation of the column says."""
        if column.type is ColumnType.TEXT:
            return sa.cast(value, sa.Text).collate("C")
        if column.type is ColumnType.DECIMAL and column.dtype == pl.String:
            return sa.func.trim_scale(value)
        return value

    def canonical(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """Numbers without zeros behind, and texts without the blanks that are none: cast, so that types stay."""
        if column.type is ColumnType.TEXT:  # without the collation of the key, for the column keeps its own
            return sa.cast(sa.cast(value, sa.Text), NativeType(column.native))
        if column.type is ColumnType.DECIMAL:
            return sa.cast(self.key(column, value), NativeType(column.native))
        return super().canonical(column, value)

    def spelling(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any] | None:
        """Of numbers their text, of texts all that is sent: a cast would take the blanks at their end away."""
        if column.type is ColumnType.TEXT:
            is_itself = column.native.startswith(("text", "character varying", "uuid"))
            return None if is_itself else sa.func.concat(value).collate("C")
        if column.type in (ColumnType.REAL, ColumnType.DECIMAL):
            return sa.cast(value, sa.Text).collate("C")
        return None

    def key_type(self, column: SqlColumn) -> str:
        """Wide enough for any text or number that is looked up: a type of the table may refuse it, or round."""
        if column.type is ColumnType.REAL:
            return "real" if column.dtype == pl.Float32 else "double precision"
        if isinstance(column.dtype, pl.Datetime) and column.dtype.time_zone:
            return "timestamptz"
        return self.types[column.type]

    def frames(
        self, database: "Database", statement: sa.Select[Any], columns: Sequence[SqlColumn]
    ) -> Iterator[pl.DataFrame]:
        """Rows by COPY, as lines of text that the column engine reads."""
        mark = secrets.token_hex(8)  # stands for NULL; no text of the table can be it
        # One more column at the end, so that no line is empty.
        closed = statement.add_columns(sa.literal_column("1").label("celosia_end"))
        query = f"COPY ({database.render(closed)}) TO STDOUT (FORMAT csv, NULL '{mark}')"
        with database.driver.cursor() as cursor, cursor.copy(query) as copy:
            for block in read_blocks(copy):
                yield read_columns(read_texts(block, len(columns), mark), columns)

    def check_filter(self, database: "Database", statement: str) -> None:
        """Prepared, for a server prepares only what is one statement."""
        with database.explained(), database.driver.cursor() as cursor:
            cursor.execute(statement, prepare=True)

    def proof(
        self, database: "Database", place: tuple[str | None, str], schema: str | None, name: str
    ) -> str | None:
        """By its number, which is nobody else's."""
        hidden = database.render(sa.literal(database.quote(*place)))
        number = database.ask(f"SELECT {hidden}::regclass::oid::bigint")[0][0]
        return f"SELECT 1 FROM pg_catalog.pg_class WHERE oid = {int(number)}"

    def knows(self, database: "Database", native: str) -> bool:
        """Enums, domains and types of extensions belong to one database."""
        return bool(
            database.ask(f"SELECT to_regtype({database.render(sa.literal(native))}) IS NOT NULL")[0][0]
        )

    def create_as(self, database: "Database", target: str, query: str, types: Mapping[str, str]) -> int:
        """By hash joins: of rows listed in a statement the planner expects fewer than there are.

        Many short runs are sorted and merged faster than few long ones: 9 s and not 12 for 5 million rows.
        """
        memory = database.ask("SELECT current_setting('work_mem')")[0][0]
        database.run("SET LOCAL enable_nestloop = off")
        database.run("SET LOCAL work_mem = '16MB'")
        rows = super().create_as(database, target, query, types)
        database.run("SET LOCAL enable_nestloop = on")
        database.run(f"SET LOCAL work_mem = '{memory}'")
        return rows

    def append(
        self, database: "Database", target: str, types: Mapping[str, str], frame: pl.DataFrame
    ) -> None:
        """Rows by COPY."""
        mark = secrets.token_hex(8)
        how = f"FORMAT csv, NULL '{mark}'"
        if frame.width == 1:
            # Alone in its line and without quotes, a text of a backslash and a dot would end everything.
            how += f", FORCE_NULL ({database.quote(*types)})"
        with (
            database.driver.cursor() as cursor,
            cursor.copy(f"COPY {target} FROM STDIN ({how})") as copy,
        ):
            for part in frame.iter_slices(BATCH):
                style: Literal["always", "necessary"] = "always" if frame.width == 1 else "necessary"
                copy.write(part.write_csv(include_header=False, null_value=mark, quote_style=style))

    def small(self, database: "Database", table: InlineTable) -> sa.FromClause:
        """In the statement itself while it is small: workers cannot see a temporary table."""
        if len(table.rows) <= IN_STATEMENT:
            return self.values(table)
        return database.make_temporary(table)


def _column(
    name: str,
    native: str,
    base: str,
    kind: str,
    length: int | None,
    precision: int | None,
    scale: int | None,
) -> SqlColumn:
    """A column as the catalogue describes it."""
    type = ColumnType.TEXT if base in TEXTS or kind == "e" else KINDS.get(base, ColumnType.OTHER)
    dtype = DTYPES[type]
    if base == "timestamptz":
        dtype = pl.Datetime("us", "UTC")
    elif base == "float4":
        dtype = pl.Float32()
    elif type is ColumnType.DECIMAL and precision is not None and scale is not None:
        dtype = pl.Decimal(38, scale) if 0 <= scale <= precision <= 38 else pl.String()
    return SqlColumn(name, type, native, dtype, length, is_plain=type is not ColumnType.OTHER)
