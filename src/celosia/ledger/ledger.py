"""The ledger: every release of some people, recorded where nobody can change it unseen.

A line holds the digest of the project, roles, node or recoding, counts, evidence, who released it, when and for whom.
No value of the table stands in it. Who is in which class lies in a file of its own beside it, keyed
(:mod:`celosia.ledger.members`), and the line holds its digest.

One ledger is about one group of people: every release in it is checked against all others.
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from celosia.errors import ProjectError, ReleaseError
from celosia.ledger.chain import append_link, head_path, read_chain, recover_chain
from celosia.ledger.chain_lines import Anchor, ChainLink, LedgerChain
from celosia.ledger.entry import Entry, EntryBody, EntryPeople, RecordedBody, file_digest
from celosia.ledger.members import Digests, Members, read_members, write_members
from celosia.machine import user_name
from celosia.mask.keys import SecretKey
from celosia.say import say
from celosia.tables.private import erase_file

__all__ = ["Ledger", "open_ledger", "sealing_key"]

VERSION = 2
"""Since 2 digests are of folded values: a ledger with digests of texts would recognize nobody."""
BEGINNING = b'{"body":{'
"""How every line begins: a file that holds something else is none of ours."""
RELEASE, WITHDRAWN, FORGOTTEN, BEGUN = "release", "withdrawn", "forgotten", "ledger"


class Ledger:
    """A ledger in a file, with its key where there is one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ledger = open_ledger(Path(folder, "clinic.ledger"), key=SecretKey(bytes(range(32))), project="clinic")
    ...     ledger.project, ledger.entries, ledger.path.exists()
    ('clinic', (), False)
    """

    def __init__(self, path: Path, key: SecretKey | None, links: Sequence[ChainLink]) -> None:
        self.path, self.key = path, key
        self._links = list(links)

    @property
    def id(self) -> str:
        """What tells it from other ledgers."""
        return str(self._links[0].body["id"])

    @property
    def project(self) -> str:
        """The name of the project that began it."""
        return str(self._links[0].body.get("project", ""))

    @property
    def digests(self) -> Digests | None:
        """Digests with the key of this ledger; None where there is no key."""
        return None if self.key is None else Digests(self.key, self.id)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The releases that were not withdrawn, in their order."""
        gone = {link.body["of"] for link in self._links if link.body.get("kind") == WITHDRAWN}
        return tuple(
            _entry(link)
            for link in self._links
            if link.body.get("kind") == RELEASE and link.number not in gone
        )

    @property
    def forgotten(self) -> frozenset[int]:
        """Releases whose file of people was erased."""
        return frozenset(
            cast(int, link.body["of"]) for link in self._links if link.body.get("kind") == FORGOTTEN
        )

    def entry(self, number: int) -> Entry:
        """A release by its number."""
        for entry in self.entries:
            if entry.number == number:
                return entry
        known = ", ".join(str(entry.number) for entry in self.entries)
        raise ReleaseError(
            say("there is no release {number}", number=number),
            where=str(self.path),
            remedy=say("its releases are: {numbers}", numbers=known)
            if known
            else say("its releases are: none"),
        )

    def chain(self, anchors: Sequence[Anchor] = ()) -> LedgerChain:
        """The file read and verified anew."""
        return read_chain(self.path, key=sealing_key(self.key), anchors=tuple(anchors))

    def refresh(self) -> None:
        """Look at what others appended since."""
        self._links = list(self.chain().links)

    def record(self, body: EntryBody, members: Members | None = None, *, as_seen: bool = False) -> Entry:
        """Append a release; who is in which class goes to a file of its own before the line that names it.

        With ``as_seen`` only if nobody appended anything since this ledger was looked at: what was checked against its
        entries was not checked against those. :class:`celosia.ledger.chain.ChainGrewError` says so.
        """
        people: EntryPeople | None = None
        if members is not None and self.key is not None:
            name = f"{secrets.token_hex(8)}.npz"
            people = {
                "file": name,
                "digest": write_members(members, self._folder / name),
                "known": len(members.people),
                "nameless": members.nameless,
                "columns": list(members.values),
            }
        try:
            link = self._append({"kind": RELEASE, **_now(), **body, "people": people}, as_seen=as_seen)
        except BaseException:
            if people is not None:
                erase_file(self._folder / str(people["file"]))
            raise
        return _entry(link)

    def withdraw(self, entry: Entry, why: str) -> None:
        """Say that a release that is recorded did not leave after all."""
        self._append({"kind": WITHDRAWN, **_now(), "of": entry.number, "why": why})
        self._erase(entry)

    def forget(self, entry: Entry) -> bool:
        """Erase who is in which class of a release; whether there was anything to erase."""
        if not self._erase(entry):
            return False
        self._append({"kind": FORGOTTEN, **_now(), "of": entry.number})
        return True

    def members(self, entry: Entry) -> Members | None:
        """Who is in which class of a release; None where that was never known, or was erased."""
        people = entry.body.get("people")
        if people is None:
            return None
        return read_members(self._folder / people["file"], digest=people["digest"], columns=people["columns"])

    def people_problems(self) -> list[str]:
        """Files of people that are not as they were written, or gone though nobody erased them."""
        problems: list[str] = []
        for entry in self.entries:
            people = entry.body.get("people")
            if people is None or entry.number in self.forgotten:
                continue
            digest = file_digest(self._folder / people["file"])
            if digest is None:
                problems.append(
                    say(
                        "release {number}: the file of its people is missing, and nobody erased it",
                        number=entry.number,
                    )
                )
            elif digest != people["digest"]:
                problems.append(
                    say(
                        "release {number}: the file of its people is not as it was written",
                        number=entry.number,
                    )
                )
        return problems

    @property
    def _folder(self) -> Path:
        return self.path.with_name(self.path.name + ".people")

    def _erase(self, entry: Entry) -> bool:
        people = entry.body.get("people")
        place = None if people is None else self._folder / people["file"]
        if place is None or not place.exists():
            return False
        erase_file(place)
        return True

    def _append(self, body: Mapping[str, object], *, as_seen: bool = False) -> ChainLink:
        self._check_key()
        link = append_link(
            self.path,
            body,
            key=sealing_key(self.key),
            first=self._links[0].body,
            after=len(self._links) if as_seen else None,
        )
        # Others may have appended meanwhile: what counts is what the file says.
        self.refresh()
        return link

    def _check_key(self) -> None:
        if self.key is None and self._links and self._links[0].body.get("key") is not None:
            raise ProjectError(
                say("this ledger is sealed, and its key is not there"),
                where=str(self.path),
                remedy=say(
                    "say where the key is: --key-file, --key-env or --key-keyring, or ledger.key in a project"
                ),
            )


