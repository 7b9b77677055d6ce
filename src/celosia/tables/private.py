"""Folders for what nobody else may see and what may not outlive a run, not even one that is killed.

A living process holds the lock of each of its folders, and the system lets go of it when the process ends, however it
ends. So a folder whose lock can be had belongs to a dead process, and whoever comes next erases it.

- A folder holds nothing before its lock is held, and the lock is the last file to leave it. One without a lock is
  empty, or none of ours.
- Who makes a folder and finds that somebody took its lock, or the folder itself, in the moment between, makes another.
"""

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, ENOSPC, EPERM
from pathlib import Path

from celosia.errors import ReleaseError
from celosia.say import say

try:
    import fcntl
except ImportError:  # Windows: we do without locks, and a folder is dead when nothing in it changed for a day
    fcntl = None  # type: ignore[assignment]

__all__ = ["erase_file", "erase_leftovers", "make_private_folder", "move", "private_folder", "remove_folder"]

PREFIX = ".celosia-"
LOCK = ".lock"
DAY = 24 * 60 * 60
BLOCK = bytes(1 << 20)
NO_LINK = getattr(os, "O_NOFOLLOW", 0)

_locks: dict[Path, int] = {}
"""The descriptors that hold the locks of the folders of this process."""


def make_private_folder(beside: Path) -> Path:
    """A new folder that only its owner may enter, for as long as this process lives."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=beside))
        try:
            lock = _hold(folder / LOCK, os.O_CREAT | os.O_EXCL, without_locks=lambda: True)
            if lock is not None:
                _locks[folder] = lock
                return folder
        except BaseException:
            with suppress(OSError):
                (folder / LOCK).unlink(missing_ok=True)
                folder.rmdir()
            raise


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
    """Erase every file in a private folder of this process and remove it; raise if anything is left."""
    lock = _locks.pop(folder, None)
    if lock is not None:
        _remove(folder, lock)


def _remove(folder: Path, lock: int) -> None:
    """Remove a folder whose lock is held, even if somebody is impatient, and let go of the lock."""
    interrupted = False
    kept: list[OSError] = []
    stuck: list[OSError] = []
    while os.path.lexists(folder) and len(stuck) < 3:
        try:
            _erase_all(folder, lock, kept)
        except OSError as error:  # somebody may just have written to it
            stuck.append(error)
        except KeyboardInterrupt:
            interrupted = True
    os.close(lock)
    if os.path.lexists(folder):
        raise ReleaseError(
            say("temporary files could not be removed ({cause})", cause=_reason(stuck[-1])),
            where=str(folder),
            remedy=say("remove this folder yourself: it may hold personal data"),
        )
    if interrupted:
        raise KeyboardInterrupt
    if kept:
        raise ReleaseError(
            say("temporary files could not be overwritten ({cause})", cause=_reason(kept[-1])),
            where=str(folder),
            remedy=say("they are gone, but the disk may still hold what was in them: check it"),
        )


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def move(hidden: Path, path: Path, *, overwrite: bool) -> None:
    """Give a file in a private folder its name at once; without ``overwrite``, never one that was taken meanwhile.

    >>> with tempfile.TemporaryDirectory() as place, private_folder(Path(place)) as folder:
    ...     _ = (folder / "rows").write_text("31")
    ...     move(folder / "rows", Path(place, "safe.csv"), overwrite=False)
    ...     Path(place, "safe.csv").read_text()
    '31'
    """
    if overwrite:
        hidden.replace(path)
        return
    try:
        os.link(hidden, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError:  # a file system without hard links: claim the name first
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            raise _taken(path) from None
        hidden.replace(path)
    else:
        # Who is killed here leaves a file with two names, which is not overwritten for the sake of this one.
        hidden.unlink()


def _taken(path: Path) -> ReleaseError:
    return ReleaseError(say("{path} exists already", path=path), remedy=say("choose another name"))


def erase_file(path: Path | str, *, dir_fd: int | None = None) -> None:
    """Overwrite a file with zeros and remove it.

    A link is removed and what it leads to left alone; so are the bytes of a file that has another name as well, for
    then they are somebody else's too: a release that just got its own.

    >>> with private_folder(Path(".")) as folder:
    ...     _ = (folder / "rows").write_text("Ana, 31")
    ...     erase_file(folder / "rows")
    ...     (folder / "rows").exists()
    False
    """
    try:
        if stat.S_ISREG(os.stat(path, dir_fd=dir_fd, follow_symlinks=False).st_mode):
            _overwrite(path, dir_fd)
    except FileNotFoundError:
        raise
    except OSError as error:
        os.unlink(path, dir_fd=dir_fd)
        # Only where new bytes never take the place of old ones can there be no room for them: nothing is lost.
        if error.errno not in (ENOSPC, EDQUOT):
            raise
    else:
        os.unlink(path, dir_fd=dir_fd)


def _overwrite(path: Path | str, dir_fd: int | None) -> None:
    file = os.open(path, os.O_WRONLY | NO_LINK, dir_fd=dir_fd)
    try:
        found = os.fstat(file)
        left = found.st_size if stat.S_ISREG(found.st_mode) and found.st_nlink == 1 else 0
        if not left:
            return
        while left > 0:
            left -= os.write(file, BLOCK[:left])
        # Otherwise the zeros of a file that is removed would never leave memory.
        os.fsync(file)
    finally:
        os.close(file)


def erase_leftovers(folder: Path) -> list[Path]:
    """Erase the private folders in ``folder`` whose process is dead; returns them.

    >>> with tempfile.TemporaryDirectory() as place, private_folder(Path(place)):
    ...     erase_leftovers(Path(place))
    []
    """
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith(PREFIX))
    except OSError:  # a folder to write to, but not to look at
        return []
    return [path for name in names if _is_ours(path := folder / name) and _erase_if_dead(path)]


def _is_ours(folder: Path) -> bool:
    """Whether it is a folder, and no link to one, that belongs to us alone."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    is_owner = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    return stat.S_ISDIR(found.st_mode) and is_owner


