"""A display in memory, and the little of X11 that tells which windows are on it and shuts one."""

import ctypes
import ctypes.util
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from programs import ProgramsMissingError, find_program

__all__ = ["Display", "ProgramsMissingError", "display_running"]


@contextmanager
def display_running() -> Iterator["Display"]:
    """Start a display, and stop it at the end of the block."""
    program, library = find_program("Xvfb"), ctypes.util.find_library("X11")
    if program is None or library is None or find_program("chromium") is None:
        raise ProgramsMissingError("Xvfb or Chromium is not installed: tests/services/install")
    ready, told = os.pipe()
    screen = ["-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    with subprocess.Popen(
        [program, "-displayfd", str(told), *screen], pass_fds=[told], stderr=subprocess.DEVNULL
    ) as server:
        os.close(told)
        try:
            with os.fdopen(ready) as lines:
                yield Display(f":{lines.readline().strip()}", ctypes.CDLL(library))
        finally:
            server.terminate()


class Event(ctypes.Structure):
    """A message to a window; as long as the longest of its kind."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("rest", ctypes.c_long * 24),
    )


class Display:
    """A display that runs."""

    def __init__(self, name: str, library: ctypes.CDLL) -> None:
        self.name, self._x = name, library
        window, pointer = ctypes.c_ulong, ctypes.c_void_p
        library.XOpenDisplay.restype = pointer
        library.XDefaultRootWindow.argtypes, library.XDefaultRootWindow.restype = [pointer], window
        library.XInternAtom.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int]
        library.XInternAtom.restype = window
        library.XQueryTree.argtypes = [pointer, window, *[ctypes.POINTER(window)] * 2, pointer, pointer]
        library.XGetWindowProperty.argtypes = [
            *(pointer, window, window, ctypes.c_long, ctypes.c_long, ctypes.c_int, window),
            *[pointer] * 5,
        ]
        library.XSendEvent.argtypes = [pointer, window, ctypes.c_int, ctypes.c_long, ctypes.POINTER(Event)]
        library.XFree.argtypes = library.XFlush.argtypes = library.XCloseDisplay.argtypes = [pointer]

    def find(self, title: str) -> int | None:
        """The window of a title."""
        with self._open() as display:
            root, parent, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
            found = ctypes.POINTER(ctypes.c_ulong)()
            self._x.XQueryTree(
                display,
                self._x.XDefaultRootWindow(display),
                ctypes.byref(root),
                ctypes.byref(parent),
                ctypes.byref(found),
                ctypes.byref(count),
            )
            windows = [found[number] for number in range(count.value)]
            return next((each for each in windows if self._title(display, each) == title), None)

    def shut(self, window: int) -> None:
        """Ask a window to close, as its cross does."""
        with self._open() as display:
            event = Event(type=33, window=window, format=32)  # a ClientMessage
            event.message_type = self._x.XInternAtom(display, b"WM_PROTOCOLS", 0)
            event.data[0] = self._x.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
            self._x.XSendEvent(display, window, 0, 0, ctypes.byref(event))
            self._x.XFlush(display)

    @contextmanager
    def _open(self) -> Iterator[int]:
        display = self._x.XOpenDisplay(self.name.encode())
        assert display, self.name
        try:
            yield display
        finally:
            self._x.XCloseDisplay(display)

    def _title(self, display: int, window: int) -> str:
        atom = self._x.XInternAtom
        kind, form, size, left = ctypes.c_ulong(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong()
        text = ctypes.c_char_p()
        name, utf8 = atom(display, b"_NET_WM_NAME", 0), atom(display, b"UTF8_STRING", 0)
        refs = [ctypes.byref(each) for each in (kind, form, size, left, text)]
        self._x.XGetWindowProperty(display, window, name, 0, 1024, 0, utf8, *refs)
        told = text.value or b""
        if text:
            self._x.XFree(text)
        return told.decode(errors="replace")
