"""Shares on a junction tree, fits and draws, against the whole table of all columns written out."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.perturb.adaptive import fit_adaptively
from celosia.perturb.budget import PrivateCounts, count_cells
from celosia.perturb.drawing import draw_rows
from celosia.perturb.fitting import NoisyMargin, fit
from celosia.perturb.junction import Columns, JunctionTree, sum_to, tree_cells, widen

WIDTH = 5
EXACT = 1e-4
"""The variance of noise that is as good as none."""


@st.composite
def models(draw: st.DrawFn) -> tuple[tuple[int, ...], dict[Columns, np.ndarray]]:
    """Sizes of columns, and factors over some of them."""
    width = draw(st.integers(1, WIDTH))
    sizes = tuple(draw(st.lists(st.integers(1, 3), min_size=width, max_size=width)))
    sets = [columns for size in (1, 2, 3) for columns in combinations(range(width), size)]
    chosen = draw(st.lists(st.sampled_from(sets), max_size=5, unique=True))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    return sizes, {columns: rng.normal(0, 3, [sizes[c] for c in columns]) for columns in chosen}


def written_out(sizes: tuple[int, ...], factors: dict[Columns, np.ndarray]) -> np.ndarray:
    """The share of every combination of all columns."""
    everything = tuple(range(len(sizes)))
    logs = np.zeros(sizes)
    for columns, factor in factors.items():
        logs = logs + widen(factor, columns, everything)
    return np.exp(logs) / np.exp(logs).sum()


@given(models())
def test_shares_are_those_of_the_whole_table(
    model: tuple[tuple[int, ...], dict[Columns, np.ndarray]],
) -> None:
    sizes, factors = model
    whole, everything = written_out(sizes, factors), tuple(range(len(sizes)))
    tree = JunctionTree.of(sizes, factors)
    for clique, shares in zip(tree.cliques, tree.shares(factors), strict=True):
        assert np.allclose(shares, sum_to(whole, everything, clique))


@given(models())
def test_a_tree_holds_every_factor_and_what_cliques_share_lies_between_them(
    model: tuple[tuple[int, ...], dict[Columns, np.ndarray]],
) -> None:
    sizes, factors = model
    tree = JunctionTree.of(sizes, factors)
    assert {column for clique in tree.cliques for column in clique} == set(range(len(sizes)))
    assert all(tree.home(columns) is not None for columns in factors)
    assert tree_cells(sizes, factors) == sum(shares.size for shares in tree.shares(factors))
    for place in range(1, len(tree.cliques)):
        assert tree.parents[place] < place
        earlier = {column for clique in tree.cliques[:place] for column in clique}
        assert set(tree.cliques[place]) & earlier == set(tree.separator(place))  # running intersection


def test_far_apart_factors_do_not_overflow() -> None:
    tree = JunctionTree.of([2, 2], [(0, 1)])
    shares = tree.shares({(0, 1): np.array([[5000.0, 0.0], [0.0, 5000.0]])})
    assert np.allclose(shares[0], [[0.5, 0], [0, 0.5]])


@given(seed=st.integers(0, 99))
def test_exact_counts_of_a_tree_are_fitted_exactly(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = np.stack([rng.integers(0, 2, 300), rng.integers(0, 3, 300)], axis=1)
    cells = np.column_stack([cells, (cells[:, 0] + (rng.random(300) < 0.2)) % 2])
    sets = [(0, 1), (0, 2)]
    counts = {columns: count_cells(cells, columns, (2, 3, 2)) for columns in sets}
    model = fit(
        [NoisyMargin(columns, table.astype(float), EXACT) for columns, table in counts.items()],
        (2, 3, 2),
        rounds=500,
    )
    assert model.total == pytest.approx(300)
    for columns, table in counts.items():
        assert np.abs(model.margin(columns) - table / 300).sum() < 0.01


def test_contradicting_counts_are_fitted_as_least_squares_does() -> None:
    """By hand: 3 rows of 4 by one count, 1 of 4 by another that is three times as exact."""
    margins = [
        NoisyMargin((0,), np.array([3.0, 1.0]), 3 * EXACT),
        NoisyMargin((0, 1), np.array([[1.0], [3.0]]), EXACT),
    ]
    model = fit(margins, (2, 1), rounds=500)
    assert model.margin((0,)) == pytest.approx([0.375, 0.625], abs=1e-3)


def test_a_fit_comes_no_nearer_to_the_counts_than_their_noise_is_large() -> None:
    """All cells are equal in truth; what the counts differ by is noise, and is not believed."""
    counts = 100 + np.random.default_rng(1).normal(0, 10, 50)
    believed, doubted = (fit([NoisyMargin((0,), counts, v)], (50,), rounds=500) for v in (EXACT, 130.0))
    assert np.abs(believed.total * believed.margin((0,)) - counts).max() < 0.1
    assert doubted.margin((0,)).std() < believed.margin((0,)).std() / 2


def test_counts_below_zero_become_shares_of_zero() -> None:
    model = fit([NoisyMargin((0,), np.array([-20.0, 60.0, 60.0]), EXACT)], (3,), rounds=500)
    assert model.margin((0,)) == pytest.approx([0, 0.5, 0.5], abs=0.01)


@given(models(), st.integers(0, 500))
def test_rows_drawn_have_the_shares_of_the_model(
    model: tuple[tuple[int, ...], dict[Columns, np.ndarray]], rows: int
) -> None:
    sizes, factors = model
    margins = [NoisyMargin(columns, np.exp(factor), 1.0) for columns, factor in factors.items()]
    fitted = fit(margins or [NoisyMargin((0,), np.ones(sizes[0]), 1.0)], sizes, rounds=20)
    cells = draw_rows(fitted, rows, rng=np.random.default_rng(1))
    assert cells.shape == (rows, len(sizes))
    for clique, shares in zip(fitted.tree.cliques, fitted.shares, strict=True):
        counts = count_cells(cells, clique, sizes)
        assert not counts[shares == 0].any()
        # Whole rows cannot be cut: every cell may be off by a few, whatever the number of rows.
        assert np.abs(counts - rows * shares).max() <= 2 * len(clique) + 2


def test_drawing_systematically_is_nearer_to_the_model_than_chance() -> None:
    rng = np.random.default_rng(2)
    truth = rng.dirichlet(np.ones(4), 5) / 5
    model = fit([NoisyMargin((0, 1), 1e4 * truth, EXACT)], (5, 4), rounds=500)
    rows = 1000
    drawn = count_cells(draw_rows(model, rows, rng=rng), (0, 1), (5, 4)) / rows
    by_chance = rng.multinomial(rows, truth.ravel()).reshape(5, 4) / rows
    assert np.abs(drawn - truth).sum() < np.abs(by_chance - truth).sum() / 3


def test_a_model_never_outgrows_its_limit_and_spends_its_budget() -> None:
    rng = np.random.default_rng(4)
    sizes = (4,) * 6
    cells = np.repeat(rng.integers(0, 4, (2000, 1)), 6, axis=1)
    for limit in (30, 120):
        door = PrivateCounts(cells, sizes, epsilon=20, delta=None, rng=rng)
        model = fit_adaptively(door, list(combinations(range(6), 2)), limit=limit, rng=rng)
        assert sum(shares.size for shares in model.shares) <= limit
        assert door.spent >= 0.99 * door.budget
    pairs = [model.margin(clique[:2]).diagonal().sum() for clique in model.tree.cliques if len(clique) > 1]
    assert min(pairs) > 0.95  # columns that are equal come out equal
