"""Techniques compared: tables made, measured and learnt from, side by side on all cores."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.compare.cell import CellAnswer, ComparedTable, ComparisonQuestion, Risk
from celosia.compare.chain import StepChain, Techniques, make_chains, parse_call
from celosia.compare.comparison import ORIGINAL, SCALED, Comparison, TableResult
from celosia.compare.input_table import InputTable, read_input
from celosia.compare.other_tables import align_table
from celosia.compare.rows import Rows
from celosia.compare.step import StepContext
from celosia.compare.tasks import ComparisonContext, ComparisonTask, run_tasks
from celosia.errors import CelosiaError, ProjectError
from celosia.machine import usable_cores
from celosia.measure.learning import LearningModel, make_model
from celosia.measure.registry import choose_measures
from celosia.project import COMPARED_MEASURES, COMPARED_MODELS, Project, TablePlan
from celosia.release.open_source import opened_table
from celosia.release.prepared_table import Ask
from celosia.say import say
from celosia.study.cache import AnswerCache
from celosia.tables.table import Progress, no_progress
from celosia.types import Role, TableLike, nearest

if TYPE_CHECKING:
    from celosia.compare.tasks import ComparedModel

__all__ = ["choose", "compare_in_project", "compare_techniques", "read_in_project"]


def compare_techniques(
    table: TableLike | InputTable,
    target: str | None = None,
    techniques: Techniques = (),
    models: Iterable[LearningModel | str] = COMPARED_MODELS,
    *,
    others: Mapping[str, TableLike] | None = None,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    measures: Sequence[str] = COMPARED_MEASURES,
    folds: int = 10,
    repeats: int = 1,
    seed: int = 0,
    scaled: bool = True,
    cache: str | Path | None = None,
    jobs: int | None = None,
    progress: Progress = no_progress,
    **reading: Any,
) -> Comparison:
    """Make a table of every technique, and see what each costs every model and what it protects.

    ``target`` is the class (or number) that models predict, the last column unless said. ``techniques`` are texts such
    as ``"mdav(k=3) + cpda-noise"``, perturbations, functions of a frame, or lists of these, maybe by name; ``others``
    are tables anonymized elsewhere, by name. Models are dealt the same ``folds``, ``repeats`` times, and tested on the
    table they learnt from and on the original. ``quasi_identifiers`` are what an attacker knows, all columns but the
    class unless said; ``sensitive`` what she wants to know, the class unless said. ``identifiers`` are in none of the
    tables. With ``scaled`` the models also learn from the original with its numbers on one scale: what a technique
    gains by scaling alone is not its merit.
    With a ``cache`` folder, what was found before is not computed again. ``reading`` are options of
    ``celosia.tables.open_table``.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [*range(20, 60)], "ill": ["no"] * 20 + ["yes"] * 20})
    >>> found = compare_techniques(people, "ill", ["cpda-generalization"], ["one-rule"], folds=4, jobs=1)
    >>> [(table.name, found.find(table.name, "one-rule").value) for table in found.results]
    [('original', 0.975), ('original, scaled', 0.975), ('cpda-generalization', 1.0)]
    """
    original = table if isinstance(table, InputTable) else read_input(table, target, **reading)
    original = original.without(identifiers)
    chosen = _models(models)
    question = _question(original, quasi_identifiers, sensitive, tuple(measures), folds, repeats, seed)
    workers = _workers(jobs)
    chains = make_chains(techniques)
    compared = [ComparedTable(ORIGINAL, original.frame, _all_rows(original))]
    progress(say("making tables"), 0.0)
    why_not: dict[str, str] = {}
    for name, answer in _made(chains, original, question, workers):
        if isinstance(answer, str):
            why_not[name] = answer
        else:
            compared.append(answer)
    for name, other in (others or {}).items():
        if name in {ORIGINAL, SCALED, *(chain.name for chain in chains)}:
            raise ProjectError(
                say("two tables are called {name!r}", name=name),
                where="others",
                remedy=say("give each a name of its own"),
            )
        compared.append(ComparedTable(name, *align_table(original, other, name=name, left_out=identifiers)))
    work = ComparisonContext(original, question, {candidate.name: candidate for candidate in compared})
    tasks = list(_tasks(work, chosen, scaled=scaled))
    folder = None if cache is None else Path(cache)
    answers = dict(run_tasks(tasks, work, AnswerCache(folder), workers, progress))
    names = [ORIGINAL, *([SCALED] if scaled else []), *(c.name for c in chains), *(others or {})]
    cautions = {ORIGINAL: _suspects(original)} | {chain.name: tuple(chain.cautions) for chain in chains}
    results = tuple(
        _result(name, work, answers, chosen, cautions.get(name, ()), why_not.get(name)) for name in names
    )
    return Comparison(original, question, tuple(chosen), results, work.candidates)


def compare_in_project(
    project: Project,
    name: str | None = None,
    *,
    cache: Path | None = None,
    jobs: int | None = None,
    progress: Progress = no_progress,
    ask: Ask | None = None,
) -> Comparison:
    """Carry out the comparison that a project asks for, of its only table unless named.

    Its first target is the class, and the roles of its columns say what an attacker knows and wants to know, and which
    columns never leave: identifiers, even if an operation would make something else of them, and columns left out.
    """
    asked = project.compare
    if not asked.techniques and not asked.others:
        raise ProjectError(
            say("there is no technique to compare"), where="compare", remedy=say("name some under techniques")
        )
    input_table, plan = read_in_project(project, name, ask=ask)
    return compare_techniques(
        input_table,
        techniques=asked.techniques,
        models=asked.models,
        others=asked.others,
        quasi_identifiers=[
            column for column in plan.quasi_identifiers if column in input_table.frame.columns
        ],
        sensitive=[
            column for column in plan.with_role(Role.SENSITIVE) if column in input_table.frame.columns
        ],
        measures=asked.measures,
        folds=asked.folds,
        repeats=asked.repeats,
        seed=plan.seed or 0,
        scaled=asked.scaled,
        cache=cache,
        jobs=jobs,
        progress=progress,
    )


def read_in_project(
    project: Project, name: str | None = None, *, ask: Ask | None = None
) -> tuple[InputTable, TablePlan]:
    """A table of a project without the columns that never leave, and what the project says of it."""
    with opened_table(project, name, ask=ask) as job:
        plan = job.plan
        input_table = read_input(
            job.source,
            plan.targets[0] if plan.targets else None,
            missing=plan.source.missing,
            name=name or next(iter(project.tables)),
        )
    hidden = [
        column
        for column, told in plan.columns.items()
        if column in input_table.frame.columns and (told.is_dropped or told.role is Role.IDENTIFIER)
    ]
    return input_table.without(hidden), plan


def choose(text: str) -> "ComparedModel":
    """A model by its name, with its parameters in brackets; ``weka:J48`` is Weka's own.

    >>> choose("k-nearest-neighbours(neighbours=1)").neighbours
    1
    """
    name, parameters = parse_call(text)
    if name.startswith("weka:"):
        from celosia.compare.weka import make_weka_model

        return make_weka_model(name.removeprefix("weka:"), parameters)
    return make_model(name, **parameters)


def _models(models: Iterable[LearningModel | str]) -> "dict[str, ComparedModel]":
    """Models by the name that tells them apart in the tables."""
    by_name: dict[str, ComparedModel] = {}
    for chosen in models:
        model = choose(chosen) if isinstance(chosen, str) else chosen
        name = chosen.replace(" ", "") if isinstance(chosen, str) else model.name
        if name in by_name:
            raise ProjectError(
                say("model {name!r} is there twice", name=name), where="models", remedy=say("name each once")
            )
        by_name[name] = model
    if not by_name:
        raise ProjectError(say("there is no model"), where="models", remedy=say("name at least one"))
    return by_name


def _question(
    original: InputTable,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str],
    measures: tuple[str, ...],
    folds: int,
    repeats: int,
    seed: int,
) -> ComparisonQuestion:
    for name in (*quasi_identifiers, *sensitive):
        if name not in original.frame.columns:
            raise ProjectError(
                say("column {name!r} does not exist", name=name),
                where=original.name,
                remedy=nearest(name, tuple(original.frame.columns)),
            )
    if folds < 2 or repeats < 1:
        raise ProjectError(
            say("{repeats} x {folds} folds cannot be made", repeats=repeats, folds=folds),
            remedy=say("give 2 folds or more, and repeats of 1 or more"),
        )
    if folds > original.frame.height:
        raise ProjectError(
            say("{rows} rows cannot be dealt into {folds} folds", rows=original.frame.height, folds=folds),
            where=original.name,
            remedy=say("give fewer"),
        )
    if seed < 0:
        raise ProjectError(say("{seed} is no seed", seed=seed), remedy=say("give a whole number from 0 on"))
    choose_measures(list(measures))
    known = tuple(quasi_identifiers) or original.predictors
    return ComparisonQuestion(known, tuple(sensitive) or (original.target,), measures, folds, repeats, seed)


def _workers(jobs: int | None) -> int:
    if jobs is not None and jobs < 1:
        raise ProjectError(
            say("{jobs} cores cannot be used", jobs=jobs), where="jobs", remedy=say("give 1 or more")
        )
    return jobs or usable_cores()


def _suspects(original: InputTable) -> tuple[str, ...]:
    """Columns that probably tell who somebody is, and are in every table."""
    from celosia.profile.undeclared import likely_identifiers
    from celosia.tables import open_table

    identifiers = likely_identifiers(open_table(original.frame), original.predictors)
    return tuple(
        say(
            "column {name!r} looks like an identifier ({reason}), and every table has it: leave it out",
            name=name,
            reason=reason.sentence,
        )
        for name, reason in identifiers.items()
    )


def _all_rows(original: InputTable) -> Rows:
    import numpy as np

    return np.arange(original.frame.height)


def _made(
    chains: Sequence[StepChain], original: InputTable, question: ComparisonQuestion, jobs: int
) -> Iterator[tuple[str, ComparedTable | str]]:
    """What every technique makes of the table, in their order; or why it makes nothing."""
    known = tuple(name for name in question.quasi_identifiers if name != original.target)
    setting = StepContext(original.target, known, question.seed, original.types)

    def make(chain: StepChain) -> ComparedTable | str:
        try:
            frame, rows = chain.apply(original.frame, setting)
        except CelosiaError as error:
            return error.text
        if not frame.height:
            return say("no row is left")
        return ComparedTable(chain.name, frame, rows)

    with ThreadPoolExecutor(max(1, jobs)) as pool:
        yield from zip((chain.name for chain in chains), pool.map(make, chains), strict=True)


def _tasks(
    work: ComparisonContext, models: "Mapping[str, ComparedModel]", *, scaled: bool
) -> Iterator[ComparisonTask]:
    for name in work.candidates:
        yield ComparisonTask(name, name)
        for called, model in models.items():
            yield ComparisonTask(name, name, called, model)
    if scaled:
        for called, model in models.items():
            if isinstance(model, LearningModel):
                yield ComparisonTask(ORIGINAL, SCALED, called, model.model_copy(update={"scale": True}))


def _result(
    name: str,
    work: ComparisonContext,
    by_cell: Mapping[tuple[str, str | None], CellAnswer],
    models: "Mapping[str, ComparedModel]",
    cautions: tuple[str, ...],
    why_not: str | None,
) -> TableResult:
    if why_not is not None:
        none = {measure: Risk(None, None, why_not) for measure in by_cell[ORIGINAL, None].risks or {}}
        return TableResult(name, 0, {}, none, cautions, why_not)
    table = ORIGINAL if name == SCALED else name
    answers = {called: by_cell[name, called] for called in models if (name, called) in by_cell}
    return TableResult(
        name, work.candidates[table].frame.height, answers, by_cell[table, None].risks or {}, cautions
    )
