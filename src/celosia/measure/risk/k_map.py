"""k-map and presence: how the released classes lie in a table of the population."""

from math import inf

import numpy as np

from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.risk.classes import released_risk
from celosia.measure.risk.matching import match_classes
from celosia.measure.risk.population import PopulationClasses, population_of
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MEASURES"]


def _counted(subject: MeasureSubject) -> PopulationClasses:
    released_risk(subject)
    if subject.population.table is None:
        raise NotMeasurableError(say("no table of the population was given"))
    return population_of(subject)


def _k_map(subject: MeasureSubject) -> list[MeasuredValue]:
    population = _counted(subject)
    least = int(population.people.min())
    details = {
        "classes": len(population.sizes),
        "smallest": int(np.count_nonzero(population.people == least)),
        "classes_lacking_in_population": population.lacking,
    }
    return [MeasuredValue(least, details=details)]


def _presence(subject: MeasureSubject) -> list[MeasuredValue]:
    """Every row of a class is anybody's whom it allows, each with the same chance: people's shares add up.

    Where classes do not overlap, a share is that of the definition: rows of the class / people of the population in it.
    """
    population = _counted(subject)
    counts = subject.population_counts(*subject.released_quasi_identifiers)
    chances = np.zeros(len(counts))
    shares = population.sizes / population.people
    for combinations, classes in match_classes(subject, counts):
        chances += np.bincount(combinations, shares[classes], len(chances))
    chances = np.minimum(chances, 1.0)
    details = {
        "lowest": float(chances.min()),
        "mean": float(chances @ counts.counts / counts.rows),
        "surely_absent": int(counts.counts[chances == 0].sum()),
        "surely_present": int(counts.counts[chances > 1 - 1e-9].sum()),
    }
    return [MeasuredValue(float(chances.max()), details=details)]


MEASURES = (
    ReleaseMeasure(
        name="k-map",
        family=MeasureFamily.RISK,
        meaning=say("people of the population in the released class that has fewest"),
        reference="Sweeney, Computational disclosure control, PhD thesis, MIT 2001",
        better="higher",
        low=1,
        high=inf,
        compute=_k_map,
    ),
    ReleaseMeasure(
        name="presence",
        family=MeasureFamily.RISK,
        meaning=say(
            "highest chance that somebody of the population is in the release; details have the lowest"
        ),
        reference="Nergiz, Atzori and Clifton, Hiding the presence of individuals from shared databases, SIGMOD 2007",
        better="lower",
        compute=_presence,
    ),
)
