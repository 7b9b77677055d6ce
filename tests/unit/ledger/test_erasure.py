"""Erasure with proof: what was deleted, where it was looked for, and what nobody can promise."""

import json
import shutil
from pathlib import Path

import pytest

from celosia.cli.start import start
from celosia.ledger.erasure import (
    check_statement,
    erasure_limits,
    file_traces,
    search_for_copies,
    sign_statement,
)
from celosia.mask.keys import SecretKey, new_key

KEY = SecretKey(bytes(range(32)))


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CELOSIA_KEY", new_key())
    # Nobody else's temporary files are looked through, however many there are.
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    path = tmp_path / "people.csv"
    path.write_text("name\nAna\n")
    return path


def erase(path: Path, *more: str) -> dict[str, object]:
    proof = path.parent / "proof.json"
    assert start(["erase", str(path), "--yes", "--proof", str(proof), *more]) == 0
    found: dict[str, object] = json.loads(proof.read_text())
    return found


def test_a_file_is_gone_and_the_statement_says_so(people: Path) -> None:
    found = erase(people, "--reason", "asked for by the person")
    assert not people.exists()
    assert found["gone"] is True
    assert found["reason"] == "asked for by the person"
    [erased] = found["erased"]  # type: ignore[misc]
    assert erased["bytes"] == 9  # type: ignore[has-type]
    assert check_statement(found)


def test_the_statement_tells_nothing_of_the_content(people: Path) -> None:
    import hashlib

    plain = hashlib.sha256(people.read_bytes()).hexdigest()
    assert plain not in json.dumps(erase(people))


def test_a_copy_in_the_same_folder_or_one_to_look_in_is_found(people: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(people, elsewhere / "renamed.bin")
    found = erase(people, "--look-in", str(elsewhere))
    assert found["gone"] is False
    assert "renamed.bin" in json.dumps(found["looked for"])


def test_a_process_that_holds_the_file_open_is_found(people: Path) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("this system does not list open files")
    with people.open():
        traces = file_traces(people, KEY)
        people.unlink()
        opened = next(one for one in search_for_copies(traces) if "open files" in one.how)
    assert opened.found


@pytest.mark.parametrize("field", ["at", "by", "erased", "looked for", "gone", "not promised", "signature"])
def test_a_changed_statement_is_found_out(people: Path, field: str) -> None:
    found = erase(people)
    assert check_statement(found)
    changed = "00" * 64 if field == "signature" else "changed"
    assert not check_statement({**found, field: changed})


def test_somebody_elses_statement_is_found_out_by_the_public_key(people: Path) -> None:
    found = erase(people)
    assert check_statement(found, public_key=str(found["public key"]))
    assert not check_statement(found, public_key="00" * 32)


def test_what_cannot_be_promised_is_said() -> None:
    told = " ".join(erasure_limits(Path.cwd()))
    assert "snapshots" in told
    assert "wear levelling" in told or "sectors" in told


def test_a_statement_is_checked_on_the_command_line(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    erase(people)
    proof = people.parent / "proof.json"
    assert start(["proof", str(proof)]) == 0
    assert "as it was signed" in capsys.readouterr().out
    proof.write_text(proof.read_text().replace('"gone": true', '"gone": false'))
    assert start(["proof", str(proof)]) == 1
    proof.write_text("{}")
    assert start(["proof", str(proof)]) == 2


def test_nothing_is_erased_if_the_proof_cannot_be_written(people: Path, tmp_path: Path) -> None:
    assert start(["erase", str(people), "--yes", "--proof", str(tmp_path / "no" / "proof.json")]) == 2
    assert people.exists()


def test_nothing_is_erased_without_a_key_for_the_proof(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CELOSIA_KEY")
    assert start(["erase", str(people), "--yes", "--proof", str(people.parent / "proof.json")]) == 2
    assert people.exists()


def test_what_could_not_be_read_is_not_said_to_have_been_looked_at(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = file_traces(people, KEY)
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "same size").write_bytes(people.read_bytes())
    monkeypatch.setattr("celosia.ledger.erasure.hashlib.file_digest", _refuse)
    *_, last = search_for_copies(traces, [other])
    assert last.found == ()
    assert "1 files or folders that could not be read" in last.how


def _refuse(*_: object) -> None:
    raise PermissionError


def test_a_statement_that_says_something_twice_is_none(
    people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    signed = json.dumps(sign_statement([{"what": "people.csv"}], [], key=KEY))
    place = people.with_name("twice.json")
    place.write_text(signed.replace("{", '{"gone": true, ', 1))
    assert start(["proof", str(place)]) == 2
    assert "no statement of erasure" in capsys.readouterr().err
