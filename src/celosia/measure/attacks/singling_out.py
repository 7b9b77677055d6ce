"""Singling out: the release is used to say something that is true of exactly one person of the original.

Such predicates are taken from what is released, in four ways: a label that one row shows, or the ends of a column of
numbers; the labels of a row in three columns; the same with "at most" and "at least" for numbers, which survives
noise; the labels of a row in all columns. The answer is the way whose risk over the control group is surest. After
Giomi et al. (PoPETs 2023), with boxes in place of values; A. Cohen, K. Nissim: Towards formalizing the GDPR's notion of
singling out. PNAS 117(15), 2020.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.attacks.confidence import Rate, answer
from celosia.measure.attacks.release_boxes import (
    Codes,
    PeopleGroup,
    ReleaseBoxes,
    read_boxes,
    record_columns,
    sample,
)
from celosia.measure.attacks.search import count_inside
from celosia.measure.decode import DecodedColumn, LabelMeaning
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

__all__ = ["MEASURES", "Predicates", "single_out"]

FEW = 3
"""Columns of a predicate on some of them, as in the reference."""

WAYS = 4


class Predicates:
    """What can be said in terms of a release: of each column a label, at most or at least a label, or nothing.

    ``boxes`` has the labels of the release, then one that says nothing, then "at most" and "at least" for each.
    """

    def __init__(self, boxes: ReleaseBoxes) -> None:
        self.released = boxes
        self.boxes = ReleaseBoxes(boxes.columns, tuple(map(_extend, boxes.decoded)), boxes.labels, boxes.rows)
        self.sizes = np.array([len(decoded.labels) for decoded in boxes.decoded])

    def ways(self, count: int, rng: np.random.Generator) -> Iterator[tuple[str, Codes, Codes]]:
        """Each way with its predicates, ``labels[predicate, column]``, and as many naive ones."""
        columns = len(self.sizes)
        single = self._single()
        if len(single):
            chosen = np.sort(rng.choice(len(single), min(count, len(single)), replace=False, shuffle=False))
            yield "one column", single[chosen], self._of_columns(self._naive(len(chosen), rng), 1, rng)
        if columns > FEW:
            some, naive = self._rows(count, rng), self._naive(count, rng)
            yield "three columns", self._of_columns(some, FEW, rng), self._of_columns(naive, FEW, rng)
        if any(decoded.is_number for decoded in self.released.decoded):
            some, naive = self._sided(self._rows(count, rng)), self._sided(self._naive(count, rng))
            few = min(FEW, columns)
            yield "at most, at least", self._of_columns(some, few, rng), self._of_columns(naive, few, rng)
        yield "all columns", self._rows(count, rng), self._naive(count, rng)

    def _single(self) -> Codes:
        """Labels that one row shows, and the ends of columns of numbers."""
        predicates = []
        for column, decoded in enumerate(self.released.decoded):
            size = len(decoded.labels)
            rows = np.bincount(self.released.labels[:, column], self.released.rows, size)
            labels = np.flatnonzero(rows == 1).tolist()
            if decoded.is_number and not np.isnan(decoded.low).all():
                labels += [
                    size + 1 + int(np.nanargmin(decoded.high)),
                    2 * size + 1 + int(np.nanargmax(decoded.low)),
                ]
            for label in labels:
                said = self.sizes.copy()
                said[column] = label
                predicates.append(said)
        return np.array(predicates, np.int32).reshape(-1, len(self.sizes))

    def _rows(self, count: int, rng: np.random.Generator) -> Codes:
        """The labels of random rows of the release."""
        ends = np.cumsum(self.released.rows)
        return self.released.labels[np.searchsorted(ends, rng.integers(0, ends[-1], count), side="right")]

    def _naive(self, count: int, rng: np.random.Generator) -> Codes:
        """Labels put together at random."""
        return np.column_stack([rng.integers(0, size, count) for size in self.sizes]).astype(np.int32)

    def _of_columns(self, labels: Codes, few: int, rng: np.random.Generator) -> Codes:
        """Predicates that say something of a few random columns only."""
        order = rng.permuted(np.tile(np.arange(len(self.sizes)), (len(labels), 1)), axis=1)
        return np.where(order < few, labels, self.sizes).astype(np.int32)

    def _sided(self, labels: Codes) -> Codes:
        """Numbers as the side of the middle on which they are: at most what is small, at least what is large."""
        sided = labels.copy()
        for column, decoded in enumerate(self.released.decoded):
            if not decoded.is_number:
                continue
            size, mine = len(decoded.labels), labels[:, column]
            low, high = decoded.low[mine], decoded.high[mine]
            middle = _median(decoded.low, self.released.labels[:, column], self.released.rows)
            side = np.where(low > middle, 2 * size + 1 + mine, size + 1 + mine)
            sided[:, column] = np.where(np.isnan(low) | np.isnan(high), mine, side)
        return sided


def _median(
    numbers: npt.NDArray[np.float64], labels: npt.NDArray[np.integer], rows: npt.NDArray[np.integer]
) -> float:
    """The median over the rows of what their labels begin with."""
    begins = numbers[labels]
    there = np.isfinite(begins)
    if not there.any():
        return 0.0
    order = np.argsort(begins[there])
    ends = np.cumsum(rows[there][order])
    return float(begins[there][order][np.searchsorted(ends, ends[-1] / 2)])


def _extend(column: DecodedColumn) -> DecodedColumn:
    """A column with a label that says nothing, and with at most and at least each label."""
    size = len(column.labels)
    beyond = np.full(size, LabelMeaning.SOME, np.int8)
    some = np.isnan(column.low)
    return replace(
        column,
        labels=pl.Series([""]).new_from_index(0, 3 * size + 1),
        meanings=np.concatenate((column.meanings, [LabelMeaning.EVERYTHING], beyond, beyond)).astype(np.int8),
        starts=np.concatenate((column.starts, np.full(2 * size + 1, column.starts[-1]))).astype(np.int64),
        low=np.concatenate((column.low, [np.nan], np.where(some, np.nan, -np.inf), column.low)),
        high=np.concatenate((column.high, [np.nan], column.high, np.where(some, np.nan, np.inf))),
    )


def single_out(labels: Codes, boxes: ReleaseBoxes, people: PeopleGroup) -> npt.NDArray[np.bool_]:
    """Whether each predicate is true of exactly one of the people."""
    return np.asarray(count_inside(labels, boxes, people, limit=1) == 1)


def _singling_out(subject: "MeasureSubject") -> Iterator[MeasuredValue]:
    boxes, original, control = read_boxes(subject, list(record_columns(subject)))
    if not len(boxes.rows) or not len(original):
        raise NotMeasurableError(say("there are no rows"))
    rng = np.random.default_rng(subject.seed)
    if control is not None and len(control) > len(original):
        chosen = sample(control, len(original), rng)
        control = PeopleGroup(chosen, np.ones(len(chosen), np.int64))
    predicates = Predicates(boxes)
    answers = {}
    for way, said, naive in predicates.ways(subject.attacker.people, rng):
        sides = [(said, original), (naive, original), (said, control)]
        rates = [
            None if people is None else _rate(single_out(labels, predicates.boxes, people))
            for labels, people in sides
        ]
        assert rates[0] is not None
        assert rates[1] is not None
        answers[way] = answer(rates[0], rates[1], rates[2], ways=WAYS)
    best = max(answers, key=lambda way: _rank(answers[way]))
    said_of = {"columns": list(boxes.columns), "way": best} | _sizes(original, control)
    ways = {
        way: {"value": answer.value, "interval": answer.interval, **answer.details}
        for way, answer in answers.items()
    }
    yield replace(answers[best], details={**answers[best].details, **said_of, "ways": ways})


def _rank(answer: MeasuredValue) -> tuple[float, ...]:
    """By what is sure of the risk: a way that was tried a few times only may have had luck."""
    assert answer.interval is not None
    return answer.interval[0], answer.details["attack"]["attempts"], answer.value or 0.0


def _rate(successes: npt.NDArray[np.bool_]) -> Rate:
    return Rate(float(successes.sum()), len(successes))


def _sizes(original: PeopleGroup, control: PeopleGroup | None) -> dict[str, object]:
    """What is to be said where the control group is much smaller: fewer people are singled out among fewer."""
    if control is None or len(control) >= 0.9 * len(original):
        return {}
    said = say(
        "the control group has {control} people and the original {original}; equally many compare best",
        control=len(control),
        original=len(original),
    )
    return {"note": said}


MEASURES = (
    ReleaseMeasure(
        name="singling-out",
        family=MeasureFamily.ATTACK,
        meaning=say(
            "how much better than for people who are not in it the release tells what is true of one person only"
        ),
        reference="Giomi et al., A unified framework for quantifying privacy risk in synthetic data, PoPETs 2023(2)",
        better="lower",
        cost=MeasureCost.ROWS,
        compute=_singling_out,
    ),
)
