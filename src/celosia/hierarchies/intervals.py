"""Numbers in nested intervals, each level made of whole intervals of the one below."""

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import HierarchyError
from celosia.hierarchies.building import Values, as_series, distinct, reject_values, require_parameter, stack
from celosia.hierarchies.cuts import (
    Bounds,
    cut_between,
    cut_evenly,
    cut_naturally,
    cut_regularly,
    merge_bounds,
    round_ends,
)
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.say import say

__all__ = ["as_decimal", "intervals", "label_intervals", "read_numbers"]

WHOLE = r"^[+-]?[0-9]+$"


def intervals(
    column: str,
    values: Values,
    *,
    kind: Literal["natural", "width", "frequency"] = "natural",
    bins: int = 32,
    merge: int = 2,
    counts: Sequence[int] | npt.NDArray[np.int64] | None = None,
) -> Hierarchy:
    """Nested intervals, ``bins`` of them at most at the finest level, and ``*`` on top.

    ``natural``: round bounds, as in [20-29] or [0-49]; widths are 1, 5, 10, 50 and so on.
    ``width``: equally wide, as narrow as ``bins`` allows. ``frequency``: with about as many rows each, where
    ``counts`` are the rows of each value given (one each without it). For these two, each level joins
    ``merge`` intervals of the one below.

    Whole numbers become [20-29], both ends included, reals [20.0, 25.0[, without the end. Values that are not
    finite (NaN, inf) stay as they are below ``*``.

    Labels do not give away the values at the ends of an interval, least of all the smallest and the largest
    of the column. Where all intervals of a level are equally wide, their bounds are multiples of that width.
    Otherwise a bound is the roundest number between the neighbouring values that it parts (so it is a value
    itself only if nothing rounder lies between them, as with 28 and 29), and the outermost bounds lie beyond
    the data, at multiples of a round step of about the mean width of the level's intervals.

    >>> intervals("age", ["17", "23", "28", "61"]).level(1)
    {'17': '[10-19]', '23': '[20-29]', '28': '[20-29]', '61': '[60-69]'}
    >>> intervals("age", ["17", "23", "28", "61"], kind="frequency", bins=3).level(1)
    {'17': '[0-24]', '23': '[0-24]', '28': '[25-39]', '61': '[40-99]'}
    >>> intervals("weight", ["50.5", "71.25", "80.0"], kind="width", bins=2).level(1)
    {'50.5': '[50.0, 75.0[', '71.25': '[50.0, 75.0[', '80.0': '[75.0, 100.0['}
    """
    require_parameter(
        column,
        bins >= 2 and merge >= 2,
        what=say("bins={bins} and merge={merge}", bins=bins, merge=merge),
        remedy=say("both are 2 or more"),
    )
    values = as_series(values)
    texts = distinct(column, values)
    texts, numbers, whole = read_numbers(column, texts)
    finite = np.ones(len(texts), dtype=bool) if whole else np.isfinite(numbers)
    levels = []
    if finite.any():
        weights = _weigh(column, texts.filter(pl.Series(finite)), values, counts)
        for bounds in _cut(numbers[finite], weights, kind=kind, bins=bins, merge=merge, whole=whole):
            levels.append(label_intervals(texts, numbers, finite, bounds=bounds, whole=whole))
    return stack(column, texts, levels=levels)


def read_numbers(column: str, texts: pl.Series) -> tuple[pl.Series, npt.NDArray[Any], bool]:
    """The values in order of their numbers, the numbers, and whether they are integers, of any size, or reals.

    >>> texts, numbers, is_whole = read_numbers("age", pl.Series(["9", "10"]))
    >>> texts.to_list(), numbers.tolist(), is_whole
    (['9', '10'], [9, 10], True)
    """
    if not texts.str.contains(WHOLE).all():
        reals = texts.cast(pl.Float64, strict=False)
        reject_values(
            column,
            texts.filter(reals.is_null()),
            wanted=say("number"),
            remedy=say("use prefixes or a taxonomy"),
        )
        order = reals.arg_sort()
        return texts[order], reals[order].to_numpy(), False
    integers = texts.str.strip_prefix("+").cast(pl.Int64, strict=False)
    if integers.null_count():
        exact = np.array([int(text) for text in texts.to_list()], dtype=object)
    else:
        exact = integers.to_numpy()
    order_of = np.argsort(exact, kind="stable")
    return texts[pl.Series(order_of)], exact[order_of], True


