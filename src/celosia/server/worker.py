"""``python -m celosia.server.worker``: waits for one job on its input, carries it out, tells on its output.

Every line is JSON: ``{"stage", "share"}`` while it works, and one ``{"state", ...}`` in the end. It stops when its
input is shut, for then there is no service any more.
"""

import json
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from celosia.machine import limit_memory
from celosia.say import keep_texts, replace_part, say
from celosia.server.job import JobOrder

__all__ = ["main"]

PACE = 0.1
"""Seconds between two lines about progress."""
LOW = 5
"""How much less of the machine it claims than those who answer people; much less, and it would not get on where others
work as well."""


def main() -> None:
    """Carry out one job."""
    told = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever a library prints is no answer of ours
    os.nice(LOW)
    limit_memory(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    # Linux shares the machine among sessions first, where nobody told it otherwise, and this process is one.
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(LOW))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _load()
        line = sys.stdin.buffer.readline()
        if line:
            _tell(told, _outcome(json.loads(line), told))
    except KeyboardInterrupt:
        _tell(told, {"state": "interrupted"})


def _load() -> None:
    """Everything that most jobs need, before there is one."""
    import celosia.server.work  # noqa: F401
    from celosia.api.releasing import load_engines

    load_engines()


def _outcome(order: JobOrder, told: BinaryIO) -> dict[str, Any]:
    from celosia.errors import CelosiaError
    from celosia.server.work import KINDS, JobContext

    threading.Thread(target=_watch, daemon=True).start()
    try:
        work = JobContext.ordered(order, _Progress(told))
        os.chdir(work.folder)
        with work.cleaned_up():
            return {"state": "done", "summary": KINDS[order["kind"]].work(work)}
    except CelosiaError as error:
        remedy = error.remedy
        if "CELOSIA_" in remedy and "KEY" not in error.where:  # variables of a terminal are no help on a page
            remedy = say("connect the database again, with its password")
        parts = (error.what, error.where, remedy)
        return {
            "state": "failed",
            "error": _parts(*(replace_part(part, f"{order['folder']}/", "") for part in parts)),
        }
    except MemoryError:
        return {
            "state": "failed",
            "error": _parts(say("memory is short"), "", say("try a smaller table, or fewer columns")),
        }
    except Exception as error:
        # The text of an error nobody foresaw may hold values of the table: only its place is told.
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = (
            ""
            if place is None
            else f"{os.path.basename(place.tb_frame.f_code.co_filename)}:{place.tb_lineno}"
        )
        what = say("something unforeseen happened ({error})", error=type(error).__name__)
        return {
            "state": "failed",
            "error": _parts(what, where, say("report it, with this place in the code")),
        }


def _watch() -> None:
    """Stop this process when the service is gone."""
    while sys.stdin.buffer.read(1):
        pass
    os.kill(os.getpid(), signal.SIGINT)


class _Progress:
    """Tells how far the job is, but not too often."""

    def __init__(self, told: BinaryIO) -> None:
        self._told, self._last, self._stage = told, 0.0, ""

    def __call__(self, stage: str, share: float) -> None:
        moment = time.monotonic()
        if stage != self._stage or moment - self._last > PACE or share >= 1:
            self._last, self._stage = moment, stage
            _tell(self._told, {"stage": stage, "share": round(min(max(share, 0.0), 1.0), 4)})


def _parts(what: str, where: str, remedy: str) -> dict[str, str]:
    return {"what": what, "where": where, "remedy": remedy}


def _tell(told: BinaryIO, line: dict[str, Any]) -> None:
    try:
        told.write(json.dumps(keep_texts(line)).encode() + b"\n")
    except BrokenPipeError:
        raise KeyboardInterrupt from None


if __name__ == "__main__":
    main()
