"""All that a run finds out before it searches: the one path that a run and a check share, so that both say the same.

Everything that can be refused is refused through one function. A run raises at once; a check notes it and goes on.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.errors import CelosiaError, ProjectError
from celosia.hierarchies import Hierarchy
from celosia.ledger.run_ledger import RunLedger
from celosia.project import Project, TablePlan
from celosia.release.new_target import is_cluster_target, is_named_target
from celosia.release.open_source import opened_table
from celosia.release.prepared_table import Ask, PreparedTable
from celosia.release.publish import ensure_free, record_path
from celosia.release.publish_table import ensure_record_free, made_together
from celosia.release.several_tables import check_tables
from celosia.say import say
from celosia.tables import FileDestination, FrameTable
from celosia.tables.formats import writer_of
from celosia.tables.location import is_on_cluster
from celosia.tables.place import is_store, is_web
from celosia.tables.spark.address import is_place, record_beside
from celosia.tables.sql.address import is_address
from celosia.tables.table import Progress, no_progress
from celosia.tables.target import written_options
from celosia.types import TableLike

if TYPE_CHECKING:
    from celosia.release.new_target import ClusterTarget, NewTarget
    from celosia.tables.sql.database import Database

__all__ = [
    "CallerTables",
    "PreparedProject",
    "Refuse",
    "check_places",
    "no_destination",
    "prepared_project",
    "raise_at_once",
]

Refuse = Callable[[CelosiaError, str], None]
"""What becomes of something that stops a run, and the table it is about, if any."""


def raise_at_once(error: CelosiaError, table: str) -> None:
    """What a run does with whatever stops it."""
    raise error


@dataclass(frozen=True)
class CallerTables:
    """What a caller hands over by table: frames or places in place of sources, hierarchies by column, populations."""

    sources: Mapping[str, TableLike]
    hierarchies: Mapping[str, Mapping[str, Hierarchy]]
    populations: Mapping[str, TableLike]


@dataclass(frozen=True)
class PreparedProject:
    """The tables of a project as they were opened and checked, and what will be made of them in databases.

    Of those that were refused there are none: a run never sees that.
    """

    jobs: Sequence[PreparedTable]
    targets: "Mapping[str, NewTarget | None]"


@contextmanager
def prepared_project(
    project: Project,
    run_ledger: RunLedger | None,
    caller_tables: CallerTables,
    *,
    overwrite: bool = False,
    writes: bool = True,
    progress: Progress = no_progress,
    ask: Ask | None = None,
    drawn: int = 0,
    refuse: Refuse = raise_at_once,
) -> "Iterator[PreparedProject]":
    """Open all tables of a project and check all that can be checked without counting; let go of them in the end.

    ``run_ledger`` keeps the ledger, None if it could not be opened; with ``writes`` False nothing is created or erased
    anywhere, and databases are opened for reading. ``drawn`` is the seed of operations where the project has none.
    """
    with ExitStack() as stack:
        _enter_session(project, caller_tables.sources, stack)
        shared: dict[str, Database] = {}
        jobs: list[PreparedTable] = []
        for number, name in enumerate(project.tables):
            if not writes:
                progress(say("checking {name}", name=name), number / len(project.tables))
            with _refused(refuse, name):
                opened = opened_table(
                    project,
                    name,
                    source=caller_tables.sources.get(name),
                    hierarchies=caller_tables.hierarchies.get(name),
                    progress=progress,
                    ask=ask,
                    shared=shared,
                    drawn=drawn,
                    population=caller_tables.populations.get(name),
                    writes=writes,
                    refuse=lambda error, name=name: refuse(error, name),  # type: ignore[misc]
                )
                jobs.append(stack.enter_context(opened))
        for job in jobs:
            _check_job(job, run_ledger, refuse)
        if len(jobs) == len(project.tables):
            with _refused(refuse):
                check_tables(project, jobs)
        targets: dict[str, NewTarget | None] = {}
        for job in jobs:
            with _refused(refuse, job.name):
                targets[job.name] = _new_table(job, overwrite, writes, ask, shared, stack)
                _check_record(job, targets[job.name], overwrite=overwrite)
        with _refused(refuse):
            made_together(
                [
                    target
                    for target in targets.values()
                    if target is not None and not is_cluster_target(target)
                ]
            )
        yield PreparedProject(jobs, targets)


@contextmanager
def _refused(refuse: Refuse, table: str = "") -> Iterator[None]:
    """Hand over what is raised; if that is not raised again, what comes next is still looked at."""
    try:
        yield
    except CelosiaError as error:
        refuse(error, table)


def _check_job(job: PreparedTable, run_ledger: RunLedger | None, refuse: Refuse) -> None:
    for check in job.checks:
        with _refused(refuse, job.name):
            check()
    with _refused(refuse, job.name):
        for error in job.undeclared():
            refuse(error, job.name)
    if run_ledger is not None:
        with _refused(refuse, job.name):
            run_ledger.check(job)


def _check_record(job: PreparedTable, target: "NewTarget | None", *, overwrite: bool) -> None:
    """Raise if the record of a table in a database could not go where it is to go."""
    record = job.plan.destination.record
    if target is not None and record is not None and is_named_target(target):
        ensure_record_free(Path(record), target, overwrite=overwrite)


def check_places(project: Project, *, overwrite: bool) -> None:
    """Raise at once if something cannot go where it is to go; a database is asked later."""
    if not project.tables:
        raise ProjectError(
            say("the project has no table"), where="tables", remedy=say("say where the table is")
        )
    taken: dict[Hashable, str] = {}
    for name in project.tables:
        plan = project.plan(name)
        _check_destination(plan, overwrite=overwrite)
        for place in _places(plan):
            if taken.setdefault(place, name) != name:
                raise ProjectError(
                    say(
                        "tables {one!r} and {other!r}, or their records, go to the same place",
                        one=taken[place],
                        other=name,
                    ),
                    where="destination",
                    remedy=say("give each a name of its own, whatever its ending"),
                )


def _places(plan: TablePlan) -> Iterator[Hashable]:
    """Everything that a release puts somewhere: files with their records, tables by address and name."""
    destination = plan.destination
    if plan.source.is_on_cluster:
        yield destination.path
    elif destination.table is not None:
        yield destination.path or plan.source.path, destination.table
        if destination.record is not None:
            yield Path(destination.record).resolve()
    elif is_store(destination.path):
        yield destination.path
        yield record_beside(str(destination.path))
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
            say("only what Spark reads goes to a cluster"),
            where=str(destination.path),
            remedy=say("have Spark read the table (--engine spark), or write to a file"),
        )
    if destination.record is not None:
        raise ProjectError(
            say("the record of a file lies beside it"), where="record", remedy=say("leave it out")
        )
    if is_address(destination.path):
        raise ProjectError(
            say("no table was named"), where=str(destination.path), remedy=say("name it with --out-table")
        )
    if is_web(destination.path):
        raise ProjectError(
            say("tables on the web are read, and not written"),
            where=str(destination.path),
            remedy=say("write to a file, or to a store such as s3://bucket/safe.parquet"),
        )
    if destination.path is not None:
        writer_of(Path(destination.path), destination.format)
    if is_store(destination.path):
        from celosia.release.publish_store import ensure_free_in_store

        ensure_free_in_store(str(destination.path), overwrite=overwrite)
    elif destination.path is not None:
        ensure_free(Path(destination.path), overwrite=overwrite)


def _enter_session(project: Project, sources: Mapping[str, TableLike], stack: ExitStack) -> None:
    """Where tables are on a cluster, have a session there until the end: the one there is, or one of ours."""
    plans = [project.plan(name) for name in project.tables if name not in sources]
    plans = [plan for plan in plans if plan.source.is_on_cluster]
    if plans:
        from celosia.tables.spark.address import HIVE
        from celosia.tables.spark.session import opened_session

        places = [place.path or "" for plan in plans for place in (plan.source, plan.destination)]
        needs_hive = any(place.startswith(HIVE) for place in places)
        stack.enter_context(opened_session(config=project.spark.settings, hive=needs_hive))


def _new_table(
    job: PreparedTable,
    overwrite: bool,
    writes: bool,
    ask: Ask | None,
    shared: "dict[str, Database]",
    stack: ExitStack,
) -> "NewTarget | None":
    """The table to be made, if the release goes to a database."""
    destination = job.plan.destination
    if is_on_cluster(job.source):
        return _on_cluster(job, overwrite)
    if destination.table is None and destination.path is None and not isinstance(job.table, FrameTable):
        raise no_destination()
    if destination.table is None:
        return None
    if destination.path is not None and not is_address(destination.path):
        raise ProjectError(
            say("this is not the address of a database"),
            where=destination.path,
            remedy=say("write it as in postgresql://user@host/database"),
        )
    from celosia.tables.sql.open import is_new_database_file, new_table

    if not writes and destination.path is not None and is_new_database_file(destination.path):
        return None
    target = new_table(
        destination.path,
        destination.table,
        source=job.source,
        overwrite=overwrite,
        writes=writes,
        ask=ask,
        shared=shared,
    )
    if target.database is not getattr(job.source, "database", None):
        stack.callback(target.database.close)
    return target


def _on_cluster(job: PreparedTable, overwrite: bool) -> "ClusterTarget":
    """Where a release of a table of Spark goes: a path, a table of Hive, or a frame."""
    from celosia.tables.spark.address import parse_place
    from celosia.tables.spark.new_table import new_table

    table = job.source
    assert is_on_cluster(table)
    destination = job.plan.destination
    if destination.table is not None or is_address(destination.path):
        raise ProjectError(
            say("what Spark reads, Spark writes"),
            where="destination",
            remedy=say(
                "give a path such as hdfs:///safe.parquet, or a table of Hive such as hive:clinic.safe"
            ),
        )
    if destination.path is None and job.plan.source.path is not None:
        raise no_destination()
    place = None if destination.path is None else parse_place(destination.path, destination.format)
    options = written_options(
        table.options,
        FileDestination(Path(), None, destination.separator, destination.encoding, destination.header),
        same_kind=table.format is not None,
    )
    target: ClusterTarget = new_table(table.spark, place, options, overwrite=overwrite)
    return target


def no_destination() -> ProjectError:
    """What to say where rows that come from a file or a database have nowhere to go."""
    return ProjectError(
        say("no destination was given"), where="destination", remedy=say("say where to write: --out FILE")
    )
