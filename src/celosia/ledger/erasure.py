"""Erasure with proof: what was deleted, where it was looked for afterwards, and what nobody can promise, signed.

The signature is Ed25519 with a key derived from the secret one, so that whoever has the statement checks it with the
public key in it, and whoever knows that key from elsewhere knows who signed. The content is named by a digest with the
same secret: the statement tells nothing about it, and still says, to whoever has the key and a copy, that it was this.
"""

import hashlib
import hmac
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from celosia.errors import ReleaseError
from celosia.ledger.chain_lines import canonical
from celosia.machine import user_name
from celosia.mask.keys import SecretKey
from celosia.say import say

__all__ = [
    "ErasureSearch",
    "FileTraces",
    "check_statement",
    "erasure_limits",
    "file_traces",
    "search_for_copies",
    "sign_statement",
]

VERSION = 1
PURPOSE = "signature of erasures"
EVERYWHERE = (
    say("snapshots, backups and copies that others made are not reached"),
    say("the journal of the file system, swapped memory and caches may hold parts for some time"),
)
SOLID = say(
    "a solid-state disk writes elsewhere than it reads (wear levelling): old blocks may outlive what replaced them"
)
SPINNING = say("the disk may hold remapped sectors that no program reaches")
COPYING_KINDS = ("btrfs", "zfs", "overlay", "apfs", "bcachefs", "nilfs2", "f2fs")


@dataclass(frozen=True)
class FileTraces:
    """What is known of a file before it is erased: its size, a keyed digest, and the plain one, which is never kept."""

    path: Path
    size: int
    links: int
    keyed: str
    plain: str


@dataclass(frozen=True)
class ErasureSearch:
    """Where something was looked for, how, and what was found."""

    where: str
    how: str
    found: tuple[str, ...]


def file_traces(path: Path, key: SecretKey) -> FileTraces:
    """Look at a file before it is erased.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("Ana")
    ...     file_traces(Path(folder, "people.csv"), SecretKey(bytes(range(32)))).size
    3
    """
    keyed = hmac.new(key.derive("digests of what is erased", 32), digestmod=hashlib.sha256)
    plain = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                keyed.update(block)
                plain.update(block)
        status = path.stat()
    except OSError as error:
        raise ReleaseError(
            say("the file cannot be read ({cause})", cause=error.strerror or error),
            where=str(path),
            remedy=say("check the path"),
        ) from None
    return FileTraces(path.absolute(), status.st_size, status.st_nlink, keyed.hexdigest(), plain.hexdigest())


def search_for_copies(traces: FileTraces, folders: Sequence[Path] = ()) -> Iterator[ErasureSearch]:
    """Look for a file that was erased: its name, open files, and copies in folders, by content.

    The folder that it was in and that of temporary files are always looked through; folders in them are too.
    """
    name = traces.path
    yield ErasureSearch(str(name), say("by its name"), (str(name),) if os.path.lexists(name) else ())
    if Path("/proc/self/fd").is_dir():  # nobody else tells what is open
        yield ErasureSearch(say("processes of this user"), say("among open files"), tuple(_still_open(name)))
    for folder in dict.fromkeys([name.parent, Path(tempfile.gettempdir()), *folders]):
        unread: list[str] = []
        copies = tuple(_copies(traces, folder, unread))
        method = say("every file, by its content")
        if unread:
            method = say(
                "every file, by its content, but for {count:,} files or folders that could not be read",
                count=len(unread),
            )
        yield ErasureSearch(str(folder), method, copies)


def _still_open(name: Path) -> Iterator[str]:
    """Processes that hold the file open: its content lives as long as they do."""
    for process in Path("/proc").glob("[0-9]*"):
        if {f"{name} (deleted)", str(name)} & set(_held(process)):
            yield say("process {number}", number=process.name)


def _held(process: Path) -> Iterator[str]:
    """The files that a process has open, as far as we may see them."""
    try:
        files = list((process / "fd").iterdir())
    except OSError:
        return
    for file in files:
        with suppress(OSError):  # closed meanwhile
            yield os.readlink(file)


def _copies(traces: FileTraces, folder: Path, unread: list[str]) -> Iterator[str]:
    """Files with the same content; what could not be read is added to ``unread``."""
    for base, _, names in os.walk(folder, onerror=lambda error: unread.append(str(error.filename))):
        for name in names:
            path = Path(base, name)
            try:
                status = path.lstat()
                if not stat.S_ISREG(status.st_mode) or status.st_size != traces.size:
                    continue
                with path.open("rb") as file:
                    if hashlib.file_digest(file, "sha256").hexdigest() == traces.plain:
                        yield str(path)
            except FileNotFoundError:  # gone meanwhile
                continue
            except OSError:
                unread.append(str(path))


def erasure_limits(path: Path) -> list[str]:
    """What nobody can promise about what lay at a path, as far as the system tells where that is.

    >>> erasure_limits(Path("people.csv"))[0]
    'snapshots, backups and copies that others made are not reached'
    """
    kind, device = _mount(path)
    limits: list[str] = list(EVERYWHERE)
    if kind in COPYING_KINDS:
        limits.append(
            say(
                "this file system ({kind}) never writes over old blocks: freed, they may hold the content for some "
                "time",
                kind=kind,
            )
        )
    limits.append(SPINNING if _is_spinning(device) else SOLID)
    return limits


def _mount(path: Path) -> tuple[str, str]:
    """The kind of file system at a path, and its device by number; empty where the system does not say."""
    best, mount = -1, ("", "")
    try:
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return mount
    for line in lines:
        before, _, after = line.partition(" - ")
        fields = before.split()
        if len(fields) > 4 and path.absolute().is_relative_to(fields[4]) and len(fields[4]) > best:
            best, mount = len(fields[4]), (after.split()[0], fields[2])
    return mount


def _is_spinning(device: str) -> bool:
    for place in (f"/sys/dev/block/{device}/queue", f"/sys/dev/block/{device}/../queue"):
        try:
            return Path(place, "rotational").read_text().strip() == "1"
        except OSError:
            continue
    return False


def sign_statement(
    erased: Sequence[Mapping[str, object]],
    looked: Sequence[ErasureSearch],
    *,
    key: SecretKey,
    promised: Sequence[str] = (),
    reason: str = "",
) -> dict[str, object]:
    """The statement: what was erased, where it was looked for, what is not promised; signed.

    >>> signed = sign_statement([{"what": "people.csv"}], [], key=SecretKey(bytes(range(32))))
    >>> check_statement(signed), check_statement(signed | {"by": "somebody else"})
    (True, False)
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.from_private_bytes(key.derive(PURPOSE, 32))
    body = {
        "statement": "erasure",
        "version": VERSION,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "by": user_name(),
        "reason": reason,
        "erased": [dict(erasure) for erasure in erased],
        "looked for": [
            {"where": search.where, "how": search.how, "found": list(search.found)} for search in looked
        ],
        "gone": not any(search.found for search in looked),
        "not promised": list(promised),
        "public key": private.public_key().public_bytes_raw().hex(),
    }
    return {**body, "signature": private.sign(canonical(body)).hex()}


def check_statement(statement: Mapping[str, object], *, public_key: str | None = None) -> bool:
    """Whether a statement is as it was signed, by the key in it, or by one that is known from elsewhere."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    body = {name: value for name, value in statement.items() if name != "signature"}
    try:
        named = str(body["public key"])
        if public_key is not None and named != public_key.strip().lower():
            return False
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(named))
        public.verify(bytes.fromhex(str(statement["signature"])), canonical(body))
    except (InvalidSignature, LookupError, ValueError, TypeError):
        return False
    return True
