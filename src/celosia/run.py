"""The way of the data, end to end: source, project, search, recoding, verification, release, evidence."""

import platform
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from celosia.errors import HierarchyError, NoSolutionError, ProjectError, ReleaseError, TableError
from celosia.hierarchies import Hierarchy, propose, read_hierarchy
from celosia.measure.risk import ClassRisk, class_risk
from celosia.measure.utility import get_measure, utility_measures
from celosia.profile import likely_identifiers
from celosia.project import Project
from celosia.recode.datafly import datafly
from celosia.recode.domain import build_domain
from celosia.recode.evaluate import Evaluator
from celosia.recode.explore import Exploration, explore
from celosia.recode.full_domain import check_node, full_domain_recoding
from celosia.recode.incognito import incognito_search
from celosia.recode.optimal import optimal_search
from celosia.recode.result import Candidate, SearchResult
from celosia.recode.samarati import samarati
from celosia.release.publish import ensure_free, publish
from celosia.release.verify import Verification, verify
from celosia.tables import FileTable, FrameTable, open_table, open_written
from celosia.tables.formats import find_format
from celosia.tables.table import Counts, Progress, Recoding, Table, Written, no_progress
from celosia.types import ColumnType, Role, nearest

__all__ = ["Prepared", "Release", "anonymize", "explore_project", "prepare", "search"]

ManyHierarchies = Mapping[str, Hierarchy]


@dataclass(frozen=True)
class Prepared:
    """A project with its table read and counted: all that a search needs.

    ``reasons`` says for every quasi-identifier where its hierarchy comes from.
    """

    project: Project
    table: Table
    hierarchies: ManyHierarchies
    reasons: Mapping[str, str]
    counts: Counts
    evaluator: Evaluator


@dataclass(frozen=True)
class Release:
    """What leaves, with its evidence. ``table`` is the caller's kind of frame, or the path of the file written."""

    table: Any
    candidate: Candidate
    levels: Mapping[str, int]
    hierarchies: ManyHierarchies
    reasons: Mapping[str, str]
    result: SearchResult
    risk_before: ClassRisk
    risk_after: ClassRisk
    written: Written
    verification: Verification
    record: Mapping[str, Any]


def prepare(
    project: Project,
    *,
    source: Any = None,
    hierarchies: ManyHierarchies | None = None,
    progress: Progress = no_progress,
) -> Prepared:
    """Open the table, count its combinations once, find every hierarchy, and set up the evaluation."""
    table = _open(project, source)
    _check_columns(project, table)
    _check_promises(project)
    counts = table.count_by([*project.quasi_identifiers, *project.modelled], progress=progress)
    _check_size(project, table, counts)
    found, reasons = _hierarchies(project, counts, hierarchies or {})
    domain = build_domain(
        counts,
        found,
        quasi_identifiers=project.quasi_identifiers,
        missing=project.missing,
        unknown=project.unknown,
    )
    evaluator = Evaluator(
        domain,
        project.models,
        measures=[get_measure(project.measure)],
        limit=project.suppression,
        weights=project.weights,
        sensitive_hierarchies=found,
    )
    return Prepared(project, table, found, reasons, counts, evaluator)


def search(prepared: Prepared, *, best: int = 1, progress: Progress = no_progress) -> SearchResult:
    """The best candidates by the project's measure and search, or the node that the person picked."""
    project, evaluator = prepared.project, prepared.evaluator
    measure = get_measure(project.measure)
    if project.node is not None:
        return _picked(project, evaluator)
    searches: dict[str, Callable[[], SearchResult]] = {
        "optimal": lambda: optimal_search(
            evaluator, measure, best=best, seconds=project.seconds, seed=project.seed or 0, progress=progress
        ),
        "incognito": lambda: incognito_search(evaluator, measure, best=best, progress=progress),
        "datafly": lambda: datafly(evaluator, measure, progress=progress),
        "samarati": lambda: samarati(evaluator, measure, progress=progress),
    }
    return searches[project.search]()


def explore_project(prepared: Prepared, *, progress: Progress = no_progress) -> Exploration:
    """Every node of the lattice with every measure."""
    everything = prepared.evaluator.with_measures(list(utility_measures().values()))
    return explore(everything, progress=progress)


