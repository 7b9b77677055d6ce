"""Who saw and did what: written with the deed itself, in the same transaction, and never changed."""

from typing import Any

from sqlalchemy import Connection, select

from celosia.server.store import audits, now, record

__all__ = ["note", "read_audit"]


def note(data: Connection, who: str, action: str, *, project: str = "", detail: str = "") -> None:
    """Keep that somebody did something; ``detail`` holds names and numbers, never a value of a table."""
    data.execute(
        audits.insert().values(at=now(), who=who, action=action, project=project, detail=detail[:2000])
    )


def read_audit(data: Connection, project: str, *, last: int = 200) -> list[dict[str, Any]]:
    """What was done in a project, the latest first."""
    found = select(audits).where(audits.c.project == project).order_by(audits.c.id.desc()).limit(last)
    return [record(row) for row in data.execute(found)]
