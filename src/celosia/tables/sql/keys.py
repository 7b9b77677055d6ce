"""The foreign keys that a database declares: which columns of its tables hold the keys of others."""

from collections.abc import Iterable, Mapping, Sequence

import sqlalchemy as sa

from celosia.tables.sql.columns import SqlColumn
from celosia.tables.sql.database import Ask, Database
from celosia.tables.sql.dialect import DatabaseTable
from celosia.tables.sql.open import connect, find_table

__all__ = ["foreign_keys"]

# By the catalogue, as dialects find tables and columns too: one question, whatever the number of tables. Each gives,
# column by column, schema, table and column that refer, and those referred to.
POSTGRESQL = """
SELECT n.nspname, c.relname, a.attname, fn.nspname, f.relname, fa.attname
FROM pg_catalog.pg_constraint k
CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS pair (child, parent, place)
JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = pair.child
JOIN pg_catalog.pg_class f ON f.oid = k.confrelid
JOIN pg_catalog.pg_namespace fn ON fn.oid = f.relnamespace
JOIN pg_catalog.pg_attribute fa ON fa.attrelid = f.oid AND fa.attnum = pair.parent
WHERE k.contype = 'f'
ORDER BY 1, 2, k.conname, pair.place
"""
MARIADB = """
SELECT table_schema, table_name, column_name,
       referenced_table_schema, referenced_table_name, referenced_column_name
FROM information_schema.key_column_usage
WHERE referenced_table_name IS NOT NULL AND table_schema IN ({schemas})
ORDER BY 1, 2, constraint_name, ordinal_position
"""
# A key may be declared without naming the columns referred to: then they are the primary key.
SQLITE = """
SELECT NULL, t.name, k."from", NULL, k."table", coalesce(k."to", p.name)
FROM sqlite_master t
JOIN pragma_foreign_key_list(t.name) k
LEFT JOIN pragma_table_info(k."table") p ON k."to" IS NULL AND p.pk = k.seq + 1
WHERE t.type = 'table'
ORDER BY t.name, k.id DESC, k.seq
"""
DUCKDB = """
SELECT schema_name, table_name, unnest(constraint_column_names),
       schema_name, referenced_table, unnest(referenced_column_names)
FROM duckdb_constraints()
WHERE constraint_type = 'FOREIGN KEY' AND database_name = current_database()
ORDER BY 1, 2, constraint_index
"""
QUERIES = {"postgresql": POSTGRESQL, "mariadb": MARIADB, "sqlite": SQLITE, "duckdb": DUCKDB}

Place = tuple[str | None, str]


def foreign_keys(address: str, tables: Iterable[str], ask: Ask | None = None) -> list[tuple[str, str]]:
    """Pairs of ``table.column``, the first referring to the second, as a database declares them between ``tables``.

    Tables are called as they were named. A key of several columns gives a pair for each.
    """
    database = connect(address, ask=ask)
    try:
        named = {name: find_table(database, name) for name in dict.fromkeys(tables)}
        return list(dict.fromkeys(_pairs(database, named)))
    finally:
        database.close()


def _pairs(
    database: Database, named: Mapping[str, tuple[DatabaseTable, Sequence[SqlColumn]]]
) -> Iterable[tuple[str, str]]:
    default = database.dialect.default_schema(database)
    scheme = database.dialect.scheme
    names = {_folded(scheme, found.schema or default, found.name): name for name, (found, _) in named.items()}
    schemas = ", ".join(database.render(sa.literal(schema)) for schema, _ in names)
    query = QUERIES[scheme].replace("{schemas}", schemas)
    for schema, table, column, other_schema, other, key in database.ask(query) if names else ():
        child = names.get(_folded(scheme, schema or default, table))
        parent = names.get(_folded(scheme, other_schema or default, other))
        if child is not None and parent is not None:
            yield (
                f"{child}.{_as_declared(column, named[child][1])}",
                f"{parent}.{_as_declared(key, named[parent][1])}",
            )


def _folded(scheme: str, schema: str | None, name: str) -> Place:
    """By what tables are compared: in files, a key may write names in other letters than the table has."""
    return (schema, name.casefold()) if scheme in ("sqlite", "duckdb") else (schema, name)


def _as_declared(name: str, columns: Sequence[SqlColumn]) -> str:
    """The column as its table has it; a key may write its name in other letters."""
    spelt = {column.name.casefold(): column.name for column in columns}
    return name if name in spelt.values() else spelt.get(name.casefold(), name)
