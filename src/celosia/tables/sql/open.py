"""The door to databases: an address and the name of a table become a table."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from celosia.errors import TableError
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
from celosia.tables.sql.dialect import Found
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
    "find_table",
    "list_tables",
    "new_table",
    "open_sql_table",
    "settle_password",
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
        error.remedy = error.remedy.replace(PASSWORD, variable)
        raise


def settle_password(address: str, ask: Ask, *, variable: str = PASSWORD) -> None:
    """Have a person asked for a password now if it will be needed, and not when a progress bar runs."""
    place = parse_address(address, variable=variable)
    if not place.is_file and place.find_password() is None:
        connect(address, variable=variable, ask=ask).close()


def list_tables(address: str, *, ask: Ask | None = None) -> list[Found]:
    """Tables and views of a database, by schema."""
    return [found for found, _ in count_columns(address, ask=ask)]


def count_columns(address: str, *, ask: Ask | None = None) -> list[tuple[Found, int]]:
    """Tables and views of a database, by schema, each with the number of its columns."""
    database = connect(address, ask=ask)
    try:
        dialect = database.dialect
        return [
            (found, dialect.width(database, found.schema, found.name)) for found in dialect.tables(database)
        ]
    finally:
        database.close()


def describe_table(address: str, name: str, *, ask: Ask | None = None) -> tuple[Found, list[SqlColumn]]:
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
                "no table of the database was named", where=str(database), remedy=_choose(database)
            )
        found = [find_table(database, name) for name in wanted]
        places, fields = tuple(place for place, _ in found), found[0][1]
        for place, others in found[1:]:
            if list(map(_kind, others)) != list(map(_kind, fields)):
                raise TableError(
                    f"{place.name!r} and {places[0].name!r} have different columns, by name or by type",
                    where=str(database),
                    remedy="join them in a view first, and name that",
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
    ask: Ask | None = None,
    shared: dict[str, Database] | None = None,
) -> NewTable:
    """A table to be made at an address, or in the database of ``source``; what killed runs left there is erased.

    ``shared`` holds connections, as for :func:`open_sql_table`.
    """
    database = source.database if isinstance(source, SqlTable) else None
    if address is not None:
        place = parse_address(address, variable=OUT_PASSWORD)
        if database is None or not database.address.same_as(place):
            variable = out_variable(place, None if database is None else database.address)
            connections = {} if shared is None else shared
            database = _reach(address, connections, variable=variable, writes=True, ask=ask)
    if database is None:
        raise TableError(
            "a table was named, but no database to make it in",
            where=name,
            remedy="give its address with --out",
        )
    try:
        database.dialect.erase_leftovers(database)
        schema, table = split_name(name)
        if schema is not None and not database.dialect.has_schema(database, schema):
            raise TableError(
                f"there is no schema {schema!r}", where=str(database), remedy="create it, or name another"
            )
        schema = schema or database.dialect.default_schema(database)
        made = NewTable(database, schema, table, overwrite=overwrite)
        made.ensure_free()
    except BaseException:
        if not isinstance(source, SqlTable) or database is not source.database:
            database.close()
        raise
    return made


def find_table(database: Database, name: str) -> tuple[Found, list[SqlColumn]]:
    """A table and its columns, by its name as SQL writes it or as it is; the nearest name if there is none."""
    schema, table = split_name(name)
    default = database.dialect.default_schema(database)
    for place in (Found(schema or default, table), Found(default, name)):
        if columns := database.dialect.columns(database, place.schema, place.name):
            return place, columns
    raise TableError(f"there is no table {name!r}", where=str(database), remedy=_choose(database, name))


def _kind(column: SqlColumn) -> tuple[object, ...]:
    """What columns of tables that are named together must share: the first speaks for all."""
    return column.name, column.type, column.dtype, None if column.is_plain else column.native


def _choose(database: Database, name: str = "") -> str:
    """Advice about the tables there are; a name without its schema is near one with it."""
    tables, default = database.dialect.tables(database), database.dialect.default_schema(database)
    full = [f"{found.schema}.{found.name}" if found.schema else found.name for found in tables]
    short = [found.name for found in tables if found.schema == default]
    if not full:
        return "the database has no tables that this user may see"
    advice = nearest(name, (*short, *full))
    return advice if advice.startswith("did") else nearest("", tuple(full), "the tables")
