"""A release comes into place whole and verified, or not at all."""

import json
import os
import stat

import pytest

from celosia.errors import ReleaseError
from celosia.release import publish as publishing
from celosia.release.publish import publish
from celosia.tables.private import make_private_folder


def write(text):
    def make(path):
        path.write_text(text)
        return text

    return make


def test_the_release_and_its_record_appear_together(tmp_path):
    publish(tmp_path / "safe.csv", make=write("a\n1\n"), describe=lambda text: {"size": len(text)})
    assert sorted(os.listdir(tmp_path)) == ["safe.csv", "safe.record.json"]
    assert json.loads((tmp_path / "safe.record.json").read_text()) == {"size": 4}


@pytest.mark.parametrize(
    "stop", [ReleaseError("failed"), KeyboardInterrupt(), MemoryError(), OSError(28, "full")]
)
def test_whatever_stops_the_making_nothing_is_left(tmp_path, stop):
    def make(path):
        path.write_text("half")
        raise stop

    with pytest.raises((ReleaseError, KeyboardInterrupt, MemoryError)):
        publish(tmp_path / "safe.csv", make=make, describe=lambda text: {})
    assert os.listdir(tmp_path) == []


def test_while_it_is_made_only_its_owner_can_read_it(tmp_path):
    seen = []

    def make(path):
        seen.append(stat.S_IMODE(path.stat().st_mode))
        return path.write_text("x")

    publish(tmp_path / "safe.csv", make=make, describe=lambda text: {})
    assert seen == [0o600]


def test_a_file_that_exists_is_kept_and_named(tmp_path):
    target = tmp_path / "safe.csv"
    target.write_text("precious")
    with pytest.raises(ReleaseError, match=r"safe\.csv exists already; choose another name"):
        publish(target, make=write("new"), describe=lambda text: {})
    assert target.read_text() == "precious"


def test_a_file_that_appears_meanwhile_is_kept_too(tmp_path):
    target = tmp_path / "safe.csv"

    def make(path):
        path.write_text("new")
        target.write_text("precious")

    with pytest.raises(ReleaseError, match="exists already"):
        publish(target, make=make, describe=lambda text: {})
    assert target.read_text() == "precious"
    assert os.listdir(tmp_path) == ["safe.csv"]


def test_overwriting_replaces_release_and_record_at_once(tmp_path):
    for text in ("old", "new"):
        publish(tmp_path / "safe.csv", make=write(text), describe=lambda text: {"is": text}, overwrite=True)
    assert (tmp_path / "safe.csv").read_text() == "new"
    assert json.loads((tmp_path / "safe.record.json").read_text()) == {"is": "new"}


def test_a_folder_that_does_not_exist_is_said_before_anything_runs(tmp_path):
    with pytest.raises(ReleaseError, match="does not exist; create it first"):
        publish(tmp_path / "no" / "safe.csv", make=lambda path: pytest.fail("ran"), describe=lambda text: {})


def test_all_that_is_temporary_lies_in_one_private_folder(tmp_path):
    seen = []

    def make(path):
        path.write_text("x")
        seen.extend((path.parent, os.listdir(tmp_path), stat.S_IMODE(path.parent.stat().st_mode)))

    publish(tmp_path / "safe.csv", make=make, describe=lambda text: {})
    private, names, mode = seen
    assert private.parent == tmp_path
    assert names == [private.name]
    assert mode == 0o700


def test_an_unverified_release_is_overwritten(tmp_path):
    files = []

    def make(path):
        path.write_text("Ana, 31")
        files.append(os.open(path, os.O_RDONLY))
        raise ReleaseError("failed")

    with pytest.raises(ReleaseError):
        publish(tmp_path / "safe.csv", make=make, describe=lambda text: {})
    assert os.pread(files[0], 100, 0) == bytes(7)
    os.close(files[0])


