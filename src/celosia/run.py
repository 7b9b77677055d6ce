"""The way of the data, end to end: source, project, operations, technique, verification, release, evidence."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.errors import ProjectError, ReleaseError, TableError
from celosia.hierarchies import Hierarchy
from celosia.ledger.keeping import Keeper, kept
from celosia.measure.utility import utility_measures
from celosia.project import Project, TablePlan
from celosia.recode.explore import Exploration, explore
from celosia.recode.task import Task
from celosia.recode.techniques import Plan
from celosia.release.finish import Made, finish_all
from celosia.release.job import Ask, Job
from celosia.release.opening import opened_job
from celosia.release.publish import Placed, ensure_free, publish, record_path, undone_unless_all
from celosia.release.publish_cluster import publish_on_cluster
from celosia.release.publish_table import made_together, publish_table
from celosia.release.release import Release
from celosia.release.several import check_jobs, plan_jobs
from celosia.tables import Destination, FrameTable, Recoding, open_table, open_written
from celosia.tables.formats import find_format
from celosia.tables.spark.address import is_place
from celosia.tables.sql.address import is_address
from celosia.tables.table import Progress, Table, Written, no_progress
from celosia.tables.target import written_options
from celosia.tables.where import is_on_cluster

if TYPE_CHECKING:
    from celosia.tables.sql.new_table import NewTable

__all__ = [
    "Ask",
    "Release",
    "anonymize",
    "check_places",
    "explore_task",
    "prepare",
    "prepared",
    "run_project",
]

ManyHierarchies = Mapping[str, Hierarchy]


def prepare(project: Project, **how: Any) -> Task:
    """Open the table and check the project against it; counting waits until a technique asks.

    Whoever calls it closes ``task.table``; ``how`` is that of :func:`prepared`.
    """
    stack = ExitStack()
    task = stack.enter_context(prepared(project, **how))
    stack.pop_all()
    return task


@contextmanager
def prepared(project: Project, **how: Any) -> Iterator[Task]:
    """What a technique is given for the only table of a project; the table is let go of in the end.

    ``how`` are the options of :func:`celosia.release.opening.opened_job`: source, hierarchies, progress, ask.
    """
    with opened_job(project, **how) as job:
        yield job.task


def explore_task(task: Task) -> Exploration:
    """Every node of the lattice with every measure."""
    everything = task.evaluator.with_measures(list(utility_measures().values()))
    return explore(everything, progress=task.progress)


def anonymize(
    project: Project,
    *,
    source: Any = None,
    hierarchies: ManyHierarchies | None = None,
    population: Any = None,
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
    sources: Mapping[str, Any] | None = None,
    hierarchies: Mapping[str, ManyHierarchies] | None = None,
    populations: Mapping[str, Any] | None = None,
    overwrite: bool = False,
    progress: Progress = no_progress,
    ask: Ask | None = None,
    look: Callable[[Job, Recoding], None] | None = None,
) -> dict[str, Release]:
    """Release all tables of a project, or none of them: each is written and verified before the first gets its name.

    ``sources`` are frames or places that take that of what the project says, ``populations`` those of the people of
    whom a table holds some; ``hierarchies`` are by table and column. ``look`` is shown every table with the recoding
    that was planned for its rows, before anything is written; not one whose technique recodes another in its place.
    """
    check_places(project, overwrite=overwrite)
    with kept(project) as keeper, ExitStack() as stack:
        _enter_session(project, sources or {}, stack)
        shared: dict[str, Any] = {}
        drawn = secrets.randbits(62)
        jobs = [
            stack.enter_context(
                opened_job(
                    project,
                    name,
                    source=(sources or {}).get(name),
                    hierarchies=(hierarchies or {}).get(name),
                    progress=progress,
                    ask=ask,
                    shared=shared,
                    drawn=drawn,
                    population=(populations or {}).get(name),
                )
            )
            for name in project.tables
        ]
        for job in jobs:
            job.check()
        check_jobs(project, jobs)
        targets = {job.name: _new_table(job, overwrite, ask, shared, stack) for job in jobs}
        made_together(
            [target for target in targets.values() if target is not None and not is_on_cluster(target)]
        )
        plans = keeper.checked(jobs, plan_jobs(project, jobs))
        if look is not None:
            _show(jobs, plans, look)
        releases: dict[str, Release] = {}
        with undone_unless_all() as placed, ExitStack() as held:
            # Files come into place first, because they can be taken away again: what a database was told, it keeps.
            in_order = sorted(jobs, key=lambda job: targets[job.name] is None)
            _publish_all(
                in_order,
                plans,
                targets,
                [],
                releases,
                keeper=keeper,
                overwrite=overwrite,
                placed=placed,
                held=held,
            )
        return {name: releases[name] for name in project.tables}


def _show(
    jobs: Sequence[Job], plans: Mapping[str, Plan | None], look: Callable[[Job, Recoding], None]
) -> None:
    for job in jobs:
        plan = plans[job.name]
        if (plan is None or plan.table is None) and not is_on_cluster(job.source):
            look(job, _recoding(job, plan))


def _enter_session(project: Project, sources: Mapping[str, Any], stack: ExitStack) -> None:
    """Where tables are on a cluster, have a session there until the end: the one there is, or one of ours."""
    plans = [project.plan(name) for name in project.tables if name not in sources]
    plans = [plan for plan in plans if plan.source.is_on_cluster]
    if plans:
        from celosia.tables.spark.address import HIVE
        from celosia.tables.spark.session import opened_session

        places = [place.path or "" for plan in plans for place in (plan.source, plan.destination)]
        needs_hive = any(place.startswith(HIVE) for place in places)
        stack.enter_context(opened_session(config=project.spark.settings, hive=needs_hive))


def _publish_all(
    jobs: Sequence[Job],
    plans: Mapping[str, Plan | None],
    targets: "Mapping[str, NewTable | None]",
    made: list[Made],
    releases: dict[str, Release],
    *,
    keeper: Keeper,
    overwrite: bool,
    placed: Placed,
    held: ExitStack,
) -> None:
    """Write the first table, then, before it gets its name, all others; once all are written, verify them."""
    if not jobs:
        releases |= keeper.recorded(made, finish_all(made))
        return
    job, others = jobs[0], jobs[1:]
    plan, target = plans[job.name], targets[job.name]

    def finish(place: Any, released: Table, written: Written) -> Release:
        made.append(Made(job, plan, place, released, written))
        how: dict[str, Any] = {"keeper": keeper, "overwrite": overwrite, "placed": placed, "held": held}
        _publish_all(others, plans, targets, made, releases, **how)
        return releases[job.name]

    destination = job.plan.destination
    if target is not None and is_on_cluster(target):
        publish_on_cluster(
            target,
            record=None if destination.record is None else Path(destination.record),
            make=lambda: finish(*_write_on_cluster(target, job, plan)),
            describe=lambda release: release.record,
            overwrite=overwrite,
            held=held,
        )
    elif target is not None:
        publish_table(
            target,
            record=None if destination.record is None else Path(destination.record),
            make=lambda: finish(*_write_table(target, job, plan)),
            describe=lambda release: release.record,
            overwrite=overwrite,
            held=held,
        )
    elif destination.path is None:
        finish(*_recode_frame(job, plan))
    else:
        publish(
            Path(destination.path),
            make=lambda path: finish(*_write_file(job, plan, path)),
            describe=lambda release: release.record,
            overwrite=overwrite,
            placed=placed,
        )


def check_places(project: Project, *, overwrite: bool) -> None:
    """Raise at once if something cannot go where it is to go; a database is asked later."""
    if not project.tables:
        raise ProjectError("the project has no table", where="tables", remedy="say where the table is")
    taken: dict[Any, str] = {}
    for name in project.tables:
        plan = project.plan(name)
        _check_destination(plan, overwrite=overwrite)
        for place in _places(plan):
            if taken.setdefault(place, name) != name:
                raise ProjectError(
                    f"tables {taken[place]!r} and {name!r}, or their records, go to the same place",
                    where="destination",
                    remedy="give each a name of its own, whatever its ending",
                )


def _places(plan: TablePlan) -> Iterator[Any]:
    """Everything that a release puts somewhere: files with their records, tables by address and name."""
    destination = plan.destination
    if plan.source.is_on_cluster:
        yield destination.path
    elif destination.table is not None:
        yield destination.path or plan.source.path, destination.table
        if destination.record is not None:
            yield Path(destination.record).resolve()
    elif destination.path is not None:
        path = Path(destination.path)
        yield path.resolve()
        yield record_path(path).resolve()


def _check_destination(plan: TablePlan, *, overwrite: bool) -> None:
    destination = plan.destination
    if destination.table is not None or plan.source.is_on_cluster:
        return
    if is_place(destination.path):
        if plan.source.path is None:  # a frame, which may be one of Spark's
            return
        raise ProjectError(
            "only what Spark reads goes to a cluster",
            where=str(destination.path),
            remedy="have Spark read the table (--engine spark), or write to a file",
        )
    if destination.record is not None:
        raise ProjectError("the record of a file lies beside it", where="record", remedy="leave it out")
    if is_address(destination.path):
        raise ProjectError(
            "no table was named", where=str(destination.path), remedy="name it with --out-table"
        )
    if destination.path is not None:
        find_format(Path(destination.path), destination.format)
        ensure_free(Path(destination.path), overwrite=overwrite)


def _new_table(
    job: Job, overwrite: bool, ask: Ask | None, shared: dict[str, Any], stack: ExitStack
) -> "NewTable | None":
    """The table to be made, if the release goes to a database."""
    destination = job.plan.destination
    if is_on_cluster(job.source):
        return _on_cluster(job, overwrite)  # type: ignore[no-any-return]
    if destination.table is None:
        return None
    if destination.path is not None and not is_address(destination.path):
        raise ProjectError(
            "this is not the address of a database",
            where=destination.path,
            remedy="write it as in postgresql://user@host/database",
        )
    from celosia.tables.sql.open import new_table

    found = new_table(
        destination.path, destination.table, source=job.source, overwrite=overwrite, ask=ask, shared=shared
    )
    if found.database is not getattr(job.source, "database", None):
        stack.callback(found.database.close)
    return found


def _on_cluster(job: Job, overwrite: bool) -> Any:
    """Where a release of a table of Spark goes: a path, a table of Hive, or a frame."""
    from celosia.tables.spark.address import parse_place
    from celosia.tables.spark.new_place import new_place

    table: Any = job.source
    destination = job.plan.destination
    if destination.table is not None or is_address(destination.path):
        raise ProjectError(
            "what Spark reads, Spark writes",
            where="destination",
            remedy="give a path such as hdfs:///safe.parquet, or a table of Hive such as hive:clinic.safe",
        )
    if destination.path is None and job.plan.source.path is not None:
        raise _no_destination()
    place = None if destination.path is None else parse_place(destination.path, destination.format)
    given = written_options(
        table.options,
        Destination(Path(), None, destination.separator, destination.encoding, destination.header),
        same_kind=table.format is not None,
    )
    return new_place(table.spark, place, given, overwrite=overwrite)


def _no_destination() -> ProjectError:
    return ProjectError(
        "no destination was given", where="destination", remedy="say where to write: --out FILE"
    )


def _recoding(job: Job, plan: Plan | None) -> Recoding:
    if plan is not None:
        return plan.recoding
    return Recoding(
        dropped=tuple(name for name in job.dropped if name in job.table.columns()),
        keeps_order=job.plan.order == "kept",
    )


def _recode_frame(job: Job, plan: Plan | None) -> tuple[Any, Table, Written]:
    table = job.table if plan is None else plan.table or job.table
    if not isinstance(table, FrameTable):
        raise _no_destination()
    frame, written = table.recode(_recoding(job, plan), seed=job.plan.seed)
    _check_some(job, plan, written)
    return frame, open_table(frame, missing=()), written


def _within_memory(job: Job, plan: Plan | None) -> Any:
    """The table; what a technique left of the memory is for its rows on their way."""
    table: Any = job.table if plan is None else plan.table or job.table
    return table if plan is None or plan.memory is None else replace(table, memory=plan.memory // 5)


def _write_file(job: Job, plan: Plan | None, path: Path) -> tuple[Any, Table, Written]:
    table, recoding, how = _within_memory(job, plan), _recoding(job, plan), job.plan.destination
    place = Destination(
        path,
        format=find_format(Path(str(how.path)), how.format).name,
        separator=how.separator,
        encoding=how.encoding,
        header=how.header,
    )
    written = table.write(recoding, place, seed=job.plan.seed, progress=job.progress)
    _check_some(job, plan, written)
    try:
        released = open_written(table, recoding, place, missing=())
    except TableError as error:
        raise ReleaseError(
            f"the release could not be read back ({error.what})",
            where=str(how.path),
            remedy="nothing was written; choose another format or encoding",
        ) from None
    return Path(how.path or path), released, written


def _check_some(job: Job, plan: Plan | None, written: Written) -> None:
    """Raise if nothing is left to release; of a star one table may be empty if others are not."""
    if not written.written and not (plan is not None and plan.counts_people):
        raise ReleaseError(
            "no row is left to release",
            where=f"table {job.name}",
            remedy="nothing was written; look at the rows of the table, and at the operations that drop some",
        )


def _write_on_cluster(target: Any, job: Job, plan: Plan | None) -> tuple[Any, Table, Written]:
    table: Any = job.table if plan is None else plan.table or job.table
    written = table.write(_recoding(job, plan), target, seed=job.plan.seed, progress=job.progress)
    _check_some(job, plan, written)
    released = target.open()
    return job.plan.destination.path or released.frame, released, written


def _write_table(target: "NewTable", job: Job, plan: Plan | None) -> tuple[Any, Table, Written]:
    # In a database the order of the rows is drawn there, or here without the seed: nobody can undo it.
    table = _within_memory(job, plan)
    written = table.write(_recoding(job, plan), target, progress=job.progress)
    _check_some(job, plan, written)
    return f"{target.database} {target.shown}", target.open(), written
