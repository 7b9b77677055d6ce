"""How every benchmark measures: processes with their peak memory, and tables with ratios beside seconds."""

import importlib
import inspect
import json
import os
import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "benchmarks" / "made"
SHARED = ROOT.parent / "shared"
SHOWN: list[str] = []


@dataclass(frozen=True)
class Run:
    """Seconds of a process, its peak memory in GB, what it printed, and the seconds that all cores worked for it."""

    seconds: float
    peak: float
    output: str
    processor: float = 0.0


@dataclass(frozen=True)
class Timed:
    """Seconds of a call, the seconds that all cores worked for it, and what it returned."""

    seconds: float
    processor: float
    result: Any


def run(*command: str, timeout: float = 1800) -> Run:
    """Run a command to its end; the memory is that of the process itself, as the system counted it."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    ) as process:
        is_over, peak = threading.Event(), [0.0]
        watch = threading.Thread(target=_watch, args=(process.pid, is_over, peak))
        watch.start()
        stop = threading.Timer(timeout, process.kill)
        stop.start()
        output = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        stop.cancel()
        is_over.set()
        watch.join()
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{output}")
    seconds = time.perf_counter() - started
    return Run(
        seconds, peak[0] or usage.ru_maxrss / 1024**2, output, processor=usage.ru_utime + usage.ru_stime
    )


def _watch(process: int, is_over: threading.Event, peak: list[float]) -> None:
    """Note the high-water mark of another process until it is over.

    What ``wait4`` says starts at the memory of the process that asked, which is often the larger one.
    """
    while not is_over.wait(0.01):
        peak[0] = max(peak[0], peak_memory(process))


def peak_memory(process: int | str = "self") -> float:
    """The high-water mark of a process in GB, 0 where the system does not tell or the process is gone."""
    try:
        text = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0
    found = re.search(r"^VmHWM:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024**2 if found else 0.0


def python(code: str, *arguments: str) -> Run:
    """Run a piece of Python in a fresh process."""
    return run(sys.executable, "-c", code, *arguments)


CALL = """
import sys
sys.path.insert(0, sys.argv[1])
from measuring import answer
answer(*sys.argv[2:])
"""


def call(function: Any, *arguments: Any) -> Any:
    """What a function of a benchmark returns in a fresh process: one that has used no memory before."""
    file = Path(inspect.getfile(function))
    done = python(CALL, str(file.parent), file.stem, function.__name__, json.dumps(arguments))
    return json.loads(done.output.splitlines()[-1])


def answer(module: str, function: str, arguments: str) -> None:
    """The other end of ``call``."""
    print(json.dumps(getattr(importlib.import_module(module), function)(*json.loads(arguments))))


def timed(work: Any) -> Timed:
    """Call something and look at the clocks."""
    started, worked = time.perf_counter(), time.process_time()
    result = work()
    return Timed(time.perf_counter() - started, time.process_time() - worked, result)


def best(times: int, measure):
    """The smallest of several measurements: the others waited for something."""
    return min((measure() for _ in range(times)), key=lambda one: getattr(one, "seconds", one))


def fill(name: str, *documents: Path) -> None:
    """Put everything shown between the marks ``<!-- benchmark:name -->`` of some documents."""
    for document in documents:
        text = document.read_text(encoding="utf-8")
        mark = f"<!-- benchmark:{name} -->"
        before, found, rest = text.partition(mark)
        if not found:
            raise SystemExit(f"{document.name} has no place for it: {mark}")
        _, end, after = rest.partition("<!-- /benchmark -->")
        document.write_text(before + mark + "\n" + "\n".join(SHOWN) + end + after, encoding="utf-8")


def show(title: str, head: list[str], rows: list[list[object]], note: str = "") -> None:
    """Print a Markdown table, with a note below it, and remember both."""
    lines = [f"**{title}**", "", "| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    lines += ["", note] if note else []
    text = "\n".join(lines) + "\n"
    print(text, flush=True)
    SHOWN.append(text)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}" if value < 10 else f"{value:.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
