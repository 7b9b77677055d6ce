"""A recoding at work: rows come in as the table holds them and leave with labels, or stay behind."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import TableError
from celosia.tables.dictionary import Dictionary
from celosia.tables.table import Recoding
from celosia.tables.text import text_of
from celosia.types import nearest

__all__ = ["Recoded", "Recoder", "check_columns"]


def check_columns(columns: Sequence[str], names: tuple[str, ...], *, where: str) -> None:
    """Raise if a column does not exist or is named twice.

    >>> check_columns(["agee"], ("age", "sex"), where="people.csv")
    Traceback (most recent call last):
    ...
    celosia.errors.TableError: people.csv: column 'agee' does not exist; did you mean 'age'?
    """
    for place, column in enumerate(columns):
        if column not in names:
            raise TableError(f"column {column!r} does not exist", where=where, remedy=nearest(column, names))
        if column in columns[:place]:
            raise TableError(f"column {column!r} is named twice", where=where, remedy="name it once")


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
    that are not text.

    >>> recoding = Recoding(dropped=("id",), maps={"age": {"31": "[30, 40)", "35": "[30, 40)"}})
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
        where: str = "",
    ) -> None:
        check_columns(recoding.dropped, names, where=where)
        self.kept_names = tuple(name for name in names if name not in set(recoding.dropped))
        self._suppressed_names = tuple(recoding.suppressed.columns) if recoding.suppressed.height else ()
        unified = [name for name in recoding.unified if name not in set(recoding.dropped)]
        used = [*unified, *recoding.filled, *recoding.excluded, *recoding.maps, *self._suppressed_names]
        used = list(dict.fromkeys(used))
        check_columns(used, self.kept_names, where=where)
        self._where = where
        self._columns = {
            name: Dictionary(
                name,
                recoding,
                missing=missing,
                marker=marker,
                is_text=_is_text(dtypes.get(name, pl.String())),
            )
            for name in used
        }
        # A number that is none (NaN) and a missing one are the same missing value, too.
        self.numbers = tuple(
            name for name in unified if name not in self.changed and dtypes.get(name, pl.String()).is_float()
        )
        self._suppressed = self._suppressed_digits(recoding.suppressed)

    @property
    def used(self) -> tuple[str, ...]:
        """Columns that the recoding looks at."""
        return tuple(self._columns)

    @property
    def changed(self) -> dict[str, pl.DataType]:
        """Columns that leave as text, with the type they are held in."""
        return {name: column.dtype for name, column in self._columns.items() if column.dtype is not None}

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
        suppressed = frame.height - int(kept.sum()) - excluded
        columns = [
            self._columns[name].release(places[name])
            if name in self.changed
            else frame.get_column(name).fill_nan(None)
            if name in self.numbers
            else frame.get_column(name)
            for name in self.kept_names
            if name in frame.columns
        ]
        everyone = excluded + suppressed == 0
        return Recoded(pl.DataFrame(columns), None if everyone else kept, excluded, suppressed)

    def _look_up(self, frame: pl.DataFrame) -> dict[str, npt.NDArray[np.uint32]]:
        """For every row the place of its text in the dictionary of the column."""
        if not self._columns:
            return {}
        numbers = {name: frame.get_column_index(name) for name in self._columns}
        texts = frame.select(
            text_of(pl.nth(i), frame.dtypes[i], column=name, where=self._where).alias(f"c{i}")
            for name, i in numbers.items()
        )
        coded = texts.select(
            pl.nth(i).cast(column.known, strict=False) for i, column in enumerate(self._columns.values())
        )
        found = {}
        for i, (name, column) in enumerate(self._columns.items()):
            codes = coded.to_series(i)
            if codes.null_count() > texts.to_series(i).null_count():
                unknown = texts.to_series(i).filter(codes.is_null())
                column.learn(unknown.unique().drop_nulls())
                codes = texts.to_series(i).cast(column.known)
            found[name] = codes.to_physical().cast(pl.UInt32).fill_null(len(column)).to_numpy()
        return found

    def _suppressed_digits(self, suppressed: pl.DataFrame) -> pl.DataFrame:
        return pl.DataFrame(
            [
                pl.Series(name, self._columns[name].digits_of(suppressed.get_column(name)))
                for name in self._suppressed_names
            ]
        ).unique()

    def _is_suppressed(
        self, places: Mapping[str, npt.NDArray[np.uint32]], rows: int
    ) -> npt.NDArray[np.bool_]:
        if not self._suppressed_names:
            return np.zeros(rows, dtype=np.bool_)
        columns = [self._columns[name] for name in self._suppressed_names]
        digits = [column.digits[places[column.name]] for column in columns]
        if np.prod([float(column.radix) for column in columns]) < 2.0**62:
            # One number per combination: a set of numbers is searched faster than rows of text.
            radices = [column.radix for column in columns]
            wanted = _number([series.to_numpy() for series in self._suppressed.iter_columns()], radices)
            return pl.Series(_number(digits, radices)).is_in(pl.Series(wanted).implode()).to_numpy()
        frame = pl.DataFrame([pl.Series(str(i), column) for i, column in enumerate(digits)])
        wanted_rows = self._suppressed.rename(dict(zip(self._suppressed_names, frame.columns, strict=True)))
        hit = frame.with_row_index("row").join(wanted_rows, on=frame.columns, how="semi").get_column("row")
        answer = np.zeros(rows, dtype=np.bool_)
        answer[hit.to_numpy()] = True
        return answer


def _is_text(dtype: pl.DataType) -> bool:
    return isinstance(dtype, pl.String | pl.Categorical | pl.Enum)


def _number(digits: Sequence[npt.NDArray[np.int64]], radices: Sequence[int]) -> npt.NDArray[np.int64]:
    number = np.zeros(len(digits[0]), dtype=np.int64)
    for radix, digit in zip(radices, digits, strict=True):
        number = number * radix + digit
    return number
