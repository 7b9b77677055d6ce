"""Writing: in random order, in private, in bounded memory, and without a trace when it fails."""

import errno
import gc
import io
import math
import os
import stat
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from celosia.errors import TableError
from celosia.tables import FileDestination, Recoding, Written, open_table, open_written, private, write_frame
from celosia.tables.format import FileLayout
from celosia.tables.formats import find_format
from celosia.tables.row_buckets import RowBuckets
from celosia.tables.shuffle import RowShuffle


def numbered(path: Path, rows: int) -> Path:
    write_frame(
        pl.DataFrame(
            {"id": range(rows), "age": [20 + i % 50 for i in range(rows)], "note": ["x" * 40] * rows}
        ),
        path,
    )
    return path


def test_every_order_of_the_rows_is_equally_likely(tmp_path):
    table = open_table(pl.DataFrame({"id": [0, 1, 2, 3]}))
    orders = Counter(tuple(table.recode(Recoding(), seed=seed)[0]["id"]) for seed in range(1200))
    assert len(orders) == math.factorial(4)
    assert (
        sum((count - 50) ** 2 / 50 for count in orders.values()) < 49.7
    )  # chi-square, 23 degrees, p = 0.001


def test_buckets_do_not_make_some_orders_likelier():
    orders: Counter[tuple[int, ...]] = Counter()
    for seed in range(1200):
        with RowShuffle(Path(), size=3 << 25, memory=1 << 30, seed=seed) as shuffle:
            assert shuffle.buckets == 3
            shuffle.add(pl.DataFrame({"id": [0, 1]}))
            shuffle.add(pl.DataFrame({"id": [9, 2, 3]}), np.array([False, True, True]))
            orders[tuple(row for part in shuffle.parts() for row in part["id"])] += 1
    assert len(orders) == math.factorial(4)
    assert sum((count - 50) ** 2 / 50 for count in orders.values()) < 49.7


@pytest.mark.parametrize("suffix", ["csv", "parquet", "json", "xlsx", "arff"])
def test_little_memory_gives_the_same_rows_in_the_same_order(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr("celosia.tables.shuffle._BUCKET_BYTES", 1 << 12)
    source = numbered(tmp_path / f"people.{suffix}", 2000)
    spilled = []
    spill = RowBuckets.spill
    monkeypatch.setattr(RowBuckets, "spill", lambda piles: (spilled.append(1), spill(piles))[1])
    for name, memory in (("roomy", 1 << 30), ("tight", 1 << 10)):
        open_table(source, memory=memory).write(Recoding(), tmp_path / f"{name}.{suffix}", seed=3)
    assert spilled
    roomy, tight = (
        pl.concat(list(open_table(tmp_path / f"{name}.{suffix}").scan())) for name in ("roomy", "tight")
    )
    assert roomy.equals(tight)
    assert sorted(roomy["id"].cast(pl.Int64)) == list(range(2000))
    assert roomy["id"].cast(pl.Int64).to_list() != list(range(2000))
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_parquet_with_large_row_groups_is_read_a_few_rows_at_a_time(tmp_path, monkeypatch):
    source = numbered(tmp_path / "people.parquet", 5000)
    whole = pl.concat(list(open_table(source).scan()))
    monkeypatch.setattr("celosia.tables.formats.parquet._GROUP_BYTES", 0)
    monkeypatch.setattr("celosia.tables.formats.parquet._BATCH_BYTES", 0)
    batches = list(open_table(source).scan())
    assert max(len(batch) for batch in batches) <= 1024
    assert pl.concat(batches).equals(whole)
    assert next(open_table(source).scan(["note"])).columns == ["note"]


def test_only_its_owner_may_read_what_is_written(tmp_path, monkeypatch):
    source, target = numbered(tmp_path / "people.csv", 100), tmp_path / "safe.csv"
    modes = []

    def look(stage: str, share: float) -> None:
        modes.append(stat.S_IMODE(target.stat().st_mode))
        modes.extend(
            stat.S_IMODE(path.stat().st_mode)
            for path in tmp_path.iterdir()
            if path.name.startswith(".celosia")
        )

    open_table(source, memory=1).write(Recoding(), target, progress=look)
    assert set(modes) == {0o600, 0o700}
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, RuntimeError])
@pytest.mark.parametrize("stage", ["recoding rows", "writing rows"])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_an_interrupted_write_leaves_nothing(tmp_path, error, stage, suffix):
    source = numbered(tmp_path / f"people.{suffix}", 100)

    def interrupt(now: str, share: float) -> None:
        if now == stage:
            raise error

    with pytest.raises(error):
        open_table(source, memory=1).write(Recoding(), tmp_path / f"safe.{suffix}", progress=interrupt)
    assert list(tmp_path.iterdir()) == [source]


