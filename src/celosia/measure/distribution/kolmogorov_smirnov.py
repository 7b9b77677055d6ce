"""The distance of Kolmogorov and Smirnov between two marginals, and the significance that a test gives it.

Two rules say whether a column kept its distribution. The published one accepts a significance of 0.95 or more. The
sound one accepts a distance up to a stated tolerance. A p-value answers whether two independent samples could come
from one population; the original and its release are no such samples, for one is made of the other. And as rows
grow, any difference, however small, becomes significant: the same release of more people would be rejected. The
distance is the size of the effect, in shares of people, and means the same whatever the number of rows.
"""

import math
from typing import Literal, get_args

import numpy as np

from celosia.errors import ProjectError
from celosia.measure.distribution.marginal import Marginal, align
from celosia.say import say

__all__ = ["Method", "ks_distance", "ks_significance"]

Method = Literal["published", "asymptotic", "exact"]

_EXACT_LIMIT = 10**9
"""Points that the exact significance may look at: some seconds."""


def ks_distance(before: Marginal, after: Marginal) -> float:
    """The largest difference between the shares of rows up to a value, over all values; missing ones do not count.

    It is 0 for equal distributions and at most 1. Nothing is as far as can be from something.

    N. Smirnov: Table for estimating the goodness of fit of empirical distributions. The Annals of
    Mathematical Statistics 19(2), 1948.

    >>> ks_distance(Marginal.of([1, 2, 3, 4]), Marginal.of([1, 2, 2, 4]))
    0.25
    """
    n, m = before.present, after.present
    if not n or not m:
        return 0.0 if n == m else 1.0
    _, rows_before, rows_after = align(before, after)
    up_to_before, up_to_after = np.cumsum(rows_before), np.cumsum(rows_after)
    place = int(np.argmax(np.abs(up_to_before / n - up_to_after / m)))
    # Python's integers: neither a rounding nor an overflow in the figure that is compared with a tolerance.
    return abs(int(up_to_before[place]) * m - int(up_to_after[place]) * n) / (n * m)


def ks_significance(distance: float, n: int, m: int, *, method: Method = "published") -> float:
    """The chance that independent samples of ``n`` and ``m`` rows from one population are so far apart or further.

    ``published`` is Kolmogorov's limit with the correction for small samples of M. A. Stephens: Use of the
    Kolmogorov-Smirnov, Cramér-von Mises and related statistics without extensive tables. Journal of the Royal
    Statistical Society B 32(1), 1970. Older versions of ``scipy.stats.ks_2samp`` computed it so, and figures
    published with them are found again with no other. ``asymptotic`` is what SciPy does today for large
    samples: the distribution of the distance for one sample of n m / (n + m) rows. ``exact`` counts all orders
    that the rows can have, supposing that no two values are equal; its time grows with n m.

    >>> round(ks_significance(67 / 32561, 32561, 32561), 12)
    0.99999983348
    >>> ks_significance(1.0, 2, 2, method="exact")
    0.3333333333333333
    """
    if n < 1 or m < 1:
        raise ProjectError(
            say("a test of two distributions needs rows on both sides"),
            remedy=say("leave out columns without any value"),
        )
    if method not in get_args(Method):
        raise ProjectError(
            say("there is no method {method!r}", method=method),
            remedy=say("use one of: {names}", names=", ".join(get_args(Method))),
        )
    if distance <= 0:
        return 1.0
    if method == "exact":
        return _exact_significance(min(distance, 1.0), min(n, m), max(n, m))
    if method == "asymptotic":
        from scipy.stats import kstwo

        return float(kstwo.sf(distance, max(1.0, round(n * m / (n + m)))))
    from scipy.special import kolmogorov

    root = math.sqrt(n * m / (n + m))
    return float(kolmogorov((root + 0.12 + 0.11 / root) * distance))


def _exact_significance(distance: float, n: int, m: int) -> float:
    """The share of paths from (0, 0) to (n, m) that touch a point where ``|i/n - j/m| >= distance``.

    Every order of the rows is such a path (J. L. Hodges: The significance probability of the Smirnov two-sample
    test. Arkiv för Matematik 3(5), 1958). The chance that a path to (i, j) touched one is a mean of those one step
    before, i/(i+j) of the one on the left and j/(i+j) of the one below, so that small chances lose no digits
    (T. Viehmann: Numerically more stable computation of the p-values for the two-sample Kolmogorov-Smirnov test.
    arXiv:2102.08037, 2021). All points with the same i + j are computed at once.
    """
    if n * m > _EXACT_LIMIT:
        raise ProjectError(
            say("the exact significance for {n} and {m} rows would take too long", n=n, m=m),
            remedy=say("ask for the asymptotic one"),
        )
    across, up = m // math.gcd(n, m), n // math.gcd(n, m)
    far = math.ceil(distance * across * n - 1e-6)
    # Place i + 1, so that there is something left of i = 0; only the points nearer than ``far`` are computed.
    touched = np.ones(n + 2)
    touched[1] = 0.0
    for total in range(1, n + m + 1):
        first = max(0, total - m, (total * up - far) // (across + up) + 1)
        last = min(n, total, (total * up + far - 1) // (across + up))
        i = np.arange(first, last + 1)
        chance = i * touched[first : last + 1] + (total - i) * touched[first + 1 : last + 2]
        touched[first + 1 : last + 2] = chance / total
        touched[first] = 1.0
    return float(touched[n + 1])
