"""A file that only grows: one line of JSON per entry, each with the digest of the line before it.

A line holds ``body``, ``number``, ``previous`` (SHA-256 of the line before) and ``seal`` (HMAC-SHA256 of the other
three, where there is a key). Beside the file lies its head: how many lines and bytes there are, and the digest of the
last one. What each of them shows:

- a line that was changed, left out or moved breaks the chain, and so does a changed last line, by the head;
- whoever writes the whole file and its head anew needs the key for the seals;
- whoever puts back an *older* file together with its *older* head is found out only by an anchor: the number and digest
  of a line that somebody kept elsewhere. The record of every release holds one.

A line is written and on the disk before the head says so. A process that is killed in between leaves a line that the
head does not know: a half-written one is no entry and the next to append cuts it off, a whole one is taken in.
"""

import hashlib
import hmac
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from celosia.errors import ReleaseError
from celosia.say import say

try:
    import fcntl
except ImportError:  # Windows: two that append at the same moment break the chain, and verification says so
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "Anchor",
    "ChainGrewError",
    "ChainLink",
    "LedgerChain",
    "append_link",
    "canonical",
    "check_chain",
    "head_path",
    "read_chain",
    "recover_chain",
]


class ChainGrewError(ReleaseError):
    """Somebody appended to a chain since it was looked at."""


NOTHING = "0" * 64
"""What the first line names as the digest of the one before."""


def canonical(value: Any) -> bytes:
    """JSON in the one way we write it, so that the same content has the same digest.

    >>> canonical({"b": [1, "ñ"], "a": None})
    b'{"a":null,"b":[1,"\\\\u00f1"]}'
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    ).encode()


def head_path(path: Path) -> Path:
    """Where the head of a chain lies.

    >>> head_path(Path("clinic.ledger")).name
    'clinic.ledger.head'
    """
    return path.with_name(path.name + ".head")


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
    body: Mapping[str, Any]
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


def read_chain(path: Path, *, key: bytes | None = None, anchors: tuple[Anchor, ...] = ()) -> LedgerChain:
    """Read and verify all lines; with ``key`` their seals too.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.ledger")
    ...     first = append_link(path, {"kind": "ledger"}, key=b"k" * 32)
    ...     good = read_chain(path, key=b"k" * 32).passed
    ...     _ = path.write_bytes(path.read_bytes().replace(b"ledger", b"ledges"))
    ...     good, read_chain(path, key=b"k" * 32).problems
    (True, ('line 1 is not the one that was sealed', 'the last line is not the one that the head knows'))
    """
    try:
        with path.open("rb") as file:
            # The head is written after the line: whoever reads in between would take one for missing.
            _lock(file, shared=True)
            content, head = file.read(), _head_bytes(path)
    except FileNotFoundError:
        raise ReleaseError(
            say("this ledger does not exist"),
            where=str(path),
            remedy=say("the first release that names it begins it"),
        ) from None
    except OSError as error:
        raise ReleaseError(
            say("the ledger cannot be read ({cause})", cause=error.strerror or error),
            where=str(path),
            remedy=say("check the path and the permissions"),
        ) from None
    return check_chain(content, head, key=key, anchors=anchors)


def check_chain(
    content: bytes, head: bytes | None, *, key: bytes | None = None, anchors: tuple[Anchor, ...] = ()
) -> LedgerChain:
    """The same of what a ledger and its head hold; ``head`` is None where there is none.

    >>> check_chain(b"", None).problems
    ('the head is missing: nobody knows how many entries there were',)
    """
    return _read(content, _parse_head(head), key, anchors)


def append_link(
    path: Path,
    body: Mapping[str, Any],
    *,
    key: bytes | None = None,
    first: Mapping[str, Any] | None = None,
    after: int | None = None,
) -> ChainLink:
    """Append one entry to a chain that is sound, and begin one where there is none, with ``first`` if given.

    One process at a time: the others wait. The line is on the disk before the head knows it. ``after`` is how many
    lines there were when somebody looked: if there are more by now, :class:`ChainGrewError` is raised. A chain that
    begins otherwise than with ``first`` is another, and gets nothing.
    """
    with _told(path), _locked(path) as file:
        chain = _settle(file, file.read(), path, key)
        links = list(chain.links)
        if first is not None and links and links[0].body != first:
            raise ReleaseError(
                say("another ledger was begun there meanwhile"), where=str(path), remedy=say("run it again")
            )
        if first is not None and not links:
            links.append(_append(file, path, first, links, key))
        elif after is not None and len(links) != after:
            raise ChainGrewError(
                say("another release was recorded meanwhile"),
                where=str(path),
                remedy=say("nothing was written; run it again, so that it is checked against that one too"),
            )
        return _append(file, path, body, links, key)


def recover_chain(path: Path, *, key: bytes | None = None) -> LedgerChain:
    """The chain in a file, once what a process left that was killed while it appended is cut off or taken in.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.ledger")
    ...     _ = append_link(path, {"kind": "ledger"})
    ...     _ = path.write_bytes(path.read_bytes() + b'{"bo')
    ...     read_chain(path).passed, recover_chain(path).passed, read_chain(path).passed
    (False, True, True)
    """
    with _told(path), _locked(path) as file:
        return _settle(file, file.read(), path, key)


def _append(
    file: IO[bytes], path: Path, body: Mapping[str, Any], links: Sequence[ChainLink], key: bytes | None
) -> ChainLink:
    line = _spell(body, len(links) + 1, links[-1].digest if links else NOTHING, key)
    link = ChainLink(len(links) + 1, body, hashlib.sha256(line).hexdigest())
    file.seek(0, os.SEEK_END)
    file.write(line + b"\n")
    _flush(file)
    _write_head(path, link, file.tell(), key)
    return link


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """What the system refuses, as an error of ours."""
    try:
        yield
    except OSError as error:
        raise ReleaseError(
            say("the ledger cannot be written ({cause})", cause=error.strerror or error),
            where=str(path),
            remedy=say("check the folder, the space and the permissions there"),
        ) from error


@contextmanager
def _locked(path: Path) -> Iterator[IO[bytes]]:
    """The file, opened for reading and writing, and nobody else's until we are done."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "rb+") as file:
        _lock(file)
        yield file


