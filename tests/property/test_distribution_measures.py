"""Distribution measures against brute force over the expanded rows."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from celosia.measure.distribution.correlations import Moments, correlations
from celosia.measure.distribution.kolmogorov_smirnov import ks_distance, ks_significance
from celosia.measure.distribution.marginal import Marginal
from celosia.measure.distribution.variation import marginal_variation, total_variation
from celosia.measure.distribution.wasserstein import wasserstein_distance

few_values = st.integers(-4, 4).map(float)
many_values = st.floats(-1e6, 1e6, width=32)
weighted = st.lists(st.tuples(few_values | many_values, st.integers(1, 6)), min_size=1, max_size=15)
texts = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=20)


def expand(pairs: list[tuple[float, int]]) -> list[float]:
    return [value for value, rows in pairs for _ in range(rows)]


def marginal(pairs: list[tuple[float, int]]) -> Marginal:
    return Marginal.of([value for value, _ in pairs], [rows for _, rows in pairs])


@given(weighted)
def test_a_marginal_counts_every_row(pairs: list[tuple[float, int]]) -> None:
    found, counted = marginal(pairs), Counter(expand(pairs))
    assert dict(zip(found.values.tolist(), found.rows.tolist(), strict=True)) == dict(counted)
    assert found.values.tolist() == sorted(counted)


@given(weighted, weighted)
def test_the_distance_is_that_of_the_rows(
    before: list[tuple[float, int]], after: list[tuple[float, int]]
) -> None:
    # Every row twice: the distance stays, and SciPy has enough rows for the significance that nobody asked for.
    expected = stats.ks_2samp(expand(before) * 2, expand(after) * 2, method="asymp").statistic
    assert ks_distance(marginal(before), marginal(after)) == pytest.approx(expected, rel=1e-14, abs=1e-15)


@given(weighted, weighted)
def test_the_way_of_the_values_is_that_of_the_rows(
    before: list[tuple[float, int]], after: list[tuple[float, int]]
) -> None:
    expected = stats.wasserstein_distance(expand(before), expand(after))
    assert wasserstein_distance(marginal(before), marginal(after)) == pytest.approx(
        expected, rel=1e-9, abs=1e-9
    )


@given(weighted, weighted)
def test_distances_are_symmetric_and_0_only_for_equal_distributions(
    before: list[tuple[float, int]], after: list[tuple[float, int]]
) -> None:
    one, other = marginal(before), marginal(after)
    rows = [Counter(expand(pairs)) for pairs in (before, after)]
    totals = [sum(counter.values()) for counter in rows]
    is_equal = all(rows[0][v] * totals[1] == rows[1][v] * totals[0] for v in rows[0] | rows[1])
    for measure in (ks_distance, wasserstein_distance, marginal_variation):
        assert measure(one, other) == measure(other, one)
        assert (measure(one, other) == 0) is is_equal
    assert ks_distance(one, other) <= marginal_variation(one, other) + 1e-12


@given(texts, texts)
def test_variation_is_the_largest_difference_of_any_set_of_texts(
    before: list[str | None], after: list[str | None]
) -> None:
    """The definition: over all events, how far their chances can be apart."""
    shares = [
        {text: side.count(text) / len(side) for text in ("a", "b", "c", None)} for side in (before, after)
    ]
    events = [
        [text for place, text in enumerate(("a", "b", "c", None)) if mask >> place & 1] for mask in range(16)
    ]
    expected = max(
        abs(sum(shares[0][t] for t in event) - sum(shares[1][t] for t in event)) for event in events
    )
    assert total_variation(Counter(before), Counter(after)) == pytest.approx(expected, abs=1e-12)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 40))
def test_the_exact_significance_is_the_share_of_orders_that_are_so_far_apart(
    n: int, m: int, steps: int
) -> None:
    distance = min(1.0, steps / math.lcm(n, m))
    orders = list(combinations(range(n + m), n))
    places = np.zeros((len(orders), n + m))
    np.put_along_axis(places, np.array(orders), 1.0, axis=1)
    apart = np.abs(np.cumsum(places, axis=1) / n - np.cumsum(1 - places, axis=1) / m).max(axis=1)
    expected = np.mean(apart >= distance - 1e-9)
    assert ks_significance(distance, n, m, method="exact") == pytest.approx(expected, rel=1e-12)


@settings(deadline=None)
@given(st.integers(2, 200), st.integers(2, 200), st.data())
def test_the_asymptotic_significance_is_that_of_scipy_today(n: int, m: int, data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    one, other = rng.normal(size=n), rng.normal(loc=data.draw(st.floats(0, 2)), size=m)
    limit = stats.ks_2samp(one, other, method="asymp")
    assert ks_significance(limit.statistic, n, m, method="asymptotic") == pytest.approx(
        limit.pvalue, rel=1e-9
    )


numbers = st.integers(-20, 20).map(float)
cells = numbers | st.sampled_from([math.nan, math.inf])
tables = st.lists(st.tuples(cells, cells, cells, st.integers(1, 3)), min_size=1, max_size=25)


@given(tables, st.integers(1, 9), st.sampled_from([0.0, 1e7, -1e10]))
def test_correlations_are_those_of_the_rows_that_both_columns_have(
    table: list[tuple[float, float, float, int]], size: int, offset: float
) -> None:
    values = np.array([row[:3] for row in table])
    rows = np.array([row[3] for row in table])
    moved = values + np.array([0.0, offset, 0.1])
    found = Moments.of(np.empty((0, 3)))
    for start in range(0, len(values), size):
        found += Moments.of(moved[start : start + size], rows[start : start + size])
    batched, whole = found.correlations(), correlations(moved, rows)
    expanded = np.repeat(values, rows, axis=0)
    for i in range(3):
        for j in range(3):
            both = expanded[np.isfinite(expanded[:, i]) & np.isfinite(expanded[:, j])]
            is_constant = len(np.unique(both[:, i])) < 2 or len(np.unique(both[:, j])) < 2
            expected = math.nan if is_constant else np.corrcoef(both[:, i], both[:, j])[0, 1]
            assert batched[i, j] == pytest.approx(expected, abs=1e-6, nan_ok=True)
            assert whole[i, j] == pytest.approx(expected, abs=1e-6, nan_ok=True)
