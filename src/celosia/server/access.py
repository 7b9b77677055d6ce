"""Who may do what: a person's part in a project, and what each part allows."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, select

from celosia.errors import CelosiaError
from celosia.say import say
from celosia.server.store import members, projects

__all__ = ["DeniedError", "MemberRole", "User", "may", "redact_for", "require", "role_in_project"]


class DeniedError(CelosiaError):
    """Something does not exist, or this person may not know whether it does."""


class MemberRole(StrEnum):
    """What a person is in a project: each may do what the ones before it may."""

    VIEWER = "viewer"
    """Sees what was released and its evidence, never the rows of the table."""
    ANALYST = "analyst"
    """Sees the table, changes the project, runs it."""
    OWNER = "owner"
    """Shares, writes back to databases, erases."""


PARTS = {MemberRole.VIEWER: say("viewer"), MemberRole.ANALYST: say("analyst"), MemberRole.OWNER: say("owner")}


@dataclass(frozen=True)
class User:
    """A person who is signed in."""

    id: str
    name: str


def may(part: MemberRole, needed: MemberRole) -> bool:
    """Whether a part includes another.

    >>> may(MemberRole.OWNER, MemberRole.VIEWER), may(MemberRole.VIEWER, MemberRole.ANALYST)
    (True, False)
    """
    order = list(MemberRole)
    return order.index(part) >= order.index(needed)


def redact_for(value: Any, part: MemberRole) -> Any:
    """A document as a person may see it: whoever only views it does not learn the seed of the order of rows.

    >>> redact_for({"seed": 7, "tables": {"people": {"seed": 8, "k": 5}}}, MemberRole.VIEWER)
    {'tables': {'people': {'k': 5}}}
    """
    if may(part, MemberRole.ANALYST):
        return value
    if isinstance(value, Mapping):
        hidden = {"seed", "order"}
        return {key: redact_for(child, part) for key, child in value.items() if key not in hidden}
    return [redact_for(child, part) for child in value] if isinstance(value, list) else value


def role_in_project(data: Connection, user: User, project: str) -> MemberRole | None:
    """What a person is in a project; None if nothing."""
    owner = data.scalar(select(projects.c.user_id).where(projects.c.id == project))
    if owner is None:
        return None
    if owner == user.id:
        return MemberRole.OWNER
    role = data.scalar(
        select(members.c.role).where(members.c.project_id == project, members.c.user_id == user.id)
    )
    return None if role is None else MemberRole(role)


def require(data: Connection, user: User, project: str, needed: MemberRole) -> MemberRole:
    """What a person is in a project, which is enough; whoever is nothing in it does not learn that it exists."""
    part = role_in_project(data, user, project)
    if part is None:
        raise DeniedError(
            say("there is no such project"), where=project, remedy=say("look at your list of projects")
        )
    if not may(part, needed):
        raise DeniedError(
            say("this takes the part of {part} in the project", part=PARTS[needed]),
            where=project,
            remedy=say("ask its owner for it"),
        )
    return part
