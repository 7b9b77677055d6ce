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
    stands twice. ``values[code]`` is a value with its type (None for missing), ``rank[code]`` its place in the order of
    the values (None where they have none, being texts), ``hierarchy`` the column's own hierarchy where one was given.
    ``whole[code]`` are the rows of all that is released, where the classes here are not all of it or overlap.
    ``keyed`` and ``spelled`` are the same to readers who tell more values apart, where there are any: values that only
    an ambiguous text such as 01/02/2020 joins are several in ``keyed``, and all that were counted in ``spelled``.
    """

    classes: npt.NDArray[np.int64]
    codes: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    values: tuple[object, ...]
    rank: npt.NDArray[np.int64] | None
    hierarchy: Hierarchy | None = None
    whole: npt.NDArray[np.int64] | None = None
    keyed: "Histogram | None" = None
    spelled: "Histogram | None" = None

    @property
    def meanings(self) -> tuple["Histogram", ...]:
        """It, and what readers see to whom an ambiguous text joins nothing."""
        return tuple(view for view in (self, self.keyed) if view is not None)

    @property
    def views(self) -> tuple["Histogram", ...]:
        """It, and what sharper readers see: a class may be like the whole to one of them and not to another."""
        return (*self.meanings, *(view for view in (self.spelled,) if view is not None))

    def shares(self) -> npt.NDArray[np.float64]:
        """``shares[code]`` of all that is released.

        >>> found = Histogram(np.array([0, 1]), np.array([0, 1]), np.array([1, 3]), ("flu", "gout"), np.array([0, 1]))
        >>> found.shares().tolist()
        [0.25, 0.75]
        """
        size = len(self.values)
        if self.whole is not None:
            rows = np.zeros(size)
            rows[: len(self.whole)] = self.whole
        else:
            rows = np.bincount(self.codes, weights=self.counts, minlength=size).astype(np.float64)
        return rows / max(1.0, float(rows.sum()))


@dataclass(frozen=True)
class Classes:
    """Classes of a table: ``counts[class]`` rows each, and the histograms of the sensitive columns.

    Where a population is known, ``population[class]`` of its people would be in the class, and ``absent`` in none.
    ``losses[class]`` is the share of information that its labels take away: 0 for values, 1 for roots.
    ``labels[column][class]`` is the number of the label that it shows, where some promise asks that: classes with equal
    labels in some columns are one group to whoever knows only these.
    """

    counts: npt.NDArray[np.int64]
    histograms: Mapping[str, Histogram] = field(default_factory=dict)
    population: npt.NDArray[np.int64] | None = None
    absent: int = 0
    losses: npt.NDArray[np.float64] | None = None
    labels: Mapping[str, npt.NDArray[np.int64]] | None = None
