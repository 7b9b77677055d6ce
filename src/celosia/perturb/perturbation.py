"""What every perturbation is: parameters, and a function from a table to one whose values are no longer true.

A recoding makes values less exact, a perturbation makes them wrong on purpose, and says which statistics survive that.
Whatever it needs to know about the table, such as deviations and ranges, it takes from the table it is given: in a
chain, from what the technique before it made.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import DATES, NUMBERS, ColumnType, either, nearest
from celosia.values.text import column_type

__all__ = ["CATEGORIES", "PLAIN", "Perturbation"]

CATEGORIES = (ColumnType.TEXT, ColumnType.BOOLEAN)
PLAIN = (*NUMBERS, *DATES, *CATEGORIES)
"""Every type whose values can be compared."""


class Perturbation(BaseModel, ABC):
    """A way to change values; a module of ``techniques/`` with a subclass that has a ``name`` adds one.

    Its fields are its parameters: documents, functions and command line know them by these names.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    name: ClassVar[str]
    keeps: ClassVar[str]
    """Which statistics it keeps, in one sentence; a test holds it to that."""
    missing: ClassVar[str] = say("a missing value stays missing and counts for nothing")
    """What it does with missing values."""
    caution: ClassVar[str] = ""
    """What whoever chooses it should be told first."""
    is_aligned: ClassVar[bool] = True
    """Whether row i of what it makes comes from row i of what it was given."""
    makes_rows: ClassVar[bool] = False
    """Whether its rows are nobody's, even if they happen to be those of somebody."""
    kinds: ClassVar[tuple[ColumnType, ...]] = NUMBERS
    """The types of columns it can change."""
    unasked: ClassVar[tuple[ColumnType, ...] | None] = None
    """The types it changes where no columns are named; all it can change unless said."""

    columns: tuple[str, ...] = Field(
        default=(), description="the columns that it changes; all that it can change unless given"
    )
    seed: int | None = Field(default=None, ge=0, description="the same seed makes the same table")

    @property
    def named(self) -> tuple[str, ...]:
        """The columns that whoever chose it named, in one way or another."""
        return self.columns

    def suits(self, kind: ColumnType) -> bool:
        """Whether it can change columns of a type."""
        return kind in self.kinds

    @abstractmethod
    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table, changed; what it is given stays as it is."""

    def choose(self, frame: pl.DataFrame, types: Mapping[str, ColumnType]) -> tuple[str, ...]:
        """The columns that it changes in a table, in the order of the table."""
        kinds = {name: types.get(name, column_type(dtype)) for name, dtype in frame.schema.items()}
        for name in self.columns:
            if name not in kinds:
                raise ProjectError(
                    say("column {name!r} does not exist", name=name),
                    where=self.name,
                    remedy=nearest(name, tuple(kinds)),
                )
            if not self.suits(kinds[name]):
                raise ProjectError(
                    say(
                        "column {column!r} is {type}, which {technique} cannot change",
                        column=name,
                        type=kinds[name],
                        technique=self.name,
                    ),
                    where=self.name,
                    remedy=say(
                        "name columns of type {names}, or take another technique",
                        names=either(self.kinds),
                    ),
                )
        if len(set(self.columns)) < len(self.columns):
            raise ProjectError(
                say("a column is named twice"), where=self.name, remedy=say("name every column once")
            )
        usual = self.kinds if self.unasked is None else self.unasked
        wanted = self.columns or tuple(name for name, kind in kinds.items() if kind in usual)
        return tuple(name for name in frame.columns if name in wanted)
