"""A recoding at work: rows come in as the table holds them and leave with labels, or stay behind."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import TableError
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


class _Dictionary:
    """The distinct texts of one column met so far, and what becomes of each.

    Work is done once per distinct text; rows only look up. A place beyond the last text is that of a missing value.
    """

    def __init__(self, name: str, recoding: Recoding, missing: Collection[str], marker: str | None) -> None:
        self.name = name
        self._missing = frozenset(missing)
        self._fill = recoding.filled.get(name)
        self._excluded = frozenset(recoding.excluded.get(name, ()))
        self._map: Mapping[str | None, str | None] | None = recoding.maps.get(name)
        self._marker = marker
        self._suppressed = _distinct(recoding.suppressed, name)
        self.kind: pl.DataType = pl.String()
        texts: list[str] = []
        if self._map is not None:
            labels = {marker if label is None else label for label in self._map.values()} - {None}
            self.kind = pl.Enum(sorted(label for label in labels if label is not None))
            texts = [text for text in self._map if text is not None]
        self._learn(pl.Series(texts, dtype=pl.String))

    @property
    def radix(self) -> int:
        """How many labels the suppressed combinations distinguish, with one for all others."""
        return len(self._suppressed) + 1

    def digits_of(self, labels: pl.Series) -> npt.NDArray[np.int64]:
        """Places of labels among those of the suppressed combinations."""
        return np.array([self._suppressed[label] for label in labels.to_list()], dtype=np.int64)
