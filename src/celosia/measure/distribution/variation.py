"""The share of rows that would have to change their value to turn one distribution into another."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.distribution.marginal import Marginal, align

__all__ = ["Frequencies", "half_difference", "marginal_variation", "total_variation"]

Frequencies = tuple[pl.Series, npt.NDArray[np.int64]]
"""Values or their texts (null for missing) and the rows of each, as a table counts a column."""


def total_variation(
    before: Frequencies | Mapping[str | None, int], after: Frequencies | Mapping[str | None, int]
) -> float:
    """Half the sum of the differences between the shares of every text: 0 for equal distributions, at most 1.

    A missing value is a category like any other. Nothing is as far as can be from something.

    D. A. Levin, Y. Peres, E. L. Wilmer: Markov chains and mixing times. American Mathematical Society, 2009,
    proposition 4.2.

    >>> total_variation({"f": 3, "m": 1}, {"f": 1, "m": 1})
    0.25
    """
    zero = pl.lit(0, dtype=pl.Int64)
    parts = [
        _frame(before).select("text", pl.col("rows").alias("before"), zero.alias("after")),
        _frame(after).select("text", zero.alias("before"), pl.col("rows").alias("after")),
    ]
    rows = pl.concat(parts).group_by("text", maintain_order=True).sum()
    return half_difference(rows.get_column("before").to_numpy(), rows.get_column("after").to_numpy())


def _frame(frequencies: Frequencies | Mapping[str | None, int]) -> pl.DataFrame:
    if isinstance(frequencies, Mapping):
        texts, rows = pl.Series(list(frequencies), dtype=pl.String), np.array(list(frequencies.values()))
    else:
        texts, rows = frequencies
    return pl.DataFrame({"text": texts.cast(pl.String), "rows": pl.Series(rows, dtype=pl.Int64)})


def marginal_variation(before: Marginal, after: Marginal) -> float:
    """The total variation distance of numbers, however they are written.

    >>> marginal_variation(Marginal.of([1, 1, 2, np.nan]), Marginal.of([1, 2]))
    0.25
    """
    _, rows_before, rows_after = align(before, after)
    return half_difference(np.append(rows_before, before.missing), np.append(rows_after, after.missing))


def half_difference(before: npt.NDArray[np.int64], after: npt.NDArray[np.int64]) -> float:
    """Half the sum of the differences between shares, from the rows of every value on both sides.

    >>> half_difference(np.array([3, 1]), np.array([1, 1]))
    0.25
    """
    n, m = int(before.sum()), int(after.sum())
    if not n or not m:
        return 0.0 if n == m else 1.0
    return min(1.0, float(np.abs(before / n - after / m).sum()) / 2)
