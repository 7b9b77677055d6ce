"""People who are unique in the population, estimated from the sizes of the classes of a sample.

``sizes[class]`` are rows of the sample, ``fraction`` the share of the population that it holds. Where every row of the
sample is alone all estimates say that everybody is unique; where none is, that nobody is; and of a sample that is the
whole population (fraction 1) nothing needs to be estimated.

F. K. Dankar, K. El Emam, A. Neisa, T. Roffey: Estimating the re-identification risk of clinical data sets. BMC Medical
Informatics and Decision Making 12:66, 2012, compare the estimators and say which to take when: `dankar_uniques`.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from celosia.errors import ProjectError
from celosia.say import say

__all__ = [
    "ESTIMATORS",
    "dankar_uniques",
    "negative_binomial_uniques",
    "pitman_uniques",
    "unique_share",
    "zayatz_uniques",
]

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]

SMALL_FRACTION = 0.1
"""Up to this share of the population Pitman's model errs least (Dankar et al. 2012)."""


def zayatz_uniques(sizes: Integers, fraction: float) -> float:
    """Population uniques when classes of the population are as large as those of the sample.

    The chance that a class of one row in the sample has one in the population follows from Bayes' rule and the
    hypergeometric distribution; the uniques of the sample, thinned by it, are as many times fewer than those of the
    population as the sample is smaller. L. V. Zayatz: Estimation of the number of unique population elements using a
    sample. Proceedings of the Survey Research Methods Section, American Statistical Association, 1991.

    Two classes of one row and two of two, half of 12 people: a class of one comes up once with probability 1/2, a
    class of two with 6/11, so that of the uniques 0.5 / (0.5 + 6/11) = 11/23 are unique among all.

    >>> round(zayatz_uniques(np.array([1, 1, 2, 2]), 0.5), 6) == round(2 * (11 / 23) / 0.5, 6)
    True
    """
    known, people = _known(sizes, fraction)
    if known is not None:
        return known
    rows = int(sizes.sum())
    size, classes = np.unique(sizes, return_counts=True)
    once = np.exp(_log_once(size, rows, people))
    unique = int(classes[0])
    conditional = unique * once[0] / float(np.sum(classes * once))
    return float(unique * conditional * people / rows)


def pitman_uniques(sizes: Integers, fraction: float) -> float:
    """Population uniques when the sample is a partition from Pitman's sampling formula.

    With parameters a and t that make the sizes most likely, N people hold N (t + a)(t + a + 1) ... (t + a + N - 2) /
    ((t + 1)(t + 2) ... (t + N - 1)) uniques. N. Hoshino: Applying Pitman's sampling formula to microdata disclosure
    risk assessment. Journal of Official Statistics 17(4), 2001. It errs least for small fractions.

    >>> round(pitman_uniques(np.array([1, 1, 1, 2, 2, 3, 5]), 0.05), 1)
    4.4
    """
    known, people = _known(sizes, fraction)
    if known is not None:
        return known
    size, classes = np.unique(sizes, return_counts=True)
    share, strength = _pitman_parameters(size, classes)
    from scipy.special import betaln

    ratio = betaln(strength + 1, people - 1) - betaln(strength + share, people - 1)
    logarithm = math.log(people) + ratio
    return float(min(math.exp(logarithm), people))


def negative_binomial_uniques(sizes: Integers, fraction: float) -> float:
    """Population uniques when sizes of the population's classes, less one, are negative binomial.

    Each person being drawn with the same probability, a class of the sample is then one such number with a smaller
    mean, plus one if the first person was drawn; classes that nobody was drawn of are not seen. The parameters make
    what is seen most likely. G. Chen, S. Keller-McNulty: Estimation of identification disclosure risk in microdata.
    Journal of Official Statistics 14(1), 1998 (the slide negative binomial; their parameters are of moments).

    >>> round(negative_binomial_uniques(np.array([1, 1, 1, 2, 2, 3, 5]), 0.5), 1)
    1.9
    """
    known, people = _known(sizes, fraction)
    if known is not None:
        return known
    size, classes = np.unique(sizes, return_counts=True)
    shape, stay = _negative_binomial_parameters(size, classes, fraction)
    seen = 1.0 - (1.0 - fraction) * stay**shape
    in_population = stay * fraction / (1.0 - stay * (1.0 - fraction))
    return float(min(classes.sum() / seen * in_population**shape, people))


def dankar_uniques(sizes: Integers, fraction: float) -> float:
    """Population uniques by the estimator that errs least: Pitman's up to a tenth, else the lesser of the others.

    >>> sizes = np.array([1, 1, 1, 2, 2, 3, 5])
    >>> dankar_uniques(sizes, 0.05) == pitman_uniques(sizes, 0.05)
    True
    """
    if fraction <= SMALL_FRACTION:
        return pitman_uniques(sizes, fraction)
    return min(zayatz_uniques(sizes, fraction), negative_binomial_uniques(sizes, fraction))