def anonymize(
    project: Project,
    *,
    source: Any = None,
    hierarchies: ManyHierarchies | None = None,
    overwrite: bool = False,
    progress: Progress = no_progress,
) -> Release:
    """Search, recode, write, read back, verify and only then release."""
    if project.destination is not None:
        find_format(Path(project.destination))
        ensure_free(Path(project.destination), overwrite=overwrite)
    prepared = prepare(project, source=source, hierarchies=hierarchies, progress=progress)
    _check_undeclared(project, prepared.table)
    result = search(prepared, progress=progress)
    everything = prepared.evaluator.with_measures(list(utility_measures().values()))
    candidate = Candidate.of(everything.check(result.best.node))
    dropped = project.with_role(Role.IDENTIFIER)
    recoding = full_domain_recoding(prepared.evaluator, candidate.node, dropped=dropped)
    finish = _finisher(prepared, result, candidate)
    if project.destination is None:
        return finish(*_recode_frame(prepared, recoding))
    return publish(
        Path(project.destination),
        make=lambda path: finish(*_write_file(prepared, recoding, path, progress)),
        describe=lambda release: release.record,
        overwrite=overwrite,
    )


def _open(project: Project, source: Any) -> Table:
    how = project.source
    where = how.path if source is None else source
    if where is None:
        raise ProjectError("no table was given", where="source", remedy="name a file or hand over a frame")
    return open_table(
        where,
        separator=how.separator,
        encoding=how.encoding,
        header=how.header,
        missing=how.missing,
        types=how.types or None,
    )


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
    if project.seconds is not None and project.search != "optimal":
        raise ProjectError(
            f"the time limit is for the optimal search, not for {project.search}",
            where="seconds",
            remedy="leave it out, or use --search optimal",
        )
    for model in project.models:
        if model.column is not None and model.column not in project.with_role(Role.SENSITIVE):
            raise ProjectError(
                f"{model.name} is asked of {model.column!r}, which is not a sensitive column",
                where="models",
                remedy=f"declare it with --sensitive {model.column}",
            )


def _check_size(project: Project, table: Table, counts: Counts) -> None:
    if counts.rows == 0:
        raise ProjectError("the table has no rows", where=table.name, remedy="give a table with people in it")
    for model in project.models:
        k = getattr(model, "k", 0)
        if k > counts.rows:
            raise ProjectError(
                f"k = {k} is more than the {counts.rows} rows of the table",
                where=table.name,
                remedy="ask for a smaller k",
            )


def _hierarchies(
    project: Project, counts: Counts, given: ManyHierarchies
) -> tuple[dict[str, Hierarchy], dict[str, str]]:
    """The hierarchy of every counted column: handed over, from its file, or proposed (quasi-identifiers only)."""
    found, reasons = {}, {}
    for place, name in enumerate(counts.columns):
        plan = project.columns[name]
        present = counts.values[place].is_not_null()
        if name in given:
            found[name], reasons[name] = given[name], "given"
        elif plan.hierarchy is not None:
            found[name], reasons[name] = read_hierarchy(Path(plan.hierarchy), name), f"file: {plan.hierarchy}"
        elif plan.role is Role.QUASI_IDENTIFIER:
            kind = project.source.types.get(name, ColumnType.TEXT)
            values = counts.values[place].filter(present)
            proposal = propose(name, values, type=kind, counts=counts.rows_of(place)[present.to_numpy()])
            found[name], reasons[name] = proposal.hierarchy, f"proposed: {proposal.reason}"
        if plan.role is Role.QUASI_IDENTIFIER:
            _check_root(found[name], reasons[name])
    return found, reasons


def _check_root(hierarchy: Hierarchy, reason: str) -> None:
    """A quasi-identifier must have a level at which it tells nothing, or a table may have no valid node."""
    top = hierarchy.labels[-1]
    if len(top) > 1:
        raise HierarchyError(
            f"the hierarchy of {hierarchy.column!r} ends in {len(top)} labels, {top[0]!r} and {top[1]!r} among them",
            where=reason,
            remedy="add a last level that is the same for every value, such as '*'",
        )


def _picked(project: Project, evaluator: Evaluator) -> SearchResult:
    node = project.node
    assert node is not None
    check_node(node, evaluator.domain.names, evaluator.domain.heights)
    one = evaluator.check(node)
    if not one.is_valid:
        raise NoSolutionError(
            f"node {','.join(map(str, node))} would suppress {one.tally.suppressed:,} rows, and "
            f"{evaluator.allowed:,} are allowed",
            where="node",
            remedy="pick a candidate that `celosia explore` lists, or allow more suppression",
        )
    return SearchResult(
        "picked",
        project.measure,
        (Candidate.of(one),),
        False,
        1,
        evaluator.lattice.size,
        0.0,
        "picked by hand",
    )


