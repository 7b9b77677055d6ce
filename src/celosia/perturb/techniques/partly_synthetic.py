"""Partially synthetic tables: some columns of real people are made up."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.perturb.perturbation import PLAIN, Perturbation
from celosia.perturb.trees import draw_donors, features_of, is_category
from celosia.perturb.values import reorder
from celosia.say import say
from celosia.types import ColumnType
from celosia.values.text import column_type

__all__ = ["PartlySynthetic"]


class PartlySynthetic(Perturbation):
    """A partially synthetic table, by sequential trees: the columns named are drawn given all others.

    Rows stay those of their people, with their true values in the columns that are not named; a value of a named column
    is that of somebody who ended in the same leaf of a tree grown on the other columns and on those already drawn.

    J. P. Reiter: Using CART to generate partially synthetic, public use microdata. Journal of Official Statistics
    21(3), 2005.

    >>> frame = pl.DataFrame({"sex": ["f", "m"] * 10, "pay": list(range(20))})
    >>> made = PartlySynthetic(columns=("pay",), least=10).perturb(frame, types={}, rng=np.random.default_rng(1))
    >>> made.rows()[:3]
    [('f', 18), ('m', 3), ('f', 18)]
    """

    name: ClassVar[str] = "partly-synthetic"
    keeps: ClassVar[str] = say(
        "all other columns exactly, and roughly how the columns named go together with them"
    )
    missing: ClassVar[str] = say("a missing value is drawn like any other")
    caution: ClassVar[str] = say("whoever knows the other columns of somebody finds the row")
    kinds: ClassVar[tuple[ColumnType, ...]] = PLAIN

    columns: tuple[str, ...] = Field(
        min_length=1, description="the columns that are made up, in the order of the table"
    )
    least: int = Field(default=5, ge=1, description="people that every leaf of a tree has at least")

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with some columns made up."""
        columns = self.choose(frame, types)
        if not frame.height:
            return frame
        kinds = {name: types.get(name, column_type(dtype)) for name, dtype in frame.schema.items()}
        others = [name for name, kind in kinds.items() if name not in columns and kind in PLAIN]
        known = features_of(frame, [*others, *columns], types)
        asked = known.copy()
        drawn = []
        for place, name in enumerate(columns, len(others)):
            donors = draw_donors(
                known[:, :place],
                known[:, place],
                asked[:, :place],
                is_category=is_category(frame, name, types),
                least=self.least,
                rng=rng,
            )
            asked[:, place] = known[donors, place]
            drawn.append(reorder(frame[name], donors))
        return frame.with_columns(drawn)
