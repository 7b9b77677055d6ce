"""What is recorded of a release that a project made: the body of its entry."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from celosia.ledger.check import LedgerCheck
from celosia.ledger.entry import (
    CheckSummary,
    EntryBody,
    EntryEvidence,
    EntryReading,
    EntryRecoding,
    EntryRelease,
    file_digest,
    project_digest,
)
from celosia.ledger.members import Members
from celosia.measure.risk import ClassRisk
from celosia.recode.techniques import RecodingPlan
from celosia.release.finish import TableRun
from celosia.release.prepared_table import PreparedTable
from celosia.release.record import technique_name
from celosia.release.release import Release
from celosia.tables.file_table import FileTable
from celosia.tables.table import Table
from celosia.tables.written_forms import opening_arguments

__all__ = ["describe_entry", "describe_run"]


def describe_entry(
    job: PreparedTable,
    release: EntryRelease,
    *,
    recipient: str,
    project: object,
    recoding: EntryRecoding | None,
    evidence: EntryEvidence,
    checks: Sequence[CheckSummary],
) -> EntryBody:
    """The body of an entry about one table; ``project`` is the document as the record of the release keeps it."""
    return {
        "recipient": recipient,
        "project": {"name": job.project.name, "digest": project_digest(project)},
        "table": job.name,
        "type": str(job.plan.kind),
        "roles": {
            name: str(column.role) for name, column in job.plan.columns.items() if column.role is not None
        },
        "recoding": recoding,
        "models": [
            {"model": model.name, **model.model_dump(mode="json", exclude_none=True)}
            for model in job.plan.models
        ],
        "release": release,
        "evidence": evidence,
        "checks": checks,
    }


def describe_run(
    run: TableRun,
    release: Release,
    *,
    recipient: str,
    members: Members | None,
    checks: Sequence[LedgerCheck],
) -> EntryBody:
    """The body of an entry about what a run wrote for one table."""
    path = run.released.path if isinstance(run.released, FileTable) else None
    place: EntryRelease = {
        "place": str(run.place.absolute()) if isinstance(run.place, Path) else str(run.place)[:200],
        "digest": None if path is None else file_digest(path),
        "reading": _reading(run.released),
        "rows": release.written.written,
        "classes": release.verification.classes,
        "k": release.verification.smallest,
    }
    body = describe_entry(
        run.job,
        place,
        recipient=recipient,
        project=release.record["project"],
        recoding=None if run.plan is None else _recoding(run.job, run.plan),
        evidence={
            "risk": None if release.risk_after is None else _finite(release.risk_after),
            "verified": [finding.text for finding in release.verification.findings],
        },
        checks=[check.summary(with_proposals=False) for check in checks],
    )
    body["signature"] = None if members is None else _signature(members)
    return body


def _recoding(job: PreparedTable, plan: RecodingPlan) -> EntryRecoding:
    return {
        "technique": technique_name(job, plan),
        "node": dict(plan.details["node"]) if "node" in plan.details else None,
        "columns": dict(plan.shown),
    }


def _signature(members: Members) -> str:
    """One digest of all classes of a release, by what they show: the same for the same classes."""
    return project_digest([format(label, "016x") for label in np.sort(members.labels).tolist()])


def _reading(released: Table) -> EntryReading:
    """How the file is read again."""
    if not isinstance(released, FileTable):
        return {}
    reading: EntryReading = {**opening_arguments(released.options)}  # type: ignore[typeddict-item]
    return reading


def _finite(risk: ClassRisk) -> Mapping[str, float | None]:
    """Numbers of NumPy as those of Python; what is no number as nothing."""
    plain = {
        name: value.item() if isinstance(value, np.generic) else value for name, value in asdict(risk).items()
    }
    return {
        name: None if isinstance(value, float) and not np.isfinite(value) else value
        for name, value in plain.items()
    }
