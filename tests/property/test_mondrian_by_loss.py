"""Cuts by loss give the classes of their plain twin: over small parts and large ones, numbers, trees and weights."""

from unittest import mock

import numpy as np
import plain_loss as plain
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.hierarchies import Hierarchy
from celosia.kernels import mondrian as kernel
from celosia.kernels.loops import compile_loops
from celosia.privacy import KAnonymity
from celosia.recode.mondrian import CutRules, mondrian
from celosia.recode.space import build_space
from celosia.tables import open_table

LEAVES = [f"x{number:02}" for number in range(20)]
TREE = Hierarchy.from_rows("t", [(leaf, f"y{n // 3}", f"z{n // 9}", "*") for n, leaf in enumerate(LEAVES)])


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    """Small tables are cut by plain loops, unless the compiled ones are there."""
    compile_loops("mondrian")
    compile_loops("peel")


def draw_space(seed, rows):
    """A few columns of all kinds: few numbers, many numbers, a tree, some of them with missing values."""
    random = np.random.default_rng(seed)
    columns, hierarchies = {}, {}
    for number in range(int(random.integers(1, 10))):
        name, kind = f"c{number}", random.integers(0, 4)
        if kind == 0:
            column = pl.Series(random.integers(0, random.choice([2, 6, 40]), rows))
        elif kind == 1:
            column = pl.Series(random.lognormal(3, 1, rows).round(int(random.integers(0, 4))))
        else:
            column = pl.Series([LEAVES[place] for place in random.integers(0, 20, rows)])
            if kind == 3:
                hierarchies[name] = TREE
        gaps = random.random(rows) < random.choice([0.0, 0.1])
        columns[name] = column.set(pl.Series(gaps), None)
    table = open_table(pl.DataFrame(columns))
    return build_space(
        table.count_by(list(columns)),
        quasi_identifiers=list(columns),
        types={column.name: column.type for column in table.schema()},
        hierarchies=hierarchies,
    )


def classes_of(partition):
    return {
        frozenset(np.flatnonzero(partition.classes == number).tolist()) for number in range(len(partition))
    }


@given(seed=st.integers(0, 2**32), rows=st.sampled_from([6, 20, 60]), k=st.integers(2, 6))
@pytest.mark.parametrize("careful", [512, 8])
@settings(max_examples=15, deadline=None)
def test_classes_by_loss_are_those_of_the_plain_algorithm(careful, seed, rows, k):
    space = draw_space(seed, rows)
    with mock.patch.object(kernel, "CAREFUL", careful):
        found = mondrian(space, CutRules(models=(KAnonymity(k=k),)))
    assert classes_of(found) == set(map(frozenset, plain.classes_by_loss(space, k, careful=careful)))


@pytest.mark.parametrize(("careful", "k"), [(512, 3), (64, 5)])
def test_where_a_column_has_many_numbers_cuts_lie_between_bins(careful, k):
    space = draw_space(38, 300)
    assert max(len(axis) for axis in space.axes) > 2 * plain.BINS
    with mock.patch.object(kernel, "CAREFUL", careful):
        found = mondrian(space, CutRules(models=(KAnonymity(k=k),)))
    assert classes_of(found) == set(map(frozenset, plain.classes_by_loss(space, k, careful=careful)))
