"""What makes one specialization better than another: named scores of what a step brings and what privacy it costs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from celosia.errors import ProjectError
from celosia.measure.utility import CellMeasure, ColumnLevel, get_measure
from celosia.recode.domain import QuasiIdentifier
from celosia.recode.gains import JointCounts, level_gains
from celosia.say import say
from celosia.types import nearest

__all__ = ["SCORES", "Benefits", "StepScore", "gain_benefits", "get_score", "loss_benefits"]

Benefits = list[list[float]]
"""``benefits[column][level]``: what specializing a column from a level to the one below brings."""


@dataclass(frozen=True)
class StepScore:
    """How good a step is: ``worth(benefit, privacy lost)``, where the privacy lost is 0 or more.

    It never rises with the privacy lost: searches rest on ``worth(benefit, 0)`` as the most that a step can be worth,
    and do not look at a node where that cannot win. ``needs_target``: the benefit is the gain towards a target, else
    what a utility measure falls by.
    """

    name: str
    meaning: str
    needs_target: bool
    worth: Callable[[float, int], float]


def _alone(benefit: float, lost: int) -> float:
    return benefit


def _per_privacy(benefit: float, lost: int) -> float:
    return benefit / (lost + 1)


SCORES: Mapping[str, StepScore] = {
    score.name: score
    for score in (
        StepScore(
            "gain-per-privacy",
            "bits gained about the target, over the rows that the smallest class loses plus one (IGPL)",
            True,
            _per_privacy,
        ),
        StepScore("gain", "bits gained about the target, whatever the smallest class loses", True, _alone),
        StepScore(
            "loss-per-privacy",
            "what the measure falls by, over the rows that the smallest class loses plus one",
            False,
            _per_privacy,
        ),
        StepScore("loss", "what the measure falls by, whatever the smallest class loses", False, _alone),
    )
}
"""Scores by name."""


def get_score(name: str) -> StepScore:
    """The score of that name.

    >>> get_score("gain-per-privacy").worth(0.22, 7)
    0.0275
    """
    if name not in SCORES:
        raise ProjectError(
            say("there is no score {name!r}", name=name),
            where="score",
            remedy=nearest(name, tuple(SCORES), say("the scores")),
        )
    return SCORES[name]


def gain_benefits(
    columns: Sequence[QuasiIdentifier], joints: Sequence[JointCounts], weights: Mapping[str, float]
) -> Benefits:
    """The information gain of every step, times the weight of its column; ``joints[column]`` are its joint counts."""
    return [
        [weights.get(column.name, 1.0) * gain for gain in level_gains(column.levels, joint)]
        for column, joint in zip(columns, joints, strict=True)
    ]


def loss_benefits(columns: Sequence[QuasiIdentifier], measure: str, weights: Mapping[str, float]) -> Benefits:
    """What a measure of cells falls by at every step, per row, times the weight of its column."""
    chosen = get_measure(measure)
    if not isinstance(chosen, CellMeasure):
        raise ProjectError(
            say("{measure} does not say what one column costs", measure=measure),
            where="measure",
            remedy=say("use loss or precision: a measure of the values of each row"),
        )
    benefits = []
    for column in columns:
        rows = max(1, int(column.rows[0].sum()))
        costs = [
            float(chosen.cost(ColumnLevel(number, column.height, leaves, column.size, per_code)) @ per_code)
            / rows
            for number, (leaves, per_code) in enumerate(zip(column.leaves, column.rows, strict=True))
        ]
        weight = weights.get(column.name, 1.0)
        benefits.append([0.0, *(weight * (above - below) for below, above in pairwise(costs))])
    return benefits
