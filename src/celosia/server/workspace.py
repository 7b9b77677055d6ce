"""The folders of the service: one per project, entered by nobody else, and never left."""

import os
import re
from pathlib import Path

from celosia.api.erasing import erase_file
from celosia.errors import ProjectError, ReleaseError
from celosia.say import say
from celosia.server.access import DeniedError

__all__ = [
    "DATA",
    "HIERARCHIES",
    "JOBS",
    "erase_folder",
    "file_in",
    "job_folder",
    "make_workspace",
    "plain_name",
    "project_folder",
]

DATA, HIERARCHIES, JOBS = "data", "hierarchies", "jobs"
_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
_UNFIT = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')
LONGEST = 120


def make_workspace(workspace: Path) -> None:
    """Make the folder if there is none; only its owner may enter."""
    workspace.mkdir(parents=True, exist_ok=True)
    workspace.chmod(0o700)


def project_folder(workspace: Path, project: str) -> Path:
    """The folder of a project.

    >>> project_folder(Path("w"), "../../etc")
    Traceback (most recent call last):
    ...
    celosia.server.access.DeniedError: there is no such project
    """
    if _ID.fullmatch(project) is None:
        raise DeniedError(say("there is no such project"))
    return workspace / "projects" / project


def job_folder(workspace: Path, project: str, job: str) -> Path:
    """The folder of what a job made."""
    if _ID.fullmatch(job) is None:
        raise DeniedError(say("there is no such job"))
    return project_folder(workspace, project) / JOBS / job


def plain_name(name: str) -> str:
    """A name as a file of ours may have it: no folder, nothing hidden, nothing that a system would read.

    >>> plain_name("../../etc/passwd"), plain_name("C:\\\\data\\\\my people.csv"), plain_name(".bashrc")
    ('passwd', 'my people.csv', 'bashrc')
    """
    last = re.split(r"[/\\]", name)[-1]
    plain = _UNFIT.sub("_", last).strip(" .")
    if not plain:
        raise ProjectError(
            say("this is no name of a file"), where=name[:40], remedy=say("give it another name")
        )
    stem, ending = os.path.splitext(plain)
    return stem[: LONGEST - len(ending)] + ending if len(ending) < 20 else plain[:LONGEST]


def file_in(folder: Path, name: str) -> Path:
    """A file in a folder, and nowhere else, whatever its name or its links say."""
    path = folder / plain_name(name)
    if plain_name(name) != name or not path.is_file() or not is_inside(path, folder):
        raise DeniedError(say("there is no such file"), where=name[:80])
    return path


def is_inside(path: Path, folder: Path) -> bool:
    """Whether a path ends up in a folder, links followed.

    >>> is_inside(Path("a/../b"), Path("a")), is_inside(Path("a/b"), Path("a"))
    (False, True)
    """
    return path.resolve().is_relative_to(folder.resolve())


def erase_folder(folder: Path) -> list[str]:
    """Overwrite and remove all files of a folder, and look that nothing is left; returns what was there."""
    gone: list[str] = []
    for base, folders, files in os.walk(folder, topdown=False, followlinks=False):
        for name in files:
            path = Path(base, name)
            erase_file(path)
            gone.append(str(path.relative_to(folder)))
        for name in folders:
            path = Path(base, name)
            if path.is_symlink():
                path.unlink()
            else:
                path.rmdir()
    if folder.exists():
        folder.rmdir()
    if os.path.lexists(folder):
        raise ReleaseError(
            say("something is left"), where=folder.name, remedy=say("look into the folder yourself")
        )
    return sorted(gone)
