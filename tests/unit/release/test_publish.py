"""A release comes into place whole and verified, or not at all."""

import json
import os
import stat

import pytest

from celosia.errors import ReleaseError
from celosia.release.publish import publish


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
