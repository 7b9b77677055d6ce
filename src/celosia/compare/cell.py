"""One cell of a comparison: what one model makes of one table, or what that table risks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from celosia.compare.input_table import InputTable
from celosia.compare.rows import ROW, Rows
from celosia.measure.learning import LearningModel, evaluate_models
from celosia.measure.registry import choose_measures
from celosia.measure.release_measure import Interval, NotMeasurableError
from celosia.measure.results import measure_subject
from celosia.measure.subject import MeasureSubject
from celosia.study.model_scores import ModelScores

__all__ = [
    "CellAnswer",
    "ComparedTable",
    "ComparisonQuestion",
    "Risk",
    "measure_table",
    "risks_of",
    "train_on_table",
]


@dataclass(frozen=True)
class ComparedTable:
    """A table under comparison; ``rows`` are the rows of the original that its rows come from, None if unknown."""

    name: str
    frame: pl.DataFrame
    rows: Rows | None

    @property
    def has_twins(self) -> bool:
        """Whether several of its rows come from the same one."""
        return self.rows is not None and len(np.unique(self.rows)) < len(self.rows)


@dataclass(frozen=True)
class ComparisonQuestion:
    """What is asked of every table."""

    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    measures: tuple[str, ...]
    folds: int
    repeats: int
    seed: int


@dataclass(frozen=True)
class Risk:
    """What a measure says of a table: a value with its interval, or why there is none."""

    value: float | None
    interval: Interval | None = None
    why_not: str | None = None


@dataclass(frozen=True)
class CellAnswer:
    """What a model ``learnt``, in every way it was tested, or why it could not; or the ``risks`` of a table by name."""

    learnt: tuple[ModelScores, ...] = ()
    risks: Mapping[str, Risk] | None = None
    notes: tuple[str, ...] = ()
    why_not: str | None = None

    def to_dict(self) -> dict[str, object]:
        """The answer as a document that JSON takes."""
        return {
            "learnt": [scores.to_dict() for scores in self.learnt],
            "risks": None if self.risks is None else {name: vars(risk) for name, risk in self.risks.items()},
            "notes": list(self.notes),
            "why_not": self.why_not,
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "CellAnswer":
        """From a document, as the cache keeps it."""
        risks = document["risks"]
        return cls(
            tuple(ModelScores.from_dict(scores) for scores in document["learnt"]),
            None if risks is None else {name: _risk(risk) for name, risk in risks.items()},
            tuple(document["notes"]),
            document["why_not"],
        )


def _risk(document: Mapping[str, Any]) -> Risk:
    interval = document["interval"]
    return Risk(document["value"], None if interval is None else tuple(interval), document["why_not"])


def train_on_table(subject: MeasureSubject, model: LearningModel, question: ComparisonQuestion) -> CellAnswer:
    """A model trained on the table by cross-validation, tested on rows of it and of the original.

    The original has a cell of its own, dealt into the same folds; so all can be compared with it.
    """
    try:
        evaluations = evaluate_models(
            subject, [model], folds=question.folds, repeats=question.repeats, against_original=False
        )
    except NotMeasurableError as reason:
        return CellAnswer(why_not=reason.why)
    return CellAnswer(
        tuple(ModelScores.of(evaluation) for evaluation in evaluations), notes=evaluations[0].notes
    )


def measure_table(subject: MeasureSubject, question: ComparisonQuestion) -> CellAnswer:
    """What the table risks."""
    return CellAnswer(risks=risks_of(subject, question.measures))


def risks_of(subject: MeasureSubject, names: tuple[str, ...]) -> dict[str, Risk]:
    """The answers of measures about the whole table, or the worst about its columns."""
    if not names:  # that would be all measures there are
        return {}
    risks = {}
    for result in measure_subject(subject, choose_measures(list(names)), with_before=False):
        worst = result.worst
        said = next((answer for answer in result.answers if answer.value == worst), result.answers[0])
        risks[result.measure.name] = Risk(worst, said.interval if worst is not None else None, said.why_not)
    return risks


def pair_with_original(
    candidate: ComparedTable, table: InputTable, question: ComparisonQuestion
) -> MeasureSubject:
    """The table beside the original; rows that are the same people's are known by their number."""
    original, release = table.frame, candidate.frame
    known: dict[str, object] = {}
    if candidate.rows is not None:
        if np.array_equal(candidate.rows, np.arange(original.height)):
            known = {"same_order": True}
        else:
            original = original.with_columns(pl.Series(ROW, np.arange(original.height)))
            release = release.with_columns(pl.Series(ROW, candidate.rows))
            known = {"key": ROW}
    return MeasureSubject.of(
        original,
        release,
        quasi_identifiers=question.quasi_identifiers,
        sensitive=question.sensitive,
        targets=[table.target],
        types=table.types,
        seed=question.seed,
        **known,
    )
