"""How many values of a sensitive column whoever finds somebody's class is left with: the l that is really reached."""

from math import exp, inf

import numpy as np
import numpy.typing as npt

from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.risk.shares import Shares, by_column, shares_of
from celosia.measure.subject import MeasureSubject
from celosia.privacy.entropy_l_diversity import class_entropies
from celosia.say import say

__all__ = ["MEASURES", "recursive_c", "recursive_l"]

REFERENCE = "Machanavajjhala et al., l-diversity: privacy beyond k-anonymity, TKDD 1(1), 2007"
TIMES = 2.0
"""The c for which recursive l is told; sdcMicro's choice."""


def recursive_l(shares: Shares, *, c: float = TIMES) -> npt.NDArray[np.int64]:
    """``l[class]``: the largest l with which the class is recursively (c, l)-diverse.

    Its most frequent value occurs less than c times as often as those from the l-th on together; 0 where even l = 1
    asks too much, which needs c <= 1.

    >>> import polars as pl
    >>> release = pl.DataFrame({"age": ["3*"] * 6, "disease": ["flu", "flu", "flu", "gout", "gout", "acne"]})
    >>> subject = MeasureSubject.of(None, release, quasi_identifiers=["age"], sensitive=["disease"])
    >>> [recursive_l(shares_of(subject, "disease"), c=c).tolist() for c in (1, 2, 4)]
    [[1], [2], [3]]
    """
    times = _times(shares)
    diversity = np.zeros(len(shares.sizes), np.int64)
    holds = times < c
    np.maximum.at(diversity, shares.owner[holds], shares.place[holds] + 1)
    return diversity


def recursive_c(shares: Shares, *, l: int) -> float:  # noqa: E741
    """The number that c must exceed for every class to be recursively (c, l)-diverse.

    >>> import polars as pl
    >>> release = pl.DataFrame({"age": ["3*"] * 6, "disease": ["flu", "flu", "flu", "gout", "gout", "acne"]})
    >>> subject = MeasureSubject.of(None, release, quasi_identifiers=["age"], sensitive=["disease"])
    >>> [recursive_c(shares_of(subject, "disease"), l=l) for l in (1, 2, 3)]
    [0.5, 1.0, 3.0]
    """
    return float(_times(shares)[shares.place == l - 1].max())


def _times(shares: Shares) -> npt.NDArray[np.float64]:
    """How many times the most frequent value of the class outnumbers this one and the rarer ones together."""
    begin = np.concatenate(([0], np.cumsum(shares.distinct)[:-1]))
    most = shares.counts[begin][shares.owner]
    before = np.cumsum(shares.counts) - shares.counts
    rare = shares.sizes[shares.owner] - (before - before[begin][shares.owner])
    times: npt.NDArray[np.float64] = most / rare
    return times


def _distinct(subject: MeasureSubject, column: str) -> MeasuredValue:
    shares = shares_of(subject, column)
    least = int(shares.distinct.min())
    return MeasuredValue(least, details={"classes": int(np.count_nonzero(shares.distinct == least))})


def _entropy(subject: MeasureSubject, column: str) -> MeasuredValue:
    shares = shares_of(subject, column)
    # Rounded sums may fall short of log 1.
    return MeasuredValue(max(1.0, exp(float(class_entropies(shares.histogram, len(shares.sizes)).min()))))


def _recursive_l(subject: MeasureSubject, column: str) -> MeasuredValue:
    return MeasuredValue(int(recursive_l(shares_of(subject, column)).min()), details={"c": TIMES})


def _recursive_c(subject: MeasureSubject, column: str) -> MeasuredValue:
    shares = shares_of(subject, column)
    reached = int(shares.distinct.min())
    if reached < 2:
        raise NotMeasurableError(say("a class has only one value, which no c makes diverse"))
    return MeasuredValue(recursive_c(shares, l=reached), details={"l": reached})


MEASURES = (
    ReleaseMeasure(
        name="distinct-l",
        family=MeasureFamily.RISK,
        meaning=say("values of the sensitive column in the class that has fewest"),
        reference=REFERENCE,
        better="higher",
        low=1,
        high=inf,
        compute=by_column(_distinct),
    ),
    ReleaseMeasure(
        name="entropy-l",
        family=MeasureFamily.RISK,
        meaning=say(
            "equally frequent values that would be as uncertain as those of the least uncertain class"
        ),
        reference=REFERENCE,
        better="higher",
        low=1,
        high=inf,
        compute=by_column(_entropy),
    ),
    ReleaseMeasure(
        name="recursive-l",
        family=MeasureFamily.RISK,
        meaning=say("largest l with which every class is recursively (c, l)-diverse for c = 2"),
        reference=REFERENCE,
        better="higher",
        low=1,
        high=inf,
        compute=by_column(_recursive_l),
    ),
    ReleaseMeasure(
        name="recursive-c",
        family=MeasureFamily.RISK,
        meaning=say(
            "times that a class's top value outnumbers those from the l-th on, l being the distinct l reached"
        ),
        reference=REFERENCE,
        better="lower",
        high=inf,
        compute=by_column(_recursive_c),
    ),
)
