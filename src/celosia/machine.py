"""What this machine has to offer: cores, memory, and processes that share a work."""

import getpass
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.pool import Pool

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

__all__ = ["free_memory", "limit_memory", "start_pool", "usable_cores", "user_name", "whole_memory"]


def usable_cores() -> int:
    """Cores that this process may use.

    >>> usable_cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def free_memory() -> int | None:
    """Bytes that can be taken without driving others out, within a limit; None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration, ValueError):
        return None
    left = _left_by_limit()
    return free if left is None else min(free, left)


def _left_by_limit() -> int | None:
    """Bytes that this process may still take; None if nobody limits it."""
    if resource is None:
        return None
    most = resource.getrlimit(resource.RLIMIT_DATA)[0]
    if most == resource.RLIM_INFINITY:
        return None
    pages = int(Path("/proc/self/statm").read_text().split()[5])
    return max(0, int(most) - pages * resource.getpagesize())


def limit_memory(most: int) -> None:
    """Let this process, and each that it starts, take so many bytes and no more; where the system has no limits, all.

    What is only reserved does not count, nor do files that are read as memory: engines do much of both.
    """
    if resource is not None and most > 0:
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def whole_memory() -> int | None:
    """Bytes of memory that the machine has; None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def user_name() -> str:
    """Who runs this process, as the system knows them.

    >>> bool(user_name())
    True
    """
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # nobody, as in a container
        return "unknown"


def start_pool(
    count: int, begin: Callable[..., None], given: tuple[Any, ...], *, with_main: bool = False
) -> "Pool":
    """So many processes, each of which calls ``begin`` with what is given before its first task.

    A fresh process runs the script that started it once more, to have what is defined there. A script that asks for
    processes without looking whether it is the first one would ask again and again, so they do without it; unless
    ``with_main`` says that a task needs something of it.
    """
    import multiprocessing

    main = sys.modules["__main__"]
    if not with_main:
        sys.modules["__main__"] = ModuleType("__main__")
    try:
        return multiprocessing.get_context("spawn").Pool(count, begin, given)
    finally:
        sys.modules["__main__"] = main
