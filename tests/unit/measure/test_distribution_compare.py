"""Original against release: column by column, and table by table."""

import datetime
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from celosia.errors import ProjectError, TableError
from celosia.measure.distribution.compare import ColumnComparison, compare_column, compare_tables
from celosia.tables import open_table
from celosia.types import ColumnType

Texts = dict[str | None, int]


def compare(
    before: Texts, after: Texts, kind: ColumnType = ColumnType.INTEGER, **how: float
) -> ColumnComparison:
    sides = [
        (pl.Series(list(texts), dtype=pl.String), np.array(list(texts.values()))) for texts in (before, after)
    ]
    return compare_column("age", sides[0], sides[1], kind=kind, **how)


def test_an_unchanged_column_is_kept_by_both_rules() -> None:
    found = compare({"31": 4, "47": 2, None: 1}, {"31": 4, "47": 2, None: 1})
    assert found == ColumnComparison(
        "age", "numeric", 0.0, 1.0, True, True, 0.0, 0.0, 0.0, pytest.approx(1 / 7), pytest.approx(1 / 7)
    )


def test_a_numeric_release_is_compared_by_number_not_by_text() -> None:
    found = compare({"31": 4, "47": 2}, {"31.0": 4, "47.00": 2})
    assert (found.kind, found.distance, found.variation) == ("numeric", 0.0, 0.0)


def test_the_rules_differ_where_rows_are_few_and_where_they_are_many() -> None:
    few = compare({"1": 5, "2": 5}, {"1": 6, "2": 4})
    assert (few.is_kept_published, few.is_kept) == (True, False)
    many = compare({"1": 500_000, "2": 500_000}, {"1": 510_000, "2": 490_000})
    assert many.distance == 0.01
    assert (many.is_kept_published, many.is_kept) == (False, True)


def test_tolerance_and_threshold_decide() -> None:
    before, after = {"1": 50, "2": 50}, {"1": 60, "2": 40}
    assert compare(before, after, tolerance=0.1).is_kept
    assert not compare(before, after, tolerance=0.09).is_kept
    significance = compare(before, after).significance
    assert significance is not None
    assert compare(before, after, threshold=significance).is_kept_published
    assert not compare(before, after, threshold=significance + 0.01).is_kept_published


def test_a_number_that_the_release_shows_as_a_label_is_a_category() -> None:
    found = compare({"31": 3, "47": 1}, {"31": 3, "[40-49]": 1})
    assert (found.kind, found.distance, found.significance, found.is_kept_published) == (
        "categorical",
        None,
        None,
        None,
    )
    assert (found.wasserstein, found.wasserstein_share, found.variation, found.is_kept) == (
        None,
        None,
        0.25,
        False,
    )


@pytest.mark.parametrize(
    ("kind", "released", "is_numeric"),
    [
        (ColumnType.DATE, "2024-05-15", True),
        (ColumnType.DATE, "2024-05", False),
        (ColumnType.DATE, "2024", False),
        (ColumnType.TEXT, "2024", False),
    ],
)
def test_dates_are_numbers_as_long_as_they_are_dates(
    kind: ColumnType, released: str, is_numeric: bool
) -> None:
    found = compare({"2024-05-01": 1, "2024-05-11": 1}, {released: 2}, kind)
    assert (found.kind == "numeric") is is_numeric
    assert found.wasserstein == (9.0 if is_numeric else None)


def test_an_original_that_is_no_number_despite_its_type_is_a_category() -> None:
    assert compare({"unknown": 1, "31": 1}, {"31": 2}).kind == "categorical"


def test_a_text_that_says_not_a_number_is_a_missing_one() -> None:
    found = compare({"31": 1, "NaN": 1}, {"31": 1, None: 1})
    assert (found.kind, found.missing_before, found.missing_after, found.variation) == (
        "numeric",
        0.5,
        0.5,
        0.0,
    )


def test_values_dropped_at_random_are_not_kept() -> None:
    found = compare({"1": 50, "2": 50}, {"1": 40, "2": 40, None: 20})
    assert (found.distance, found.missing_after, found.variation) == (0.0, 0.2, pytest.approx(0.2))
    assert not found.is_kept
    assert found.is_kept_published


def test_a_release_with_nothing_left_has_no_significance() -> None:
    found = compare({"1": 5}, {None: 5})
    assert (found.distance, found.significance, found.is_kept_published, found.is_kept) == (
        1.0,
        None,
        None,
        False,
    )
    assert (found.wasserstein, found.wasserstein_share, found.variation) == (None, None, 1.0)


def test_a_value_that_went_to_infinity_has_no_finite_way() -> None:
    found = compare({"1": 1, "2": 1}, {"1": 1, "inf": 1}, ColumnType.REAL)
    assert (found.distance, found.wasserstein, found.wasserstein_share) == (0.5, None, None)


@pytest.mark.parametrize("how", [{"tolerance": -0.1}, {"tolerance": 1.5}, {"threshold": 95.0}])
def test_a_tolerance_or_threshold_that_is_no_share_is_refused(how: dict[str, float]) -> None:
    with pytest.raises(ProjectError, match="a share from 0 to 1"):
        compare({"1": 1}, {"1": 1}, **how)
    table = open_table(pl.DataFrame({"a": [1]}))
    with pytest.raises(ProjectError, match="a share from 0 to 1"):
        compare_tables(table, table, ["a"], **how)


