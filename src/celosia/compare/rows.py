"""Which rows of a table those of another one come from."""

import numpy as np
import numpy.typing as npt
import polars as pl

__all__ = ["ROW", "Rows", "rows_taken"]

Rows = npt.NDArray[np.int64]
ROW = "celosia row"
"""A column of row numbers that goes along with a release, and is taken out of it again."""


def rows_taken(before: pl.DataFrame, after: pl.DataFrame) -> Rows | None:
    """Which row of a table each row of another is, if that one is made of rows of the first; else None.

    Equal rows are told apart by nobody, so the first of them is taken first.

    >>> before = pl.DataFrame({"age": [31, 47, 47]})
    >>> rows_taken(before, pl.DataFrame({"age": [47, 31]})).tolist()
    [1, 0]
    >>> rows_taken(before, pl.DataFrame({"age": [46]})) is None
    True
    """
    if before.schema != after.schema:
        return None
    names = before.columns
    if not names:
        return None
    before, after = (
        frame.rename({name: f"c{place}" for place, name in enumerate(names)}) for frame in (before, after)
    )
    keys = before.columns
    places = before.with_row_index("row").group_by(keys, maintain_order=True).agg(pl.col("row"))
    matches = (
        after.with_columns(turn=pl.int_range(pl.len()).over(keys))
        .join(places, on=keys, how="left", nulls_equal=True, maintain_order="left")
        .select(pl.col("row").list.get(pl.col("turn") % pl.col("row").list.len(), null_on_oob=True))
        .to_series()
    )
    return None if matches.null_count() else matches.to_numpy().astype(np.int64)
