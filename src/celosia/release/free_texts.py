"""Columns of sentences in what was written: whoever is named inside them, no promise covers."""

from collections.abc import Iterator, Sequence

import polars as pl

from celosia.profile import holds_free_text
from celosia.tables.location import is_in_database, is_on_cluster
from celosia.tables.table import Table

__all__ = ["find_free_texts"]

LOOKED_AT = 10_000
"""Rows by which it is judged whether a column holds sentences: a release lies in no order."""


def find_free_texts(table: Table, columns: Sequence[str]) -> dict[str, str]:
    """Which of some columns hold free text, with what was found inside.

    >>> from celosia.tables import open_table
    >>> notes = [f"She came with her brother, call 6123456{n}" for n in range(10, 40)]
    >>> find_free_texts(open_table(pl.DataFrame({"note": notes, "ward": ["A"] * 30})), ["note", "ward"])
    {'note': 'free text, with 30 telephone numbers'}
    """
    texts: dict[str, str] = {}
    for name, values in _samples(table, columns):
        findings = holds_free_text(values)
        if findings.is_free_text:
            texts[name] = findings.describe()
    return texts


def _samples(table: Table, columns: Sequence[str]) -> Iterator[tuple[str, pl.Series]]:
    """Some values of every column of texts: from elsewhere only the different ones come here."""
    if is_in_database(table):
        texts = [name for name in columns if table.field(name).dtype == pl.String]
        yield from ((name, table.few_values(name, LOOKED_AT)) for name in texts)
        return
    if is_on_cluster(table):
        texts = [name for name in columns if table.dtype(name) == pl.String]
        yield from ((name, table.few_values(name, LOOKED_AT)) for name in texts)
        return
    first = _first_rows(table, columns)
    yield from ((column.name, column) for column in first.iter_columns() if column.dtype == pl.String)


def _first_rows(table: Table, columns: Sequence[str]) -> pl.DataFrame:
    batches, rows = [], 0
    for batch in table.scan(columns) if columns else ():
        batches.append(batch.head(LOOKED_AT - rows))
        rows += batches[-1].height
        if rows >= LOOKED_AT:
            break
    return pl.concat(batches) if batches else pl.DataFrame()
