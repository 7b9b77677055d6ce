"""The record of a release: what an auditor needs to repeat the run; no value of the table stands in it."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from celosia.mask.operation import Operation
from celosia.measure.distribution import DistributionComparison
from celosia.measure.exposure import Exposure
from celosia.measure.risk import ClassRisk
from celosia.recode.techniques import RecodingPlan
from celosia.recode.techniques.steps import say_steps
from celosia.release.prepared_table import PreparedTable
from celosia.release.verdict import Verdict
from celosia.release.verify import Verification
from celosia.say import replace_part, say, say_count
from celosia.tables.reading_told import reading_of
from celosia.tables.table import Written

__all__ = ["make_record", "technique_name"]

A_CONDITION = say("a condition holds")
ORIGINS = {"given": say("given"), "file": say("file"), "proposed": say("proposed")}
WITHHELD = say("withheld: it may quote the table")


def make_record(
    job: PreparedTable,
    plan: RecodingPlan | None,
    *,
    comparison: DistributionComparison | None,
    risks: Sequence[ClassRisk | None],
    written: Written,
    dropped: int,
    verification: Verification,
    exposure: Exposure,
    verdict: Verdict,
) -> dict[str, Any]:
    """Versions, project, what was done, and the evidence."""
    technique = {} if plan is None else _technique(job, plan)
    before, after = risks
    return {
        "celosia": version("celosia"),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("polars", "numpy")},
        },
        "project": _without_values(job.project.model_dump(mode="json", exclude_defaults=True))
        | {"version": job.project.version},
        "table": job.name,
        "source": _without_values(job.plan.source.model_dump(mode="json", exclude_defaults=True)),
        "destination": job.plan.destination.model_dump(mode="json", exclude_none=True, exclude_defaults=True),
        **_reading(job),
        "kind": str(job.plan.kind),
        "order": _order(job),
        "changes": [change.text for change in job.changes],
        "operations": _operations(job),
        "weaknesses": [*job.weaknesses, *_formulas(job, written)],
        **technique,
        **({} if comparison is None else {"distributions": asdict(comparison)}),
        **({} if after is None else {"risk": {"before": before and asdict(before), "after": asdict(after)}}),
        "rows": _rows(written, dropped),
        "verification": _verification(job, verification),
        "verdict": verdict.to_dict(),
        "exposure": exposure.to_dict(),
    }


def _rows(written: Written, dropped: int) -> dict[str, int]:
    told = {name: count for name, count in asdict(written).items() if name != "formulas"}
    return {**told, "source": written.source + dropped, "dropped": dropped}


def _formulas(job: PreparedTable, written: Written) -> list[str]:
    """What is said of cells that a spreadsheet would compute when somebody opens the release."""
    if not written.formulas or job.plan.destination.formulas == "escape":
        return []
    return [
        say_count(
            "{count:,} cell begins as a formula does, and a spreadsheet would compute it; --formulas escape puts an "
            "apostrophe before it",
            "{count:,} cells begin as formulas do, and a spreadsheet would compute them; --formulas escape puts an "
            "apostrophe before each",
            written.formulas,
        )
    ]


def _reading(job: PreparedTable) -> dict[str, Any]:
    """How the text file was read."""
    reading = reading_of(job.source)
    return {} if reading is None else {"reading": reading.to_dict()}


def _without_values(part: Any) -> Any:
    """A part of the project without what may be values of the table: pairs are counted, conditions only mentioned.

    Neither can be taken for what it stands for: a project that is read from a record stops where they are needed.

    >>> _without_values({"rows": [{"name": "drop-rows", "where": "name = 'Ana'"}]})
    {'rows': [{'name': 'drop-rows', 'where': 'withheld: it may quote the table'}]}
    """
    if isinstance(part, list):
        return [_without_values(element) for element in part]
    if not isinstance(part, Mapping):
        return part
    fields = {name: _without_values(value) for name, value in part.items()}
    if isinstance(part.get("where"), str):
        fields["where"] = WITHHELD
    for name in ("hierarchy", "hierarchies"):
        if name in part:
            fields[name] = (
                _without_labels(part[name])
                if name == "hierarchy"
                else {key: _without_labels(value) for key, value in part[name].items()}
            )
    if part.get("name") == "substitute" and part.get("pairs") is not None:
        fields["pairs"] = f"{len(part['pairs'])} pairs, {WITHHELD}"
    return fields


def _without_labels(hierarchy: Any) -> Any:
    """A hierarchy by its file; one that is written down lists values."""
    return hierarchy if isinstance(hierarchy, str) or hierarchy is None else WITHHELD


def _told(operation: Operation) -> str:
    """What an operation does, without the condition that it may have."""
    condition = getattr(operation, "where", None)
    return replace_part(operation.describe(), condition, A_CONDITION) if condition else operation.describe()


def _verification(job: PreparedTable, verification: Verification) -> dict[str, Any]:
    """What was found, with operations told as elsewhere in the record."""
    document = asdict(verification)
    for finding in document["findings"]:
        for operation in job.chains.get(finding["column"], ()):
            finding["text"] = replace_part(finding["text"], operation.describe(), _told(operation))
    return document


def _order(job: PreparedTable) -> str:
    if job.plan.order == "kept":
        return say("kept: whoever knows the source can tell whose rows are whose")
    # Whoever knows the seed of the shuffle can undo it: one drawn by the system is not written down.
    if job.plan.seed is None or job.plan.destination.table is not None:
        return say("random, not recorded")
    return say("random, from seed {seed}: keep this record from whoever gets the release", seed=job.plan.seed)


def _operations(job: PreparedTable) -> dict[str, Any]:
    """What was done to every column, whether it can be undone, and what it still tells."""
    columns = {
        name: [
            {
                "name": operation.name,
                "what": _told(operation),
                "reversible": operation.reversible,
                "leaks": operation.leaks,
            }
            for operation in column.operation
        ]
        for name, column in job.plan.columns.items()
        if column.operation
    }
    rows = [{"name": operation.name, "what": _told(operation)} for operation in job.plan.rows]
    return {"columns": columns, "rows": rows, "left out": list(job.dropped)}


def _kind_of(reason: str) -> str:
    """Where a hierarchy comes from, without what is told of it."""
    kind = reason.partition(":")[0]
    return ORIGINS.get(kind, kind)


def _steps(job: PreparedTable, plan: RecodingPlan) -> dict[str, Any]:
    """What one step less or more would have changed."""
    if not plan.steps:
        return {}
    line = say_steps(plan.steps, job.plan.measure)
    return {"one_step": {"line": line, "steps": [step.to_dict() for step in plan.steps]}}


def technique_name(job: PreparedTable, plan: RecodingPlan) -> str:
    """The technique that made a plan: the one asked for, or the one that was taken."""
    return job.plan.technique.name if plan.choice is None else plan.choice.technique.name


def _technique(job: PreparedTable, plan: RecodingPlan) -> Mapping[str, Any]:
    return {
        # The reason of a proposal may quote values, and an extreme one can be a single person.
        "hierarchies": {name: _kind_of(reason) for name, reason in plan.reasons.items()},
        "technique": {"name": technique_name(job, plan), "note": plan.note, "columns": dict(plan.shown)},
        **(
            {} if plan.choice is None else {"auto": {"lines": list(plan.choice.lines), **plan.choice.details}}
        ),
        **_steps(job, plan),
        **plan.details,
        **({"measures": dict(plan.measures)} if "measures" in job.plan.evaluate else {}),
    }
