"""Inference: what somebody hides is guessed from the released rows that are nearest to what is known of her.

A category is guessed as the value with most of these rows; a label that allows several gives each its part. A number is
guessed as their median, an interval counting as its middle, and is right within ``TOLERANCE``. What can be guessed as
well of people who are not in the release tells about everybody, not about them: the control group takes it off.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from celosia.measure.attacks.attacker import Knowledge
from celosia.measure.attacks.confidence import Rate, answer
from celosia.measure.attacks.release_boxes import (
    Codes,
    PeopleGroup,
    ReleaseBoxes,
    add_knowledge_errors,
    known_columns,
    read_boxes,
    sample,
)
from celosia.measure.attacks.search import chunks, knowledge_precision
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

__all__ = ["MEASURES", "TOLERANCE", "GuessedColumn", "guess"]

Floats = npt.NDArray[np.float64]
TOLERANCE = 0.05
"""How far off a number may be guessed, as a part of the span of the middle four fifths of the people."""
LARGEST = 1 << 24
"""Votes that are held at once."""


class GuessedColumn:
    """One column that is guessed: what its labels say for each of its values, or as numbers."""

    def __init__(self, decoded: DecodedColumn, people: PeopleGroup, place: int) -> None:
        self.decoded = decoded
        self.is_number = decoded.is_number
        if not self.is_number:
            return
        numbers = decoded.numbers[people.codes[:, place]]
        there = np.isfinite(numbers)
        if not there.any():
            raise NotMeasurableError(say("column {column!r} has no numbers to guess", column=decoded.column))
        order = np.argsort(numbers[there])
        values, ends = numbers[there][order], np.cumsum(people.rows[there][order])
        first, last = (values[np.searchsorted(ends, share * ends[-1])] for share in (0.1, 0.9))
        self.tolerance = TOLERANCE * float(last - first)
        low, high = np.maximum(decoded.low, values[0]), np.minimum(decoded.high, values[-1])
        middle = (low + high) / 2
        for label in np.flatnonzero(np.isnan(decoded.low) & (np.diff(decoded.starts) > 0)).tolist():
            listed = decoded.numbers[decoded.codes[decoded.starts[label] : decoded.starts[label + 1]]]
            middle[label] = np.nanmean(listed) if not np.isnan(listed).all() else np.nan
        self.middles = np.where(np.isnan(middle), (values[0] + values[-1]) / 2, middle)
        self.order = np.argsort(self.middles, kind="stable")

    def rate(self, votes: npt.NDArray[np.int64], truth: npt.NDArray[np.integer]) -> Floats:
        """The chance that the guess by ``votes[person, label]`` is right, for each person."""
        return self._numbers(votes, truth) if self.is_number else self._categories(votes, truth)

    def _numbers(self, votes: npt.NDArray[np.int64], truth: npt.NDArray[np.integer]) -> Floats:
        running = np.cumsum(votes[:, self.order], axis=1)
        place = (2 * running >= running[:, -1:]).argmax(axis=1)
        guesses = self.middles[self.order][place]
        actual = self.decoded.numbers[truth]
        is_right = np.abs(guesses - actual) <= self.tolerance + 1e-12 * np.abs(actual)
        return np.asarray(is_right, np.float64)

    def _categories(self, votes: npt.NDArray[np.int64], truth: npt.NDArray[np.integer]) -> Floats:
        from scipy.sparse import csr_array

        decoded = self.decoded
        leaves = np.maximum(np.diff(decoded.starts), 1)
        weights = np.repeat(1.0 / leaves, np.diff(decoded.starts))
        allowed = csr_array(
            (weights, decoded.codes, decoded.starts), shape=(len(decoded.labels), len(decoded.values))
        )
        for_value = np.asarray(votes @ allowed)
        any_value = np.isin(decoded.meanings, (LabelMeaning.EVERYTHING, LabelMeaning.UNKNOWN))
        # What allows anything says the same for all values; it decides only where nothing else is said.
        for_value = for_value + votes[:, any_value].sum(axis=1, keepdims=True) / max(1, len(decoded.values))
        for_value[:, decoded.values.is_null().to_numpy()] = -1.0
        most = for_value.max(axis=1, keepdims=True)
        is_top = for_value >= most - 1e-9 * np.maximum(1.0, most)
        right = is_top[np.arange(len(truth)), truth]
        return np.where(right, 1.0 / is_top.sum(axis=1), 0.0)


def guess(
    people: Codes,
    truth: npt.NDArray[np.integer],
    boxes: ReleaseBoxes,
    secret: GuessedColumn,
    knows: Mapping[str, Knowledge],
) -> Floats:
    """The chance of each person that what is guessed of her is ``truth[person]``.

    ``boxes`` are the release by the known columns and, last, the secret one; ``people[person, column]`` what is known.
    """
    from celosia.kernels.nearest import nearest, tally

    known = boxes.take(boxes.columns[:-1])
    groups = np.ascontiguousarray(boxes.labels[:, -1])
    size = len(boxes.decoded[-1].labels)
    step = max(1, LARGEST // max(size, len(boxes.decoded[-1].values)))
    chances = []
    for start in range(0, len(people), step):
        part = people[start : start + step]
        for some, tables in chunks(part, known, knowledge_precision(known, knows)):
            best, _ = nearest(tables, known.labels, known.rows)
            votes = np.zeros((len(best), size), np.int64)
            tally(tables, known.labels, known.rows, best, groups, votes)
            at = slice(start + (some.start or 0), start + some.stop)
            chances.append(secret.rate(votes, truth[at]))
    return np.concatenate(chances) if chances else np.zeros(0)


def _inference(subject: "MeasureSubject") -> Iterator[MeasuredValue]:
    asked = [*subject.sensitive, *(name for name in subject.targets if name not in subject.sensitive)]
    if not asked:
        raise NotMeasurableError(say("no column is declared sensitive, and none is asked for"))
    for name in asked:
        try:
            yield _infer(subject, name)
        except NotMeasurableError as reason:
            yield MeasuredValue(None, about=name, why_not=reason.why)


def _infer(subject: "MeasureSubject", name: str) -> MeasuredValue:
    if name not in subject.shared_columns:
        raise NotMeasurableError(say("the release does not show {name!r}", name=name))
    knows = {known: precision for known, precision in known_columns(subject).items() if known != name}
    if not knows:
        raise NotMeasurableError(say("the attacker knows no other column that the release shows"))
    boxes, original, control = read_boxes(subject, [*knows, name])
    secret = GuessedColumn(boxes.decoded[-1], original, len(knows))
    rng = np.random.default_rng(subject.seed)
    marginal = np.bincount(boxes.labels[:, -1], boxes.rows, len(boxes.decoded[-1].labels)).astype(np.int64)
    rates = []
    for group in (original, control):
        if group is None:
            continue
        codes = sample(_with_secret(group, boxes.decoded[-1]), subject.attacker.people, rng)
        known, truth = np.ascontiguousarray(codes[:, :-1]), codes[:, -1]
        believed = add_knowledge_errors(known, group, list(knows), knows, rng)
        chances = guess(believed, truth, boxes, secret, knows)
        rates.append(Rate(float(chances.sum()), len(chances)))
        if group is original:
            naive = Rate(float(_naive(secret, marginal, truth)), len(truth))
    said: dict[str, Any] = {"columns": list(knows)}
    if secret.is_number:
        said["tolerance"] = secret.tolerance
    return answer(rates[0], naive, rates[1] if len(rates) > 1 else None, about=name, **said)


def _naive(secret: GuessedColumn, marginal: npt.NDArray[np.int64], truth: npt.NDArray[np.integer]) -> float:
    """How many are guessed right without a look at the person, by what the release says of everybody."""
    distinct, count = np.unique(truth, return_counts=True)
    votes = np.broadcast_to(marginal, (len(distinct), len(marginal)))
    return float(secret.rate(votes, distinct) @ count)


def _with_secret(group: PeopleGroup, secret: DecodedColumn) -> PeopleGroup:
    """The people who have a value in the last column: a missing one cannot be guessed."""
    there = ~secret.values.is_null().to_numpy()[group.codes[:, -1]]
    if not there.any():
        raise NotMeasurableError(say("column {column!r} has no value to guess", column=secret.column))
    return PeopleGroup(group.codes[there], group.rows[there])


MEASURES = (
    ReleaseMeasure(
        name="inference",
        family=MeasureFamily.ATTACK,
        meaning=say("how much better than of people who are not in it the release lets a column be guessed"),
        reference="Giomi et al., A unified framework for quantifying privacy risk in synthetic data, PoPETs 2023(2)",
        better="lower",
        cost=MeasureCost.ROWS,
        compute=_inference,
    ),
)
