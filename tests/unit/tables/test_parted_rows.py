"""Rows part by part: every row once, in bounded memory, and nothing left behind."""

import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl
import pytest

from celosia.errors import ProjectError, TableError
from celosia.tables import Recoding, open_table, write_frame
from celosia.tables.duckdb_engine import open_duck, place_sql, stage
from celosia.tables.parted_table import parted_rows
from celosia.tables.splitter import Range
from celosia.types import ColumnType


@dataclass
class Thirds:
    """Three parts by a number, of which it is written down what they were asked."""

    rows: Sequence[int]
    excluded: int = 0
    columns: tuple[str, ...] = ("n",)
    spare: int = 1 << 20
    count: int = 3
    seen: list[pl.DataFrame] = field(default_factory=list)

    def prepare(self, frame: pl.DataFrame) -> pl.DataFrame:
        return frame.with_columns(pl.col("t").fill_null("none"))

    def number(self, frame: pl.DataFrame) -> np.ndarray:
        return frame.get_column("n").to_numpy() % 3

    def recode(self, part: pl.DataFrame) -> Recoding:
        self.seen.append(part)
        return Recoding(dropped=(str(len(self.seen)),))


@pytest.fixture
def table(tmp_path):
    frame = pl.DataFrame({"t": ["a long text with an ñ", None] * 300, "n": range(600), "x": [1.5] * 600})
    write_frame(frame, tmp_path / "people.parquet")
    return open_table(tmp_path / "people.parquet")


@pytest.mark.parametrize("memory", [0, 1 << 30])
def test_every_row_comes_once_with_the_recoding_of_its_part(table, tmp_path, memory):
    parts = Thirds((200, 200, 200))
    found = []
    with parted_rows(table.reader, ["t", "n"], parts, folder=tmp_path, memory=memory) as rows:
        for recoding, frames in rows:
            whole = pl.concat(list(frames))
            assert whole.columns == ["t", "n"]
            assert set(whole.get_column("n") % 3) == {len(found)}
            assert recoding.dropped == (str(len(found) + 1),)
            found.append(whole)
    whole = pl.concat(found).sort("n")
    assert whole.get_column("n").to_list() == list(range(600))
    assert whole.get_column("t").to_list() == ["a long text with an ñ", "none"] * 300
    assert [part.columns for part in parts.seen] == [["n"]] * 3
    assert [part.height for part in parts.seen] == [200] * 3


