"""The journalist's risk, of somebody who does not know who is in the release, and the marketer's, who wants many."""

from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.risk.classes import released_risk
from celosia.measure.risk.population import PopulationClasses, population_of
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MEASURES", "journalist_mean", "marketer_risk"]

REFERENCE = "El Emam, Guide to the de-identification of personal health information, CRC Press 2013"


def journalist_mean(population: PopulationClasses) -> float:
    """The larger of two chances: to match a released row with its person, and a person of the population with a row.

    Rows by themselves have 1 / people of their class on average; people drawn from the population hit a released
    class, and the right row in it, classes / people times.

    >>> import numpy as np
    >>> journalist_mean(PopulationClasses(np.array([1, 3]), np.array([4.0, 6.0]), 10.0, True, 0))
    0.2
    """
    return max(marketer_risk(population), float(len(population.sizes) / population.people.sum()))


def marketer_risk(population: PopulationClasses) -> float:
    """The share of the rows that are given the right person when each gets one of those whom its class allows.

    >>> import numpy as np
    >>> marketer_risk(PopulationClasses(np.array([1, 3]), np.array([4.0, 6.0]), 10.0, True, 0))
    0.1875
    """
    return float((population.sizes / population.people).sum() / population.sizes.sum())


def _highest(subject: MeasureSubject) -> list[MeasuredValue]:
    population = population_of(subject)
    return [MeasuredValue(float(1 / population.people.min()), details=_details(population))]


def _mean(subject: MeasureSubject) -> list[MeasuredValue]:
    population = population_of(subject)
    return [MeasuredValue(journalist_mean(population), details=_details(population))]


def _above(subject: MeasureSubject) -> list[MeasuredValue]:
    population = population_of(subject)
    rows = int(population.sizes[population.people < subject.threshold].sum())
    details = _details(population) | {"threshold": 1 / subject.threshold, "rows": rows}
    return [MeasuredValue(rows / int(population.sizes.sum()), details=details)]


def _marketer(subject: MeasureSubject) -> list[MeasuredValue]:
    """Without a population the marketer is thought to hold a list of exactly the people released."""
    risk = released_risk(subject)
    try:
        population = population_of(subject)
    except NotMeasurableError as reason:
        return [
            MeasuredValue(
                risk.average, details={"against": say("the people released"), "because": reason.why}
            )
        ]
    return [MeasuredValue(marketer_risk(population), details=_details(population))]


def _details(population: PopulationClasses) -> dict[str, object]:
    told: dict[str, object] = {
        "against": say("a counted population") if population.is_counted else say("an estimated population")
    }
    return told | ({"classes_lacking_in_population": population.lacking} if population.lacking else {})


MEASURES = (
    ReleaseMeasure(
        name="journalist-highest",
        family=MeasureFamily.RISK,
        meaning=say("chance of naming the right person of the population for the row most at risk"),
        reference=REFERENCE,
        better="lower",
        compute=_highest,
    ),
    ReleaseMeasure(
        name="journalist-mean",
        family=MeasureFamily.RISK,
        meaning=say("chance of matching a row and a person of the population rightly, on average"),
        reference=REFERENCE,
        better="lower",
        compute=_mean,
    ),
    ReleaseMeasure(
        name="journalist-above",
        family=MeasureFamily.RISK,
        meaning=say("share of the rows whose class has fewer people of the population than the threshold"),
        reference=REFERENCE,
        better="lower",
        compute=_above,
    ),
    ReleaseMeasure(
        name="marketer",
        family=MeasureFamily.RISK,
        meaning=say(
            "share of the rows given their right person when all are matched with a list of the population"
        ),
        reference="Dankar and El Emam, A method for evaluating marketer re-identification risk, EDBT Workshops 2010",
        better="lower",
        compute=_marketer,
    ),
)
