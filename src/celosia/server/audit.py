"""Who saw and did what: written with the deed itself, in the same transaction, and never changed."""

from typing import cast

from sqlalchemy import Connection, select

from celosia.server.listings import ListedAudit
from celosia.server.store import audits, now, record
from celosia.words import phrase

__all__ = ["ACTIONS", "note", "read_audit"]

ACTIONS = (
    phrase("sign in"),
    phrase("sign in refused"),
    phrase("sign out"),
    phrase("add user"),
    phrase("remove user"),
    phrase("change password"),
    phrase("create project"),
    phrase("change project"),
    phrase("copy project"),
    phrase("copied from another project"),
    phrase("share project"),
    phrase("erase project"),
    phrase("add file"),
    phrase("add database"),
    phrase("add cluster"),
    phrase("remove source"),
    phrase("write hierarchy"),
    phrase("remove hierarchy"),
    phrase("see hierarchy file"),
    phrase("make key"),
    phrase("cancel"),
    phrase("resume"),
    phrase("download"),
    phrase("see report"),
    phrase("see rows"),
    phrase("erase release"),
    phrase("erase looks"),
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


def read_audit(data: Connection, project: str | None, *, last: int = 200) -> list[ListedAudit]:
    """What was done in a project, or anywhere if none is named, the latest first."""
    query = select(audits).order_by(audits.c.id.desc()).limit(last)
    if project is not None:
        query = query.where(audits.c.project == project)
    return [cast(ListedAudit, record(row)) for row in data.execute(query)]
