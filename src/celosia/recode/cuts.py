"""Cuts through a table that is too large to hold: the part of every row, in memory and as an expression of SQL.

Every column is a line on which values have places: a number or a date lies at its value, a value with a hierarchy where
its tree puts it, any other text in alphabetical order. A cut is a column and a bound; what lies at the bound or before
goes to the low side, what lies beyond to the high side, and so does a missing value. A cut at the largest value parts
those that are missing from the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.recode.domain import MissingPolicy, UnknownPolicy, not_covered
from celosia.recode.space import read_values
from celosia.types import DATES, NUMBERS, ColumnType
from celosia.values.text import column_type, missing_to_null, text_of

__all__ = ["Bound", "CutAxis", "CutPlace", "CutTree", "names_a_value"]

Bound = int | float | str
"""A place on a line: days or microseconds since 1970 for dates, the rank of a value in its tree, the text itself."""


@dataclass(frozen=True)
class CutAxis:
    """One quasi-identifier, its values as places that can be compared: Int64, Float64 or String.

    ``markers`` are the texts of a missing value. ``filled`` is the place that missing values take, if any.

    >>> CutAxis("born", ColumnType.DATE).read(pl.Series(["1970-01-03", None])).to_list()
    [2, None]
    """

    name: str
    type: ColumnType
    hierarchy: Hierarchy | None = None
    markers: tuple[str, ...] = ()
    missing: MissingPolicy = MissingPolicy.CATEGORY
    unknown: UnknownPolicy = UnknownPolicy.ERROR
    filled: Bound | None = None
    where: str = ""

    @property
    def is_tree(self) -> bool:
        """Whether values lie in the order of a hierarchy."""
        return self.hierarchy is not None and self.type not in NUMBERS and self.type not in DATES

    @property
    def dtype(self) -> pl.DataType:
        """The type of its places."""
        if self.type in (ColumnType.REAL, ColumnType.DECIMAL):
            return pl.Float64()
        is_whole = self.type is ColumnType.INTEGER or self.type in DATES or self.is_tree
        return pl.Int64() if is_whole else pl.String()

    @property
    def is_plain(self) -> bool:
        """Whether nothing but its type stands between a value and its place."""
        return self.hierarchy is None and not names_a_value(self.markers)

    @property
    def drops_missing(self) -> bool:
        """Whether rows with a missing value leave the release."""
        return self.missing is MissingPolicy.DROP

    @property
    def ordered(self) -> list[str] | None:
        """The values of its hierarchy, if it has one; those of a tree in the order of their places."""
        return None if self.hierarchy is None else self._ordered.to_list()

    def read(self, column: pl.Series) -> pl.Series:
        """The place of every value, null where it is missing or not in the hierarchy."""
        places = self._places(column.alias(""))
        if self.filled is None:
            return places
        return places.fill_null(pl.Series([self.filled], dtype=self.dtype)[0])

    def leaves_out(self, column: pl.Series) -> npt.NDArray[np.bool_] | None:
        """Which rows leave the release: their value is missing or unknown, and so it was decided; None: no row."""
        if self.hierarchy is None and self.missing is not MissingPolicy.DROP:
            return None
        texts = self._texts(column)
        gone = texts.is_null() if self.missing is MissingPolicy.DROP else texts.is_null() & False
        if self.hierarchy is not None:
            strange = ~texts.is_in(self._known.implode()) & texts.is_not_null()
            if self.unknown is UnknownPolicy.ERROR and strange.any():
                raise not_covered(self.name, texts.filter(strange).unique().sort())
            gone = gone | strange
        return gone.to_numpy()

    def fill(self, column: pl.Series) -> pl.Series:
        """The column as the table holds it, with the value that stands for missing ones in their place."""
        if self.filled is None:
            return column
        value = pl.Series([self.filled], dtype=self.dtype)
        if self.is_tree:
            value = pl.Series([self._ordered[int(self.filled)]])
        elif self.type in DATES:
            value = value.cast(pl.Datetime("us") if self.type is ColumnType.DATETIME else pl.Date)
        if not self.dtype.is_numeric() or self.is_tree or column.dtype == pl.String:
            value = value.to_frame().select(text_of(pl.nth(0), value.dtype)).to_series()
        is_missing = self._texts(column).is_null()
        value = value == "true" if column.dtype == pl.Boolean else value.cast(column.dtype)
        return value.new_from_index(0, len(column)).zip_with(is_missing, column).alias(column.name)

    def _places(self, column: pl.Series) -> pl.Series:
        dtype = column.dtype
        is_plain = dtype not in (pl.UInt64, pl.Int128, pl.UInt128) and not names_a_value(self.markers)
        if is_plain and self.type is column_type(dtype):
            if self.type in (ColumnType.REAL, ColumnType.DECIMAL):
                return column.cast(pl.Float64).fill_nan(None) + 0
            if self.type in (ColumnType.INTEGER, ColumnType.DATE):
                return column.to_physical().cast(pl.Int64)
            if isinstance(dtype, pl.Datetime) and dtype.time_zone is None:
                return column.cast(pl.Datetime("us")).to_physical()
        texts = self._texts(column)
        if self.is_tree:
            ranks = pl.Series(np.arange(len(self._ordered)))
            return texts.replace_strict(self._ordered, ranks, default=None, return_dtype=pl.Int64)
        values = read_values(texts, self.type, name=self.name, where=self.where)
        if self.dtype == pl.String:
            return values
        # The engine's search tells -0.0 from 0.0, which are the same number; the sum is always 0.0.
        return values.to_physical().cast(self.dtype) + 0

    def _texts(self, column: pl.Series) -> pl.Series:
        texts = text_of(pl.nth(0), column.dtype, column=self.name, where=self.where)
        return column.to_frame().select(missing_to_null(texts, self.markers).alias("")).to_series()

    @cached_property
    def _known(self) -> pl.Series:
        assert self.hierarchy is not None
        return pl.Series(self.hierarchy.values, dtype=pl.String)

    @cached_property
    def _ordered(self) -> pl.Series:
        """The values of the hierarchy as their axis has them: by the last level first."""
        assert self.hierarchy is not None
        return self._known.gather(np.lexsort(self.hierarchy.codes))


@dataclass(frozen=True)
class CutPlace:
    """A place where a part is cut: the number of the line, and the largest place on the low side.

    ``low`` and ``high`` are the cuts that follow, or ``~part`` where there is none.
    """

    line: int
    bound: Bound
    low: int
    high: int


@dataclass(frozen=True)
class CutTree:
    """A tree of cuts. Parts keep their number when others are cut; the high side of a cut gets the next one.

    >>> cuts = CutTree((CutAxis("age", ColumnType.INTEGER),)).divide({0: (0, 39)}).divide({1: (0, 64)})
    >>> cuts.number(pl.DataFrame({"age": [12, 70, 40, None]})).tolist()
    [0, 2, 1, 2]
    >>> cuts.sql(["age"])
    ('CASE WHEN age <= ? THEN 0 ELSE CASE WHEN age <= ? THEN 1 ELSE 2 END END', [39, 64])
    """

    lines: tuple[CutAxis, ...]
    nodes: tuple[CutPlace, ...] = ()

    @property
    def count(self) -> int:
        """Parts there are."""
        return len(self.nodes) + 1

    def divide(self, where: Mapping[int, tuple[int, Bound]]) -> "CutTree":
        """Cut some parts, each at a bound on a line; in ascending order their high sides get the next numbers."""
        nodes = list(self.nodes)
        leaf = {
            ~side: (place, name) for place, cut in enumerate(nodes) for name, side in _sides(cut) if side < 0
        }
        for part in sorted(where):
            line, bound = where[part]
            if part in leaf:
                parent, side = leaf[part]
                change = {side: len(nodes)}
                nodes[parent] = replace(nodes[parent], **change)
            nodes.append(CutPlace(line, bound, ~part, ~(len(nodes) + 1)))
        return replace(self, nodes=tuple(nodes))

    def number(self, frame: pl.DataFrame) -> npt.NDArray[np.int64]:
        """The part of every row; rows that leave the release are dealt out evenly, lest they fill one part."""
        if not self.nodes:
            return np.zeros(frame.height, np.int64)
        # Which of its line's bounds a row lies beyond, as one small number per line: all cuts then compare numbers.
        beyond = {line: self._beyond(line, frame) for line in self._bounds}
        part = np.zeros(frame.height, np.int64)
        rows = {0: np.arange(frame.height)}
        for place, cut in enumerate(self.nodes):  # parents stand before their children
            here = rows.pop(place)
            is_high = beyond[cut.line][here] > self._bounds[cut.line].index(cut.bound)
            for side, those in ((cut.low, here[~is_high]), (cut.high, here[is_high])):
                if side < 0:
                    part[those] = ~side
                else:
                    rows[side] = those
        for line in self.lines:
            gone = line.leaves_out(frame.get_column(line.name))
            if gone is not None and gone.any():
                part[gone] = np.arange(int(gone.sum())) % self.count
        return part

    def sql(self, names: Sequence[str]) -> tuple[str, list[Bound]]:
        """The number of a row's part as an expression with a name per line, and the values of its parameters.

        A comparison with a missing value is not true, so such a row goes to the high side here too. Texts must be
        compared by their code points, which is how UTF-8 sorts.
        """
        values: list[Bound] = []

        def write(side: int) -> str:
            if side < 0:
                return str(~side)
            cut = self.nodes[side]
            values.append(cut.bound)
            low = write(cut.low)
            return f"CASE WHEN {names[cut.line]} <= ? THEN {low} ELSE {write(cut.high)} END"

        return write(0) if self.nodes else "0", values

    @cached_property
    def _bounds(self) -> dict[int, list[Any]]:
        """The bounds on every line that is cut, ascending."""
        return {
            line: sorted({cut.bound for cut in self.nodes if cut.line == line})
            for line in sorted({cut.line for cut in self.nodes})
        }

    def _beyond(self, line: int, frame: pl.DataFrame) -> npt.NDArray[np.int64]:
        places = self.lines[line].read(frame.get_column(self.lines[line].name))
        bounds = pl.Series(self._bounds[line], dtype=places.dtype)
        bounds = bounds + 0 if places.dtype.is_numeric() else bounds
        found = bounds.search_sorted(places.fill_null(bounds[0])).to_numpy().astype(np.int64)
        found[places.is_null().to_numpy()] = len(bounds)
        return found


def _sides(cut: CutPlace) -> tuple[tuple[str, int], tuple[str, int]]:
    return ("low", cut.low), ("high", cut.high)


def names_a_value(markers: Sequence[str]) -> bool:
    """Whether a text that means a missing value could also be the text of a number, a date or a truth value.

    >>> names_a_value(("", "?", "NA")), names_a_value(("-99",))
    (False, True)
    """
    texts = pl.Series(list(markers), dtype=pl.String)
    is_number = texts.str.strip_chars().cast(pl.Float64, strict=False).is_not_nan().fill_null(False)
    return bool((is_number | texts.str.contains("^[0-9]{4}-|^true$|^false$")).any())
