"""Celosía as others get it: its wheel in empty environments, on the lowest versions and on every Python.

``make matrix`` runs it. In every environment the base alone is tried first, by the commands that the README shows;
then the extras come in, and a quick part of the tests runs against what is installed, not against ``src``.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OLDEST = (3, 11)
TOOLS = (
    "pytest",
    "pytest-xdist",
    "pytest-timeout",
    "hypothesis",
    "jsonschema",
    "pexpect",
    "pandas",
    "httpx2",
)
"""What the quick part needs of the extra ``test``; the rest is for browsers, Weka and whole descriptions of REST."""
QUICK = (
    "tests/unit/test_run.py",
    "tests/unit/cli/test_other_commands.py",
    "tests/unit/profile",
    "tests/unit/tables/test_table_contract.py",
    "tests/unit/tables/test_callers_frames.py",
    "tests/unit/tables/test_writing_tables.py",
    "tests/unit/mask/test_people_masked.py",
    "tests/unit/mask/test_row_condition.py",
    "tests/unit/mask/test_encrypt.py",
    "tests/unit/mask/test_keys.py",
    "tests/unit/perturb/test_what_perturbations_keep.py",
    "tests/unit/measure/test_learning_models.py",
    "tests/unit/report/test_charts.py",
    "tests/unit/server/test_accounts.py",
    "tests/unit/server/test_rest.py",
    "tests/unit/web",
    "tests/services/test_sql_tables.py",
    "tests/services/test_sql_types.py",
    "tests/services/test_spark_tables.py",
)
"""The parts of the tests in which every dependency has its say."""
LEFT_OUT = "not postgresql and not mariadb"
"""Servers of databases are the same on every Python."""


@dataclass(frozen=True)
class Environment:
    """One empty environment: which Python, and whether all direct dependencies are the lowest promised."""

    python: Path
    version: tuple[int, int]
    is_lowest: bool

    def __str__(self) -> str:
        major, minor = self.version
        return f"Python {major}.{minor}, {'lowest' if self.is_lowest else 'newest'} versions"


def main() -> int:
    """Try every environment; how many failed."""
    pythons = find_pythons()
    oldest = min(pythons)
    environments = [Environment(pythons[oldest], oldest, is_lowest=True)]
    environments += [Environment(python, version, is_lowest=False) for version, python in pythons.items()]
    with tempfile.TemporaryDirectory(prefix="celosia-matrix-") as folder:
        wheel = build_wheel(Path(folder))
        failed = [
            one for one in environments if not try_environment(one, wheel, Path(folder) / "environment")
        ]
    for one in environments:
        print(f"{'FAILED' if one in failed else 'passed'}: {one}")
    return len(failed)


def find_pythons() -> dict[tuple[int, int], Path]:
    """Every Python from the oldest promised on that is installed, one for each version, oldest first.

    Those that pyenv keeps count too, though its commands may not be switched on.
    """
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders += sorted(pyenv.glob("versions/*/bin"))
    found: dict[tuple[int, int], Path] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("python3.*"))):
        if re.fullmatch(r"python3\.\d+", path.name) and (version := _version(path)) >= OLDEST:
            found.setdefault(version, path)
    return dict(sorted(found.items()))


def _version(python: Path) -> tuple[int, int]:
    """Of the Python at a path; (0, 0) if that does not run."""
    asked = [str(python), "-c", "import sys; print(*sys.version_info[:2])"]
    try:
        answer = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return (0, 0)
    major, minor = answer.split()
    return int(major), int(minor)


def build_wheel(folder: Path) -> Path:
    """The wheel, built from the tree as it is."""
    _run("uv", "build", "--quiet", "--wheel", "--out-dir", folder, ROOT)
    return next(folder.glob("*.whl"))


def try_environment(environment: Environment, wheel: Path, place: Path) -> bool:
    """Whether base and extras work in an empty environment."""
    print(f"\n== {environment}", flush=True)
    try:
        _run("uv", "venv", "--quiet", "--clear", "--python", environment.python, place)
        base, extras, tools = promised()
        # Named beside the wheel, since only what is named counts as direct where the lowest versions are chosen.
        _install(environment, place, str(wheel), *base)
        if environment.is_lowest:
            check_bounds(place, base)
        try_commands(place)
        _install(environment, place, f"celosia[all] @ {wheel.as_uri()}", *base, *extras, *tools)
        if environment.is_lowest:
            check_bounds(place, [*extras, *tools])
        # What a dependency says of another that is newer than itself is no promise of ours: warnings are only shown.
        tests = [place / "bin" / "python", "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
        _run(*tests, "-W", "default", "-k", LEFT_OUT, *QUICK, cwd=ROOT)
    except subprocess.CalledProcessError as error:
        print(f"failed: {' '.join(map(str, error.cmd))}")
        return False
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return True


def _install(environment: Environment, place: Path, *requirements: str) -> None:
    """Install what is asked for, from the registry that uv is set up for."""
    resolution = "lowest-direct" if environment.is_lowest else "highest"
    _run("uv", "pip", "install", "--quiet", "--python", place, "--resolution", resolution, *requirements)


def promised() -> tuple[list[str], list[str], list[str]]:
    """What pyproject.toml asks for: in the base, in the extras that ``all`` holds, and of the tools of the tests."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    extras = project["optional-dependencies"]
    names = re.findall(r"\w+", re.findall(r"\[(.*)\]", extras["all"][0])[0])
    tools = [one for one in extras["test"] if re.split(r"[\[<>=]", one)[0] in TOOLS]
    return project["dependencies"], [one for name in names for one in extras[name]], tools


