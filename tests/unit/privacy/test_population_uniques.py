"""Estimates of population uniques: by hand where that can be done, and near the truth on populations that are known."""

import math

import numpy as np
import pytest

from celosia.errors import ProjectError
from celosia.privacy.population_uniques import (
    ESTIMATORS,
    dankar_uniques,
    negative_binomial_uniques,
    pitman_uniques,
    zayatz_uniques,
)
from celosia.release.uniques import estimate_uniques

every_estimator = pytest.mark.parametrize("name", ESTIMATORS)
SIZES = np.array([1, 1, 1, 1, 2, 2, 3, 5, 8])


@every_estimator
def test_nothing_is_estimated_where_all_is_known(name: str) -> None:
    estimate = ESTIMATORS[name]
    assert estimate(np.array([2, 3, 7]), 0.1) == 0
    assert estimate(np.array([1, 1, 1]), 0.1) == 30
    assert estimate(SIZES, 1.0) == 4


@every_estimator
@pytest.mark.parametrize("fraction", [0.0, -0.1, 1.5])
def test_a_fraction_lies_between_nobody_and_everybody(name: str, fraction: float) -> None:
    with pytest.raises(ProjectError, match="a sample cannot hold"):
        ESTIMATORS[name](SIZES, fraction)


def test_zayatz_weighs_sizes_by_the_chance_to_see_one_of_them() -> None:
    rows, people = 24, 120

    def once(size: int) -> float:
        return size * math.comb(people - size, rows - 1) / math.comb(people, rows)

    alone = 4 * once(1) / sum(once(size) for size in SIZES.tolist())
    assert zayatz_uniques(SIZES, 0.2) == pytest.approx(4 * alone * people / rows)


def test_pitman_uses_the_likeliest_parameters_of_all() -> None:
    """The likelihood as a product over the classes and rows, on a grid of both parameters."""
    classes, rows, people = len(SIZES), int(SIZES.sum()), 240

    def likelihood(a: float, t: float) -> float:
        opened = sum(math.log(t + number * a) for number in range(1, classes))
        came = sum(math.log(t + number) for number in range(1, rows))
        grown = sum(math.log(place - a) for size in SIZES.tolist() for place in range(1, size))
        return opened - came + grown

    grid = [(a, t) for a in np.linspace(0.01, 0.99, 99) for t in np.linspace(-0.9, 20, 420) if t + a > 0.005]
    a, t = max(grid, key=lambda one: likelihood(*one))
    uniques = people * math.prod((t + a + number - 1) / (t + number) for number in range(1, people))
    assert pitman_uniques(SIZES, 0.1) == pytest.approx(uniques, rel=0.03)


# Over many populations the mean is right; a tenth of the people leaves a standard deviation of 11 per cent.
@pytest.mark.parametrize(("fraction", "within"), [(0.1, 0.34), (0.3, 0.1), (0.7, 0.05)])
def test_the_negative_binomial_finds_the_uniques_of_a_population_that_it_describes(
    fraction: float, within: float
) -> None:
    random = np.random.default_rng(4)
    population = 1 + random.negative_binomial(0.4, 0.1, 20_000)
    sample = random.binomial(population, fraction)
    truth = np.count_nonzero(population == 1)
    assert negative_binomial_uniques(sample[sample > 0], fraction) == pytest.approx(truth, rel=within)


def test_the_estimator_is_chosen_by_the_fraction() -> None:
    assert dankar_uniques(SIZES, 0.1) == pitman_uniques(SIZES, 0.1)
    others = zayatz_uniques(SIZES, 0.2), negative_binomial_uniques(SIZES, 0.2)
    assert dankar_uniques(SIZES, 0.2) == min(others)


@every_estimator
@pytest.mark.parametrize("fraction", [0.05, 0.3, 0.8])
@pytest.mark.parametrize("seed", range(4))
def test_the_verification_comes_to_the_same_estimate_by_another_way(
    name: str, fraction: float, seed: int
) -> None:
    random = np.random.default_rng(seed)
    population = [1 + random.negative_binomial(0.3, 0.1, 900), random.integers(1, 6, 300)][seed % 2]
    sample = random.binomial(population, fraction)
    sizes = sample[sample > 0]
    distinct, times = np.unique(sizes, return_counts=True)
    again = estimate_uniques(distinct, times, fraction=fraction, estimator=name)
    assert abs(ESTIMATORS[name](sizes, fraction) - again) < 1e-4 * sizes.sum() / fraction
