"""Local suppression: single cells go missing until nobody stands alone."""

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl
from pydantic import Field, field_validator

from celosia.errors import ProjectError
from celosia.perturb.perturbation import PLAIN, Perturbation
from celosia.perturb.strict import suppress_strictly
from celosia.perturb.values import blank, codes_of
from celosia.say import say
from celosia.types import ColumnType, nearest

__all__ = ["LocalSuppression", "MissingReading"]

Codes = npt.NDArray[np.int64]


class MissingReading(StrEnum):
    """What a missing value looks like."""

    ANY = "any"
    OWN = "own"


class LocalSuppression(Perturbation):
    """Local suppression: values of rows that share their combination with fewer than k - 1 others become missing.

    ``any`` reads a missing value as one that may be anything, as sdcMicro does: a row is safe if k rows, itself among
    them, can be the same person. It takes few suppressions, but a plain count of the release finds combinations that
    occur once, and whoever knows how the cells were chosen can rule some people out. ``own`` reads it as a value of
    its own, so that every combination in the release occurs k times: that is k-anonymity as the verification counts
    it, and the safe reading. It costs more cells.

    ``importance`` says what suppressing a value of a column costs, 1 unless said; of columns that cost the same, those
    with more different values are suppressed. A row with fewer than k rows in the whole table shows nothing.

    M. Templ, A. Kowarik, B. Meindl: Statistical disclosure control for micro-data using the R package sdcMicro. Journal
    of Statistical Software 67(4), 2015, section 4.2.

    The town costs more than the sex. If a missing sex may be any, one is enough; otherwise all three have to go.

    >>> frame = pl.DataFrame({"town": ["Jaca", "Jaca", "Jaca"], "sex": ["f", "f", "m"]})
    >>> for reading in MissingReading:
    ...     technique = LocalSuppression(k=3, importance={"town": 5}, reading=reading)
    ...     technique.perturb(frame, types={}, rng=np.random.default_rng())["sex"].to_list()
    ['f', 'f', None]
    [None, None, None]
    """

    name: ClassVar[str] = "local-suppression"
    keeps: ClassVar[str] = say("every value that is left; no value becomes another")
    missing: ClassVar[str] = say(
        "a missing value matches every value, or only missing ones if read as its own"
    )
    caution: ClassVar[str] = say(
        "read as any, a missing value hides less than a count suggests; own is the safe reading"
    )
    kinds: ClassVar[tuple[ColumnType, ...]] = PLAIN

    k: int = Field(default=3, ge=2, description="rows that every row can be, itself among them")
    importance: Mapping[str, float] = Field(
        default_factory=dict, description="what suppressing a value of a column costs; 1 unless said"
    )
    reading: MissingReading = Field(
        default=MissingReading.ANY,
        description="what a missing value looks like: any (the default) or own, which is safe",
    )

    @field_validator("importance")
    @classmethod
    def _costs_something(cls, importance: Mapping[str, float]) -> Mapping[str, float]:
        if any(cost <= 0 for cost in importance.values()):
            raise ValueError(say("importances should be greater than 0"))
        return importance

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with cells suppressed."""
        columns = self.choose(frame, types)
        for name in self.importance:
            if name not in columns:
                raise ProjectError(
                    say("column {name!r} has an importance but is not looked at", name=name),
                    where=self.name,
                    remedy=nearest(name, columns),
                )
        if not columns or not frame.height:
            return frame
        codes = np.column_stack([codes_of(frame[name])[0] for name in columns])
        importance = np.array([self.importance.get(name, 1.0) for name in columns])
        costs = importance * (1 + 1e-9 / (2 + codes.max(axis=0)))
        suppress = _suppress if self.reading is MissingReading.ANY else suppress_strictly
        fresh = suppress(codes, self.k, costs)
        return frame.with_columns(
            blank(frame[name], fresh[:, place] < 0) for place, name in enumerate(columns)
        )


def _suppress(codes: Codes, k: int, costs: npt.NDArray[np.float64]) -> Codes:
    """Codes with -1 in cells so that each row can be any of k, the rarest combinations first."""
    from celosia.kernels.suppression import suppress_cells

    patterns, pattern_of, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    pattern_of = pattern_of.reshape(-1)
    sizes = counts[pattern_of]
    order = np.argsort(sizes, kind="stable")
    order = order[sizes[order] < k]
    fresh = codes.copy()
    room = np.zeros((len(order), codes.shape[1]), np.int64)
    suppress_cells(
        fresh,
        np.concatenate([patterns, room]),
        np.concatenate([counts, np.zeros(len(order), np.int64)]),
        pattern_of,
        order,
        k,
        costs,
    )
    return fresh