def check_bounds(place: Path, requirements: Sequence[str]) -> None:
    """Raise if something is not installed at the lower bound that pyproject.toml promises for it.

    Then that version does not exist, or does not go with another: nobody ever had it, and the bound is to be raised.
    """
    asked = ["uv", "pip", "list", "--format", "json", "--python", str(place)]
    answer = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    installed = {one["name"].lower(): one["version"] for one in json.loads(answer)}
    for one in requirements:
        name, _, bound = re.sub(r"\[.*?\]", "", one).partition(">=")
        found = installed[name.lower()]
        if _numbers(found) != _numbers(bound.split(",")[0]):
            raise SystemExit(
                f"{name}: pyproject.toml promises {bound}, but {found} is the lowest that can be had"
            )


def _numbers(version: str) -> list[str]:
    """The parts of a version without zeros at the end: 2.0 and 2.0.0 are one."""
    return re.sub(r"(\.0+)+$", "", version).split(".")


ROLES = (
    *("--qi", "age,sex,education", "--sensitive", "diagnosis", "-k", "5", "--suppression", "5%"),
    *("--identifier", "record_number,patient_name,national_id,birth_date,postcode,nationality,occupation"),
    *("--identifier", "admission_date,discharge_date,marital_status,department,length_of_stay,cost"),
    *("--identifier", "diagnosis_code,severity,outcome"),
)


def try_commands(place: Path) -> None:
    """Take a table from a file to a release in a spreadsheet, in SQLite and in DuckDB, with the base alone."""
    with tempfile.TemporaryDirectory(prefix="celosia-tried-") as folder:

        def celosia(*arguments: str) -> None:
            _run(place / "bin" / "celosia", *arguments, cwd=folder)

        celosia("--version")
        celosia("--help")
        celosia("sample", "--rows", "2000", "--out", "people.csv")
        celosia("profile", "people.csv")
        celosia("anonymize", "people.csv", *ROLES, "--out", "safe.xlsx")
        for address, safe in (("sqlite:///clinic.db", "safe_lite"), ("duckdb:///clinic.duckdb", "safe_duck")):
            celosia("import", "people.csv", "--out", address, "--out-table", "people")
            celosia("anonymize", address, "--table", "people", *ROLES, "--out-table", safe)
            celosia("verify", address, "--table", safe, "--qi", "age,sex,education", "-k", "5")


def _run(*command: object, cwd: Path | str = ROOT) -> None:
    """Carry out a command, whose output is shown only if it fails or is that of the tests."""
    texts = list(map(str, command))
    # Else the source tree, or an environment that is switched on, would be taken for what is installed.
    environ = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    is_shown = "pytest" in texts
    ended = subprocess.run(
        texts,
        cwd=cwd,
        env=environ,
        text=True,
        stdout=None if is_shown else subprocess.PIPE,
        stderr=None if is_shown else subprocess.STDOUT,
        check=False,
    )
    if ended.returncode:
        print(ended.stdout or "")
        raise subprocess.CalledProcessError(ended.returncode, texts)


if __name__ == "__main__":
    sys.exit(main())
