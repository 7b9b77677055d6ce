"""What becomes of values, worked out once per distinct value while these are few: rows only look up."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.mask.values import by_plain_name, texts_of
from celosia.tables.lookup import NarrowLookup, is_narrow_type

__all__ = ["PerDistinct"]

MOST = 1 << 16
"""Distinct values remembered; a column with more of them is worked out row by row."""


class PerDistinct:
    """Applies a function of texts to the values of a column, batch after batch.

    ``work`` takes distinct texts, none of them missing, under the name of the column, and gives as many values, always
    of one type. Values that are no texts are turned into texts first; missing ones stay missing.

    >>> shorten = PerDistinct(lambda texts: texts.str.head(2))
    >>> shorten(pl.Series(["Soria", None, "Lugo", "Soria"])).to_list()
    ['So', None, 'Lu', 'So']
    >>> shorten(pl.Series([2024, 1999])).to_list()
    ['20', '19']
    """

    def __init__(self, work: Callable[[pl.Series], pl.Series], *, location: str = "") -> None:
        self._work, self._where = work, location
        self._texts: list[str] = []
        self._known: pl.Enum | None = None
        self._lookup = NarrowLookup(self._number)
        self._results = work(pl.Series([], dtype=pl.String))
        self._is_wide = False
        self._name = ""

    def __call__(self, values: pl.Series) -> pl.Series:
        """What becomes of the values of a batch."""
        name, values = values.name, by_plain_name(values)
        self._name = values.name
        numbers = self._look_up(values)
        if numbers is None:
            return self._work_directly(texts_of(values, location=self._where)).alias(name)
        return self._results.gather(numbers).alias(name)

    def _look_up(self, values: pl.Series) -> pl.Series | npt.NDArray[np.int64] | None:
        """The place of what becomes of every value among the results; None if there are too many to remember."""
        if self._is_wide:
            return None
        if is_narrow_type(values.dtype):
            return self._look_up_narrow(values)
        texts = texts_of(values, location=self._where)
        codes = self._codes(texts)
        if codes.null_count() > texts.null_count():
            new = texts.filter(codes.is_null()).drop_nulls().unique(maintain_order=True)
            if len(self._texts) + len(new) > MOST:
                self._is_wide = True
                return None
            self._number(new)
            codes = self._codes(texts)
        return codes

    def _look_up_narrow(self, values: pl.Series) -> pl.Series | None:
        numbers = self._lookup.numbers(values, missing=-1)
        if numbers is None or len(self._results) > 2 * MOST:
            self._is_wide = True
            return None
        narrow = pl.Series(numbers)
        return narrow.set(narrow < 0, None) if values.null_count() else narrow

    def _codes(self, texts: pl.Series) -> pl.Series:
        if self._known is None:
            return pl.Series([None], dtype=pl.UInt32).new_from_index(0, len(texts))
        return texts.cast(self._known, strict=False).to_physical()

    def _number(self, distinct: pl.Series) -> npt.NDArray[np.int64]:
        """Remember distinct values that are new, and what becomes of them; returns their places."""
        texts = texts_of(distinct.alias(self._name), location=self._where)
        first = len(self._results)
        self._results = pl.concat([self._results, self._work(texts)], rechunk=True)
        if distinct.dtype == pl.String:
            self._texts += texts.to_list()
            self._known = pl.Enum(self._texts)
        return np.arange(first, len(self._results), dtype=np.int64)

    def _work_directly(self, texts: pl.Series) -> pl.Series:
        if not texts.null_count():
            return self._work(texts)
        places = texts.is_not_null().cum_sum().cast(pl.Int64) - 1
        return self._work(texts.drop_nulls()).gather(
            places.zip_with(texts.is_not_null(), pl.Series([None], dtype=pl.Int64))
        )
