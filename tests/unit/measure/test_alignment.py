"""Which released row is whose, where that is told by a key or by the order of the rows."""

import polars as pl
import pytest

from celosia.measure.registry import release_measures
from celosia.measure.subject import MeasureSubject

PEOPLE = pl.DataFrame(
    {"id": ["a", "b", "c", "d"], "age": [31, 38, 47, 52], "sex": ["f", "?", "m", "?"], "job": ["cook"] * 4}
)
ROLES = {"quasi_identifiers": ["age", "sex"], "sensitive": ["job"]}


@pytest.mark.parametrize("name", ["linkage", "linkage-expected", "distance-linkage"])
def test_a_key_under_pseudonyms_tells_nobody_s_row_instead_of_safety(name) -> None:
    release = PEOPLE.with_columns(pl.Series("id", ["w", "x", "y", "z"]))
    (found,) = release_measures()[name].answers(MeasureSubject.of(PEOPLE, release, key="id", **ROLES))
    assert found.value is None
    assert found.why_not == "no value of 'id' is in both tables: their rows cannot be aligned"


def test_what_means_a_missing_value_does_so_in_rows_by_order(tmp_path) -> None:
    path = tmp_path / "people.csv"
    PEOPLE.with_columns(pl.col("age") // 20).write_csv(path)
    found = [
        release_measures()["linkage-expected"].answers(MeasureSubject.of(path, path, **ROLES, **how))[0].value
        for how in ({"key": "id"}, {"same_order": True})
    ]
    assert found == [1.0, 1.0]
