"""A process that carries out one job: started before there is one, and stopped with its service."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from celosia.say import restore_texts, say
from celosia.server.job import JobOrder

__all__ = ["Process"]

PATIENCE = 10.0
"""Seconds for cleaning up after an interrupt."""
HIDDEN = ("CELOSIA_",)
"""Beginnings of variables that are the service's own: its passwords and keys are not for the databases of users."""


class Process:
    """One process that waits for its job."""

    def __init__(self, memory: int = 0) -> None:
        self._memory = memory
        kept = {name: value for name, value in os.environ.items() if not name.startswith(HIDDEN)}
        self._child = subprocess.Popen(
            [sys.executable, "-m", "celosia.server.worker", str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**kept, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"},
            start_new_session=True,
        )

    def work(self, order: JobOrder, progress: Callable[[str, float], None]) -> dict[str, Any]:
        """Carry out a job; its outcome says what became of it."""
        stdin, stdout = self._child.stdin, self._child.stdout
        assert stdin is not None
        assert stdout is not None
        outcome: dict[str, Any] = {}
        try:
            # The other end stays open: a process whose service dies notices that it is shut.
            stdin.write(json.dumps(order).encode() + b"\n")
            stdin.flush()
            for line in stdout:
                told = restore_texts(json.loads(line))
                if "stage" in told:
                    progress(told["stage"], told["share"])
                else:
                    outcome = told
                    break
        except BrokenPipeError:
            pass
        if outcome:  # all is written, and a process takes a second to go: nobody waits for that
            threading.Thread(target=self.end, daemon=True).start()
            return outcome
        self.end()
        return {"state": "lost", "error": _lost(self._child.returncode, self._memory)}

    def interrupt(self) -> None:
        """Stop it as Ctrl-C would, and for good if that is not enough."""
        if self._child.poll() is None:
            self._child.send_signal(signal.SIGINT)
            threading.Timer(PATIENCE, self._kill).start()

    def dismiss(self) -> None:
        """End it before it had a job: it may still be loading, and there is nothing to wait for."""
        self._kill()
        self.end()

    def end(self) -> None:
        """Let it go."""
        if self._child.stdin is not None:
            with suppress(BrokenPipeError):
                self._child.stdin.close()
        try:
            self._child.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self._kill()
            self._child.wait()
        if self._child.stdout is not None:
            self._child.stdout.close()

    def _kill(self) -> None:
        if self._child.poll() is None:
            os.killpg(self._child.pid, signal.SIGKILL)


def _lost(status: int | None, memory: int) -> dict[str, str]:
    if status == -signal.SIGABRT and memory:  # an engine gives up where it gets no more
        what = say("the job needed more memory than the {size:,} MB that it may take", size=memory >> 20)
        remedy = say("try a smaller table, or ask whoever runs the service to allow more")
    elif status == -signal.SIGKILL:
        what = say("the job was stopped from outside")
        remedy = say("perhaps memory was short: try a smaller table")
    else:
        what, remedy = say("the process ended with status {status}", status=status), say("run it again")
    return {"what": what, "where": "", "remedy": remedy}