ESTIMATORS: dict[str, Callable[[Integers, float], float]] = {
    "dankar": dankar_uniques,
    "pitman": pitman_uniques,
    "zayatz": zayatz_uniques,
    "negative-binomial": negative_binomial_uniques,
}
"""Estimators by the names that people give."""


def unique_share(sizes: Integers, fraction: float, estimator: str) -> float:
    """The share of the population that is unique, by an estimator; of nobody, nothing.

    >>> round(unique_share(np.array([1, 1, 2, 2]), 0.5, "zayatz"), 2)
    0.16
    """
    uniques = ESTIMATORS[estimator](sizes, fraction)
    return uniques / max(1, _people(int(sizes.sum()), fraction))


def _people(rows: int, fraction: float) -> int:
    """How many there are, of whom the rows are a fraction."""
    return max(rows, round(rows / fraction))


def _known(sizes: Integers, fraction: float) -> tuple[float | None, int]:
    """The uniques where nothing is to be estimated, else None; and how many people there are."""
    if not 0 < fraction <= 1:
        raise ProjectError(
            say("a sample cannot hold {fraction:g} of the population", fraction=fraction),
            remedy=say("give a fraction between 0 and 1"),
        )
    rows, unique = int(sizes.sum()), int(np.count_nonzero(sizes == 1))
    people = _people(rows, fraction)
    if unique == 0 or people == rows:
        return float(unique), people
    return (float(people) if unique == rows else None), people


def _log_once(size: Integers, rows: int, people: int) -> Reals:
    """Log-probability that of a class of ``size`` people one is among ``rows`` drawn of ``people``."""
    from scipy.special import gammaln

    others = people - size - rows + 1  # people neither drawn nor in the class
    possible = others >= 0
    ways = (
        np.log(size)
        + gammaln(people - size + 1)
        - gammaln(rows)
        - gammaln(np.where(possible, others, 0) + 1)
        - (gammaln(people + 1) - gammaln(rows + 1) - gammaln(people - rows + 1))
    )
    return np.where(possible, ways, -np.inf)


def _pitman_parameters(size: Integers, classes: Integers) -> tuple[float, float]:
    """The parameters a (0 < a < 1) and t (t > -a) that make the sizes most likely."""
    from scipy.special import betaln, expit, gammaln

    total, rows = int(classes.sum()), int((size * classes).sum())

    def surprise(free: Reals) -> float:
        share = float(np.clip(expit(free[0]), 1e-7, 1 - 1e-7))
        strength = math.exp(min(free[1], 50.0)) - share
        # Products of rising factors as beta functions, up to a constant: differences of gammas cancel.
        opened = (total - 1) * math.log(share) - (
            betaln(strength / share + 1, total - 1) if total > 1 else 0.0
        )
        came = -betaln(strength + 1, rows - 1)
        grown = np.sum(classes * (gammaln(size - share) - gammaln(1 - share)))
        return -float(opened - came + grown)

    # As tables grow the share of classes that are unique tends to a: a good place to begin.
    begin = min(max(classes[0] / total, 0.05), 0.95)
    free = _least(surprise, np.array([math.log(begin / (1 - begin)), math.log(1.0 + total / 10)]))
    share = float(np.clip(expit(free[0]), 1e-7, 1 - 1e-7))
    return share, math.exp(min(free[1], 50.0)) - share


def _negative_binomial_parameters(size: Integers, classes: Integers, fraction: float) -> tuple[float, float]:
    """Shape and probability of the sample's part that make the sizes seen most likely."""
    from scipy.special import expit, gammaln

    def log_mass(count: Integers, shape: float, stay: float) -> Reals:
        mass = gammaln(count + shape) - gammaln(shape) - gammaln(count + 1)
        return np.asarray(mass + shape * math.log(stay) + count * math.log1p(-stay), dtype=np.float64)

    def surprise(free: Reals) -> float:
        shape, stay = math.exp(min(max(free[0], -20.0), 20.0)), float(np.clip(expit(free[1]), 1e-9, 1 - 1e-9))
        drawn = math.log(fraction) + log_mass(size - 1, shape, stay)
        not_drawn = math.log1p(-fraction) + log_mass(size, shape, stay)
        unseen = (1 - fraction) * stay**shape
        return -float(np.sum(classes * np.logaddexp(drawn, not_drawn)) - classes.sum() * math.log1p(-unseen))

    mean = float((size * classes).sum() / classes.sum())
    free = _least(surprise, np.array([0.0, -math.log(mean)]))
    shape, stay = math.exp(min(max(free[0], -20.0), 20.0)), float(np.clip(expit(free[1]), 1e-9, 1 - 1e-9))
    return shape, stay


def _least(surprise: Callable[[Reals], float], begin: Reals) -> Reals:
    from scipy.optimize import minimize

    options = {"xatol": 1e-7, "fatol": 1e-9, "maxiter": 2000, "maxfev": 4000}
    return np.asarray(minimize(surprise, begin, method="Nelder-Mead", options=options).x, dtype=np.float64)
