"""Which loops serve: the compiled ones, or their plain twins where loading or compiling would take longer.

Numba takes half a second to load, and several seconds to compile a loop the very first time on a machine. Until then
the same loops serve uncompiled where they are done sooner, and a process of its own compiles meanwhile.
"""

import os
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["compile_loops", "find_loops", "has_compiled"]

LOADING, COMPILING = 0.4, 5.0
"""Seconds that loading compiled loops takes, and at least those of compiling them."""
GIVEN_UP = 120.0
"""Seconds after which a process that compiles is taken for dead."""
_ENTRIES = {"mondrian": "_grow", "peel": "_peel"}
"""The loop of each module that Python calls."""


def find_loops(name: str, *, plain_seconds: float) -> ModuleType:
    """The module of some loops, compiled or plain; ``plain_seconds`` is what the plain ones are expected to take.

    >>> find_loops("peel", plain_seconds=0.001).__name__ in ("celosia.kernels.plain.peel", "celosia.kernels.peel")
    True
    >>> find_loops("peel", plain_seconds=1000.0).__name__
    'celosia.kernels.peel'
    """
    compiled, plain = f"celosia.kernels.{name}", f"celosia.kernels.plain.{name}"
    if compiled not in sys.modules and plain_seconds <= LOADING:
        return import_module(plain)
    if plain_seconds <= COMPILING and not has_compiled(name):
        _start_compiling(name)
        return import_module(plain)
    return import_module(compiled)


def has_compiled(name: str) -> bool:
    """Whether the loops of a module need not be compiled: they are, in this process or on disk."""
    entry: Any = getattr(import_module(f"celosia.kernels.{name}"), _ENTRIES[name])
    if entry.signatures:
        return True
    # Numba has no public way to ask; where this one is gone, loops are compiled when they are called.
    try:
        return bool(entry._cache._cache_file._load_index())
    except AttributeError:
        return True


def compile_loops(name: str) -> None:
    """Compile the loops of a module, or load what was compiled, by calling them on two points."""
    import numpy as np

    module: Any = import_module(f"celosia.kernels.{name}")
    codes, ones = np.array([[0], [1]], np.int32), np.ones(2, np.int64)
    axes = (
        np.array([0, 2]),
        np.array([0.0, 1.0]),
        np.zeros((1, 2), np.int64),
        np.zeros((2, 1)),
    )
    if name == "peel":
        module.peel(codes, ones, least=2, width=module.DEVIATION, spots=np.arange(2), axes=axes)
        return
    whole = np.array([[0, 2, 2, -1, -1, 0]])
    how: dict[str, Any] = {"least": 2, "split": module.LOSS, "width": module.SPAN, "is_relaxed": False}
    order = np.arange(2)
    module.grow(codes.T.copy(), ones, np.zeros(0, np.int32), order, whole, axes=axes, classes=1, **how)


def _start_compiling(name: str) -> None:
    """Have a process of its own compile, unless one does; it is patient, says nothing, and ends by itself."""
    entry: Any = getattr(import_module(f"celosia.kernels.{name}"), _ENTRIES[name])
    folder = entry.stats.cache_path
    if folder is None or not Path(sys.executable).name.startswith("python") or not hasattr(os, "posix_spawn"):
        return
    marker = Path(folder) / f"{name}.compiling"
    with suppress(OSError, NotImplementedError):
        if marker.exists() and time.time() - marker.stat().st_mtime > GIVEN_UP:
            marker.unlink()
        marker.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        command = [sys.executable, "-m", "celosia.kernels.loops", name, str(marker)]
        quiet = [(os.POSIX_SPAWN_OPEN, file, os.devnull, os.O_RDWR, 0) for file in range(3)]
        os.posix_spawn(sys.executable, command, os.environ, file_actions=quiet, setsid=True)


def _main(name: str, marker: str) -> None:
    with suppress(OSError):
        os.nice(10)
    try:
        compile_loops(name)
    finally:
        Path(marker).unlink(missing_ok=True)


if __name__ == "__main__":
    _main(*sys.argv[1:])
