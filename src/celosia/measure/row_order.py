"""The rows of a table in their order, as the texts that are counted elsewhere."""

from collections.abc import Sequence

import polars as pl

from celosia.tables.table import Table
from celosia.tables.written_forms import markers_of
from celosia.values.text import missing_to_null, text_of

__all__ = ["rows_in_order"]


def rows_in_order(table: Table, columns: Sequence[str]) -> pl.DataFrame:
    """All rows of some columns as texts, null where a value is missing or what the table takes for missing.

    >>> from celosia.tables import open_table
    >>> rows_in_order(open_table(pl.DataFrame({"sex": ["f", "?"], "age": [31, None]})), ["age", "sex"]).rows()
    [('31', 'f'), (None, None)]
    """
    missing = markers_of(table)
    parts = []
    for batch in table.scan(columns):
        named = [batch.get_column(name) for name in columns]
        # One column at a time, by its place: a name may mean something to the engine.
        texts = [
            alias.to_frame()
            .select(missing_to_null(text_of(pl.nth(0), alias.dtype, column=name, where=table.name), missing))
            .to_series()
            .alias(name)
            for name, alias in zip(columns, named, strict=True)
        ]
        parts.append(pl.DataFrame(texts))
    return pl.concat(parts) if parts else pl.DataFrame(schema=dict.fromkeys(columns, pl.String))
