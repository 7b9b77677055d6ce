"""The loops of perturbations on random tables, against plain code and brute force."""

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_perturbations import (
    least_squares,
    plain_matches,
    plain_mdav,
    plain_mixed,
    plain_partners,
    squares,
)

from celosia.kernels.mdav import mdav_groups
from celosia.kernels.mixed_mdav import mixed_groups
from celosia.kernels.optimal_groups import optimal_groups
from celosia.kernels.rank_swap import rank_partners
from celosia.perturb import make_perturbation, perturb_frame
from celosia.perturb.techniques.pram import invariant_matrix

seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(0, 80), st.integers(1, 4), st.integers(1, 6), st.booleans())
def test_mdav_by_boxes_is_mdav_by_looking_at_all_rows(
    seed: int, rows: int, width: int, k: int, has_ties: bool
) -> None:
    rng = np.random.default_rng(seed)
    shape = (rows, width)
    points = rng.integers(0, 4, shape).astype(float) if has_ties else rng.normal(size=shape)
    assert mdav_groups(points, k).tolist() == plain_mdav(points, k).tolist()


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(1, 50), st.integers(0, 2), st.integers(0, 2), st.integers(2, 5))
def test_mixed_groups_are_those_of_looking_at_all_rows(
    seed: int, rows: int, measured: int, named: int, k: int
) -> None:
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, 5, (rows, measured)) / 4  # sums of quarters are exact, so that ties are ties
    codes = rng.integers(0, 3, (rows, named))
    found = mixed_groups(numbers, codes, np.full(named, 3), k)
    assert found.tolist() == plain_mixed(numbers, codes, k).tolist()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=11), st.integers(2, 4))
def test_no_groups_of_neighbours_are_better_than_the_optimal_ones(values: list[int], k: int) -> None:
    ordered = np.sort(np.array(values, dtype=float))
    groups = optimal_groups(ordered, k)
    assert np.bincount(groups).min() >= min(k, len(values))
    assert np.isclose(squares(ordered, groups), least_squares(ordered, k))


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(0, 40), st.integers(1, 9))
def test_partners_are_those_of_plain_code_and_never_far(seed: int, size: int, reach: int) -> None:
    chances = np.random.default_rng(seed).random(size)
    partners = rank_partners(size, reach, chances)
    assert partners.tolist() == plain_partners(size, reach, chances).tolist()
    assert (partners[partners] == np.arange(size)).all()
    assert np.abs(partners - np.arange(size)).max(initial=0) <= reach


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(1, 40), st.integers(1, 4), st.integers(2, 4), st.booleans())
def test_local_suppression_always_reaches_k(
    seed: int, rows: int, width: int, k: int, is_strict: bool
) -> None:
    cells = np.random.default_rng(seed).integers(-1, 3, (rows, width))
    names = [f"c{place}" for place in range(width)]
    frame = pl.DataFrame(cells, schema=names, orient="row").select(pl.all().replace(-1, None))
    technique = make_perturbation("local-suppression", k=k, reading="own" if is_strict else "any")
    made = perturb_frame(frame, technique)
    left = made.fill_null(-1).to_numpy()
    assert ((left == cells) | (left < 0)).all()
    if rows < k:
        assert (left < 0).all() or plain_matches(cells).min() >= k
    elif is_strict:
        assert made.group_by(names).len()["len"].min() >= k
    else:
        assert plain_matches(left).min() >= k


@settings(max_examples=30, deadline=None)
@given(seeds, st.lists(st.integers(1, 500), min_size=1, max_size=6), st.floats(0, 1), st.floats(0, 1))
def test_an_invariant_matrix_leaves_counts_as_they_are(
    seed: int, counts: list[int], diagonal: float, alpha: float
) -> None:
    times = np.array(counts)
    chances = invariant_matrix(times, diagonal=diagonal, alpha=alpha, rng=np.random.default_rng(seed))
    assert (chances >= 0).all()
    assert np.allclose(chances.sum(axis=1), 1)
    assert np.allclose(times @ chances, times)
