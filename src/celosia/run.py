"""The way of the data, end to end: source, project, technique, recoding, verification, release, evidence."""

import platform
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.errors import ProjectError, ReleaseError, TableError
from celosia.hierarchies import Hierarchy
from celosia.measure.distribution import Comparison, compare_counts
from celosia.measure.risk import ClassRisk
from celosia.measure.utility import utility_measures
from celosia.profile import likely_identifiers
from celosia.project import Project
from celosia.recode.explore import Exploration, explore
from celosia.recode.result import Candidate, SearchResult
from celosia.recode.task import Task
from celosia.recode.techniques import Plan
from celosia.release.publish import ensure_free, publish
from celosia.release.publish_table import publish_table
from celosia.release.verify import Verification, verify
from celosia.tables import FrameTable, close_table, open_table, open_written
from celosia.tables.formats import find_format
from celosia.tables.sql.address import OUT_PASSWORD, is_address, parse_address
from celosia.tables.table import Progress, Recoding, Table, Written, no_progress
from celosia.types import Role, nearest

if TYPE_CHECKING:
    from celosia.tables.sql.new_table import NewTable

__all__ = ["Release", "anonymize", "explore_task", "prepare", "prepared"]

Ask = Callable[[str], str]
"""Asks a person for a password."""

ManyHierarchies = Mapping[str, Hierarchy]


@dataclass(frozen=True)
class Release:
    """What leaves, with its evidence. ``table`` is the caller's kind of frame, or the path of the file written.

    ``comparison`` tells how the distributions of quasi-identifiers that keep their type came through.
    """

    table: Any
    plan: Plan
    risk_before: ClassRisk
    risk_after: ClassRisk
    comparison: Comparison | None
    written: Written
    verification: Verification
    record: Mapping[str, Any]

    @property
    def candidate(self) -> Candidate:
        """The node that was applied, if it was one."""
        if self.plan.candidate is None:
            raise _no_node()
        return self.plan.candidate

    @property
    def result(self) -> SearchResult:
        """What the search of the lattice found, if there was one."""
        if self.plan.result is None:
            raise _no_node()
        return self.plan.result

    @property
    def levels(self) -> Mapping[str, int]:
        """The level of every quasi-identifier in a full-domain recoding."""
        if self.plan.candidate is None:
            raise _no_node()
        return dict(self.plan.details["node"])


def _no_node() -> ProjectError:
    return ProjectError(
        "only a full-domain recoding has one node for all rows",
        where="release",
        remedy="look at release.plan.shown, which says what became of every column",
    )


def prepare(
    project: Project,
    *,
    source: Any = None,
    hierarchies: ManyHierarchies | None = None,
    progress: Progress = no_progress,
    ask: Ask | None = None,
) -> Task:
    """Open the table and check the project against it; counting waits until a technique asks.

    ``ask`` asks a person for the password of a database.
    """
    table = _open(project, source, ask)
    try:
        _check_columns(project, table)
        _check_promises(project)
    except BaseException:
        close_table(table)
        raise
    return Task(
        table=table,
        quasi_identifiers=project.quasi_identifiers,
        models=project.models,
        modelled=project.modelled,
        dropped=project.with_role(Role.IDENTIFIER),
        suppression=project.suppression,
        measure=project.measure,
        weights=project.weights,
        keep_type={name: plan.keep_type for name, plan in project.columns.items()},
        missing=project.missing,
        unknown=project.unknown,
        given=hierarchies or {},
        files={name: plan.hierarchy for name, plan in project.columns.items() if plan.hierarchy is not None},
        declared=project.source.types,
        seed=project.seed,
        folder=_folder(project),
        progress=progress,
    )


@contextmanager
def prepared(project: Project, **how: Any) -> Iterator[Task]:
    """A task as ``prepare`` makes it, whose table is let go of in the end."""
    task = prepare(project, **how)
    try:
        yield task
    finally:
        close_table(task.table)


def _folder(project: Project) -> Path | None:
    """Where rows may be kept for a while: beside the file they go to, or where the system keeps such things."""
    if project.destination_table is not None:
        return Path(tempfile.gettempdir())
    return None if project.destination is None else Path(project.destination).absolute().parent


def explore_task(task: Task) -> Exploration:
    """Every node of the lattice with every measure."""
    everything = task.evaluator.with_measures(list(utility_measures().values()))
    return explore(everything, progress=task.progress)


