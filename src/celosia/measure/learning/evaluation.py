"""Models trained on a release and on its original, asked about rows that they have not seen: what each gets right."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from celosia.errors import ProjectError
from celosia.measure.learning.metrics import BOUNDS
from celosia.measure.learning.model import LearningModel, check_installed
from celosia.measure.learning.problem import LearningProblem, choose_predictors, pose_problem
from celosia.measure.learning.registry import choose_models
from celosia.measure.learning.scores import (
    Difference,
    MetricScore,
    paired_difference,
    summarize,
    variance_factor,
)
from celosia.measure.learning.training import ModelTestScores, score_model, train_model
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["ModelEvaluation", "compare_evaluations", "evaluate_models", "find_evaluation"]

Integers = npt.NDArray[np.int64]
WHOLE = "whole release"


@dataclass(frozen=True)
class ModelEvaluation:
    """What one model scored: what it was ``trained_on``, whom it was ``tested_on``, and every metric with its interval.

    Trained on ``release`` or ``original``, it was tested on held-out rows of the ``release``; on held-out people of
    the ``original``; on people of the ``control`` group; or on people of the original of whom most were ``seen`` in
    training, where the rows of the tables are not aligned. Trained on the ``whole release``, as an attacker would,
    it was tested on all its people, the ``members``, and on the ``control`` group.

    ``classes`` has the metrics of every class that the release shows; ``confusion[true][predicted]`` are the rows of
    all folds, by the classes of the original in their order. ``factor`` turns the variance between the folds
    into that of a mean; ``tested_rows`` are the rows of every fold.
    """

    model: str
    target: str
    task: Literal["classification", "regression"]
    trained_on: str
    tested_on: str
    parameters: Mapping[str, object]
    folds: int
    repeats: int
    trained_rows: int
    tested_rows: tuple[int, ...]
    factor: float
    scores: Mapping[str, MetricScore]
    classes: Mapping[str, Mapping[str, MetricScore]] = field(default_factory=dict)
    confusion: tuple[tuple[int, ...], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def main(self) -> MetricScore:
        """Its accuracy, or for numbers its R2."""
        return self.scores["accuracy" if self.task == "classification" else "r2"]

    def as_json(self) -> dict[str, object]:
        """As JSON takes it."""
        names = ("model", "target", "task", "trained_on", "tested_on", "folds", "repeats", "trained_rows")
        return {
            **{name: getattr(self, name) for name in names},
            "parameters": dict(self.parameters),
            "tested_rows": list(self.tested_rows),
            "factor": self.factor,
            "scores": {name: score.as_json() for name, score in self.scores.items()},
            "classes": {
                class_name: {name: score.as_json() for name, score in scores.items()}
                for class_name, scores in self.classes.items()
            },
            "confusion": [list(row) for row in self.confusion],
            "notes": list(self.notes),
        }


def evaluate_models(
    subject: MeasureSubject,
    models: Iterable[LearningModel | str],
    targets: Iterable[str] | None = None,
    *,
    folds: int = 5,
    repeats: int = 1,
    jobs: int = 1,
    predictors: Sequence[str] | None = None,
    against_original: bool = True,
) -> tuple[ModelEvaluation, ...]:
    """Train every model on the release, and on the original, to predict every target; by cross-validation.

    Targets are those of the subject unless given; they are predicted from ``predictors``, or from all other columns of
    both tables. ``repeats`` times rows are dealt into ``folds``, every class evenly; the seed of the subject decides
    how. With several ``jobs``, so many are trained at a time; the results are the same. What a subject was asked once
    is kept there.

    >>> import polars as pl
    >>> people = pl.DataFrame({"sex": ["f", "m"] * 20, "job": ["nurse", "cook"] * 20})
    >>> subject = MeasureSubject.of(people, people, targets=["job"], same_order=True)
    >>> found = evaluate_models(subject, ["decision-tree"], folds=2)
    >>> [(one.trained_on, one.tested_on, one.main.value) for one in found if one.trained_on != "whole release"]
    [('release', 'release', 1.0), ('release', 'original', 1.0), ('original', 'original', 1.0)]
    """
    check_installed()
    if folds < 2 or repeats < 1:
        raise ProjectError(
            say("{repeats} x {folds} folds cannot be made", repeats=repeats, folds=folds),
            remedy=say("give 2 folds or more, and repeats of 1 or more"),
        )
    chosen = choose_models(models)
    evaluations: list[ModelEvaluation] = []
    for target in subject.targets if targets is None else targets:
        columns = choose_predictors(subject, target) if predictors is None else tuple(predictors)
        problem = pose_problem(subject, target, columns, folds=folds, repeats=repeats)
        for model in chosen:
            key = ("evaluated", model.name, model, target, columns, folds, repeats, against_original)
            evaluate = partial(
                _evaluated, subject, model, problem, jobs=jobs, against_original=against_original
            )
            evaluations += subject.once(key, evaluate)
    return tuple(evaluations)


def find_evaluation(
    evaluations: Iterable[ModelEvaluation], trained_on: str, tested_on: str, *, model: str | None = None
) -> ModelEvaluation | None:
    """The first of some evaluations that was trained and tested so."""
    asked = (trained_on, tested_on)
    return next(
        (
            evaluation
            for evaluation in evaluations
            if (evaluation.trained_on, evaluation.tested_on) == asked
            and (model is None or evaluation.model == model)
        ),
        None,
    )


def compare_evaluations(
    first: ModelEvaluation, other: ModelEvaluation, metric: str | None = None
) -> Difference:
    """How much ``first`` scores above ``other`` in a metric (accuracy or R2 unless given), and whether that is noise.

    Compared fold by fold, so both must have the same number of them; where rows are aligned folds hold the same people.
    """
    name = metric or ("accuracy" if first.task == "classification" else "r2")
    return paired_difference(
        first.scores[name].folds,
        other.scores[name].folds,
        first.tested_rows,
        factor=max(first.factor, other.factor),
    )


@dataclass(frozen=True)
class _Job:
    """One training: on which rows, and the tests that follow. ``tests`` are the name of a table and the rows of it."""

    trained_on: str
    side: str
    rows: Integers
    tests: tuple[tuple[str, str, Integers], ...]
    seed: int


def _jobs(problem: LearningProblem, seed: int, *, against_original: bool) -> Iterator[_Job]:
    sides = problem.sides
    repeats, folds, _ = sides["release"].rows.shape
    for repeat in range(repeats):
        for fold in range(folds):
            drawn = int(np.random.SeedSequence([seed, repeat, fold]).generate_state(1)[0])
            compared = (problem.held_out, problem.held_out, sides[problem.held_out].rows[repeat, fold])
            for name in ("release", "original") if against_original else ("release",):
                rows = sides[name].rows[repeat]
                tests = [(name, name, rows[fold])]
                if problem.held_out != name:
                    tests.append(compared)
                yield _Job(name, name, rows.sum(axis=0) - rows[fold], tuple(tests), drawn)
    groups = [("members", "original")] + [("control", "control")] * ("control" in sides)
    tests = [
        (shown, name, sides[name].rows[repeat, fold])
        for repeat in range(repeats)
        for fold in range(folds)
        for shown, name in groups
    ]
    drawn = int(np.random.SeedSequence([seed, repeats, folds]).generate_state(1)[0])
    yield _Job(WHOLE, "release", sides["release"].rows[0].sum(axis=0), tuple(tests), drawn)


def _evaluated(
    subject: MeasureSubject,
    model: LearningModel,
    problem: LearningProblem,
    *,
    jobs: int,
    against_original: bool,
) -> tuple[ModelEvaluation, ...]:
    return tuple(_evaluate(subject, model, problem, jobs=jobs, against_original=against_original))


def _evaluate(
    subject: MeasureSubject,
    model: LearningModel,
    problem: LearningProblem,
    *,
    jobs: int,
    against_original: bool,
) -> Iterator[ModelEvaluation]:
    """One model: all trainings, and the scores of their tests brought together."""
    todo = list(_jobs(problem, subject.seed, against_original=against_original))
    tested: dict[tuple[str, str], list[ModelTestScores]] = {}
    trained: dict[str, list[int]] = {}
    stage = say("training models: {model}, {target}", model=model.name, target=problem.target)
    subject.progress(stage, 0.0)
    for done, (job, answers) in enumerate(zip(todo, _run(todo, model, problem, jobs), strict=True), 1):
        trained.setdefault(job.trained_on, []).append(int(job.rows.sum()))
        for (name, _, _), answer in zip(job.tests, answers, strict=True):
            tested.setdefault((job.trained_on, name), []).append(answer)
        subject.progress(stage, done / len(todo))
    for (trained_on, tested_on), answers in tested.items():
        yield _summary(
            model, problem, trained_on, tested_on, answers, trained_rows=float(np.mean(trained[trained_on]))
        )


def _run(
    todo: Sequence[_Job], model: LearningModel, problem: LearningProblem, jobs: int
) -> Iterator[list[ModelTestScores]]:
    """The answers of all jobs, in their order. Every training keeps to one thread, so that sums are always the same."""
    import sklearn.ensemble  # noqa: F401 - its library of threads must be there before it can be limited
    from joblib import Parallel, delayed
    from threadpoolctl import ThreadpoolController

    threads = ThreadpoolController()

    def work(job: _Job) -> list[ModelTestScores]:
        with threads.limit(limits=1, user_api="openmp"):  # each thread has a limit of its own
            trained = train_model(model, problem, problem.sides[job.side], job.rows, seed=job.seed)
            shown = job.side == "release"
            return [
                score_model(trained, problem, problem.sides[side], rows, as_released=shown)
                for _, side, rows in job.tests
            ]

    # Forests set the filters of warnings aside tree by tree, and threads do so under each other's feet: in the end
    # they are as the caller had them, and in between nobody is told what was lost on the way.
    with warnings.catch_warnings(), threads.limit(limits=1, user_api="blas"):
        warnings.showwarning = _overhear  # type: ignore[assignment]
        run = Parallel(n_jobs=jobs, prefer="threads", return_as="generator")
        yield from run(delayed(work)(job) for job in todo)


def _overhear(*_warning: object) -> None:
    """Show no warning."""


def _summary(
    model: LearningModel,
    problem: LearningProblem,
    trained_on: str,
    tested_on: str,
    answers: Sequence[ModelTestScores],
    *,
    trained_rows: float,
) -> ModelEvaluation:
    repeats, folds, _ = problem.sides["release"].rows.shape
    rows = [answer.rows for answer in answers]
    # One model tested on parts of a table: the parts are independent, and dealing them anew tells nothing more.
    factor = 1 / folds
    if trained_on != WHOLE:
        factor = variance_factor(len(answers), float(np.mean(rows)), trained_rows)

    def brought_together(results: Sequence[Mapping[str, float]]) -> dict[str, MetricScore]:
        return {
            name: summarize([result[name] for result in results], rows, factor=factor, bounds=BOUNDS[name])
            for name in results[0]
        }

    classes = {
        text: brought_together([answer.classes[number] for answer in answers])
        for number, text in enumerate(problem.classes or ())
        if problem.shown[number]
    }
    return ModelEvaluation(
        model=model.name,
        target=problem.target,
        task="regression" if problem.classes is None else "classification",
        trained_on=trained_on,
        tested_on=tested_on,
        parameters=model.model_dump(),
        folds=folds,
        repeats=repeats,
        trained_rows=round(trained_rows),
        tested_rows=tuple(rows),
        factor=factor,
        scores=brought_together([answer.metrics for answer in answers]),
        classes=classes,
        confusion=_confusion(answers),
        notes=problem.notes,
    )


def _confusion(answers: Sequence[ModelTestScores]) -> tuple[tuple[int, ...], ...]:
    """The rows of all folds, by what they are and what was predicted."""
    tables = [answer.confusion for answer in answers if answer.confusion is not None]
    if not tables:
        return ()
    return tuple(tuple(int(rows) for rows in line) for line in np.sum(tables, axis=0))
