"""One cell of a study: the release made, measured, and learnt from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import polars as pl

from celosia.errors import CelosiaError
from celosia.hierarchies import is_rule
from celosia.measure.learning import evaluate_models
from celosia.measure.registry import choose_measures
from celosia.measure.release_measure import NotMeasurableError
from celosia.measure.results import measure_subject
from celosia.measure.subject import MeasureSubject
from celosia.privacy import guarded_columns
from celosia.project import Project, TablePlan
from celosia.release.prepared_table import as_hierarchy
from celosia.run import anonymize
from celosia.study.grid import StudyCell, cell_project
from celosia.study.model_scores import ModelScores, find_model_scores
from celosia.study.people import StudyPeople
from celosia.tables import open_table
from celosia.tables.table import Table
from celosia.types import Role

__all__ = ["CellResult", "StudyQuestion", "run_cell"]

LOSS = "loss"


@dataclass(frozen=True)
class StudyQuestion:
    """What is asked of every cell; ``name`` is the table's in the project."""

    project: Project
    name: str
    models: tuple[str, ...]
    measures: tuple[str, ...]
    folds: int
    repeats: int
    seed: int

    @property
    def plan(self) -> TablePlan:
        """What the project says of the table."""
        return self.project.plan(self.name)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """What should not be told by a release."""
        return self.plan.with_role(Role.SENSITIVE)

    @property
    def targets(self) -> tuple[str, ...]:
        """What it should tell."""
        return self.plan.targets


@dataclass(frozen=True)
class CellResult:
    """What came out: ``measures[name]`` of the release, what every model ``learnt``, or why there is no release.

    ``not_learnt`` says of targets why no model could learn them.

    A cell without k is the table as it is.
    """

    k: int | None
    quasi_identifiers: tuple[str, ...]
    measures: Mapping[str, float | None] = field(default_factory=dict)
    learnt: tuple[ModelScores, ...] = ()
    not_learnt: Mapping[str, str] = field(default_factory=dict)
    why_not: str | None = None
    seconds: float = 0.0

    def find(self, model: str, target: str, trained_on: str, tested_on: str) -> ModelScores | None:
        """What a model learnt that was trained and tested so."""
        return find_model_scores(
            self.learnt, model=model, target=target, trained_on=trained_on, tested_on=tested_on
        )

    def to_dict(self) -> dict[str, object]:
        """The result of one release as a document that JSON takes."""
        return {
            "k": self.k,
            "quasi_identifiers": list(self.quasi_identifiers),
            "measures": dict(self.measures),
            "learnt": [scores.to_dict() for scores in self.learnt],
            "not_learnt": dict(self.not_learnt),
            "why_not": self.why_not,
            "seconds": self.seconds,
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "CellResult":
        """From a document, as the cache keeps it."""
        return cls(
            k=document["k"],
            quasi_identifiers=tuple(document["quasi_identifiers"]),
            measures=document["measures"],
            learnt=tuple(ModelScores.from_dict(scores) for scores in document["learnt"]),
            not_learnt=document["not_learnt"],
            why_not=document["why_not"],
            seconds=document["seconds"],
        )


def run_cell(cell: StudyCell | None, question: StudyQuestion, people: StudyPeople) -> CellResult:
    """Release as a cell says, measure the release and train the models on it; without a cell, on the table as it is."""
    begun = perf_counter()
    k = None if cell is None else cell.k
    chosen = question.plan.quasi_identifiers if cell is None else cell.quasi_identifiers
    try:
        frame = people.released if cell is None else _release(cell, question, people)
        subject = _subject(frame, chosen, question, people)
        measures = {} if cell is None else _measures(subject, question.measures)
        learnt, not_learnt = _learn(subject, question)
    except CelosiaError as error:
        return CellResult(k, chosen, why_not=error.text, seconds=perf_counter() - begun)
    return CellResult(k, chosen, measures, learnt, not_learnt, None, perf_counter() - begun)


def _learn(
    subject: MeasureSubject, question: StudyQuestion
) -> tuple[tuple[ModelScores, ...], dict[str, str]]:
    """What the models learn of every target, and why some cannot be learnt."""
    learnt: list[ModelScores] = []
    not_learnt: dict[str, str] = {}
    for target in (*question.targets, *question.sensitive):
        try:
            evaluations = evaluate_models(
                subject,
                question.models,
                [target],
                folds=question.folds,
                repeats=question.repeats,
                # The table as it is has a cell of its own.
                against_original=False,
            )
            learnt += [ModelScores.of(evaluation) for evaluation in evaluations]
        except NotMeasurableError as reason:
            not_learnt[target] = reason.why
    return tuple(learnt), not_learnt


def _release(cell: StudyCell, question: StudyQuestion, people: StudyPeople) -> pl.DataFrame:
    project = _typed(cell_project(question.project, question.name, cell), question.name, people)
    released = anonymize(project, source=people.released).table
    assert isinstance(released, pl.DataFrame)
    return released


def _typed(project: Project, name: str, people: StudyPeople) -> Project:
    """The project with the types that columns have where the table lies: texts in memory do not tell."""
    table = project.tables[name]
    columns = dict(table.columns)
    for column, kind in people.types.items():
        if column in columns and columns[column].type is None:
            columns[column] = columns[column].model_copy(update={"type": kind})
    return project.model_copy(update={"tables": {name: table.model_copy(update={"columns": columns})}})


def _subject(
    release: pl.DataFrame, quasi_identifiers: tuple[str, ...], question: StudyQuestion, people: StudyPeople
) -> MeasureSubject:
    plan = question.plan

    def opened(frame: pl.DataFrame) -> Table:
        return open_table(frame, missing=plan.source.missing)

    return MeasureSubject(
        release=opened(release),
        original=opened(people.released),
        control=opened(people.control),
        quasi_identifiers=quasi_identifiers,
        sensitive=question.sensitive,
        guarded=guarded_columns(plan.models),
        targets=question.targets,
        types=people.types,
        hierarchies={
            name: as_hierarchy(column.hierarchy, name)
            for name, column in plan.columns.items()
            if column.hierarchy is not None and not is_rule(column.hierarchy)
        },
        seed=question.seed,
    )


def _measures(subject: MeasureSubject, names: Sequence[str]) -> dict[str, float | None]:
    """The answers about the whole release, and the largest or least of those about columns."""
    results = measure_subject(subject, choose_measures([LOSS, *names]), with_before=False)
    return {result.measure.name: result.worst for result in results}
