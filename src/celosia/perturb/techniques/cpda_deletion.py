"""The deletion of the original comparator of precision: rows with a value that nobody else has."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import numbers_of
from celosia.say import say
from celosia.types import NUMBERS, ColumnType

__all__ = ["CpdaDeletion"]


class CpdaDeletion(Perturbation):
    """Deletion of rows with unique values, as CPDA does it: column by column, of the rows that are left.

    A row goes if its number in the column at hand is that of no other row. After a later column a number of an earlier
    one may be unique again, so that some are left; the order of the columns matters; and two columns that are
    harmless for themselves may still be unique together. In tables of measurements few rows are left, or none.

    V. I. Liñayo Vega: Anonimización para minería de datos en entornos médicos. Universidad de Zaragoza, 2020.

    The 50 of column a is unique; then so is the 2 of column b.

    >>> frame = pl.DataFrame({"a": [40, 40, 50, 40], "b": [1, 1, 2, 2]})
    >>> CpdaDeletion().perturb(frame, types={}, rng=np.random.default_rng()).rows()
    [(40, 1), (40, 1)]
    """

    name: ClassVar[str] = "cpda-deletion"
    keeps: ClassVar[str] = say("all values of the rows that are left")
    missing: ClassVar[str] = say("a missing value is never unique")
    caution: ClassVar[str] = say(
        "rows are deleted, often most of them, and values that are unique together stay"
    )
    is_aligned: ClassVar[bool] = False
    kinds: ClassVar[tuple[ColumnType, ...]] = NUMBERS

    skipped: tuple[str, ...] = Field(default=("id",), description="columns that are not looked at")

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The rows that are left."""
        for name in self.choose(frame, types):
            if name not in self.skipped:
                values = pl.Series(numbers_of(frame, [name])[:, 0], nan_to_null=True)
                frame = frame.filter(values.is_duplicated() | values.is_null())
        return frame
