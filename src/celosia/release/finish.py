"""Everything that was written, verified together before anything gets its name, and the evidence put together."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from celosia.errors import ReleaseError
from celosia.measure.distribution import DistributionComparison, compare_counts, compare_large
from celosia.measure.exposure import Exposure
from celosia.measure.risk import ClassRisk, class_risk
from celosia.project import TablePlan
from celosia.recode.techniques import RecodingPlan
from celosia.release.assumed_knowledge import AssumedKnowledge
from celosia.release.class_means import NUMBERS, verify_class_means
from celosia.release.counting import Counting
from celosia.release.expose import expose, treat_exposed
from celosia.release.free_texts import TextSample, find_free_texts
from celosia.release.joins import check_joins
from celosia.release.level_check import check_cut
from celosia.release.linked_classes import LinkedTable
from celosia.release.masked import count_written, verify_masked
from celosia.release.people import verify_people, verify_people_in_classes, with_person
from celosia.release.population_fit import Labels
from celosia.release.prepared_table import PreparedTable
from celosia.release.reading import as_received
from celosia.release.record import make_record
from celosia.release.release import Release
from celosia.release.several_tables import groups, stars
from celosia.release.verdict import judge
from celosia.release.verify import Finding, Verification, verify
from celosia.say import join_texts, say
from celosia.tables.table import Table, Written
from celosia.types import Column, Role, TableLike

__all__ = ["TableRun", "finish_all"]

_NOBODY = np.empty(0, np.int64)


@dataclass(frozen=True)
class TableRun:
    """What was written for a table, where nobody sees it yet."""

    job: PreparedTable
    plan: RecodingPlan | None
    place: TableLike
    released: Table
    written: Written


def finish_all(runs: Sequence[TableRun]) -> dict[str, Release]:
    """Verify all that was written, withdraw it if it is not what was promised, and put the evidence together."""
    verifications = {run.job.name: _verify(run) for run in runs if not _counts_people(run)}
    verifications |= _verify_people([run for run in runs if _counts_people(run)])
    joins = _check_joins(runs)
    releases = {}
    for run in runs:
        verification = verifications[run.job.name]
        means = verify_class_means(run.job, run.released)
        findings = (*verification.findings, *_verify_operations(run), *means, *joins)
        passed = all(finding.passed for finding in findings) and verification.passed
        verification = replace(verification, passed=passed, findings=findings)
        _withdraw_unless(verification, run.written, run.plan)
        releases[run.job.name] = _release(run, verification, _linked(run, runs))
    return releases


def _linked(run: TableRun, runs: Sequence[TableRun]) -> list[LinkedTable]:
    """Other tables of the same people that can be joined by released pseudonyms."""
    star = next(
        (
            star
            for star in stars(run.job.project, [each.job for each in runs])
            if any(run.job is job for job in star)
        ),
        [],
    )
    return [
        LinkedTable(other.released, other.job.plan.person, other.job.plan.quasi_identifiers)
        for other in runs
        if other is not run
        and any(other.job is job for job in star)
        and other.job.plan.person is not None
        and other.job.plan.person in other.released.columns()
        and run.job.plan.person in run.released.columns()
    ]


def _release(run: TableRun, verification: Verification, linked: Sequence[LinkedTable]) -> Release:
    comparison = _compare(run)
    texts = TextSample()
    exposure = expose(run.job, run.plan, run.released, linked=linked, look=texts.add)
    verdict = judge(
        passed=verification.passed,
        exposure=exposure,
        is_light=run.job.is_light,
        sensitive=run.job.plan.with_role(Role.SENSITIVE),
        accepted=run.job.plan.accepted,
        assumed=AssumedKnowledge.of(run.job.plan.models, run.job.plan.quasi_identifiers).assumed,
        free_texts=find_free_texts(run.released, [column.column for column in exposure.columns], seen=texts),
        treatments=treat_exposed(run.released, exposure),
        numbers=_can_show_means(run, exposure),
    )
    gone = 0 if run.plan is None else run.plan.left_out
    written = replace(run.written, source=run.written.source + gone, suppressed=run.written.suppressed + gone)
    before = _risk_before(run.job, run.plan)
    after = verification.risk if before is not None else None
    dropped = 0 if run.job.masking is None else run.job.masking.tally.dropped
    return Release(
        table=run.place,
        technique_plan=run.plan,
        risk_before=before,
        risk_after=after,
        comparison=comparison,
        written=written,
        verification=verification,
        exposure=exposure,
        verdict=verdict,
        dropped=dropped,
        record=make_record(
            run.job,
            run.plan,
            comparison=comparison,
            risks=(before, after),
            written=written,
            dropped=dropped,
            verification=verification,
            exposure=exposure,
            verdict=verdict,
        ),
    )


def _can_show_means(run: TableRun, exposure: Exposure) -> tuple[str, ...]:
    """Exposed columns of numbers, where there are classes whose mean they could show."""
    if run.plan is None:
        return ()
    types = {column.name: column.type for column in run.released.schema()}
    return tuple(
        column.column
        for column in exposure.columns
        if column.is_exposed and not column.is_guarded and types[column.column] in NUMBERS
    )


def _counts_people(run: TableRun) -> bool:
    return run.plan is not None and run.plan.counts_people


def _verify(run: TableRun) -> Verification:
    """The promises about rows; of a light release there are none, and its rows are only counted."""
    job, plan, released = run.job, run.plan, run.released
    if plan is not None:
        verification = verify(
            released,
            quasi_identifiers=job.plan.quasi_identifiers,
            models=job.plan.models,
            hierarchies=plan.hierarchies,
            identifiers=job.plan.with_role(Role.IDENTIFIER),
            memory=plan.memory,
            folder=job.folder,
            further=lambda counting: (*_check_levels(job, plan, counting), *_tell_respelled(job)),
            labels=Labels(
                columns=job.plan.quasi_identifiers,
                hierarchies=plan.hierarchies,
                population=job.population,
                levels=plan.details.get("node", {}),
                missing=("", *job.plan.source.missing),
            ),
        )
        if plan.person is None:
            return verification
        return verify_people_in_classes(job, plan, released, verification)
    columns = [name for name in job.plan.quasi_identifiers if name in released.columns()]
    sizes = released.count_by(columns).counts if columns and "risk" in job.plan.evaluate else _NOBODY
    risk, rows = class_risk(sizes), count_written(released)
    return Verification(rows > 0, rows, risk.classes, risk.k, risk, ())


def _check_levels(job: PreparedTable, plan: RecodingPlan, counting: Counting) -> tuple[Finding, ...]:
    """Where one node was chosen for all rows, whether every value is on its level."""
    if plan.candidate is None or "node" not in plan.details:
        return ()
    shown_as_missing = ("", *job.plan.source.missing)
    return check_cut(counting.values, plan.details["node"], plan.hierarchies, missing=shown_as_missing)


def _tell_respelled(job: PreparedTable) -> Iterator[Finding]:
    """Quasi-identifiers in which the table writes one value in several ways, and the release in one."""
    counts = job.task.known_counts
    for name, texts in () if counts is None else counts.respelled.items():
        if name in job.plan.quasi_identifiers:
            text = say(
                "{column!r}: values with several spellings leave in one; {count} spellings are gone",
                column=name,
                count=texts,
            )
            yield Finding("spellings", name, None, float(texts), 0, True, text)


def _verify_people(runs: Sequence[TableRun]) -> dict[str, Verification]:
    """The promises about people, each table joined with those that tell of the same ones."""
    verifications = {}
    for star in stars(runs[0].job.project, [run.job for run in runs]) if runs else ():
        names = [job.name for job in star]
        plans = [(run, run.plan) for run in runs if run.job.name in names and run.plan is not None]
        tables = [with_person(run.job, plan, run.released) for run, plan in plans]
        models = list(dict.fromkeys(model for job in star for model in job.plan.models))
        verification = verify_people([rows for rows, _ in tables], models)
        for (run, _), (_, compared) in zip(plans, tables, strict=True):
            findings = (*verification.findings, *compared)
            passed = all(finding.passed for finding in findings)
            verifications[run.job.name] = replace(
                verification, passed=passed, findings=findings, rows=count_written(run.released)
            )
    return verifications


def _verify_operations(run: TableRun) -> tuple[Finding, ...]:
    """What operations promise; what the technique recoded, and identifiers, are verified with its promises."""
    chains, gone, plan = run.job.chains, run.job.dropped, run.plan
    if plan is not None:
        chains = {name: chain for name, chain in chains.items() if name not in plan.shown}
        if not plan.counts_people:
            gone = tuple(name for name in gone if name not in run.job.plan.with_role(Role.IDENTIFIER))
    missing = run.job.plan.source.missing
    return verify_masked(run.released, chains, dropped=gone, missing=missing, progress=run.job.progress)


def _check_joins(runs: Sequence[TableRun]) -> tuple[Finding, ...]:
    """Whether tables that could be joined still can."""
    project = runs[0].job.project
    if not project.repeated_attributes:
        return ()
    released = {run.job.name: run.released for run in runs}
    plans = {run.job.name: run.job.plan for run in runs}
    left = [
        [(table, column) for table, column in group if _goes_by_value(plans[table], column, released[table])]
        for group in groups(project)
    ]
    exact = all(run.written.source == run.written.written for run in runs) and not any(
        run.job.plan.rows or (run.job.masking is not None and run.job.masking.drops_rows) or _leaves_out(run)
        for run in runs
    )
    before = {run.job.name: run.job.source for run in runs}
    return check_joins(before, released, [group for group in left if len(group) > 1], exact=exact)


def _goes_by_value(plan: TablePlan, column: str, released: Table) -> bool:
    """Whether a column is released, and the same value became the same wherever it stood."""
    operations = plan.columns[column].operation if column in plan.columns else ()
    return column in released.columns() and all(operation.goes_by_value for operation in operations)


def _leaves_out(run: TableRun) -> bool:
    return run.plan is not None and run.plan.table is not None


def _risk_before(job: PreparedTable, plan: RecodingPlan | None) -> ClassRisk | None:
    if "risk" not in job.plan.evaluate:
        return None
    if plan is not None:
        return plan.before
    columns = job.plan.quasi_identifiers
    return class_risk(job.source.count_by(list(columns))) if columns else None


def _withdraw_unless(verification: Verification, written: Written, plan: RecodingPlan | None) -> None:
    """Raise if the release is not what the plan promised: then nothing may go out."""
    problems = [finding.text for finding in verification.findings if not finding.passed]
    if verification.rows != written.written:
        problems.append(
            say(
                "{written} rows were written and {rows} read back",
                written=written.written,
                rows=verification.rows,
            )
        )
    if plan is not None:
        problems += _unplanned(verification, written, plan)
    if problems or not verification.passed:
        problems = problems or [say("it has no rows")]
        raise ReleaseError(
            say(
                "the release failed its verification and was withdrawn: {problems}",
                problems=join_texts("; ", problems),
            ),
            remedy=say(
                "nothing was written; run it again if somebody wrote to the table meanwhile, and if "
                "nobody did report it: the fault is Celosía's"
            ),
        )


def _unplanned(verification: Verification, written: Written, plan: RecodingPlan) -> Iterator[str]:
    if written.source != plan.rows:
        yield say("{rows} rows were counted and {read} read for writing", rows=plan.rows, read=written.source)
    if written.suppressed != plan.suppressed or written.excluded != plan.excluded:
        yield (
            say(
                "{suppressed} rows were suppressed and {excluded} left out, not {planned_suppressed} and "
                "{planned_excluded} as planned",
                suppressed=written.suppressed,
                excluded=written.excluded,
                planned_suppressed=plan.suppressed,
                planned_excluded=plan.excluded,
            )
        )
    if plan.classes is not None and plan.classes != verification.classes:
        yield say(
            "there are {classes} classes, not {planned} as planned",
            classes=verification.classes,
            planned=plan.classes,
        )


def _compare(run: TableRun) -> DistributionComparison | None:
    """Distributions before and after, as whoever reads the release finds them."""
    job, plan = run.job, run.plan
    if plan is None or not plan.typed or "distributions" not in job.plan.evaluate:
        return None
    job.progress(say("comparing distributions"), 0.0)
    types = job.task.types
    after = as_received(
        run.released,
        missing=job.plan.source.missing,
        types={name: Column(name, types[name]) for name in plan.typed},
    )
    if plan.recoding.parts is None:
        return compare_counts(job.task.counts, after.count_by(list(plan.typed)), plan.typed, types=types)
    return compare_large(
        job.table,
        after,
        plan.typed,
        types=types,
        memory=plan.memory or 0,
        folder=job.folder or Path(tempfile.gettempdir()),
        progress=job.progress,
    )
