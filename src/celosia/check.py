"""What would stop a run, and what should be thought over before one, found without writing anything."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from celosia.errors import CelosiaError, HierarchyError, ProjectError
from celosia.hierarchies import Hierarchy
from celosia.ledger.run_ledger import RunLedger
from celosia.prepare import CallerTables, PreparedProject, check_places, prepared_project
from celosia.project import Destination, Project, TablePlan, Unlisted, changed_types
from celosia.release.dry_run import check_hierarchies, check_repeated, check_rows
from celosia.release.open_source import opened_table
from celosia.release.prepared_table import Ask, PreparedTable
from celosia.release.publish import record_path
from celosia.release.remark import Remark, mistake
from celosia.release.several_tables import check_plans
from celosia.say import say, say_count
from celosia.tables.place import is_remote
from celosia.tables.sql.address import is_address
from celosia.tables.table import Progress, no_progress
from celosia.types import TableLike

__all__ = ["LEFT_TO_THE_RUN", "Remark", "check_destinations", "check_project"]

LEFT_TO_THE_RUN = (
    say("whether a recoding keeps the promises, which only a search can tell"),
    say(
        "whether earlier releases in the ledger allow it, and whether what was written passes the verification"
    ),
    say("whether everything can be written: space, permissions, and what a format or an encoding can hold"),
)
"""What may still stop a run that passed every check."""


def check_project(
    project: Project,
    *,
    sources: Mapping[str, TableLike] | None = None,
    hierarchies: Mapping[str, Mapping[str, Hierarchy]] | None = None,
    populations: Mapping[str, TableLike] | None = None,
    progress: Progress = no_progress,
    ask: Ask | None = None,
) -> tuple[Remark, ...]:
    """Everything that can be said of a project before it runs: its tables are opened and read, nothing is written.

    A mistake is what stops a run, found by what a run does before its search: there is no other way to one. Left to
    the run itself is what only a search can tell (whether a recoding keeps the promises; what later steps of a chain
    make of columns that an earlier one recodes), what the ledger and the verification say of what was found, and what
    only writing can tell (space, permissions, what a format or an encoding can hold, whether a place on a cluster is
    free). Of a table that is recoded part by part, and of operations on a cluster after the first 10,000 rows, values
    are not looked at. A release that is there already is a warning: it depends on how the run is started.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("kind,paid\\nx,1200\\ny,900\\n")
    ...     people = {"source": f"{folder}/people.csv", "destination": f"{folder}/safe.csv", "columns": {"knid": None}}
    ...     [remark.what for remark in check_project(Project(kind="light", tables={"people": people}))]
    ["column 'knid' does not exist", "columns 'kind', 'paid' are not listed in the project: released as found"]
    """
    caller_tables = CallerTables(sources or {}, hierarchies or {}, populations or {})
    remarks = _Remarks(_check_destinations(project, caller_tables))
    run_ledger = None
    try:
        run_ledger = RunLedger(project, writes=False)
    except CelosiaError as error:
        remarks.refuse(error, "")
    with prepared_project(
        project,
        run_ledger,
        caller_tables,
        overwrite=True,
        writes=False,
        progress=progress,
        ask=ask,
        refuse=remarks.refuse,
    ) as state:
        _check_tables(project, state, remarks, ask)
        remarks += _gathered(check_repeated(project, {job.name: job for job in state.jobs}))
    return tuple(dict.fromkeys(remarks))


class _Remarks(list[Remark]):
    """What was found so far."""

    def refuse(self, error: CelosiaError, table: str) -> None:
        """Note a mistake, unless it was told already in other words."""
        if all(remark.what != error.what for remark in self):
            self.append(mistake(table, error))

    def put_apart(self, remark: Remark) -> None:
        """Note a mistake with its column, which may have been told before without."""
        self[:] = [
            noted for noted in self if noted.kind != "mistake" or noted.what != remark.what or not noted.table
        ]
        self.append(remark)


def _gathered(remarks: Iterator[Remark], table: str = "") -> Iterator[Remark]:
    """Remarks of a look that no run takes: what stops that look is no mistake."""
    try:
        yield from remarks
    except CelosiaError as error:
        yield replace(mistake(table, error), kind="warning")


def _check_tables(project: Project, state: PreparedProject, remarks: _Remarks, ask: Ask | None) -> None:
    """What the rows of every table say, and what a technique would."""
    # Where tables contradict each other, or one could not be opened, what they are together is not known.
    are_sound = len(state.jobs) == len(project.tables) and not any(
        remark.kind == "mistake" and not remark.table for remark in remarks
    )
    broken: dict[str, list[str]] = {}
    for job in state.jobs:
        remarks += _gathered(_check_columns(project.plan(job.name), job), job.name)
        remarks += _gathered(_check_types(project, job, ask), job.name)
        remarks += (Remark("warning", text, job.name) for text in job.weaknesses)
        broken[job.name] = []
        for column, remark in check_rows(job):
            broken[job.name].append(column)
            remarks.put_apart(remark)
    whole = [job for job in state.jobs if not broken[job.name]]
    refused = {job.name: error for job, error in check_plans(project, whole)} if are_sound else {}
    for job in state.jobs:
        remarks += _check_hierarchies(job, broken[job.name], refused.get(job.name))
        if job.name in refused and not _is_told(refused[job.name], remarks, job.name):
            remarks.refuse(refused[job.name], job.name)


def _check_hierarchies(
    job: PreparedTable, broken: Sequence[str], refused: CelosiaError | None
) -> Iterator[Remark]:
    """What is odd about hierarchies; a mistake only where a run would stop at it."""
    for remark in check_hierarchies(job, broken):
        stops = refused is not None or bool(broken)
        yield remark if stops or remark.kind != "mistake" else replace(remark, kind="warning")


def _is_told(error: CelosiaError, remarks: Sequence[Remark], table: str) -> bool:
    """Whether a mistake about a hierarchy was told already, without the values that it lacks."""
    told = any(
        remark.kind == "mistake" and remark.table == table and "hierarchy" in remark.what
        for remark in remarks
    )
    return isinstance(error, HierarchyError) and told


def check_destinations(project: Project) -> None:
    """Raise if a table of a project has nowhere to go, before anything is counted."""
    for name in project.tables:
        place = project.plan(name).destination
        if place.path is None and place.table is None:
            raise ProjectError(
                say("no destination was given"),
                where=say("table {name}", name=name),
                remedy=say("say in the project where to write, as in destination: safe.csv"),
            )


def _check_destinations(project: Project, caller_tables: CallerTables) -> Iterator[Remark]:
    try:
        check_places(project, overwrite=True)
        if not caller_tables.sources:
            check_destinations(project)
    except CelosiaError as error:
        yield mistake("", error)
        return
    for name in project.tables:
        place = project.plan(name).destination
        if place.path is None or is_address(place.path) or is_remote(place.path):
            continue
        for path in (Path(place.path), record_path(Path(place.path))):
            if path.exists():
                remedy = say("`celosia run` needs --overwrite to replace it; or choose another destination")
                yield Remark("warning", say("{path} exists already", path=path), name, remedy=remedy)
                break


def _check_columns(plan: TablePlan, job: PreparedTable) -> Iterator[Remark]:
    """Columns that came and went without stopping a run."""
    for change in job.changes:
        if change.kind == "gone" and plan.unlisted is Unlisted.DROP:
            yield Remark("warning", change.text, job.name)
    new = [name for name in job.source.columns() if name not in _listed(job.project, plan, job)]
    if new and plan.unlisted is not Unlisted.STOP:
        yield _about_new(plan, job.name, new)


def _listed(project: Project, plan: TablePlan, job: PreparedTable) -> set[str]:
    """Columns of which the project says something."""
    return {*plan.columns, *project.shared(job.source.columns(), plan)}


def _about_new(plan: TablePlan, table: str, new: Sequence[str]) -> Remark:
    """What becomes of columns that a project does not list."""
    names = ", ".join(map(repr, new))
    if plan.unlisted is Unlisted.DROP:
        text = say_count(
            "column {names} is not listed in the project: left out",
            "columns {names} are not listed in the project: left out",
            len(new),
            names=names,
        )
        return Remark("warning", text, table)
    text = say_count(
        "column {names} is not listed in the project: released as found",
        "columns {names} are not listed in the project: released as found",
        len(new),
        names=names,
    )
    return Remark("note", text, table)


def _check_types(project: Project, job: PreparedTable, ask: Ask | None) -> Iterator[Remark]:
    """Columns that are no longer what the project says, by what the table itself tells."""
    if all(column.type is None for column in job.plan.columns.values()):
        return
    table = project.tables[job.name]
    bare = table.model_copy(
        update={"columns": {}, "rows": (), "destination": Destination(), "unlisted": Unlisted.COMMON}
    )
    update = {"tables": {job.name: bare}, "columns": {}, "repeated_attributes": ()}
    with opened_table(project.model_copy(update=update), job.name, ask=ask) as plain:
        for change in changed_types(job.plan, plain.source.schema()):
            yield Remark("warning", change.text, job.name)
