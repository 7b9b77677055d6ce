"""Linkability: two sources that know different columns of the same people are joined by way of the release.

With the columns of each source an attacker finds the released rows nearest to a person and draws one of them. Both are
linked if it is the same row. The chance of that is the rows that are nearest by both, over the product of the rows that
are nearest by each: 1 for a row that is unique by either, 1 / k within a class of k, and hardly anything where all is
suppressed. After Giomi et al. (PoPETs 2023), where rows of the original's types are never equally near.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from celosia.measure.attacks.attacker import Knowledge
from celosia.measure.attacks.confidence import Rate, answer
from celosia.measure.attacks.release_boxes import (
    Codes,
    ReleaseBoxes,
    add_knowledge_errors,
    known_columns,
    read_boxes,
    sample,
)
from celosia.measure.attacks.search import chunks, find_nearest, knowledge_precision
from celosia.measure.release_measure import (
    MeasureCost,
    MeasuredValue,
    MeasureFamily,
    NotMeasurableError,
    ReleaseMeasure,
)
from celosia.say import say

if TYPE_CHECKING:
    from celosia.measure.subject import MeasureSubject

__all__ = ["MEASURES", "link_sides", "split_sides"]


def link_sides(
    people: Codes, boxes: ReleaseBoxes, split: int, knows: Mapping[str, Knowledge]
) -> npt.NDArray[np.float64]:
    """The chance of each person that the columns before ``split`` and those from there on lead to the same row."""
    from celosia.kernels.nearest import common

    left, right = boxes.take(boxes.columns[:split]), boxes.take(boxes.columns[split:])
    sides = find_nearest(people[:, :split], left, knows), find_nearest(people[:, split:], right, knows)
    shared = np.zeros(len(people), np.int64)
    for some, tables in chunks(people, boxes, knowledge_precision(boxes, knows)):
        bests = sides[0].distance[some], sides[1].distance[some]
        shared[some] = common(tables, boxes.labels, boxes.rows, split, bests)
    return shared / np.maximum(sides[0].rows.astype(np.float64) * sides[1].rows, 1)


def split_sides(subject: "MeasureSubject", known: Sequence[str]) -> tuple[list[str], list[str]]:
    """The columns of the two sources: as declared, else what is known dealt out in turn."""
    declared = subject.attacker.sides
    if any(declared):
        left, right = ([name for name in side if name in subject.shared_columns] for side in declared)
    else:
        left, right = list(known[::2]), list(known[1::2])
    if not left or not right or set(left) & set(right):
        raise NotMeasurableError(
            say("to link two sources takes different columns of each that the release shows")
        )
    return left, right


def _linkability(subject: "MeasureSubject") -> Iterator[MeasuredValue]:
    declared = [name for side in subject.attacker.sides for name in side]
    knows = known_columns(subject) if not declared else dict(subject.attacker.knows)
    left, right = split_sides(subject, list(knows))
    boxes, original, control = read_boxes(subject, [*left, *right])
    rng = np.random.default_rng(subject.seed)
    rates: list[Rate | None] = []
    for group in (original, control):
        if group is None:
            rates.append(None)
            continue
        people = add_knowledge_errors(
            sample(group, subject.attacker.people, rng), group, boxes.columns, knows, rng
        )
        links = link_sides(people, boxes, len(left), knows)
        rates.append(Rate(float(links.sum()), len(links)))
    attack, over = rates
    assert attack is not None
    naive = Rate(attack.attempts / max(1, int(boxes.rows.sum())), attack.attempts)
    yield answer(attack, naive, over, sides=[left, right])


MEASURES = (
    ReleaseMeasure(
        name="linkability",
        family=MeasureFamily.ATTACK,
        meaning=say(
            "how much better than for people who are not in it the release joins two sources about somebody"
        ),
        reference="Giomi et al., A unified framework for quantifying privacy risk in synthetic data, PoPETs 2023(2)",
        better="lower",
        cost=MeasureCost.ROWS,
        compute=_linkability,
    ),
)
