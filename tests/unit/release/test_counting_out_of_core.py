"""Counting for the verification by an engine: nothing twice, and an interrupt is heard while it counts."""

import os
import signal
import threading

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.privacy import DistinctLDiversity, EntropyLDiversity
from celosia.release import verify as verification
from celosia.release.counting import OTHERS, _described, out_of_core
from celosia.tables import open_table

FOR_HOURS = (
    "CREATE OR REPLACE VIEW source AS SELECT a.range % 7 AS x, b.range % 5 AS y "
    "FROM range(100000000) a, range(100000000) b"
)
ASKED = {"sizes": lambda counting: counting.sizes(), "values": lambda counting: counting.values("y")}


@pytest.mark.parametrize("asked", ASKED)
def test_whoever_loses_patience_does_not_wait_until_everything_is_counted(tmp_path, asked):
    pytest.importorskip("duckdb")
    table = open_table(pl.DataFrame({"x": [1, 1, 2], "y": [0, 1, 1]}))
    impatience = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with out_of_core(table, ["x"], ["y"], memory=1 << 27, folder=tmp_path) as counting:
        counting.connection.execute(FOR_HOURS)
        impatience.start()
        with pytest.raises(KeyboardInterrupt):
            ASKED[asked](counting)
    assert list(tmp_path.iterdir()) == []


def test_values_are_asked_for_once_whoever_wants_them(tmp_path, monkeypatch):
    pytest.importorskip("duckdb")
    table = open_table(pl.DataFrame({"x": [1, 1, 2, 2], "y": ["a", None, "b", "a"]}))
    with out_of_core(table, ["x"], ["y"], memory=1 << 27, folder=tmp_path) as counting:
        first, ask = counting.values("y"), []
        monkeypatch.setattr(type(counting), "_ask", lambda self, query: ask.append(query))
        assert counting.values("y") == first == ("a", "b", None)
        classes = [sorted(entries.rows()) for entries, _ in counting.entries("y")]
    assert ask == []
    assert classes == [[(0, 0, 1), (0, 2, 1)], [(0, 0, 1), (0, 1, 1)]]


@pytest.mark.parametrize("memory", [None, 1 << 27])
def test_a_column_is_folded_once_for_all_its_models(tmp_path, monkeypatch, memory):
    folded, read = [], verification.read_views
    monkeypatch.setattr(
        verification, "read_views", lambda texts, **how: folded.append(len(texts)) or read(texts, **how)
    )
    table = open_table(pl.DataFrame({"x": [1, 1, 1], "y": ["a", "A", "b"]}))
    models = [DistinctLDiversity(column="y", l=2), EntropyLDiversity(column="y", l=1.5)]
    found = verification.verify(table, quasi_identifiers=["x"], models=models, memory=memory, folder=tmp_path)
    assert folded == [3]
    assert [one.reached for one in found.findings] == [2, pytest.approx(1.889882), 1]


rows = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["a", "b", None, ""]), st.integers(1, 4), st.booleans()),
    min_size=1,
)


@given(rows)
def test_classes_are_described_as_row_by_row(found):
    frame = pl.DataFrame(found, schema=["class", "value", "n", "chosen"], orient="row").cast(
        {"value": pl.String}
    )
    overall = frame.group_by("value").agg(pl.col("n").sum() + 1).sort("value").with_row_index("number")
    place = {value: number for number, value, _ in overall.iter_rows()}
    chosen = frame.get_column("chosen").to_numpy()
    entries, others = _described(frame, frame.get_column("class").to_numpy(), overall, chosen)
    assert entries.rows() == [(number, place[value], n) for number, value, n, is_in in found if is_in]
    left = {place[value]: n for _, value, n in overall.iter_rows()}
    for _, value, n, is_in in found:
        left[place[value]] -= n * is_in
    assert others.rows() == [(OTHERS, number, n) for number, n in sorted(left.items()) if n]
    assert entries.schema["value"] == others.schema["value"] == pl.Int64
