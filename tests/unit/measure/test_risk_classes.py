"""The risk that the sizes of the classes tell."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.errors import ProjectError
from celosia.measure.risk.classes import ClassRisk, class_risk
from celosia.tables.table import Counts


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([], ClassRisk(0, 0, 0, 0.0, 0.0, 0, 0.0, 5)),
        ([1], ClassRisk(1, 1, 1, 1.0, 1.0, 1, 1.0, 5)),
        ([5], ClassRisk(5, 1, 5, 0.2, 0.2, 0, 0.0, 5)),
        ([4, 6], ClassRisk(10, 2, 4, 0.25, 0.2, 0, 0.4, 5)),
        ([1, 1, 8], ClassRisk(10, 3, 1, 1.0, 0.3, 2, 0.2, 5)),
        ([0, 2, 0], ClassRisk(2, 1, 2, 0.5, 0.5, 0, 1.0, 5)),
    ],
)
def test_the_risk_of_classes_of_these_sizes(sizes: list[int], expected: ClassRisk) -> None:
    assert class_risk(np.array(sizes, dtype=np.int64)) == expected


def test_the_combinations_of_a_table_are_its_classes() -> None:
    counted = Counts(
        columns=("sex",),
        values=(pl.Series(["F", None]),),
        codes=(np.array([0, 1], dtype=np.int32),),
        counts=np.array([3, 1], dtype=np.int64),
    )
    assert class_risk(counted, threshold=2) == class_risk(np.array([3, 1]), threshold=2)


def test_the_threshold_says_which_classes_are_small() -> None:
    sizes = np.array([1, 2, 3, 4])
    assert [class_risk(sizes, threshold=k).at_risk for k in (1, 2, 3, 5)] == [0.0, 0.1, 0.3, 1.0]


def test_a_threshold_below_one_is_refused() -> None:
    with pytest.raises(ProjectError, match="threshold of 1 or more"):
        class_risk(np.array([3]), threshold=0)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=30), st.integers(1, 60))
def test_the_risk_is_that_of_every_row_by_itself(sizes: list[int], threshold: int) -> None:
    rows = [size for size in sizes for _ in range(size)]
    found = class_risk(np.array(sizes), threshold=threshold)
    assert found.highest == max(1 / size for size in rows)
    assert found.average == pytest.approx(sum(1 / size for size in rows) / len(rows))
    assert found.uniques == sum(size == 1 for size in rows)
    assert found.at_risk == sum(size < threshold for size in rows) / len(rows)
