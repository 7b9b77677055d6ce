"""Missing in a release is what is missing in its original, whatever file holds it."""

import polars as pl
import pytest

from celosia import measure_release
from celosia.tables import write_frame

MEASURES = ("variation", "cells-suppressed", "missing-added")


def measure(original, release):
    results = measure_release(
        original, release, quasi_identifiers=["age"], sensitive=["code"], measures=MEASURES
    )
    return {
        (result.measure.name, answer.about): answer.value for result in results for answer in result.answers
    }


def saved(frame, path):
    write_frame(frame, path)
    return path


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_star_among_numbers_is_a_suppressed_value(tmp_path, kind):
    people = pl.DataFrame({"age": [31.5, 31.5, 47.0, None], "code": ["x", "y", "x", "y"]})
    safe = people.with_columns(pl.Series("age", ["31.5", "31.5", "*", None]))
    told = measure(saved(people, tmp_path / "people.parquet"), saved(safe, tmp_path / f"safe.{kind}"))
    assert told["cells-suppressed", "age"] == 0.25
    assert told["missing-added", "age"] == 0


@pytest.mark.parametrize("codes", [["1", "2", "-", "-"], ["flu", "null", "null", "gout"]])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_value_of_the_original_is_not_missing_because_it_looks_so(tmp_path, kind, codes):
    people = pl.DataFrame({"age": [31, 31, 47, 47], "code": codes})
    told = measure(saved(people, tmp_path / "people.parquet"), saved(people, tmp_path / f"safe.{kind}"))
    assert told["variation", "code"] == told["missing-added", "code"] == 0


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_marks_that_the_original_has_are_missing_in_its_release(tmp_path, kind):
    people = pl.DataFrame({"age": ["31", "32", "N/A", "N/A"], "code": ["x", "y", "x", "y"]})
    safe = people.with_columns(pl.Series("age", ["[31-32]", "[31-32]", "N/A", None]))
    told = measure(saved(people, tmp_path / "people.csv"), saved(safe, tmp_path / f"safe.{kind}"))
    assert told["missing-added", "age"] == 0
