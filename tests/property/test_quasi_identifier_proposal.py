"""The search for quasi-identifiers against plain enumeration of every subset."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.profile import distinct as distinct_module
from celosia.profile import propose_quasi_identifiers
from celosia.tables.table import Counts


def counts_of(rows: np.ndarray) -> Counts:
    unique, counts = np.unique(rows, axis=0, return_counts=True)
    columns = tuple(f"c{i}" for i in range(rows.shape[1]))
    values = tuple(pl.Series([str(v) for v in range(int(rows.max()) + 1)]) for _ in columns)
    return Counts(
        columns, values, tuple(column.astype(np.int32) for column in unique.T), counts.astype(np.int64)
    )


def by_enumeration(rows: np.ndarray, tolerance: float) -> tuple[tuple[str, ...], int]:
    columns = range(rows.shape[1])
    subsets = [s for size in range(1, len(columns) + 1) for s in combinations(columns, size)]
    distinct = {s: len({tuple(row) for row in rows[:, list(s)].tolist()}) for s in subsets}
    maximum = max(distinct.values())
    near = [s for s in subsets if distinct[s] >= (1 - tolerance) * maximum - 1e-9]
    best = min(near, key=lambda s: (len(s), -distinct[s], s))
    return tuple(f"c{c}" for c in best), distinct[best]


@st.composite
def small_tables(draw: st.DrawFn) -> np.ndarray:
    """Columns of different sizes, some of them functions of an earlier one, some constant."""
    n_rows = draw(st.integers(1, 60))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns: list[np.ndarray] = []
    for size in draw(st.lists(st.integers(1, 9), min_size=1, max_size=7)):
        depends = columns and draw(st.booleans())
        columns.append(
            columns[draw(st.integers(0, len(columns) - 1))] % size
            if depends
            else generator.integers(0, size, n_rows)
        )
    return np.stack(columns, axis=1)


@given(rows=small_tables(), tolerance=st.sampled_from([0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.9]))
@settings(max_examples=400, deadline=None)
def test_the_proposal_equals_that_of_enumerating_every_subset(rows, tolerance):
    columns, distinct = by_enumeration(rows, tolerance)
    proposal = propose_quasi_identifiers(
        counts_of(rows), [f"c{c}" for c in range(rows.shape[1])], tolerance=tolerance
    )
    assert proposal.columns == columns
    assert proposal.distinct == distinct
    assert proposal.proven


@given(rows=small_tables(), tolerance=st.sampled_from([0.0, 0.05, 0.3]), limit=st.integers(0, 200_000))
@settings(max_examples=200, deadline=None)
def test_a_limited_search_is_within_the_tolerance_and_right_wherever_it_says_proven(rows, tolerance, limit):
    columns, _ = by_enumeration(rows, tolerance)
    proposal = propose_quasi_identifiers(
        counts_of(rows), [f"c{c}" for c in range(rows.shape[1])], tolerance=tolerance, limit=limit
    )
    assert proposal.distinct >= (1 - tolerance) * proposal.maximum - 1e-9
    assert not proposal.proven or proposal.columns == columns
    assert len(proposal.columns) >= len(columns)


@given(rows=small_tables(), tolerance=st.sampled_from([0.0, 0.05, 0.3, 0.6]))
@settings(max_examples=300, deadline=None)
def test_bounds_from_a_part_of_the_combinations_lead_to_the_same_proposal(rows, tolerance):
    columns = [f"c{c}" for c in range(rows.shape[1])]
    whole = propose_quasi_identifiers(counts_of(rows), columns, tolerance=tolerance)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distinct_module, "WHOLE", 0)
        in_parts = propose_quasi_identifiers(counts_of(rows), columns, tolerance=tolerance)
    assert (in_parts.columns, in_parts.distinct, in_parts.proven) == (whole.columns, whole.distinct, True)


@given(rows=small_tables(), seed=st.integers(0, 1000))
@settings(max_examples=100, deadline=None)
def test_the_order_of_the_counted_combinations_does_not_matter(rows, seed):
    counts = counts_of(rows)
    order = np.random.default_rng(seed).permutation(len(counts))
    shuffled = Counts(
        counts.columns, counts.values, tuple(c[order] for c in counts.codes), counts.counts[order]
    )
    before, after = (propose_quasi_identifiers(c, counts.columns) for c in (counts, shuffled))
    assert (before.columns, before.distinct) == (after.columns, after.distinct)
