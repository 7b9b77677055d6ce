"""The individual risk of Benedetti and Franconi: the chance of naming the person of a row, where weights tell how many.

Of a class with f rows in the sample the size F in the population is not known, but how it is distributed: F - f is
negative binomial with f successes of probability p = f / (estimated people of the class). The risk is the mean of
1 / F.
"""

import numpy as np
import numpy.typing as npt

from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.risk.population import population_of
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MEASURES", "individual_risk", "released_individual_risk"]

Floats = npt.NDArray[np.float64]
FEW = 10
"""Up to this size the series would need thousands of terms where the sample holds little of the class."""
REFERENCE = "Benedetti and Franconi, Statistical solutions for controlled data dissemination, NTTS 1998"


def individual_risk(sizes: npt.NDArray[np.int64], people: Floats, *, is_approximate: bool = False) -> Floats:
    """``risks[class]`` of classes of ``sizes[class]`` rows that stand for ``people[class]`` of the population.

    The mean of 1 / F is p^f / f 2F1(f, f; f + 1; 1 - p), in which p^f vanishes and the series overflows as classes
    grow; Euler's transformation makes it p / f 2F1(1, 1; f + 1; 1 - p), whose terms are positive and at most 1.
    Approximately it is p / (f - (1 - p)) for classes of three or more: that series taken for a geometric one, with
    ratio (1 - p) / f.

    L. Franconi, S. Polettini: Individual risk estimation in mu-Argus: a review. Privacy in Statistical Databases 2004.

    >>> individual_risk(np.array([1, 2, 12]), np.array([100.0, 110.0, 1200.0])).round(7).tolist()
    [0.0465169, 0.0171443, 0.0009082]
    """
    share = np.minimum(sizes / people, 1.0)
    is_few = (sizes <= FEW) & (share < 0.5)
    risks = np.empty(len(sizes))
    risks[is_few] = _by_recurrence(sizes[is_few], share[is_few])
    risks[~is_few] = _by_series(sizes[~is_few], share[~is_few])
    if not is_approximate:
        return risks
    return np.where(sizes > 2, share / np.maximum(sizes - (1.0 - share), share), risks)


def _by_series(sizes: npt.NDArray[np.int64], share: Floats) -> Floats:
    """p / f times the sum over n of (1 - p)^n n! f! / (n + f)!; some two hundred terms at most for what comes here."""
    term, total, number = np.ones(len(sizes)), np.ones(len(sizes)), 0
    while term.max(initial=0.0) > 1e-17:
        number += 1
        term *= number * (1.0 - share) / (sizes + number)
        total += term
    risks: Floats = share / sizes * total
    return risks


def _by_recurrence(sizes: npt.NDArray[np.int64], share: Floats) -> Floats:
    """p I(f) with I(f) the integral from 0 to 1 of u^(f - 1) / (p + (1 - p) u).

    I(1) = -log p / (1 - p), and (1 - p) I(f + 1) + p I(f) = 1 / f: going up, errors shrink where p is less than 1/2.
    """
    integral = -np.log(share) / (1.0 - share)
    risks = integral.copy()
    for size in range(2, FEW + 1):
        integral = (1.0 / (size - 1) - share * integral) / (1.0 - share)
        risks = np.where(sizes == size, integral, risks)
    return share * risks


def released_individual_risk(subject: MeasureSubject) -> Floats:
    """``risks[class]`` of a release, in the order of ``subject.class_counts``; 1 / F where the people were counted.

    >>> import polars as pl
    >>> from celosia.measure.subject import Population
    >>> subject = MeasureSubject.of(None, pl.DataFrame({"age": ["3*", "3*", "4*"]}), quasi_identifiers=["age"],
    ...                      population=Population(fraction=0.1))
    >>> released_individual_risk(subject).round(4).tolist()
    [0.0827, 0.2558]
    """

    def find() -> Floats:
        population = population_of(subject)
        return (
            1 / population.people
            if population.is_counted
            else individual_risk(population.sizes, population.people)
        )

    return subject.once("individual risk", find)


def _risks(subject: MeasureSubject) -> tuple[npt.NDArray[np.int64], Floats]:
    population = population_of(subject)
    if population.is_counted:
        raise NotMeasurableError(
            say(
                "the population was counted, not sampled: nothing is to be estimated; see the "
                "journalist's risk"
            )
        )
    return population.sizes, released_individual_risk(subject)


def _highest(subject: MeasureSubject) -> list[MeasuredValue]:
    return [MeasuredValue(float(_risks(subject)[1].max()))]


def _mean(subject: MeasureSubject) -> list[MeasuredValue]:
    sizes, risks = _risks(subject)
    expected = float(sizes @ risks)
    return [MeasuredValue(expected / int(sizes.sum()), details={"expected_reidentifications": expected})]


MEASURES = (
    ReleaseMeasure(
        name="individual-highest",
        family=MeasureFamily.RISK,
        meaning=say(
            "chance of naming the person of the row most at risk, estimated for the sampled population"
        ),
        reference=REFERENCE,
        better="lower",
        compute=_highest,
    ),
    ReleaseMeasure(
        name="individual-mean",
        family=MeasureFamily.RISK,
        meaning=say(
            "share of the rows whose people are expected to be named, estimated for the sampled population"
        ),
        reference=REFERENCE,
        better="lower",
        compute=_mean,
    ),
)
