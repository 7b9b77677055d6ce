"""The way of the data, end to end: source, project, operations, technique, verification, release, evidence."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

from celosia.errors import ReleaseError, TableError
from celosia.hierarchies import Hierarchy
from celosia.ledger.run_ledger import open_run_ledger
from celosia.measure.utility import utility_measures
from celosia.prepare import CallerTables, check_places, no_destination, prepared_project
from celosia.project import Project
from celosia.recode.explore import Exploration, explore
from celosia.recode.star_explore import explore_people
from celosia.recode.task import RecodingTask
from celosia.recode.techniques import RecodingPlan
from celosia.release.class_means import with_class_means
from celosia.release.finish import TableRun, finish_all
from celosia.release.new_target import is_cluster_target
from celosia.release.open_source import OpeningOptions, opened_table
from celosia.release.prepared_table import Ask, PreparedTable, no_row_left
from celosia.release.publish import Placed, publishing, undone_unless_all
from celosia.release.publish_cluster import publishing_on_cluster
from celosia.release.publish_table import publishing_table
from celosia.release.release import Release
from celosia.release.same_people import check_person
from celosia.release.several_tables import plan_tables, star_of
from celosia.say import say
from celosia.tables import FileDestination, FrameTable, Recoding, open_table, open_written
from celosia.tables.formats import find_format
from celosia.tables.location import is_on_cluster
from celosia.tables.place import is_store
from celosia.tables.table import Progress, Table, Written, no_progress
from celosia.types import TableLike

if TYPE_CHECKING:
    from celosia.release.new_target import ClusterTarget, NewTarget
    from celosia.tables import FileTable
    from celosia.tables.sql.new_table import NewTable
    from celosia.tables.sql.sql_table import SqlTable

__all__ = [
    "Ask",
    "Release",
    "anonymize",
    "explore_table",
    "explore_task",
    "prepare",
    "prepared",
    "prepared_table",
    "run_project",
]

ManyHierarchies = Mapping[str, Hierarchy]


def prepare(project: Project, **options: Unpack[OpeningOptions]) -> RecodingTask:
    """Open the table and check the project against it; counting waits until a technique asks.

    Whoever calls it closes ``task.table``; ``options`` is that of :func:`prepared`.
    """
    stack = ExitStack()
    task = stack.enter_context(prepared(project, **options))
    stack.pop_all()
    return task


@contextmanager
def prepared(project: Project, **options: Unpack[OpeningOptions]) -> Iterator[RecodingTask]:
    """What a technique is given for the only table of a project; the table is let go of in the end.

    ``options`` are the options of :func:`celosia.release.open_source.opened_table`: source, hierarchies, progress, ask.
    """
    with prepared_table(project, **options) as job:
        yield job.task


@contextmanager
def prepared_table(project: Project, **options: Unpack[OpeningOptions]) -> Iterator[PreparedTable]:
    """The only table of a project, or the one that is named, opened; ``options`` is that of :func:`prepared`."""
    with opened_table(project, **options) as job:
        if job.plan.person is not None:
            check_person(job)
        yield job


def explore_table(job: PreparedTable) -> Exploration:
    """Every node of the lattice with every measure; where people are compared, as they see it."""
    if job.plan.person is None or job.counted_person is not None:
        return explore_task(job.task)
    nodes = explore_task(replace(job.task, models=()))
    return explore_people(star_of(job.project, [job]), nodes, progress=job.progress)


def explore_task(task: RecodingTask) -> Exploration:
    """Every node of the lattice with every measure."""
    everything = task.evaluator.with_measures(list(utility_measures().values()))
    return explore(everything, progress=task.progress)


def anonymize(
    project: Project,
    *,
    source: TableLike | None = None,
    hierarchies: ManyHierarchies | None = None,
    population: TableLike | None = None,
    overwrite: bool = False,
    progress: Progress = no_progress,
    ask: Ask | None = None,
) -> Release:
    """Release the only table of a project: plan, recode, write, read back, verify, and only then let it go."""
    name = next(iter(project.tables), "")
    project.plan()  # says so if there are several
    return run_project(
        project,
        sources={} if source is None else {name: source},
        hierarchies={name: hierarchies or {}},
        populations={} if population is None else {name: population},
        overwrite=overwrite,
        progress=progress,
        ask=ask,
    )[name]


def run_project(
    project: Project,
    *,
    sources: Mapping[str, TableLike] | None = None,
    hierarchies: Mapping[str, ManyHierarchies] | None = None,
    populations: Mapping[str, TableLike] | None = None,
    overwrite: bool = False,
    progress: Progress = no_progress,
    ask: Ask | None = None,
    look: Callable[[PreparedTable, Recoding], None] | None = None,
) -> dict[str, Release]:
    """Release all tables of a project, or none of them: each is written and verified before the first gets its name.

    ``sources`` are frames or places that take that of what the project says, ``populations`` those of the people of
    whom a table holds some; ``hierarchies`` are by table and column. ``look`` is shown every table with the recoding
    that was planned for its rows, before anything is written; not one whose technique recodes another in its place.
    """
    check_places(project, overwrite=overwrite)
    caller_tables = CallerTables(sources or {}, hierarchies or {}, populations or {})
    with (
        open_run_ledger(project) as run_ledger,
        prepared_project(
            project,
            run_ledger,
            caller_tables,
            overwrite=overwrite,
            progress=progress,
            ask=ask,
            drawn=secrets.randbits(62),
        ) as prepared_tables,
    ):
        jobs, targets = prepared_tables.jobs, prepared_tables.targets
        plans = with_class_means(jobs, run_ledger.checked(jobs, plan_tables(project, jobs)))
        if look is not None:
            _show(jobs, plans, look)
        releases: dict[str, Release] = {}
        # Files come into place first, because they can be taken away again: what a database was told, it keeps.
        in_order = sorted(jobs, key=lambda job: targets[job.name] is None)
        # Every table is written before the first is verified, and all are verified before the last gets its name.
        with undone_unless_all() as placed, ExitStack() as held, ExitStack() as publishing_all:
            table_runs = []
            for job in in_order:
                place = _publishing(
                    job, targets[job.name], releases, overwrite=overwrite, placed=placed, held=held
                )
                hidden = publishing_all.enter_context(place)
                written = _write(job, plans[job.name], targets[job.name], hidden)
                table_runs.append(TableRun(job, plans[job.name], *written))
            releases |= run_ledger.recorded(table_runs, finish_all(table_runs))
        return {name: releases[name] for name in project.tables}


def _show(
    jobs: Sequence[PreparedTable],
    plans: Mapping[str, RecodingPlan | None],
    look: Callable[[PreparedTable, Recoding], None],
) -> None:
    for job in jobs:
        plan = plans[job.name]
        if (plan is None or plan.table is None) and not is_on_cluster(job.source):
            look(job, _recoding(job, plan))


@contextmanager
def _publishing(
    job: PreparedTable,
    target: "NewTarget | None",
    releases: Mapping[str, Release],
    *,
    overwrite: bool,
    placed: Placed,
    held: ExitStack,
) -> Iterator[Path | None]:
    """Where a table is written, and then given its name with its record; None for one that has a target, or none."""
    destination = job.plan.destination
    record = None if destination.record is None else Path(destination.record)

    def describe() -> Mapping[str, object]:
        return releases[job.name].record

    if target is not None:
        publishing_there = (
            publishing_on_cluster(target, record=record, describe=describe, overwrite=overwrite, held=held)
            if is_cluster_target(target)
            else publishing_table(target, record=record, describe=describe, overwrite=overwrite, held=held)
        )
        with publishing_there:
            yield None
    elif destination.path is None:
        yield None
    elif is_store(destination.path):
        from celosia.release.publish_store import publishing_to_store

        with publishing_to_store(
            destination.path, describe=describe, overwrite=overwrite, placed=placed
        ) as hidden:
            yield hidden
    else:
        path = Path(destination.path)
        with publishing(path, describe=describe, overwrite=overwrite, placed=placed) as hidden:
            yield hidden


def _write(
    job: PreparedTable, plan: RecodingPlan | None, target: "NewTarget | None", hidden: Path | None
) -> tuple[TableLike, Table, Written]:
    """Write a table: what the caller gets, the table as it is read back, and how many rows it has."""
    if target is not None:
        if is_cluster_target(target):
            return _write_on_cluster(target, job, plan)
        return _write_table(target, job, plan)
    return _recode_frame(job, plan) if hidden is None else _write_file(job, plan, hidden)


def _recoding(job: PreparedTable, plan: RecodingPlan | None) -> Recoding:
    if plan is not None:
        return plan.recoding
    return Recoding(
        dropped=tuple(name for name in job.dropped if name in job.table.columns()),
        keeps_order=job.plan.order == "kept",
    )


def _recode_frame(job: PreparedTable, plan: RecodingPlan | None) -> tuple[TableLike, Table, Written]:
    table = _planned_table(job, plan)
    if not isinstance(table, FrameTable):
        raise no_destination()
    frame, written = table.recode(_recoding(job, plan), seed=job.plan.seed)
    _check_some(job, plan, written)
    return frame, open_table(frame, missing=()), written


def _planned_table(job: PreparedTable, plan: RecodingPlan | None) -> Table:
    """The table that is recoded: the one that the technique put in its place, if it did."""
    return job.table if plan is None else plan.table or job.table


def _within_memory(job: PreparedTable, plan: RecodingPlan | None) -> "FileTable | FrameTable | SqlTable":
    """The table; what a technique left of the memory is for its rows on their way."""
    table = cast(
        "FileTable | FrameTable | SqlTable", _planned_table(job, plan)
    )  # a cluster has memory of its own
    return table if plan is None or plan.memory is None else replace(table, memory=plan.memory // 5)


def _write_file(
    job: PreparedTable, plan: RecodingPlan | None, path: Path
) -> tuple[TableLike, Table, Written]:
    table, recoding, destination = _within_memory(job, plan), _recoding(job, plan), job.plan.destination
    place = FileDestination(
        path,
        format=find_format(Path(str(destination.path)), destination.format).name,
        separator=destination.separator,
        encoding=destination.encoding,
        header=destination.header,
        decimal=destination.decimal,
        thousands=destination.thousands,
        date_format=destination.date_format,
        formulas=destination.formulas,
    )
    written = table.write(recoding, place, seed=job.plan.seed, progress=job.progress)
    _check_some(job, plan, written)
    try:
        released = open_written(table, recoding, place, missing=())
    except TableError as error:
        raise ReleaseError(
            say("the release could not be read back ({cause})", cause=error.what),
            where=str(destination.path),
            remedy=say("nothing was written; choose another format or encoding"),
        ) from None
    put = destination.path if is_store(destination.path) else Path(destination.path or path)
    return put, released, written


def _check_some(job: PreparedTable, plan: RecodingPlan | None, written: Written) -> None:
    """Raise if nothing is left to release; of a star one table may be empty if others are not."""
    if not written.written and not (plan is not None and plan.counts_people):
        raise no_row_left(job.name)


def _write_on_cluster(
    target: "ClusterTarget", job: PreparedTable, plan: RecodingPlan | None
) -> tuple[TableLike, Table, Written]:
    table = _planned_table(job, plan)
    written = table.write(_recoding(job, plan), target, seed=job.plan.seed, progress=job.progress)
    _check_some(job, plan, written)
    released = target.open()
    return job.plan.destination.path or released.frame, released, written


def _write_table(
    target: "NewTable", job: PreparedTable, plan: RecodingPlan | None
) -> tuple[TableLike, Table, Written]:
    # In a database the order of the rows is drawn there, or here without the seed: nobody can undo it.
    table = _within_memory(job, plan)
    written = table.write(_recoding(job, plan), target, progress=job.progress)
    _check_some(job, plan, written)
    return f"{target.database} {target.shown}", target.open(), written