def test_a_second_interrupt_does_not_stop_the_cleaning(tmp_path, monkeypatch):
    tries, erase = [], private._erase_all

    def impatient(folder, *arguments):
        tries.append(folder)
        if len(tries) == 1:
            raise KeyboardInterrupt
        erase(folder, *arguments)

    monkeypatch.setattr(private, "_erase_all", impatient)
    with pytest.raises(KeyboardInterrupt):
        open_table(numbered(tmp_path / "people.csv", 10), memory=1).write(Recoding(), tmp_path / "safe.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_bad_row_at_the_end_leaves_nothing(tmp_path):
    source = tmp_path / "people.csv"
    source.write_text("a,b\n" + "1,2\n" * 100 + "3\n")
    with pytest.raises(TableError, match="line 102 has 1 field"):
        open_table(source, memory=1).write(Recoding(), tmp_path / "safe.csv")
    assert list(tmp_path.iterdir()) == [source]


def test_a_reserved_empty_file_may_be_written(tmp_path):
    (tmp_path / "safe.csv").touch()
    open_table(numbered(tmp_path / "people.csv", 3)).write(Recoding(), tmp_path / "safe.csv")
    assert len((tmp_path / "safe.csv").read_text().splitlines()) == 4


def test_rows_are_accounted_for(tmp_path):
    source = numbered(tmp_path / "people.csv", 100)
    recoding = Recoding(
        dropped=("note",),
        excluded={"age": (20,)},
        maps={"age": {age: "young" if age < 45 else "old" for age in range(20, 70)}},
        suppressed=pl.DataFrame({"age": ["old", "never seen"]}),
    )
    written = open_table(source).write(recoding, tmp_path / "safe.csv")
    assert written == Written(source=100, written=48, excluded=2, suppressed=50)
    assert set(pl.read_csv(tmp_path / "safe.csv")["age"]) == {"young"}


def test_suppressed_combinations_may_be_many_and_wide(tmp_path):
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({f"q{i}": rng.integers(0, 1000, 3000).astype(str) for i in range(8)})
    gone = frame.sample(500, seed=1)
    recoded, written = open_table(frame).recode(Recoding(suppressed=gone))
    assert (
        recoded.height == frame.join(gone, on=frame.columns, how="anti").height == 3000 - written.suppressed
    )


def test_a_recoded_column_is_plain_text_in_a_typed_file_and_others_keep_their_type(tmp_path):
    frame = pl.DataFrame({"age": [31, 47], "kept": pl.Series([1, 2], dtype=pl.UInt8)})
    write_frame(frame, tmp_path / "people.parquet")
    table = open_table(tmp_path / "people.parquet")
    table.write(Recoding(maps={"age": {31: "adult", 47: None}}), tmp_path / "safe.parquet")
    safe = pl.read_parquet(tmp_path / "safe.parquet")
    assert safe.dtypes == [pl.String, pl.UInt8]
    assert sorted(safe.rows(), key=lambda row: row[1]) == [("adult", 1), (None, 2)]


def test_labels_of_rows_that_stay_behind_are_not_in_the_file(tmp_path):
    frame = pl.DataFrame(
        {"age": ["31", "unique-113"], "town": pl.Series(["x", "secret"], dtype=pl.Categorical)}
    )
    write_frame(frame, tmp_path / "people.parquet")
    recoding = Recoding(
        maps={"age": {"31": "31", "unique-113": "unique-113"}},
        suppressed=pl.DataFrame({"age": ["unique-113"]}),
    )
    open_table(tmp_path / "people.parquet").write(recoding, tmp_path / "safe.parquet")
    data = (tmp_path / "safe.parquet").read_bytes()
    assert b"unique-113" not in data
    assert b"secret" not in data


def test_a_saved_frame_replaces_what_was_there(tmp_path):
    for ages in ([1, 2], [3]):
        write_frame(pl.DataFrame({"age": ages}), tmp_path / "people.csv")
    assert (tmp_path / "people.csv").read_text() == "age\n3\n"
    with pytest.raises(TableError, match="the file cannot be written"):
        write_frame(pl.DataFrame({"age": [1]}), os.path.join(tmp_path, "none", "people.csv"))


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("target", ["safe.csv", "safe.tsv", "safe.xlsx", "safe.parquet"])
def test_what_was_written_is_opened_in_its_own_dialect(tmp_path, encoding, header, target):
    lines = ["id||town||age", "1||Málaga||31", "2||León||47"]
    (tmp_path / "people.txt").write_text("\n".join(lines[not header :]), encoding=encoding)
    table = open_table(tmp_path / "people.txt", separator="||", encoding=encoding, header=header)
    identifier, town, age = table.columns()
    recoding = Recoding(dropped=(identifier,), maps={age: {31: "adult", 47: "adult"}})
    table.write(recoding, tmp_path / target)
    written = open_written(table, recoding, tmp_path / target)
    assert written.columns() == (town, age)
    assert written.count_by([town]).values[0].to_list() == ["León", "Málaga"]


def test_a_destination_with_a_dialect_of_its_own_is_opened_in_it(tmp_path):
    table = open_table(numbered(tmp_path / "people.csv", 3))
    target = FileDestination(tmp_path / "safe", format="csv", separator="<>", encoding="utf-16", header=False)
    table.write(Recoding(), target)
    assert open_written(table, Recoding(), target).count_by(["id"]).values[0].to_list() == [0, 1, 2]


@pytest.mark.parametrize("suffix", ["json", "ndjson"])
def test_infinite_numbers_do_not_become_missing_ones(tmp_path, suffix):
    frame = pl.DataFrame({"^rate$": [1.5, float("inf"), None]})
    with pytest.raises(TableError, match="infinite numbers, and JSON has none; write CSV or Parquet"):
        write_frame(frame, tmp_path / f"safe.{suffix}")
    write_frame(frame.head(1), tmp_path / f"safe.{suffix}")


class FullDisk(io.BytesIO):
    """A file on a disk that has no space left after its first bytes."""

    def write(self, data):
        if self.tell() + len(data) > 100:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)


@pytest.mark.parametrize("ending", ["xlsx", "arff"])
def test_a_full_disk_is_an_error_of_the_disk_and_leaves_nothing_elsewhere(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    frame = pl.DataFrame({"age": range(2000), "town": ["Soria"] * 2000})
    sink = find_format(Path(f"safe.{ending}"), None).create(
        FullDisk(), FileLayout(open_table(frame).schema())
    )
    sink.append(frame)
    with pytest.raises(OSError, match="No space left on device"):
        sink.close()
    sink.abandon()
    del sink
    gc.collect()  # what is left behind half written would complain now
    assert list(tmp_path.iterdir()) == []


def test_numbers_that_a_sheet_would_make_one_stay_apart(tmp_path):
    frame = pl.DataFrame({"x": [0.1 + 0.2, 0.3, 1.5]})
    write_frame(frame, tmp_path / "safe.xlsx")
    assert len(open_table(tmp_path / "safe.xlsx").count_by(["x"])) == 3
