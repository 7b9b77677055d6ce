"""Tests that share something expensive run in one process, whatever pytest and pytest-xdist make of our wish."""

import os
import subprocess
import sys
from pathlib import Path

from scheduling import find_piece, find_turn

TESTS = Path(__file__).resolve().parents[1]
INNER = """
import os, pathlib, pytest

@pytest.mark.parametrize("turn", range(8))
def test_that_notes_its_process(turn):
    with pathlib.Path("{name}.txt").open("a") as notes:
        print(os.getpid(), file=notes)
"""


def test_the_tests_of_a_file_run_in_one_process_and_files_in_several(tmp_path: Path) -> None:
    names = ("test_one", "test_two")
    for name in names:
        (tmp_path / f"{name}.py").write_text(INNER.format(name=name))
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    variables |= {"PYTHONPATH": str(TESTS), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--no-loadscope-reorder"]
    command += ["-p", "xdist", "-p", "conftest", "-p", "no:cacheprovider"]
    done = subprocess.run(
        command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False, timeout=200
    )
    assert done.returncode == 0, done.stdout + done.stderr
    processes = [(tmp_path / f"{name}.txt").read_text().split() for name in names]
    assert [len(numbers) for numbers in processes] == [8, 8]
    assert [len(set(numbers)) for numbers in processes] == [1, 1]
    assert processes[0][0] != processes[1][0]


def test_spark_and_the_browser_are_one_piece_of_work_each_and_come_first() -> None:
    ids = [
        "tests/unit/test_run.py::test_a",
        "tests/services/test_sql_types.py::test_b[a::b]",
        "tests/browser/test_desktop.py::test_c",
        "tests/services/test_spark_tables.py::test_d",
        "tests/services/test_spark_submit.py::test_e",
        "tests/browser/test_crowd.py::test_f",
    ]
    pieces = [find_piece(each) for each in sorted(ids, key=find_turn)]
    assert pieces == [
        *("spark", "spark", "browser", "browser"),
        *("tests/services/test_sql_types.py", "tests/unit/test_run.py"),
    ]
