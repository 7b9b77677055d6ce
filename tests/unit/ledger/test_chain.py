"""A file that only grows: every change of it shows."""

import os
import threading
from pathlib import Path

import pytest

from celosia.errors import ReleaseError
from celosia.ledger.chain import append_link, head_path, read_chain
from celosia.ledger.chain_lines import Anchor, check_chain

KEY = bytes(range(32))


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "clinic.ledger"
    for number in range(3):
        append_link(path, {"kind": "release", "rows": number}, key=KEY)
    return path


def test_one_flipped_bit_anywhere_fails_verification(ledger: Path) -> None:
    """With the key and without, in the ledger and in its head."""
    parts = [ledger.read_bytes(), head_path(ledger).read_bytes()]
    for key in (KEY, None):
        assert check_chain(*parts, key=key).passed
        for place, content in enumerate(parts):
            for bit in range(8 * len(content)):
                changed = bytearray(content)
                changed[bit // 8] ^= 1 << bit % 8
                both = [*parts]
                both[place] = bytes(changed)
                assert not check_chain(*both, key=key).passed, (place, bit)


def test_every_truncation_fails_verification(ledger: Path) -> None:
    content, head = ledger.read_bytes(), head_path(ledger).read_bytes()
    assert not any(check_chain(content[:size], head, key=KEY).passed for size in range(len(content)))
    assert not any(check_chain(content, head[:size], key=KEY).passed for size in range(len(head)))


def test_lines_taken_out_or_swapped_fail_verification(ledger: Path) -> None:
    one, two, three = ledger.read_bytes().splitlines(keepends=True)
    for lines in (
        [one, three],
        [two, three],
        [one, three, two],
        [one, one, two, three],
        [one, two, three, three],
    ):
        ledger.write_bytes(b"".join(lines))
        assert not read_chain(ledger, key=KEY).passed


def test_a_ledger_written_anew_without_the_key_is_found_out_with_it(ledger: Path, tmp_path: Path) -> None:
    forged = tmp_path / "forged.ledger"
    other = os.urandom(32)
    for number in range(3):
        append_link(forged, {"kind": "release", "rows": 7 + number}, key=other)
    ledger.write_bytes(forged.read_bytes())
    head_path(ledger).write_bytes(head_path(forged).read_bytes())
    assert read_chain(ledger).passed
    assert any("seals were not checked" in text for text in read_chain(ledger).unknown)
    assert not read_chain(ledger, key=KEY).passed


def test_a_ledger_without_seals_is_refused_by_who_has_the_key(tmp_path: Path) -> None:
    path = tmp_path / "bare.ledger"
    append_link(path, {"kind": "release"})
    assert read_chain(path).passed
    assert not read_chain(path, key=KEY).passed


def test_an_older_ledger_with_its_older_head_is_found_out_by_an_anchor_only(ledger: Path) -> None:
    kept = read_chain(ledger, key=KEY).links[-1].anchor
    older, head = ledger.read_bytes(), head_path(ledger).read_bytes()
    last = append_link(ledger, {"kind": "release", "rows": 9}, key=KEY)
    ledger.write_bytes(older)
    head_path(ledger).write_bytes(head)
    found = read_chain(ledger, key=KEY, anchors=(kept,))
    assert found.passed
    assert not any("anchor" in text for text in found.unknown)
    assert any("no anchor" in text for text in read_chain(ledger, key=KEY).unknown)
    assert read_chain(ledger, key=KEY, anchors=(last.anchor,)).problems == (
        "entry 4 is not the one that was kept in mind: entries were taken out or written anew",
    )


def test_a_half_written_line_is_told_and_cut_off_by_the_next(ledger: Path) -> None:
    whole = ledger.read_bytes()
    with ledger.open("ab") as file:
        file.write(b'{"body":{"kind":"rel')
    assert any("half-written" in text for text in read_chain(ledger, key=KEY).problems)
    append_link(ledger, {"kind": "release", "rows": 9}, key=KEY)
    assert ledger.read_bytes().startswith(whole)
    assert [link.body["rows"] for link in read_chain(ledger, key=KEY).links] == [0, 1, 2, 9]


def test_a_line_that_the_head_does_not_know_yet_is_told_and_taken_in_by_the_next(ledger: Path) -> None:
    head = head_path(ledger).read_bytes()
    append_link(ledger, {"kind": "release", "rows": 8}, key=KEY)
    head_path(ledger).write_bytes(head)
    assert any("knows 3 of 4 lines" in text for text in read_chain(ledger, key=KEY).problems)
    append_link(ledger, {"kind": "release", "rows": 9}, key=KEY)
    assert [link.body["rows"] for link in read_chain(ledger, key=KEY).links] == [0, 1, 2, 8, 9]


def test_a_line_of_somebody_without_the_key_is_not_taken_in(ledger: Path, tmp_path: Path) -> None:
    head = head_path(ledger).read_bytes()
    line = ledger.read_bytes().splitlines(keepends=True)[-1]
    ledger.write_bytes(ledger.read_bytes() + line)
    head_path(ledger).write_bytes(head)
    with pytest.raises(ReleaseError, match="not as it was written"):
        append_link(ledger, {"kind": "release"}, key=KEY)


def test_a_killed_beginning_is_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "new.ledger"
    path.write_bytes(b'{"body":{"ki')
    append_link(path, {"kind": "ledger"}, key=KEY)
    assert len(read_chain(path, key=KEY).links) == 1


def test_several_who_append_at_once_wait_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "busy.ledger"

    def work(number: int) -> None:
        for turn in range(5):
            append_link(path, {"worker": number, "turn": turn}, key=KEY)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    found = read_chain(path, key=KEY)
    assert found.passed
    assert len(found.links) == 20


def test_only_its_owner_may_read_a_ledger(ledger: Path) -> None:
    assert ledger.stat().st_mode & 0o077 == 0
    assert head_path(ledger).stat().st_mode & 0o077 == 0


def test_what_is_no_anchor_is_told() -> None:
    with pytest.raises(ReleaseError, match="'3:xyz' is no anchor"):
        Anchor.parse("3:xyz")


def test_a_ledger_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="does not exist"):
        read_chain(tmp_path / "none.ledger")
