"""Fully synthetic tables: people who do not exist, like those who do."""

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

__all__ = ["Synthetic"]


class Synthetic(Perturbation):
    """A fully synthetic table, by sequential trees: column after column is drawn given those before it.

    The first column is drawn from its values. For each further one a tree is grown that tells it from the columns
    before; a synthetic row goes down that tree with what it has so far, and gets the value of somebody who ended in the
    same leaf. Every single value is that of a real person, so round or top-code what is rare first. By chance all
    donors of a row may be the same person, who is then in the release as a whole: of 4,000 rows with four columns about
    3 percent were. Larger leaves and more columns make that rarer. Columns that are not synthesized are left out: they
    would have nobody to belong to.

    J. P. Reiter: Using CART to generate partially synthetic, public use microdata. Journal of Official Statistics
    21(3), 2005; B. Nowok, G. M. Raab, C. Dibben: synthpop: bespoke creation of synthetic data in R. Journal of
    Statistical Software 74(11), 2016.

    >>> frame = pl.DataFrame({"sex": ["f", "m"] * 50, "height": [160, 180] * 50})
    >>> made = Synthetic(rows=4).perturb(frame, types={}, rng=np.random.default_rng(7))
    >>> made.rows()
    [('f', 160), ('f', 160), ('f', 160), ('m', 180)]
    """

    name: ClassVar[str] = "synthetic"
    keeps: ClassVar[str] = say("the distribution of every column, and roughly how columns go together")
    missing: ClassVar[str] = say("a missing value is drawn like any other")
    caution: ClassVar[str] = say(
        "every value is that of a real person, and by chance some rows repeat a real one as a whole"
    )
    is_aligned: ClassVar[bool] = False
    makes_rows: ClassVar[bool] = True
    kinds: ClassVar[tuple[ColumnType, ...]] = PLAIN

    least: int = Field(default=5, ge=1, description="people that every leaf of a tree has at least")
    rows: int | None = Field(
        default=None, ge=0, description="rows to make; as many as there are unless given"
    )

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """A table of synthetic rows."""
        columns = self.choose(frame, types)
        if not frame.height:
            return frame[list(columns)]
        features = features_of(frame, columns, types)
        wanted = frame.height if self.rows is None else self.rows
        asked = np.empty((wanted, len(columns)))
        drawn = []
        for place, name in enumerate(columns):
            donors = draw_donors(
                features[:, :place],
                features[:, place],
                asked[:, :place],
                is_category=is_category(frame, name, types),
                least=self.least,
                rng=rng,
            )
            asked[:, place] = features[donors, place]
            drawn.append(reorder(frame[name], donors))
        return pl.DataFrame(drawn)
