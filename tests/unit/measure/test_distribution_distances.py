"""Distances between distributions: known figures, edges, and what is refused."""

import math

import numpy as np
import polars as pl
import pytest

from celosia.errors import ProjectError
from celosia.measure.distribution.kolmogorov_smirnov import ks_distance, ks_significance
from celosia.measure.distribution.marginal import Marginal
from celosia.measure.distribution.variation import marginal_variation, total_variation
from celosia.measure.distribution.wasserstein import wasserstein_distance, wasserstein_share

ADULT = 32561
EMPTY = Marginal.of([])
SOME = Marginal.of([1, 2])


@pytest.mark.parametrize(
    ("steps", "significance"),
    [
        (67, 0.999999833480),
        (79, 0.999978729705),
        (12, 1.0),
        (54, 0.9999999999865045),
        (555, 0.000153054032166),
        (72, 0.999998300598),
        (41, 1.0),
        (3718, 3.75978494175e-185),
    ],
)
def test_the_published_significance_of_census_columns(steps: int, significance: float) -> None:
    found = ks_significance(steps / ADULT, ADULT, ADULT, method="published")
    assert found == pytest.approx(significance, rel=1e-11)


def test_the_methods_agree_where_rows_are_many_and_differ_where_they_are_few() -> None:
    large = [ks_significance(60 / 2000, 2000, 2000, method=m) for m in ("published", "asymptotic", "exact")]
    assert large == pytest.approx([large[2]] * 3, abs=0.02)
    small = [ks_significance(0.75, 4, 4, method=m) for m in ("published", "asymptotic", "exact")]
    assert small[2] == pytest.approx(2 * 8 / 70)  # orders of 4 and 4 rows that are 3 or more steps apart
    assert len({round(value, 3) for value in small}) == 3


@pytest.mark.parametrize(("n", "m"), [(50, 70), (120, 120), (7, 400), (1, 30)])
@pytest.mark.parametrize("shift", [0.3, 1.0, 3.0])
def test_the_exact_significance_is_that_of_scipy(n: int, m: int, shift: float) -> None:
    from scipy import stats

    rng = np.random.default_rng(n)
    test = stats.ks_2samp(rng.normal(size=n), rng.normal(size=m) + shift, method="exact")
    found = ks_significance(test.statistic, n, m, method="exact")
    assert found == pytest.approx(test.pvalue, rel=1e-9)


def test_the_exact_significance_of_a_distance_between_two_steps_is_that_of_the_next() -> None:
    between, reached = (ks_significance(d, 4, 4, method="exact") for d in (0.6, 0.75))
    assert between == reached


def test_the_significance_fades_with_rows_while_the_distance_stays() -> None:
    """Why a tolerance for the distance is the sound rule."""
    found = [ks_significance(0.01, rows, rows) for rows in (1_000, 100_000, 10_000_000)]
    assert found[0] > 0.95
    assert found[1] < 0.001
    assert found[2] == 0.0
    assert ks_distance(Marginal.of([1, 2], [51, 49]), Marginal.of([1, 2], [50, 50])) == 0.01
    assert ks_distance(Marginal.of([1, 2], [51 * 10**9, 49 * 10**9]), Marginal.of([1, 2])) == 0.01


def test_no_distance_is_no_evidence() -> None:
    assert {ks_significance(0.0, 5, 9, method=m) for m in ("published", "asymptotic", "exact")} == {1.0}


def test_one_row_against_one_row_has_a_significance() -> None:
    assert ks_significance(1.0, 1, 1, method="exact") == 1.0
    assert 0 <= ks_significance(1.0, 1, 1, method="asymptotic") <= 1


def test_a_test_without_rows_is_refused() -> None:
    with pytest.raises(ProjectError, match="rows on both sides"):
        ks_significance(0.5, 0, 3)


def test_a_method_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ProjectError, match="published, asymptotic, exact"):
        ks_significance(0.5, 3, 3, method="asymp")  # type: ignore[arg-type]


def test_an_exact_test_that_takes_too_long_is_refused() -> None:
    with pytest.raises(ProjectError, match="ask for the asymptotic one"):
        ks_significance(0.5, 10**6, 10**6, method="exact")


def test_nothing_is_as_far_as_can_be_from_something() -> None:
    assert (ks_distance(EMPTY, SOME), ks_distance(SOME, EMPTY), ks_distance(EMPTY, EMPTY)) == (1, 1, 0)
    assert math.isnan(wasserstein_distance(EMPTY, SOME))
    assert wasserstein_distance(EMPTY, EMPTY) == 0
    assert (total_variation({}, {"a": 1}), total_variation({}, {})) == (1, 0)
    assert (marginal_variation(EMPTY, SOME), marginal_variation(EMPTY, EMPTY)) == (1, 0)


def test_missing_values_have_no_part_in_distances_of_numbers() -> None:
    holes = Marginal.of([1, 2, math.nan, math.nan])
    assert ks_distance(holes, SOME) == 0
    assert wasserstein_distance(holes, SOME) == 0
    assert marginal_variation(holes, SOME) == 0.5


def test_rows_that_are_infinite_on_both_sides_need_not_move() -> None:
    before = Marginal.of([-math.inf, 0, 0, math.inf])
    after = Marginal.of([-math.inf, 3, 0, math.inf, -math.inf, 0, 3, math.inf])
    assert wasserstein_distance(before, after) == 0.75
    assert wasserstein_distance(before, Marginal.of([0, 0])) == math.inf
    assert ks_distance(before, Marginal.of([0, 0])) == 0.25


def test_the_share_is_that_of_the_range_of_the_finite_originals() -> None:
    before = Marginal.of([0, 10, math.inf])
    assert wasserstein_share(before, Marginal.of([0, 4, math.inf])) == pytest.approx(0.2)
    assert wasserstein_share(Marginal.of([-1e308, 1e308]), Marginal.of([-1e308, -1e308])) == pytest.approx(
        0.5
    )


@pytest.mark.parametrize("constant", [[5, 5], [5, math.inf], [math.inf], [0, 5e-324]])
def test_a_constant_has_no_range_to_compare_with(constant: list[float]) -> None:
    assert wasserstein_share(Marginal.of(constant), Marginal.of([7, 9])) == 0


def test_variation_counts_a_missing_value_as_a_category() -> None:
    assert total_variation({"f": 1, None: 1}, {"f": 1}) == 0.5


def test_variation_of_texts_that_come_as_arrays_or_twice() -> None:
    before = (pl.Series("anything", ["f", "m", "f"]), np.array([1, 2, 1]))
    assert total_variation(before, {"m": 1, "f": 1}) == 0
    assert total_variation(before, {"x": 3}) == 1


def test_variation_of_numbers_does_not_look_at_how_they_are_written() -> None:
    assert marginal_variation(Marginal.of([30, 30.0, 40]), Marginal.of([30, 40], [2, 1])) == 0
