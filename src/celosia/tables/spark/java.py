"""Why the JVM of Spark did not start."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from celosia.errors import TableError
from celosia.say import say

__all__ = ["OLDEST", "diagnose", "parse_version"]

OLDEST = 17
"""The oldest Java that PySpark 4 runs on."""


def diagnose(printed: str) -> TableError:
    """What is wrong with the Java of this machine, or else what was ``printed`` at the failed start."""
    found, where = find_java()
    remedy = say(
        "install Java {oldest} or newer, and set JAVA_HOME to its folder if it is not in the path",
        oldest=OLDEST,
    )
    if found is None:
        return TableError(say("Spark needs Java, and there is none"), where=where, remedy=remedy)
    version = parse_version(ask_version(found))
    if version is None:
        return TableError(
            say("Spark needs Java, and this is none that runs"), where=str(found), remedy=remedy
        )
    if version < OLDEST:
        return TableError(
            say("this is Java {version}, too old for Spark", version=version), where=str(found), remedy=remedy
        )
    return TableError(
        say("Spark does not start ({reason})", reason=_reason(printed)),
        remedy=say("check its settings and SPARK_HOME"),
    )


def find_java() -> tuple[Path | None, str]:
    """The program that Spark would start, and where it is looked for."""
    home = os.environ.get("JAVA_HOME")
    if home:
        program = Path(home) / "bin" / "java"
        return (program if program.is_file() else None), f"JAVA_HOME={home}"
    on_path = shutil.which("java")
    return (Path(on_path) if on_path else None), ""


def ask_version(program: Path) -> str:
    """What a Java says of itself, nothing if it does not run."""
    try:
        done = subprocess.run([program, "-version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stderr + done.stdout).decode(errors="replace")


def parse_version(text: str) -> int | None:
    """The version that a Java tells.

    >>> parse_version('openjdk version "17.0.15" 2025-04-15'), parse_version('java version "1.8.0_392"')
    (17, 8)
    >>> parse_version("not found") is None
    True
    """
    found = re.search(r'version "(?:1\.)?(\d+)', text)
    return int(found.group(1)) if found else None


def _reason(printed: str) -> str:
    """The line that tells most: the first error, without the names of classes."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    errors = [
        line for line in lines if re.search(r"error|exception|invalid|unrecognized", line, re.IGNORECASE)
    ]
    line = (errors or lines or [""])[0]
    if not line:
        return say("it says nothing")
    line = re.sub(r'^Exception in thread "[^"]*" ', "", line)
    return re.sub(r"^[\w.$]+(?:Exception|Error): ", "", line)[:200].rstrip(". ")
