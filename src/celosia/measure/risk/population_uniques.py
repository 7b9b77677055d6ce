"""People who are unique in the population, estimated from the classes of a sample: three models, side by side."""

from collections.abc import Callable
from functools import partial
from math import inf

import numpy as np
import numpy.typing as npt

from celosia.measure.release_measure import MeasuredValue, MeasureFamily, ReleaseMeasure
from celosia.measure.risk.population import population_of
from celosia.measure.subject import MeasureSubject
from celosia.privacy.population_uniques import (
    negative_binomial_uniques,
    pitman_uniques,
    zayatz_uniques,
)
from celosia.say import Text, say

__all__ = ["MEASURES"]

Estimate = Callable[[npt.NDArray[np.int64], float], float]


def _estimated(subject: MeasureSubject, *, estimate: Estimate) -> list[MeasuredValue]:
    population = population_of(subject)
    uniques = estimate(population.sizes, population.fraction)
    details = {"share_of_population": uniques / population.total, "fraction": population.fraction}
    return [MeasuredValue(uniques, details=details)]


def _measure(name: str, estimate: Estimate, *, meaning: Text, reference: str) -> ReleaseMeasure:
    return ReleaseMeasure(
        name=f"population-uniques-{name}",
        family=MeasureFamily.RISK,
        meaning=meaning,
        reference=reference,
        better="lower",
        high=inf,
        compute=partial(_estimated, estimate=estimate),
    )


MEASURES = (
    _measure(
        "pitman",
        pitman_uniques,
        meaning=say(
            "people who are unique in the population, if classes come and grow as in Pitman's sampling formula;"
            " best for small samples"
        ),
        reference="Hoshino, Applying Pitman's sampling formula to microdata risk assessment, JOS 17(4), 2001",
    ),
    _measure(
        "zayatz",
        zayatz_uniques,
        meaning=say(
            "people who are unique in the population, if its classes are as large as those of the release"
        ),
        reference="Zayatz, Estimation of the number of unique population elements using a sample, ASA 1991",
    ),
    _measure(
        "negative-binomial",
        negative_binomial_uniques,
        meaning=say(
            "people who are unique in the population, if the sizes of its classes are negative binomial"
        ),
        reference="Chen and Keller-McNulty, Estimation of identification disclosure risk in microdata, JOS 14(1), 1998",
    ),
)
