"""From the record of a release and new rows to a release with both, verified, checked and recorded like any other."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from celosia.errors import ProjectError, ReleaseError
from celosia.hierarchies import Hierarchy
from celosia.ledger.check import LedgerCheck
from celosia.ledger.entry import Entry, EntryBody, file_digest
from celosia.ledger.entry_body import describe_entry
from celosia.ledger.extend import Extension, extend_rows
from celosia.ledger.extended_ledger import ExtendedLedger
from celosia.ledger.join_by_values import PublishedTable
from celosia.ledger.members import Members
from celosia.project import TablePlan, load_project
from celosia.release.open_source import opened_table
from celosia.release.prepared_table import PreparedTable, as_hierarchy
from celosia.release.publish import ensure_free, publish
from celosia.release.record import WITHHELD
from celosia.release.verify import Verification, verify
from celosia.say import join_texts, say
from celosia.tables import FileDestination, open_table
from celosia.tables.format import Options
from celosia.tables.formats import find_format
from celosia.tables.table import Recoding, Table
from celosia.tables.written_forms import forms_of, opening_arguments, read_with_forms
from celosia.types import Role
from celosia.values.named import named

__all__ = ["ExtensionResult", "extend_release"]

ReleaseRecord = Mapping[str, Any]
"""The record beside a release: JSON of any depth, read back from its file."""


@dataclass(frozen=True)
class ExtensionResult:
    """What became of new rows: added to the release, waiting, or of people who are in it already."""

    place: Path
    rows: int
    added: int
    waiting: int
    already: int
    classes: int
    new_classes: int
    verification: Verification
    check: LedgerCheck | None
    record: ReleaseRecord


def extend_release(
    record: Path,
    new: Any,
    out: Path,
    *,
    waiting: Path | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    overwrite: bool = False,
) -> ExtensionResult:
    """Add ``new`` rows, a table like the one that was released, to the release that a record is about.

    ``waiting`` is a file for the rows that cannot be added yet, as they came: it holds personal data, and only its
    owner may read it. ``hierarchies`` are those that the record withholds, or that were handed over.
    """
    if waiting is not None:
        ensure_free(waiting, overwrite=overwrite)
    before = _read_record(record)
    project = load_project(record)
    plan = project.plan()
    path = _place(plan, record)
    with opened_table(project, source=new) as job:
        earlier = _published(job, path, hierarchies or {})
        book = ExtendedLedger(project, path, earlier)
        table, already = book.without_known(job)
        extension = extend_rows(earlier, table, models=job.plan.models, node=before.get("node"))
        if not extension.added.any():
            raise ReleaseError(
                say(
                    "none of {count:,} new rows can be added: too few of them fall into the same class",
                    count=len(extension.added),
                ),
                where=str(path),
                remedy=say("nothing was written; wait for more of them"),
            )
        members = book.members(job, table, extension)
        check = book.check(members, job)
        if waiting is not None:
            _write_waiting(job, table, extension, waiting)
        ready = _ReadyExtension(path, before, job, earlier, extension, book, members, check, already=already)
        return ready.publish(out, overwrite=overwrite)


def _read_record(path: Path) -> ReleaseRecord:
    try:
        record: ReleaseRecord = json.loads(path.read_text(encoding="utf-8"))
        _ = record["project"], record["destination"]
    except (OSError, ValueError, LookupError, TypeError):
        raise ProjectError(
            say("this is no record of a release"), where=str(path), remedy=say("it lies beside the release")
        ) from None
    return record


def _place(plan: TablePlan, record: Path) -> Path:
    """The release that a record is about: where it was written, else beside the record."""
    if plan.destination.table is not None or plan.source.is_on_cluster or plan.destination.path is None:
        raise ProjectError(
            say("only a release in a file can be extended"),
            where=str(record),
            remedy=say("export it to a file, or make a new release of all rows"),
        )
    named = Path(plan.destination.path)
    beside = record.parent / named.name
    for path in (beside, named):
        if path.is_file():
            return path
    raise ReleaseError(
        say("the release is not there"), where=str(named), remedy=say("put it beside its record")
    )


def _published(job: PreparedTable, path: Path, handed_over: Mapping[str, Hierarchy]) -> PublishedTable:
    plan = job.plan
    table = open_table(str(path), missing=(), separator=plan.destination.separator)
    table = read_with_forms(table, forms_of(job.source))
    names = table.columns()
    hierarchies = dict(handed_over)
    for name, column in plan.columns.items():
        if column.hierarchy is None or name in hierarchies or name not in names:
            continue
        if column.hierarchy == WITHHELD:
            raise ProjectError(
                say("the record does not hold the hierarchy of {column!r}", column=name),
                where=str(path),
                remedy=say("give it: --hierarchy {column}=FILE", column=name),
            )
        hierarchies[name] = as_hierarchy(column.hierarchy, name)
    return PublishedTable(
        table,
        tuple(name for name in plan.quasi_identifiers if name in names),
        tuple(name for name in plan.with_role(Role.SENSITIVE) if name in names),
        hierarchies,
        {column.name: column.type for column in job.table.schema()},
    )


def _write_waiting(job: PreparedTable, table: Table, extension: Extension, place: Path) -> None:
    if job.masking is not None:
        raise ProjectError(
            say("operations change the rows on their way, so that those that wait are not as they came"),
            where=str(place),
            remedy=say("leave the file out, and keep the new rows until they are added"),
        )
    rows = pl.concat(list(table.scan())).filter(pl.Series(~extension.added))
    if rows.height:
        open_table(rows, missing=()).write(Recoding(keeps_order=True), place)


@dataclass(frozen=True)
class _ReadyExtension:
    """All that is known of an extension before it is written: the release, the new rows, and what the ledger says."""

    path: Path
    record: ReleaseRecord
    job: PreparedTable
    earlier: PublishedTable
    extension: Extension
    book: ExtendedLedger
    members: Members | None
    check: LedgerCheck | None
    already: int

    def publish(self, out: Path, *, overwrite: bool) -> ExtensionResult:
        """Write both together in random order, verify, record, and only then let it go."""
        old = pl.concat(list(self.earlier.table.scan()))
        added = self.extension.rows.select([named(name).cast(dtype) for name, dtype in old.schema.items()])
        rows = pl.concat([old, added])
        recorded: list[Entry] = []

        def make(hidden: Path) -> ExtensionResult:
            verification = self._write(rows, hidden, out)
            record = self._describe(verification, out)
            if self.book.ledger is not None:
                body = self._body(record, verification, hidden, out)
                entry = self.book.ledger.record(body, self.members, as_seen=True)
                recorded.append(entry)
                record["ledger"] = {
                    "file": str(self.book.ledger.path),
                    "anchor": str(entry.anchor),
                    "recipient": self.book.plan.recipient,
                    "checks": [] if self.check is None else [self.check.summary()],
                }
            return ExtensionResult(
                out,
                rows.height,
                added.height,
                self.extension.waiting,
                self.already,
                self.extension.classes,
                self.extension.new_classes,
                verification,
                self.check,
                record,
            )

        try:
            return publish(out, make=make, describe=lambda result: result.record, overwrite=overwrite)
        except BaseException:
            for entry in recorded:
                if self.book.ledger is not None and file_digest(out) != entry.body["release"]["digest"]:
                    self.book.ledger.withdraw(entry, "it could not be written")
            raise

    @property
    def _options(self) -> Options:
        """How the earlier release is written, as the extended one is."""
        return getattr(self.earlier.table, "options", Options())

    def _write(self, rows: pl.DataFrame, hidden: Path, out: Path) -> Verification:
        """Write where nobody sees it yet; raise if what was written breaks a promise."""
        plan = self.job.plan
        format_name, separator = find_format(out, None).name, plan.destination.separator
        destination = FileDestination(hidden, format=format_name, separator=separator)
        open_table(rows, missing=(), like=self._options).write(Recoding(), destination)
        verification = verify(
            open_table(hidden, missing=(), format=format_name, separator=separator, like=self._options),
            quasi_identifiers=self.earlier.quasi_identifiers,
            models=plan.models,
            hierarchies=self.earlier.hierarchies,
            identifiers=plan.with_role(Role.IDENTIFIER),
        )
        if not verification.passed or verification.rows != rows.height:
            broken = [finding.text for finding in verification.findings if not finding.passed]
            problems = broken or [say("rows are missing")]
            raise ReleaseError(
                say(
                    "with the new rows the release would break a promise: {problems}",
                    problems=join_texts("; ", problems),
                ),
                where=str(out),
                remedy=say("nothing was written; make a new release of all rows"),
            )
        return verification

    def _describe(self, verification: Verification, out: Path) -> dict[str, Any]:
        """The record of the earlier release, about this one; what was measured of that one alone is left out."""
        record = {
            name: value
            for name, value in self.record.items()
            if name not in ("distributions", "measures", "risk", "ledger", "rows")
        }
        tables, name = dict(record["project"]["tables"]), self.job.name
        tables[name] = {**tables[name], "destination": {"path": str(out)}}
        return record | {
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "project": {**record["project"], "tables": tables},
            "destination": {"path": str(out)},
            "extends": {"release": str(self.path), "digest": file_digest(self.path)},
            "rows": {
                "written": verification.rows,
                "added": int(self.extension.added.sum()),
                "waiting": self.extension.waiting,
            },
            "risk": {"before": None, "after": asdict(verification.risk)},
            "verification": asdict(verification),
        }

    def _body(self, record: ReleaseRecord, verification: Verification, hidden: Path, out: Path) -> EntryBody:
        """What is recorded of the extended release."""
        entry, reading = self.book.entry, opening_arguments(self._options)
        body = describe_entry(
            self.job,
            {
                "place": str(out.absolute()),
                "digest": file_digest(hidden),
                "reading": {**reading},  # type: ignore[typeddict-item]
                "rows": verification.rows,
                "classes": verification.classes,
                "k": verification.smallest,
            },
            recipient=self.book.plan.recipient,
            project=record["project"],
            recoding=None if entry is None else entry.body["recoding"],
            evidence={"verified": [finding.text for finding in verification.findings]},
            checks=[] if self.check is None else [{**self.check.summary(), "proposals": []}],
        )
        body["extends"] = None if entry is None else entry.number
        return body
