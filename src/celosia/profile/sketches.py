"""Small portraits of the distinct values of columns, by which any two of them can be compared.

A portrait keeps the values with the smallest hashes (bottom-k sketch: Bar-Yossef et al., Counting distinct elements in
a data stream, 2002; Cohen and Kaplan, Summarizing data using bottom-k sketches, 2007). They are a random sample of the
distinct values, the same sample wherever the same values are, and as a value once kept was kept from its first row on,
the rows of each are counted exactly. Memory does not grow with the table.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import TableError
from celosia.tables.table import Table
from celosia.tables.written_forms import markers_of
from celosia.values.named import named
from celosia.values.text import text_of

__all__ = ["KEPT", "Sketch", "find_hashes", "sketch_columns"]

Hashes = npt.NDArray[np.uint64]

KEPT = 4096
"""Distinct values that are kept of a column: a share among them is right within 1.6 %, two times in three."""
HELD = 4 * KEPT
"""Values that wait before they are sifted, so that a batch costs little more than its hashes."""
NOBODY = pl.DataFrame(schema={"hash": pl.UInt64, "rows": pl.UInt32, "text": pl.String})


@dataclass(frozen=True)
class Sketch:
    """Some distinct values of a column, by their hashes in order, and the rows that have each; all if ``is_whole``.

    ``numbers`` are those of them that are whole numbers, or dates as days, sorted; ``reals`` counts other numbers.
    """

    hashes: Hashes
    rows: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int64]
    reals: int
    is_whole: bool

    def __len__(self) -> int:
        return len(self.hashes)

    @cached_property
    def distinct(self) -> float:
        """Distinct values of the column; an estimate unless all are here."""
        if self.is_whole:
            return float(len(self))
        return (len(self) - 1) / (float(self.hashes[-1]) / 2.0**64)

    @property
    def rows_per_value(self) -> float:
        """How often a value occurs, on average."""
        return float(self.rows.mean()) if len(self) else 0.0

    def shared(self, other: "Sketch", *, first: int | None = None) -> tuple[int, int]:
        """How many of these values, or the ``first`` of them, the other column has, of how many that can be told of."""
        mine, theirs = self.hashes[:first], other.hashes
        if not other.is_whole:  # beyond its last hash it may have any value
            mine = mine[: np.searchsorted(mine, theirs[-1], "right")]
        if not len(theirs):
            return 0, len(mine)
        places = np.searchsorted(theirs, mine)
        return int((theirs.take(places, mode="clip") == mine).sum()), len(mine)


class _Builder:
    """A sketch in the making."""

    def __init__(self, missing: Hashes) -> None:
        self._missing = pl.Series(missing, dtype=pl.UInt64).implode()
        self._limit: int | None = None
        self._parts, self._held = [NOBODY], 0
        self._is_whole = True

    def add(self, texts: pl.Series, hashes: pl.Series) -> None:
        """Some more rows."""
        batch = pl.DataFrame({"hash": hashes, "text": texts}).lazy().filter(pl.col("text").is_not_null())
        if self._limit is not None:
            batch = batch.filter(pl.col("hash") <= self._limit)
        found = batch.group_by("hash").agg(pl.len().alias("rows"), pl.col("text").first()).collect()
        self._parts.append(found.select(NOBODY.columns))
        self._held += found.height
        if self._held > HELD:
            self._sift()

    def _sift(self) -> pl.DataFrame:
        found = pl.concat(self._parts).group_by("hash").agg(pl.col("rows").sum(), pl.col("text").first())
        found = found.filter(~pl.col("hash").is_in(self._missing)).sort("hash")
        if found.height > KEPT:
            found, self._is_whole = found.head(KEPT), False
        if not self._is_whole:
            self._limit = int(found["hash"][-1])
        self._parts, self._held = [found], 0
        return found

    def finish(self) -> Sketch:
        """What is kept in the end."""
        found = self._sift()
        text = pl.col("text")
        whole = pl.coalesce(
            text.cast(pl.Int64, strict=False),
            text.str.to_date("%Y-%m-%d", strict=False).cast(pl.Int32).cast(pl.Int64),
        )
        kinds = found.select(whole.alias("whole"), text.cast(pl.Float64, strict=False).alias("real"))
        numbers = kinds["whole"].drop_nulls()
        return Sketch(
            hashes=found["hash"].to_numpy(),
            rows=found["rows"].to_numpy().astype(np.int64),
            numbers=np.sort(numbers.to_numpy()),
            reals=int(kinds.select((pl.col("whole").is_null() & pl.col("real").is_finite()).sum()).item()),
            is_whole=self._is_whole,
        )


def sketch_columns(table: Table) -> dict[str, Sketch]:
    """A sketch of every column, in one pass; missing values, and values that have no text, are no values.

    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"id": [7, 8, 9], "sex": ["f", "m", "f"]}))
    >>> visits = open_table(pl.DataFrame({"person": ["7", "7", "8", "x", None]}))
    >>> ids, persons = sketch_columns(people)["id"], sketch_columns(visits)["person"]
    >>> persons.shared(ids), persons.distinct, ids.rows_per_value
    ((2, 3), 3.0, 1.0)
    """
    missing = pl.Series(markers_of(table), dtype=pl.String).hash().to_numpy()
    builders = {name: _Builder(missing) for name in table.columns()}
    for batch in table.scan():
        texts = _texts(batch)
        for text, hashes in zip(texts, texts.select(pl.all().hash()), strict=True):
            builders[text.name].add(text, hashes)
    return {name: builder.finish() for name, builder in builders.items()}


def find_hashes(table: Table, wanted: Mapping[str, Iterable[Hashes]]) -> dict[str, Hashes]:
    """Which of the hashes ``wanted[column]`` stand for a value that the column has; one pass over these columns.

    For values of a small column that the sketch of a very large one cannot tell of.
    """
    asked = {name: np.unique(np.concatenate(list(hashes))) for name, hashes in wanted.items()}
    found = {name: np.zeros(len(hashes), np.bool_) for name, hashes in asked.items()}
    for batch in table.scan(list(asked)):
        texts = _texts(batch)
        for name, hashes in asked.items():
            here = texts.get_column(name).alias("").drop_nulls().hash().unique().to_numpy()
            found[name] |= np.isin(hashes, here)
    return {name: hashes[found[name]] for name, hashes in asked.items()}


def _texts(batch: pl.DataFrame) -> pl.DataFrame:
    """The columns of a batch whose values have a text, as texts."""
    chosen = []
    for name, dtype in batch.schema.items():
        try:
            chosen.append(text_of(named(name), dtype).alias(name))
        except TableError:  # lists and the like are nobody's key
            continue
    return batch.select(chosen)
