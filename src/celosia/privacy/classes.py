"""What a privacy model looks at: the classes of a table and, per class, the histogram of each sensitive column."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from celosia.hierarchies import Hierarchy

__all__ = ["Classes", "Histogram"]


@dataclass(frozen=True)
class Histogram:
    """The values of one sensitive column by class, sparse: one entry per class and value that occurs in it.

    ``classes[entry]`` and ``codes[entry]`` say which class and which value, ``counts[entry]`` how many rows; no pair
    stands twice. ``values[code]`` is the text of a value (None for missing), ``rank[code]`` its place in the order of
    the values, ``hierarchy`` the column's own hierarchy where one was given. ``whole[code]`` are the rows of
    all that is released, where the classes here are not all of it or overlap.
    """

    classes: npt.NDArray[np.int64]
    codes: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    values: tuple[str | None, ...]
    rank: npt.NDArray[np.int64]
    hierarchy: Hierarchy | None = None
    whole: npt.NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Classes:
    """Classes of a table: ``counts[class]`` rows each, and the histograms of the sensitive columns."""

    counts: npt.NDArray[np.int64]
    histograms: Mapping[str, Histogram] = field(default_factory=dict)
