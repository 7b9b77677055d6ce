"""What is to be found out in a comparison, table by table and model by model: from the cache, or by processes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from celosia.compare.cell import (
    CellAnswer,
    ComparedTable,
    ComparisonQuestion,
    measure_table,
    pair_with_original,
    train_on_table,
)
from celosia.compare.input_table import InputTable
from celosia.machine import start_pool
from celosia.measure.learning import LearningModel
from celosia.measure.subject import MeasureSubject
from celosia.say import say
from celosia.study.cache import AnswerCache, digest_of_frame
from celosia.tables.table import Progress

if TYPE_CHECKING:
    from celosia.compare.weka import WekaModel

    ComparedModel = LearningModel | WekaModel

__all__ = ["ComparisonContext", "ComparisonTask", "run_tasks"]


@dataclass(frozen=True)
class ComparisonTask:
    """One thing to find out: what a model makes of a table, or, without a model, what the table risks."""

    table: str
    row: str
    called: str | None = None
    model: "ComparedModel | None" = None


@dataclass(frozen=True)
class ComparisonContext:
    """What all tasks work on."""

    given: InputTable
    question: ComparisonQuestion
    candidates: dict[str, ComparedTable]


Found = tuple[tuple[str, str | None], CellAnswer]


def run_tasks(
    tasks: Sequence[ComparisonTask],
    work: ComparisonContext,
    cache: AnswerCache,
    jobs: int,
    progress: Progress,
) -> Iterator[Found]:
    """Every task with its answer: from the cache, or found by processes of their own."""
    asked = _asked(work) if cache.folder is not None else None
    missing: list[ComparisonTask] = []
    for task in tasks:
        known = None if asked is None else cache.find(asked[task.table] | _told(task))
        if known is None:
            missing.append(task)
        else:
            yield (task.row, task.called), _named(CellAnswer.from_dict(known), task)
    done = len(tasks) - len(missing)
    for task, answer in _computed(missing, work, jobs):
        if asked is not None and answer.why_not is None:  # a package that is missing may be there next time
            cache.keep(asked[task.table] | _told(task), answer.to_dict())
        done += 1
        progress(say("measuring and learning"), done / len(tasks))
        yield (task.row, task.called), _named(answer, task)


def _named(answer: CellAnswer, task: ComparisonTask) -> CellAnswer:
    """Models with several parameters are told apart by what they were called."""
    if task.called is None:
        return answer
    return replace(answer, learnt=tuple(replace(scores, model=task.called) for scores in answer.learnt))


def _asked(work: ComparisonContext) -> dict[str, dict[str, object]]:
    """The question about every table in so far as the answer depends on it: by content, not by names."""
    question = vars(work.question)
    original = digest_of_frame(work.given.frame)
    return {
        name: {
            "comparison": {**question, "target": work.given.target, "types": dict(work.given.types)},
            "original": original,
            "table": digest_of_frame(candidate.frame),
            "rows": None if candidate.rows is None else candidate.rows.tolist(),
        }
        for name, candidate in work.candidates.items()
    }


def _told(task: ComparisonTask) -> dict[str, object]:
    return {"model": None if task.model is None else {"name": task.model.name, **task.model.model_dump()}}


def _computed(
    missing: Sequence[ComparisonTask], work: ComparisonContext, jobs: int
) -> Iterator[tuple[ComparisonTask, CellAnswer]]:
    if jobs == 1 or len(missing) < 2:
        subjects: dict[str, MeasureSubject] = {}
        for task in missing:
            yield task, _one(task, work, subjects)
        return
    # Rows go to the processes through pipes, never through files; whatever stops us stops them too.
    is_own = any(
        type(task.model).__module__ == "__main__" for task in missing
    )  # a model of the caller's script
    pool = start_pool(min(jobs, len(missing)), _begin, (work,), with_main=is_own)
    try:
        yield from pool.imap_unordered(_do, missing)
    finally:
        pool.terminate()
        pool.join()


_AT_HAND: dict[str, Any] = {}
"""What a process of a comparison works on."""


def _begin(work: ComparisonContext) -> None:
    _AT_HAND.update(work=work, subjects={})


def _do(task: ComparisonTask) -> tuple[ComparisonTask, CellAnswer]:
    return task, _one(task, _AT_HAND["work"], _AT_HAND["subjects"])


def _one(task: ComparisonTask, work: ComparisonContext, subjects: dict[str, MeasureSubject]) -> CellAnswer:
    candidate = work.candidates[task.table]
    if task.model is not None and not isinstance(task.model, LearningModel):
        return task.model.evaluate(candidate.frame, work.given, work.question)
    if task.model is None and candidate.has_twins:
        # Attacks look for the one row of a person, and here some people have several.
        return measure_table(
            pair_with_original(replace(candidate, rows=None), work.given, work.question), work.question
        )
    if task.table not in subjects:
        subjects[task.table] = pair_with_original(candidate, work.given, work.question)
    subject = subjects[task.table]
    if task.model is None:
        return measure_table(subject, work.question)
    return train_on_table(subject, task.model, work.question)