def test_files_are_private_and_vanish_as_they_are_read(table, tmp_path):
    counted = []
    with parted_rows(table.reader, ["t", "n"], Thirds((200, 200, 200)), folder=tmp_path, memory=0) as rows:
        (folder,) = tmp_path.glob(".celosia-*")
        assert folder.stat().st_mode & 0o777 == 0o700
        for _, frames in rows:
            list(frames)
            counted.append(len(list(folder.glob("*.arrow"))))
    assert counted == [2, 1, 0]
    assert [one.name for one in tmp_path.iterdir()] == ["people.parquet"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_nothing_is_left_behind_when_rows_are_not_taken(table, tmp_path, error):
    def fail():
        with parted_rows(
            table.reader, ["t", "n"], Thirds((200, 200, 200)), folder=tmp_path, memory=0
        ) as rows:
            _, frames = next(rows)
            next(frames)
            raise error

    with pytest.raises(error):
        fail()
    assert [one.name for one in tmp_path.iterdir()] == ["people.parquet"]


def test_nothing_is_left_behind_when_sorting_rows_fails(table, tmp_path):
    class Broken(Thirds):
        def number(self, frame):
            raise KeyboardInterrupt

    with (
        pytest.raises(KeyboardInterrupt),
        parted_rows(table.reader, ["t", "n"], Broken((600, 0, 0)), folder=tmp_path, memory=0),
    ):
        pass
    assert [one.name for one in tmp_path.iterdir()] == ["people.parquet"]


@pytest.mark.parametrize(
    ("rows", "excluded"), [((201, 200, 199), 0), ((200, 200, 199), 0), ((200, 200, 200), 1)]
)
def test_rows_that_are_not_those_counted_are_refused(table, tmp_path, rows, excluded):
    with (
        pytest.raises(TableError, match=r"people\.csv: the table changed"),
        parted_rows(
            table.reader, ["t", "n"], Thirds(rows, excluded), folder=tmp_path, memory=0, where="people.csv"
        ),
    ):
        pass


def test_excluded_rows_may_be_in_any_part(table, tmp_path):
    with parted_rows(
        table.reader, ["t", "n"], Thirds((200, 190, 195), 15), folder=tmp_path, memory=0
    ) as rows:
        assert sum(frame.height for _, frames in rows for frame in frames) == 600


class Whole:
    """One part."""

    def sql(self, names):
        return "0", []


def test_a_path_that_looks_like_a_pattern_is_read_as_it_is(tmp_path):
    (tmp_path / "x1").write_text("no table")
    stage([pl.DataFrame({"q0": [1, 2]})], tmp_path / "x[1]")
    with open_duck(tmp_path / "x[1]", ["q0"], [pl.Int64()], [], folder=tmp_path, memory=1 << 27) as duck:
        assert duck.extremes(Whole()).get_column("rows").to_list() == [2]


def test_the_engine_neither_loads_extensions_nor_prints(tmp_path, capfd):
    stage([pl.DataFrame({"q0": [1, 2]})], tmp_path / "rows")
    with open_duck(tmp_path / "rows", ["q0"], [pl.Int64()], [], folder=tmp_path, memory=1 << 27) as duck:
        asked = (
            "SELECT name, value FROM duckdb_settings() WHERE name LIKE 'auto%extensions' "
            "OR name IN ('allow_community_extensions', 'enable_progress_bar')"
        )
        assert set(dict(duck.engine.connection.sql(asked).fetchall()).values()) == {"false"}
    assert capfd.readouterr() == ("", "")


def test_what_the_engine_cannot_read_is_an_error_with_a_place(tmp_path):
    (tmp_path / "rows").write_text("no table")
    with (
        pytest.raises(TableError, match="people: the rows could not be counted"),
        open_duck(tmp_path / "rows", ["q0"], [pl.Int64()], [], folder=tmp_path, memory=0, where="people"),
    ):
        pass


def test_too_little_memory_for_the_engine_is_an_error_with_a_remedy(tmp_path):
    stage([pl.DataFrame({"q0": [f"{i:060d}" for i in range(300_000)]})], tmp_path / "rows")
    with open_duck(tmp_path / "rows", ["q0"], [pl.String()], ["q0"], folder=tmp_path, memory=0) as duck:
        duck.engine.connection.execute("SET memory_limit = '2MB'")
        with pytest.raises(ProjectError, match="allow more with --memory"):
            duck.values(Whole(), 0)


def test_a_query_that_is_interrupted_interrupts_us(tmp_path):
    stage([pl.DataFrame({"q0": [1]})], tmp_path / "rows")
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    with open_duck(tmp_path / "rows", ["q0"], [pl.Int64()], [], folder=tmp_path, memory=1 << 27) as duck:
        many = "SELECT hash(range) % 7 AS q0 FROM range(300000000)"
        endless = replace(duck, engine=replace(duck.engine, source=many))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            endless.extremes(Whole())


def test_bins_hold_what_lies_between_their_extremes(tmp_path):
    values = pl.Series("q0", [-np.inf, *np.linspace(0, 1, 1001), 1e300, np.inf])
    stage([values.to_frame()], tmp_path / "rows")
    with open_duck(tmp_path / "rows", ["q0"], [pl.Float64()], [], folder=tmp_path, memory=1 << 27) as duck:
        bins = duck.bins(Whole(), 0, {0: Range(-np.inf, np.inf, 0.0, 1e300)}).sort("low")
        assert bins.select("low", "high", "rows").rows() == [
            (-np.inf, -np.inf, 1),
            (0.0, 1.0, 1001),
            (1e300, 1e300, 1),
            (np.inf, np.inf, 1),
        ]
        inner = duck.bins(Whole(), 0, {0: Range(0.0, 1.0, 0.0, 1.0)}).sort("low")
    assert inner.get_column("rows").sum() == 1001
    assert (inner.get_column("high")[:-1] < inner.get_column("low")[1:]).all()
    assert inner.height == 256


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [
        (pl.UInt64(), ColumnType.INTEGER),
        (pl.Decimal(10, 2), ColumnType.DECIMAL),
        (pl.String(), ColumnType.INTEGER),
        (pl.Int64(), ColumnType.TEXT),
        (pl.Datetime("ns"), ColumnType.DATETIME),
        (pl.Datetime("us", "UTC"), ColumnType.DATETIME),
        (pl.Categorical(), ColumnType.TEXT),
        (pl.Float64(), None),
    ],
)
def test_columns_that_the_engine_might_read_otherwise_are_left_to_us(dtype, kind):
    assert place_sql("a", dtype, kind, ()) is None
