"""Columns that nobody declared and that look like identifiers: they would leave with the release."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import polars as pl

from celosia.profile.content import identifier_in_content
from celosia.profile.names import match_name
from celosia.profile.reasons import Reason
from celosia.tables.table import Table
from celosia.types import ColumnType, Role, Schema

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
    values = _values(table, columns)
    found = {}
    for name in columns:
        by_name = match_name(name)
        content = identifier_in_content(*_texts(values[name])) if name in values else None
        if content:
            found[name] = content
        elif by_name and by_name.role is Role.IDENTIFIER:
            found[name] = by_name.reason
    return found


def _values(table: Table, columns: Sequence[str]) -> dict[str, pl.Series]:
    """Values of the columns in the first rows; from a database without the rows, which stay there."""
    if isinstance(table, ValueTable):
        plain = [column.name for column in table.schema() if column.type is not ColumnType.OTHER]
        return {name: table.few_values(name, LOOKED_AT) for name in columns if name in plain}
    rows = next(iter(table.scan(columns)), pl.DataFrame()).head(LOOKED_AT)
    return {series.name: series for series in rows.iter_columns()}


@runtime_checkable
class ValueTable(Protocol):
    """A table whose rows are better left where they are."""

    def schema(self) -> Schema:
        """Its columns."""
        ...

    def few_values(self, name: str, rows: int) -> pl.Series:
        """Distinct values of one column in the first rows."""
        ...


def _texts(values: pl.Series) -> tuple[pl.Series, ColumnType]:
    """Distinct texts of a column of texts or integers; of any other, none."""
    values = values.alias("")  # Polars takes a name such as ^a$ for a pattern
    if values.dtype.is_integer():
        return values.drop_nulls().unique().cast(pl.String), ColumnType.INTEGER
    if values.dtype == pl.String:
        return values.drop_nulls().unique(), ColumnType.TEXT
    return pl.Series([], dtype=pl.String), ColumnType.OTHER
