"""Compressed files are tables like others, and one that would unpack to a mountain is refused before it is read."""

import bz2
import gzip
import lzma
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import polars as pl
import pytest

from celosia.errors import TableError
from celosia.tables import Recoding, open_table, packing, write_frame
from celosia.tables.packing import check_unpacked_size

TEXT = b"town;age\nLe\xc3\xb3n;31\nVigo;47\n"


def rows(path, **how):
    return pl.concat(list(open_table(path, **how).scan())).rows()


@pytest.fixture(autouse=True)
def own_folder(tmp_path_factory, monkeypatch):
    """Temporary files lie where no other process puts any."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))


def leftovers():
    return list(Path(tempfile.gettempdir()).iterdir())


def zstandard(data: bytes) -> bytes:
    import pyarrow

    return pyarrow.compress(data, "zstd", asbytes=True)


@pytest.mark.parametrize(
    ("ending", "pack"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".zst", zstandard)],
)
def test_a_compressed_text_is_the_table_in_it(tmp_path, ending, pack):
    path = tmp_path / f"people.csv{ending}"
    path.write_bytes(pack(TEXT))
    assert rows(path) == [("León", "31"), ("Vigo", "47")]
    assert open_table(path).name == str(path)
    path.write_bytes(pack(TEXT) + pack(b"Lugo;50\n"))  # as two logs put together are
    assert rows(path)[-1] == ("Lugo", "50")


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst", ".zip"])
def test_a_release_is_compressed_as_its_name_says(tmp_path, ending):
    source = tmp_path / "people.csv"
    source.write_bytes(TEXT)
    table = open_table(source)
    table.write(Recoding(keeps_order=True), tmp_path / f"safe.csv{ending}")
    assert (tmp_path / f"safe.csv{ending}").read_bytes()[:4] != TEXT[:4]
    assert rows(tmp_path / f"safe.csv{ending}", separator=";") == [("León", "31"), ("Vigo", "47")]


def test_a_compressed_release_says_neither_when_nor_from_what_it_was_made(tmp_path):
    for name in ("a.csv.gz", "b.csv.gz"):
        write_frame(pl.DataFrame({"age": [31]}), tmp_path / name)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_one_file_in_an_archive_is_the_table_and_of_several_one_is_named(tmp_path):
    path = tmp_path / "people.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/people.csv", TEXT)
        archive.writestr("__MACOSX/data/._people.csv", b"\0")
    assert rows(path) == [("León", "31"), ("Vigo", "47")]
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("data/more.csv", TEXT.replace(b"Vigo", b"Lugo"))
    with pytest.raises(TableError) as caught:
        open_table(path)
    said = "the archive holds 2 files; name one with --table: data/people.csv, data/more.csv"
    assert str(caught.value).endswith(said)
    assert rows(path, table="data/more.csv")[1] == ("Lugo", "47")
    assert len(rows(path, table=["data/people.csv", "data/more.csv"])) == 4
    with pytest.raises(TableError, match=r"there is no file 'x.csv' in the archive"):
        open_table(path, table="x.csv")


def test_what_was_unpacked_is_gone_when_nobody_reads_it(tmp_path):
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(TEXT))
    table = open_table(path)
    assert len(leftovers()) == 1
    batches = table.scan()
    del table
    assert next(batches).height == 2
    del batches
    assert not leftovers()


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst", ".zip"])
def test_a_file_that_is_not_what_its_ending_says_is_named(tmp_path, ending):
    path = tmp_path / f"people.csv{ending}"
    path.write_bytes(TEXT)
    with pytest.raises(TableError, match=r"this is not a (compressed file|ZIP archive)") as caught:
        open_table(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_mistake_in_a_compressed_file_names_the_file_and_its_line(tmp_path):
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(TEXT + b"Lugo\n"))
    with pytest.raises(TableError) as caught:
        rows(path)
    assert str(caught.value).startswith(f"{path}: line 4 has 1 field instead of 2")


@pytest.fixture
def small_bounds(monkeypatch):
    monkeypatch.setattr(packing, "HARMLESS", 1 << 20)


def bomb(ending: str, path: Path, size: int) -> Path:
    zeros = b"0" * size
    if ending == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("people.csv", zeros)
    else:
        pack = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstandard}[ending]
        path.write_bytes(pack(zeros))
    return path


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst", ".zip"])
def test_a_small_file_that_unpacks_to_a_mountain_is_refused_in_a_sentence(tmp_path, small_bounds, ending):
    path = bomb(ending, tmp_path / f"people.csv{ending}", 8 << 20)
    with pytest.raises(TableError) as caught:
        open_table(path)
    text = str(caught.value)
    assert (
        "over 200 times as much, which no table does; unpack it yourself if you trust whoever made it" in text
    )
    assert "\n" not in text
    assert not leftovers()


@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
def test_a_spreadsheet_that_unpacks_to_a_mountain_is_refused_before_it_is_read(
    tmp_path, small_bounds, ending
):
    path = bomb(".zip", tmp_path / f"people{ending}", 8 << 20)
    with pytest.raises(TableError, match="over 200 times as much, which no table does"):
        open_table(path)


def test_a_spreadsheet_larger_than_memory_allows_is_refused(tmp_path):
    path = tmp_path / "people.xlsx"
    write_frame(pl.DataFrame({"age": range(1000)}), path)
    check_unpacked_size(path, most=1 << 20)
    with pytest.raises(
        TableError, match=r"the spreadsheet unpacks to .* are the most that memory allows; save it"
    ):
        check_unpacked_size(path, most=1 << 12)


def test_an_archive_that_lies_about_its_size_is_measured(tmp_path, small_bounds):
    path = bomb(".zip", tmp_path / "people.xlsx", 8 << 20)
    data = path.read_bytes()
    lie = (1000).to_bytes(4, "little")
    path.write_bytes(data.replace((8 << 20).to_bytes(4, "little"), lie))
    with zipfile.ZipFile(path) as archive:
        assert sum(member.file_size for member in archive.infolist()) == 1000
    with pytest.raises(TableError, match="over 200 times as much"):
        open_table(path)


def test_sizes_are_counted_as_they_come_out(tmp_path):
    """By another formula: the archive unpacked as a whole."""
    path = tmp_path / "people.xlsx"
    write_frame(pl.DataFrame({"age": range(50_000)}), path)
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        whole = sum(len(archive.read(member)) for member in members)
    assert packing._inflated_size(path, members, most=1 << 40) == whole


def test_an_xz_file_that_asks_for_gigabytes_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "people.csv.xz"
    path.write_bytes(lzma.compress(TEXT, preset=9))
    assert rows(path) == [("León", "31"), ("Vigo", "47")]
    monkeypatch.setattr(packing, "_MOST_FOR_XZ", 1 << 16)
    with pytest.raises(TableError, match=r"this is not a compressed file \(Memory usage limit exceeded\)"):
        open_table(path)


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst"])
def test_a_file_that_was_cut_off_is_told(tmp_path, ending):
    whole = bomb(ending, tmp_path / f"people.csv{ending}", 1 << 16).read_bytes()
    (tmp_path / f"cut.csv{ending}").write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(TableError, match="this is not a compressed file"):
        open_table(tmp_path / f"cut.csv{ending}")


def test_what_a_killed_process_had_unpacked_is_erased_by_the_next(tmp_path):
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(TEXT))
    program = (
        "import os, signal, sys; from celosia.tables import open_table; table = open_table(sys.argv[1]);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    there = {**os.environ, "TMPDIR": tempfile.gettempdir()}
    subprocess.run([sys.executable, "-c", program, str(path)], env=there, check=False)
    assert len(leftovers()) == 1
    open_table(path)
    assert not leftovers()
