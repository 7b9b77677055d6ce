"""The door to the rows keeps its budget, its noise is that of the theory, and a row moves nothing further than said."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.perturb.budget import UNIT, Candidate, PrivateCounts, count_cells

SIZES = (2, 3, 4)
CELLS = np.random.default_rng(3).integers(0, SIZES, (500, 3))


def door(*, epsilon: float = 1.0, delta: float | None = None, seed: int | None = None) -> PrivateCounts:
    rng = None if seed is None else np.random.default_rng(seed)
    return PrivateCounts(CELLS, SIZES, epsilon=epsilon, delta=delta, rng=rng)


def candidates(weights: tuple[int, ...] = (3, 1)) -> list[Candidate]:
    far = np.full(6, 10**6), np.full(12, 0)
    sets = (0, 1), (1, 2)
    return [
        Candidate(columns, expected=counts, penalty=5, weight=weight)
        for columns, counts, weight in zip(sets, far, weights, strict=True)
    ]


@pytest.mark.parametrize("seed", [None, 1])
@pytest.mark.parametrize("delta", [None, 1e-6])
def test_what_is_asked_is_spent_and_the_question_that_would_overdraw_gets_no_answer(
    seed: int | None, delta: float | None
) -> None:
    from opendp.mod import OpenDPException

    closed = door(delta=delta, seed=seed)
    third = closed.budget / 3
    closed.measure((0, 1), third)
    assert closed.spent == pytest.approx(third)
    closed.choose(candidates(), third)
    assert closed.left == pytest.approx(third)
    with pytest.raises(OpenDPException, match="filter is now exhausted"):
        closed.measure((0,), 1.1 * third)


def test_a_pure_budget_is_epsilon_and_a_concentrated_one_gives_epsilon_and_delta() -> None:
    import opendp.prelude as dp

    assert door(epsilon=0.7).budget == pytest.approx(0.7, rel=1e-8)
    concentrated = door(epsilon=0.7, delta=1e-6)
    promise = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(concentrated.filter), 1e-6).map(1)
    assert 0.699 < promise[0] <= 0.7
    assert promise[1] == 1e-6
    # Plain: rho + 2 sqrt(rho ln(1 / delta)) = epsilon is what the first proof gives; OpenDP's is never worse.
    assert concentrated.budget + 2 * sqrt(concentrated.budget * np.log(1e6)) >= 0.7


@pytest.mark.parametrize("seed", [None, 1])
@pytest.mark.parametrize("delta", [None, 1e-6])
def test_noise_is_whole_and_has_the_variance_and_size_that_it_costs(
    seed: int | None, delta: float | None
) -> None:
    empty = PrivateCounts(
        np.zeros((0, 1), np.int64),
        [20_000],
        epsilon=10,
        delta=delta,
        rng=None if seed is None else np.random.default_rng(seed),
    )
    cost = 0.02
    noise = empty.measure((0,), cost).counts
    variance, size = empty.noise_of(cost)
    assert (noise == np.rint(noise)).all()
    assert variance == pytest.approx(2 / cost**2 if delta is None else 1 / (2 * cost), rel=0.01)
    assert noise.var() == pytest.approx(variance, rel=0.1)
    assert np.abs(noise).mean() == pytest.approx(size, rel=0.05)
    assert noise.mean() == pytest.approx(0, abs=5 * sqrt(variance / len(noise)))


@given(
    rows=st.lists(st.tuples(*(st.integers(0, size - 1) for size in SIZES)), min_size=1, max_size=12),
    data=st.data(),
)
def test_one_row_moves_a_margin_by_one_in_one_cell_and_a_score_by_its_weight_at_most(
    rows: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    table = np.array(rows)
    columns = data.draw(st.sampled_from([(0,), (0, 2), (0, 1, 2)]))
    counts, fewer = (count_cells(part, columns, SIZES) for part in (table, table[:-1]))
    assert np.abs(counts - fewer).sum() == 1
    expected = data.draw(
        st.lists(st.integers(0, 12 * UNIT), min_size=counts.size, max_size=counts.size).map(np.array)
    )
    weight = data.draw(st.integers(1, 9))
    candidate = Candidate(columns, expected=expected, penalty=data.draw(st.integers(0, 999)), weight=weight)
    assert abs(candidate.score(counts) - candidate.score(fewer)) <= UNIT * weight


def test_the_choice_is_charged_for_the_heaviest_score() -> None:
    """Odds of neighbours, from the exact chances of permute and flip, stay within what the filter was told."""
    cost, reach = 0.5, 3 * UNIT
    assert chance_of_first([reach, 0], 2 * reach / cost) / chance_of_first(
        [0, reach], 2 * reach / cost
    ) <= np.exp(cost)
    closed = door(epsilon=1)
    closed.choose(candidates((3, 1)), cost)
    assert closed.spent == pytest.approx(cost)


def chance_of_first(scores: list[int], scale: float) -> float:
    """The chance that the first of two scores with exponential noise is the larger."""
    gap = (scores[0] - scores[1]) / scale
    return 1 - np.exp(-gap) / 2 if gap >= 0 else np.exp(gap) / 2


@pytest.mark.parametrize("seed", [None, 1])
def test_with_a_large_budget_the_largest_score_is_chosen(seed: int | None) -> None:
    assert door(epsilon=1e6, seed=seed).choose(candidates(), 1e5) == 0
    assert door(epsilon=30, delta=1e-3, seed=seed).choose(candidates(), 1) == 0


def test_a_choice_for_next_to_nothing_is_nearly_even() -> None:
    closed = door(seed=5)
    picks = [closed.choose(candidates(), 1e-9) for _ in range(40)]
    assert 6 < sum(picks) < 34
