"""A local recoding at work: the class of every row, looked up by the combination of values that it has."""

import math
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import TableError
from celosia.tables.lookup import NarrowLookup, is_narrow_type
from celosia.tables.table import Recoding
from celosia.tables.text import missing_to_null, text_of

__all__ = ["Assigner"]

Numbers = npt.NDArray[np.int64]
_LARGEST_KEY = 1 << 62
_MOST_LABELS = 1 << 16


class Assigner:
    """Finds the class of rows as they come, and what they show.

    Where the rows of one combination go to several classes, they do so in the order in which they come.

    >>> from celosia.tables import open_table
    >>> from celosia.tables.table import Assignment
    >>> people = pl.DataFrame({"age": [31, 35, 31]})
    >>> counted = open_table(people).count_by(["age"])
    >>> one = np.zeros(2, np.int64)
    >>> local = Assignment(counted, np.arange(2), one, counted.counts, pl.DataFrame({"age": ["[31-35]"]}))
    >>> assigner = Assigner(Recoding(assignment=local), missing=())
    >>> assigner.show(assigner.classes(people))[0].to_list()
    ['[31-35]', '[31-35]', '[31-35]']
    """

    def __init__(
        self,
        recoding: Recoding,
        *,
        missing: Collection[str],
        marker: str | None = None,
        dtypes: Mapping[str, pl.DataType] = MappingProxyType({}),
        where: str = "",
        is_part: bool = False,
    ) -> None:
        assert recoding.assignment is not None
        self._assignment = recoding.assignment
        self._filled, self._missing, self._where = recoding.filled, tuple(missing), where
        counts = self._assignment.combinations
        self._known = [pl.Enum(values.drop_nulls()) for values in counts.values]
        self._lookups: dict[str, NarrowLookup] = {}
        # A marker such as -9.0 is a number that means a missing value.
        self._names_numbers = bool(
            pl.Series(self._missing, dtype=pl.String).cast(pl.Float64, strict=False).is_not_null().any()
        )
        self._as_numbers: dict[int, tuple[npt.NDArray[Any], npt.NDArray[np.int32]] | None] = {}
        sizes = [len(values) + 1 for values in counts.values]
        self._weights = [math.prod(sizes[place + 1 :]) for place in range(len(sizes))]
        self._keys = self._combine(list(counts.codes)) if math.prod(sizes) < _LARGEST_KEY else None
        self._is_whole = self._assignment.is_whole
        rows = self._assignment.rows
        self._ends = np.cumsum(rows)
        # Where the entries of each combination begin, in rows; those that are given away are counted on.
        first = np.searchsorted(self._assignment.owners, np.arange(len(counts)))
        self._given = np.concatenate(([0], self._ends))[first]
        self.released = {
            series.name: _hold(series, marker, dtypes.get(series.name), is_part)
            for series in self._assignment.released.iter_columns()
        }

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that say which class a row belongs to."""
        return self._assignment.combinations.columns

    def show(self, classes: Numbers) -> list[pl.Series]:
        """What rows of these classes show in each recoded column; a suppressed row shows what any other does."""
        places = np.maximum(classes, 0)
        return [series.gather(places) for series in self.released.values()]

    def classes(self, frame: pl.DataFrame) -> Numbers:
        """The class of every row, -1 if it is suppressed."""
        combinations = self._combinations(frame)
        if not frame.height:
            return combinations
        assignment = self._assignment
        if self._is_whole:
            return assignment.classes[combinations]
        order = np.argsort(combinations, kind="stable")
        ordered = combinations[order]
        is_first = np.ones(len(order), np.bool_)
        is_first[1:] = ordered[1:] != ordered[:-1]
        first = np.flatnonzero(is_first)
        turn = np.empty(len(order), np.int64)
        turn[order] = np.arange(len(order)) - first[np.cumsum(is_first) - 1]
        entry = np.searchsorted(self._ends, self._given[combinations] + turn, side="right")
        if (entry >= len(assignment.owners)).any() or (assignment.owners[entry] != combinations).any():
            raise self._has_changed()
        self._given[ordered[first]] += np.diff(np.append(first, len(order)))
        return assignment.classes[entry]

    def _combinations(self, frame: pl.DataFrame) -> Numbers:
        codes = [self._codes(frame.get_column(name), place) for place, name in enumerate(self.columns)]
        if self._keys is None:
            return self._join(codes)
        wanted = self._combine(codes)
        found = np.searchsorted(self._keys, wanted)
        if (found >= len(self._keys)).any() or (self._keys[found] != wanted).any():
            raise self._has_changed()
        return found

    def _combine(self, codes: list[npt.NDArray[np.int32]]) -> Numbers:
        """One number per combination, ascending in the order in which combinations are counted."""
        key = np.zeros(len(codes[0]), np.int64)
        for column, weight in zip(codes, self._weights, strict=True):
            key += column.astype(np.int64) * weight
        return key

    def _join(self, codes: list[npt.NDArray[np.int32]]) -> Numbers:
        names = [str(place) for place in range(len(codes))]
        known = pl.DataFrame(dict(zip(names, self._assignment.combinations.codes, strict=True)))
        rows = pl.DataFrame(dict(zip(names, [column.astype(np.int32) for column in codes], strict=True)))
        found = rows.join(known.with_row_index("found"), on=names, how="left", maintain_order="left")
        if found.get_column("found").null_count():
            raise self._has_changed()
        return found.get_column("found").to_numpy().astype(np.int64)

    def _codes(self, values: pl.Series, place: int) -> npt.NDArray[np.int32]:
        name = self.columns[place]
        if is_narrow_type(values.dtype) and values.dtype not in (pl.UInt32,):
            lookup = self._lookups.setdefault(
                name, NarrowLookup(lambda distinct: self._codes_of_texts(distinct, place))
            )
            missing = int(self._codes_of_texts(values.clear(1), place)[0]) if values.null_count() else 0
            found = lookup.numbers(values, missing=missing)
            if found is not None:
                return found.astype(np.int32)
        if values.dtype.is_float() and not self._names_numbers and values.is_not_nan().all():
            numbers = self._numbers(place, values.dtype) if not values.null_count() else None
            if numbers is not None:
                return self._codes_of_numbers(values, *numbers)
        return self._codes_of_texts(values, place).astype(np.int32)

    def _numbers(
        self, place: int, dtype: pl.DataType
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]] | None:
        """The values counted as numbers, ascending, and their codes; None if two texts mean the same number."""
        if place not in self._as_numbers:
            numbers = self._assignment.combinations.values[place].drop_nulls().cast(dtype).to_numpy()
            order = np.argsort(numbers, kind="stable").astype(np.int32)
            ascending = numbers[order]
            is_plain = bool((ascending[1:] > ascending[:-1]).all())
            self._as_numbers[place] = (ascending, order) if is_plain else None
        return self._as_numbers[place]

    def _codes_of_numbers(
        self, values: pl.Series, known: npt.NDArray[Any], codes: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.int32]:
        """Codes of reals, found among the numbers counted: many times as fast as among their texts."""
        numbers = values.to_numpy()
        places = np.minimum(np.searchsorted(known, numbers), max(0, len(known) - 1))
        if len(numbers) and (not len(known) or (known[places] != numbers).any()):
            raise self._has_changed()
        return codes[places]

    def _codes_of_texts(self, values: pl.Series, place: int) -> Numbers:
        name = self.columns[place]
        text = missing_to_null(
            text_of(pl.nth(0), values.dtype, column=name, where=self._where), self._missing
        )
        # Combinations counted before missing values are filled in know a missing value themselves.
        if name in self._filled and not self._assignment.combinations.values[place].null_count():
            text = text.fill_null(self._filled[name])
        texts = values.to_frame().select(text.alias("")).to_series()
        codes = texts.cast(self._known[place], strict=False)
        if codes.null_count() > texts.null_count():
            raise self._has_changed()
        return codes.to_physical().cast(pl.Int64).fill_null(len(self._known[place].categories)).to_numpy()

    def _has_changed(self) -> TableError:
        return TableError(
            "the table changed while it was being recoded",
            where=self._where,
            remedy="run it again when nobody writes to it",
        )


def _hold(series: pl.Series, marker: str | None, dtype: pl.DataType | None, is_part: bool) -> pl.Series:
    """Released values as the rows will hold them: of the column's own type where they are values of it."""
    if series.dtype == pl.String:
        shown = series.fill_null(marker) if marker is not None else series
        if is_part:
            return shown
        labels = shown.drop_nulls().unique().sort()
        return shown.cast(pl.Enum(labels)) if len(labels) <= _MOST_LABELS else shown
    if dtype is not None and dtype not in (pl.String, series.dtype):
        if isinstance(dtype, pl.Datetime) and dtype.time_zone:
            return series.dt.replace_time_zone("UTC").cast(dtype)
        return series.cast(dtype)
    if marker is not None and (series.null_count() or is_part):
        text = text_of(pl.nth(0), series.dtype).fill_null(marker)
        return series.to_frame().select(text.alias(series.name)).to_series()
    return series
