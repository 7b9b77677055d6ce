"""What starting costs: nothing heavy is loaded before it is needed."""

import subprocess
import sys

import pytest

HEAVY = [
    "duckdb",
    "fastexcel",
    "jpype",
    "narwhals",
    "numba",
    "numpy",
    "opendp",
    "pandas",
    "phonenumbers",
    "polars",
    "pyarrow",
    "pydantic",
    "scipy",
    "sklearn",
    "stdnum",
    "xlsxwriter",
]

ENGINES = [name for name in HEAVY if name != "pydantic"]
"""Typer looks at the options of a command with Pydantic."""


def modules_after(code: str) -> set[str]:
    """The packages that are loaded when the code has run."""
    told = "\nimport sys; print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", code + told], capture_output=True, text=True, check=True)
    return set(run.stderr.split())


def test_importing_the_package_loads_nothing_heavy():
    loaded = modules_after("import celosia")
    assert loaded.isdisjoint(HEAVY)
    assert loaded.isdisjoint(["typer", "rich"])


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]], ids=" ".join)
def test_help_loads_nothing_heavy(arguments):
    loaded = modules_after(f"from celosia.cli.start import start; assert start({arguments!r}) == 0")
    assert loaded.isdisjoint(HEAVY)


@pytest.mark.parametrize("arguments", [["anonymize", "--help"], ["hierarchy", "--help"]], ids=" ".join)
def test_help_about_a_command_loads_no_engine(arguments):
    loaded = modules_after(f"from celosia.cli.start import start; assert start({arguments!r}) == 0")
    assert loaded.isdisjoint(ENGINES)


def test_a_mistyped_option_is_told_without_loading_an_engine():
    loaded = modules_after("""
import contextlib, io
from celosia.cli.start import start
with contextlib.redirect_stderr(io.StringIO()):
    assert start(["anonymize", "people.csv", "--kk", "5"]) == 2
""")
    assert loaded.isdisjoint(ENGINES)


def test_every_public_name_can_be_loaded():
    import celosia

    for name in celosia.__all__:
        assert getattr(celosia, name) is not None
