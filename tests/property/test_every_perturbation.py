"""What holds for every perturbation, whichever file it came from."""

from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from celosia.errors import ProjectError
from celosia.perturb import Perturbation, make_perturbation, perturb_frame, perturbations
from celosia.types import ColumnType
from celosia.values.text import column_type

NAMES = list(perturbations())
NUMBERED = ("whole", "small", "real", "price", "constant")
MONEY = pl.Decimal(9, 2)
CITIES = ("Jaca", "Huesca", "Teruel", "Ejea")

# What techniques need to be told about the table below: the columns where they must be named, and public bounds.
PARAMETERS: dict[str, dict[str, Any]] = {
    "laplace": {"epsilon": 5, "bounds": dict.fromkeys(NUMBERED, (0, 200))},
    "gaussian": {"epsilon": 5, "delta": 1e-6, "bounds": dict.fromkeys(NUMBERED, (0, 200))},
    "data-swapping": {"columns": ("whole", "city"), "within": ("sex",), "share": 0.5},
    "random-rounding": {"base": 7},
    "partly-synthetic": {"columns": ("whole", "city")},
    "private-marginals": {
        "columns": (*NUMBERED, "city", "sex"),
        "epsilon": 50,
        "cells": 2000,
        "bounds": dict.fromkeys(NUMBERED, (0, 200)),
        "domains": {"city": CITIES, "sex": ("true", "false")},
    },
    "pram": {"diagonal": 0.2, "alpha": 1},
}
DELETING = {"cpda-deletion"}
WHOLE_TABLES = {"synthetic", "private-marginals"}
"""Those that leave out columns that they do not make."""
PLANNED = {
    "mdav",
    "univariate-microaggregation",
    "mixed-microaggregation",
    "local-suppression",
    "cpda-generalization",
    "cpda-deletion",
}
"""Those in which nothing is left to chance."""
BLANKING = {"mdav", "univariate-microaggregation", "mixed-microaggregation", "hybrid", "local-suppression"}
"""Those that may make more values missing."""
REDRAWING = {"synthetic", "partly-synthetic", "private-marginals", "data-swapping"}
"""Those under which a missing value moves to another row."""


def make(name: str, seed: int | None = 3, **others: Any) -> Perturbation:
    return make_perturbation(name, **{**PARAMETERS.get(name, {}), "seed": seed, **others})


def draw_table(rows: int, *, gaps: float = 0.1, seed: int = 0) -> pl.DataFrame:
    """A table with a column of every type; a share of the values is missing."""
    rng = np.random.default_rng(seed)
    whole = rng.integers(0, 100, rows)
    frame = pl.DataFrame(
        {
            "whole": whole,
            "small": pl.Series(rng.integers(0, 200, rows), dtype=pl.UInt8),
            "real": whole / 3 + rng.normal(50, 5, rows),
            "price": pl.Series([Decimal(int(cents)) / 100 for cents in rng.integers(0, 9999, rows)], dtype=MONEY),
            "constant": pl.Series([5.0] * rows, dtype=pl.Float64),
            "city": pl.Series([CITIES[i] for i in rng.integers(0, 4, rows)], dtype=pl.String),
            "sex": rng.random(rows) < 0.5,
            "born": pl.Series(rng.integers(0, 20000, rows, dtype=np.int32)).cast(pl.Date),
            "seen": pl.Series(rng.integers(0, 10**15, rows)).cast(pl.Datetime("us")),
        },
        schema_overrides={"sex": pl.Boolean},
    )  # fmt: skip
    holes = rng.random((rows, frame.width)) < gaps
    return frame.with_columns(
        pl.Series(name, frame[name]).zip_with(
            pl.Series(~holes[:, place]), pl.Series([None] * rows, dtype=dtype)
        )
        for place, (name, dtype) in enumerate(frame.schema.items())
    )


def types_of(frame: pl.DataFrame) -> dict[str, ColumnType]:
    return {name: column_type(dtype) for name, dtype in frame.schema.items()}


