"""A column before and after as bars: at most 40 of numbers, 30 of categories.

No value stands in them that the release does not show: categories are the release's own labels; numbers fall into
bins with round ends, joined with their neighbours until each holds enough people of the original.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from math import ceil, floor, log10

import numpy as np
import numpy.typing as npt

from celosia.measure.kept.spread import SpreadColumn
from celosia.types import DATES, ColumnType

__all__ = ["MOST_BINS", "MOST_LABELS", "histogram"]

MOST_BINS, MOST_LABELS = 40, 30
REST, MISSING, HIDDEN = "(others)", "(missing)", "(hidden)"
EVERYTHING = "*"

Floats = npt.NDArray[np.float64]


def histogram(spread: SpreadColumn, kind: ColumnType, *, least: int = 5) -> dict[str, object]:
    """Names of bars, and the share of rows in each, ``before`` and ``after``.

    >>> import polars as pl
    >>> from celosia.measure.kept.spread import spread_column
    >>> from celosia.measure.subject import MeasureSubject
    >>> people, release = pl.DataFrame({"age": [31, 38, 47]}), pl.DataFrame({"age": ["[30-39]", "*"]})
    >>> found = histogram(spread_column(MeasureSubject.of(people, release), "age"), ColumnType.INTEGER, least=1)
    >>> found["groups"], [round(share, 2) for share in found["after"]]
    (['31', '32-38', '>=39', '(hidden)'], [0.25, 0.25, 0.0, 0.5])
    >>> jobs = MeasureSubject.of(pl.DataFrame({"job": ["cook", "nurse"]}), pl.DataFrame({"job": ["cook", "cook"]}))
    >>> histogram(spread_column(jobs, "job"), ColumnType.TEXT)
    {'groups': ['cook', '(others)'], 'before': [0.5, 0.5], 'after': [1.0, 0.0]}
    """
    return _of_numbers(spread, kind, least) if spread.decoded.is_number else _of_labels(spread)


def _of_numbers(spread: SpreadColumn, kind: ColumnType, least: int) -> dict[str, object]:
    finite = np.isfinite(spread.numbers)
    after = spread.deal(spread.rows, only_told=True)
    known = finite & (spread.before > 0)
    edges = _edges(spread.numbers[known], is_whole=kind in (ColumnType.INTEGER, ColumnType.DATE))
    # What the release has beyond the original's range is in the first or the last bin.
    places = np.clip(np.searchsorted(edges, spread.numbers[finite], "right") - 1, 0, len(edges) - 2)
    bars = [
        np.bincount(places, rows[finite], len(edges) - 1).astype(np.float64)
        for rows in (spread.before, after)
    ]
    starts = _joined(bars[0], least)
    groups = _bin_names(edges, starts, kind)
    bars = [np.add.reduceat(bar, starts) for bar in bars]
    for name, rest in _without_number(spread, ~finite):
        if any(rest):
            groups.append(name)
            bars = [np.append(bar, more) for bar, more in zip(bars, rest, strict=True)]
    return {"groups": groups, **_shares(bars[0], bars[1])}


def _without_number(
    spread: SpreadColumn, infinite: npt.NDArray[np.bool_]
) -> Iterator[tuple[str, tuple[float, float]]]:
    """Rows before and after that have no number, and those of which the release hides it behind a label."""
    is_null = spread.decoded.labels.is_null().to_numpy()
    endless = np.isinf(spread.numbers)
    empty = float(spread.rows[is_null].sum()) + float(spread.deal(spread.rows, only_told=True)[endless].sum())
    yield MISSING, (float(spread.before[infinite].sum()), empty)
    yield HIDDEN, (0.0, spread.untold(np.where(is_null, 0, spread.rows)))


def _edges(numbers: Floats, *, is_whole: bool) -> Floats:
    """Round ends of at most 40 bins of the same width that hold all numbers."""
    if not len(numbers):
        return np.array([0.0, 1.0])
    low, high = float(numbers.min()), float(numbers.max())
    # Bins no finer than numbers of that size are: of 1e20 the next one is 16384 away.
    width = max((high - low) / (MOST_BINS - 1) or 1.0, 4 * float(np.spacing(max(abs(low), abs(high)))))
    step = 10.0 ** floor(log10(width))
    step *= next(times for times in (1, 2, 5, 10) if times * step >= width)
    step = max(step, 1.0) if is_whole else step
    first = floor(low / step)
    bins = min(MOST_BINS, max(1, ceil(high / step) - first + (high % step == 0)))
    return np.asarray((first + np.arange(bins + 1)) * step)


def _joined(before: Floats, least: int) -> npt.NDArray[np.int64]:
    """Where bins begin that hold ``least`` people or more, each joined with those after it; the last with before."""
    starts, held = [0], 0.0
    for place, rows in enumerate(before):
        if held >= least:
            starts.append(place)
            held = 0.0
        held += rows
    if held < least and len(starts) > 1:
        starts.pop()
    return np.array(starts)


def _bin_names(edges: Floats, starts: npt.NDArray[np.int64], kind: ColumnType) -> list[str]:
    """Where few people make up an end, it is left open: its last number would be somebody's."""
    low, ends = edges[starts], [*starts[1:].tolist(), len(edges) - 1]
    if len(starts) == 1 and ends[0] > 1:
        return [EVERYTHING]  # both ends would be somebody's
    names = [_bin_name(first, float(edges[end]), kind) for first, end in zip(low.tolist(), ends, strict=True)]
    if len(names) > 1 and ends[0] > 1:
        names[0] = f"<{_text(float(edges[ends[0]]), kind)}"
    if len(names) > 1 and len(edges) - 1 - starts[-1] > 1:
        names[-1] = f">={_text(float(low[-1]), kind)}"
    return names


