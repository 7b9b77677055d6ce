"""A recoding at work: rows come in as the table holds them and leave with labels, or stay behind."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.assigner import Assigner
from celosia.tables.dictionary import Dictionary
from celosia.tables.table import Recoding
from celosia.types import nearest
from celosia.values.parse import ValueParser, canonical_real

__all__ = ["Recoded", "Recoder", "check_columns"]

Numbers = npt.NDArray[np.int64]
_LARGEST_TABLE = 1 << 24  # combinations that are looked up in a table of their own


def check_columns(columns: Sequence[str], names: tuple[str, ...], *, where: str) -> None:
    """Raise if a column does not exist or is named twice.

    >>> check_columns(["agee"], ("age", "sex"), where="people.csv")
    Traceback (most recent call last):
    ...
    celosia.errors.TableError: people.csv: column 'agee' does not exist; did you mean 'age'?
    """
    for place, column in enumerate(columns):
        if column not in names:
            raise TableError(
                say("column {name!r} does not exist", name=column),
                where=where,
                remedy=nearest(column, names),
            )
        if column in columns[:place]:
            raise TableError(
                say("column {name!r} is named twice", name=column),
                where=where,
                remedy=say("name it once"),
            )


@dataclass(frozen=True)
class Recoded:
    """Some rows after a recoding: the columns that stay, and which rows do; ``kept`` None means all."""

    frame: pl.DataFrame
    kept: npt.NDArray[np.bool_] | None
    excluded: int
    suppressed: int


class Recoder:
    """Applies one recoding to the batches of a table, learning the values of its columns as they come.

    ``marker`` is the text of a missing label where the destination has no null; ``dtypes`` are the types of columns
    that are not text, ``parsers`` say how texts of others are read. ``is_part`` says that others recode other rows, so
    that types may not depend on these; ``in_order`` that the batches are all rows of the table that was counted, in
    their order, so that their combinations need not be looked for again.

    >>> recoding = Recoding(dropped=("id",), maps={"age": {31: "[30, 40)", 35: "[30, 40)"}})
    >>> frame = pl.DataFrame({"id": [1, 2], "age": [31, 35]})
    >>> Recoder(recoding, ("id", "age"), missing=()).apply(frame).frame.rows()
    [('[30, 40)',), ('[30, 40)',)]
    """

    def __init__(
        self,
        recoding: Recoding,
        names: tuple[str, ...],
        *,
        missing: Collection[str],
        marker: str | None = None,
        dtypes: Mapping[str, pl.DataType] = MappingProxyType({}),
        parsers: Mapping[str, ValueParser] = MappingProxyType({}),
        where: str = "",
        is_part: bool = False,
        in_order: bool = False,
    ) -> None:
        check_columns(recoding.dropped, names, where=where)
        self.kept_names = tuple(name for name in names if name not in set(recoding.dropped))
        self._suppressed_names = tuple(recoding.suppressed.columns) if recoding.suppressed.height else ()
        unified = [name for name in recoding.unified if name not in set(recoding.dropped)]
        # A real number that is only unified needs no dictionary: its one form is worked out.
        reals = [name for name in unified if dtypes.get(name, pl.String()).is_float()]
        looked_up = [*recoding.filled, *recoding.excluded, *recoding.maps, *self._suppressed_names]
        used = list(dict.fromkeys([*(name for name in unified if name not in reals), *looked_up]))
        check_columns(used, self.kept_names, where=where)
        self._where = where
        self._assigner: Assigner | None = None
        if recoding.assignment is not None:
            self._assigner = Assigner(
                recoding,
                missing=missing,
                marker=marker,
                dtypes=dtypes,
                parsers=parsers,
                where=where,
                is_part=is_part,
                in_order=in_order,
            )
            check_columns(self._assigner.columns, self.kept_names, where=where)
        self._columns = {
            name: Dictionary(
                name,
                recoding,
                missing=missing,
                marker=marker,
                is_text=_is_text(dtypes.get(name, pl.String())),
                parser=parsers.get(name),
                where=where,
            )
            for name in used
        }
        # A number that is none (NaN) and a missing one are the same missing value, too, and there is one zero.
        self.numbers = tuple(
            name for name in unified if name not in self.changed and dtypes.get(name, pl.String()).is_float()
        )
        self._suppressed = self._suppressed_digits(recoding.suppressed)

    @property
    def used(self) -> tuple[str, ...]:
        """Columns that the recoding looks at."""
        assigned = () if self._assigner is None else self._assigner.columns
        return tuple(dict.fromkeys([*self._columns, *assigned, *self.numbers]))

    @property
    def changed(self) -> dict[str, pl.DataType]:
        """Columns that leave as something else, with the type they are held in."""
        assigned = {} if self._assigner is None else self._assigner.released
        named = {name: column.dtype for name, column in self._columns.items() if column.dtype is not None}
        return {**named, **{name: series.dtype for name, series in assigned.items()}}

    @property
    def labels(self) -> frozenset[str]:
        """Columns that leave as labels of a map."""
        return frozenset(name for name, dtype in self.changed.items() if isinstance(dtype, pl.Enum))

    def apply(self, frame: pl.DataFrame) -> Recoded:
        """Recode some rows; which of them stay is told, not done."""
        places = self._look_up(frame)
        kept = np.ones(frame.height, dtype=np.bool_)
        for name, column in self._columns.items():
            if column.excludes:
                kept &= ~column.excluded[places[name]]
        excluded = frame.height - int(kept.sum())
        for name, column in self._columns.items():
            column.check_mapped(places[name][kept], where=self._where)
        kept &= ~self._is_suppressed(places, frame.height)
        assigned = self._assign(frame, kept)
        suppressed = frame.height - int(kept.sum()) - excluded
        columns = [
            assigned[name]
            if name in assigned
            else self._columns[name].release(places[name])
            if name in self.changed
            else frame.select(canonical_real(pl.nth(frame.columns.index(name)))).to_series().alias(name)
            if name in self.numbers
            else frame.get_column(name)
            for name in self.kept_names
            if name in frame.columns
        ]
        everyone = excluded + suppressed == 0
        return Recoded(pl.DataFrame(columns), None if everyone else kept, excluded, suppressed)

    def _assign(self, frame: pl.DataFrame, kept: npt.NDArray[np.bool_]) -> dict[str, pl.Series]:
        """What the classes of the rows kept show; rows whose class is suppressed are kept no longer."""
        if self._assigner is None:
            return {}
        classes = self._assigner.classes(frame, kept)
        kept &= classes >= 0
        return {series.name: series for series in self._assigner.show(classes)}

    def _look_up(self, frame: pl.DataFrame) -> dict[str, Numbers]:
        """For every row the number of its value in the dictionary of the column."""
        return {name: column.numbers(frame.get_column(name)) for name, column in self._columns.items()}

    def _suppressed_digits(self, suppressed: pl.DataFrame) -> pl.DataFrame:
        return pl.DataFrame(
            [
                pl.Series(name, self._columns[name].digits_of(suppressed.get_column(name)))
                for name in self._suppressed_names
            ]
        ).unique()

    def _is_suppressed(self, places: Mapping[str, npt.NDArray[np.int64]], rows: int) -> npt.NDArray[np.bool_]:
        if not self._suppressed_names:
            return np.zeros(rows, dtype=np.bool_)
        columns = [self._columns[name] for name in self._suppressed_names]
        if self._wanted is not None:
            number = np.zeros(rows, dtype=np.int64)
            for column, weight in zip(columns, self._weights, strict=True):
                number += (column.digits * weight)[places[column.name]]
            return self._wanted(number)
        digits = [column.digits[places[column.name]] for column in columns]
        frame = pl.DataFrame([pl.Series(str(i), column) for i, column in enumerate(digits)])
        wanted_rows = self._suppressed.rename(dict(zip(self._suppressed_names, frame.columns, strict=True)))
        hit = frame.with_row_index("row").join(wanted_rows, on=frame.columns, how="semi").get_column("row")
        answer = np.zeros(rows, dtype=np.bool_)
        answer[hit.to_numpy()] = True
        return answer

    @cached_property
    def _weights(self) -> list[int]:
        """What a digit of each column is worth in the one number of a combination."""
        radices = [self._columns[name].radix for name in self._suppressed_names]
        return [math.prod(radices[place + 1 :]) for place in range(len(radices))]

    @cached_property
    def _wanted(self) -> Callable[[Numbers], npt.NDArray[np.bool_]] | None:
        """Whether numbers stand for suppressed combinations; None where a number would not fit."""
        size = math.prod(self._columns[name].radix for name in self._suppressed_names)
        if size >= 1 << 62:
            return None
        wanted = np.zeros(self._suppressed.height, dtype=np.int64)
        for series, weight in zip(self._suppressed.iter_columns(), self._weights, strict=True):
            wanted += series.to_numpy() * weight
        if size <= _LARGEST_TABLE:
            table = np.zeros(size, dtype=np.bool_)
            table[wanted] = True
            return lambda numbers: table[numbers]
        chosen = pl.Series(wanted).implode()
        return lambda numbers: pl.Series(numbers).is_in(chosen).to_numpy()


def _is_text(dtype: pl.DataType) -> bool:
    return isinstance(dtype, pl.String | pl.Categorical | pl.Enum)
