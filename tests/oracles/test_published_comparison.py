"""The published comparison of techniques on three medical tables: rows, majorities, metrics, and Weka's own answers."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from celosia.compare import compare_techniques
from celosia.compare.input_table import read_input
from celosia.compare.table_view import column_statistics, summarize_table
from celosia.measure.learning.metrics import class_metrics, weighted_metrics

TABLES = {"diabetes_392": 392, "heart_297_numeric": 297, "wdbc_550": 550}
MAJORITIES = {"diabetes_392": 66.837, "heart_297_numeric": 53.872, "wdbc_550": 61.455}
DELETED = {"diabetes_392": 24, "heart_297_numeric": 167, "wdbc_550": 0}


def medical(shared: Path, name: str) -> Path:
    return shared / "data" / "medical" / f"{name}.arff"


def test_the_tables_have_the_published_rows_after_the_published_cleaning(shared: Path) -> None:
    folder = shared / "data" / "medical"
    pima = read_input(folder / "diabetes.arff").frame
    left = [pima.height]
    for column in ("pres", "plas", "mass", "skin", "insu"):
        pima = pima.filter(pl.col(column) != 0)
        left.append(pima.height)
    assert left == [768, 733, 728, 724, 532, 392]
    heart = read_input(folder / "processed.cleveland.data", format="csv", header=False).frame
    assert (heart.height, heart.drop_nulls().height) == (303, 297)
    cancer = read_input(folder / "wdbc.data", format="csv", header=False).frame
    left = [cancer.height]
    for place in (8, 18, 21):
        cancer = cancer.filter(pl.nth(place) >= 0.001)
        left.append(cancer.height)
    assert left == [569, 554, 553, 550]


def test_statistics_of_columns_are_the_published_ones(shared: Path) -> None:
    given = read_input(medical(shared, "diabetes_392"))
    assert summarize_table(given)["classes"] == {"tested_negative": 262, "tested_positive": 130}
    told = column_statistics(given, "insu")
    assert (told["minimum"], told["maximum"]) == (14, 846)
    assert (round(told["mean"], 3), round(told["deviation"], 3)) == (156.056, 118.842)


@pytest.mark.parametrize("name", TABLES)
def test_majorities_and_rows_left_by_deletion_are_the_published_ones(shared: Path, name: str) -> None:
    found = compare_techniques(
        medical(shared, name), None, ["cpda-deletion", "cpda-noise"], ["majority"],
        jobs=1, measures=(), scaled=False,
    )  # fmt: skip
    assert found.original.rows == TABLES[name]
    assert round(100 * found.find("original", "majority").value, 3) == MAJORITIES[name]
    assert round(100 * found.find("cpda-noise", "majority").value, 3) == MAJORITIES[name]
    assert found["cpda-deletion"].rows == DELETED[name]
    assert found["cpda-deletion"].why_not == (None if DELETED[name] else "no row is left")


# Confusion tables behind the published captures, and what these show: FP rate, precision, F, correlation.
CAPTURES = {
    "heart, J48": ([[130, 30], [36, 101]], 0.228051500, 0.777532521, 0.777335205, 0.551921205),
    "heart, J48, generalized": ([[137, 23], [33, 104]], 0.196073723, 0.811886036, 0.810733598, 0.620059204),
    "heart, J48, deleted": ([[76, 24], [21, 46]], 0.283971757, 0.732808903, 0.731437491, 0.443597715),
    "breast, naive Bayes": ([[320, 18], [22, 190]], 0.084300750, 0.927111192, 0.927140310, 0.846047405),
    "breast, LibLINEAR": ([[278, 60], [159, 53]], 0.529332974, 0.571734951, 0.566604286, 0.087316380),
    "breast, LibLINEAR, R": ([[148, 190], [93, 119]], 0.486263968, 0.525840868, 0.490252732, -7.9399e-4),
}


@pytest.mark.parametrize("capture", CAPTURES)
def test_weighted_metrics_are_those_of_the_published_captures(capture: str) -> None:
    table, *published = CAPTURES[capture]
    rows = np.array(table, np.float64)
    each = class_metrics(rows)
    whole = weighted_metrics(each, rows.sum(axis=1))
    told = [whole["false_positive_rate"], whole["precision"], whole["f1"], each[0]["mcc"]]
    assert told == pytest.approx(published, abs=2e-8)
    assert whole["recall"] == np.trace(rows) / rows.sum()


def weka_answers(shared: Path) -> dict[tuple[str, str], int]:
    """Rows that Weka 3.9 classified correctly, by table and classifier."""
    lines = (shared / "oracles" / "weka" / "initial.txt").read_text().split("\n")
    parts = [line.split() for line in lines if " weka39 " in line]
    return {(table, name.split(".")[1]): int(right) for table, name, _, right, _ in parts}


WEKA = ("ZeroR", "OneR", "NaiveBayes", "SMO", "J48", "IBk")


@pytest.mark.parametrize(
    "name",
    [
        name if name == "heart_297_numeric" else pytest.param(name, marks=pytest.mark.exhaustive)
        for name in TABLES
    ],
)
def test_weka_itself_answers_as_published_tables_say(shared: Path, name: str) -> None:
    pytest.importorskip("weka", reason="needs celosia[weka]")
    found = compare_techniques(
        medical(shared, name), None, ["cpda-generalization", "cpda-deletion"], [f"weka:{one}" for one in WEKA],
        jobs=1, measures=(), scaled=False,
    )  # fmt: skip
    answers = weka_answers(shared)
    told = {one: found.correct("original", f"weka:{one}")[0] for one in WEKA}
    assert told == {one: answers[name, one] for one in WEKA}
    lines = (shared / "oracles" / "weka" / "techniques.txt").read_text().split("\n")
    for line in lines:
        table, _, rest = line.partition(" ")
        for ending, technique in (("_generalised", "cpda-generalization"), ("_deleted", "cpda-deletion")):
            classifier = rest.split(" ")[0].rpartition(".")[2]
            if table == name + ending and classifier in WEKA:
                right = found.correct(technique, f"weka:{classifier}")
                assert right is not None
                assert int(right[0]) == int(rest.split()[1]), line


def test_weka_deals_as_often_as_asked_and_its_accuracy_is_tested_against_the_original(shared: Path) -> None:
    pytest.importorskip("weka", reason="needs celosia[weka]")
    once, twice = (
        compare_techniques(
            medical(shared, "heart_297_numeric"), None, ["cpda-noise", "cpda-generalization(ranges=1)"],
            ["weka:OneR"], repeats=repeats, jobs=1, measures=(), scaled=False,
        )
        for repeats in (1, 2)
    )  # fmt: skip
    for found, folds in ((once, 10), (twice, 20)):
        learnt = found.find("original", "weka:OneR")
        assert sum(found.correct("original", "weka:OneR")) == 297
        assert sum(learnt.tested_rows) == 297 * folds / 10
        assert len(learnt.folds) == folds
        # The folds are those of which Weka's own sum is made.
        assert np.average(learnt.folds, weights=learnt.tested_rows) == pytest.approx(learnt.value)
        assert learnt.interval[0] < learnt.value < learnt.interval[1]
        shift, nothing = found.results[1:]
        assert found.difference(shift.name, "weka:OneR").p_value == 1
        assert found.difference(nothing.name, "weka:OneR").p_value < 0.05
    assert once.correct("original", "weka:OneR") != twice.correct("original", "weka:OneR")
    told = once.details(tested_on="original").filter(table="cpda-noise")
    assert told["why not"].to_list() == ["it is asked about rows of the same table only"]


def test_weka_is_asked_for_classes_and_numbers_where_other_models_are(shared: Path) -> None:
    pytest.importorskip("weka", reason="needs celosia[weka]")
    given = read_input(medical(shared, "diabetes_392"))
    coded = given.frame.with_columns(pl.col(given.target).eq("tested_positive").cast(pl.Int64))
    for frame in (given.frame, coded):
        found = compare_techniques(
            frame, None, ["cpda-noise"], ["weka:J48"], jobs=1, measures=(), scaled=False
        )
        assert found.correct("original", "weka:J48") == (311, 81)
    found = compare_techniques(
        given.frame,
        "age",
        ["cpda-noise"],
        ["weka:ZeroR", "majority", "weka:IBk"],
        jobs=1,
        measures=(),
        scaled=False,
    )
    weka, ours = (found.find("original", name) for name in ("weka:ZeroR", "majority"))
    assert -0.1 < weka.value < 0  # the mean of others is no better than one's own
    assert weka.value == pytest.approx(ours.value, abs=0.02)
    assert weka.scores["root_mean_squared_error"][0] == pytest.approx(10.2, abs=0.05)


def test_weka_says_of_packages_that_nobody_installed_that_they_are_missing(shared: Path) -> None:
    pytest.importorskip("weka", reason="needs celosia[weka]")
    if (Path.home() / "wekafiles" / "packages" / "LibSVM").is_dir():
        pytest.skip("the package is installed")
    found = compare_techniques(
        medical(shared, "heart_297_numeric"),
        None,
        ["cpda-noise"],
        ["weka:LibSVM"],
        jobs=1,
        measures=(),
        scaled=False,
    )
    assert "Weka's package LibSVM is not installed" in found.details()["why not"][0]


def test_what_libsvm_gains_by_four_ranges_it_gains_by_scaling_too(shared: Path) -> None:
    found = compare_techniques(
        medical(shared, "heart_297_numeric"), None, ["cpda-generalization"], ["libsvm"], jobs=1, measures=()
    )
    assert found.correct("original", "libsvm")[0] == pytest.approx(
        163, abs=3
    )  # Weka's LibSVM: 163, other folds
    assert found.find("cpda-generalization", "libsvm").value > 0.78
    assert found.find("original, scaled", "libsvm").value > 0.78