def changed_columns(technique: Perturbation, frame: pl.DataFrame) -> tuple[str, ...]:
    named = technique.columns or tuple(getattr(technique, "bounds", {}))
    return technique.model_copy(update={"columns": named}).choose(frame, types_of(frame))


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is(name: str) -> None:
    technique = perturbations()[name]
    for said in (technique.keeps, technique.missing):
        assert said
        assert not said.endswith(".")
    assert technique.__doc__ is not None
    assert ">>>" in technique.__doc__
    assert any(year in technique.__doc__ for year in map(str, range(1970, 2025))), "no source is cited"
    assert all(field.description for field in technique.model_fields.values())


@pytest.mark.parametrize("name", NAMES)
def test_types_are_kept_and_the_input_stays_as_it_was(name: str) -> None:
    frame = draw_table(120)
    before = frame.clone()
    made = perturb_frame(frame, make(name))
    assert_frame_equal(frame, before)
    assert dict(made.schema) == {column: frame.schema[column] for column in made.columns}


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_conserved_unless_it_says_so(name: str) -> None:
    frame = draw_table(120)
    made = perturb_frame(frame, make(name))
    if name in DELETING:
        assert made.height < frame.height
    elif name == "private-marginals":
        assert 60 < made.height < 180  # noise of scale 2 on a count of 120 rows
    else:
        assert made.height == frame.height
    assert perturbations()[name].is_aligned is (name not in DELETING | WHOLE_TABLES)


@pytest.mark.parametrize("name", NAMES)
def test_columns_that_it_does_not_change_stay(name: str) -> None:
    frame = draw_table(120)
    technique = make(name)
    made = perturb_frame(frame, technique)
    named = changed_columns(technique, frame)
    others = [column for column in frame.columns if column not in named]
    if name in WHOLE_TABLES:
        assert set(made.columns) == set(named)
    elif name in DELETING:
        assert made.columns == frame.columns
    else:
        assert made.columns == frame.columns
        assert_frame_equal(made.select(others), frame.select(others))


@pytest.mark.parametrize("name", NAMES)
def test_only_the_columns_named_are_changed(name: str) -> None:
    frame = draw_table(120, gaps=0)
    column = "city" if name == "pram" else "whole"
    made = perturb_frame(frame, make(name, columns=(column,)))
    if name in WHOLE_TABLES:
        assert made.columns == [column]
    elif name not in DELETING:
        assert not made[column].equals(frame[column])
        assert_frame_equal(made.drop(column), frame.drop(column))


@pytest.mark.parametrize("name", NAMES)
def test_seeded_runs_are_equal_and_other_seeds_make_other_tables(name: str) -> None:
    frame = draw_table(120)
    first, again, other = (perturb_frame(frame, make(name, seed=seed)) for seed in (3, 3, 4))
    assert_frame_equal(first, again)
    assert first.equals(other) is (name in PLANNED)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in PLANNED])
def test_runs_without_a_seed_differ(name: str) -> None:
    frame = draw_table(120)
    first, second = (perturb_frame(frame, make(name, seed=None)) for _ in range(2))
    assert not first.equals(second)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in REDRAWING | DELETING])
def test_missing_values_stay_missing_and_no_others_become_so_unless_it_says_so(name: str) -> None:
    frame = draw_table(120)
    made = perturb_frame(frame, make(name))
    for column in frame.columns:
        was, is_ = frame[column].is_null(), made[column].is_null()
        assert (was & ~is_).sum() == 0
        if name not in BLANKING:
            assert (is_ & ~was).sum() == 0


