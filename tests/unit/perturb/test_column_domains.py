"""Values go to cells and come back from the same cells, with the type of their column."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.perturb.domains import ColumnDomain


@pytest.mark.parametrize("dtype", [pl.Int64, pl.UInt8, pl.String])
@given(low=st.integers(0, 50), width=st.integers(1, 90), bins=st.integers(1, 12))
def test_whole_numbers_stay_in_their_bin(dtype: type[pl.DataType], low: int, width: int, bins: int) -> None:
    bins = min(bins, width)  # every bin has a whole number
    edges = tuple(np.linspace(low, low + width, bins + 1).tolist())
    domain = ColumnDomain("age", edges=edges, is_whole=True)
    cells = np.repeat(np.arange(domain.size), 20)
    made = domain.values_of(cells, dtype(), np.random.default_rng(1))
    assert made.dtype == dtype
    assert made.null_count() == 20
    assert (domain.cells_of(made) == cells).all()
    numbers = made.drop_nulls().cast(pl.Int64)
    assert low <= numbers.min() <= numbers.max() <= low + width


def test_a_bin_without_a_whole_number_gives_the_nearest() -> None:
    domain = ColumnDomain("n", edges=(0.0, 0.3, 0.6, 0.9), is_whole=True)
    assert domain.values_of(np.array([0, 1, 2]), pl.Int64(), np.random.default_rng(1)).to_list() == [0, 0, 1]


def test_reals_that_are_kept_as_texts_stay_reals() -> None:
    domain = ColumnDomain("dose", edges=(0.0, 1.0))
    made = domain.values_of(np.zeros(50, np.int64), pl.String(), np.random.default_rng(1)).cast(pl.Float64)
    assert 0 < made.min() < made.max() < 1


def test_what_is_no_number_is_a_missing_one_and_what_is_endless_is_at_an_end() -> None:
    domain = ColumnDomain("dose", edges=(0.0, 1.0, 2.0))
    assert domain.cells_of(pl.Series(["x", "0.5", None])).tolist() == [2, 0, 2]
    assert domain.cells_of(pl.Series([float("inf"), float("-inf"), float("nan")])).tolist() == [1, 0, 2]
