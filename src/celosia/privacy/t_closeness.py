"""t-closeness: a class reveals little more about a sensitive column than the whole table does."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt
import polars as pl
from pydantic import Field, field_validator, model_validator

from celosia.errors import ProjectError
from celosia.privacy.classes import Classes, Histogram
from celosia.privacy.distance import equal_distance, hierarchical_distance, ordered_distance
from celosia.privacy.model import TOLERANCE, ModelSyntax, PrivacyModel, histogram_of
from celosia.privacy.order import rank_values
from celosia.say import say

__all__ = ["TCloseness"]

DISTANCES = {"equal": equal_distance, "ordered": ordered_distance, "hierarchical": hierarchical_distance}


class TCloseness(PrivacyModel):
    """t-closeness: in every class the sensitive column is distributed as in the whole, up to a distance t.

    Whoever finds the class of a person learns about her hardly more than what anybody knows about everybody.
    The distance is the earth mover's: the least work that turns one distribution into the other. Two values
    are 1 apart (``equal``), as far as their places in the order, |i - j| / (m - 1) for m values (``ordered``:
    numbers, dates, or texts whose ``order`` is given, for the alphabet is none), or as far as the lowest level of
    the column's hierarchy at which they agree, over its height (``hierarchical``). A missing value counts as a
    value: the last in the order, and a branch of its own in the hierarchy. Where readers tell values apart
    differently, the largest distance that one of them finds counts.

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
    forms: ClassVar[tuple[ModelSyntax, ...]] = (
        ModelSyntax("t", "", ("t",), "0.2", {"distance": "equal"}),
        *(ModelSyntax("t", word, ("t",), f"{word}:0.2", {"distance": word}) for word in DISTANCES),
        ModelSyntax("t", "ordered", ("t", "order"), "ordered:0.2:low,middle,high", {"distance": "ordered"}),
    )

    column: str
    t: float = Field(gt=0, le=1, description="largest distance between a class and all classes together")
    distance: Literal["equal", "ordered", "hierarchical"] = Field(
        default="equal", description="how far apart two values are"
    )

    order: tuple[str, ...] | None = Field(
        default=None,
        description="the values from the least to the greatest, for the ordered distance of texts",
    )

    @field_validator("order", mode="before")
    @classmethod
    def _separated(cls, order: object) -> object:
        return tuple(text.strip() for text in order.split(",")) if isinstance(order, str) else order

    @model_validator(mode="after")
    def _in_order(self) -> "TCloseness":
        if self.order is not None and self.distance != "ordered":
            raise ValueError(
                say(
                    "an order of the values is for the ordered distance, not the {distance} one",
                    distance=self.distance,
                )
            )
        twice = [text for text, times in Counter(self.order or ()).items() if times > 1]
        if twice:
            raise ValueError(say("the order names {value!r} twice", value=twice[0]))
        return self

    @property
    def guards(self) -> str | None:
        """Its column; no class is farther than 1 from the whole."""
        return self.column if self.t < 1 else None

    @property
    def asks_for_values(self) -> bool:
        """Whether their order matters."""
        return self.distance == "ordered"

    def check_values(self, values: Sequence[object] | pl.Series) -> None:
        """Raise if the distance is ordered and these values have no order."""
        if self.asks_for_values:
            self._rank(rank_values(values), values)

    def distances(self, classes: Classes) -> npt.NDArray[np.float64]:
        """``distances[class]`` between the class and all classes given, as far as any reader finds them."""
        histogram = histogram_of(classes, self.column)
        # Places in an order or a hierarchy belong to values, not to spellings.
        views = histogram.views if self.distance == "equal" else histogram.meanings
        distances = np.zeros(len(classes.counts))
        for view in views:
            distances = np.maximum(distances, self._distances(view, len(classes.counts)))
        return distances

    def _distances(self, histogram: Histogram, classes: int) -> npt.NDArray[np.float64]:
        if self.asks_for_values:
            histogram = replace(histogram, rank=self._rank(histogram.rank, histogram.values))
        return DISTANCES[self.distance](histogram, classes)

    def _rank(
        self, natural: npt.NDArray[np.int64] | None, values: Sequence[object] | pl.Series
    ) -> npt.NDArray[np.int64]:
        """The order given, or the one that the values have."""
        ranks = natural if self.order is None else rank_values(values, order=self.order)
        if ranks is not None:
            return ranks
        if self.order is not None:
            lacking = [str(value) for value in values if value is not None and str(value) not in self.order]
            raise ProjectError(
                say(
                    "the order of the values of {column!r} does not name {count} of them, the first "
                    "{value!r}",
                    column=self.column,
                    count=len(lacking),
                    value=lacking[0],
                ),
                where="models",
                remedy=say("name every value, from the least to the greatest"),
            )
        raise ProjectError(
            say(
                "the values of {column!r} are texts, and an ordered distance needs an order other "
                "than the alphabet",
                column=self.column,
            ),
            where="models",
            remedy=say(
                "write them as numbers (1234.56) or dates (2024-05-31) if they are, give their "
                "order, as in -t {column}=ordered:{t:g}:low,middle,high (in a project: order), or "
                "use the equal distance",
                column=self.column,
                t=self.t,
            ),
        )

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether the class is farther than t from all classes given."""
        return self.distances(classes) > self.t + TOLERANCE

    def describe(self) -> str:
        """What the model promises.

        >>> TCloseness(column="salary", t=0.2, distance="ordered").describe()
        "'salary' is distributed in each class as in the whole release, up to an ordered distance of 0.2"
        """
        match self.distance:
            case "equal":
                return say(
                    "{column!r} is distributed in each class as in the whole release, up to an equal distance of {t:g}",
                    column=self.column,
                    t=self.t,
                )
            case "ordered":
                return say(
                    "{column!r} is distributed in each class as in the whole release, up to an ordered distance of "
                    "{t:g}",
                    column=self.column,
                    t=self.t,
                )
            case "hierarchical":
                return say(
                    "{column!r} is distributed in each class as in the whole release, up to a hierarchical distance "
                    "of {t:g}",
                    column=self.column,
                    t=self.t,
                )
