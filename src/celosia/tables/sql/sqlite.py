"""SQLite: a file with tables in it; the type of a column is what its values really are."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl
import sqlalchemy as sa

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.splitter import SplitDialect
from celosia.tables.sql.columns import DTYPES, SqlColumn
from celosia.tables.sql.connection import DatabaseConnection, SqlalchemyConnection
from celosia.tables.sql.dialect import DatabaseTable, Dialect, InlineTable
from celosia.tables.sql.errors import DatabaseErrorMeaning
from celosia.types import DATES, ColumnType
from celosia.values.named import named

if TYPE_CHECKING:
    from celosia.tables.sql.address import Address
    from celosia.tables.sql.database import Database

__all__ = ["SQLite", "check_file", "make_file"]

BYTES = "BLOB"
"""The type of columns with bytes in them, whatever they are declared as."""
EXACT = 2**53
"""Up to here every whole number is a real number too."""
PLAIN = re.compile(r"[^\W\d]\w*( +[^\W\d]\w*)* *(\( *\d+ *(, *\d+ *)?\))?")
CLAUSES = re.compile(
    r"\b(AS|CHECK|COLLATE|CONSTRAINT|DEFAULT|FOREIGN|GENERATED|NOT|NULL|ON|PRIMARY|REFERENCES|UNIQUE)\b",
    re.IGNORECASE,
)
"""Words that would be more than a type where a column is declared."""


class SQLite(Dialect):
    """Through the driver that Python has."""

    scheme = "sqlite"
    driver = "sqlite"
    integer = "INTEGER"
    words = SplitDialect(
        whole="INTEGER", real="REAL", text="TEXT", key="TEXT", least="MIN", floor="CAST({} AS INTEGER)"
    )
    spills = False
    types: ClassVar[Mapping[ColumnType, str]] = {
        **Dialect.types,
        ColumnType.INTEGER: "INTEGER",
        ColumnType.REAL: "REAL",
        ColumnType.DATETIME: "DATETIME",
    }

    def __init__(self) -> None:
        self.made: Path | None = None
        """The file, if it did not exist before."""

    def connect(self, address: "Address", password: str | None, *, writes: bool) -> DatabaseConnection:
        """A file that is only read is opened so that it cannot be changed, nor come into being."""
        check_file(address, writes=writes)
        path = Path(address.url.database or "").absolute()
        mode = "rwc" if writes else "ro"
        url = f"sqlite:///{path.as_uri()}?mode={mode}&uri=true"
        # Transactions are ours: the driver would end them at statements that make tables.
        engine = sa.create_engine(
            url, poolclass=sa.pool.NullPool, hide_parameters=True, connect_args={"isolation_level": None}
        )
        self.made = path if writes and make_file(path) else None
        return SqlalchemyConnection(engine)

    def end(self, database: "Database") -> None:
        """A new file that nothing was put into goes again."""
        made, self.made = self.made, None
        if made is not None and made.exists() and not made.stat().st_size:
            made.unlink()

    def begin(self, database: "Database") -> None:
        """What is deleted is overwritten, nothing temporary goes to a file, and Ctrl-C is heard."""
        database.run("PRAGMA secure_delete = ON")
        database.run("PRAGMA temp_store = MEMORY")
        database.driver.set_progress_handler(lambda: 0, 100_000)
        database.run("BEGIN")

    def explain(self, error: BaseException) -> DatabaseErrorMeaning | None:
        """By the words of the library."""
        import sqlite3

        if not isinstance(error, sqlite3.Error):
            return None
        text = str(error)
        if "interrupted" in text:
            raise KeyboardInterrupt from None
        known = {
            "not a database": DatabaseErrorMeaning(
                say("this is not a SQLite database"), say("check the path")
            ),
            "unable to open": DatabaseErrorMeaning(
                say("the file cannot be opened"), say("check the path and its permissions")
            ),
            "readonly": DatabaseErrorMeaning(
                say("the file may not be written"), say("check its permissions")
            ),
            "locked": DatabaseErrorMeaning(
                say("somebody else is writing to the database"), say("wait until they are done")
            ),
            "no such table": DatabaseErrorMeaning(
                say("there is no such table"), say("`celosia tables ADDRESS` lists them")
            ),
            "already exists": DatabaseErrorMeaning(
                say("a table of that name exists already"), say("choose another name")
            ),
            "full": DatabaseErrorMeaning(say("the disk is full"), say("make room there")),
        }
        found = next((trouble for words, trouble in known.items() if words in text), None)
        return found or DatabaseErrorMeaning(
            say("the database refused it ({cause})", cause=text[:200]), say("check the table and the filter")
        )

    def default_schema(self, database: "Database") -> str | None:
        """The file itself."""
        return "main"

    def tables(self, database: "Database") -> list[DatabaseTable]:
        """Tables and views of the file."""
        rows = database.ask(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') "
            "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        )
        return [DatabaseTable("main", name, kind) for name, kind in rows]

    def columns(self, database: "Database", schema: str | None, name: str) -> list[SqlColumn]:
        """By the classes of storage that occur: a declaration binds nobody here."""
        place = database.quote(schema)
        found = database.ask(f"PRAGMA {place}.table_xinfo({database.quote(name)})")
        fields = [(row[1], row[2] or "") for row in found if row[6] in (0, 2, 3)]
        if not fields:
            return []
        columns: list[SqlColumn] = []
        # A row has at most 2000 columns, and a query too.
        for start in range(0, len(fields), 200):
            some = fields[start : start + 200]
            asked = ", ".join(_asked(database.quote(field), declared) for field, declared in some)
            seen = database.ask(f"SELECT {asked} FROM {database.quote(schema, name)}")[0]
            parts = zip(*[iter(seen)] * 8, strict=True)
            columns += [_column(*field, *part) for field, part in zip(some, parts, strict=True)]
        return columns

    def width(self, database: "Database", schema: str | None, name: str) -> int:
        """As declared."""
        found = database.ask(f"PRAGMA {database.quote(schema)}.table_xinfo({database.quote(name)})")
        return sum(row[6] in (0, 2, 3) for row in found)

    def has_schema(self, database: "Database", name: str) -> bool:
        """Only the file itself."""
        return name == "main"

    def key(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """Texts byte by byte; whole numbers among others are others."""
        if column.dtype == pl.String:
            return sa.cast(value, sa.Text).collate("BINARY")
        return sa.cast(value, sa.Double) if column.type is ColumnType.REAL else value

    def canonical(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """Of one class of storage: texts, whole numbers or others."""
        return super().canonical(column, self.key(column, value))

    def spelling(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any] | None:
        """The class of storage, and how this database would write the value."""
        if column.type is not ColumnType.REAL and column.type is not ColumnType.TEXT:
            return None
        return sa.func.typeof(value).concat(sa.func.quote(value))

    def key_type(self, column: SqlColumn) -> str:
        """The class of storage."""
        named = {ColumnType.INTEGER: "INTEGER", ColumnType.BOOLEAN: "INTEGER", ColumnType.REAL: "REAL"}
        return named.get(column.type, "TEXT")

    def typed(self, column: SqlColumn, text: str) -> sa.ColumnElement[Any]:
        """As it is stored: a cast to a date would make a number of it."""
        value = _stored(self.key_type(column), text)
        if isinstance(value, float):  # also those that are infinite
            return sa.literal_column(repr(value).replace("inf", "9e999"))
        return sa.literal(value)

    def comparable(self, column: SqlColumn, text: str) -> sa.ColumnElement[Any]:
        """The same."""
        return self.typed(column, text)

    def pass_on(self, column: SqlColumn, value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        """As this database writes values: such a column may hold texts and numbers among its bytes."""
        return sa.func.quote(value)

    def arrive(self, column: SqlColumn, values: list[Any]) -> pl.Series:
        """Truth values are integers here, dates are texts."""
        if column.dtype == pl.Boolean:
            values = [None if value is None else bool(value) for value in values]
        if column.type is ColumnType.OTHER:
            values = [None if value == "NULL" else value for value in values]
        return super().arrive(column, values)

    def append(
        self, database: "Database", target: str, types: Mapping[str, str], frame: pl.DataFrame
    ) -> None:
        """Dates and decimals as the texts they are, and bytes as they were before they were passed on."""
        odd = [name for name, dtype in frame.schema.items() if dtype.is_temporal() or dtype.is_decimal()]
        frame = frame.with_columns(named(*odd).cast(pl.String))
        bytes_of = [
            pl.Series(name, [_unquoted(text) for text in frame.get_column(name)], dtype=pl.Object)
            for name, kind in types.items()
            if kind == BYTES
        ]
        super().append(database, target, types, frame.with_columns(bytes_of))

    def small(self, database: "Database", table: InlineTable) -> sa.FromClause:
        """With values as they are stored, and an index: one made in passing would be made for every row."""
        kinds = list(table.columns.values())
        rows = [tuple(map(_stored, kinds, row)) for row in table.rows]
        target = database.quote(table.name)
        fields = ", ".join(f"{database.quote(name)} {kind}" for name, kind in table.columns.items())
        database.run(f"CREATE TEMPORARY TABLE {target} ({fields})")
        with database.explained():
            marks = ", ".join("?" for _ in kinds)
            database.driver.executemany(f"INSERT INTO {target} VALUES ({marks})", rows)
        keys = ", ".join(map(database.quote, table.keys))
        database.run(f"CREATE INDEX temp.{database.quote(table.name + '_keys')} ON {target} ({keys})")
        return sa.table(table.name, *map(sa.column, table.columns))

    def create_as(self, database: "Database", target: str, query: str, types: Mapping[str, str]) -> int:
        """With the types declared: left to itself the database would call a date a number."""
        fields = ", ".join(f"{database.quote(name)} {kind}" for name, kind in types.items())
        database.run(f"CREATE TABLE {target} ({fields})")
        return database.run(f"INSERT INTO {target} {query}")


def _asked(field: str, declared: str) -> str:
    """What is asked of the values of a column.

    The classes that occur, whether there are whole numbers other than 0 and 1, and such as no real number is, whether
    all texts are dates, their length.
    """
    kinds = [f"MAX(typeof({field}) = '{kind}')" for kind in ("integer", "real", "text", "blob")]
    for beyond in (f"{field} NOT IN (0, 1)", f"{field} NOT BETWEEN -{EXACT} AND {EXACT}"):
        kinds.append(f"MAX(typeof({field}) = 'integer' AND {beyond})")
    form = {ColumnType.DATE: "%Y-%m-%d", ColumnType.DATETIME: "%Y-%m-%d %H:%M:%S"}.get(_declared(declared))
    if form is None:
        return ", ".join([*kinds, "NULL", f"MAX(length({field}))"])
    size = 10 if _declared(declared) is ColumnType.DATE else 19
    start = f"replace(substr({field}, 1, {size}), 'T', ' ')"
    rest = "1" if size > 10 else f"length({field}) = 10"
    return ", ".join([*kinds, f"MIN(strftime('{form}', {start}, '+0 days') IS {start} AND {rest})", "NULL"])


def _column(
    name: str,
    declared: str,
    has_integer: int | None,
    has_real: int | None,
    has_text: int | None,
    has_blob: int | None,
    has_more: int | None,
    has_wide: int | None,
    has_dates: int | None,
    longest: int | None,
) -> SqlColumn:
    wanted = _declared(declared)
    # As real numbers, different whole numbers would be counted as one; so would real numbers as texts.
    if has_blob or (has_real and has_wide and not has_text):
        return SqlColumn(name, ColumnType.OTHER, BYTES, pl.String(), is_plain=False)
    if has_text:
        has_numbers = has_integer or has_real
        type = wanted if wanted in DATES and has_dates and not has_numbers else ColumnType.TEXT
    elif has_real:
        type = ColumnType.REAL
    elif has_integer:
        is_truth = wanted is ColumnType.BOOLEAN and not has_more
        type = ColumnType.BOOLEAN if is_truth else ColumnType.INTEGER
    else:
        type = wanted
    native = declared if _is_plain(declared) else "" if type is ColumnType.TEXT else type.name
    dtype = pl.String() if type in DATES else DTYPES[type]
    return SqlColumn(
        name, type, native, dtype, _length(declared, longest) if type is ColumnType.TEXT else None
    )


def _is_plain(declared: str) -> bool:
    """Whether a declaration says a type and nothing else: in quotes, anything can be declared."""
    is_more = "BLOB" in declared.upper() or CLAUSES.search(declared)
    return bool(PLAIN.fullmatch(declared)) and not is_more


def _declared(declared: str) -> ColumnType:
    """What a column was declared as, by the rules of the library where it has one."""
    words = declared.upper()
    if words.startswith(("DATETIME", "TIMESTAMP")):
        return ColumnType.DATETIME
    if words.startswith("DATE"):
        return ColumnType.DATE
    if words.startswith("BOOL"):
        return ColumnType.BOOLEAN
    if "INT" in words:
        return ColumnType.INTEGER
    return ColumnType.REAL if any(word in words for word in ("REAL", "FLOA", "DOUB")) else ColumnType.TEXT


def _length(declared: str, longest: int | None) -> int | None:
    """The length declared, or that of the longest text if it does not keep to that."""
    said = re.search(r"\(\s*(\d+)\s*\)", declared)
    return None if said is None else max(int(said[1]), longest or 0)


def _stored(kind: str, value: Any) -> Any:
    """The text of a value as it is stored in a column of a small table."""
    if not isinstance(value, str) or kind == "TEXT":
        return value
    if kind == "REAL":
        return float(value)
    return {"true": 1, "false": 0}.get(value) if value in ("true", "false") else int(value)


def _unquoted(text: str | None) -> bytes | str | int | float | None:
    """The value that this database writes so."""
    if text is None:
        return None
    if text.startswith("X'"):
        return bytes.fromhex(text[2:-1])
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text.replace("9.0e+999", "inf"))


def check_file(address: "Address", *, writes: bool) -> None:
    """Raise if the file of a database that is to be read does not exist, or the folder of a new one."""
    name = address.url.database
    if not name or name == ":memory:":
        raise TableError(
            say("the address names no file"),
            where=str(address),
            remedy=say("write it as in sqlite:///people.db"),
        )
    path = Path(name)
    if path.is_dir():
        raise TableError(say("this is a folder"), where=str(address), remedy=say("give the path of a file"))
    if not writes and not path.exists():
        raise TableError(say("this file does not exist"), where=str(address), remedy=say("check the path"))
    if not path.absolute().parent.is_dir():
        raise TableError(say("its folder does not exist"), where=str(address), remedy=say("create it first"))


def make_file(path: Path) -> bool:
    """Make an empty file that nobody else may read, unless there is one; whether it was made."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError:  # if it cannot be made, the database will say why
        return False
    return True
