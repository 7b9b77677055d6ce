"""The lines of a ledger and its head, as bytes: written in one way, linked by digests, sealed, and verified.

A line holds ``body``, ``number``, ``previous`` (SHA-256 of the line before) and ``seal`` (HMAC-SHA256 of the other
three, where there is a key). The head says how many lines and bytes there are, and the digest of the last line.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from celosia.errors import ReleaseError
from celosia.say import say

__all__ = [
    "NOTHING",
    "Anchor",
    "ChainHead",
    "ChainLink",
    "LedgerChain",
    "canonical",
    "check_chain",
    "head_of",
    "parse_head",
    "spell_head",
    "spell_line",
    "verify_lines",
]

NOTHING = "0" * 64
"""What the first line names as the digest of the one before."""


def canonical(value: object) -> bytes:
    """JSON in the one way we write it, so that the same content has the same digest.

    >>> canonical({"b": [1, "ñ"], "a": None})
    b'{"a":null,"b":[1,"\\\\u00f1"]}'
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    ).encode()


@dataclass(frozen=True)
class Anchor:
    """A line that somebody kept in mind: its number and digest.

    >>> Anchor.parse("3:" + "ab" * 32).number
    3
    """

    number: int
    digest: str

    @classmethod
    def parse(cls, text: str) -> "Anchor":
        """From ``NUMBER:DIGEST``."""
        number, _, digest = text.strip().partition(":")
        if not number.isdecimal() or len(digest) != 64 or set(digest) - set("0123456789abcdef"):
            raise ReleaseError(
                say("{text!r} is no anchor", text=text),
                where="anchor",
                remedy=say(
                    "give the number and digest of an entry, as in 3:9f86d0...; records of releases hold them"
                ),
            )
        return cls(int(number), digest)

    def __str__(self) -> str:
        return f"{self.number}:{self.digest}"


@dataclass(frozen=True)
class ChainLink:
    """One line: the number of the entry, what it says, and its digest."""

    number: int
    body: Mapping[str, object]
    digest: str

    @property
    def anchor(self) -> Anchor:
        """What to keep elsewhere, so that nobody can take this entry out unseen."""
        return Anchor(self.number, self.digest)


@dataclass(frozen=True)
class LedgerChain:
    """All lines that are sound from the first on, and what is wrong, if anything is.

    ``problems`` make a verification fail; ``unknown`` is what could not be checked.
    """

    links: tuple[ChainLink, ...]
    problems: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def check_chain(
    content: bytes, head: bytes | None, *, key: bytes | None = None, anchors: tuple[Anchor, ...] = ()
) -> LedgerChain:
    """Verify the bytes of a ledger and of its head; ``head`` is None where there is none.

    >>> check_chain(b"", None).problems
    ('the head is missing: nobody knows how many entries there were',)
    """
    return verify_lines(content, parse_head(head), key, anchors)


@dataclass(frozen=True)
class ChainHead:
    """What is known of a chain apart from its lines: how many lines and bytes there are, and the last digest.

    ``count`` is negative where the head is damaged.
    """

    count: int
    size: int
    digest: str
    seal: str | None = None

    def sealed_part(self) -> bytes:
        """What the seal is about."""
        return canonical({"bytes": self.size, "count": self.count, "digest": self.digest})


DAMAGED = ChainHead(-1, -1, "")


def head_of(count: int, size: int, digest: str, key: bytes | None) -> ChainHead:
    """The head of so many lines, sealed where there is a key.

    >>> head_of(1, 20, "ab", None).seal is None
    True
    """
    head = ChainHead(count, size, digest)
    return replace(head, seal=_seal(head.sealed_part(), key))


def parse_head(raw: bytes | None) -> ChainHead | None:
    """A head as it is written in its file; None where there is none.

    >>> head = head_of(1, 20, "ab", b"key")
    >>> parse_head(spell_head(head)) == head, parse_head(b"{}").count
    (True, -1)
    """
    if raw is None:
        return None
    try:
        fields = json.loads(raw)
        head = ChainHead(fields["count"], fields["bytes"], fields["digest"], fields["seal"])
    except (ValueError, LookupError, TypeError):
        return DAMAGED
    return head if raw == spell_head(head) else DAMAGED


def spell_head(head: ChainHead) -> bytes:
    """A head as it is written in its file."""
    part = {"bytes": head.size, "count": head.count, "digest": head.digest, "seal": head.seal}
    # Without the key nobody can tell a damaged seal from a sound one; by this, everybody can.
    check = hashlib.sha256(canonical(part)).hexdigest()
    return canonical({**part, "check": check}) + b"\n"


