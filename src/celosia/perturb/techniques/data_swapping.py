"""Data swapping: people of the same kind change places."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.errors import ProjectError
from celosia.perturb.perturbation import PLAIN, Perturbation
from celosia.perturb.values import codes_of, reorder
from celosia.say import say
from celosia.types import ColumnType, nearest

__all__ = ["DataSwapping"]


class DataSwapping(Perturbation):
    """Data swapping: pairs of rows that agree in some columns exchange what they have in others.

    The columns named are swapped together, between rows that agree in all of ``within``. So every table of counts of
    swapped columns alone, and of swapped columns with those of ``within``, is the same as before; others are not.
    Rows whose kind has no second row that is to be swapped stay as they are.

    T. Dalenius, S. P. Reiss: Data-swapping: a technique for disclosure control. Journal of Statistical Planning and
    Inference 6(1), 1982.

    Two women exchange their towns, and so do two men.

    >>> frame = pl.DataFrame({"sex": ["f", "m", "f", "m"], "town": ["Jaca", "Teruel", "Huesca", "Ejea"]})
    >>> technique = DataSwapping(columns=("town",), within=("sex",), share=1)
    >>> technique.perturb(frame, types={}, rng=np.random.default_rng(1))["town"].to_list()
    ['Huesca', 'Ejea', 'Jaca', 'Teruel']
    """

    name: ClassVar[str] = "data-swapping"
    keeps: ClassVar[str] = say(
        "every count of the swapped columns among themselves and with the columns they swap within"
    )
    missing: ClassVar[str] = say("a missing value is swapped like any other; rows that lack the same agree")
    kinds: ClassVar[tuple[ColumnType, ...]] = (*PLAIN, ColumnType.OTHER)

    columns: tuple[str, ...] = Field(min_length=1, description="the columns that are swapped, together")
    within: tuple[str, ...] = Field(default=(), description="the columns in which rows that swap agree")
    share: float = Field(default=0.1, gt=0, le=1, description="share of the rows that are to be swapped")

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with rows swapped."""
        columns = self.choose(frame, types)
        for name in self.within:
            if name not in frame.columns or name in columns:
                raise ProjectError(
                    say("rows cannot agree in {name!r}, which is swapped", name=name)
                    if name in columns
                    else say("rows cannot agree in {name!r}", name=name),
                    where=f"{self.name}, within",
                    remedy=nearest(name, tuple(other for other in frame.columns if other not in columns)),
                )
        wanted = np.flatnonzero(rng.random(frame.height) < self.share)
        kinds = np.zeros(len(wanted), np.int64)
        for name in self.within:
            codes = codes_of(frame[name])[0][wanted]
            kinds = np.unique(np.column_stack([kinds, codes]), axis=0, return_inverse=True)[1].reshape(-1)
        order = np.lexsort((rng.random(len(wanted)), kinds))
        wanted, kinds = wanted[order], kinds[order]
        place = np.arange(len(kinds)) - np.searchsorted(kinds, kinds)
        other = np.arange(len(kinds)) + np.where(place % 2 == 0, 1, -1)
        has_partner = other < len(kinds)
        has_partner[has_partner] = kinds[has_partner] == kinds[other[has_partner]]
        source = np.arange(frame.height)
        source[wanted[has_partner]] = wanted[other[has_partner]]
        return frame.with_columns(reorder(frame[name], source) for name in columns)
