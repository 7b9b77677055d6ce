"""A job as the store keeps it and as people see it."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

__all__ = ["Job", "JobError", "JobOrder", "JobState", "StoredJob"]

JobState = Literal["queued", "running", "done", "failed", "cancelled"]


class JobError(TypedDict):
    """A mistake: what is wrong, where, and what to do."""

    what: str
    where: str
    remedy: str


class Job(TypedDict):
    """One job: who asked for what, how far it is, and what came of it.

    ``parameters`` and ``summary`` are JSON that depends on its kind; ``share`` is how much of it is done, from 0 to 1.
    """

    id: str
    project_id: str
    number: int
    kind: str
    version: int
    parameters: Mapping[str, Any]
    state: JobState
    stage: str
    share: float
    summary: Mapping[str, Any] | None
    error: JobError | None
    by: str
    seen: bool
    created: str
    started: str | None
    ended: str | None
    project: NotRequired[str]
    """The name of its project, where jobs of several are listed."""


class StoredJob(Job):
    """A job as the store has it, with the language of whoever asked."""

    language: str


class JobOrder(TypedDict):
    """All that a process needs to know of its job."""

    kind: str
    parameters: Mapping[str, Any]
    document: Mapping[str, Any]
    folder: str
    made: str
    passwords: Mapping[str, str]
    spark: Mapping[str, str]