def people(rows: int = 3000, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, rows)
    born = [datetime.date(2024, 1, 1) - datetime.timedelta(days=int(days)) for days in age * 365]
    return pl.DataFrame(
        {
            "age": age,
            "paid": np.round(age * 10 + rng.normal(size=rows) * 200, 2),
            "born": born,
            "sex": rng.choice(["f", "m"], rows),
            "weight": [
                None if lost else float(kilos)
                for lost, kilos in zip(rng.random(rows) < 0.1, rng.integers(50, 99, rows), strict=True)
            ],
        }
    )


def released(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(
        (pl.col("age") // 5 * 5 + 2), pl.col("born").dt.truncate("1y"), pl.lit("*").alias("sex")
    )


@pytest.mark.parametrize("ending", ["csv", "parquet", "frame"])
def test_tables_of_every_kind_compare_alike(ending: str, tmp_path: Path) -> None:
    before, after = people(), released(people())
    tables = []
    for place, frame in enumerate((before, after)):
        path = tmp_path / f"{place}.{ending}"
        if ending == "csv":
            frame.write_csv(path)
        elif ending == "parquet":
            frame.write_parquet(path, row_group_size=700)
        tables.append(open_table(frame if ending == "frame" else path))
    reported: list[tuple[str, float]] = []
    found = compare_tables(
        tables[0], tables[1], before.columns, progress=lambda stage, share: reported.append((stage, share))
    )
    assert [column.kind for column in found.columns] == [
        "numeric",
        "numeric",
        "numeric",
        "categorical",
        "numeric",
    ]
    assert [column.is_kept for column in found.columns] == [True, True, True, False, True]
    assert found.columns[3].variation == 1.0
    names = ["age", "paid", "born", "weight"]
    sides = [frame.with_columns(pl.col("born").to_physical()).select(names) for frame in (before, after)]
    changes = []
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            values = [side.select(one, other).drop_nulls().to_numpy().astype(float) for side in sides]
            now, then = (np.corrcoef(value, rowvar=False)[0, 1] for value in values)
            changes.append(abs(now - then))
    assert found.correlation_largest == pytest.approx(max(changes), abs=1e-12)
    assert found.correlation_mean == pytest.approx(sum(changes) / len(changes), abs=1e-12)
    assert reported[-1] == ("comparing correlations", 1.0)
    assert all(0 <= share <= 1 for _, share in reported)


def test_a_number_that_means_missing_has_no_part_in_correlations(tmp_path: Path) -> None:
    rows = [(1, 2), (2, 3), (3, 7), (4, -9), (5, 8)]
    text = "a,b\n" + "".join(f"{a},{b}\n" for a, b in rows)
    (tmp_path / "before.csv").write_text(text)
    (tmp_path / "after.csv").write_text(text.replace("5,8", "5,2"))
    before, after = (open_table(tmp_path / name, missing=("-9",)) for name in ("before.csv", "after.csv"))
    known = np.array([row for row in rows if row[1] != -9], dtype=float)
    changed = known.copy()
    changed[-1, 1] = 2
    expected = np.corrcoef(known, rowvar=False)[0, 1] - np.corrcoef(changed, rowvar=False)[0, 1]
    assert compare_tables(before, after, ["a", "b"]).correlation_largest == pytest.approx(expected)


def test_types_may_be_given() -> None:
    table = open_table(pl.DataFrame({"zip": [28001, 28002], "age": [3, 4]}))
    found = compare_tables(
        table, table, ["zip", "age"], types={"zip": ColumnType.TEXT, "age": ColumnType.INTEGER}
    )
    assert [column.kind for column in found.columns] == ["categorical", "numeric"]
    assert (found.correlation_largest, found.correlation_mean) == (None, None)
    assert found.is_kept


def test_a_table_is_kept_if_every_column_is() -> None:
    before = open_table(pl.DataFrame({"a": [1, 2], "b": [1, 2]}))
    after = open_table(pl.DataFrame({"a": [1, 2], "b": [1, 1]}))
    assert compare_tables(before, after, ["a"]).is_kept
    assert not compare_tables(before, after, ["a", "b"]).is_kept


def test_a_column_that_the_release_does_not_have_is_an_error() -> None:
    before, after = open_table(pl.DataFrame({"age": [1]})), open_table(pl.DataFrame({"sex": ["f"]}))
    with pytest.raises(TableError, match="age"):
        compare_tables(before, after, ["age"])


def test_tables_of_nothing_are_equal() -> None:
    frame = pl.DataFrame({"a": [], "b": [], "c": []}, schema={"a": pl.Int64, "b": pl.Float64, "c": pl.String})
    found = compare_tables(open_table(frame), open_table(frame), frame.columns)
    assert found.is_kept
    assert found.correlation_largest is None
    assert compare_tables(open_table(frame), open_table(frame), []).columns == ()
