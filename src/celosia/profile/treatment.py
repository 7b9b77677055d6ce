"""A treatment of a column that singles people out: what is done, and what that leaves."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from celosia.say import Text

__all__ = ["DROP", "Integers", "Reals", "Treatment", "chance_alike"]

DROP = "drop"
"""What treats a column where nothing milder does."""

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Treatment:
    """An operation as ``--mask`` takes it, and what it leaves: rows alone, and rows in groups smaller than k.

    ``alike`` is the chance that two rows drawn at random show the same: the less, the more is left of the column.
    """

    operation: str
    described: Text
    alone: int
    small: int
    alike: float = 1.0


def chance_alike(groups: Integers) -> float:
    """The chance that two rows are in the same group.

    >>> chance_alike(np.array([5, 5]))
    0.5
    """
    rows = float(groups.sum())
    return float((groups.astype(np.float64) ** 2).sum()) / rows**2 if rows else 1.0
