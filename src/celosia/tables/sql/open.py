"""The door to databases: an address and the name of a table become a table."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from celosia.errors import TableError
from celosia.tables.format import Options
from celosia.tables.sql.address import OUT_PASSWORD, parse_address, split_name
from celosia.tables.sql.columns import SqlColumn
from celosia.tables.sql.database import Ask, Database, open_database
from celosia.tables.sql.dialect import Found
from celosia.tables.sql.new_table import NewTable
from celosia.tables.sql.sql_table import SqlTable
from celosia.tables.types_file import as_columns
from celosia.types import Schema, nearest

if TYPE_CHECKING:
    from celosia.tables.table import Table

__all__ = ["list_tables", "new_table", "open_sql_table"]


def list_tables(address: str, *, ask: Ask | None = None) -> list[Found]:
    """Tables and views of a database, by schema."""
    database = open_database(parse_address(address), ask=ask)
    try:
        return database.dialect.tables(database)
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
) -> SqlTable:
    """Open a table of a database, or several with the same columns; ``writes`` if a release goes there too."""
    wanted = [names] if isinstance(names, str) else list(names)
    database = open_database(parse_address(address), writes=writes, ask=ask)
    try:
        if not wanted:
            raise TableError(
                "no table of the database was named", where=str(database), remedy=_choose(database)
            )
        found = [_find(database, name) for name in wanted]
        places, fields = tuple(place for place, _ in found), found[0][1]
        for place, others in found[1:]:
            if [column.name for column in others] != [column.name for column in fields]:
                raise TableError(
                    f"{place.name!r} and {places[0].name!r} have different columns",
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


def new_table(
    address: str | None,
    name: str,
    *,
    source: "Table | None" = None,
    overwrite: bool = False,
    ask: Ask | None = None,
) -> NewTable:
    """A table to be made at an address, or in the database of ``source``; what killed runs left there is erased."""
    database = source.database if isinstance(source, SqlTable) else None
    if address is not None:
        place = parse_address(address, variable=OUT_PASSWORD)
        if database is None or not database.address.same_as(place):
            database = open_database(place, writes=True, ask=ask)
    if database is None:
        raise TableError(
            "a table was named, but no database to make it in",
            where=name,
            remedy="give its address with --out",
        )
    database.dialect.erase_leftovers(database)
    schema, table = split_name(name)
    made = NewTable(database, schema or database.dialect.default_schema(database), table, overwrite=overwrite)
    made.ensure_free()
    return made


def _find(database: Database, name: str) -> tuple[Found, list[SqlColumn]]:
    """A table and its columns, by its name as SQL writes it or as it is."""
    schema, table = split_name(name)
    default = database.dialect.default_schema(database)
    for place in (Found(schema or default, table), Found(default, name)):
        if columns := database.dialect.columns(database, place.schema, place.name):
            return place, columns
    raise TableError(f"there is no table {name!r}", where=str(database), remedy=_choose(database, name))


def _choose(database: Database, name: str = "") -> str:
    names = tuple(
        f"{found.schema}.{found.name}" if found.schema else found.name
        for found in database.dialect.tables(database)
    )
    if not names:
        return "the database has no tables that this user may see"
    return nearest(name, names).replace("the columns are", "the tables are")
