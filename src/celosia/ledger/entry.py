"""What a ledger says of one release: the fields of an entry, and the digests by which things are known again."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NotRequired, Required, TypedDict

from celosia.ledger.chain_lines import Anchor, canonical

__all__ = [
    "CheckSummary",
    "Entry",
    "EntryBody",
    "EntryEvidence",
    "EntryFingerprint",
    "EntryPeople",
    "EntryReading",
    "EntryRecoding",
    "EntryRelease",
    "RecordedBody",
    "file_digest",
    "project_digest",
]


class EntryReading(TypedDict, total=False):
    """How the file of a release is read again."""

    separator: str | None
    encoding: str | None
    header: bool | None
    forms: dict[str, str]


class EntryRelease(TypedDict):
    """The table that left: where it was written, its digest if it is a file, and what was counted in it."""

    place: str
    digest: str | None
    reading: EntryReading
    rows: int
    classes: int
    k: int


class EntryRecoding(TypedDict):
    """What was done to the values, in words for every column."""

    technique: str
    node: Mapping[str, int] | None
    columns: Mapping[str, str]


class EntryEvidence(TypedDict, total=False):
    """The risk that was measured, and the findings of the verification."""

    risk: Mapping[str, float | None] | None
    verified: Sequence[str]


class EntryProject(TypedDict):
    """The project that made the release."""

    name: str
    digest: str | None


class EntryFingerprint(TypedDict):
    """The mark of a copy: the column in which cells are empty, and how many are."""

    column: str
    rate: float
    cells: int
    marks: int


class EntryPeople(TypedDict):
    """The file that says who is in which class."""

    file: str
    digest: str
    known: int
    nameless: int
    columns: Sequence[str]


class CheckSummary(TypedDict, total=False):
    """What a check against earlier releases came to; the counts are there where people could be joined."""

    way: Required[str]
    against: Required[Sequence[int]]
    passed: Required[bool]
    asked: int
    k: int
    k_before: int | None
    people: int
    groups: int
    already: int
    damage: Sequence[Mapping[str, object]]
    values: Sequence[Mapping[str, object]]
    violations: Mapping[str, int]
    ordered: Sequence[int]
    proposals: Sequence[Mapping[str, object]]
    unknown: Sequence[str]


class EntryBody(TypedDict):
    """What is said of a release when it is recorded."""

    recipient: str
    project: EntryProject
    table: str
    type: str
    roles: Mapping[str, str]
    recoding: EntryRecoding | None
    models: Sequence[Mapping[str, object]]
    release: EntryRelease
    evidence: EntryEvidence
    checks: NotRequired[Sequence[CheckSummary]]
    signature: NotRequired[str | None]
    imported: NotRequired[bool]
    extends: NotRequired[int | None]
    copy_of: NotRequired[int]
    fingerprint: NotRequired[EntryFingerprint | None]


class RecordedBody(EntryBody):
    """A release as it is recorded: also who recorded it, when, and the file of its people."""

    kind: str
    at: str
    by: str
    people: EntryPeople | None


@dataclass(frozen=True)
class Entry:
    """A release as the ledger has it: the number and digest of its line, and what it says."""

    number: int
    digest: str
    body: RecordedBody

    @property
    def recipient(self) -> str:
        """For whom it is; empty for everybody."""
        return str(self.body.get("recipient", ""))

    @property
    def place(self) -> str:
        """Where it was written."""
        return self.body["release"]["place"]

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """Its columns that others may know about a person."""
        return self.with_role("quasi-identifier")

    def with_role(self, role: str) -> tuple[str, ...]:
        """Columns of a role."""
        return tuple(name for name, own in self.body["roles"].items() if own == role)

    @property
    def anchor(self) -> Anchor:
        """What to keep elsewhere so that the entry cannot be taken out unseen."""
        return Anchor(self.number, self.digest)


def file_digest(path: Path) -> str | None:
    """The SHA-256 of a file; None if there is none.

    >>> file_digest(Path("nowhere.csv")) is None
    True
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def project_digest(project: object) -> str:
    """The digest of a project as a record keeps it, without values of the table.

    >>> len(project_digest({"version": 2}))
    64
    """
    return hashlib.sha256(canonical(project)).hexdigest()