def _recode_frame(prepared: Prepared, recoding: Recoding) -> tuple[Any, Table, Written]:
    table = prepared.table
    if not isinstance(table, FrameTable):
        raise ProjectError(
            "no destination was given", where="destination", remedy="say where to write: --out FILE"
        )
    frame, written = table.recode(recoding, seed=prepared.project.seed)
    return frame, open_table(frame, missing=()), written


def _write_file(
    prepared: Prepared, recoding: Recoding, path: Path, progress: Progress
) -> tuple[Any, Table, Written]:
    project, table = prepared.project, prepared.table
    assert isinstance(table, FileTable | FrameTable)
    written = table.write(recoding, path, seed=project.seed, progress=progress)
    try:
        released = open_written(table, recoding, path, missing=())
    except TableError as error:
        raise ReleaseError(
            f"the release could not be read back ({error.what})",
            where=str(project.destination),
            remedy="nothing was written; choose another format or encoding",
        ) from None
    return Path(project.destination or path), released, written


def _finisher(
    prepared: Prepared, result: SearchResult, candidate: Candidate
) -> Callable[[Any, Table, Written], Release]:
    """A function that verifies what was written and puts the evidence together."""
    project, evaluator = prepared.project, prepared.evaluator

    def finish(place: Any, released: Table, written: Written) -> Release:
        verification = verify(
            released,
            quasi_identifiers=project.quasi_identifiers,
            models=project.models,
            hierarchies=prepared.hierarchies,
            identifiers=project.with_role(Role.IDENTIFIER),
        )
        _withdraw_unless(verification, written, candidate, prepared)
        before = class_risk(evaluator.sets.base.counts)
        after = verification.risk
        levels = dict(zip(evaluator.domain.names, candidate.node, strict=True))
        record = _record(prepared, result, candidate, levels, before, after, written, verification)
        return Release(
            table=place,
            candidate=candidate,
            levels=levels,
            hierarchies=prepared.hierarchies,
            reasons=prepared.reasons,
            result=result,
            risk_before=before,
            risk_after=after,
            written=written,
            verification=verification,
            record=record,
        )

    return finish


def _withdraw_unless(
    verification: Verification, written: Written, candidate: Candidate, prepared: Prepared
) -> None:
    """Raise if the release is not what the search promised: then nothing may go out."""
    excluded = prepared.evaluator.domain.excluded
    problems = [finding.text for finding in verification.findings if not finding.passed]
    if verification.rows != written.written:
        problems.append(f"{written.written} rows were written and {verification.rows} read back")
    if written.source != prepared.counts.rows:
        problems.append(f"{prepared.counts.rows} rows were counted and {written.source} read for writing")
    if written.suppressed != candidate.suppressed or written.excluded != excluded:
        problems.append(
            f"{written.suppressed} rows were suppressed and {written.excluded} left out, not "
            f"{candidate.suppressed} and {excluded} as planned"
        )
    if problems or not verification.passed:
        raise ReleaseError(
            "the release failed its verification and was withdrawn: " + "; ".join(problems),
            remedy="nothing was written; run it again, and if it fails again report it",
        )


def _record(
    prepared: Prepared,
    result: SearchResult,
    candidate: Candidate,
    levels: Mapping[str, int],
    before: ClassRisk,
    after: ClassRisk,
    written: Written,
    verification: Verification,
) -> dict[str, Any]:
    """What an auditor needs to repeat the run; no value of the table stands in it."""
    from importlib.metadata import version

    project = prepared.project
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
        if project.seed is None
        else f"random, from seed {project.seed}: keep this record from whoever gets the release",
        # The reason of a proposal may quote values, and an extreme one can be a single person.
        "hierarchies": {name: reason.partition(":")[0] for name, reason in prepared.reasons.items()},
        "node": dict(levels),
        "search": {
            "name": result.search,
            "measure": result.measure,
            "proven": result.is_proven,
            "checks": result.checks,
            "nodes": result.nodes,
            "seconds": round(result.seconds, 4),
            "note": result.note,
        },
        "measures": dict(candidate.measures),
        "risk": {"before": asdict(before), "after": asdict(after)},
        "rows": asdict(written),
        "verification": asdict(verification),
    }
