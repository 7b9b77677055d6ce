"""What a measure of a release is, and what it answers: numbers with an interval, or why there is none."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from celosia.say import Text, say

if TYPE_CHECKING:
    from celosia.measure.subject import MeasureSubject

__all__ = [
    "SIDES",
    "Interval",
    "MeasureCost",
    "MeasureFamily",
    "MeasuredValue",
    "NotMeasurableError",
    "ReleaseMeasure",
]

SIDES: Mapping[str, Text] = MappingProxyType(
    {
        "release": say("release"),
        "original": say("original"),
        "control": say("control"),
        "population": say("population"),
    }
)
"""What the tables that are looked at are called."""

Interval = tuple[float, float]
"""Where the true value lies, with the confidence that the measure states (95 % unless it says otherwise)."""


class MeasureFamily(StrEnum):
    """What a measure tells: what is risked, what an attacker succeeds in, or what the release is still good for."""

    RISK = "risk"
    ATTACK = "attack"
    UTILITY = "utility"


class MeasureCost(StrEnum):
    """What computing a measure takes: the counted classes, every column read, or models trained."""

    COUNTS = "counts"
    ROWS = "rows"
    MODELS = "models"


class NotMeasurableError(Exception):
    """Raised by a measure that cannot be computed for this release; its text says why, and becomes the answer."""

    @property
    def why(self) -> str:
        """The reason, as it was said."""
        reason: str = self.args[0]
        return reason


@dataclass(frozen=True)
class MeasuredValue:
    """One answer of a measure: a ``value``, or ``why_not`` where there is none.

    ``about`` is what it is said of, mostly a column; None for the release as a whole. ``details`` holds what tables
    and charts show besides, as JSON takes it; no value of the table stands in it unless it was released.
    """

    value: float | None
    interval: Interval | None = None
    about: str | None = None
    why_not: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ReleaseMeasure:
    """A measure of a release: what it is called, what its numbers mean, and how they are found.

    A module of this room with ``MEASURES``, a tuple of these, adds some. ``compute`` yields one answer for the release
    or one per column; where it raises :class:`NotMeasurableError`, the reason is the answer.

    >>> share = ReleaseMeasure(
    ...     name="rows-kept", family=MeasureFamily.UTILITY, meaning="share of the rows that are released", reference="",
    ...     low=0, high=1, better="higher", compute=lambda subject: [MeasuredValue(0.5)])
    >>> share.name, share.range_text
    ('rows-kept', '0 to 1')
    """

    name: str
    family: MeasureFamily
    meaning: str
    reference: str
    better: Literal["lower", "higher"]
    compute: "Callable[[MeasureSubject], Iterable[MeasuredValue]]"
    low: float = 0.0
    high: float = 1.0
    cost: MeasureCost = MeasureCost.COUNTS

    @property
    def range_text(self) -> str:
        """From the least to the largest value it can have."""
        if self.high == inf:
            return say("{low:g} to any", low=self.low)
        return say("{low:g} to {high:g}", low=self.low, high=self.high)

    def answers(self, subject: "MeasureSubject") -> tuple[MeasuredValue, ...]:
        """What it finds, or why it finds nothing."""
        try:
            return tuple(self.compute(subject))
        except NotMeasurableError as reason:
            return (MeasuredValue(None, why_not=reason.why),)
