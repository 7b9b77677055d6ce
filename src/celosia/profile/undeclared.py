"""Columns that nobody declared and that look like identifiers: they would leave with the release."""

from collections.abc import Sequence

import polars as pl

from celosia.profile.content import identifier_in_content
from celosia.profile.names import match_name
from celosia.profile.reasons import Reason
from celosia.tables.table import Table
from celosia.types import ColumnType, Role

__all__ = ["likely_identifiers"]

LOOKED_AT = 1_000  # rows: a column of e-mail addresses shows in the first ones


def likely_identifiers(table: Table, columns: Sequence[str]) -> dict[str, Reason]:
    """Which of ``columns`` identify people by name or by content, and why; only the first rows are read.

    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"apellido": ["Gil"], "age": [31]}))
    >>> {name: str(reason) for name, reason in likely_identifiers(people, ["apellido", "age"]).items()}
    {'apellido': "the name says 'apellido', a person's name"}
    """
    if not columns:
        return {}
    rows = next(iter(table.scan(columns)), pl.DataFrame()).head(LOOKED_AT)
    found = {}
    for name in columns:
        by_name = match_name(name)
        content = identifier_in_content(*_texts(rows, name)) if rows.height else None
        if content:
            found[name] = content
        elif by_name and by_name.role is Role.IDENTIFIER:
            found[name] = by_name.reason
    return found


def _texts(rows: pl.DataFrame, name: str) -> tuple[pl.Series, ColumnType]:
    """Distinct texts of a column of texts or integers; of any other, none."""
    values = rows.get_column(name)
    if values.dtype.is_integer():
        return values.drop_nulls().unique().cast(pl.String), ColumnType.INTEGER
    if values.dtype == pl.String:
        return values.drop_nulls().unique(), ColumnType.TEXT
    return pl.Series([], dtype=pl.String), ColumnType.OTHER
