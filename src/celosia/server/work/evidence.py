"""What a release still risks and what it is still good for, measured against its table."""

import json
from pathlib import Path
from typing import Any

from celosia.api.measuring import MeasureRequest, measure
from celosia.errors import ProjectError
from celosia.say import restore_texts, say
from celosia.server.work.kind import JobContext, JobKind, JobSummary, Parameters

__all__ = ["KIND"]


class EvidenceParameters(Parameters):
    """The job that made the release; measures and rules by name, or all."""

    release: str
    measures: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


def work(task: JobContext[EvidenceParameters]) -> JobSummary:
    """Measure it."""
    from celosia.server.workspace import plain_name

    asked = task.parameters
    folder = task.folder / "jobs" / plain_name(asked.release)
    try:
        released = restore_texts(json.loads((folder / "result.json").read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise ProjectError(
            say("there is no such release"), where="release", remedy=say("run the project first")
        ) from None
    name = asked.table or next(iter(released["records"]))
    request = MeasureRequest(
        name, release=_place(folder, released, name), measures=asked.measures, rules=asked.rules
    )
    results = measure(task.project, request, progress=task.progress, ask=task.ask)
    task.keep({"release": asked.release, "table": name, **results.to_dict()})
    return {"release": asked.release}


def _place(folder: Path, released: dict[str, Any], name: str) -> str:
    file = next((file for file in released["files"] if Path(file).stem == name), None)
    if file is None:
        raise ProjectError(
            say("the release lies in a database"),
            where="release",
            remedy=say("make one as a file to measure it"),
        )
    return str(folder / file)


KIND = JobKind("evidence", work, EvidenceParameters)
