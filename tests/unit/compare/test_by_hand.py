"""A comparison done again by hand, fold by fold with scikit-learn: every figure and the paired test are the same."""

from functools import cache

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from celosia.compare import compare_techniques
from celosia.measure.learning.people import assign_folds

ROWS, FOLDS, REPEATS, SEED = 120, 3, 2, 5
MODEL = "logistic-regression"
RANDOM = np.random.default_rng(7)
NUMBERS = RANDOM.normal(0, (1, 30), (ROWS, 2))
ILL = (NUMBERS @ (1, 0.05) + RANDOM.normal(0, 1, ROWS) > 0).astype(int)
PEOPLE = pl.DataFrame({"a": NUMBERS[:, 0], "b": NUMBERS[:, 1], "ill": np.array(["no", "yes"])[ILL]})
NOISY = NUMBERS + RANDOM.normal(0, (1, 30), (ROWS, 2))
EVERYBODY, HALF = np.arange(ROWS), np.arange(0, ROWS, 2)


def noisy(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(a=pl.Series(NOISY[:, 0]), b=pl.Series(NOISY[:, 1]))


def half(frame: pl.DataFrame) -> pl.DataFrame:
    return frame[::2]


@pytest.fixture(scope="module")
def found():
    return compare_techniques(
        PEOPLE, "ill", {"noisy": noisy, "half": half}, [MODEL],
        folds=FOLDS, repeats=REPEATS, seed=SEED, jobs=1, measures=(), scaled=False,
    )  # fmt: skip


@cache
def by_hand(table, tested_on):
    """The scores of every fold, its rows, and the rows trained on."""
    learnt, people, asked, shown = CELLS[table, tested_on]
    dealt = assign_folds(
        ILL, FOLDS, repeats=REPEATS, seed=SEED
    )  # people are known by their numbers, and come in that order
    scores = []
    for fold in (dealt == number for number in range(FOLDS)):
        for held_out in fold:
            rows, tested = (
                np.setdiff1d(people, np.flatnonzero(held_out)),
                np.intersect1d(shown, np.flatnonzero(held_out)),
            )
            scaler = StandardScaler().fit(learnt[rows])
            model = LogisticRegression(max_iter=2_000, tol=1e-3).fit(
                scaler.transform(learnt[rows]), ILL[rows]
            )
            chances = model.predict_proba(scaler.transform(asked[tested]))
            truth, said = ILL[tested], chances.argmax(axis=1)
            wrong = chances - np.eye(2)[truth]
            scores.append(
                {
                    "accuracy": (said == truth).mean(),
                    "mean_absolute_error": np.abs(wrong).mean(),
                    "root_mean_squared_error": np.sqrt((wrong**2).mean()),
                    "f1": metrics.f1_score(truth, said, average="weighted"),
                    "mcc": metrics.matthews_corrcoef(truth, said),
                    "auc": metrics.roc_auc_score(truth, chances[:, 1]),
                    "rows": len(tested),
                    "trained": len(rows),
                }
            )
    return pl.DataFrame(scores)


CELLS = {
    ("original", "release"): (NUMBERS, EVERYBODY, NUMBERS, EVERYBODY),
    ("noisy", "release"): (NOISY, EVERYBODY, NOISY, EVERYBODY),
    ("noisy", "original"): (NOISY, EVERYBODY, NUMBERS, EVERYBODY),
    ("half", "release"): (NUMBERS, HALF, NUMBERS, HALF),
    ("half", "original"): (NUMBERS, HALF, NUMBERS, EVERYBODY),
}


@pytest.mark.parametrize(("table", "tested_on"), CELLS)
def test_scores_and_the_paired_test_are_those_done_by_hand(found, table, tested_on):
    folds, original = by_hand(table, tested_on), by_hand("original", "release")
    learnt = found.find(table, MODEL, tested_on=tested_on)
    weights = folds["rows"].to_numpy()
    for name in ("accuracy", "mean_absolute_error", "root_mean_squared_error", "f1", "mcc", "auc"):
        assert learnt.scores[name][0] == pytest.approx(np.average(folds[name], weights=weights)), name
    if table == "original":
        return
    gaps = (folds["accuracy"] - original["accuracy"]).to_numpy()
    gap, count = np.average(gaps, weights=weights), len(gaps)
    # Nadeau and Bengio: folds share the rows trained on, so that 1 / count alone would be too little.
    error = np.sqrt((1 / count + folds["rows"].mean() / folds["trained"].mean()) * gaps.var(ddof=1))
    told = found.difference(table, MODEL, tested_on=tested_on)
    assert told.value == pytest.approx(gap)
    assert told.p_value == pytest.approx(2 * stats.t.sf(abs(gap / error), count - 1))
    reach = stats.t.ppf(0.975, count - 1) * error
    assert told.interval == pytest.approx((gap - reach, gap + reach))
