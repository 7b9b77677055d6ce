"""``celosia desktop`` on a display of its own: a window opens, and when it is shut everything ends."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from displays import Display, ProgramsMissingError, display_running
from programs import leave_out
from sites import COMMAND, dying_with_us


@pytest.fixture
def display() -> Iterator[Display]:
    try:
        with display_running() as display:
            yield display
    except ProgramsMissingError as missing:
        leave_out(missing)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name: the socket of a browser under it may have a hundred letters in all."""
    with tempfile.TemporaryDirectory(prefix="celosia-", dir="/tmp") as made:
        yield Path(made)


def test_the_window_opens_signed_in_and_shutting_it_ends_everything(display, folder):
    with desktop(folder, DISPLAY=display.name) as process:
        # The title is that of the first page: whoever is not signed in does not get there.
        window = until(lambda: display.find("Projects · Celosía"), process)
        display.shut(window)
        assert process.wait(30) == 0
    assert not list(folder.glob("celosia-window-*"))


def test_without_a_display_it_says_so(tmp_path):
    with desktop(tmp_path, DISPLAY="", WAYLAND_DISPLAY="") as process:
        assert process.wait(60) == 2
        assert "there is no display here" in process.stderr.read()


@contextmanager
def desktop(folder: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*dying_with_us(), *COMMAND, "desktop", "-w", str(folder / "workspace")],
        env={**os.environ, "TMPDIR": str(folder), **environment},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def until(find, process, seconds=60):
    end = time.monotonic() + seconds
    while not (found := find()):
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.1)
    return found
