"""Linkage: whoever knows some columns of people looks for their rows in the release.

The candidates of a person are the released rows that allow what is known of her or, where none does, the nearest ones.
She is found for certain if there is one candidate and it is her row, and by a guess with the chance 1 / candidates if
her row is among them. This holds for recoded releases, global and local, and for perturbed ones.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from celosia.measure.attacks.attacker import Knowledge
from celosia.measure.attacks.confidence import wilson
from celosia.measure.attacks.release_boxes import (
    Codes,
    ReleaseBoxes,
    add_knowledge_errors,
    known_columns,
    read_boxes,
    sample,
)
from celosia.measure.attacks.search import chunks, distances, find_nearest, knowledge_precision
from celosia.measure.attacks.true_matches import PairedPeople, pair_rows, require_truthful
from celosia.measure.release_measure import MeasureCost, MeasuredValue, MeasureFamily, ReleaseMeasure
from celosia.say import say

if TYPE_CHECKING:
    from celosia.measure.subject import MeasureSubject

__all__ = ["MEASURES", "LinkageResult", "count_matches", "link", "match_pairs"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LinkageResult:
    """Of each person attacked: her ``candidates``, whether they are ``compatible`` with what is known or only the
    nearest, and the chance that her own row is ``among`` them.
    """

    candidates: npt.NDArray[np.int64]
    compatible: npt.NDArray[np.bool_]
    among: Floats

    @property
    def unique(self) -> float:
        """Share of people who are found for certain."""
        return float(np.where(self.candidates == 1, self.among, 0.0).mean())

    @property
    def expected(self) -> float:
        """Share of people who are found by a guess among their candidates."""
        return float((self.among / np.maximum(self.candidates, 1)).mean())

    def details(self) -> dict[str, object]:
        """What tables show of it."""
        return {
            "people": len(self.candidates),
            "unique": self.unique,
            "expected": self.expected,
            "compatible": float(self.compatible.mean()),
            "mean candidates": float(self.candidates.mean()),
        }


def match_pairs(
    paired: PairedPeople, believed: Codes, boxes: ReleaseBoxes, knows: Mapping[str, Knowledge]
) -> LinkageResult:
    """The candidates of people whose own rows are known."""
    nearest = find_nearest(believed, boxes, knows)
    own = distances(believed, paired.labels, boxes, knows)
    among = paired.is_released & (own <= nearest.distance)
    return LinkageResult(nearest.rows, nearest.distance == 0, among.astype(np.float64))


def count_matches(
    people: Codes, believed: Codes, boxes: ReleaseBoxes, knows: Mapping[str, Knowledge]
) -> LinkageResult:
    """The candidates of people of a truthful release: the own row is any of those that allow the true values.

    It is among the candidates with the share of these that are candidates too, all of them where nothing wrong is
    believed.
    """
    from celosia.kernels.nearest import common

    nearest, own = find_nearest(believed, boxes, knows), find_nearest(people, boxes, {})
    both = ReleaseBoxes(boxes.columns * 2, boxes.decoded * 2, np.hstack([boxes.labels] * 2), boxes.rows)
    shared = np.zeros(len(people), np.int64)
    twice = np.hstack([believed, people])
    zeros = np.zeros(len(people), np.float32)
    within = knowledge_precision(boxes, knows) + [0.0] * len(boxes.columns)
    for some, tables in chunks(twice, both, within):
        bests = nearest.distance[some], zeros[some]
        shared[some] = common(tables, both.labels, boxes.rows, len(boxes.columns), bests)
    is_allowed = own.distance == 0
    among = np.where(is_allowed, shared / np.maximum(own.rows, 1), 0.0)
    return LinkageResult(nearest.rows, nearest.distance == 0, among)


def link(subject: "MeasureSubject") -> tuple[LinkageResult, dict[str, object]]:
    """Attack the people of a subject; what was found, and what else is to be said of it."""
    knows = known_columns(subject)
    boxes, original, _ = read_boxes(subject, list(knows), with_control=False)
    rng = np.random.default_rng(subject.seed)
    paired = pair_rows(subject, boxes, rng)
    said: dict[str, object] = {"columns": list(knows)}
    if boxes.unread:
        said["unread labels"] = boxes.unread
    if paired is not None:
        believed = add_knowledge_errors(paired.codes, original, boxes.columns, knows, rng)
        return match_pairs(paired, believed, boxes, knows), said | {
            "truth": "key" if subject.key else "order"
        }
    left_out = require_truthful(subject, boxes, original, rng)
    people = sample(original, subject.attacker.people, rng)
    believed = add_knowledge_errors(people, original, boxes.columns, knows, rng)
    said |= {"truth": "counted", "rows left out": left_out}
    result = count_matches(people, believed, boxes, knows)
    if not left_out:
        return result, said
    said["note"] = say("nothing tells whose rows were left out: anybody's are taken to be as likely")
    # Of those whom some row allows, so many have their own row in the release.
    allowed = float((result.among > 0).mean()) * len(original)
    here = min(1.0, int(boxes.rows.sum()) / allowed) if allowed else 0.0
    return replace(result, among=result.among * here), said


def _linkage(subject: "MeasureSubject") -> Iterator[MeasuredValue]:
    result, said = subject.once(link, lambda: link(subject))
    size = len(result.candidates)
    yield MeasuredValue(result.unique, wilson(result.unique * size, size), details=result.details() | said)


def _expected(subject: "MeasureSubject") -> Iterator[MeasuredValue]:
    result, said = subject.once(link, lambda: link(subject))
    size = len(result.candidates)
    yield MeasuredValue(
        result.expected, wilson(result.expected * size, size), details=result.details() | said
    )


MEASURES = (
    ReleaseMeasure(
        name="linkage",
        family=MeasureFamily.ATTACK,
        meaning=say("share of people whose row is found for certain by what the attacker knows"),
        reference="Winkler, Re-identification methods for masked microdata, Privacy in Statistical Databases 2004",
        better="lower",
        cost=MeasureCost.ROWS,
        compute=_linkage,
    ),
    ReleaseMeasure(
        name="linkage-expected",
        family=MeasureFamily.ATTACK,
        meaning=say("share of people whose row is found by a guess among the candidates"),
        reference="El Emam and Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008",
        better="lower",
        cost=MeasureCost.ROWS,
        compute=_expected,
    ),
)