def _lock(file: IO[bytes], *, shared: bool = False) -> None:
    if fcntl is not None:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)


def _settle(file: IO[bytes], content: bytes, path: Path, key: bytes | None) -> LedgerChain:
    """The chain to append to; what a process left that was killed while it appended is cut off or taken in."""
    head = _parse_head(_head_bytes(path))
    if content and head is None and _lines(content) <= 1:
        # Killed while it began the ledger. To whoever left one line of many it gives no more than a new ledger would.
        head = _Head(0, 0, NOTHING, None)
    if not content and head is None:
        return LedgerChain(())
    known = 0 if head is None else head.size
    tail = content[known:]
    if head is not None and tail and not tail.endswith(b"\n"):
        whole = tail.rfind(b"\n") + 1
        content = content[: known + whole]
        tail = content[known:]
        file.truncate(len(content))
        if not content:
            return LedgerChain(())
    if head is not None and tail:
        found = _Head(_lines(content), len(content), _last(content), None)
        chain = _read(content, replace(found, seal=_seal(found.sealed_part(), key)), key, ())
        # A line that the head does not know may only follow those that it knows.
        before = _read(content[:known], head, key, ()).problems if known else ()
        problems = (*before, *chain.problems)
        if not problems:
            _write_head(path, chain.links[-1], len(content), key)
    else:
        chain = _read(content, head, key, ())
        problems = chain.problems
    if problems:
        raise ReleaseError(
            say("the ledger is not as it was written: {problem}", problem=problems[0]),
            where=str(path),
            remedy=say("find out who changed it (celosia ledger verify); nothing is added to it as it is"),
        )
    return chain


def _lines(content: bytes) -> int:
    return content.count(b"\n")


def _last(content: bytes) -> str:
    return hashlib.sha256(content[:-1].rpartition(b"\n")[2]).hexdigest()


@dataclass(frozen=True)
class _Head:
    count: int
    size: int
    digest: str
    seal: str | None

    def sealed_part(self) -> bytes:
        return canonical({"bytes": self.size, "count": self.count, "digest": self.digest})


def _head_bytes(path: Path) -> bytes | None:
    try:
        return head_path(path).read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        return b""


def _parse_head(raw: bytes | None) -> "_Head | None":
    if raw is None:
        return None
    try:
        found = json.loads(raw)
        head = _Head(found["count"], found["bytes"], found["digest"], found["seal"])
    except (ValueError, LookupError, TypeError):
        return _Head(-1, -1, "", None)
    if raw != _spell_head(head):
        return _Head(-1, -1, "", None)
    return head


def _spell_head(head: _Head) -> bytes:
    part = {"bytes": head.size, "count": head.count, "digest": head.digest, "seal": head.seal}
    # Without the key nobody can tell a damaged seal from a sound one; by this, everybody can.
    check = hashlib.sha256(canonical(part)).hexdigest()
    return canonical({**part, "check": check}) + b"\n"


def _write_head(path: Path, link: ChainLink, size: int, key: bytes | None) -> None:
    bare = _Head(link.number, size, link.digest, None)
    head = _Head(link.number, size, link.digest, _seal(bare.sealed_part(), key))
    place = head_path(path)
    hidden = place.with_name(place.name + ".new")
    with open(os.open(hidden, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(_spell_head(head))
        _flush(file)
    hidden.replace(place)


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _seal(content: bytes, key: bytes | None) -> str | None:
    return None if key is None else hmac.new(key, content, hashlib.sha256).hexdigest()


def _spell(body: Mapping[str, Any], number: int, previous: str, key: bytes | None) -> bytes:
    part = {"body": body, "number": number, "previous": previous}
    return canonical({**part, "seal": _seal(canonical(part), key)})


def _read(content: bytes, head: _Head | None, key: bytes | None, anchors: tuple[Anchor, ...]) -> LedgerChain:
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
    problems += [
        say(
            "entry {number} is not the one that was kept in mind: entries were taken out or written anew",
            number=anchor.number,
        )
        for anchor in anchors
        if anchor.number > len(lines)
        or anchor.number < 1
        or hashlib.sha256(lines[anchor.number - 1]).hexdigest() != anchor.digest
    ]
    unknown = []
    if key is None and sealed:
        unknown.append(say("the seals were not checked, for want of the key: all lines may be another's"))
    elif key is None:
        unknown.append(
            say("the lines have no seals: whoever can write to the folder can write all of them anew")
        )
    if not anchors:
        unknown.append(
            say("no anchor was given: an older state of the ledger and its head would not be noticed")
        )
    return LedgerChain(tuple(links), tuple(problems), tuple(unknown))


def _read_line(
    line: bytes, number: int, previous: str, key: bytes | None
) -> tuple[str, Mapping[str, Any], str | None]:
    """What is wrong with a line, if anything; what it says; its seal."""
    try:
        found = json.loads(line)
        part = {name: found[name] for name in ("body", "number", "previous")}
        seal = found["seal"]
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


def _compare_head(lines: list[bytes], size: int, head: _Head | None, key: bytes | None) -> Iterator[str]:
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
