"""t-closeness: a class reveals little more about a sensitive column than the whole table does."""

from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes
from celosia.privacy.distance import equal_distance, hierarchical_distance, ordered_distance
from celosia.privacy.model import TOLERANCE, Form, PrivacyModel, histogram_of

__all__ = ["TCloseness"]

DISTANCES = {"equal": equal_distance, "ordered": ordered_distance, "hierarchical": hierarchical_distance}


class TCloseness(PrivacyModel):
    """t-closeness: in every class the sensitive column is distributed as in the whole, up to a distance t.

    Whoever finds the class of a person learns about her hardly more than what anybody knows about everybody.
    The distance is the earth mover's: the least work that turns one distribution into the other. Two values
    are 1 apart (``equal``), as far as their places in the order, |i - j| / (m - 1) for m values (``ordered``:
    numbers, dates), or as far as the lowest level of the column's hierarchy at which they agree, over its
    height (``hierarchical``). A missing value counts as a value: the last in the order, and a branch of its
    own in the hierarchy.

    N. Li, T. Li, S. Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity. ICDE 2007.

    Their example: nine salaries from 3k to 11k. The class {3k, 4k, 5k} is 0.375 away from all of them, the
    class {6k, 8k, 11k} only 0.167: the first tells that the person earns little.

    >>> import numpy as np
    >>> from celosia.privacy.classes import Histogram
    >>> salary = Histogram(classes=np.array([0, 0, 0, 1, 1, 1, 2, 2, 2]),
    ...                    codes=np.array([0, 1, 2, 3, 5, 8, 4, 6, 7]),
    ...                    counts=np.ones(9, dtype=np.int64), rank=np.arange(9),
    ...                    values=("3k", "4k", "5k", "6k", "7k", "8k", "9k", "10k", "11k"))
    >>> classes = Classes(counts=np.array([3, 3, 3]), histograms={"salary": salary})
    >>> model = TCloseness(column="salary", t=0.2, distance="ordered")
    >>> model.distances(classes).round(3).tolist()
    [0.375, 0.167, 0.236]
    >>> model.violations(classes).tolist()
    [True, False, True]
    """

    name: ClassVar[str] = "t-closeness"
    class_monotone: ClassVar[bool] = False
    is_relative: ClassVar[bool] = True
    example: ClassVar[str] = "t=0.2,distance=ordered"
    forms: ClassVar[tuple[Form, ...]] = (
        Form("t", "", ("t",), "0.2", {"distance": "equal"}),
        *(Form("t", word, ("t",), f"{word}:0.2", {"distance": word}) for word in DISTANCES),
    )

    column: str
    t: float = Field(gt=0, le=1, description="largest distance between a class and all classes together")
    distance: Literal["equal", "ordered", "hierarchical"] = Field(
        default="equal", description="how far apart two values are"
    )

    def distances(self, classes: Classes) -> npt.NDArray[np.float64]:
        """``distances[class]`` between the class and all classes given."""
        return DISTANCES[self.distance](histogram_of(classes, self.column), len(classes.counts))

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether the class is farther than t from all classes given."""
        return self.distances(classes) > self.t + TOLERANCE

    def describe(self) -> str:
        """What the model promises.

        >>> TCloseness(column="salary", t=0.2, distance="ordered").describe()
        "'salary' is distributed in each class as in the whole release, up to an ordered distance of 0.2"
        """
        article = "a" if self.distance == "hierarchical" else "an"
        return (
            f"{self.column!r} is distributed in each class as in the whole release, "
            f"up to {article} {self.distance} distance of {self.t:g}"
        )
