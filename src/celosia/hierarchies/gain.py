"""Numbers in nested intervals that tell most about other values, such as the sensitive ones."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies.building import Values, as_series, distinct, require_parameter, stack
from celosia.hierarchies.cuts import cut_between, round_ends
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.hierarchies.intervals import as_decimal, label_intervals, read_numbers
from celosia.say import say

__all__ = ["LEVELS", "gain_intervals"]

Integers = npt.NDArray[np.int64]

LEVELS = 3
"""Levels of intervals between the values and the root: 2, 4 and 8 intervals, so that a hierarchy is 4 high."""

FEWEST = 2
"""Numbers in an interval: a gain that hangs on a single one, at the end of an interval, is often chance."""


def gain_intervals(
    column: str,
    values: Values,
    targets: npt.ArrayLike,
    rows: npt.ArrayLike,
    *,
    levels: int = LEVELS,
) -> Hierarchy:
    """Nested intervals, each cut in two where that tells most about ``targets``, and ``*`` on top.

    ``values``, ``targets`` and ``rows`` go together: so many rows have this value and that target, a code. Every
    interval is cut where the information gain is highest; of cuts that gain the same, where rows are parted most
    evenly, then at the lower one. Both sides hold two numbers or more: what lies above the values are intervals. There
    are ``levels`` levels of them, or fewer where none can be cut any more; one that cannot goes down as it is, so that
    all values lie equally deep. Whole numbers and reals, spelling of labels and values that are not finite are as in
    :func:`celosia.hierarchies.intervals`: no label gives away a smallest or largest value.

    U. M. Fayyad, K. B. Irani: Multi-interval discretization of continuous-valued attributes for classification
    learning. IJCAI 1993.

    >>> ages = ["20", "24", "31", "38", "52", "60"]
    >>> gain_intervals("age", ages, [0, 0, 0, 1, 1, 1], [1] * 6, levels=1).level(1)
    {'20': '[0-33]', '24': '[0-33]', '31': '[0-33]', '38': '[34-99]', '52': '[34-99]', '60': '[34-99]'}
    """
    require_parameter(
        column, levels >= 1, what=say("levels={levels}", levels=levels), remedy=say("it is 1 or more")
    )
    series, targets, rows = as_series(values), np.asarray(targets), np.asarray(rows)
    require_parameter(
        column,
        len(series) == len(targets) == len(rows),
        what=say(
            "{values} values, {targets} targets and {rows} rows",
            values=len(series),
            targets=len(targets),
            rows=len(rows),
        ),
        remedy=say("give a target and a number of rows for every value"),
    )
    texts, numbers, whole = read_numbers(column, distinct(column, series))
    finite = np.ones(len(texts), bool) if whole else np.isfinite(numbers)
    made = []
    if finite.any():
        inside = numbers[finite]
        starts = _starts(inside)
        entries = _entries(texts, finite, starts, series, targets, rows)
        low, high = as_decimal(inside[0]), as_decimal(inside[-1])
        for cuts in _cut(entries, len(starts), levels):
            places = [starts[cut] for cut in cuts]
            pairs = [(as_decimal(inside[place - 1]), as_decimal(inside[place])) for place in places]
            inner = [cut_between(below, above, whole=whole) for below, above in pairs]
            bounds = round_ends(inner, low, high, whole=whole)
            made.append(label_intervals(texts, numbers, finite, bounds=bounds, whole=whole))
    return stack(column, texts, levels=made[::-1])


@dataclass(frozen=True)
class _Entries:
    """``rows[entry]`` rows have number ``places[entry]``, in order, and target ``targets[entry]``."""

    places: Integers
    targets: Integers
    rows: Integers

    def between(self, first: int, last: int) -> "_Entries":
        """Those of the numbers from ``first`` up to, without it, ``last``; ``first`` becomes 0."""
        begin, end = np.searchsorted(self.places, [first, last]).tolist()
        return _Entries(self.places[begin:end] - first, self.targets[begin:end], self.rows[begin:end])


def _starts(numbers: npt.NDArray[Any]) -> Integers:
    """Where each different number begins: two spellings of one, as 5 and 05, cannot be parted."""
    return np.concatenate([[0], np.flatnonzero(numbers[1:] != numbers[:-1]) + 1]).astype(np.int64)


def _entries(
    texts: pl.Series,
    finite: npt.NDArray[np.bool_],
    starts: Integers,
    values: pl.Series,
    targets: Integers,
    rows: Integers,
) -> _Entries:
    """The rows by number and target."""
    place = np.full(len(texts), -1, np.int64)
    place[finite] = np.searchsorted(starts, np.arange(int(finite.sum())), side="right") - 1
    found = pl.DataFrame({"value": texts, "place": place})
    given = pl.DataFrame({"value": values, "target": pl.Series(targets), "rows": pl.Series(rows)})
    summed = (
        given.join(found, on="value")
        .filter(pl.col("place") >= 0)
        .group_by("place", "target")
        .agg(pl.col("rows").sum())
        .sort("place", "target")
    )
    return _Entries(*(summed[name].to_numpy().astype(np.int64) for name in ("place", "target", "rows")))


def _cut(entries: _Entries, size: int, levels: int) -> list[list[int]]:
    """Per level, the coarsest first, which of ``size`` numbers begin an interval, the first one not counted."""
    found: list[list[int]] = []
    cuts: list[int] = []
    for _ in range(levels):
        ends = [0, *cuts, size]
        halves = [
            first + _best_cut(entries.between(first, last), last - first)
            for first, last in pairwise(ends)
            if last - first >= 2 * FEWEST
        ]
        if not halves:
            break
        cuts = sorted([*cuts, *halves])
        found.append(cuts)
    return found


def _best_cut(entries: _Entries, size: int) -> int:
    """Which of ``size`` numbers begins the upper of two intervals: where the gain is highest."""
    curve = np.zeros(size)
    np.add.at(curve, entries.places, _changes(entries))
    per_number = np.bincount(entries.places, weights=entries.rows, minlength=size)
    below = np.cumsum(per_number)[:-1]
    above = per_number.sum() - below
    # Up to what is the same for all cuts and the number of rows, this is the gain.
    gains = np.cumsum(curve)[:-1] - _n_log_n(below) - _n_log_n(above)
    rounding = 1e-12 * float(_n_log_n(per_number.sum() + 2))
    allowed = gains[FEWEST - 1 : size - FEWEST]
    best = np.flatnonzero(allowed >= allowed.max() - rounding) + FEWEST - 1
    return int(best[np.argmin(np.abs(below - above)[best])]) + 1


def _changes(entries: _Entries) -> npt.NDArray[np.float64]:
    """What the sum of n log n over both sides and all targets changes by when an entry goes from above to below."""
    order = np.lexsort((entries.places, entries.targets))
    targets, rows = entries.targets[order], entries.rows[order]
    running = np.cumsum(rows)
    begins = np.flatnonzero(np.concatenate([[True], targets[1:] != targets[:-1]]))
    lengths = np.diff([*begins, len(targets)])
    before = np.concatenate([[0], running])[begins]
    totals = np.add.reduceat(rows, begins)
    after = running - np.repeat(before, lengths)
    left = np.repeat(totals, lengths) - after
    changes = np.empty(len(rows))
    changes[order] = _n_log_n(after) - _n_log_n(after - rows) + _n_log_n(left) - _n_log_n(left + rows)
    return changes


def _n_log_n(counts: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    positive = np.maximum(counts, 1)
    return np.asarray(positive * np.log2(positive), np.float64)
