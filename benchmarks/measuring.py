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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "oracles"))

import public_tables  # noqa: E402

WORK = ROOT / "benchmarks" / "made"
PAGES = [ROOT / "docs" / language / "benchmarks.md" for language in ("en", "es")]
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


def run(*command: str, timeout: float = 1800, source: Path = ROOT) -> Run:
    """Run a command to its end; the memory is that of the process itself, as the system counted it.

    Python takes the package from the folder ``source``: this one, or another version of it.
    """
    environment = {**os.environ, "PYTHONPATH": str(source / "src")}
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT, env=environment
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


def python(code: str, *arguments: str, source: Path = ROOT) -> Run:
    """Run a piece of Python in a fresh process."""
    return run(sys.executable, "-c", code, *arguments, source=source)


CALL = """
import sys
sys.path.insert(0, sys.argv[1])
from measuring import answer
answer(*sys.argv[2:])
"""


def call(function: Any, *arguments: Any, source: Path = ROOT) -> Any:
    """What a function of a benchmark returns in a fresh process: one that has used no memory before."""
    file = Path(inspect.getfile(function))
    done = python(CALL, str(file.parent), file.stem, function.__name__, json.dumps(arguments), source=source)
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


def in_turns(times: int, measures: dict[str, Callable[[], Run]]) -> dict[str, Run]:
    """The smallest of several runs of each, all of them taken in turns: what else the machine does falls on each alike.

    Seconds, processor seconds and memory are each the smallest there were.
    """
    runs: dict[str, list[Run]] = {name: [] for name in measures}
    for _ in range(times):
        for name, measure in measures.items():
            runs[name].append(measure())
    return {
        name: Run(
            min(one.seconds for one in those),
            min(one.peak for one in those),
            those[-1].output,
            min(one.processor for one in those),
        )
        for name, those in runs.items()
    }


def compare_jobs(
    title: str,
    table: Path,
    columns: list[str],
    job: Callable[[Path], Run],
    against: Path | None,
    *,
    times: int,
) -> list[object]:
    """One line under ``job_head``: a job beside the floor, that in random order, and another version of the package."""
    copy = table.with_name(f"floor{table.suffix}")

    def floor(order: str) -> Run:
        return python(FLOOR, str(table), str(copy), ",".join(columns), ",", order)

    measures: dict[str, Callable[[], Run]] = {
        "floor": lambda: floor("same"),
        "shuffled": lambda: floor("random"),
        "now": lambda: job(ROOT),
    }
    if against is not None:
        measures["before"] = lambda: job(against)
    found = in_turns(times, measures)
    copy.unlink()
    floors, now, before = [found["floor"], found["shuffled"]], found["now"], found.get("before")
    seconds = [one.seconds for one in (*floors, now)]
    row: list[object] = [title, *seconds, now.seconds / floors[0].seconds, now.seconds / floors[1].seconds]
    row += [now.processor / floors[0].processor, now.processor, floors[0].peak, now.peak]
    if before is None:
        return row
    ratios = before.seconds / now.seconds, before.processor / now.processor
    return [*row, before.seconds, before.processor, before.peak, *ratios]


JOB_HEAD = [
    *("floor s", "random order s", "whole job s", "x floor", "x random order"),
    *("x floor, processor", "processor s", "floor GB", "peak GB"),
]
BEFORE_HEAD = ["before s", "before processor s", "before GB", "before / now", "before / now, processor"]
JOB_NOTE = (
    "The floor is Polars reading the table, grouping by the quasi-identifiers and writing it again; in random order, "
    "the same with the rows shuffled before they are written, which a release cannot do without. Every number is the "
    "smallest of several runs, all of them taken in turns."
)


def job_head(title: str, against: Path | None) -> list[str]:
    """The head over lines of ``compare_jobs``."""
    return [title, *JOB_HEAD, *(BEFORE_HEAD if against is not None else [])]


FLOOR = """
import sys, polars as pl
source, target, columns, separator = sys.argv[1], sys.argv[2], sys.argv[3].split(","), sys.argv[4]
is_parquet, is_shuffled = source.endswith(".parquet"), sys.argv[5:] == ["random"]
frame = pl.read_parquet(source) if is_parquet else pl.read_csv(source, separator=separator, infer_schema_length=0)
frame.group_by(columns).len()
if is_shuffled:
    frame = frame.sample(fraction=1.0, shuffle=True)
frame.write_parquet(target) if is_parquet else frame.write_csv(target, separator=separator)
"""


def public_table(name: str) -> Path:
    """Where a public table is; where it is missing, the benchmark ends and says what to put where."""
    try:
        return public_tables.public_table(name)
    except public_tables.PublicTableMissingError as missing:
        raise SystemExit(str(missing)) from None


def fill(name: str, *documents: Path) -> None:
    """Put everything shown between the marks ``<!-- benchmark:name -->`` of the pages with figures, or of others."""
    for document in documents or PAGES:
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
