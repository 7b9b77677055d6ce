"""Membership: whether somebody is in the release is told by how near its nearest row is.

Whoever is nearer is taken for a member. The area under the curve is the chance that a member is nearer than a person of
the control group: 0.5 tells nothing, 1 tells all.
"""

from collections.abc import Iterator
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from celosia.measure.attacks.release_boxes import (
    add_knowledge_errors,
    control_group,
    read_boxes,
    record_columns,
    sample,
)
from celosia.measure.attacks.search import find_nearest
from celosia.measure.release_measure import (
    Interval,
    MeasureCost,
    MeasuredValue,
    MeasureFamily,
    NotMeasurableError,
    ReleaseMeasure,
)
from celosia.say import say

if TYPE_CHECKING:
    from celosia.measure.subject import MeasureSubject

__all__ = ["MEASURES", "auc"]


def auc(members: npt.ArrayLike, others: npt.ArrayLike, *, confidence: float = 0.95) -> tuple[float, Interval]:
    """The chance that a member's distance is smaller than another's, equal ones half, and its interval.

    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson: Comparing the areas under two or more correlated receiver
    operating characteristic curves. Biometrics 44(3), 1988.

    >>> value, (low, high) = auc([0.0, 0.0, 0.1, 0.3], [0.2, 0.0, 0.4, 0.5])
    >>> round(value, 3), round(low, 3), round(high, 3)
    (0.75, 0.363, 1.0)
    """
    member_distances, other_distances = np.asarray(members), np.asarray(others)
    of_member = _smaller(member_distances, other_distances)
    of_other = 1 - _smaller(other_distances, member_distances)
    value = float(of_member.mean())
    spread = sum(part.var(ddof=1) / len(part) for part in (of_member, of_other) if len(part) > 1)
    apart = NormalDist().inv_cdf((1 + confidence) / 2) * sqrt(float(spread))
    return value, (max(0.0, value - apart), min(1.0, value + apart))


def _smaller(values: npt.NDArray[np.floating], others: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """For each number the share of others that are larger, equal ones half."""
    ordered = np.sort(others)
    larger = len(ordered) - np.searchsorted(ordered, values, "right")
    equal = np.searchsorted(ordered, values, "right") - np.searchsorted(ordered, values, "left")
    return (larger + equal / 2) / len(ordered)


def _membership(subject: "MeasureSubject") -> Iterator[MeasuredValue]:
    knows = record_columns(subject)
    boxes, original, control = read_boxes(subject, list(knows))
    rng = np.random.default_rng(subject.seed)
    answers = []
    for group in (original, control_group(control)):
        people = add_knowledge_errors(
            sample(group, subject.attacker.people, rng), group, boxes.columns, knows, rng
        )
        if not len(people):
            raise NotMeasurableError(say("there are no people to tell apart"))
        answers.append(find_nearest(people, boxes, knows).distance)
    value, interval = auc(*answers)
    said = {"columns": list(knows), "members": len(answers[0]), "control": len(answers[1])}
    yield MeasuredValue(value, interval, details=said)


MEASURES = (
    ReleaseMeasure(
        name="membership",
        family=MeasureFamily.ATTACK,
        meaning=say(
            "chance that somebody in the release is nearer to it than somebody who is not (0.5 tells nothing)"
        ),
        reference="Shokri et al., Membership inference attacks against machine learning models, IEEE S&P 2017",
        better="lower",
        cost=MeasureCost.ROWS,
        compute=_membership,
    ),
)
