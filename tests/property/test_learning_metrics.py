"""Metrics over counted rows against scikit-learn's over the rows themselves; folds and shares against brute force."""

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as library

from celosia.measure.decode import decode_column
from celosia.measure.learning.features import column_features
from celosia.measure.learning.metrics import classification_metrics, ranking_areas, regression_metrics
from celosia.measure.learning.people import assign_folds
from celosia.types import ColumnType

CLASSES = 3


@st.composite
def predictions(
    draw: st.DrawFn,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """True classes, all of them there, the chances of each, and the rows of every combination."""
    size = draw(st.integers(CLASSES, 9))
    truth = np.array(
        [*range(CLASSES), *draw(st.lists(st.integers(0, 2), min_size=size - 3, max_size=size - 3))]
    )
    parts = np.array(draw(st.lists(st.integers(0, 5), min_size=size * 3, max_size=size * 3)), np.float64)
    chances = parts.reshape(size, 3) + 0.5
    rows = np.array(draw(st.lists(st.integers(1, 4), min_size=size, max_size=size)))
    return truth, chances / chances.sum(axis=1, keepdims=True), rows


@given(predictions())
@settings(max_examples=40, deadline=None)
def test_metrics_of_counted_rows_are_those_of_the_rows(found: tuple) -> None:
    truth, chances, rows = found
    whole, each = classification_metrics(truth, chances, rows.astype(np.float64), majority=1)
    true, said, sure = (np.repeat(part, rows, axis=0) for part in (truth, chances.argmax(axis=1), chances))
    expected = {
        "accuracy": library.accuracy_score(true, said),
        "majority": np.mean(true == 1),
        "balanced_accuracy": library.balanced_accuracy_score(true, said),
        "mcc": library.matthews_corrcoef(true, said),
        "auc": library.roc_auc_score(true, sure, multi_class="ovr", average="weighted"),
        "precision": library.precision_score(true, said, average="weighted", zero_division=0),
        "recall": library.recall_score(true, said, average="weighted"),
        "f1": library.f1_score(true, said, average="weighted"),
    }
    assert {name: whole[name] for name in expected} == pytest.approx(expected, abs=1e-9)
    for number, one in enumerate(each):
        is_true, is_said = true == number, said == number
        by_class = {
            "recall": library.recall_score(is_true, is_said),
            "precision": library.precision_score(is_true, is_said, zero_division=0),
            "f1": library.f1_score(is_true, is_said),
            "mcc": library.matthews_corrcoef(is_true, is_said),
            "false_positive_rate": np.mean(is_said[~is_true]),
            "auc": library.roc_auc_score(is_true, sure[:, number]),
            "prc": library.average_precision_score(is_true, sure[:, number]),
        }
        assert {name: one[name] for name in by_class} == pytest.approx(by_class, abs=1e-9)


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9), st.integers(1, 4)), min_size=2, max_size=9))
@settings(deadline=None)
def test_errors_of_counted_numbers_are_those_of_the_rows(pairs: list[tuple[float, float, int]]) -> None:
    truth, said, rows = (np.array(part) for part in zip(*pairs, strict=True))
    found = regression_metrics(truth, said, rows.astype(np.float64))
    true, guessed = np.repeat(truth, rows), np.repeat(said, rows)
    assert found["mean_absolute_error"] == pytest.approx(library.mean_absolute_error(true, guessed))
    assert found["root_mean_squared_error"] == pytest.approx(library.root_mean_squared_error(true, guessed))
    if np.ptp(truth) > 1e-3:
        assert found["r2"] == pytest.approx(library.r2_score(true, guessed), rel=1e-6)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3), st.integers(1, 3)), min_size=1, max_size=8))
def test_the_area_is_the_share_of_pairs_in_the_right_order(rows: list[tuple[bool, int, int]]) -> None:
    is_true, scores, often = (np.array(part) for part in zip(*rows, strict=True))
    area, _ = ranking_areas(is_true, scores.astype(np.float64), often.astype(np.float64))
    flat = [(true, score) for true, score, count in rows for _ in range(count)]
    pairs = [(a > b) + (a == b) / 2 for true, a in flat if true for other, b in flat if not other]
    if pairs:
        assert area == pytest.approx(np.mean(pairs))
    else:
        assert np.isnan(area)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40), st.integers(2, 5), st.integers(0, 9))
def test_every_stratum_is_dealt_evenly(strata: list[int], folds: int, seed: int) -> None:
    dealt = assign_folds(np.array(strata), folds, repeats=2, seed=seed)
    assert dealt.tolist() == assign_folds(np.array(strata), folds, repeats=2, seed=seed).tolist()
    for fold in dealt:
        for one in [np.ones(len(strata), bool), *(np.array(strata) == stratum for stratum in set(strata))]:
            sizes = np.bincount(fold[one], minlength=folds)
            assert sizes.max() - sizes.min() <= 1


@given(st.lists(st.sets(st.sampled_from("abcdef"), min_size=1), min_size=1, max_size=6))
def test_a_set_is_the_mean_of_its_values(sets: list[set[str]]) -> None:
    values = pl.Series(list("abcdef"))
    labels = pl.Series(["{" + ", ".join(sorted(one)) + "}" for one in sets])
    decoded = decode_column("letter", ColumnType.TEXT, values, labels)
    found = column_features(decoded, ColumnType.TEXT, np.ones(6, np.int64), np.ones(len(sets), np.int64))
    for row, one in zip(found.released, sets, strict=True):
        assert row == pytest.approx(found.of_values(pl.Series(sorted(one))).mean(axis=0))