def _entry(link: ChainLink) -> Entry:
    """A line of the kind release; only :meth:`Ledger.record` writes these."""
    return Entry(link.number, link.digest, cast(RecordedBody, link.body))


def open_ledger(
    path: Path,
    *,
    key: SecretKey | None = None,
    project: str | None = None,
    begin: bool = True,
    writes: bool = True,
) -> Ledger:
    """A ledger that is sound; one that does not exist is begun with its first entry, unless ``begin`` is False.

    ``project`` is the name of the project whose releases it is about: that of another is refused. With ``writes`` False
    nothing is changed even if somebody was killed while appending to it.
    """
    if begin and _is_empty(path):
        if not path.absolute().parent.is_dir():
            raise ReleaseError(
                say("the folder {folder} does not exist", folder=path.parent),
                where=str(path),
                remedy=say("create it first"),
            )
        body = {
            "kind": BEGUN,
            "version": VERSION,
            "id": secrets.token_hex(16),
            "project": project or "",
            "key": None if key is None else key.id.hex(),
            **_now(),
        }
        return Ledger(path, key, [ChainLink(1, body, "")])
    first = _first(read_chain(path), path)
    _check_same(first, path, key, project)
    if begin and writes and (key is not None or first["key"] is None):
        # Whoever is about to append finishes what somebody left who was killed at it; who only looks changes nothing.
        recover_chain(path, key=sealing_key(key))
    chain = read_chain(path, key=sealing_key(key))
    if not chain.passed:
        raise ReleaseError(
            say("the ledger is not as it was written: {problem}", problem=chain.problems[0]),
            where=str(path),
            remedy=say(
                "look at all that is wrong with celosia ledger verify; nothing is released against "
                "it as it is"
            ),
        )
    return Ledger(path, key, chain.links)


def _is_empty(path: Path) -> bool:
    """Whether no line stands there: nothing was begun, or whoever began was killed before its first line was whole."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    is_begun = content.startswith(BEGINNING[: len(content)]) and b"\n" not in content
    return is_begun and not head_path(path).exists()


def _first(chain: LedgerChain, path: Path) -> Mapping[str, object]:
    if not chain.links or chain.links[0].body.get("kind") != BEGUN:
        why = chain.problems[0] if chain.problems else say("its first line begins no ledger")
        raise ReleaseError(
            say("this is no ledger ({problem})", problem=why), where=str(path), remedy=say("check the path")
        )
    first = chain.links[0].body
    if first.get("version") != VERSION:
        raise ReleaseError(
            say("this ledger has version {version!r}", version=first.get("version")),
            where=str(path),
            remedy=say("this system knows version {version}: use the one that wrote it", version=VERSION),
        )
    return first


def _check_same(first: Mapping[str, object], path: Path, key: SecretKey | None, project: str | None) -> None:
    if project and first["project"] and project != first["project"]:
        raise ProjectError(
            say(
                "this is the ledger of project {own!r}, not of {other!r}",
                own=first["project"],
                other=project,
            ),
            where=str(path),
            remedy=say(
                "name the ledger of this project, or a new file; one ledger is about one group of people"
            ),
        )
    if key is not None and first["key"] != key.id.hex():
        own = key.id.hex()
        raise ProjectError(
            say("this ledger was begun with no key, not with the key {own}", own=own)
            if first["key"] is None
            else say(
                "this ledger was begun with the key {key}, not with the key {own}", key=first["key"], own=own
            ),
            where=str(path),
            remedy=say("name the key it was begun with; with another, people would not be recognized"),
        )


def sealing_key(key: SecretKey | None) -> bytes | None:
    """The key of the seals; None where there is no key.

    >>> sealing_key(None) is None
    True
    """
    return None if key is None else key.derive("ledger seals", 32)


def _now() -> dict[str, str]:
    return {"at": datetime.now(UTC).isoformat(timespec="seconds"), "by": user_name()}
