"""Correlations from batches, and how much a release changed them."""

import math

import numpy as np
import pytest

from celosia.measure.distribution.correlations import Moments, correlation_change, correlations


def moments_by(values: np.ndarray, size: int) -> Moments:
    found = Moments.of(np.empty((0, values.shape[1])))
    for start in range(0, len(values), size):
        found += Moments.of(values[start : start + size])
    return found


def test_batches_give_what_the_whole_gives() -> None:
    rng = np.random.default_rng(7)
    values = rng.normal(size=(1000, 4)) @ rng.normal(size=(4, 4))
    for size in (1, 3, 400, 1000):
        found = moments_by(values, size).correlations()
        assert np.allclose(found, np.corrcoef(values, rowvar=False), rtol=0, atol=1e-12)


def test_large_numbers_with_small_differences_lose_no_digits() -> None:
    rng = np.random.default_rng(8)
    small = rng.integers(0, 50, size=(2000, 2)).astype(float)
    small[:, 1] += small[:, 0]
    expected = np.corrcoef(small, rowvar=False)[0, 1]
    far = small + np.array([1e12, -3e13])
    # The first batch says nothing about the rest: its values are near 0.
    start = np.zeros((10, 2))
    assert moments_by(far, 100).correlations()[0, 1] == pytest.approx(expected, abs=1e-10)
    assert moments_by(np.vstack([start, far]), 10).correlations()[0, 1] == pytest.approx(-1, abs=1e-9)


def test_rows_are_left_out_pair_by_pair() -> None:
    values = np.array(
        [[1, 2, math.nan], [2, 1, 5], [3, 5, 4], [math.nan, 9, 1], [4, math.inf, 7], [7, 4, 8.5]]
    )
    found = correlations(values)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        rows = np.isfinite(values[:, i]) & np.isfinite(values[:, j])
        assert found[i, j] == pytest.approx(np.corrcoef(values[rows][:, [i, j]], rowvar=False)[0, 1])
        assert found[j, i] == pytest.approx(found[i, j])


def test_a_pair_whose_rows_lie_far_from_the_rest_is_computed_around_its_own_mean() -> None:
    rng = np.random.default_rng(9)
    pair = rng.normal(size=(50, 2))
    pair[:, 1] += pair[:, 0]
    expected = np.corrcoef(pair, rowvar=False)[0, 1]
    others = np.column_stack([np.full(50, -1e9), np.full(50, math.nan)])
    values = np.vstack([pair + 1e9, others])
    assert correlations(values)[0, 1] == pytest.approx(expected, abs=1e-6)


def test_a_column_that_is_constant_where_both_are_there_has_no_correlation() -> None:
    values = np.array([[0.1, 1], [0.1, 2], [0.1, 3], [0.7, math.nan], [0.3, math.nan]])
    assert np.isnan(correlations(values)[0, 1])
    assert np.isnan(moments_by(values, 2).correlations()[0, 1])


@pytest.mark.parametrize("constant", [0.1, 0.0, 1e300, 1 / 3])
def test_a_constant_column_has_no_correlation(constant: float) -> None:
    values = np.column_stack([np.full(7, constant), np.arange(7.0), np.arange(7.0) ** 2])
    for found in (correlations(values), moments_by(values, 3).correlations()):
        assert np.isnan(found[0]).all()
        assert found[1, 2] == pytest.approx(np.corrcoef(values[:, 1:], rowvar=False)[0, 1])


def test_numbers_whose_squares_are_none_have_no_correlation() -> None:
    for scale in (1e200, 1e-200):
        values = np.column_stack([np.arange(5.0) * scale, np.arange(5.0)])
        assert np.isnan(correlations(values)[0, 1])


def test_columns_without_any_number_have_no_correlation() -> None:
    assert np.isnan(correlations(np.full((3, 2), math.nan))).all()
    assert np.isnan(Moments.of(np.empty((0, 2))).correlations()).all()


def test_weights_are_rows() -> None:
    values, rows = np.array([[1.0, 2.0], [2.0, 9.0], [4.0, 3.0]]), [5, 1, 2]
    assert np.allclose(correlations(values, rows), correlations(np.repeat(values, rows, axis=0)))


def matrix(one: float, two: float, three: float) -> np.ndarray:
    return np.array([[1, one, two], [one, 1, three], [two, three, 1]])


def test_the_change_is_over_pairs_of_different_columns() -> None:
    largest, mean = correlation_change(matrix(0.5, 0.2, -0.3), matrix(0.5, 0.1, 0.3))
    assert (largest, mean) == (pytest.approx(0.6), pytest.approx(0.7 / 3))


def test_a_correlation_that_the_release_destroyed_is_lost_whole() -> None:
    largest, mean = correlation_change(matrix(0.8, math.nan, 0.1), matrix(math.nan, math.nan, 0.1))
    assert (largest, mean) == (pytest.approx(0.8), pytest.approx(0.4))


def test_without_pairs_there_is_no_change_to_tell() -> None:
    assert all(map(math.isnan, correlation_change(np.eye(1), np.eye(1))))
    nothing = np.full((2, 2), math.nan)
    assert all(map(math.isnan, correlation_change(nothing, nothing)))
