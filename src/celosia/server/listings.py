"""What the service lists: sources, projects, versions and audits as they are kept, without what is secret."""

from typing import TypedDict

from celosia.server.access import MemberRole

__all__ = ["ListedAudit", "ListedProject", "ListedSource", "ListedVersion"]


class ListedSource(TypedDict):
    """A file, a database or a place of a cluster; of a password only whether there is one."""

    id: str
    name: str
    kind: str
    address: str
    bytes: int
    created: str
    has_password: bool


class ListedProject(TypedDict):
    """A project, and what whoever asked is in it."""

    id: str
    name: str
    owner: str
    version: int
    created: str
    changed: str
    part: MemberRole


class ListedVersion(TypedDict):
    """A version of a project: who made it, when, and what they said of it."""

    number: int
    by: str
    at: str
    note: str


class ListedAudit(TypedDict):
    """That somebody did something; the detail holds no value of a table."""

    id: int
    at: str
    who: str
    action: str
    project: str
    detail: str
