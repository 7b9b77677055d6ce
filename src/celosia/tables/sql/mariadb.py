"""MariaDB and MySQL: tables cannot be made in a transaction, so all that is temporary lies in a database of its own.

It is called ``celosia_`` and a random number, and a lock of the same name is held as long as its run lives. A run that
was killed has let go of its lock: the next one drops what it left.
"""

import re
import secrets
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl
import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles

from celosia.errors import CelosiaError, TableError
from celosia.say import join_texts, say
from celosia.tables.splitter import SplitDialect
from celosia.tables.sql.columns import DTYPES, SqlColumn
from celosia.tables.sql.dialect import DatabaseTable, Dialect, InlineTable, TableMove
from celosia.tables.sql.errors import DatabaseErrorMeaning, explain_mariadb
from celosia.types import Column, ColumnType

if TYPE_CHECKING:
    from celosia.tables.sql.database import Database

__all__ = ["MariaDB"]

OURS = re.compile(r"celosia_[0-9a-f]{12}")
FIND = "SELECT 1 FROM information_schema.schemata WHERE schema_name = '{}'"
DROP = "/*M! SET STATEMENT lock_wait_timeout = 30 FOR */ DROP DATABASE IF EXISTS {}"
"""Whoever cleans up must not wait for a day for a query that could not be killed."""
WHOLE = ("tinyint", "smallint", "mediumint", "int", "bigint", "year")
TEXTS = (
    "char",
    "varchar",
    "tinytext",
    "text",
    "mediumtext",
    "longtext",
    "enum",
    "set",
    "uuid",
    "inet4",
    "inet6",
    "time",
)
DOCUMENTS = ("json",)
"""Neither plain nor bytes."""
IN_SEVERAL_WAYS = re.compile(
    r"(?i:(var)?char|(tiny|medium|long)?text)\b.* CHARACTER SET (?!utf8|ucs2|utf16|utf32|latin1\b|ascii\b)"
    r"(?P<charset>\w+) COLLATE (?P<collation>\w+)"
)
"""Types of texts in character sets that may have several sequences of bytes for one character."""
LONGEST_KEY = 768
"""Bytes of a value that an index holds."""
LONGEST_LABEL = 1000
"""Characters of a label that need no text of their own."""
KINDS = {
    **dict.fromkeys(WHOLE, ColumnType.INTEGER),
    **dict.fromkeys(("float", "double"), ColumnType.REAL),
    **dict.fromkeys(TEXTS, ColumnType.TEXT),
    "decimal": ColumnType.DECIMAL,
    "date": ColumnType.DATE,
    **dict.fromkeys(("datetime", "timestamp"), ColumnType.DATETIME),
}


