"""A window of its own: the browser that is there, without anything that makes it look like one."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from celosia.errors import ProjectError
from celosia.say import say

__all__ = ["check_display", "find_browser", "open_window"]

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "brave-browser",
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
QUIET = ("--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync")

LAST = 10
"""Seconds for the last processes of a browser that was shut."""


def find_browser() -> str:
    """The program of a browser that can open a window without its own buttons."""
    browsers = [path for name in NAMES if (path := shutil.which(name))]
    browsers += [place for place in PLACES if Path(place).exists()]
    if not browsers:
        raise ProjectError(
            say("no browser is here that opens a window of its own"),
            where="desktop",
            remedy=say("install Chromium, Chrome or Edge, or use celosia serve --open"),
        )
    return browsers[0]


def check_display() -> None:
    """Raise ProjectError where no window could be opened."""
    is_shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not is_shown:
        raise ProjectError(say("there is no display here"), where="desktop", remedy=say("use celosia serve"))
    find_browser()


def open_window(link: str, stop: Callable[[], None]) -> None:
    """Open a window at an address, and call ``stop`` when it is shut; it keeps nothing of what it showed."""
    # It outlives whoever asks for it, so that it can put everything away.
    threading.Thread(target=_show, args=(find_browser(), link, stop), daemon=False).start()


def _show(browser: str, link: str, stop: Callable[[], None]) -> None:
    folder = tempfile.mkdtemp(prefix="celosia-window-")
    # As root, in a container say, Chromium starts only without a sandbox of its own.
    bare = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    try:
        subprocess.run(
            [browser, f"--app={link}", f"--user-data-dir={folder}", "--incognito", *QUIET, *bare],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    finally:
        stop()
        _remove(Path(folder))


def _remove(folder: Path) -> None:
    """Remove the folder of a browser, whose last processes may still write into it for a moment."""
    end = time.monotonic() + LAST
    while folder.exists() and time.monotonic() < end:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.05)
