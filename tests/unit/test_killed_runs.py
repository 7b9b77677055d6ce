"""A run that is killed leaves a whole release or none, and the next run leaves nothing of it."""

import os
import random
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest

import celosia
from celosia.tables.private import erase_leftovers

# Rows are thought to be heavy, so that few of them are cut into parts and go to disk as millions do.
RUN = """
from celosia.recode import parts_plan
from celosia.recode.rothko import MemoryNeed
MemoryNeed.ROW, parts_plan.SURELY_FITS = 100_000, 1_000_000
from celosia.cli import run_process
run_process()
"""
ROWS = 6_000
SPAN = 1.6
"""Seconds from the first temporary file to the end of a run, about."""

# A process that kills itself right after it gave the n-th file its name.
PUBLISH = """
import os, signal, sys
from pathlib import Path
from celosia.release.publish import publish

moves, link = [], os.link

def deadly(source, target):
    link(source, target)
    moves.append(target)
    if len(moves) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)

os.link = deadly
place = Path(sys.argv[1])
describe = lambda result: {"destination": {"path": str(place)}}
publish(place, make=lambda path: path.write_text("age\\n30-39\\n"), describe=describe)
"""


@pytest.fixture
def people(tmp_path):
    random = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "age": random.integers(18, 90, ROWS),
            "income": random.lognormal(10, 1, ROWS).round(2),
            "height": random.normal(170, 9, ROWS).round(2),
            "ill": random.choice(["flu", "gout", "asthma"], ROWS),
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


def start(people, out):
    options = ["--qi", "age,income,height", "--sensitive", "ill", "-k", "20", "--technique", "mondrian"]
    command = [sys.executable, "-c", RUN, "anonymize", people, *options, "--memory", "700MB", "--out", out]
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def left(folder):
    return {path.name for path in folder.iterdir() if path.name.startswith(".")}


def kill_both(processes, folder, moments):
    """Kill processes at moments counted from when one of them begins to write."""
    before = left(folder)
    while not left(folder) - before and any(process.poll() is None for process in processes):
        time.sleep(0.005)
    began = time.monotonic()
    for process, moment in sorted(zip(processes, moments, strict=True), key=lambda pair: pair[1]):
        time.sleep(max(0.0, began + moment - time.monotonic()))
        process.kill()
    for process in processes:
        process.communicate()


def assert_whole_or_absent(path):
    if not path.exists():
        return
    assert celosia.verify(path, quasi_identifiers=["age", "income", "height"], k=20).passed
    assert pl.scan_csv(path).select(pl.len()).collect().item() == ROWS
    assert path.with_name(f"{path.stem}.record.json").exists()


def test_runs_killed_at_any_moment_leave_a_whole_release_or_none(people, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    outs = [folder / "one.csv", folder / "two.csv"]
    chance, leftovers = random.Random(7), set()
    for turn in range(3):
        moments = [SPAN * (turn + chance.random()) / 3 for _ in outs] if turn else [0.0, 0.1]
        kill_both([start(people, out) for out in outs], folder, moments)
        leftovers |= left(folder)
        for out in outs:
            assert_whole_or_absent(out)
            out.unlink(missing_ok=True)  # its record alone must not be in the way
    assert leftovers
    processes = [start(people, out) for out in outs]
    shown = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], shown
    for out in outs:
        assert_whole_or_absent(out)
    names = [f"{name}.{end}" for name in ("one", "two") for end in ("csv", "record.json")]
    assert sorted(os.listdir(folder)) == names


@pytest.mark.parametrize("moves", [1, 2])
def test_a_run_killed_between_its_last_steps_is_no_obstacle(tmp_path, moves):
    def run(killed_after):
        command = [sys.executable, "-c", PUBLISH, str(tmp_path / "safe.csv"), str(killed_after)]
        return subprocess.run(command, check=False).returncode

    assert run(moves) == -9
    assert (tmp_path / "safe.csv").exists() == (moves == 2)
    assert len(left(tmp_path)) == 1
    if moves == 1:
        assert run(0) == 0
    else:
        assert len(erase_leftovers(tmp_path)) == 1
    assert (tmp_path / "safe.csv").read_text() == "age\n30-39\n"
    assert sorted(os.listdir(tmp_path)) == ["safe.csv", "safe.record.json"]
