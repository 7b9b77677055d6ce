"""The quasi-identifiers as multidimensional recoding sees them: every column an axis, every combination a point on it.

A number or a date lies at its value, a value with a hierarchy where its tree puts it (so that values under one label
are neighbours), any other text in alphabetical order. A missing value lies beyond the end of its axis.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError
from celosia.hierarchies import Hierarchy
from celosia.recode.domain import MissingPolicy, UnknownPolicy, not_covered, sensitive_values
from celosia.say import say
from celosia.tables.table import Counts
from celosia.types import DATES, NUMBERS, ColumnType
from celosia.values.parse import parse_texts
from celosia.values.same import SensitiveValues

__all__ = ["Axis", "Space", "axis_values", "build_space", "read_values", "with_sets"]

MOST_AXES = 62
"""Columns that may not be cut are kept as bits of a number."""

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Axis:
    """One quasi-identifier: its distinct values in order, a missing one (null) last, and where each of them lies.

    ``places[code]`` goes from 0 to 1 over the finite values, 2 for a missing one. ``levels[level][code]`` are the
    labels of a hierarchy by number, level 0 the values; without hierarchy there is none. ``is_tree`` says that the
    values are in the order of the hierarchy and not in their own. ``size`` is the number of values that a label for
    all of them stands for. ``has_negative`` tells of the whole column what these values may not show. ``is_set`` says
    that classes show all the values they hold, not the two between which they lie.
    """

    name: str
    type: ColumnType
    values: pl.Series
    places: Floats
    hierarchy: Hierarchy | None = None
    levels: tuple[Integers, ...] = ()
    is_tree: bool = False
    size: int = 0
    filled: Any = None
    left_out: tuple[Any, ...] = ()
    has_negative: bool | None = None
    is_set: bool = False

    def __len__(self) -> int:
        return len(self.values)

    @property
    def is_ordered(self) -> bool:
        """Whether its values are numbers or dates."""
        return self.type in NUMBERS or self.type in DATES

    @property
    def missing(self) -> int:
        """The code of a missing value, or as many as there are values if none is missing."""
        return len(self.values) - int(self.values.null_count() > 0)

    def shares(self, low: Integers, high: Integers) -> Floats:
        """What part of the axis lies between two codes: by range, or by the label that covers both of them.

        >>> ages = pl.Series([20, 30, 60])
        >>> axis = Axis("age", ColumnType.INTEGER, ages, np.array([0.0, 0.25, 1.0]))
        >>> axis.shares(np.array([0, 1]), np.array([1, 1])).tolist()
        [0.25, 0.0]
        """
        if not self.is_tree:
            return np.minimum(1.0, self.places[high] - self.places[low])
        return self._tree_shares(low, high)

    def _tree_shares(self, low: Integers, high: Integers) -> Floats:
        """By the lowest label of the hierarchy that covers both codes."""
        share = np.ones(len(low))
        for labels, per_label in reversed(self.labelled):
            together = labels[low] == labels[high]
            share[together] = per_label[labels[low[together]]]
        share[low == high] = 0.0
        return share

    def label_shares(self, low: Integers, high: Integers, *, is_node: bool = False) -> Floats:
        """What part of the values the label of two codes leaves possible: 0 for one value, else as many as there are
        from the one to the other, or under the label of the hierarchy that covers both where classes show such.
        Every technique can be measured so, whether or not values have a distance.

        >>> ages = pl.Series([20, 30, 60])
        >>> axis = Axis("age", ColumnType.INTEGER, ages, np.array([0.0, 0.25, 1.0]))
        >>> axis.label_shares(np.array([0, 1]), np.array([1, 1])).round(2).tolist()
        [0.67, 0.0]
        """
        if self.is_tree or is_node:
            return self._tree_shares(low, high)
        size = max(len(self), self.size, 0 if self.hierarchy is None else len(self.hierarchy.values))
        share = (high - low + 1) / size
        share[high == self.missing] = 1.0  # some values are missing and others are not: the class shows none
        share[low == high] = 0.0
        return share

    @cached_property
    def labelled(self) -> list[tuple[Integers, Floats]]:
        """For every level above the values: the label of each code, and each label's part of all values."""
        assert self.hierarchy is not None
        found = []
        for level, labels in enumerate(self.levels[1:], start=1):
            leaves = self.hierarchy.leaves(level)
            size = self.size if self.is_tree else max(self.size, len(self.hierarchy.values))
            part = np.append(leaves, 1.0) / size  # one more for a missing value, alone below the root
            if level == self.hierarchy.height:
                part[:] = 1.0
            found.append((labels, part))
        return found