def test_folders_of_others_that_live_stay_and_those_of_the_dead_go(tmp_path):
    (tmp_path / ".celosia-dead").mkdir()
    (tmp_path / ".celosia-dead" / ".lock").touch()
    (tmp_path / ".celosia-dead" / "rows").write_text("Ana, 31")
    living = make_private_folder(tmp_path)
    publish(tmp_path / "safe.csv", make=write("x"), describe=lambda text: {})
    assert sorted(os.listdir(tmp_path)) == [living.name, "safe.csv", "safe.record.json"]


def recorded(destination):
    return json.dumps({"destination": {"path": str(destination)}})


@pytest.mark.parametrize("folder", ["", "elsewhere/now", None])
def test_a_record_whose_release_never_came_is_replaced(tmp_path, folder):
    named = tmp_path / "safe.csv" if folder is None else os.path.join(folder, "safe.csv")
    (tmp_path / "safe.record.json").write_text(recorded(named))
    publish(tmp_path / "safe.csv", make=write("new"), describe=lambda text: {"is": text})
    assert (tmp_path / "safe.csv").read_text() == "new"
    assert json.loads((tmp_path / "safe.record.json").read_text()) == {"is": "new"}


@pytest.mark.parametrize(
    "text",
    [
        recorded("safe.parquet"),
        recorded("/other/safe.csv"),
        "{}",
        "[]",
        "no record",
        '{"project": {"destination": 1}}',
    ],
)
def test_a_record_of_something_else_is_kept(tmp_path, text):
    record = tmp_path / "safe.record.json"
    record.write_text(text)
    with pytest.raises(ReleaseError, match=r"safe\.record\.json exists already"):
        publish(tmp_path / "safe.csv", make=write("new"), describe=lambda text: {})
    assert record.read_text() == text
    assert os.listdir(tmp_path) == ["safe.record.json"]


def test_a_record_that_came_meanwhile_may_be_waiting_for_its_release_and_is_kept(tmp_path):
    record = tmp_path / "safe.record.json"

    def make(path):
        record.write_text(recorded("safe.csv"))

    with pytest.raises(ReleaseError, match=r"safe\.record\.json exists already"):
        publish(tmp_path / "safe.csv", make=make, describe=lambda text: {})
    assert record.read_text() == recorded("safe.csv")
    assert os.listdir(tmp_path) == ["safe.record.json"]


@pytest.mark.parametrize("overwrite", [True, False])
def test_a_release_that_cannot_be_moved_leaves_the_record_that_was_there(tmp_path, monkeypatch, overwrite):
    record, move = tmp_path / "safe.record.json", publishing.move
    record.write_text(recorded("safe.csv"))

    def fail(source, target, *, overwrite):
        if target.name == "safe.csv":
            raise OSError(5, "Input/output error")
        move(source, target, overwrite=overwrite)

    monkeypatch.setattr(publishing, "move", fail)
    with pytest.raises(ReleaseError, match="could not be written"):
        publish(tmp_path / "safe.csv", make=write("new"), describe=lambda text: {}, overwrite=overwrite)
    assert record.read_text() == recorded("safe.csv")
    assert os.listdir(tmp_path) == ["safe.record.json"]


def test_a_release_in_place_keeps_its_record_when_an_interrupt_comes_right_after(tmp_path, monkeypatch):
    move = publishing.move

    def interrupted(source, target, *, overwrite):
        move(source, target, overwrite=overwrite)
        if target.name == "safe.csv":
            raise KeyboardInterrupt

    monkeypatch.setattr(publishing, "move", interrupted)
    with pytest.raises(KeyboardInterrupt):
        publish(tmp_path / "safe.csv", make=write("new"), describe=lambda text: {"is": text})
    assert sorted(os.listdir(tmp_path)) == ["safe.csv", "safe.record.json"]


def test_without_hard_links_files_are_moved_all_the_same(tmp_path, monkeypatch):
    def no_links(source, target):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", no_links)
    publish(tmp_path / "safe.csv", make=write("new"), describe=lambda text: {})
    assert sorted(os.listdir(tmp_path)) == ["safe.csv", "safe.record.json"]
    assert (tmp_path / "safe.csv").read_text() == "new"
