"""The distinct texts of one column and what a recoding makes of each: rows only look up."""

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import TableError
from celosia.tables.table import Recoding

__all__ = ["Dictionary"]


class Dictionary:
    """Texts met so far in a column, numbered; the number after the last stands for a missing value.

    ``known`` is the type that numbers texts; by number, ``excluded`` says whether such rows are left out and
    ``digits`` which label of the suppressed combinations they carry (``radix - 1``: none of them).

    >>> column = Dictionary("age", Recoding(maps={"age": {"31": "3*", None: "?"}}), missing=("NA",))
    >>> column.learn(pl.Series(["NA"]))
    >>> column.release(np.array([0, 1, 2], dtype=np.int64)).to_list()
    ['3*', '?', '?']
    """

    def __init__(
        self,
        name: str,
        recoding: Recoding,
        *,
        missing: Collection[str],
        marker: str | None = None,
        is_text: bool = True,
    ) -> None:
        self.name = name
        self._missing, self._marker = frozenset(missing), marker
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
        self.dtype = self._released_type()
        self._texts: list[str] = []
        self._values: list[str | None] = []
        self.learn(pl.Series([text for text in self._map or () if text is not None], dtype=pl.String))

    def _released_type(self) -> pl.DataType | None:
        """How released values are held: labels of a map as Enum, filled or unified ones as text, others as they are."""
        if self._map is not None:
            labels = {self._marker if label is None else label for label in self._map.values()}
            return pl.Enum(sorted(label for label in labels if label is not None))
        return pl.String() if self._fill is not None or self._unified else None

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def excludes(self) -> bool:
        """Whether any value leaves rows out."""
        return bool(self._left_out)

    @property
    def radix(self) -> int:
        """How many labels the suppressed combinations tell apart, and one for all others."""
        return len(self._digits) + 1

    def digits_of(self, labels: pl.Series) -> npt.NDArray[np.int64]:
        """The digits of labels that stand in the suppressed combinations."""
        return np.array([self._digits[label] for label in labels.to_list()], dtype=np.int64)

    def learn(self, texts: pl.Series) -> None:
        """Add texts that are not known yet, and settle what becomes of each."""
        self._texts += texts.to_list()
        self.known = pl.Enum(self._texts)
        values = [self._value(text) for text in [*self._texts, None]]
        labels = [self._map.get(value) for value in values] if self._map is not None else values
        self._values = values
        self.excluded = np.array([value in self._left_out for value in values], dtype=np.bool_)
        self._unmapped = np.array(
            [self._map is not None and value not in self._map for value in values], dtype=np.bool_
        )
        none = len(self._digits)
        self.digits = np.array([self._digits.get(label, none) for label in labels], dtype=np.int64)
        self._labels = self._series(labels)

    def _value(self, text: str | None) -> str | None:
        value = None if text in self._missing else text
        return self._fill if value is None else value

    def _series(self, labels: Sequence[str | None]) -> pl.Series:
        shown = [self._marker if label is None else label for label in labels]
        if isinstance(self.dtype, pl.Enum):
            allowed = set(self.dtype.categories)
            # A value that the map lacks has no label; it never leaves, see check_mapped.
            shown = [label if label in allowed else None for label in shown]
        return pl.Series(shown, dtype=self.dtype or pl.String)

    def check_mapped(self, numbers: npt.NDArray[np.int64], *, where: str = "") -> None:
        """Raise if a value that stays has no label: it would be released as it is."""
        if self._unmapped.any() and (bad := self._unmapped[numbers]).any():
            value = self._values[int(numbers[int(bad.argmax())])]
            shown = "a missing value" if value is None else f"the value {value!r}"
            raise TableError(
                f"the recoding of column {self.name!r} lacks {shown}",
                where=where,
                remedy="add it to the hierarchy, or exclude such rows",
            )

    def release(self, numbers: npt.NDArray[np.int64]) -> pl.Series:
        """The labels of rows."""
        return self._labels.gather(numbers).alias(self.name)
