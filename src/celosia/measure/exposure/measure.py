"""Exposure as a measure of a release: of every column the share of people whom it puts into small groups."""

from celosia.measure.exposure.exposure import Exposure, measure_exposure
from celosia.measure.release_measure import (
    MeasureCost,
    MeasuredValue,
    MeasureFamily,
    NotMeasurableError,
    ReleaseMeasure,
)
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MEASURES", "exposure_of"]


def exposure_of(subject: MeasureSubject) -> Exposure:
    """The exposure of a release, found once.

    >>> import polars as pl
    >>> release = pl.DataFrame({"age": ["30-39"] * 5, "cost": [1, 2, 3, 4, 5]})
    >>> exposure_of(MeasureSubject.of(None, release, quasi_identifiers=["age"]))["cost"].alone
    5
    """

    def find() -> Exposure:
        return measure_exposure(
            subject.release,
            quasi_identifiers=subject.released_quasi_identifiers,
            guarded=subject.guarded,
            accepted=subject.accepted,
            k=subject.threshold,
            person=subject.person if subject.person in subject.release.columns() else None,
            progress=subject.progress,
        )

    return subject.once("exposure", find)


def _exposed(subject: MeasureSubject) -> list[MeasuredValue]:
    """First the worst of all that nobody accepted, then every column."""
    found = exposure_of(subject)
    if not found.people:
        raise NotMeasurableError(say("the release has no rows"))
    open_ones = [one.in_small_groups for one in found.columns if one.column not in subject.accepted]
    worst = max([*open_ones, *(one.small for one in found.together)], default=0)
    together = [{"columns": list(one.columns), "small": one.small} for one in found.together]
    answers = [MeasuredValue(worst / found.people, details={"k": found.k, "together": together})]
    for one in found.columns:
        counts = {
            "alone": one.alone,
            "small": one.small,
            "alone_with": one.alone_with,
            "small_with": one.small_with,
            "guarded": one.is_guarded,
            "accepted": one.column in subject.accepted,
        }
        answers.append(MeasuredValue(one.in_small_groups / found.people, about=one.column, details=counts))
    answers += [MeasuredValue(None, about=name, why_not=why) for name, why in found.not_looked_at.items()]
    return answers


MEASURES = (
    ReleaseMeasure(
        name="exposure",
        family=MeasureFamily.RISK,
        meaning=say(
            "share of people in groups smaller than the threshold by a column that is no quasi-identifier, alone or, "
            "unless a model guards it, together with these"
        ),
        reference="Article 29 Working Party, Opinion 05/2014 on anonymisation techniques, section 2.2.1",
        better="lower",
        compute=_exposed,
        cost=MeasureCost.ROWS,
    ),
)