class MariaDB(Dialect):
    """MariaDB 10.5 or newer, MySQL 8."""

    scheme = "mariadb"
    driver = "mysql+pymysql"
    is_transactional = False
    name_length = 64
    random = "RAND()"
    in_order = "STRAIGHT_JOIN"  # with twenty small tables, looking for a better order would take for ever
    integer = "BIGINT"
    drop_temporary = "DROP TEMPORARY TABLE"  # without that word it would commit, and end the snapshot
    mark = "%s"
    words = SplitDialect(
        whole="SIGNED",
        text="BINARY",
        key="VARBINARY(3072)",
        beginning="CAST(SUBSTR(CONVERT({} USING utf8mb4), 1, {}) AS BINARY)",
        has_values=False,
        days="DATEDIFF({}, '1970-01-01')",
        microseconds="TIMESTAMPDIFF(MICROSECOND, '1970-01-01', {})",
    )
    types: ClassVar[Mapping[ColumnType, str]] = {
        ColumnType.TEXT: "LONGTEXT",
        ColumnType.INTEGER: "BIGINT",
        ColumnType.REAL: "DOUBLE",
        ColumnType.DECIMAL: "DECIMAL(65, 30)",
        ColumnType.BOOLEAN: "TINYINT(1)",
        ColumnType.DATE: "DATE",
        ColumnType.DATETIME: "DATETIME(6)",
        ColumnType.OTHER: "LONGTEXT",
    }

    def __init__(self) -> None:
        self.work: str | None = None

    def arguments(self, *, writes: bool) -> dict[str, Any]:
        """Texts in UTF-8, and a server that cannot be reached is soon known."""
        return {"charset": "utf8mb4", "connect_timeout": 15, "autocommit": False}

    def begin(self, database: "Database") -> None:
        """Values as they are stored; reading sees one state until the first table is made.

        A database that is only read gets no READ ONLY: temporary tables cannot be made in such a transaction.
        """
        # Small tables are looked up by hash where the server can: three times as fast as by index.
        database.run("SET SESSION time_zone = '+00:00' /*M!, join_cache_level = 4 */")
        database.run("SET SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')")
        database.run("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        database.run("START TRANSACTION WITH CONSISTENT SNAPSHOT")

    def explain(self, error: BaseException) -> DatabaseErrorMeaning | None:
        """By the number that the server gives; data errors may quote values, so their text is not shown."""
        return explain_mariadb(error)

    def cancel(self, database: "Database") -> None:
        """Kill what the server is doing for us, by another connection."""
        with suppress(Exception):
            other = database.reconnect()
            try:
                other.cursor().execute(f"KILL {int(database.driver.thread_id())}")
            finally:
                other.close()

    def default_schema(self, database: "Database") -> str | None:
        """The database of the address."""
        found = database.ask("SELECT DATABASE()")[0][0]
        return None if found is None else str(found)

    def tables(self, database: "Database") -> list[DatabaseTable]:
        """Tables and views of all databases but those of the system."""
        rows = database.ask(
            "SELECT table_schema, table_name, CASE WHEN table_type LIKE '%VIEW' THEN 'view' ELSE 'table' END "
            "FROM information_schema.tables WHERE table_schema NOT IN "
            "('information_schema', 'mysql', 'performance_schema', 'sys') ORDER BY 1, 2"
        )
        return [DatabaseTable(*row) for row in rows if not OURS.fullmatch(row[0])]

    def columns(self, database: "Database", schema: str | None, name: str) -> list[SqlColumn]:
        """By the catalogue."""
        rows = database.ask(
            "SELECT column_name, data_type, column_type, character_maximum_length, "
            "numeric_precision, numeric_scale, character_set_name, collation_name FROM information_schema.columns "
            f"WHERE table_schema = {database.render(sa.literal(schema))} "
            f"AND table_name = {database.render(sa.literal(name))} ORDER BY ordinal_position"
        )
        return [_column(*row) for row in rows]

    def key(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """Texts byte by byte: collations take 'José', 'jose' and 'jose ' for one."""
        if column.type is ColumnType.TEXT:
            return sa.cast(_Utf8(value), sa.LargeBinary)
        if column.dtype == pl.Float32:
            return sa.cast(value, sa.Double)  # or the server would send six digits of it
        return value

    def canonical(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """A text of such a character set by way of one that has a single sequence of bytes for every character."""
        found = IN_SEVERAL_WAYS.fullmatch(column.native)
        if found is None:
            return super().canonical(column, value)
        return sa.collate(_Converted(_Utf8(value), found["charset"]), found["collation"])

    def spelling(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any] | None:
        """The bytes of a text, and of that of a number: some character sets have several for one character."""
        is_several = column.type is ColumnType.REAL or IN_SEVERAL_WAYS.fullmatch(column.native) is not None
        return sa.cast(value, sa.LargeBinary) if is_several else None

    def key_type(self, column: SqlColumn) -> str:
        """Bytes for texts; a map is looked up by them."""
        if isinstance(column.dtype, pl.Decimal):
            return f"DECIMAL(65, {column.dtype.scale})"
        if column.dtype in (pl.UInt64, pl.Float32):
            return "BIGINT UNSIGNED" if column.dtype == pl.UInt64 else "FLOAT"
        if column.type is ColumnType.DECIMAL:
            return column.native
        return "LONGBLOB" if column.type is ColumnType.TEXT else self.types[column.type]

    def ddl_type(self, column: Column) -> str:
        """Texts of any language, compared by what they are."""
        if column.type is ColumnType.TEXT:
            kind = f"VARCHAR({column.length})" if column.length and column.length <= 4000 else "LONGTEXT"
            return f"{kind} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
        return self.types[column.type]

    def decimal(self, scale: int) -> str:
        """Every decimal is kept."""
        return f"DECIMAL({min(65, 38 + scale)}, {scale})" if scale <= 38 else self.types[ColumnType.DECIMAL]

    def pass_on(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """Bytes, and what is made of them such as shapes, as hexadecimal digits."""
        return sa.cast(value, sa.CHAR) if _base(column.native) in DOCUMENTS else sa.func.hex(value)

    def take_in(self, native: str, parameter: str) -> str:
        """The way back."""
        base = _base(native)
        is_text = base in KINDS or base in DOCUMENTS
        return parameter if is_text else f"UNHEX({parameter})"

    def open_cursor(self, database: "Database") -> Any:
        """Rows as they come, not all at once."""
        from pymysql.cursors import SSCursor

        return database.driver.cursor(SSCursor)

    def arrive(self, column: SqlColumn, values: list[Any]) -> pl.Series:
        """Texts come as bytes; decimals as such."""
        if column.type is ColumnType.TEXT:
            values = [value.encode() if isinstance(value, str) else value for value in values]
            return pl.Series(column.name, values, dtype=pl.Binary).cast(pl.String)
        if column.type is ColumnType.DECIMAL and column.dtype == pl.String:
            values = [None if value is None else format(value.normalize(), "f") for value in values]
        return super().arrive(column, values)

    def small(self, database: "Database", table: InlineTable) -> sa.FromClause:
        """In the database that is ours, with an index on what is looked up."""
        work = self.make_work(database)
        target = database.quote(work, table.name)
        kinds = _narrow(table)
        fields = [f"{database.quote(name)} {kind}" for name, kind in kinds.items()]
        bounds = {name: f"({LONGEST_KEY})" if kinds[name] == "LONGBLOB" else "" for name in table.keys}
        # An index has at most 16 columns.
        keys = ", ".join(f"{database.quote(name)}{bound}" for name, bound in list(bounds.items())[:16])
        database.run(
            f"CREATE TABLE {target} ({', '.join(fields)}, KEY ({keys})) "
            "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
        )
        if table.rows:
            marks = ", ".join("%s" for _ in table.columns)
            with database.explained():
                self.insert(database, f"INSERT INTO {target} VALUES ({marks})", table.frame)
        return sa.table(table.name, *map(sa.column, table.columns), schema=work)

    def typed(self, column: SqlColumn, text: str) -> sa.ColumnElement[Any]:
        """Only some types can be cast to."""
        kinds = {
            # Signed and unsigned ones together would be decimals.
            ColumnType.INTEGER: "UNSIGNED" if re.search("unsigned|year", column.native) else "SIGNED",
            ColumnType.REAL: "FLOAT" if column.dtype == pl.Float32 else "DOUBLE",
            ColumnType.DECIMAL: re.sub(r"\).*", ")", column.native),
            ColumnType.DATE: "DATE",
            ColumnType.DATETIME: "DATETIME(6)",
        }
        value = sa.literal(text, sa.Text)
        return _Cast(value, kinds[column.type]) if column.type in kinds else value

    def comparable(self, column: SqlColumn, text: str) -> sa.ColumnElement[Any]:
        """As a value of the type, which is compared as bytes if it is a text."""
        return self.typed(column, text)

    def move(self, database: "Database", moves: Sequence[TableMove]) -> None:
        """In one step, and what was there before goes where it will be dropped."""
        steps = []
        for number, one in enumerate(moves):
            target = database.quote(one.schema, one.name)
            if one.overwrite and self.columns(database, one.schema, one.name):
                steps.append(f"{target} TO {database.quote(self.make_work(database), f'before_{number}')}")
            steps.append(f"{one.old} TO {target}")
        # Signals are held back meanwhile: whoever else holds the table is not waited for long.
        database.run("SET SESSION lock_wait_timeout = 30")
        database.run(f"RENAME TABLE {', '.join(steps)}")

    def proof(
        self, database: "Database", place: tuple[str | None, str], schema: str | None, name: str
    ) -> str | None:
        """It is no longer where it was made, and there is one where it goes."""
        found = "EXISTS (SELECT 1 FROM information_schema.tables WHERE table_schema = {} AND table_name = {})"
        gone, there = (
            found.format(*(database.render(sa.literal(part)) for part in one))
            for one in (place, (schema, name))
        )
        return f"SELECT 1 FROM DUAL WHERE NOT {gone} AND {there}"

    def make_work(self, database: "Database") -> str:
        """The database that is ours for this run."""
        if self.work is None:
            name = f"celosia_{secrets.token_hex(6)}"
            if database.ask(f"SELECT GET_LOCK('{name}', 0)")[0][0] != 1:
                raise TableError(say("no lock could be had"), where=str(database), remedy=say("try again"))
            # Whoever may not drop it is told before there is anything to drop.
            database.run(f"DROP DATABASE IF EXISTS {database.quote(name)}")
            database.run(f"CREATE DATABASE {database.quote(name)} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
            self.work = name
        return self.work

    def drop_work(self, database: "Database") -> None:
        """Drop all that is temporary at once, and look that it is gone; whoever has to do more is told."""
        name, self.work = self.work, None
        if name is None:
            return
        first = sys.exception()
        try:
            _drop(database, name)
            database.ask(f"SELECT RELEASE_LOCK('{name}')")
        except CelosiaError:  # the connection is lost, perhaps: by another one
            if not _drop_anew(database, name):
                _tell_of(database, name, first)

    def erase_leftovers(self, database: "Database") -> list[str]:
        """Drop what runs that were killed left; those that live hold their lock."""
        rows = database.ask("SELECT schema_name FROM information_schema.schemata")
        dropped = []
        for name in (str(row[0]) for row in rows if OURS.fullmatch(str(row[0])) and row[0] != self.work):
            if database.ask(f"SELECT GET_LOCK('{name}', 0)")[0][0] == 1:
                _drop(database, name)
                database.ask(f"SELECT RELEASE_LOCK('{name}')")
                dropped.append(name)
        return dropped


class _Utf8(sa.sql.functions.GenericFunction[str]):
    """A text in UTF-8, whatever the character set of its column."""

    name = "convert"
    inherit_cache = True


@compiles(_Utf8)
def _compile_utf8(element: Any, compiler: Any, **how: Any) -> str:
    return f"CONVERT({compiler.process(element.clauses, **how)} USING utf8mb4)"


class _Cast(sa.ColumnElement[Any]):
    """A cast to any type that the server knows; SQLAlchemy knows fewer, and leaves others out."""

    inherit_cache = False

    def __init__(self, value: sa.ColumnElement[Any], kind: str) -> None:
        self.value, self.kind = value, kind


@compiles(_Cast)
def _compile_cast(element: Any, compiler: Any, **how: Any) -> str:
    return f"CAST({compiler.process(element.value, **how)} AS {element.kind})"


class _Converted(sa.ColumnElement[Any]):
    """A text in a character set."""

    inherit_cache = False

    def __init__(self, value: sa.ColumnElement[Any], charset: str) -> None:
        self.value, self.charset = value, charset


@compiles(_Converted)
def _compile_converted(element: Any, compiler: Any, **how: Any) -> str:
    return f"CONVERT({compiler.process(element.value, **how)} USING {element.charset})"


def _narrow(table: InlineTable) -> dict[str, str]:
    """The types of a small table's columns, no wider than need be: wide ones are slow to sort and to look up."""
    kinds = dict(table.columns)
    for place, (name, kind) in enumerate(table.columns.items()):
        texts = [row[place] for row in table.rows if isinstance(row[place], str)]
        if (
            kind == "LONGBLOB"
            and (size := max((len(text.encode()) for text in texts), default=1)) <= LONGEST_KEY
        ):
            kinds[name] = f"VARBINARY({max(size, 1)})"
        elif kind == "LONGTEXT" and (size := max(map(len, texts), default=1)) <= LONGEST_LABEL:
            kinds[name] = f"VARCHAR({max(size, 1)})"
    return kinds


def _base(native: str) -> str:
    """The name of a type without lengths, character sets and the like."""
    return native.partition("(")[0].partition(" ")[0].lower()


def _drop_anew(database: "Database", name: str) -> bool:
    """Drop it by another connection; whether it is known to be gone."""
    with suppress(Exception):
        other = database.reconnect()
        try:
            cursor = other.cursor()
            with suppress(Exception):
                cursor.execute(DROP.format(database.quote(name)))
            return not cursor.execute(FIND.format(name))
        finally:
            other.close()
    return False


def _tell_of(database: "Database", name: str, first: BaseException | None) -> None:
    """Say that it may be there, with the error that is on its way; without one, raise."""
    if first is None:
        raise TableError(
            say(
                "all is done, but the database {name}, which holds rows of the run, may still be there",
                name=name,
            ),
            where=str(database),
            remedy=say("`celosia erase ADDRESS` drops it"),
        )
    note = say(
        "the database {name}, which holds rows of the run, may still be there: `celosia erase ADDRESS` drops it",
        name=name,
    )
    if isinstance(first, CelosiaError):  # its parts are all that is shown
        first.remedy = join_texts("; ", filter(None, (first.remedy, note)))
    else:
        first.add_note(note)


def _drop(database: "Database", name: str) -> None:
    database.run(DROP.format(database.quote(name)))
    if database.ask(FIND.format(name)):
        raise TableError(
            say("what is temporary could not be dropped"),
            where=f"{database} {name}",
            remedy=say("drop it by hand"),
        )


def _column(
    name: str,
    base: str,
    native: str,
    length: int | None,
    precision: int | None,
    scale: int | None,
    charset: str | None,
    collation: str | None,
) -> SqlColumn:
    base, unsigned = base.lower(), "unsigned" in native.lower()
    type = KINDS.get(base, ColumnType.OTHER)
    dtype = DTYPES[type]
    if base == "bigint" and unsigned:
        dtype = pl.UInt64()
    elif base == "float":
        dtype = pl.Float32()
    elif type is ColumnType.DECIMAL and int(precision or 0) <= 38:
        dtype = pl.Decimal(38, int(scale or 0))
    if charset and collation:
        native = f"{native} CHARACTER SET {charset} COLLATE {collation}"
    size = int(length) if length is not None and base in ("char", "varchar") else None
    return SqlColumn(name, type, native, dtype, size, is_plain=type is not ColumnType.OTHER)
