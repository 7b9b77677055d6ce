"""How every benchmark measures: processes with their peak memory, and tables with ratios beside seconds."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "benchmarks" / "made"
SHARED = ROOT.parent / "shared"
SHOWN: list[str] = []


@dataclass(frozen=True)
class Run:
    """Seconds of a process, its peak memory in GB, and what it printed."""

    seconds: float
    peak: float
    output: str


def run(*command: str, timeout: float = 1800) -> Run:
    """Run a command to its end; the memory is that of the process itself, as the system counted it."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    ) as process:
        output = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{output}")
    return Run(time.perf_counter() - started, usage.ru_maxrss / 1024**2, output)


def python(code: str, *arguments: str) -> Run:
    """Run a piece of Python in a fresh process."""
    return run(sys.executable, "-c", code, *arguments)


def best(times: int, measure):
    """The smallest of several measurements: the others waited for something."""
    return min((measure() for _ in range(times)), key=lambda one: getattr(one, "seconds", one))


def fill(name: str, *documents: Path) -> None:
    """Put everything shown between the marks ``<!-- benchmark:name -->`` of some documents."""
    for document in documents:
        text = document.read_text(encoding="utf-8")
        start, end = text.index(f"<!-- benchmark:{name} -->"), text.index("<!-- /benchmark -->")
        mark = text[start : text.index("-->", start) + 3]
        document.write_text(text[:start] + mark + "\n" + "\n".join(SHOWN) + text[end:], encoding="utf-8")


def show(title: str, head: list[str], rows: list[list[object]]) -> None:
    """Print a Markdown table and remember it."""
    lines = [f"**{title}**", "", "| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    text = "\n".join(lines) + "\n"
    print(text, flush=True)
    SHOWN.append(text)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}" if value < 10 else f"{value:.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
