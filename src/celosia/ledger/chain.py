"""A file that only grows: one line of JSON per entry, each with the digest of the line before it.

:mod:`celosia.ledger.chain_lines` says what is in a line. Beside the file lies its head: how many lines and bytes there
are, and the digest of the last one. What each of them shows:

- a line that was changed, left out or moved breaks the chain, and so does a changed last line, by the head;
- whoever writes the whole file and its head anew needs the key for the seals;
- whoever puts back an *older* file together with its *older* head is found out only by an anchor: the number and digest
  of a line that somebody kept elsewhere. The record of every release holds one.

A line is written and on the disk before the head says so. A process that is killed in between leaves a line that the
head does not know: a half-written one is no entry and the next to append cuts it off, a whole one is taken in.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from celosia.errors import ReleaseError
from celosia.ledger.chain_lines import (
    NOTHING,
    Anchor,
    ChainHead,
    ChainLink,
    LedgerChain,
    check_chain,
    head_of,
    parse_head,
    spell_head,
    spell_line,
    verify_lines,
)
from celosia.say import say

try:
    import fcntl
except ImportError:  # Windows: two that append at the same moment break the chain, and verification says so
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "ChainGrewError",
    "append_link",
    "head_path",
    "read_chain",
    "recover_chain",
]


class ChainGrewError(ReleaseError):
    """Somebody appended to a chain since it was looked at."""


def head_path(path: Path) -> Path:
    """Where the head of a chain lies.

    >>> head_path(Path("clinic.ledger")).name
    'clinic.ledger.head'
    """
    return path.with_name(path.name + ".head")


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


def append_link(
    path: Path,
    body: Mapping[str, object],
    *,
    key: bytes | None = None,
    first: Mapping[str, object] | None = None,
    after: int | None = None,
) -> ChainLink:
    """Append one entry to a chain that is sound, and begin one where there is none, with ``first`` if given.

    One process at a time: the others wait. The line is on the disk before the head knows it. ``after`` is how many
    lines there were when somebody looked: if there are more by now, :class:`ChainGrewError` is raised. A chain that
    begins otherwise than with ``first`` is another, and gets nothing.
    """
    with _errors_explained(path), _locked(path) as file:
        chain = _recover(file, path, key)
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
    with _errors_explained(path), _locked(path) as file:
        return _recover(file, path, key)


def _append(
    file: IO[bytes], path: Path, body: Mapping[str, object], links: Sequence[ChainLink], key: bytes | None
) -> ChainLink:
    line = spell_line(body, len(links) + 1, links[-1].digest if links else NOTHING, key)
    link = ChainLink(len(links) + 1, body, hashlib.sha256(line).hexdigest())
    file.seek(0, os.SEEK_END)
    file.write(line + b"\n")
    _flush(file)
    _write_head(path, link, file.tell(), key)
    return link


@contextmanager
def _errors_explained(path: Path) -> Iterator[None]:
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


def _recover(file: IO[bytes], path: Path, key: bytes | None) -> LedgerChain:
    """The chain to append to; what a process left that was killed while it appended is cut off or taken in."""
    content, head = file.read(), parse_head(_head_bytes(path))
    if content and head is None and _count_lines(content) <= 1:
        # Killed while it began the ledger. To whoever left one line of many it gives no more than a new ledger would.
        head = ChainHead(0, 0, NOTHING)
    if not content and head is None:
        return LedgerChain(())
    known = len(content) if head is None or head.count < 0 else head.size
    if content[known:] and not content.endswith(b"\n"):
        whole = content.rfind(b"\n", known) + 1 or known
        content = content[:whole]
        file.truncate(whole)
        if not content:
            return LedgerChain(())
    if head is not None and content[known:]:
        chain, problems = _take_in(content, head, path, key)
    else:
        chain = verify_lines(content, head, key)
        problems = chain.problems
    if problems:
        raise ReleaseError(
            say("the ledger is not as it was written: {problem}", problem=problems[0]),
            where=str(path),
            remedy=say("find out who changed it (celosia ledger verify); nothing is added to it as it is"),
        )
    return chain


def _take_in(
    content: bytes, head: ChainHead, path: Path, key: bytes | None
) -> tuple[LedgerChain, tuple[str, ...]]:
    """The chain with lines that the head does not know, which it is told of if they follow those that it knows."""
    chain = verify_lines(content, head_of(_count_lines(content), len(content), _last(content), key), key)
    before = verify_lines(content[: head.size], head, key).problems if head.size else ()
    problems = (*before, *chain.problems)
    if not problems:
        _write_head(path, chain.links[-1], len(content), key)
    return chain, problems


def _count_lines(content: bytes) -> int:
    return content.count(b"\n")


def _last(content: bytes) -> str:
    return hashlib.sha256(content[:-1].rpartition(b"\n")[2]).hexdigest()


def _head_bytes(path: Path) -> bytes | None:
    try:
        return head_path(path).read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        return b""


def _write_head(path: Path, link: ChainLink, size: int, key: bytes | None) -> None:
    place = head_path(path)
    hidden = place.with_name(place.name + ".new")
    with open(os.open(hidden, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(spell_head(head_of(link.number, size, link.digest, key)))
        _flush(file)
    hidden.replace(place)


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
