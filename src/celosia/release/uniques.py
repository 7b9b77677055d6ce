"""Uniques of the population estimated anew for the verification: other formulas and other ways to the maximum.

The searches have theirs in :mod:`celosia.privacy.population_uniques`, which says where the estimators come from.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

__all__ = ["estimate_uniques"]

Integers = npt.NDArray[np.int64]


def estimate_uniques(sizes: Integers, times: Integers, *, fraction: float, estimator: str) -> float:
    """People who are unique in the population, from how many classes of the sample there are of each size.

    >>> round(estimate_uniques(np.array([1, 2]), np.array([2, 2]), fraction=0.5, estimator="zayatz"), 3)
    1.913
    """
    rows, alone = int(sizes @ times), int(times[sizes == 1].sum())
    people = max(rows, round(rows / fraction))
    if alone == 0 or people == rows:
        return float(alone)
    if alone == rows:
        return float(people)
    if estimator == "dankar" and fraction > 0.1:
        return min(_zayatz(sizes, times, rows, people), _negative_binomial(sizes, times, people, fraction))
    if estimator in ("dankar", "pitman"):
        return _pitman(sizes, times, rows, people)
    if estimator == "zayatz":
        return _zayatz(sizes, times, rows, people)
    return _negative_binomial(sizes, times, people, fraction)


def _zayatz(sizes: Integers, times: Integers, rows: int, people: int) -> float:
    from scipy.stats import hypergeom

    weights = times * hypergeom.pmf(1, people, sizes, rows)
    alone = float(times[sizes == 1].sum())
    return alone * float(weights[sizes == 1].sum() / weights.sum()) * people / rows


def _pitman(sizes: Integers, times: Integers, rows: int, people: int) -> float:
    """For each a the t at which the likelihood is flat, and of all a the likeliest."""
    from scipy.optimize import brentq, minimize_scalar
    from scipy.special import betaln, digamma, gammaln

    classes = int(times.sum())

    def best_t(a: float) -> float:
        def slope(power: float) -> float:
            t = math.exp(power) - a
            opened = (digamma(t / a + classes) - digamma(t / a + 1)) / a
            return float(opened - (digamma(t + rows) - digamma(t + 1)))

        low, high = -25.0, 23.0  # beyond, differences of digammas are rounding
        if slope(low) <= 0:
            return math.exp(low) - a
        if slope(high) >= 0:
            return math.exp(high) - a
        return math.exp(brentq(slope, low, high, xtol=1e-12)) - a

    def surprise(a: float) -> float:
        t = best_t(a)
        likely = (classes - 1) * math.log(a) - (betaln(t / a + 1, classes - 1) if classes > 1 else 0.0)
        likely += betaln(t + 1, rows - 1)
        likely += float(np.sum(times * (gammaln(sizes - a) - gammaln(1 - a))))
        return -float(likely)

    a = _least(
        surprise,
        lambda near: minimize_scalar(surprise, bounds=near, method="bounded", options={"xatol": 1e-10}).x,
    )
    t = best_t(a)
    # The product over all people of the chance that nobody joins the first.
    steps = np.arange(1.0, min(people, 2_000_000))
    logarithm = float(np.sum(np.log1p((a - 1.0) / (t + steps))))
    if people - 1 > len(steps):  # what is left of the sum, by the integral of its smooth tail
        logarithm += (a - 1.0) * math.log((t + people - 0.5) / (t + len(steps) + 0.5))
    return min(float(people), people * math.exp(logarithm))


def _least(surprise: Callable[[float], float], refine: Callable[[tuple[float, float]], float]) -> float:
    """The least of a grid, then around it."""
    grid = np.concatenate(
        [np.array([1e-7, 1e-5, 1e-3]), np.linspace(0.01, 0.99, 50), np.array([0.999, 1 - 1e-7])]
    )
    values = [surprise(float(point)) for point in grid]
    best = int(np.argmin(values))
    near = float(grid[max(0, best - 1)]), float(grid[min(len(grid) - 1, best + 1)])
    least = float(refine(near))
    return least if surprise(least) <= values[best] else float(grid[best])


def _negative_binomial(sizes: Integers, times: Integers, people: int, fraction: float) -> float:
    from scipy.optimize import minimize
    from scipy.stats import nbinom

    def surprise(free: npt.NDArray[np.float64]) -> float:
        shape, mean = np.exp(np.clip(free, -18, 18))
        stay = shape / (shape + mean)
        first = nbinom.pmf(sizes - 1, shape, stay) * fraction
        others = nbinom.pmf(sizes, shape, stay) * (1 - fraction)
        seen = 1 - (1 - fraction) * nbinom.pmf(0, shape, stay)
        with np.errstate(divide="ignore"):
            return -float(np.sum(times * np.log((first + others) / seen)))

    average = float(sizes @ times / times.sum())
    starts = [np.array([power, math.log(average)]) for power in (-4.0, 0.0, 3.0)]
    options = {"xatol": 1e-9, "fatol": 1e-10, "maxiter": 4000, "maxfev": 8000}
    best = min(
        (minimize(surprise, start, method="Nelder-Mead", options=options) for start in starts),
        key=lambda fit: fit.fun,
    )
    shape, mean = np.exp(np.clip(best.x, -18, 18))
    stay = shape / (shape + mean)
    seen = 1 - (1 - fraction) * nbinom.pmf(0, shape, stay)
    whole = nbinom.pmf(0, shape, shape / (shape + mean / fraction))  # the same with all of them drawn
    return min(float(people), float(times.sum() / seen * whole))
