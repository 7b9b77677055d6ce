"""A local recoding at work: the class of every row, looked up by the combination of values that it has."""

import math
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.lookup import ValueLookup
from celosia.tables.table import Recoding
from celosia.values.parse import ValueParser
from celosia.values.same import as_values
from celosia.values.text import text_of

__all__ = ["Assigner"]

Numbers = npt.NDArray[np.int64]
_LARGEST_KEY = 1 << 62
_MOST_LABELS = 1 << 16
_UNKNOWN = -1


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
        parsers: Mapping[str, ValueParser] = MappingProxyType({}),
        where: str = "",
        is_part: bool = False,
        in_order: bool = False,
    ) -> None:
        assert recoding.assignment is not None
        self._assignment = recoding.assignment
        self._filled, self._missing, self._where = recoding.filled, tuple(missing), where
        self._parsers = parsers
        counts = self._assignment.combinations
        self._row = 0
        self._counted = counts.places if in_order else None
        self._lookups = [ValueLookup(self._number(place)) for place in range(len(counts.columns))]
        self._of_missing = [self._code_of_missing(place) for place in range(len(counts.columns))]
        sizes = [len(values) + 1 for values in counts.values]
        self._weights = [math.prod(sizes[place + 1 :]) for place in range(len(sizes))]
        self._is_small = math.prod(sizes) < _LARGEST_KEY
        self._is_whole = self._assignment.is_whole
        self.released = {
            series.name: _hold(series.alias(""), marker, dtypes.get(series.name), is_part)
            for series in self._assignment.released.iter_columns()
        }

    @cached_property
    def _keys(self) -> Numbers:
        """The number of every combination that was counted."""
        return self._combine(list(self._assignment.combinations.codes))

    @cached_property
    def _ends(self) -> Numbers:
        """Where the entries end, in rows."""
        return np.cumsum(self._assignment.rows)

    @cached_property
    def _given(self) -> Numbers:
        """Where the entries of each combination begin, in rows; those that are given away are counted on."""
        owners = self._assignment.owners
        first = np.searchsorted(owners, np.arange(len(self._assignment.combinations)))
        return np.concatenate(([0], self._ends))[first]

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that say which class a row belongs to."""
        return self._assignment.combinations.columns

    def show(self, classes: Numbers) -> list[pl.Series]:
        """What rows of these classes show in each recoded column; a suppressed row shows what any other does."""
        places = np.maximum(classes, 0)
        return [series.gather(places).alias(name) for name, series in self.released.items()]

    def classes(self, frame: pl.DataFrame, kept: npt.NDArray[np.bool_] | None = None) -> Numbers:
        """The class of every row, -1 if it is suppressed or was not ``kept`` before."""
        if self._counted is not None:
            combinations = self._next_rows(frame.height)
        if kept is None or kept.all():
            return self._classes(self._combinations(frame) if self._counted is None else combinations)
        found = np.full(frame.height, -1, np.int64)
        stay = (
            self._combinations(frame.filter(pl.Series(kept))) if self._counted is None else combinations[kept]
        )
        found[kept] = self._classes(stay)
        return found

    def _next_rows(self, rows: int) -> Numbers:
        """The combinations of the next rows of the table, as they were counted."""
        assert self._counted is not None
        first, self._row = self._row, self._row + rows
        if self._row > len(self._counted):
            raise self._has_changed()
        return self._counted[first : self._row].astype(np.int64)

    def _classes(self, combinations: Numbers) -> Numbers:
        if not len(combinations):
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
        if not self._is_small:
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

    def _codes(self, rows: pl.Series, place: int) -> npt.NDArray[np.int32]:
        found = self._lookups[place].numbers(rows, missing=self._of_missing[place])
        if (found == _UNKNOWN).any():
            raise self._has_changed()
        return found.astype(np.int32)

    def _code_of_missing(self, place: int) -> int:
        values = self._assignment.combinations.values[place]
        if values.null_count():
            return len(values) - 1
        name = self.columns[place]
        # Combinations counted before missing values are filled in know a missing value themselves.
        if name not in self._filled:
            return _UNKNOWN
        # As a series: the engine has no literal of its own for a decimal zero.
        found = (values == pl.Series([self._filled[name]], dtype=values.dtype)).arg_true()
        return int(found[0]) if len(found) else _UNKNOWN

    def _number(self, place: int) -> Callable[[pl.Series], Numbers]:
        """Codes of distinct values of the table among those counted."""
        name, known = self.columns[place], self._assignment.combinations.values[place]

        def number(distinct: pl.Series) -> Numbers:
            parser = self._parsers.get(name)
            values = as_values(
                distinct, missing=self._missing, parser=parser, column=name, where=self._where
            ).alias("v")
            wanted = values.cast(known.dtype).to_frame().with_row_index("at")
            counted = known.alias("v").to_frame().with_row_index("code")
            found = wanted.join(counted, on="v", how="left").sort("at").get_column("code")
            codes = found.cast(pl.Int64).fill_null(_UNKNOWN).to_numpy().copy()
            codes[values.is_null().to_numpy()] = self._of_missing[place]
            return codes

        return number

    def _has_changed(self) -> TableError:
        return TableError(
            say("the table changed while it was being recoded"),
            where=self._where,
            remedy=say("run it again when nobody writes to it"),
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
