"""The distinct values of one column and what a recoding makes of each: rows only look up."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.lookup import ValueLookup
from celosia.tables.table import Recoding
from celosia.values.parse import ValueParser
from celosia.values.same import as_values
from celosia.values.text import texts_of

__all__ = ["Dictionary"]

Numbers = npt.NDArray[np.int64]


class Dictionary:
    """Values met so far in a column, numbered; 0 stands for a missing one.

    By number, ``excluded`` says whether such rows are left out and ``digits`` which label of the suppressed
    combinations they carry (``radix - 1``: none of them). ``parser`` says what texts are as values; ``marker`` is the
    text of a missing label where the destination has no null.

    >>> column = Dictionary("age", Recoding(maps={"age": {31: "3*", None: "?"}}), missing=())
    >>> column.release(column.numbers(pl.Series([31, None, 31]))).to_list()
    ['3*', '?', '3*']
    """

    def __init__(
        self,
        name: str,
        recoding: Recoding,
        *,
        missing: Collection[str],
        marker: str | None = None,
        is_text: bool = True,
        parser: ValueParser | None = None,
        where: str = "",
    ) -> None:
        self.name = name
        self._missing, self._marker, self._parser, self._where = tuple(missing), marker, parser, where
        self._fill = recoding.filled.get(name)
        self._left_out = frozenset(recoding.excluded.get(name, ()))
        self._map = recoding.maps.get(name)
        self._unified = is_text and name in recoding.unified
        labels = (
            recoding.suppressed.get_column(name).alias("")
            if name in recoding.suppressed.columns
            else pl.Series([])
        )
        self._digits: dict[str | None, int] = {label: i for i, label in enumerate(labels.unique().to_list())}
        # Where texts are read as values and none has a label, a text to be suppressed stands for its value.
        self._keeps_texts = parser is not None and self._map is None
        self._value_digits: dict[Any, int] = {}
        if self._keeps_texts and parser is not None:
            known = list(self._digits)
            values = as_values(pl.Series(known, dtype=pl.String), missing=missing, parser=parser, column=name)
            self._value_digits = dict(zip(values.to_list(), self._digits.values(), strict=True))
        self.dtype = self._released_type()
        self._lookup = ValueLookup(self._learn)
        self._numbers: dict[Any, int] = {}
        self._values: list[Any] = []
        self._shown: list[str | None] = []
        self._add([(None, None)])

    def _released_type(self) -> pl.DataType | None:
        """How released values are held: labels of a map as Enum, filled or unified ones as text, others as they are."""
        if self._map is not None:
            labels = {self._marker if label is None else label for label in self._map.values()}
            return pl.Enum(sorted(label for label in labels if label is not None))
        return pl.String() if self._fill is not None or self._unified else None

    @property
    def excludes(self) -> bool:
        """Whether any value leaves rows out."""
        return bool(self._left_out)

    @property
    def radix(self) -> int:
        """How many labels the suppressed combinations tell apart, and one for all others."""
        return len(self._digits) + 1

    def digits_of(self, labels: pl.Series) -> Numbers:
        """The digits of labels that stand in the suppressed combinations."""
        return np.array([self._digits[label] for label in labels.to_list()], dtype=np.int64)

    def numbers(self, rows: pl.Series) -> Numbers:
        """The number of every row's value; values that were not met before are learnt."""
        return self._lookup.numbers(rows, missing=0)

    def _learn(self, distinct: pl.Series) -> Numbers:
        """Number distinct values of the table, and settle what becomes of each."""
        values = as_values(
            distinct, missing=self._missing, parser=self._parser, column=self.name, where=self._where
        )
        # A text that is not read as anything else is shown as it stands; so is what has one spelling only.
        texts = distinct if distinct.dtype == pl.String else texts_of(values, column=self.name)
        known = values.to_list()
        met = [(value, text) for value, text in zip(known, texts.to_list(), strict=True) if value is not None]
        fresh = {self._key(value, text): (value, text) for value, text in met}
        self._add([pair for key, pair in fresh.items() if key not in self._numbers])
        return np.array(
            [
                0 if value is None else self._numbers[self._key(value, text)]
                for value, text in zip(known, texts.to_list(), strict=True)
            ],
            dtype=np.int64,
        )

    def _key(self, value: Any, text: str | None) -> Any:
        """What is numbered: values, or where texts leave as they are, those."""
        return text if self._keeps_texts else value

    def _add(self, pairs: Sequence[tuple[Any, str | None]]) -> None:
        for value, text in pairs:
            self._numbers[self._key(value, text)] = len(self._values)
            becomes = self._fill if value is None else value
            self._values.append(becomes)
            self._shown.append(self._label(becomes, text))
        if pairs:
            self._settle()

    def _label(self, value: Any, text: str | None) -> str | None:
        if self._map is not None:
            return self._map.get(value)
        if text is not None or value is None:
            return text
        return str(texts_of(pl.Series([value]), column=self.name)[0])

    def _settle(self) -> None:
        self.excluded = np.array([value in self._left_out for value in self._values], dtype=np.bool_)
        self._unmapped = np.array(
            [self._map is not None and value not in self._map for value in self._values], dtype=np.bool_
        )
        none = len(self._digits)
        by_label = [self._digits.get(label, none) for label in self._shown]
        by_value = [self._value_digits.get(value, none) for value in self._values]
        self.digits = np.array(by_value if self._keeps_texts else by_label, dtype=np.int64)
        self._labels = self._series(self._shown)

    def _series(self, labels: Sequence[str | None]) -> pl.Series:
        shown = [self._marker if label is None else label for label in labels]
        if isinstance(self.dtype, pl.Enum):
            allowed = set(self.dtype.categories)
            # A value that the map lacks has no label; it never leaves, see check_mapped.
            shown = [label if label in allowed else None for label in shown]
        return pl.Series(shown, dtype=self.dtype or pl.String)

    def check_mapped(self, numbers: Numbers, *, where: str = "") -> None:
        """Raise if a value that stays has no label: it would be released as it is."""
        if self._unmapped.any() and (bad := self._unmapped[numbers]).any():
            value = self._values[int(numbers[int(bad.argmax())])]
            raise TableError(
                say("the recoding of column {column!r} lacks a missing value", column=self.name)
                if value is None
                else say(
                    "the recoding of column {column!r} lacks the value {value!r}",
                    column=self.name,
                    value=str(value),
                ),
                where=where,
                remedy=say("add it to the hierarchy, or exclude such rows"),
            )

    def release(self, numbers: Numbers) -> pl.Series:
        """The labels of rows."""
        return self._labels.gather(numbers).alias(self.name)