@pytest.mark.parametrize("name", NAMES)
def test_nan_counts_as_missing(name: str) -> None:
    frame = pl.DataFrame(
        {"whole": [1.0, float("nan"), 3.0, 4.0, 3.0, 4.0], "city": ["Jaca"] * 6, "sex": [True] * 6}
    )
    narrow = {"columns": ("whole", "city", "sex")} if name == "private-marginals" else {}
    narrow |= {"bounds": {"whole": (0, 9)}} if "bounds" in PARAMETERS.get(name, {}) else {}
    made = perturb_frame(frame, make(name, **narrow))
    assert not made["whole"].is_infinite().any()
    if name not in REDRAWING | DELETING:
        assert made["whole"].fill_nan(None).is_null()[1]
        assert made["whole"].is_nan().sum() <= 1


@pytest.mark.parametrize("rows", [0, 1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_tables_of_no_row_one_row_and_two(name: str, rows: int) -> None:
    frame = draw_table(rows, gaps=0)
    made = perturb_frame(frame, make(name))
    assert dict(made.schema) == {column: frame.schema[column] for column in made.columns}
    if name not in DELETING and name != "private-marginals":  # noise hides that there is nobody
        assert made.height == rows


@pytest.mark.parametrize("name", NAMES)
def test_columns_without_any_value(name: str) -> None:
    frame = draw_table(20, gaps=1)
    made = perturb_frame(frame, make(name))
    if name != "private-marginals":
        assert all(made[column].null_count() == made.height for column in made.columns)


@pytest.mark.parametrize("name", NAMES)
def test_a_column_of_one_value_is_no_obstacle(name: str) -> None:
    frame = draw_table(60, gaps=0).with_columns(whole=pl.lit(7), city=pl.lit("Jaca"), real=pl.lit(2.5))
    made = perturb_frame(frame, make(name))
    assert made.height or name in DELETING
    if name not in (
        "laplace",
        "gaussian",
        "random-rounding",
        "private-marginals",
        "cpda-generalization",
        "multiplicative-noise",
    ):
        assert set(made["whole"].drop_nulls()) <= {7}  # there is no deviation to take a share of
        assert set(made["city"].drop_nulls()) <= {"Jaca"}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_column_that_does_not_exist_is_told(name: str) -> None:
    with pytest.raises(ProjectError, match=r"column 'whol' does not exist; did you mean 'whole'\?"):
        perturb_frame(draw_table(20), make(name, columns=("whol",)))


@pytest.mark.parametrize(
    "name", [name for name in NAMES if ColumnType.TEXT not in perturbations()[name].kinds]
)
def test_a_technique_for_numbers_refuses_text(name: str) -> None:
    with pytest.raises(
        ProjectError, match=rf"{name}: column 'city' is text, which {name} cannot change; name columns"
    ):
        perturb_frame(draw_table(20), make(name, columns=("city",)))


@pytest.mark.parametrize("name", NAMES)
def test_numbers_that_are_kept_as_texts_are_numbers(name: str) -> None:
    typed = draw_table(90).select("whole", "real", "city", "sex")
    frame = typed.with_columns(pl.col("whole", "real").cast(pl.String))
    narrow = {"columns": ("whole", "city", "sex")} if name == "private-marginals" else {}
    narrow |= {"bounds": {"whole": (0, 200)}} if "bounds" in PARAMETERS.get(name, {}) else {}
    technique = make(name, **narrow)
    made = perturb_frame(frame, technique, types=types_of(typed))
    assert made.schema["whole"] == pl.String
    expected = perturb_frame(typed, technique)
    assert_frame_equal(
        made.with_columns(pl.col("whole").cast(pl.Int64)).select("whole"), expected.select("whole")
    )


@pytest.mark.parametrize(
    "name", [name for name in NAMES if not PARAMETERS.get(name, {}).keys() & {"bounds", "within"}]
)
def test_odd_column_names_are_only_names(name: str) -> None:
    odd = {"whole": "^w.*$", "city": "a b", "real": "*"}
    frame = draw_table(60).select(*odd).rename(odd)
    columns = {"columns": tuple(odd[column] for column in PARAMETERS.get(name, {}).get("columns", ()))}
    made = perturb_frame(frame, make(name, **columns))
    assert made.columns == frame.columns
