"""Released labels and original values in one space, and what models see of both."""

import numpy as np
import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.measure.decode import decode_column
from celosia.measure.learning import features
from celosia.measure.learning.features import ColumnFeatures, FeatureKind, Preparation, column_features
from celosia.types import ColumnType


def seen(
    kind: ColumnType, values: list[str | None], labels: list[str | None], hierarchy: Hierarchy | None = None
) -> ColumnFeatures:
    decoded = decode_column("column", kind, pl.Series(values), pl.Series(labels), hierarchy=hierarchy)
    return column_features(decoded, kind, np.arange(len(values), 0, -1), np.ones(len(labels), np.int64))


def test_a_value_is_seen_alike_in_both_tables() -> None:
    for kind, texts in ((ColumnType.INTEGER, ["31", "47", None]), (ColumnType.TEXT, ["cook", "nurse", None])):
        found = seen(kind, texts, texts)
        assert np.array_equal(found.released, found.of_values(pl.Series(texts)), equal_nan=True)


def test_a_node_is_spread_over_its_leaves() -> None:
    rows = [("Soria", "Castilla", "*"), ("León", "Castilla", "*"), ("Lugo", "Galicia", "*")]
    cities = Hierarchy.from_rows("column", rows)
    found = seen(ColumnType.TEXT, ["León", "Lugo", "Soria"], ["Castilla", "Galicia", "*"], cities)
    assert found.released.tolist() == [[0.5, 0, 0.5], [0, 1, 0], [1 / 3, 1 / 3, 1 / 3]]


def test_a_label_that_the_original_does_not_know_is_a_value_of_its_own() -> None:
    found = seen(ColumnType.TEXT, ["a", "b"], ["a", "zz"])
    assert found.released.tolist() == [[1, 0, 0], [0, 0, 1]]
    assert found.of_values(pl.Series(["b", "never seen"])).tolist() == [[0, 1, 0], [0, 0, 0]]


def test_rare_values_share_one_place(monkeypatch) -> None:
    monkeypatch.setattr(features, "MOST_CATEGORIES", 2)
    found = seen(ColumnType.TEXT, ["a", "b", "c", "d"], ["a", "c", "{a, c, d}"])
    assert found.pooled == 2
    assert found.released.round(6).tolist() == [[1, 0, 0], [0, 0, 1], [0.333333, 0, 0.666667]]


def test_equal_widths_say_nothing_and_are_left_out() -> None:
    found = seen(ColumnType.INTEGER, ["31", "47"], ["[30-39]", "[40-49]"])
    assert found.kinds == (FeatureKind.NUMBER,)
    assert found.released.tolist() == [[34.5], [44.5]]


def test_the_width_of_a_person_is_unknown_where_the_release_shows_no_exact_value() -> None:
    wide = seen(ColumnType.INTEGER, ["31", "47"], ["[30-39]", "[40-60]"])
    assert np.isnan(wide.of_values(pl.Series(["31"]))[0, 1])
    mixed = seen(ColumnType.INTEGER, ["31", "47"], ["[30-39]", "47"])
    assert mixed.of_values(pl.Series(["31"])).tolist() == [[31.0, 0.0]]


def test_open_ends_and_hidden_numbers_are_finite() -> None:
    found = seen(ColumnType.INTEGER, ["20", "80"], [">=60", ">=90", "<30", "*", None])
    prepared = Preparation.of(found.released, np.ones(5), found.kinds, scale=True).apply(found.released)
    assert np.isfinite(prepared).all()
    assert found.released[:3, 0].tolist() == [70.0, 90.0, 24.5]


def test_instants_count_from_the_first() -> None:
    times = ["2024-05-01T10:30:00", "2024-05-01T10:30:30"]
    assert seen(ColumnType.DATETIME, times, times).released.tolist() == [[0.0], [30.0]]


def test_a_person_is_shown_by_the_label_that_most_rows_like_hers_have() -> None:
    found = seen(ColumnType.INTEGER, ["31", "38", "47", None], ["[30-39]", "38", "*"])
    assert np.array_equal(
        found.as_released(pl.Series(["31", "38", "47", "52"])),
        [[34.5, 9.0, 0.0], [38.0, 0.0, 0.0], [np.nan, 16.0, 0.0], [52.0, 0.0, 0.0]],
        equal_nan=True,
    )
