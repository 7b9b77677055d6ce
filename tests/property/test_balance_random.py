"""The balance of k on random tables: shared work changes nothing, and what is foretold is what a release has."""

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from celosia import DistinctLDiversity, anonymize, balance
from celosia.balancing import choose_technique
from celosia.measure.distribution import compare_tables
from celosia.privacy import KAnonymity
from celosia.recode.mondrian import CutRules, Split, Width, continue_mondrian, mondrian
from celosia.recode.target import with_target
from celosia.recode.task import RecodingTask
from celosia.tables import open_table

UNHURRIED = settings(deadline=None, max_examples=10)

VALUES = {
    "age": st.integers(0, 12),
    "paid": st.sampled_from([0.5, 1.25, 2.0, 7.75, 100.0]),
    "town": st.sampled_from(["a", "b", "c", "d", "e"]),
    "job": st.sampled_from(["x", "y", "z"]),
}
TYPES = {"age": pl.Int64, "paid": pl.Float64, "town": pl.String, "job": pl.String}


@st.composite
def tables(draw, *, least=4, most=60, missing=True) -> pl.DataFrame:
    rows = draw(st.integers(least, most))
    columns = {}
    for name, values in VALUES.items():
        cells = st.none() | values if missing and draw(st.booleans()) else values
        columns[name] = pl.Series(draw(st.lists(cells, min_size=rows, max_size=rows)), dtype=TYPES[name])
    return pl.DataFrame(columns)


def space_of(frame, columns, target):
    task = RecodingTask(table=open_table(frame), quasi_identifiers=tuple(columns), models=())
    counts = task.count(() if target is None else (target,))
    return with_target(task.space(counts), target, task.types)


@UNHURRIED
@given(
    tables(),
    st.sampled_from([Split.LOSS, Split.MEDIAN, Split.GAIN]),
    st.sampled_from(Width),
    st.booleans(),
    st.lists(st.integers(2, 12), min_size=2, max_size=5, unique=True).map(sorted),
)
def test_a_tree_cut_on_from_a_smaller_k_is_the_tree_of_a_fresh_run(frame, split, width, is_relaxed, ks):
    assume(ks[-1] <= len(frame))
    target = "job" if split is Split.GAIN else None
    space = space_of(frame, ["age", "paid", "town"], target)
    if is_relaxed:
        space = space.one_by_one()
    continued = None
    for k in ks:
        rules = CutRules((KAnonymity(k=k),), split=split, width=width, is_relaxed=is_relaxed, target=target)
        fresh = mondrian(space, rules)
        kept = None if continued is None else continued.tree.keep_large(k)
        continued = fresh if kept is None else continue_mondrian(space, kept, rules)
        assert continued.classes.tolist() == fresh.classes.tolist()
        assert continued.rows.tolist() == fresh.rows.tolist()
        assert continued.tree.order.tolist() == fresh.tree.order.tolist()


@UNHURRIED
@given(
    tables(least=20),
    st.sampled_from(["loss", "median", "distribution"]),
    st.sampled_from(["mode", "mean", "range"]),
    st.booleans(),
)
def test_a_k_gives_the_same_alone_and_among_others(frame, split, shown, has_diversity):
    assume(not has_diversity or frame["job"].n_unique() > 1)
    asked = {
        "quasi_identifiers": ["age", "paid", "town"],
        "split": split,
        "represent": shown,
        "sensitive": ["job"],
        "models": [DistinctLDiversity(l=2, column="job")] if has_diversity else [],
    }
    together = balance(frame, ks=[2, 3, 5, 8], **asked)
    for k in (3, 8):
        alone = balance(frame, ks=[k], **asked).points[k]
        swept = together.points[k]
        assert (alone.after, alone.before, alone.losses) == (swept.after, swept.before, swept.losses)
        assert alone.measures == swept.measures
        assert [column.distance for column in alone.columns] == [column.distance for column in swept.columns]
        assert [column.variation for column in alone.columns] == pytest.approx(
            [column.variation for column in swept.columns], abs=1e-12
        )


@UNHURRIED
@given(
    tables(),
    st.sampled_from(["loss", "median", "distribution"]),
    st.sampled_from(["mode", "median", "mean"]),
    st.sampled_from(["category", "drop", "mode"]),
    st.integers(2, 4),
)
def test_what_is_foretold_is_what_the_rows_of_the_release_show(frame, split, shown, missing, k):
    columns = ["age", "paid", "town"]
    assume(missing != "drop" or len(frame.drop_nulls(columns)) >= k)
    asked = {
        "quasi_identifiers": columns,
        "technique": "mondrian",
        "split": split,
        "represent": shown,
        "keep_type": ["town"],
        "missing": missing,
    }
    foretold = balance(frame, ks=[k], **asked).points[k]
    release = anonymize(frame, k=k, seed=1, common=["job"], **asked)
    measured = compare_tables(open_table(frame), open_table(release.table), columns)
    assert foretold.before.uniques == release.risk_before.uniques
    assert (foretold.after.rows, foretold.after.classes) == (
        release.risk_after.rows,
        release.risk_after.classes,
    )
    assert (foretold.after.k, foretold.after.uniques) == (release.risk_after.k, release.risk_after.uniques)
    assert foretold.measures == pytest.approx(release.plan.measures)
    for mine, theirs in zip(foretold.columns, measured.columns, strict=True):
        assert mine.kind == theirs.kind
        assert mine.distance == theirs.distance
        assert mine.significance == theirs.significance
        assert mine.variation == pytest.approx(theirs.variation, abs=1e-12)
        assert mine.wasserstein == theirs.wasserstein
        assert (mine.missing_before, mine.missing_after) == (theirs.missing_before, theirs.missing_after)
    assert _numbers(foretold.correlation_largest) == pytest.approx(
        _numbers(measured.correlation_largest), abs=1e-9
    )
    assert _numbers(foretold.correlation_mean) == pytest.approx(_numbers(measured.correlation_mean), abs=1e-9)


def _numbers(change: float | None) -> float:
    return -1.0 if change is None else change


@UNHURRIED
@given(tables(missing=False), st.data())
def test_rows_in_small_classes_are_those_counted_by_hand(frame, data):
    k = data.draw(st.integers(2, len(frame)))
    found = balance(frame, quasi_identifiers=["age", "town"], ks=[k]).points[k]
    sizes = frame.group_by("age", "town").len()["len"].to_numpy()
    document = found.to_dict()
    assert document["below_k"] == {"before": int(sizes[sizes < k].sum()), "after": 0}
    assert document["singled_out"] == {"before": int(np.count_nonzero(sizes == 1)), "after": 0}


@UNHURRIED
@given(tables(missing=False, least=10))
def test_the_best_k_is_the_largest_at_which_every_column_passes(frame):
    found = balance(frame, quasi_identifiers=["age", "paid"], ks=range(2, 11), tolerance=0.2)
    assert found.technique == choose_technique(
        RecodingTask(table=open_table(frame), quasi_identifiers=("age", "paid"), models=())
    )
    sound = [
        k for k, point in found.points.items() if all(column.distance <= 0.2 for column in point.columns)
    ]
    published = [
        k for k, point in found.points.items() if all(column.significance >= 0.95 for column in point.columns)
    ]
    assert found.best("sound") == max(sound, default=None)
    assert found.best("published") == max(published, default=None)
