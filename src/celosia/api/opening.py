"""Places and the tables there: files, databases with their passwords, clusters, files of column types."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.api.requests import TableSource
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import Ask, DatabaseTable, SqlColumn, Table
    from celosia.tables.reading_told import ReadingDoubt
    from celosia.types import Schema

__all__ = [
    "HIVE",
    "OUT_PASSWORD",
    "PASSWORD",
    "ColumnsOfTable",
    "DatabaseServer",
    "FirstRows",
    "PlaceKind",
    "TextLayout",
    "ask_passwords",
    "check_address",
    "check_table_format",
    "check_table_name",
    "column_names",
    "count_database_columns",
    "describe_database_table",
    "first_rows",
    "list_database_tables",
    "open_doubts",
    "opened_table",
    "place_kind",
    "plain_table_name",
    "read_types",
    "server_of",
    "stamp_in_store",
    "text_layout",
    "write_types",
]

PASSWORD, OUT_PASSWORD = "CELOSIA_PASSWORD", "CELOSIA_OUT_PASSWORD"  # the names of variables, not secrets
HIVE = "hive:"


class PlaceKind(StrEnum):
    """What is at a place."""

    FILE = "file"
    DATABASE = "database"
    CLUSTER = "cluster"
    HIVE = "hive"
    STORE = "store"
    WEB = "web"

    @property
    def is_on_cluster(self) -> bool:
        """Whether only Spark can go there."""
        return self in (PlaceKind.CLUSTER, PlaceKind.HIVE)

    @property
    def is_remote(self) -> bool:
        """Whether files are fetched from there."""
        return self in (PlaceKind.STORE, PlaceKind.WEB)


def place_kind(place: object) -> PlaceKind | None:
    """What is at a place, by how it is written; None for what is no text or path.

    >>> [place_kind(place).value for place in ("people.csv", "sqlite:///clinic.db", "hdfs:///p.parquet", "hive:people")]
    ['file', 'database', 'cluster', 'hive']
    >>> [place_kind(place).value for place in ("s3://clinic/people.parquet", "https://example.org/people.csv")]
    ['store', 'web']
    """
    from celosia.tables.place import is_store, is_web
    from celosia.tables.spark.address import is_place
    from celosia.tables.sql.address import is_address

    if is_address(place):
        return PlaceKind.DATABASE
    if is_place(place):
        return PlaceKind.HIVE if str(place).startswith(HIVE) else PlaceKind.CLUSTER
    if is_store(place) or is_web(place):
        return PlaceKind.STORE if is_store(place) else PlaceKind.WEB
    return PlaceKind.FILE if isinstance(place, str | Path) else None


def stamp_in_store(place: str) -> object:
    """What tells the object at a place of a store from another; None if there is none, or nobody can tell."""
    from celosia.errors import CelosiaError
    from celosia.tables.stores import open_object

    try:
        return open_object(place)
    except CelosiaError:
        return None


@contextmanager
def opened_table(source: TableSource, *, ask: "Ask | None" = None) -> "Iterator[Table]":
    """A table, opened, and let go of in the end.

    >>> import polars as pl
    >>> with opened_table(TableSource(pl.DataFrame({"age": [31]}))) as table:
    ...     table.columns()
    ('age',)
    """
    from celosia.tables import close_table, open_table

    table = open_table(
        source.place,
        table=source.tables,
        where=source.where,
        separator=source.separator,
        encoding=source.encoding,
        header=source.header,
        missing=source.missing,
        decimal=source.decimal,
        thousands=source.thousands,
        date_format=source.date_format,
        quote=source.quote,
        types=source.types or None,
        format=source.format,
        engine=source.engine,
        spark=source.spark,
        ask=ask,
    )
    try:
        yield table
    finally:
        close_table(table)


def column_names(source: TableSource, *, ask: "Ask | None" = None) -> tuple[str, ...]:
    """The names of the columns of a table.

    >>> import polars as pl
    >>> column_names(TableSource(pl.DataFrame({"age": [31], "sex": ["f"]})))
    ('age', 'sex')
    """
    # A connection left open would keep a run from writing to a database in a file.
    with opened_table(source, ask=ask) as table:
        return tuple(table.columns())


@dataclass(frozen=True)
class FirstRows:
    """The first rows of a table, as texts."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]


def first_rows(table: "Table", most: int) -> FirstRows:
    """The first rows of a table that is open, as its file writes them.

    >>> import polars as pl
    >>> with opened_table(TableSource(pl.DataFrame({"age": [31, 47]}))) as table:
    ...     first_rows(table, 1).rows
    (('31',),)
    """
    import polars as pl

    from celosia.tables.format import Options

    frames: list[pl.DataFrame] = []
    count = 0
    for batch in table.scan(table.columns()):
        frame = batch if isinstance(batch, pl.DataFrame) else pl.DataFrame(batch)
        frames.append(frame.head(most - count))
        count += frames[-1].height
        if count >= most:
            break
    if not frames:
        return FirstRows(tuple(table.columns()), ())
    from celosia.tables.written_forms import WrittenForms

    whole = WrittenForms(getattr(table, "options", Options())).write(pl.concat(frames))
    texts = pl.DataFrame([column.cast(pl.String) for column in whole.iter_columns()])
    return FirstRows(tuple(whole.columns), tuple(texts.rows()))