def _erase_if_dead(folder: Path) -> bool:
    lock = _hold(folder / LOCK, 0, without_locks=lambda: _is_old(folder))
    if lock is not None:
        _remove(folder, lock)
        return True
    if not os.path.lexists(folder / LOCK):
        # Its process died before it held the lock or after it removed it; if it lives, it makes another. A folder with
        # something in it and no lock is none of ours, whatever its name, and is not removed this way.
        with suppress(OSError):
            folder.rmdir()
            return True
    return False


def _hold(path: Path, flags: int, *, without_locks: Callable[[], bool]) -> int | None:
    """A descriptor that holds a lock; None if another process does, or the file is no more.

    ``without_locks`` says whether to go on where the system has none.
    """
    try:
        lock = os.open(path, os.O_RDWR | NO_LINK | flags, 0o600)
    except OSError as error:
        if flags and not isinstance(error, FileNotFoundError):
            raise
        return None
    if fcntl is None:  # Windows removes no file that is open: any other stands for it
        os.close(lock)
        return os.open(os.devnull, os.O_RDONLY) if without_locks() else None
    is_held = False
    try:
        # Somebody may have held it until now, and have removed it.
        is_held = (_lock(lock) or without_locks()) and os.path.samestat(os.fstat(lock), os.lstat(path))
    except (BlockingIOError, FileNotFoundError):
        pass
    finally:
        if not is_held:
            os.close(lock)
    return lock if is_held else None


def _lock(file: int) -> bool:
    """Lock a file, or raise BlockingIOError if somebody did; False where there are no locks."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if isinstance(error, BlockingIOError):
            raise
        return False  # a file system without locks
    return True


def _is_old(folder: Path) -> bool:
    """Whether nothing in a folder changed for a day."""
    changed = [folder.lstat().st_mtime]
    for base, _, files in os.walk(folder):
        changed += [os.lstat(os.path.join(base, name)).st_mtime for name in files]
    return time.time() - max(changed) > DAY


def _erase_all(folder: Path, lock: int, kept: list[OSError]) -> None:
    """Erase all files and remove the folder, its lock last; ``kept`` learns why a file could not be overwritten."""
    if not hasattr(os, "fwalk"):  # Windows, where only names lead to files
        for path in filter(Path.is_file, folder.rglob("*")):
            erase_file(path)
        shutil.rmtree(folder)
        return
    with _opened(folder, lock) as top:
        for base, folders, files, here in os.fwalk(".", topdown=False, dir_fd=top):
            for name in files:
                if base == "." and name == LOCK:
                    continue
                try:
                    erase_file(name, dir_fd=here)
                except FileNotFoundError:
                    pass
                except OSError as error:
                    kept.append(error)
            for name in folders:
                try:
                    os.rmdir(name, dir_fd=here)
                except NotADirectoryError:  # a link to a folder
                    os.unlink(name, dir_fd=here)
    if os.listdir(folder) == [LOCK]:
        os.unlink(folder / LOCK)
    with suppress(FileNotFoundError):
        folder.rmdir()


@contextmanager
def _opened(folder: Path, lock: int) -> Iterator[int]:
    """The folder in which a lock lies, and no other, or a link to one, that somebody put in its place."""
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | NO_LINK)
    try:
        if os.listdir(top):
            found = os.stat(LOCK, dir_fd=top, follow_symlinks=False)
            if not os.path.samestat(found, os.fstat(lock)):
                raise PermissionError(EPERM, say("another folder was put in its place"))
        yield top
    finally:
        os.close(top)
