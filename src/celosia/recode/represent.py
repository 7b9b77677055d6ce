"""What a class shows of each quasi-identifier: a range, the label that covers its values, or a value of their type."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.recode.followers import find_followers, follow
from celosia.recode.mondrian import Partition
from celosia.recode.space import Axis
from celosia.types import NUMBERS, ColumnType

__all__ = ["EVERYTHING", "Represent", "choose", "represent"]

EVERYTHING = "*"
"""What stands for a class in which some values are missing and others are not, and for which no label does."""

Integers = npt.NDArray[np.int64]
Values = npt.NDArray[Any]


class Represent(StrEnum):
    """What stands for the values of a class.

    ``range``: the lowest and the highest, as in [20-29]. ``set``: the same, but of texts that have no hierarchy all
    different ones, as in {Lugo, Vigo}, where a column has few enough. ``node``: the lowest label of the hierarchy that
    covers all of them. ``mode``: the most frequent one or, if there is none such, the median. ``median``, ``mean``. The
    last three keep the type of the column: integers and dates stay such.
    """

    RANGE = "range"
    SET = "set"
    NODE = "node"
    MODE = "mode"
    MEDIAN = "median"
    MEAN = "mean"

    @property
    def keeps_type(self) -> bool:
        """Whether a value of the column's own type stands for the class."""
        return self in (Represent.MODE, Represent.MEDIAN, Represent.MEAN)


def choose(axis: Axis, asked: Represent, keep_type: bool | None) -> Represent:
    """How one column is represented, given what was asked for all and whether this one is to keep its type.

    Numbers and dates follow what was asked. Any other column shows the label that covers its values, or where there
    is no hierarchy their alphabetical range, unless it is to keep its type: then the most frequent value.

    >>> ages = Axis("age", ColumnType.INTEGER, pl.Series([20, 30]), np.array([0.0, 1.0]))
    >>> str(choose(ages, Represent.MODE, None)), str(choose(ages, Represent.MODE, False))
    ('mode', 'range')
    """
    if keep_type is None:
        keep_type = asked.keeps_type and axis.is_ordered
    if keep_type:
        return asked if asked.keeps_type and axis.is_ordered else Represent.MODE
    if axis.hierarchy is not None and (asked is Represent.NODE or not axis.is_ordered):
        return Represent.NODE
    return Represent.SET if axis.is_set else Represent.RANGE


def represent(
    partition: Partition, asked: Represent, keep_type: Mapping[str, bool | None] | None = None
) -> pl.DataFrame:
    """One row per class, one column per quasi-identifier.

    A column that follows from another, as a department from its city, shows what goes with the value shown there: each
    by itself, the most frequent ones need not belong together.
    """
    columns: list[pl.Series] = []
    typed: list[int] = []
    for number, axis in enumerate(partition.space.axes):
        how = choose(axis, asked, (keep_type or {}).get(axis.name))
        if how is Represent.RANGE:
            shown = _ranges(axis, partition.low[:, number], partition.high[:, number])
        elif how is Represent.SET:
            shown = _sets(axis, partition, number)
        elif how is Represent.NODE:
            shown = _covering_labels(axis, partition, number)
        else:
            shown = _value(axis, _Members.of(partition, number), how)
        columns.append(shown.alias(axis.name))
        if how.keeps_type:
            typed.append(number)
    for follower in find_followers(partition.space, typed) if len(typed) > 1 else ():
        axis, parent = (partition.space.axes[number] for number in (follower.child, follower.parent))
        codes = follow(parent, columns[follower.parent], follower.code_of)
        known = _gather(_typed(axis), np.where(codes == axis.missing, -1, codes))
        followed = pl.select(
            pl.when(pl.lit(pl.Series(codes >= 0))).then(known).otherwise(columns[follower.child])
        )
        columns[follower.child] = followed.to_series().alias(axis.name)
    return pl.DataFrame(columns)