def check_address(text: str, *, option: str = "ADDRESS", variable: str = PASSWORD) -> None:
    """Raise unless a text is the address of a database, and holds no password.

    >>> check_address("people.csv")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: ADDRESS: 'people.csv' is not the address of a database; write it as in
    postgresql://user@host/database or sqlite:///file.db
    """
    from celosia.tables.sql.address import is_address, parse_address

    if not is_address(text):
        raise ProjectError(
            say("{text!r} is not the address of a database", text=text),
            where=option,
            remedy=say("write it as in postgresql://user@host/database or sqlite:///file.db"),
        )
    parse_address(text, variable=variable)


@dataclass(frozen=True)
class DatabaseServer:
    """The parts of the address of a database: its kind, host, name and options, and the address as it is kept."""

    address: str
    kind: str
    host: str
    database: str
    options: Mapping[str, object]


def server_of(address: str) -> DatabaseServer:
    """The parts of an address; one that holds a password is refused.

    >>> server_of("postgresql://ana@localhost/clinic").host
    'localhost'
    """
    from celosia.tables.sql.address import parse_address

    location = parse_address(address)
    return DatabaseServer(
        str(location),
        location.scheme,
        location.url.host or "",
        location.url.database or "",
        dict(location.url.query),
    )


def ask_passwords(ask: "Ask", source: str | None, out: str | None = None) -> None:
    """Ask for the passwords of databases that a table comes from and goes to, where they are not found elsewhere."""
    from celosia.tables.sql.address import is_address, out_variable, parse_address

    origin = None
    if source is not None and is_address(source):
        from celosia.tables.sql.open import ensure_password

        origin = parse_address(source)
        ensure_password(source, ask, variable=PASSWORD)
    if out is not None and is_address(out):
        from celosia.tables.sql.open import ensure_password

        ensure_password(out, ask, variable=out_variable(parse_address(out), origin))


def check_table_name(name: str) -> None:
    """Raise unless the name of a file says a format that tables are read in, compressed or not.

    >>> check_table_name("people.csv.gz")
    """
    from celosia.tables.file_list import is_table_name
    from celosia.tables.formats import find_format

    if not is_table_name(Path(name)):
        find_format(Path(name))


def check_table_format(place: str, *, on_cluster: bool = False) -> None:
    """Raise unless the name of a place says a format that tables are read and written in.

    >>> check_table_format("safe.csv")
    """
    from celosia.tables.formats import writer_of
    from celosia.tables.spark.address import is_place, parse_place

    if on_cluster or is_place(place):
        parse_place(place)
    else:
        writer_of(Path(place))


def plain_table_name(table: str) -> str:
    """The name of a table of a database or of Hive without that of its schema.

    >>> plain_table_name("public.visits_safe"), plain_table_name("hive:safe")
    ('visits_safe', 'safe')
    """
    from celosia.tables.sql.address import split_name

    return split_name(table.removeprefix(HIVE))[1]


def list_database_tables(address: str, *, ask: "Ask | None" = None) -> "list[DatabaseTable]":
    """The tables and views of a database."""
    from celosia.tables.sql.open import list_tables

    return list_tables(address, ask=ask)


def count_database_columns(address: str, *, ask: "Ask | None" = None) -> "list[tuple[DatabaseTable, int]]":
    """The tables and views of a database, each with the number of its columns."""
    from celosia.tables.sql.open import count_columns

    return count_columns(address, ask=ask)


@dataclass(frozen=True)
class ColumnsOfTable:
    """A table of a database and its columns."""

    table: "DatabaseTable"
    columns: "list[SqlColumn]"


def describe_database_table(address: str, table: str, *, ask: "Ask | None" = None) -> ColumnsOfTable:
    """The columns of a table of a database."""
    from celosia.tables.sql.open import describe_table

    return ColumnsOfTable(*describe_table(address, table, ask=ask))


def read_types(path: Path) -> "Schema":
    """Types and lengths of columns from a file of them."""
    from celosia.tables import types_file

    return types_file.read_types(path)


def write_types(schema: "Schema", path: Path) -> None:
    """Write types and lengths of columns to a file, to be edited by hand and used again."""
    from celosia.tables import types_file

    types_file.write_types(schema, path)


def open_doubts(source: TableSource) -> "tuple[ReadingDoubt, ...]":
    """The columns of a text file that may be read in two ways, of which a person has to say one.

    >>> import polars as pl
    >>> open_doubts(TableSource(pl.DataFrame({"age": [31]})))
    ()
    """
    from celosia.tables.reading_told import reading_of

    with opened_table(source) as table:
        reading = reading_of(table)
    return () if reading is None else tuple(doubt for doubt in reading.doubts if doubt.is_open)


@dataclass(frozen=True)
class TextLayout:
    """How a text file is written down, as far as its beginning tells."""

    separator: str
    encoding: str
    header: bool


def text_layout(path: Path) -> TextLayout:
    """The layout of a text file, as whoever reads it finds it out.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_bytes("name;town\\nAna;Ávila\\n".encode("cp1252"))
    ...     text_layout(Path(folder, "people.csv"))
    TextLayout(separator=';', encoding='cp1252', header=True)
    """
    from celosia.tables.dialect import find_dialect
    from celosia.tables.format import Options

    found = find_dialect(path, Options()).options
    return TextLayout(found.separator or ",", found.codec, found.has_names)
