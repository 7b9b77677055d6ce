"""Rank swapping: values change places with others of nearly the same rank."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import codes_of, numbers_of, reorder
from celosia.say import say
from celosia.types import DATES, NUMBERS, ColumnType

__all__ = ["RankSwapping"]


class RankSwapping(Perturbation):
    """Rank swapping: in every column, each value changes places with another one that is not far from it in rank.

    A column keeps exactly the values it has, so that everything about it alone stays; how columns go together is
    blurred, the more the larger the share. Of n values, those that swap are fewer than ⌊share · n⌋ ranks apart, and at
    least neighbours may; ``rankSwap`` of sdcMicro does the same with its P, which it also takes as a fraction.

    R. A. Moore: Controlled data-swapping techniques for masking public use microdata sets. US Bureau of the Census,
    Research Report 96-04, 1996.

    Among six values with a share of 0.5 partners are at most two ranks apart.

    >>> frame = pl.DataFrame({"age": [10, 20, 30, 40, 50, 60]})
    >>> RankSwapping(share=0.5).perturb(frame, types={}, rng=np.random.default_rng(1))["age"].to_list()
    [30, 40, 10, 20, 60, 50]
    """

    name: ClassVar[str] = "rank-swapping"
    keeps: ClassVar[str] = say(
        "the values of every column exactly, each within a share of the ranks of where it was"
    )
    kinds: ClassVar[tuple[ColumnType, ...]] = (*NUMBERS, *DATES)

    share: float = Field(
        default=0.05,
        gt=0,
        le=1,
        description="how far apart in rank values may be that swap, as a share of all",
    )

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with values swapped, column by column."""
        from celosia.kernels.rank_swap import rank_partners

        changed = []
        for name in self.choose(frame, types):
            values = frame[name]
            is_text = values.dtype == pl.String  # numbers that are kept as texts have another order
            codes = codes_of(
                pl.Series(numbers_of(frame, [name])[:, 0], nan_to_null=True) if is_text else values
            )[0]
            # Equal values have no order of their own: they get one by chance.
            order = np.lexsort((rng.random(len(codes)), codes))
            order = order[np.count_nonzero(codes < 0) :]
            reach = max(1, int(self.share * len(order)) - 1)
            partners = rank_partners(len(order), reach, rng.random(len(order)))
            source = np.arange(frame.height)
            source[order] = order[partners]
            changed.append(reorder(values, source))
        return frame.with_columns(changed)