def _ranges(axis: Axis, low: npt.NDArray[np.int32], high: npt.NDArray[np.int32]) -> pl.Series:
    texts = _texts(axis)
    has_negative = axis.has_negative
    if has_negative is None:
        has_negative = bool(axis.type in NUMBERS and axis.missing and axis.values[0] < 0)
    between = "-" if axis.type in NUMBERS and not has_negative else " - "  # a minus sign would be hard to see
    lows, highs = texts.gather(low), texts.gather(high)
    frame = pl.DataFrame({"low": lows, "high": highs, "same": low == high, "mixed": high == axis.missing})
    shown = (
        pl.when(pl.col("same"))
        .then(pl.col("low"))
        .when(pl.col("mixed"))
        .then(pl.lit(EVERYTHING))
        .otherwise(pl.format("[{}{}{}]", pl.col("low"), pl.lit(between), pl.col("high")))
    )
    return frame.select(shown.alias(axis.name)).to_series()


def _sets(axis: Axis, partition: Partition, number: int) -> pl.Series:
    """All values of each class in their order, a single one without braces."""
    owners, codes = partition.values(number)
    values = pl.DataFrame({"class": owners, "text": _texts(axis).gather(codes)})
    text = pl.col("text")
    shown = (
        pl.when(pl.len() == 1)
        .then(text.first())
        .when(text.null_count() > 0)
        .then(pl.lit(EVERYTHING))
        .otherwise(pl.lit("{") + text.str.join(", ") + pl.lit("}"))
    )
    return values.group_by("class", maintain_order=True).agg(shown.alias("text")).get_column("text")


def _texts(axis: Axis) -> pl.Series:
    """The values as they are written; a whole number among reals is written without a point."""
    if axis.type is ColumnType.DATETIME:
        zone = "%:z" if getattr(axis.values.dtype, "time_zone", None) else ""
        return axis.values.dt.to_string("%Y-%m-%dT%H:%M:%S%.f" + zone)
    return axis.values.cast(pl.String)


def _covering_labels(axis: Axis, partition: Partition, number: int) -> pl.Series:
    assert axis.hierarchy is not None
    codes = partition.space.codes[partition.tree.order, number]
    starts = partition.starts
    found = np.full(len(partition), -1, np.int64)
    labels: list[str | None] = []
    for level, of_code in enumerate(axis.levels):
        here = of_code[codes]
        low, high = np.minimum.reduceat(here, starts), np.maximum.reduceat(here, starts)
        settled = (low == high) & (found < 0)
        found[settled] = low[settled] + len(labels)
        labels += [*axis.hierarchy.labels[level], None]  # the one after the last is a missing value
    labels.append(EVERYTHING)
    return pl.Series(labels, dtype=pl.String).gather(np.where(found < 0, len(labels) - 1, found))


