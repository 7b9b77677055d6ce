"""The prosecutor's risk: of somebody who knows that the person looked for is in the release."""

from celosia.measure.release_measure import MeasuredValue, MeasureFamily, ReleaseMeasure
from celosia.measure.risk.classes import released_risk
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MEASURES"]

REFERENCE = "El Emam and Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008"


def _above(subject: MeasureSubject) -> list[MeasuredValue]:
    risk = released_risk(subject)
    details = {"threshold": 1 / risk.threshold, "rows": round(risk.at_risk * risk.rows)}
    return [MeasuredValue(risk.at_risk, details=details)]


MEASURES = (
    ReleaseMeasure(
        name="prosecutor-highest",
        family=MeasureFamily.RISK,
        meaning=say(
            "chance of pointing at the right row of the person most at risk, known to be in the release"
        ),
        reference=REFERENCE,
        better="lower",
        compute=lambda subject: [MeasuredValue(released_risk(subject).highest)],
    ),
    ReleaseMeasure(
        name="prosecutor-mean",
        family=MeasureFamily.RISK,
        meaning=say("chance of pointing at the right row of a person known to be in the release, on average"),
        reference=REFERENCE,
        better="lower",
        compute=lambda subject: [MeasuredValue(released_risk(subject).average)],
    ),
    ReleaseMeasure(
        name="prosecutor-above",
        family=MeasureFamily.RISK,
        meaning=say("share of the rows in classes smaller than the threshold"),
        reference=REFERENCE,
        better="lower",
        compute=_above,
    ),
)
