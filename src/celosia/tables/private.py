"""Folders for what nobody else may see and what may not outlive a run."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["make_private_folder", "private_folder", "remove_folder"]


def make_private_folder(beside: Path) -> Path:
    """A new folder that only its owner may enter."""
    return Path(tempfile.mkdtemp(prefix=".celosia-", dir=beside))


@contextmanager
def private_folder(beside: Path) -> Iterator[Path]:
    """A folder that only its owner may enter, and that is gone afterwards, whatever happens.

    >>> with private_folder(Path(".")) as folder:
    ...     oct(folder.stat().st_mode & 0o777)
    '0o700'
    >>> folder.exists()
    False
    """
    folder = make_private_folder(beside)
    try:
        yield folder
    finally:
        remove_folder(folder)


def remove_folder(folder: Path) -> None:
    """Remove a folder even if somebody is impatient."""
    interrupted = False
    while os.path.lexists(folder):
        try:
            shutil.rmtree(folder)
        except KeyboardInterrupt:
            interrupted = True
    if interrupted:
        raise KeyboardInterrupt
