"""Sensitive values as readers tell them apart, where some are missing."""

import pytest

from celosia import TCloseness, anonymize
from celosia.release.reading_views import read_views


@pytest.mark.parametrize(
    ("spellings", "values"),
    [
        (["2.5", "2.50", ""], 2),
        (["2.5", "2.50", "N/A", ""], 2),
        (["2.5", "2.50", "unknown"], 2),
        (["2.5", "2.50", "low"], 3),
        (["?", "NA", "low"], 3),
    ],
)
def test_a_column_of_numbers_some_of_them_missing_is_told_apart_by_value(spellings, values):
    assert len(read_views(spellings, missing=("", "unknown")).spelled.values) == values


@pytest.mark.parametrize("mark", ["", "?", "unknown"])
def test_a_release_of_numbers_with_missing_ones_is_verified_as_it_was_planned(mark, tmp_path):
    """Once the missing value made texts of the numbers, and the release was withdrawn."""
    table = tmp_path / "people.csv"
    table.write_text(f"age,job,dose\nLow,2,2.5\nLow,0,2.50\nlow,0,{mark}\nlow,0,2.5\n")
    release = anonymize(
        table,
        out=tmp_path / "safe.csv",
        quasi_identifiers=["age", "job"],
        sensitive=["dose"],
        models=[TCloseness(column="dose", t=0.4)],
        **({"markers": ["unknown"]} if mark == "unknown" else {}),
    )
    assert release.verification.passed