def _seal(content: bytes, key: bytes | None) -> str | None:
    return None if key is None else hmac.new(key, content, hashlib.sha256).hexdigest()


def spell_line(body: Mapping[str, object], number: int, previous: str, key: bytes | None) -> bytes:
    """One line, without its end: what it says, its number, the digest of the line before, and its seal."""
    part = {"body": body, "number": number, "previous": previous}
    return canonical({**part, "seal": _seal(canonical(part), key)})


def verify_lines(
    content: bytes, head: ChainHead | None, key: bytes | None, anchors: tuple[Anchor, ...] = ()
) -> LedgerChain:
    """All lines up to the first that is not sound, and what is wrong with them, their head or the anchors."""
    lines = content.split(b"\n")
    half = lines.pop()
    links: list[ChainLink] = []
    problems: list[str] = []
    previous = NOTHING
    sealed = 0
    for number, line in enumerate(lines, 1):
        digest = hashlib.sha256(line).hexdigest()
        wrong, body, seal = _read_line(line, number, previous, key)
        sealed += seal is not None
        if wrong:
            problems.append(wrong)
            break
        links.append(ChainLink(number, body, digest))
        previous = digest
    problems += _compare_head(lines, len(content) - len(half), head, key)
    if half:
        problems.append(
            say("the last line is half-written: a process was stopped while it wrote it, and it is no entry")
        )
    problems += _compare_anchors(lines, anchors)
    unknown = _not_checked(key, has_seals=sealed > 0, has_anchors=bool(anchors))
    return LedgerChain(tuple(links), tuple(problems), tuple(unknown))


def _compare_anchors(lines: Sequence[bytes], anchors: Sequence[Anchor]) -> Iterator[str]:
    for anchor in anchors:
        is_there = 1 <= anchor.number <= len(lines)
        if not is_there or hashlib.sha256(lines[anchor.number - 1]).hexdigest() != anchor.digest:
            yield say(
                "entry {number} is not the one that was kept in mind: entries were taken out or written anew",
                number=anchor.number,
            )


def _not_checked(key: bytes | None, *, has_seals: bool, has_anchors: bool) -> Iterator[str]:
    """What a verification cannot know, for want of a key or an anchor."""
    if key is None and has_seals:
        yield say("the seals were not checked, for want of the key: all lines may be another's")
    elif key is None:
        yield say("the lines have no seals: whoever can write to the folder can write all of them anew")
    if not has_anchors:
        yield say("no anchor was given: an older state of the ledger and its head would not be noticed")


def _read_line(
    line: bytes, number: int, previous: str, key: bytes | None
) -> tuple[str, Mapping[str, object], str | None]:
    """What is wrong with a line, if anything; what it says; its seal."""
    try:
        fields = json.loads(line)
        part = {name: fields[name] for name in ("body", "number", "previous")}
        seal = fields["seal"]
        if canonical({**part, "seal": seal}) != line or not isinstance(part["body"], dict):
            return say("line {number} is not written as a ledger is", number=number), {}, None
    except (ValueError, LookupError, TypeError):
        return say("line {number} is not written as a ledger is", number=number), {}, None
    if part["number"] != number or part["previous"] != previous:
        return say("line {number} does not follow the one before it", number=number), {}, seal
    if key is not None:
        expected = _seal(canonical(part), key)
        if seal is None:
            return say("line {number} has no seal, though there is a key", number=number), {}, None
        if not isinstance(seal, str) or not hmac.compare_digest(str(expected), seal):
            return say("line {number} is not the one that was sealed", number=number), {}, None
    return "", part["body"], seal


def _compare_head(lines: list[bytes], size: int, head: ChainHead | None, key: bytes | None) -> Iterator[str]:
    if head is None:
        yield say("the head is missing: nobody knows how many entries there were")
        return
    if head.count < 0:
        yield say("the head is damaged")
        return
    if key is not None and (
        head.seal is None or not hmac.compare_digest(str(_seal(head.sealed_part(), key)), str(head.seal))
    ):
        yield say("the head is not the one that was sealed")
    if head.count > len(lines):
        yield say(
            "{missing} of {count} entries are missing at the end",
            missing=head.count - len(lines),
            count=head.count,
        )
    elif head.count < len(lines):
        yield say(
            "the head knows {known} of {count} lines: a process was stopped while it wrote, or somebody else wrote "
            "the others",
            known=head.count,
            count=len(lines),
        )
    elif head.size != size or hashlib.sha256(lines[-1] if lines else b"").hexdigest() != head.digest:
        yield say("the last line is not the one that the head knows")