def anonymize(
    project: Project,
    *,
    source: Any = None,
    hierarchies: ManyHierarchies | None = None,
    overwrite: bool = False,
    progress: Progress = no_progress,
    ask: Ask | None = None,
) -> Release:
    """Plan, recode, write, read back, verify and only then release."""
    _check_destination(project, overwrite=overwrite)
    with ExitStack() as stack:
        task = stack.enter_context(
            prepared(project, source=source, hierarchies=hierarchies, progress=progress, ask=ask)
        )
        _check_undeclared(project, task.table)
        target = _new_table(project, task, overwrite, ask)
        if target is not None:
            stack.callback(target.database.close)
        plan = project.technique.plan(task)
        finish = _finisher(project, task, plan)
        if target is not None:
            return publish_table(
                target,
                record=None if project.record is None else Path(project.record),
                make=lambda: finish(*_write_table(target, task, plan)),
                describe=lambda release: release.record,
                overwrite=overwrite,
            )
        if project.destination is None:
            return finish(*_recode_frame(project, task, plan.recoding))
        return publish(
            Path(project.destination),
            make=lambda path: finish(*_write_file(project, task, plan, path)),
            describe=lambda release: release.record,
            overwrite=overwrite,
        )


def _check_destination(project: Project, *, overwrite: bool) -> None:
    """Raise at once if the release cannot go where it is to go; a database is asked later."""
    if project.destination_table is not None:
        return
    if project.record is not None:
        raise ProjectError("the record of a file lies beside it", where="record", remedy="leave it out")
    if is_address(project.destination):
        raise ProjectError(
            "no table was named", where=str(project.destination), remedy="name it with --out-table"
        )
    if project.destination is not None:
        find_format(Path(project.destination))
        ensure_free(Path(project.destination), overwrite=overwrite)


def _new_table(project: Project, task: Task, overwrite: bool, ask: Ask | None) -> "NewTable | None":
    """The table to be made, if the release goes to a database."""
    if project.destination_table is None:
        return None
    if project.destination is not None and not is_address(project.destination):
        raise ProjectError(
            "this is not the address of a database",
            where=project.destination,
            remedy="write it as in postgresql://user@host/database",
        )
    from celosia.tables.sql.open import new_table

    return new_table(
        project.destination, project.destination_table, source=task.table, overwrite=overwrite, ask=ask
    )


def _open(project: Project, source: Any, ask: Ask | None) -> Table:
    how = project.source
    where = how.path if source is None else source
    if where is None:
        raise ProjectError("no table was given", where="source", remedy="name a file or hand over a frame")
    stays = project.destination_table is not None and _leads_back(project.destination, where)
    return open_table(
        where,
        table=how.table,
        where=how.where,
        writes=stays,
        ask=ask,
        separator=how.separator,
        encoding=how.encoding,
        header=how.header,
        missing=how.missing,
        types=how.types or None,
    )


def _leads_back(destination: str | None, source: Any) -> bool:
    """Whether a release goes to the database that the rows come from."""
    if destination is None or not (is_address(destination) and is_address(source)):
        return destination is None
    return parse_address(source).same_as(parse_address(destination, variable=OUT_PASSWORD))


def _check_columns(project: Project, table: Table) -> None:
    names = table.columns()
    for name in project.columns:
        if name not in names:
            raise ProjectError(
                f"column {name!r} does not exist", where=table.name, remedy=nearest(name, tuple(names))
            )


def _check_undeclared(project: Project, table: Table) -> None:
    """Identifiers never reach a release: a column that looks like one leaves only if the person says so."""
    undeclared = [name for name in table.columns() if name not in project.columns]
    for name, reason in likely_identifiers(table, undeclared).items():
        raise ProjectError(
            f"column {name!r} looks like an identifier ({reason})",
            where=table.name,
            remedy=f"leave it out with --identifier {name}, or release it with --common {name}",
        )


def _check_promises(project: Project) -> None:
    if not project.quasi_identifiers:
        raise ProjectError(
            "no quasi-identifier is declared",
            where="roles",
            remedy="name the columns that others may know about a person (--qi); `celosia profile` proposes some",
        )
    if not project.models:
        raise ProjectError(
            "no privacy model is asked for",
            where="models",
            remedy="ask for k-anonymity with -k 5, for example",
        )
    for model in project.models:
        if model.column is not None and model.column not in project.with_role(Role.SENSITIVE):
            raise ProjectError(
                f"{model.name} is asked of {model.column!r}, which is not a sensitive column",
                where="models",
                remedy=f"declare it with --sensitive {model.column}",
            )


def _recode_frame(project: Project, task: Task, recoding: Recoding) -> tuple[Any, Table, Written]:
    table = task.table
    if not isinstance(table, FrameTable):
        raise ProjectError(
            "no destination was given", where="destination", remedy="say where to write: --out FILE"
        )
    frame, written = table.recode(recoding, seed=project.seed)
    return frame, open_table(frame, missing=()), written


