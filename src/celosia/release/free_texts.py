"""Columns of sentences in what was written: whoever is named inside them, no promise covers."""

from collections.abc import Iterator, Sequence

import polars as pl

from celosia.profile import holds_free_text
from celosia.tables.location import is_in_database, is_on_cluster
from celosia.tables.table import Table

__all__ = ["TextSample", "find_free_texts"]

LOOKED_AT = 10_000
"""Rows by which it is judged whether a column holds sentences."""


class TextSample:
    """The texts of rows that lie evenly over a whole table: a table may be sorted, with its notes at the end.

    >>> sample = TextSample(size=3)
    >>> for first in range(0, 12, 4):
    ...     sample.add(pl.DataFrame({"note": [f"n{first + number}" for number in range(4)]}))
    >>> sample.rows.get_column("note").to_list()
    ['n0', 'n4', 'n8']
    """

    def __init__(self, size: int = LOOKED_AT) -> None:
        self._size, self._step, self._seen = size, 1, 0
        self._kept = pl.DataFrame()

    @property
    def rows(self) -> pl.DataFrame:
        """What was kept."""
        return self._kept

    def add(self, batch: pl.DataFrame) -> None:
        """Take in some rows, in their order."""
        texts = batch.select(pl.col(pl.String))
        offset = -self._seen % self._step
        self._seen += batch.height
        self._kept = pl.concat([self._kept, texts.gather_every(self._step, offset)], how="diagonal")
        while self._kept.height > self._size:
            self._kept = self._kept.gather_every(2)
            self._step *= 2


def find_free_texts(
    table: Table, columns: Sequence[str], *, seen: TextSample | None = None
) -> dict[str, str]:
    """Which of some columns hold free text, with what was found inside.

    ``seen`` are rows that lie all over the table, if it was read before.

    >>> from celosia.tables import open_table
    >>> notes = [f"She came with her brother, call 6123456{n}" for n in range(10, 40)]
    >>> find_free_texts(open_table(pl.DataFrame({"note": notes, "ward": ["A"] * 30})), ["note", "ward"])
    {'note': 'free text, with 30 telephone numbers'}
    """
    texts: dict[str, str] = {}
    for name, values in _samples(table, columns, seen):
        findings = holds_free_text(values)
        if findings.is_free_text:
            texts[name] = findings.describe()
    return texts


def _samples(
    table: Table, columns: Sequence[str], seen: TextSample | None
) -> Iterator[tuple[str, pl.Series]]:
    """Some values of every column of texts: from elsewhere only the different ones come here."""
    if is_in_database(table):
        texts = [name for name in columns if table.field(name).dtype == pl.String]
        yield from ((name, table.few_values(name, LOOKED_AT)) for name in texts)
    elif is_on_cluster(table):
        texts = [name for name in columns if table.dtype(name) == pl.String]
        yield from ((name, table.few_values(name, LOOKED_AT)) for name in texts)
    else:
        if seen is None:
            seen = TextSample()
            for batch in table.scan(columns) if columns else ():
                seen.add(batch)
        yield from ((name, seen.rows.get_column(name)) for name in seen.rows.columns if name in columns)
