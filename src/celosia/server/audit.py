"""Who saw and did what: written with the deed itself, in the same transaction, and never changed."""

from typing import Any

from sqlalchemy import Connection, select

from celosia.server.store import audits, now, record
from celosia.words import phrase

__all__ = ["ACTIONS", "note", "read_audit"]

ACTIONS = (
    phrase("sign in"),
    phrase("sign in refused"),
    phrase("create project"),
    phrase("change project"),
    phrase("copy project"),
    phrase("share project"),
    phrase("erase project"),
    phrase("add file"),
    phrase("add database"),
    phrase("add cluster"),
    phrase("remove source"),
    phrase("write hierarchy"),
    phrase("remove hierarchy"),
    phrase("cancel"),
    phrase("resume"),
    phrase("download"),
    phrase("erase release"),
    phrase("start {kind}"),
    phrase("see {kind}"),
    phrase("{kind} done"),
    phrase("{kind} failed"),
    phrase("{kind} cancelled"),
    phrase("{kind} queued"),
)
"""What is noted; the kind is that of a job."""


def note(data: Connection, who: str, action: str, *, project: str = "", detail: str = "") -> None:
    """Keep that somebody did something; ``detail`` holds names and numbers, never a value of a table."""
    data.execute(
        audits.insert().values(at=now(), who=who, action=action, project=project, detail=detail[:2000])
    )


def read_audit(data: Connection, project: str, *, last: int = 200) -> list[dict[str, Any]]:
    """What was done in a project, the latest first."""
    found = select(audits).where(audits.c.project == project).order_by(audits.c.id.desc()).limit(last)
    return [record(row) for row in data.execute(found)]