def _write_file(project: Project, task: Task, plan: Plan, path: Path) -> tuple[Any, Table, Written]:
    table: Any = task.table
    recoding = plan.recoding
    if plan.memory is not None:
        table = replace(table, memory=plan.memory // 5)
    written = table.write(recoding, path, seed=project.seed, progress=task.progress)
    try:
        released = open_written(table, recoding, path, missing=())
    except TableError as error:
        raise ReleaseError(
            f"the release could not be read back ({error.what})",
            where=str(project.destination),
            remedy="nothing was written; choose another format or encoding",
        ) from None
    return Path(project.destination or path), released, written


def _write_table(target: "NewTable", task: Task, plan: Plan) -> tuple[Any, Table, Written]:
    table: Any = task.table
    if plan.memory is not None:
        table = replace(table, memory=plan.memory // 5)
    # In a database the order of the rows is drawn there, or here without the seed: nobody can undo it.
    written = table.write(plan.recoding, target, progress=task.progress)
    return f"{target.database} {target.shown}", target.open(), written


def _finisher(project: Project, task: Task, plan: Plan) -> Callable[[Any, Table, Written], Release]:
    """A function that verifies what was written and puts the evidence together."""

    def finish(place: Any, released: Table, written: Written) -> Release:
        verification = verify(
            released,
            quasi_identifiers=project.quasi_identifiers,
            models=project.models,
            hierarchies=plan.hierarchies,
            identifiers=project.with_role(Role.IDENTIFIER),
            memory=plan.memory,
            folder=task.folder,
        )
        _withdraw_unless(verification, written, plan)
        comparison = _compare(task, plan, released)
        return Release(
            table=place,
            plan=plan,
            risk_before=plan.before,
            risk_after=verification.risk,
            comparison=comparison,
            written=written,
            verification=verification,
            record=_record(project, plan, comparison, written, verification),
        )

    return finish


def _withdraw_unless(verification: Verification, written: Written, plan: Plan) -> None:
    """Raise if the release is not what the plan promised: then nothing may go out."""
    problems = [finding.text for finding in verification.findings if not finding.passed]
    if verification.rows != written.written:
        problems.append(f"{written.written} rows were written and {verification.rows} read back")
    if written.source != plan.rows:
        problems.append(f"{plan.rows} rows were counted and {written.source} read for writing")
    if written.suppressed != plan.suppressed or written.excluded != plan.excluded:
        problems.append(
            f"{written.suppressed} rows were suppressed and {written.excluded} left out, not "
            f"{plan.suppressed} and {plan.excluded} as planned"
        )
    if plan.classes is not None and plan.classes != verification.classes:
        problems.append(f"there are {verification.classes} classes, not {plan.classes} as planned")
    if problems or not verification.passed:
        raise ReleaseError(
            "the release failed its verification and was withdrawn: " + "; ".join(problems),
            remedy="nothing was written; the table may have changed meanwhile: run it again when nobody writes to it, "
            "and if it fails again report it",
        )


def _compare(task: Task, plan: Plan, released: Table) -> Comparison | None:
    """Distributions before and after, as they can be read from the release."""
    if not plan.typed:
        return None
    task.progress("comparing distributions", 0.0)
    after = released.count_by(list(plan.typed))
    return compare_counts(task.counts, after, plan.typed, types=task.types)


def _record(
    project: Project, plan: Plan, comparison: Comparison | None, written: Written, verification: Verification
) -> dict[str, Any]:
    """What an auditor needs to repeat the run; no value of the table stands in it."""
    from importlib.metadata import version

    return {
        "celosia": version("celosia"),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("polars", "numpy")},
        },
        "project": project.model_dump(mode="json"),
        # Whoever knows the seed of the shuffle can undo it: one drawn by the system is not written down.
        "order": "random, not recorded"
        if project.seed is None or project.destination_table is not None
        else f"random, from seed {project.seed}: keep this record from whoever gets the release",
        # The reason of a proposal may quote values, and an extreme one can be a single person.
        "hierarchies": {name: reason.partition(":")[0] for name, reason in plan.reasons.items()},
        "technique": {"name": project.technique.name, "note": plan.note, "columns": dict(plan.shown)},
        **plan.details,
        "measures": dict(plan.measures),
        **({} if comparison is None else {"distributions": asdict(comparison)}),
        "risk": {"before": asdict(plan.before), "after": asdict(verification.risk)},
        "rows": asdict(written),
        "verification": asdict(verification),
    }
