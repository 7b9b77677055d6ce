"""Releases as people find them: files, and the report."""

from collections.abc import Mapping
from typing import Any

from celosia.server.access import User
from celosia.server.service import Service
from celosia.server.workspace import job_folder
from celosia.words import Words

__all__ = ["evidence_of", "release_files", "release_report"]

OURS = ("result.json",)


def release_files(service: Service, job: Mapping[str, Any]) -> list[str]:
    """The files that the job of a release made, and that were not erased since."""
    folder = job_folder(service.settings.workspace, job["project_id"], job["id"])
    if not folder.is_dir():
        return []
    return sorted(
        path.name for path in folder.iterdir() if path.name not in OURS and not path.name.startswith(".")
    )


def evidence_of(service: Service, user: User, release: str) -> dict[str, Any] | None:
    """What was measured of a release last; None if nothing."""
    job = service.queue.find(user, release)
    for each in service.queue.list(user, job["project_id"], "evidence"):
        if each["state"] == "done" and each["parameters"].get("release") == release:
            return service.queue.result(user, each["id"])
    return None


def release_report(service: Service, user: User, release: str, words: Words) -> str:
    """The report of a release: one page, with all that was measured of it."""
    raise NotImplementedError
