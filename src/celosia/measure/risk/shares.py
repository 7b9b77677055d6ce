"""The values of a sensitive column, class by class: how frequent each is there and in the whole release."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from celosia.errors import CelosiaError
from celosia.measure.release_measure import MeasuredValue, NotMeasurableError
from celosia.measure.risk.classes import released_risk
from celosia.measure.subject import MeasureSubject
from celosia.privacy import Histogram
from celosia.say import say

__all__ = ["Shares", "by_column", "shares_of"]

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Shares:
    """One entry per class and value that occurs in it, the most frequent values of a class first.

    ``owner[entry]`` is the class, ``counts[entry]`` rows, ``place[entry]`` the place of the value in its class from 0,
    ``here[entry]`` its share of the class and ``whole[entry]`` that of the release. A class has ``sizes[class]`` rows
    and ``distinct[class]`` values. A missing value counts as a value.
    """

    histogram: Histogram
    owner: Integers
    codes: Integers
    counts: Integers
    place: Integers
    here: Floats
    whole: Floats
    sizes: Integers
    distinct: Integers

    @property
    def distinct_in_whole(self) -> int:
        """Values that occur anywhere."""
        return int(np.count_nonzero(np.bincount(self.codes)))

    def shown(self, entry: int) -> dict[str, object]:
        """A value that the release shows, how frequent it is in a class and in the whole."""
        return {
            "value": self.histogram.values[int(self.codes[entry])],
            "in_class": float(self.here[entry]),
            "in_whole": float(self.whole[entry]),
            "class_rows": int(self.sizes[self.owner[entry]]),
        }


def shares_of(subject: MeasureSubject, column: str) -> Shares:
    """The shares of a sensitive column of the release.

    >>> import polars as pl
    >>> release = pl.DataFrame({"age": ["3*", "3*", "3*", "4*"], "disease": ["gout", "flu", "flu", "flu"]})
    >>> found = shares_of(MeasureSubject.of(None, release, quasi_identifiers=["age"], sensitive=["disease"]), "disease")
    >>> found.here.round(2).tolist(), found.whole.tolist(), found.distinct.tolist()
    ([0.67, 0.33, 1.0], [0.75, 0.25, 0.75], [2, 1])
    """
    return subject.once(f"shares of {column}", lambda: _find(subject, column))


def _find(subject: MeasureSubject, column: str) -> Shares:
    histogram, sizes = subject.classes.histograms[column], subject.classes.counts
    # One key instead of two sorts: the class, then the most frequent value first.
    most = int(histogram.counts.max(initial=0)) + 1
    order = np.argsort(histogram.classes * most + (most - 1 - histogram.counts), kind="stable")
    owner, codes, counts = histogram.classes[order], histogram.codes[order], histogram.counts[order]
    distinct = np.bincount(owner, minlength=len(sizes))
    begin = np.concatenate(([0], np.cumsum(distinct)[:-1]))
    rows = np.bincount(codes, counts, len(histogram.values))
    return Shares(
        histogram=histogram,
        owner=owner,
        codes=codes,
        counts=counts,
        place=np.arange(len(owner)) - begin[owner],
        here=counts / sizes[owner],
        whole=(rows / rows.sum())[codes],
        sizes=sizes,
        distinct=distinct,
    )


def by_column(
    find: Callable[[MeasureSubject, str], MeasuredValue],
) -> Callable[[MeasureSubject], Iterator[MeasuredValue]]:
    """From a measure of one sensitive column to a measure of the release: an answer, or why there is none, for each.

    ``find`` says nothing about what its answer is about.
    """

    def compute(subject: MeasureSubject) -> Iterator[MeasuredValue]:
        if not subject.sensitive:
            raise NotMeasurableError(say("no sensitive column was declared"))
        released_risk(subject)
        for column in subject.sensitive:
            yield _answer(find, subject, column)

    return compute


def _answer(
    find: Callable[[MeasureSubject, str], MeasuredValue], subject: MeasureSubject, column: str
) -> MeasuredValue:
    if column not in subject.release.columns():
        return MeasuredValue(None, about=column, why_not=say("the release does not show it"))
    try:
        shares = find(subject, column)
    except NotMeasurableError as reason:
        return MeasuredValue(None, about=column, why_not=reason.why)
    except CelosiaError as error:
        return MeasuredValue(None, about=column, why_not=error.text)
    return MeasuredValue(shares.value, interval=shares.interval, about=column, details=shares.details)
