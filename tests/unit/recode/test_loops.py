"""Loops that are compiled, their plain twins, and which of them serve."""

import os
import subprocess
import sys
import types
from importlib import import_module

import numpy as np
import plain_mondrian
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.kernels import loops, mondrian, peel
from celosia.privacy import KAnonymity
from celosia.recode import mondrian as module
from celosia.recode.mondrian import CutRules, Split, Width
from celosia.recode.space import build_space
from celosia.tables import open_table
from celosia.types import ColumnType

WIDE = st.integers(-(10**6), 10**6)
NARROW = st.integers(0, 3)


@pytest.fixture(autouse=True, scope="module")
def compiled():
    loops.compile_loops("mondrian")
    loops.compile_loops("peel")


def space_of(rows):
    names = [f"c{place}" for place in range(len(rows[0]))]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.Int64), orient="row")
    counted = open_table(frame).count_by(names)
    types_ = dict.fromkeys(names, ColumnType.INTEGER)
    return build_space(counted, quasi_identifiers=names, types=types_, hierarchies={})


def cut(space, rules, package, monkeypatch):
    monkeypatch.setattr(module, "find_loops", lambda name, **_: import_module(f"{package}.{name}"))
    found = module.mondrian(space, rules)
    return found.tree.nodes.tolist(), found.tree.order.tolist()


@settings(max_examples=40)
@given(
    rows=st.lists(st.tuples(WIDE, NARROW, NARROW), min_size=6, max_size=120),
    split=st.sampled_from([Split.LOSS, Split.MEDIAN, Split.DISTRIBUTION]),
    width=st.sampled_from(Width),
    relaxed=st.booleans(),
    k=st.integers(2, 6),
)
def test_plain_loops_cut_as_compiled_ones_do(rows, split, width, relaxed, k):
    relaxed &= split is not Split.DISTRIBUTION
    rules = CutRules(models=(KAnonymity(k=k),), split=split, width=width, is_relaxed=relaxed)
    space = space_of(rows)
    with pytest.MonkeyPatch.context() as patch:
        compiled = cut(space, rules, "celosia.kernels", patch)
        assert cut(space, rules, "celosia.kernels.plain", patch) == compiled


@pytest.mark.parametrize("width", Width)
@pytest.mark.parametrize("split", [Split.LOSS, Split.DISTRIBUTION])
def test_plain_loops_cut_large_parts_as_compiled_ones_do(split, width, monkeypatch):
    rng = np.random.default_rng(3)
    rows = np.column_stack(
        [rng.integers(0, 10_000, 1500), rng.integers(0, 9, 1500), rng.integers(0, 2, 1500)]
    )
    rules = CutRules(models=(KAnonymity(k=5),), split=split, width=width)
    space = space_of(rows.tolist())
    compiled = cut(space, rules, "celosia.kernels", monkeypatch)
    assert cut(space, rules, "celosia.kernels.plain", monkeypatch) == compiled


@pytest.mark.parametrize("width", Width)
@pytest.mark.parametrize("values", [(2, 3, 400), (400, 300, 2), (70, 2, 70)])
def test_peeling_of_many_rows_follows_its_definition(values, width):
    rng = np.random.default_rng(sum(values))
    rows = [tuple(map(int, row)) for row in np.column_stack([rng.integers(0, most, 500) for most in values])]
    rules = CutRules(models=(KAnonymity(k=3),), split=Split.DISTRIBUTION, width=width)
    found = module.mondrian(space_of(rows), rules)
    expected = plain_mondrian.cut_into_classes(rows, 3, split="distribution", width=str(width))
    assert sorted(found.rows.tolist()) == sorted(len(part) for part in expected)


def test_loops_are_compiled_for_one_set_of_types_only():
    """Another one would be compiled when it is first called, though a process compiled them before."""
    for split in Split:
        if split is not Split.GAIN:
            rules = CutRules(models=(KAnonymity(k=2),), split=split)
            module.mondrian(space_of([(1, 2), (3, 4), (5, 6), (7, 8)]), rules)
    assert (len(mondrian._grow.signatures), len(peel._peel.signatures)) == (1, 1)


@pytest.mark.parametrize(
    ("seconds", "is_compiled", "is_plain", "starts"),
    [
        (0.1, True, False, False),
        (0.1, False, True, True),
        (60.0, False, False, False),
        (1.0, False, True, True),
    ],
)
def test_plain_loops_serve_while_others_are_being_compiled(
    seconds, is_compiled, is_plain, starts, monkeypatch
):
    started = []
    monkeypatch.setattr(loops, "has_compiled", lambda name: is_compiled)
    monkeypatch.setattr(loops, "_start_compiling", started.append)
    found = loops.find_loops("peel", plain_seconds=seconds)
    assert found.__name__ == ("celosia.kernels.plain.peel" if is_plain else "celosia.kernels.peel")
    assert bool(started) is starts


def test_little_work_loads_nothing(monkeypatch):
    monkeypatch.delitem(sys.modules, "celosia.kernels.peel")
    assert loops.find_loops("peel", plain_seconds=0.01).__name__ == "celosia.kernels.plain.peel"
    assert "celosia.kernels.peel" not in sys.modules


def test_one_process_compiles_at_a_time_and_a_dead_one_is_followed_by_another(tmp_path, monkeypatch):
    started = []
    entry = types.SimpleNamespace(stats=types.SimpleNamespace(cache_path=str(tmp_path)))
    monkeypatch.setattr(peel, "_peel", entry)
    monkeypatch.setattr(loops.os, "posix_spawn", lambda program, command, *_, **how: started.append(command))
    loops._start_compiling("peel")
    loops._start_compiling("peel")
    assert len(started) == 1
    os.utime(tmp_path / "peel.compiling", (0, 0))
    loops._start_compiling("peel")
    assert len(started) == 2


def test_what_a_process_compiled_is_there_for_the_next(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def run(program):
        command = [sys.executable, "-c", f"from celosia.kernels.loops import *; {program}"]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout.strip()

    assert run("print(has_compiled('peel')); compile_loops('peel')") == "False"
    assert run("print(has_compiled('peel'))") == "True"


def test_a_process_that_compiles_gives_way_and_takes_its_mark_away(tmp_path, monkeypatch):
    marker, done = tmp_path / "peel.compiling", []
    marker.touch()
    monkeypatch.setattr(loops.os, "nice", done.append)
    monkeypatch.setattr(loops, "compile_loops", done.append)
    loops._main("peel", str(marker))
    assert done == [10, "peel"]
    assert not marker.exists()