@dataclass(frozen=True)
class Space:
    """All axes, and the points that are taken: ``codes[point, axis]`` and ``weights[point]`` people each.

    ``owners[point]`` is the combination of the counts that a point is; combinations with a value that is left out
    have none, and their people are ``excluded``. ``sensitive[name]`` are the codes of a sensitive column by point and
    its values, with what readers take for one; ``targets`` are the same for columns that guide cuts, where they
    differ.
    """

    axes: tuple[Axis, ...]
    codes: npt.NDArray[np.int32]
    weights: Integers
    owners: Integers
    excluded: int
    sensitive: Mapping[str, tuple[Integers, SensitiveValues]] = field(default_factory=dict)
    targets: Mapping[str, tuple[Integers, tuple[Any, ...]]] = field(default_factory=dict)

    @cached_property
    def rows(self) -> int:
        """People in all points."""
        return int(self.weights.sum())

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the axes in order."""
        return tuple(axis.name for axis in self.axes)

    def one_by_one(self) -> "Space":
        """The same with a point of its own for every person, so that people of one combination can part."""
        if (self.weights == 1).all():
            return self
        which = np.repeat(np.arange(len(self.weights)), self.weights)
        return replace(
            self,
            codes=self.codes[which],
            weights=np.ones(len(which), np.int64),
            owners=self.owners[which],
            sensitive={name: (codes[which], values) for name, (codes, values) in self.sensitive.items()},
            targets={name: (codes[which], values) for name, (codes, values) in self.targets.items()},
        )

    @cached_property
    def tables(self) -> tuple[Integers, Floats, Integers, Floats]:
        """The axes as the compiled loops read them; see :func:`celosia.kernels.mondrian.grow`."""
        sizes = [len(axis) for axis in self.axes]
        starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        places = np.concatenate([axis.places for axis in self.axes])
        trees = np.zeros((len(self.axes), 2), np.int64)
        shares: list[Floats] = [np.zeros((2, 0))]
        for number, axis in enumerate(self.axes):
            if axis.is_tree:
                trees[number] = len(axis.labelled), sum(part.shape[1] for part in shares)
                shares += [np.stack([part[labels], labels]) for labels, part in axis.labelled]
        return starts, places, trees, np.ascontiguousarray(np.concatenate(shares, axis=1))

    def weigh(self, weights: Mapping[str, float]) -> tuple[Integers, Floats, Integers, Floats]:
        """The tables with every axis as much longer as its column weighs more."""
        starts, places, trees, shares = self.tables
        factors = np.array([weights.get(axis.name, 1.0) for axis in self.axes])
        if (factors == 1.0).all():
            return self.tables
        stretched = shares.copy()
        for (height, start), factor, size in zip(trees, factors, np.diff(starts), strict=True):
            stretched[0, start : start + height * size] *= factor
        return starts, places * np.repeat(factors, np.diff(starts)), trees, stretched


MOST_IN_SET = 63
"""Values of a column of which classes can show sets: as many as a number has bits, but one for missing values."""


def with_sets(space: Space) -> Space:
    """The same space; of columns of few texts without hierarchy, classes show all the values they hold.

    >>> towns = Axis("town", ColumnType.TEXT, pl.Series(["Lugo", "Vigo"]), np.array([0.0, 1.0]), size=2)
    >>> space = Space((towns,), np.array([[0], [1]], np.int32), np.array([1, 1]), np.arange(2), 0)
    >>> with_sets(space).axes[0].is_set
    True
    """

    def is_set(axis: Axis) -> bool:
        return axis.hierarchy is None and not axis.is_ordered and axis.missing <= MOST_IN_SET

    return replace(space, axes=tuple(replace(axis, is_set=is_set(axis)) for axis in space.axes))


def build_space(
    counts: Counts,
    *,
    quasi_identifiers: Sequence[str],
    types: Mapping[str, ColumnType],
    hierarchies: Mapping[str, Hierarchy],
    missing: MissingPolicy = MissingPolicy.CATEGORY,
    unknown: UnknownPolicy = UnknownPolicy.ERROR,
    where: str = "",
    person: str | None = None,
) -> Space:
    """Axes of the quasi-identifiers; further columns of ``counts`` are taken as sensitive, ``person`` as people.

    >>> counted = Counts(("age",), (pl.Series([5, 10]),), (np.array([0, 1], np.int32),), np.array([3, 4]))
    >>> space = build_space(
    ...     counted, quasi_identifiers=["age"], types={"age": ColumnType.INTEGER}, hierarchies={}
    ... )
    >>> space.axes[0].values.to_list(), space.codes.tolist(), space.rows
    ([5, 10], [[0], [1]], 7)
    """
    if len(quasi_identifiers) > MOST_AXES:
        raise ProjectError(
            say(
                "{count} quasi-identifiers are more than the {most} that can be cut together",
                count=len(quasi_identifiers),
                most=MOST_AXES,
            ),
            where=where,
            remedy=say("declare fewer, those that others can know"),
        )
    axes, codes = [], []
    keep = np.ones(len(counts), bool)
    for name in quasi_identifiers:
        place = counts.columns.index(name)
        kind = types.get(name, ColumnType.TEXT)
        axis, translate = _build_axis(counts, place, kind, hierarchies.get(name), missing, unknown, where)
        axes.append(axis)
        is_same = np.array_equal(translate, np.arange(len(translate)))
        codes.append(counts.codes[place] if is_same else translate.astype(np.int32)[counts.codes[place]])
        if (translate < 0).any():
            keep &= codes[-1] >= 0
    chosen = slice(None) if keep.all() else keep
    sensitive = {
        name: sensitive_values(counts, place, keep, is_person=name == person)
        for place, name in enumerate(counts.columns)
        if name not in quasi_identifiers
    }
    return Space(
        axes=tuple(axes),
        # Column by column: cuts look at one at a time.
        codes=np.stack([column[chosen] for column in codes]).T,
        weights=counts.counts[chosen].astype(np.int64, copy=False),
        owners=np.flatnonzero(keep),
        excluded=int(counts.counts[~keep].sum()),
        sensitive=sensitive,
    )


def _build_axis(
    counts: Counts,
    place: int,
    kind: ColumnType,
    hierarchy: Hierarchy | None,
    missing: MissingPolicy,
    unknown: UnknownPolicy,
    where: str,
) -> tuple[Axis, Integers]:
    """An axis, and for every value counted its code there, -1 where the rows are left out."""
    name, counted = counts.columns[place], counts.values[place]
    left_out: list[Any] = []
    filled = None
    is_null = counted.is_null().to_numpy()
    known = ~is_null
    if hierarchy is not None:
        covered = hierarchy.find(counted) >= 0
        strange = pl.Series(known & ~covered)
        if strange.any() and unknown is UnknownPolicy.ERROR:
            raise not_covered(name, counts.texts[place].filter(strange))
        left_out += counted.filter(strange).to_list()
        known &= covered
    if is_null.any() and missing is MissingPolicy.DROP:
        left_out.append(None)
    mode = None
    if is_null.any() and missing is MissingPolicy.MODE and known.any():
        mode = int(np.argmax(np.where(known, counts.rows_of(place), -1)))
        filled = counted[mode]
    has_missing = bool(is_null.any()) and filled is None and None not in left_out
    kept = pl.Series(known)
    values, places, codes, levels, size = _lay_out(
        name, counted.filter(kept), counts.texts[place].filter(kept), kind, hierarchy, where
    )
    translate = np.full(len(counted), -1, np.int64)
    translate[known] = codes
    if has_missing:
        translate[is_null] = len(values)
        values = pl.concat([values, pl.Series([None], dtype=values.dtype)])
        places = np.append(places, max(2.0, places.max(initial=0.0) + 1.0))
        if hierarchy is not None:
            top = 0 if hierarchy.height else len(hierarchy.values)  # apart at every level below a root
            own = [*(len(labels) for labels in hierarchy.labels[:-1]), top]
            levels = tuple(np.append(level, label) for level, label in zip(levels, own, strict=True))
        size += 1
    elif mode is not None:
        translate[is_null] = translate[mode]
    is_tree = hierarchy is not None and kind not in NUMBERS and kind not in DATES
    axis = Axis(name, kind, values, places, hierarchy, levels, is_tree, size, filled, tuple(left_out))
    return axis, translate


Laid = tuple[pl.Series, Floats, Integers, tuple[Integers, ...], int]


def _lay_out(
    name: str,
    counted: pl.Series,
    texts: pl.Series,
    kind: ColumnType,
    hierarchy: Hierarchy | None,
    where: str,
) -> Laid:
    """Values in their order, their places, the code of every value counted, the levels of a hierarchy and its size."""
    if hierarchy is not None and kind not in NUMBERS and kind not in DATES:
        return _lay_out_tree(counted, texts, hierarchy)
    values = axis_values(counted, texts, kind, name=name, where=where)
    distinct = values.unique().sort()
    physical = distinct.to_physical() if kind in NUMBERS or kind in DATES else None
    codes = (values.to_physical().rank("dense").cast(pl.Int64) - 1).to_numpy()
    if physical is not None:
        places = _scale(physical.cast(pl.Float64).to_numpy())
    else:
        places = _scale(np.arange(len(distinct), dtype=np.float64))
    levels: tuple[Integers, ...] = ()
    if hierarchy is not None:
        _, first = np.unique(codes, return_index=True)
        leaf = hierarchy.find(counted.gather(first))
        levels = tuple(labels[leaf].astype(np.int64) for labels in hierarchy.codes)
    return distinct, places, codes, levels, len(distinct)


def _lay_out_tree(counted: pl.Series, texts: pl.Series, hierarchy: Hierarchy) -> Laid:
    leaf = hierarchy.find(counted)
    levels = [hierarchy.codes[level][leaf].astype(np.int64) for level in range(hierarchy.height + 1)]
    order = np.lexsort(levels)  # by the last level first, so that what shares a label is together
    codes = np.empty(len(texts), np.int64)
    codes[order] = np.arange(len(texts))
    places = _scale(np.arange(len(texts), dtype=np.float64))
    sorted_levels = tuple(level[order] for level in levels)
    return texts.gather(order), places, codes, sorted_levels, len(hierarchy.values)


def axis_values(
    counted: pl.Series, texts: pl.Series, kind: ColumnType, *, name: str, where: str = ""
) -> pl.Series:
    """Values as an axis has them: numbers of 64 bits where none loses a digit, times without a zone, else texts.

    >>> axis_values(pl.Series([3, 1], dtype=pl.Int16), pl.Series(["3", "1"]), ColumnType.INTEGER, name="x").dtype
    Int64
    """
    dtype = counted.dtype
    if dtype == pl.String or kind not in (*NUMBERS, *DATES):
        return read_values(texts, kind, name=name, where=where)
    if kind is ColumnType.INTEGER and dtype.is_integer():
        plain = counted.cast(pl.Int64, strict=False)
        return counted.cast(pl.Int128) if plain.null_count() else plain
    if kind in (ColumnType.REAL, ColumnType.DECIMAL) and dtype.is_numeric():
        # A number of 32 bits by its digits: 0.1, not 0.10000000149.
        plain = texts.cast(pl.Float64) if dtype == pl.Float32 else counted.cast(pl.Float64)
        is_exact = not dtype.is_decimal() or bool((plain.cast(dtype) == counted).all())
        return plain if is_exact else counted
    if kind is ColumnType.DATE and dtype == pl.Date:
        return counted
    if kind is ColumnType.DATETIME and isinstance(dtype, pl.Datetime):
        return counted.cast(pl.Datetime("us", None if dtype.time_zone is None else "UTC"))
    return read_values(texts, kind, name=name, where=where)


def _scale(values: Floats) -> Floats:
    """Places from 0 to 1; an infinite value lies as far outside as the finite ones reach."""
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 0.0)
    with np.errstate(invalid="ignore", over="ignore"):
        # Halved where the distance of the largest numbers is more than a number can be.
        part = 0.5 if high - low == np.inf else 1.0
        scaled = (values * part - low * part) / (high * part - low * part) if high > low else values * 0.0
    return np.where(values == np.inf, 2.0, np.where(values == -np.inf, -1.0, scaled))


def read_values(texts: pl.Series, kind: ColumnType, *, name: str, where: str = "") -> pl.Series:
    """Texts of a column as values of its type, of which some texts may mean the same.

    >>> read_values(pl.Series(["1.0", "1.00"]), ColumnType.REAL, name="height").n_unique()
    1
    """
    dtypes: dict[ColumnType, pl.DataType] = {
        ColumnType.INTEGER: pl.Int64(),
        ColumnType.REAL: pl.Float64(),
        ColumnType.DECIMAL: pl.Float64(),
        ColumnType.DATE: pl.Date(),
        ColumnType.DATETIME: pl.Datetime("us"),
    }
    if kind not in dtypes:
        return texts
    values = parse_texts(texts, dtypes[kind])
    if kind is ColumnType.DATETIME and values.null_count() > texts.null_count():
        values = parse_texts(texts, pl.Datetime("us", "UTC"))
    bad = texts.filter(values.is_null() & texts.is_not_null())
    if len(bad):
        raise ProjectError(
            say(
                "column {name!r} is of type {type}, but {value!r} is none", name=name, type=kind, value=bad[0]
            ),
            where=where,
            remedy=say("correct the value, or declare the column with --type {name}=text", name=name),
        )
    return values
