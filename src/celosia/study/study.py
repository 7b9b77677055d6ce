"""A study: many releases of one table, each measured and learnt from, side by side on all cores."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from celosia.errors import ProjectError
from celosia.machine import start_pool, usable_cores
from celosia.measure.learning.registry import choose_models
from celosia.measure.registry import choose_measures
from celosia.project import Project
from celosia.release.prepared_table import Ask
from celosia.say import say
from celosia.study.cache import AnswerCache, digest_of_frame
from celosia.study.cell import CellResult, StudyQuestion, run_cell
from celosia.study.grid import StudyCell, cells, names_of_choices
from celosia.study.people import StudyPeople, gather_people
from celosia.tables.table import Progress, no_progress

__all__ = ["Study", "run_study"]


@dataclass(frozen=True)
class Study:
    """What a study found: ``baseline`` is the table as it is, ``results`` every release of it."""

    question: StudyQuestion
    baseline: CellResult
    results: tuple[CellResult, ...]
    people: int
    control: int

    @property
    def choices(self) -> dict[tuple[str, ...], str]:
        """The choices of quasi-identifiers, and what they are called."""
        return names_of_choices(
            [StudyCell(result.k or 0, result.quasi_identifiers) for result in self.results]
        )

    def of(self, choice: Sequence[str]) -> tuple[CellResult, ...]:
        """The releases with a choice of quasi-identifiers, by k."""
        of_choice = [result for result in self.results if result.quasi_identifiers == tuple(choice)]
        return tuple(sorted(of_choice, key=lambda result: result.k or 0))

    def table(self) -> pl.DataFrame:
        """One row per release, model, target and way of testing, with the measures of the release."""
        rows = []
        for result in (self.baseline, *self.results):
            for learnt in result.learnt:
                low, high = learnt.interval or (None, None)
                rows.append(
                    {
                        "k": result.k,
                        "quasi-identifiers": None if result.k is None else len(result.quasi_identifiers),
                        "model": learnt.model,
                        "target": learnt.target,
                        "trained on": "original" if result.k is None else learnt.trained_on,
                        "tested on": learnt.tested_on,
                        "metric": learnt.main,
                        "value": learnt.value,
                        "low": low,
                        "high": high,
                        **{name: result.measures.get(name) for name in self.measures},
                    }
                )
        return pl.DataFrame(rows, infer_schema_length=None)

    @property
    def measures(self) -> list[str]:
        """What the releases were measured by."""
        return list(dict.fromkeys(name for result in self.results for name in result.measures))

    def to_dict(self) -> dict[str, object]:
        """The whole study as a document that JSON takes."""
        return {
            "people": self.people,
            "control": self.control,
            "models": list(self.question.models),
            "targets": list(self.question.targets),
            "sensitive": list(self.question.sensitive),
            "folds": self.question.folds,
            "repeats": self.question.repeats,
            "seed": self.question.seed,
            "baseline": self.baseline.to_dict(),
            "releases": [result.to_dict() for result in self.results],
        }


def run_study(
    project: Project,
    name: str | None = None,
    *,
    cache: Path | None = None,
    jobs: int | None = None,
    progress: Progress = no_progress,
    ask: Ask | None = None,
) -> Study:
    """Carry out the study of a project's table, its only one unless named, on ``jobs`` cores, all by default.

    With a ``cache`` folder, cells whose rows and questions are as before are not computed again.
    """
    plan, study = project.plan(name), project.study
    name = name or next(iter(project.tables))
    question = StudyQuestion(
        project, name, study.models, study.measures, study.folds, study.repeats, plan.seed or 0
    )
    _check(question)
    choose_models(study.models)
    choose_measures(study.measures)
    grid = cells(plan, study)
    progress(say("reading"), 0.0)
    people = gather_people(project, name, share=study.control, seed=question.seed, ask=ask)
    wanted: list[StudyCell | None] = [None, *grid]
    answers = dict(_answers(wanted, question, people, AnswerCache(cache), jobs or usable_cores(), progress))
    return Study(
        question,
        answers[None],
        tuple(answers[cell] for cell in grid),
        people.released.height,
        people.control.height,
    )


def _check(question: StudyQuestion) -> None:
    if not question.targets and not question.sensitive:
        raise ProjectError(
            say("there is nothing to predict"),
            where=f"tables.{question.name}",
            remedy=say("name columns under targets, or declare a sensitive one"),
        )
    for column in question.targets:
        if column in question.plan.quasi_identifiers:
            raise ProjectError(
                say("target {column!r} is a quasi-identifier, and would be generalized", column=column),
                where=f"tables.{question.name}.targets",
                remedy=say("make it common, or sensitive"),
            )


def _answers(
    wanted: Sequence[StudyCell | None],
    question: StudyQuestion,
    people: StudyPeople,
    cache: AnswerCache,
    jobs: int,
    progress: Progress,
) -> Iterator[tuple[StudyCell | None, CellResult]]:
    """Every cell with its result: from the cache, or computed by processes of their own."""
    asked = _asked(question, people)
    missing: list[StudyCell | None] = []
    for cell in wanted:
        known = cache.find(_with(asked, cell))
        if known is None:
            missing.append(cell)
        else:
            yield cell, CellResult.from_dict(known)
    done = len(wanted) - len(missing)
    for cell, result in _computed(missing, question, people, jobs):
        if result.why_not is None:
            cache.keep(_with(asked, cell), result.to_dict())
        done += 1
        progress(say("releasing, measuring and learning"), done / len(wanted))
        yield cell, result


def _computed(
    missing: Sequence[StudyCell | None], question: StudyQuestion, people: StudyPeople, jobs: int
) -> Iterator[tuple[StudyCell | None, CellResult]]:
    if jobs == 1 or len(missing) < 2:
        for cell in missing:
            yield cell, run_cell(cell, question, people)
        return
    # Rows go to the processes through pipes, never through files; whatever stops us stops them too.
    pool = start_pool(min(jobs, len(missing)), _begin, (question, people))
    try:
        yield from pool.imap_unordered(_work, missing)
    finally:
        pool.terminate()
        pool.join()


_AT_HAND: dict[str, Any] = {}
"""What a process of a study works on."""


def _begin(question: StudyQuestion, people: StudyPeople) -> None:
    _AT_HAND.update(question=question, people=people)


def _work(cell: StudyCell | None) -> tuple[StudyCell | None, CellResult]:
    return cell, run_cell(cell, _AT_HAND["question"], _AT_HAND["people"])


def _asked(question: StudyQuestion, people: StudyPeople) -> dict[str, object]:
    """The question in so far as the answer depends on it: not where the table lies or what it is called."""
    plan = question.plan.model_dump(mode="json", exclude={"source", "destination", "control"})
    return {
        "rows": digest_of_frame(people.released),
        "control": digest_of_frame(people.control),
        "plan": plan,
        "models": list(question.models),
        "measures": list(question.measures),
        "folds": question.folds,
        "repeats": question.repeats,
        "seed": question.seed,
        "hierarchies": _contents(question),
    }


def _contents(question: StudyQuestion) -> dict[str, object]:
    """Hierarchies by what is in them: files change under the same name."""
    import hashlib

    files = {name: column.hierarchy for name, column in question.plan.columns.items()}
    return {
        name: hashlib.sha256(Path(path).read_bytes()).hexdigest()
        for name, path in files.items()
        if isinstance(path, str)
    }


def _with(asked: dict[str, object], cell: StudyCell | None) -> dict[str, object]:
    return {**asked, "cell": None if cell is None else asdict(cell)}
