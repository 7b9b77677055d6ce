"""What a column may hold, said without looking at it: its cells, from values and back to values."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError
from celosia.perturb.values import put_numbers
from celosia.say import say
from celosia.values.text import text_of

__all__ = ["ColumnDomain"]

Cells = npt.NDArray[np.int64]
Edges = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ColumnDomain:
    """The cells of a column: labels, or bins between ascending edges; one more is for what is missing or outside.

    >>> ages = ColumnDomain("age", edges=(0.0, 50.0, 100.0))
    >>> ages.cells_of(pl.Series("age", [10, 50, 130, None])).tolist(), ages.size
    ([0, 1, 1, 2], 3)

    Numbers are drawn anywhere in a bin; if they are whole, so is what is drawn.
    """

    name: str
    labels: tuple[str, ...] = ()
    edges: tuple[float, ...] = ()
    is_whole: bool = False

    @property
    def size(self) -> int:
        """How many cells there are, the last for what is missing."""
        return len(self.labels) + 1 if self.labels else max(1, len(self.edges))

    def check(self, dtype: pl.DataType, *, where: str) -> None:
        """Refuse labels that a column of a type cannot hold."""
        texts = pl.Series(self.labels, dtype=pl.String)
        is_held = texts.is_in(["true", "false"]) if dtype == pl.Boolean else _held(texts, dtype)
        if not is_held.all():
            raise ProjectError(
                say("the domain of column {name!r} has values that it cannot hold", name=self.name),
                where=where,
                remedy=say("write numbers for a column of numbers, true and false for one of truths"),
            )

    def cells_of(self, values: pl.Series) -> Cells:
        """``cells[row]``; numbers beyond the bounds are in the bins at the ends."""
        if self.labels:
            texts = values.to_frame("v").select(text_of(pl.col("v"), values.dtype))["v"]
            cells = texts.replace_strict(
                list(self.labels), list(range(len(self.labels))), default=self.size - 1
            )
            return cells.cast(pl.Int64).to_numpy()
        # Nothing is refused for what it holds: that would tell of a single row. What is no number counts as missing.
        plain = values.to_physical() if values.dtype.is_temporal() else values
        numbers = plain.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
        places = np.clip(np.searchsorted(self.edges, numbers, side="right") - 1, 0, self.size - 2)
        return np.where(np.isnan(numbers), self.size - 1, places)

    def values_of(self, cells: Cells, dtype: pl.DataType, rng: np.random.Generator) -> pl.Series:
        """A column of values in those cells, numbers anywhere in their bin with an even chance."""
        if self.labels:
            texts = pl.Series([*self.labels, None], dtype=pl.String).gather(pl.Series(cells, dtype=pl.UInt32))
            return (texts == "true" if dtype == pl.Boolean else texts.cast(dtype)).alias(self.name)
        low, high = np.array([*self.edges[:-1], np.nan]), np.array([*self.edges[1:], np.nan])
        if self.is_whole:  # a number that is rounded afterwards may end in the bin beside its own
            low, high = _whole_ends(low, high)
        numbers = low[cells] + rng.random(len(cells)) * (high - low)[cells]
        if self.is_whole:
            numbers = np.floor(numbers)
        if dtype == pl.String:
            reals = pl.Series(numbers, nan_to_null=True)
            return (reals.cast(pl.Int64) if self.is_whole else reals).cast(pl.String).alias(self.name)
        empty = pl.DataFrame({"v": pl.Series([None] * len(cells), dtype=dtype)})
        return put_numbers(empty, ["v"], numbers[:, None])["v"].alias(self.name)


def _whole_ends(low: Edges, high: Edges) -> tuple[Edges, Edges]:
    """For every bin the least whole number in it and the first beyond; of bins without any, the nearest one."""
    first, beyond = np.ceil(low), np.ceil(high)
    if len(high) > 1 and beyond[-2] == high[-2]:
        beyond[-2] += 1  # the last bin has its upper end
    is_empty = beyond <= first
    middle = np.rint((low + high) / 2)
    return np.where(is_empty, middle, first), np.where(is_empty, middle + 1, beyond)


def _held(texts: pl.Series, dtype: pl.DataType) -> pl.Series:
    return texts.cast(dtype, strict=False).is_not_null()
