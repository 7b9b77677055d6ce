"""Bytes that were brought here to be read: unpacked, or fetched from elsewhere, in a private folder.

A copy lasts as long as somebody holds its path, a reader for example, and no longer than the process. What a process
that was killed left behind is erased by the next one that brings something here.
"""

import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import IO

from celosia.tables.private import erase_leftovers, make_private_folder, remove_folder

__all__ = ["StagedPath", "name_of", "stage_file"]


class StagedPath(type(Path())):  # type: ignore[misc]
    """A file in a private folder that is gone as soon as nobody holds this path; ``shown`` is what people call it."""

    shown: str


def name_of(path: Path) -> str:
    """What people call a file: the place that its bytes came from, where they were brought here.

    >>> name_of(Path("clinic/people.csv"))
    'clinic/people.csv'
    """
    return str(getattr(path, "shown", path))


def stage_file(name: str, fill: Callable[[IO[bytes]], None], *, shown: str) -> StagedPath:
    """A private file that ``fill`` writes; its name says the format, and ``shown`` where the bytes came from.

    >>> path = stage_file("people.csv", lambda file: None if file.write(b"age") else None, shown="people.csv.gz")
    >>> path.read_text(), name_of(path)
    ('age', 'people.csv.gz')
    >>> folder = path.parent
    >>> del path
    >>> folder.exists()
    False
    """
    beside = Path(tempfile.gettempdir())
    erase_leftovers(beside)
    folder = make_private_folder(beside)
    try:
        path = StagedPath(folder, Path(name).name or "table")
        path.shown = shown
        with open(path, "xb", opener=_privately) as file:
            fill(file)
    except BaseException:
        remove_folder(folder)
        raise
    weakref.finalize(path, remove_folder, folder)
    return path


def _privately(path: str, flags: int) -> int:
    import os

    return os.open(path, flags, 0o600)
