"""The door to databases: an address and the name of a table become a table."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.errors import TableError
from celosia.say import replace_part, say
from celosia.tables.format import Options
from celosia.tables.sql.address import (
    OUT_PASSWORD,
    PASSWORD,
    no_driver,
    out_variable,
    parse_address,
    split_name,
)
from celosia.tables.sql.columns import SqlColumn
from celosia.tables.sql.database import Ask, Database, open_database
from celosia.tables.sql.dialect import DatabaseTable
from celosia.tables.sql.new_table import NewTable
from celosia.tables.sql.sql_table import SqlTable
from celosia.tables.types_file import as_columns
from celosia.types import Schema, nearest

if TYPE_CHECKING:
    from celosia.tables.table import Table

__all__ = [
    "connect",
    "count_columns",
    "describe_table",
    "ensure_password",
    "find_table",
    "is_new_database_file",
    "list_tables",
    "new_table",
    "open_sql_table",
]


def connect(
    address: str, *, variable: str = PASSWORD, writes: bool = False, ask: Ask | None = None
) -> Database:
    """Connect to the database at an address; ``variable`` names the variable that may hold the password."""
    place = parse_address(address, variable=variable)
    try:
        return open_database(place, writes=writes, ask=ask)
    except ImportError:
        raise no_driver(place.scheme) from None
    except TableError as error:
        # The messages of a dialect know one variable.
        error.remedy = replace_part(error.remedy, PASSWORD, variable)
        raise


def ensure_password(address: str, ask: Ask, *, variable: str = PASSWORD) -> None:
    """Have a person asked for a password now if it will be needed, and not when a progress bar runs."""
    place = parse_address(address, variable=variable)
    if not place.is_file and place.find_password() is None:
        connect(address, variable=variable, ask=ask).close()


def list_tables(address: str, *, ask: Ask | None = None) -> list[DatabaseTable]:
    """Tables and views of a database, by schema."""
    return [found for found, _ in count_columns(address, ask=ask)]


def count_columns(address: str, *, ask: Ask | None = None) -> list[tuple[DatabaseTable, int]]:
    """Tables and views of a database, by schema, each with the number of its columns."""
    database = connect(address, ask=ask)
    try:
        dialect = database.dialect
        return [
            (found, dialect.width(database, found.schema, found.name)) for found in dialect.tables(database)
        ]
    finally:
        database.close()


def describe_table(
    address: str, name: str, *, ask: Ask | None = None
) -> tuple[DatabaseTable, list[SqlColumn]]:
    """A table and its columns."""
    database = connect(address, ask=ask)
    try:
        return find_table(database, name)
    finally:
        database.close()


def open_sql_table(
    address: str,
    names: str | Sequence[str],
    *,
    where: str | None = None,
    options: Options | None = None,
    types: Mapping[str, str] | Schema | None = None,
    memory: int | None = None,
    writes: bool = False,
    ask: Ask | None = None,
    shared: dict[str, Database] | None = None,
) -> SqlTable:
    """Open a table of a database, or several with the same columns; ``writes`` if a release goes there too.

    ``shared`` holds connections by address: a run has one to each database, so that all it reads there is of one state
    and all it makes there lasts at once.
    """
    wanted = [names] if isinstance(names, str) else list(names)
    database = _reach(address, {} if shared is None else shared, writes=writes, ask=ask)
    try:
        if not wanted:
            raise TableError(
                say("no table of the database was named"), where=str(database), remedy=_choose(database)
            )
        found = [find_table(database, name) for name in wanted]
        places, fields = tuple(place for place, _ in found), found[0][1]
        for place, others in found[1:]:
            if list(map(_kind, others)) != list(map(_kind, fields)):
                raise TableError(
                    say(
                        "{one!r} and {other!r} have different columns, by name or by type",
                        one=place.name,
                        other=places[0].name,
                    ),
                    where=str(database),
                    remedy=say("join them in a view first, and name that"),
                )
        columns = tuple(column.name for column in fields)
        table = SqlTable(
            database,
            places,
            tuple(fields),
            where=where,
            options=options or Options(),
            types=as_columns(types, columns, where=", ".join(wanted)),
            memory=memory,
        )
        table.check_filter()
        return table
    except BaseException:
        database.close()
        raise


def _reach(
    address: str,
    shared: dict[str, Database],
    *,
    writes: bool,
    ask: Ask | None,
    variable: str = PASSWORD,
) -> Database:
    """The connection there is to a database, however its address is spelled, or a new one."""
    key = parse_address(address, variable=variable).resolved
    known = shared.get(key)
    if known is not None and known.users > 0 and (known.writes or not writes):
        known.users += 1
        return known
    shared[key] = connect(address, variable=variable, writes=writes, ask=ask)
    return shared[key]


def new_table(
    address: str | None,
    name: str,
    *,
    source: "Table | None" = None,
    overwrite: bool = False,
    writes: bool = True,
    ask: Ask | None = None,
    shared: dict[str, Database] | None = None,
) -> NewTable:
    """A table to be made at an address, or in the database of ``source``; what killed runs left there is erased.

    ``shared`` holds connections, as for :func:`open_sql_table`. With ``writes`` False it is only looked whether the
    table could be made; a database whose file is not there has nothing to look at, see :func:`is_new_database_file`.
    """
    database = source.database if isinstance(source, SqlTable) else None
    if address is not None:
        place = parse_address(address, variable=OUT_PASSWORD)
        if database is None or not database.address.same_as(place):
            variable = out_variable(place, None if database is None else database.address)
            connections = {} if shared is None else shared
            database = _reach(address, connections, variable=variable, writes=writes, ask=ask)
    if database is None:
        raise TableError(
            say("a table was named, but no database to make it in"),
            where=name,
            remedy=say("give its address with --out"),
        )
    try:
        if writes:
            database.dialect.erase_leftovers(database)
        schema, table = split_name(name)
        if schema is not None and not database.dialect.has_schema(database, schema):
            raise TableError(
                say("there is no schema {schema!r}", schema=schema),
                where=str(database),
                remedy=say("create it, or name another"),
            )
        schema = schema or database.dialect.default_schema(database)
        made = NewTable(database, schema, table, overwrite=overwrite)
        made.ensure_free()
    except BaseException:
        if not isinstance(source, SqlTable) or database is not source.database:
            database.close()
        raise
    return made


def is_new_database_file(address: str) -> bool:
    """Whether a database is a file that a release would create; raise if that could not be created."""
    place = parse_address(address, variable=OUT_PASSWORD)
    if not place.is_file or Path(place.url.database or "").exists():
        return False
    from celosia.tables.sql.sqlite import check_file

    check_file(place, writes=True)
    return True


def find_table(database: Database, name: str) -> tuple[DatabaseTable, list[SqlColumn]]:
    """A table and its columns, by its name as SQL writes it or as it is; the nearest name if there is none."""
    schema, table = split_name(name)
    default = database.dialect.default_schema(database)
    for place in (DatabaseTable(schema or default, table), DatabaseTable(default, name)):
        if columns := database.dialect.columns(database, place.schema, place.name):
            return place, columns
    raise TableError(
        say("there is no table {name!r}", name=name), where=str(database), remedy=_choose(database, name)
    )


def _kind(column: SqlColumn) -> tuple[object, ...]:
    """What columns of tables that are named together must share: the first speaks for all."""
    return column.name, column.type, column.dtype, None if column.is_plain else column.native


def _choose(database: Database, name: str = "") -> str:
    """Advice about the tables there are; a name without its schema is near one with it."""
    tables, default = database.dialect.tables(database), database.dialect.default_schema(database)
    full = [f"{found.schema}.{found.name}" if found.schema else found.name for found in tables]
    short = [found.name for found in tables if found.schema == default]
    if not full:
        return say("the database has no tables that this user may see")
    advice = nearest(name, (*short, *full))
    return advice if advice.startswith("did") else nearest("", tuple(full), say("the tables"))
