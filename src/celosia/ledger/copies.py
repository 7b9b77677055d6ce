"""One copy of a release per recipient, each with a mark of its own; and a leak traced back to a copy."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from celosia.errors import ProjectError, ReleaseError
from celosia.ledger.check import LedgerCheck, check_members, releases_held_together
from celosia.ledger.entry import Entry, EntryBody, EntryFingerprint, EntryRelease, file_digest
from celosia.ledger.fingerprint import Suspect, is_marked, limit_marks, mark_rows, suspects
from celosia.ledger.ledger import Ledger
from celosia.ledger.open_entry import open_entry
from celosia.mask.keys import SecretKey
from celosia.measure.row_order import rows_in_order
from celosia.project import make_project
from celosia.release.publish import publish
from celosia.release.verify import Verification, verify
from celosia.say import join_texts, say
from celosia.tables import FileDestination, open_table
from celosia.tables.format import Options
from celosia.tables.formats import find_format
from celosia.tables.table import Recoding, Table
from celosia.tables.written_forms import opening_arguments
from celosia.types import nearest

__all__ = ["RATE", "copy_release", "trace_leak"]

RATE = 0.01
"""The share of cells that are left empty in a copy."""
MISSING = ("",)


def copy_release(
    ledger: Ledger,
    entry: Entry,
    out: Path,
    *,
    recipient: str,
    rate: float = RATE,
    column: str | None = None,
    overwrite: bool = False,
) -> Entry:
    """Write a copy of a release for one recipient, verify it, and record it.

    ``rate`` is the share of cells of one ``column`` that are left empty, 0 for none; the first common column unless
    given, else the first sensitive one.
    """
    key = _key(ledger)
    _check_request(recipient, rate)
    check = _check(ledger, entry, recipient)
    table = open_entry(entry).table
    rows = pl.concat(list(table.scan()))
    fingerprint: EntryFingerprint | None = None
    if rate:
        texts, chosen = _texts(table), _column(entry, table, column)
        marked = is_marked(texts, chosen, key=key, ledger=ledger.id, recipient=recipient, rate=rate)
        marked, marks = limit_marks(texts, chosen, marked, most=max(1, int(rate * rows.height)))
        fingerprint = {"column": chosen, "rate": rate, "cells": int(marked.sum()), "marks": marks}
        rows = mark_rows(rows, chosen, marked)
    recorded: list[Entry] = []

    def make(hidden: Path) -> Verification:
        verification, release = _write(rows, table, entry, hidden, out)
        body = _body(entry, release, verification, recipient=recipient, fingerprint=fingerprint, check=check)
        recorded.append(ledger.record(body, ledger.members(entry), as_seen=True))
        return verification

    def describe(verification: Verification) -> Mapping[str, object]:
        return {
            "destination": {"path": str(out)},
            "ledger": {"file": str(ledger.path), "anchor": str(recorded[0].anchor), "recipient": recipient},
            "copy_of": str(entry.anchor),
            "verification": [finding.text for finding in verification.findings],
        }

    try:
        publish(out, make=make, describe=describe, overwrite=overwrite)
    except BaseException:
        for copy in recorded:
            if file_digest(out) != copy.body["release"]["digest"]:
                ledger.withdraw(copy, "the copy could not be written")
        raise
    return recorded[0]


def _check_request(recipient: str, rate: float) -> None:
    if not recipient:
        raise ProjectError(
            say("nobody is named"), where="recipient", remedy=say("say for whom the copy is (--for)")
        )
    if not 0 <= rate <= 0.5:
        raise ProjectError(
            say("{rate:g} is no rate", rate=rate),
            where="rate",
            remedy=say("give a share of cells between 0 and 0.5, such as 0.01"),
        )


def _write(
    rows: pl.DataFrame, table: Table, entry: Entry, hidden: Path, out: Path
) -> tuple[Verification, EntryRelease]:
    """Write a copy where nobody sees it yet, and verify it; it gets the name ``out`` later."""
    separator = entry.body["release"].get("reading", {}).get("separator")
    like = replace(getattr(table, "options", Options()), has_byte_order_mark=False, encoding=None)
    destination = FileDestination(
        hidden, format=find_format(out, None).name, separator=separator, encoding="utf-8"
    )
    open_table(rows, missing=MISSING, like=like).write(Recoding(), destination)
    verification = _verify(entry, hidden, destination, like)
    return verification, {
        "place": str(out.absolute()),
        "digest": file_digest(hidden),
        "reading": {**opening_arguments(like)},  # type: ignore[typeddict-item]
        "rows": verification.rows,
        "classes": verification.classes,
        "k": verification.smallest,
    }


def _body(
    entry: Entry,
    release: EntryRelease,
    verification: Verification,
    *,
    recipient: str,
    fingerprint: EntryFingerprint | None,
    check: LedgerCheck | None,
) -> EntryBody:
    """What is recorded of a copy: what was recorded of the release, for whom it is, and its mark."""
    original = entry.body
    return {
        "project": original["project"],
        "table": original["table"],
        "type": original["type"],
        "roles": original["roles"],
        "recoding": original["recoding"],
        "models": original["models"],
        "recipient": recipient,
        "copy_of": entry.number,
        "fingerprint": fingerprint,
        "checks": [] if check is None else [check.summary()],
        "release": release,
        "evidence": {"verified": [finding.text for finding in verification.findings]},
    }


def _check(ledger: Ledger, entry: Entry, recipient: str) -> LedgerCheck | None:
    """What the copy and what the recipient has already reveal together; raise if that is too much."""
    members = ledger.members(entry)
    if members is None:
        return None
    models = [
        model
        for model in make_project(models=entry.body["models"]).models
        if not (model.needs_population or model.needs_losses)
    ]
    [held] = releases_held_together(ledger.entries, recipient, "same")
    others = [other for other in held if other.number != entry.number]
    check = check_members(ledger, others, members, models=models)
    if not check.passed:
        raise ReleaseError(
            say(
                "together with what {recipient} has it would break its promise: {problems}",
                recipient=recipient,
                problems=join_texts("; ", check.sentences()),
            ),
            where=say("release {number}", number=entry.number),
            remedy=say(
                "nothing was written; make a release for them, which finds what keeps it (celosia run --for)"
            ),
        )
    return check


def trace_leak(ledger: Ledger, leak: Table) -> dict[str, tuple[Suspect, ...]]:
    """By the columns that are marked in copies, how well a leak fits the copy of every recipient."""
    key = _key(ledger)
    copies = [
        (entry.recipient, fingerprint)
        for entry in ledger.entries
        if (fingerprint := entry.body.get("fingerprint")) is not None
    ]
    if not copies:
        raise ReleaseError(
            say("no copy with a mark is recorded"),
            where=str(ledger.path),
            remedy=say("make copies with celosia ledger copy before the release leaves"),
        )
    columns = dict.fromkeys(fingerprint["column"] for _, fingerprint in copies)
    texts = _texts(leak)
    suspected = {}
    for column in columns:
        if column not in texts.columns:
            continue
        rates = {
            recipient: float(fingerprint["rate"])
            for recipient, fingerprint in copies
            if fingerprint["column"] == column
        }
        suspected[column] = suspects(texts, column, key=key, ledger=ledger.id, recipients=list(rates.items()))
    if not suspected:
        raise ReleaseError(
            say("the leak has no column that is marked: {columns}", columns=", ".join(columns)),
            where=leak.name,
            remedy=say("without it nobody can be told apart"),
        )
    return suspected


def _texts(table: Table) -> pl.DataFrame:
    rows = rows_in_order(table, table.columns())
    return rows.with_columns(pl.when(pl.all() == "").then(None).otherwise(pl.all()).name.keep())


def _key(ledger: Ledger) -> SecretKey:
    if ledger.key is None:
        raise ProjectError(
            say("marks are made with a key, and there is none"),
            where=str(ledger.path),
            remedy=say("a ledger that is begun with a key has one"),
        )
    return ledger.key


def _column(entry: Entry, table: Table, column: str | None) -> str:
    names: Sequence[str] = table.columns()
    if column is not None:
        if column not in names or column in entry.quasi_identifiers:
            others = tuple(name for name in names if name not in entry.quasi_identifiers)
            raise ProjectError(
                say("{column!r} is no column of the release that can be marked", column=column),
                where="column",
                remedy=nearest(column, others),
            )
        return column
    sensitive = entry.with_role("sensitive")
    free = [name for name in names if name not in entry.quasi_identifiers and name not in sensitive]
    for name in (*free, *(column for column in sensitive if column in names)):
        return name
    raise ProjectError(
        say("the release has quasi-identifiers only: none of them may be marked"),
        where=say("release {number}", number=entry.number),
        remedy=say("copy it without a mark: --rate 0"),
    )


def _verify(entry: Entry, path: Path, destination: FileDestination, like: Options) -> Verification:
    """The promises of the release, on the copy."""
    models = make_project(models=entry.body["models"]).models
    table = open_table(
        path, missing=(), format=destination.format, separator=destination.separator, like=like
    )
    columns = [name for name in entry.quasi_identifiers if name in table.columns()]
    known = [model for model in models if not (model.needs_population or model.needs_losses)]
    if not columns or not known:
        return _nothing_promised(table)
    checked = verify(table, quasi_identifiers=columns, models=known)
    if not checked.passed:
        broken = join_texts("; ", (finding.text for finding in checked.findings if not finding.passed))
        raise ReleaseError(
            say("with this mark the copy would break a promise: {problems}", problems=broken),
            where=str(path.name),
            remedy=say("mark another column, at a lower rate, or none (--rate 0)"),
        )
    return checked


def _nothing_promised(table: Table) -> Verification:
    """Of a release that promises nothing about people, its rows."""
    from celosia.measure.risk import class_risk

    rows = table.count_by([table.columns()[0]]).rows
    risk = class_risk(pl.Series([], dtype=pl.Int64).to_numpy())
    return Verification(True, rows, 0, 0, risk, ())
