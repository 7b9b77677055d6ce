"""Combinations that were counted, put together: the classes they make, fewer columns, groups with numbers."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.privacy import Classes, SensitiveColumn
from celosia.tables.table import Counts
from celosia.values.same import sensitive_values

__all__ = ["classes_of", "number_groups", "roll_up", "rows_missing"]


def classes_of(
    counts: Counts,
    columns: Sequence[str],
    hierarchies: Mapping[str, Hierarchy] | None = None,
    *,
    told: Collection[str] = (),
) -> Classes:
    """The classes that ``columns`` make, and the histogram of every other column that was counted.

    A column that makes classes and is ``told`` too has a histogram: one value in every class.

    >>> table = Counts(("age", "job"), (pl.Series(["3*", "4*"]), pl.Series(["cook", None])),
    ...                (np.array([0, 0, 1], np.int32), np.array([0, 1, 0], np.int32)), np.array([4, 1, 2]))
    >>> found = classes_of(table, ["age"])
    >>> sorted(found.counts.tolist()), sorted(found.histograms["job"].counts.tolist())
    ([2, 5], [1, 2, 4])
    """
    places = [counts.columns.index(name) for name in columns]
    number = number_groups([counts.codes[place] for place in places])
    size = int(number.max()) + 1 if len(number) else 0
    histograms = {}
    for place, name in enumerate(counts.columns):
        if place in places and name not in told:
            continue
        column = SensitiveColumn.of(sensitive_values(counts.values[place]), (hierarchies or {}).get(name))
        frame = pl.DataFrame({"class": number, "code": counts.codes[place], "n": counts.counts})
        entries = frame.group_by("class", "code").agg(pl.col("n").sum())
        classes, codes, rows = entries.cast(pl.Int64).to_numpy().T
        histograms[name] = column.histogram((classes, codes, rows))
    sizes = np.bincount(number, counts.counts, size).astype(np.int64)
    return Classes(sizes, histograms)


def roll_up(counts: Counts, columns: Sequence[str]) -> Counts:
    """The combinations of some of the columns that were counted, in the order in which ``classes_of`` numbers them.

    >>> table = Counts(("age", "job"), (pl.Series(["3*", "4*"]), pl.Series(["cook", None])),
    ...                (np.array([0, 0, 1], np.int32), np.array([0, 1, 0], np.int32)), np.array([4, 1, 2]))
    >>> roll_up(table, ["age"]).counts.tolist()
    [5, 2]
    """
    places = [counts.columns.index(name) for name in columns]
    number = number_groups([counts.codes[place] for place in places])
    size = int(number.max()) + 1 if len(number) else 0
    first = np.zeros(size, np.int64)
    first[number] = np.arange(len(number))
    return Counts(
        columns=tuple(columns),
        values=tuple(counts.values[place] for place in places),
        codes=tuple(counts.codes[place][first] for place in places),
        counts=np.bincount(number, counts.counts, size).astype(np.int64),
        spellings=counts.spellings,
    )


def rows_missing(counts: Counts) -> int:
    """Rows without a value of the first column that was counted.

    >>> rows_missing(Counts(("age",), (pl.Series(["3", None]),), (np.array([0, 1], np.int32),), np.array([4, 2])))
    2
    """
    return int(counts.rows_of(0)[counts.values[0].is_null().to_numpy()].sum())


def number_groups(codes: Sequence[npt.NDArray[np.integer]]) -> npt.NDArray[np.int64]:
    """``groups[row]`` from 0, the same for rows that have the same codes in all columns.

    >>> number_groups([np.array([5, 5, 7]), np.array([1, 1, 1])]).tolist()
    [0, 0, 1]
    """
    numbers = np.zeros(len(codes[0]) if codes else 0, np.int64)
    groups = 1
    for column in codes:
        size = int(column.max()) + 1 if len(column) else 1
        if groups > np.iinfo(np.int64).max // size:
            numbers, groups = _dense(numbers)
        numbers = numbers * size + column
        groups *= size
    return _dense(numbers)[0]


def _dense(keys: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], int]:
    """Keys numbered from 0 in ascending order, and how many there are."""
    ranks = pl.Series(keys).rank("dense").cast(pl.Int64).to_numpy() - 1
    return ranks, int(ranks.max()) + 1 if len(ranks) else 1
