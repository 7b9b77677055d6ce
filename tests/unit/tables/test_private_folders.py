"""Private folders: nobody else may enter, what lay in them is overwritten, and no dead process leaves one."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from celosia.errors import ReleaseError
from celosia.tables import private
from celosia.tables.private import (
    erase_file,
    erase_leftovers,
    make_private_folder,
    private_folder,
    remove_folder,
)
from celosia.tables.row_buckets import RowBuckets

HOLD = """
import sys
from pathlib import Path
from celosia.tables.private import make_private_folder

folder = make_private_folder(Path(sys.argv[1]))
(folder / "rows").write_text("Ana, 31")
print(folder, flush=True)
sys.stdin.read()
"""

MANY = """
import sys
from pathlib import Path
from celosia.tables.private import erase_leftovers, make_private_folder, remove_folder

place = Path(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for number in range(100):
    folder = make_private_folder(place)
    (folder / "rows").write_text(str(number))
    erase_leftovers(place)
    assert (folder / "rows").read_text() == str(number)
    remove_folder(folder)
"""


def start(code, *arguments):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@contextmanager
def other_process(place):
    """A process that holds a private folder with rows in it, and that folder."""
    with start(HOLD, place) as process:
        try:
            yield process, Path(process.stdout.readline().strip())
        finally:
            process.kill()


@contextmanager
def kept_open(path):
    """A descriptor that still reads a file when its name is gone."""
    file = os.open(path, os.O_RDONLY)
    try:
        yield file
    finally:
        os.close(file)


def leave(place):
    """What a killed process leaves."""
    with other_process(place) as (process, folder):
        process.send_signal(signal.SIGKILL)
        process.wait()
    return folder


@pytest.mark.parametrize("size", [0, 1, 5000, (1 << 20) + 3])
def test_a_file_is_overwritten_before_it_goes(tmp_path, size):
    path = tmp_path / "rows"
    path.write_bytes(b"x" * size)
    with kept_open(path) as file:
        erase_file(path)
        assert os.pread(file, size + 10, 0) == bytes(size)
    assert not path.exists()


def test_a_link_goes_and_what_it_leads_to_stays(tmp_path):
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "link").symlink_to("precious")
    erase_file(tmp_path / "link")
    assert (tmp_path / "precious").read_text() == "precious"
    assert os.listdir(tmp_path) == ["precious"]


def test_a_file_with_another_name_keeps_its_bytes_for_that(tmp_path):
    (tmp_path / "release").write_text("released")
    os.link(tmp_path / "release", tmp_path / "hidden")
    erase_file(tmp_path / "hidden")
    assert (tmp_path / "release").read_text() == "released"
    assert os.listdir(tmp_path) == ["release"]


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        erase_file(tmp_path / "rows")


def test_a_disk_that_is_full_keeps_no_file(tmp_path, monkeypatch):
    def full(file, data):
        raise OSError(28, "No space left on device")

    (tmp_path / "rows").write_text("Ana, 31")
    monkeypatch.setattr(os, "write", full)
    erase_file(tmp_path / "rows")
    assert os.listdir(tmp_path) == []


def test_all_files_of_a_folder_are_overwritten_and_links_in_it_not_followed(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "precious").write_text("precious")
    with private_folder(tmp_path) as folder:
        (folder / "inner").mkdir()
        (folder / "inner" / "rows").write_text("Ana, 31")
        (folder / "folder").symlink_to(tmp_path / "outside")
        (folder / "file").symlink_to(tmp_path / "outside" / "precious")
        (folder / "nowhere").symlink_to(tmp_path / "none")
        file = os.open(folder / "inner" / "rows", os.O_RDONLY)
    assert os.pread(file, 100, 0) == bytes(7)
    os.close(file)
    assert os.listdir(tmp_path) == ["outside"]
    assert (tmp_path / "outside" / "precious").read_text() == "precious"


def test_a_private_folder_goes_even_if_somebody_is_impatient(tmp_path, monkeypatch):
    calls = []

    def impatient(*arguments, **options):
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        erase_file(*arguments, **options)

    monkeypatch.setattr(private, "erase_file", impatient)
    folder = make_private_folder(tmp_path)
    for name in "abc":
        (folder / name).write_text("x")
    with pytest.raises(KeyboardInterrupt):
        remove_folder(folder)
    assert len(calls) == 4
    assert os.listdir(tmp_path) == []


def test_what_cannot_be_removed_is_named_with_a_remedy_and_tried_again_at_the_next_start(
    tmp_path, monkeypatch
):
    def stuck(*arguments, **options):
        raise PermissionError(1, "Operation not permitted")

    folder = make_private_folder(tmp_path)
    (folder / "rows").write_text("Ana, 31")
    with monkeypatch.context() as patch:
        patch.setattr(private, "erase_file", stuck)
        with pytest.raises(
            ReleaseError, match=r"could not be removed .*; remove this folder yourself"
        ) as found:
            remove_folder(folder)
    assert found.value.where == str(folder)
    assert (folder / "rows").exists()
    assert erase_leftovers(tmp_path) == [folder]
    assert os.listdir(tmp_path) == []


def test_a_file_that_comes_or_goes_while_the_folder_is_erased_is_no_error(tmp_path, monkeypatch):
    folder, calls = make_private_folder(tmp_path), []

    def busy(name, *, dir_fd):
        if not calls:
            (folder / "late").write_text("x")
            (folder / "b").unlink()
        calls.append(name)
        erase_file(name, dir_fd=dir_fd)

    for name in "abc":
        (folder / name).write_text("x")
    monkeypatch.setattr(private, "erase_file", busy)
    remove_folder(folder)
    assert set(calls) == {"a", "b", "c", "late"}
    assert os.listdir(tmp_path) == []


def test_what_cannot_be_overwritten_is_removed_and_told(tmp_path, monkeypatch):
    def broken(file, data):
        raise OSError(5, "Input/output error")

    folder = make_private_folder(tmp_path)
    (folder / "rows").write_text("Ana, 31")
    monkeypatch.setattr(os, "write", broken)
    with pytest.raises(ReleaseError, match=r"could not be overwritten \(Input/output error\)"):
        remove_folder(folder)
    assert os.listdir(tmp_path) == []


def test_what_a_killed_process_left_is_overwritten_and_removed(tmp_path):
    folder = leave(tmp_path)
    with kept_open(folder / "rows") as file:
        assert os.pread(file, 100, 0) == b"Ana, 31"
        assert erase_leftovers(tmp_path) == [folder]
        assert os.pread(file, 100, 0) == bytes(7)
    assert os.listdir(tmp_path) == []


def test_what_a_living_process_holds_is_left_alone(tmp_path):
    with other_process(tmp_path) as (_, folder), private_folder(tmp_path) as own:
        assert erase_leftovers(tmp_path) == []
        assert (folder / "rows").read_text() == "Ana, 31"
        assert own.is_dir()


def test_only_our_own_folders_are_erased(tmp_path, monkeypatch):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / ".lock").touch()
    (tmp_path / ".celosia-link").symlink_to("real")
    (tmp_path / ".celosia-file").touch()
    (tmp_path / ".celosia-unlocked").mkdir()
    (tmp_path / ".celosia-unlocked" / "thesis").write_text("precious")
    assert erase_leftovers(tmp_path) == []
    leave(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    assert erase_leftovers(tmp_path) == []
    assert len(os.listdir(tmp_path)) == 5
    assert (tmp_path / ".celosia-unlocked" / "thesis").exists()


def test_a_folder_put_in_the_place_of_a_private_one_is_left_alone(tmp_path):
    folder = make_private_folder(tmp_path)
    folder.rename(tmp_path / "aside")
    folder.mkdir()
    (folder / "thesis").write_text("precious")
    with pytest.raises(ReleaseError, match="could not be removed"):
        remove_folder(folder)
    assert (folder / "thesis").read_text() == "precious"


def test_an_empty_folder_of_a_process_that_died_before_it_had_the_lock_goes(tmp_path):
    (tmp_path / ".celosia-begun").mkdir()
    assert erase_leftovers(tmp_path) == [tmp_path / ".celosia-begun"]
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("moment", ["open", "flock"])
def test_who_loses_a_folder_that_is_not_locked_yet_makes_another(tmp_path, monkeypatch, moment):
    owner = private.fcntl if moment == "flock" else os
    real, taken = getattr(owner, moment), []

    def late(*arguments, **options):
        if not taken:
            taken.append(None)
            taken[0] = erase_leftovers(tmp_path)
        return real(*arguments, **options)

    monkeypatch.setattr(owner, moment, late)
    with private_folder(tmp_path) as folder:
        assert len(taken[0]) == 1
        assert folder not in taken[0]
        assert folder.is_dir()


def test_without_locks_a_folder_is_dead_after_a_day_without_change(tmp_path, monkeypatch):
    def no_locks(file, how):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(private.fcntl, "flock", no_locks)
    folder = make_private_folder(tmp_path)
    (folder / "rows").write_text("Ana, 31")
    assert erase_leftovers(tmp_path) == []
    now = (folder / "rows").stat().st_mtime
    monkeypatch.setattr(private.time, "time", lambda: now + 25 * 60 * 60)
    assert erase_leftovers(tmp_path) == [folder]
    with suppress(ReleaseError):
        remove_folder(folder)


def test_many_processes_at_once_take_nothing_from_each_other(tmp_path):
    dead = [leave(tmp_path) for _ in range(3)]
    processes = [start(MANY, tmp_path) for _ in range(3)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        with process:
            assert process.wait() == 0
    assert not any(folder.exists() for folder in dead)
    assert os.listdir(tmp_path) == []


def test_rows_that_were_taken_outlive_the_overwriting_of_their_file(tmp_path):
    frame = pl.DataFrame({"n": np.arange(50_000), "t": [f"a text of some length {n}" for n in range(50_000)]})
    piles = RowBuckets(tmp_path, 1, memory=0)
    piles.add(frame, np.zeros(50_000, np.int64))
    (path,) = tmp_path.glob(".celosia-*/*.arrow")
    seen = piles.look_at(0, ["t"])
    with kept_open(path) as file:
        (taken,) = piles.take(0)
        assert not any(os.pread(file, 1 << 24, 0))
    assert taken.equals(frame)
    assert seen.equals(frame.select("t"))
    piles.remove()
    assert os.listdir(tmp_path) == []