def _bin_name(low: float, high: float, kind: ColumnType) -> str:
    if kind in (ColumnType.INTEGER, ColumnType.DATE):
        first, last = _text(low, kind), _text(high - 1, kind)
        return first if first == last else f"{first}{' - ' if kind in DATES or low < 0 else '-'}{last}"
    return f"{_text(low, kind)} - {_text(high, kind)}"


def _text(number: float, kind: ColumnType) -> str:
    try:
        if kind is ColumnType.DATE:
            return (date(1970, 1, 1) + timedelta(days=number)).isoformat()
        if kind is ColumnType.DATETIME:
            return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=number)).strftime(
                "%Y-%m-%dT%H:%M:%S"
            )
    except OverflowError:
        pass
    return f"{number:.0f}" if number == round(number) and abs(number) < 1e15 else f"{number:.6g}"


def _of_labels(spread: SpreadColumn) -> dict[str, object]:
    """The release's labels; people of the original are counted under the label that their value has now.

    Where several labels allow a value, they share its people as they share the value in the release. One that allows
    everything has none: of these people the release tells nothing.
    """
    dealt = spread.deal(spread.rows, only_told=True)
    factor = np.divide(spread.before, dealt, out=np.zeros(len(dealt)), where=dealt > 0)
    before = spread.rows * spread.average(factor, only_told=True)
    order = np.argsort(-spread.rows, kind="stable")[:MOST_LABELS]
    names = [MISSING if label is None else label for label in spread.decoded.labels.gather(order).to_list()]
    bars = [np.asarray(rows[order], np.float64) for rows in (before, spread.rows)]
    rest = [
        max(0.0, float(all_rows.sum() - bar.sum()))
        for all_rows, bar in zip((spread.before, spread.rows), bars, strict=True)
    ]
    if max(rest) > 1e-9 * max(1.0, float(spread.before.sum())):
        names.append(REST)
        bars = [np.append(bar, more) for bar, more in zip(bars, rest, strict=True)]
    return {"groups": names, **_shares(bars[0], bars[1])}


def _shares(before: Floats, after: Floats) -> dict[str, list[float]]:
    sides = {"before": before, "after": after}
    return {name: (rows / max(1.0, float(rows.sum()))).tolist() for name, rows in sides.items()}