@dataclass(frozen=True)
class _Members:
    """Per class and distinct value in it: how many people; entries by class, then by value, missing ones apart."""

    classes: Integers
    codes: Integers
    rows: Integers
    missing: Integers

    @classmethod
    def of(cls, partition: Partition, number: int) -> "_Members":
        axis, space = partition.space.axes[number], partition.space
        size = len(axis)
        keys = partition.classes * size + space.codes[:, number]
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        rows = np.add.reduceat(space.weights[order], first)
        classes, codes = ordered[first] // size, ordered[first] % size
        there = codes < axis.missing
        missing = np.zeros(len(partition), np.int64)
        missing[classes[~there]] = rows[~there]
        return cls(classes[there], codes[there], rows[there], missing)

    @cached_property
    def present(self) -> Integers:
        """People of each class with a value."""
        return np.bincount(self.classes, weights=self.rows, minlength=len(self.missing)).astype(np.int64)

    def mode(self) -> tuple[Integers, Integers]:
        """Per class the code of its most frequent value, -1 for none, and how many values are as frequent."""
        most = np.zeros(len(self.missing), np.int64)
        np.maximum.at(most, self.classes, self.rows)
        is_top = self.rows == most[self.classes]
        code = np.full(len(self.missing), -1, np.int64)
        code[self.classes[is_top][::-1]] = self.codes[is_top][::-1]  # the first of equal ones
        ties = np.bincount(self.classes[is_top], minlength=len(self.missing))
        ties = np.where(self.missing > most, 1, ties + ((self.missing == most) & (most > 0)))
        return np.where(self.missing > most, -1, code), ties

    def middle(self) -> tuple[Integers, Integers]:
        """Per class the codes of the lower and the upper median; they differ only in classes of even size."""
        ends = np.cumsum(self.rows)
        before = np.concatenate(([0], np.cumsum(self.present)))[:-1]
        below = np.searchsorted(ends, before + np.maximum(self.present - 1, 0) // 2, side="right")
        above = np.searchsorted(ends, before + self.present // 2, side="right")
        last = max(0, len(ends) - 1)
        padded = self.codes if len(self.codes) else np.zeros(1, np.int64)
        return padded[np.minimum(below, last)], padded[np.minimum(above, last)]


def _value(axis: Axis, members: _Members, how: Represent) -> pl.Series:
    """One value of the column's type for each class; null where none is known."""
    values = axis.values
    is_empty = members.present == 0
    if not axis.is_ordered:
        code, _ = members.mode()
        return _gather(_typed(axis), np.where(is_empty, -1, code))
    if values.dtype.is_decimal() or values.dtype == pl.Int128:  # no arithmetic keeps all their digits
        code = members.mode()[0] if how is Represent.MODE else members.middle()[0]
        return _gather(values, np.where(is_empty, -1, code))
    numbers = values.to_physical().fill_null(0).to_numpy()
    shown = _medians(numbers, *members.middle())
    if how is Represent.MEAN:
        shown = _means(numbers, members, shown)
    is_missing = is_empty
    if how is Represent.MODE:
        code, ties = members.mode()
        is_single = ties == 1
        shown = np.where(is_single, numbers[np.maximum(code, 0)], shown)
        is_missing = is_empty | (is_single & (code < 0))
    series = pl.Series(shown).set(pl.Series(is_missing), None)
    if values.dtype.is_temporal():
        return series.cast(pl.Int32 if values.dtype == pl.Date else pl.Int64).cast(values.dtype)
    return series.cast(values.dtype)


def _medians(numbers: Values, low: Integers, high: Integers) -> Values:
    """The median; where it falls between two whole numbers, the whole number below."""
    if np.issubdtype(numbers.dtype, np.integer):
        a, b = numbers[low].astype(np.int64), numbers[high].astype(np.int64)
        middle: Values = (a >> 1) + (b >> 1) + (a & b & 1)  # their sum may be more than a number holds
        return middle
    with np.errstate(invalid="ignore"):
        both = numbers[low] / 2 + numbers[high] / 2
    return np.where(np.isnan(both) | (numbers[low] == numbers[high]), numbers[low], both)


def _means(numbers: Values, members: _Members, medians: Values) -> Values:
    """The mean, of whole numbers the nearest to it; the median where infinities leave no mean."""
    # Around the median of the class: large numbers that differ little keep their digits.
    with np.errstate(invalid="ignore", over="ignore"):
        values, middles = numbers[members.codes], medians[members.classes]
        if np.issubdtype(numbers.dtype, np.integer) and float(numbers.max()) - float(numbers.min()) > 2.0**62:
            values, middles = values.astype(object), middles.astype(object)
        apart = (values - middles).astype(np.float64)
        total = np.bincount(members.classes, weights=apart * members.rows, minlength=len(members.missing))
        step = total / np.maximum(1, members.present)
        if np.issubdtype(numbers.dtype, np.integer):
            return medians + np.rint(step).astype(np.int64)
        return np.where(np.isfinite(step), medians + step, medians)


def _typed(axis: Axis) -> pl.Series:
    if axis.type is ColumnType.BOOLEAN:
        return axis.values.str.to_lowercase() == "true"
    return axis.values


def _gather(values: pl.Series, codes: Integers) -> pl.Series:
    """Values by code, null for -1."""
    padded = pl.concat([values, pl.Series([None], dtype=values.dtype)])
    return padded.gather(np.where(codes < 0, len(values), codes))