def _weigh(
    column: str, texts: pl.Series, values: pl.Series, counts: Sequence[int] | npt.NDArray[np.int64] | None
) -> npt.NDArray[np.int64]:
    """Rows per distinct value, in the order of ``texts``."""
    if counts is None:
        return np.ones(len(texts), dtype=np.int64)
    require_parameter(
        column,
        len(values) == len(counts),
        what=say("{counts} counts for {values} values", counts=len(counts), values=len(values)),
        remedy=say("give one count per value"),
    )
    frame = pl.DataFrame({"value": values, "count": pl.Series(counts, dtype=pl.Int64)})
    sums = frame.group_by("value").sum()
    return texts.to_frame().join(sums, on="value", how="left", maintain_order="left")["count"].to_numpy()


def _cut(
    numbers: npt.NDArray[Any],
    weights: npt.NDArray[np.int64],
    *,
    kind: str,
    bins: int,
    merge: int,
    whole: bool,
) -> list[Bounds]:
    """The bounds of every level."""
    low, high = as_decimal(numbers[0]), as_decimal(numbers[-1])
    if kind == "natural":
        return cut_naturally(low, high, bins=bins, whole=whole)
    if kind == "width":
        return cut_regularly(low, high, bins=bins, merge=merge, whole=whole)
    if kind == "frequency":
        pairs = [
            (as_decimal(numbers[place - 1]), as_decimal(numbers[place]))
            for place in cut_evenly(weights, bins=bins)[1:]
        ]
        # Two spellings of one number, as 5 and 05, cannot be parted.
        inner = [cut_between(below, above, whole=whole) for below, above in pairs if below < above]
        return [round_ends(level, low, high, whole=whole) for level in merge_bounds(inner, merge)]
    raise HierarchyError(
        say("no intervals of kind {kind!r}", kind=kind),
        remedy=say("the kinds are natural, width and frequency"),
    )


def as_decimal(number: Any) -> Decimal:
    """A number as the decimal that its text is.

    >>> as_decimal(0.1)
    Decimal('0.1')
    """
    return Decimal(int(number)) if isinstance(number, int | np.integer) else Decimal(repr(float(number)))


def label_intervals(
    texts: pl.Series,
    numbers: npt.NDArray[Any],
    finite: npt.NDArray[np.bool_],
    *,
    bounds: Bounds,
    whole: bool,
) -> pl.Series:
    """What every value becomes between these bounds; those that are not finite stay as they are."""
    inside = numbers[finite]
    # Compared as decimals: as floats, a bound between two neighbouring floats would equal one of them.
    begins = [bisect_left(inside, bound, key=as_decimal) for bound in bounds[1:-1]]
    spelled = np.array(_spell(bounds, whole=whole), dtype=object)
    labels = np.array(texts.to_list(), dtype=object)
    labels[finite] = np.repeat(spelled, np.diff([0, *begins, len(inside)]))
    return pl.Series(labels.tolist(), dtype=pl.String)


def _spell(bounds: Bounds, *, whole: bool) -> list[str]:
    """The label of every interval between two neighbouring bounds."""
    if whole:
        ends = [int(bound) for bound in bounds]
        return [_spell_whole(low, high - 1) for low, high in pairwise(ends)]
    shown = [format(bound, "f") for bound in bounds]
    shown = [text if "." in text else text + ".0" for text in shown]
    return [f"[{low}, {high}[" for low, high in pairwise(shown)]


def _spell_whole(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"[{low}-{high}]" if low >= 0 else f"[{low} - {high}]"
