"""``celosia ledger``: what was released before, and what all of it reveals together."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.ledgers import (
    ForeignRelease,
    anchor_of,
    copy_release,
    import_release,
    join_table_pairs,
    parse_anchor,
    recipient_subsets,
    trace_leak,
    verify_ledger,
)
from celosia.cli import completion
from celosia.cli.command import command, command_group
from celosia.cli.key_options import KeyOptions
from celosia.cli.language import figure, render, tr, tr_count
from celosia.cli.ledger_options import LedgerArgument, find_key, opened_ledger
from celosia.cli.options import (
    ClusterOptions,
    OutputOptions,
    ReadingOptions,
    RoleOptions,
    TableArgument,
    option,
)
from celosia.cli.parse_options import parse_k, parse_share
from celosia.cli.show import heading, per_cent, print_columns, print_json, print_line
from celosia.cli.table_request import TableRequest
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import Entry, EntryFingerprint, LedgerChain, RecipientSubset, TablePair

__all__ = ["add_to"]

NumberArgument = Annotated[int, typer.Argument(metavar="NUMBER", help="The number of a release.")]
For = Annotated[str, option("--for", "NAME", "For whom it is; everybody by default.")]
SURE = 0.001
"""A copy fits a leak by chance less often than this: it is the one."""


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = command_group("What was released before, and what all of it reveals together.")
    command(group, "list")(list_releases)
    command(group)(show)
    command(group)(verify)
    command(group)(check)
    command(group, "import")(import_)
    command(group)(copy)
    command(group)(trace)
    command(group)(forget)
    app.add_typer(group, name="ledger")


def list_releases(*, ledger: LedgerArgument, key: KeyOptions, output: OutputOptions) -> None:
    """List all releases: when, for whom, where, rows, k, and the k that remained once they were joined."""
    book = opened_ledger(ledger, key)
    if output.as_json:
        print_json({"project": book.project, "releases": [_told(entry) for entry in book.entries]})
        return
    rows = [
        (
            str(entry.number),
            str(entry.body["at"])[:16].replace("T", " "),
            entry.recipient or tr("everybody"),
            figure(entry.body["release"]["rows"]),
            figure(entry.body["release"]["k"]),
            _joined(entry),
            entry.place,
        )
        for entry in book.entries
    ]
    number = tr_count("{count:,} release", "{count:,} releases", len(rows))
    print_line(f"{ledger}: {number}", bold=True)
    heads = ["", tr("when"), tr("for"), tr("rows"), "k", tr("k joined"), tr("where")]
    print_columns(rows, heads, right=[0, 3, 4, 5])


def show(*, ledger: LedgerArgument, number: NumberArgument, key: KeyOptions, output: OutputOptions) -> None:
    """Show all that the ledger says of a release."""
    entry = opened_ledger(ledger, key).entry(number)
    if output.as_json:
        print_json(_told(entry))
        return
    print_line(tr("Release {number}", number=number), bold=True)
    body = dict(entry.body)
    rows = [(name, _text(value)) for name, value in body.items() if value not in (None, {}, [])]
    print_columns([*rows, ("anchor", str(entry.anchor))])


def verify(
    *,
    ledger: LedgerArgument,
    anchor: Annotated[
        list[str] | None,
        option("--anchor", "NUMBER:DIGEST", "An entry that somebody kept elsewhere; may be repeated."),
    ] = None,
    record: Annotated[
        list[Path] | None,
        option(
            "--anchor-record",
            "FILE",
            "The record of a release, which holds such an entry; may be repeated.",
            autocompletion=completion.files,
        ),
    ] = None,
    key: KeyOptions,
    output: OutputOptions,
) -> None:
    """Check that no line was changed, left out or added, nor a file of people; the exit status is 1 if one was."""
    anchors = [*map(parse_anchor, anchor or ()), *map(anchor_of, record or ())]
    chain = verify_ledger(ledger, key=find_key(key), anchors=anchors)
    if output.as_json:
        last = chain.links[-1].anchor if chain.links else None
        print_json(
            {
                "passed": chain.passed,
                "entries": len(chain.links),
                "last": None if last is None else str(last),
                "problems": list(chain.problems),
                "unknown": list(chain.unknown),
            }
        )
    else:
        _print_chain(ledger, chain)
    if not chain.passed:
        raise typer.Exit(1)


def _print_chain(ledger: Path, chain: "LedgerChain") -> None:
    verdict = tr("every line is as it was written") if chain.passed else tr("this ledger was changed")
    print_line(f"{ledger}: {verdict}", colour="green" if chain.passed else "red", bold=True)
    print_line("  " + tr_count("{count:,} sound line", "{count:,} sound lines", len(chain.links)))
    for text in chain.problems:
        print_line(f"  {render(text)}", colour="red")
    for text in chain.unknown:
        print_line("  " + tr("not known: {what}", what=text), colour="yellow")
    if chain.passed and chain.links:
        print_line("  " + tr("to keep elsewhere: --anchor {anchor}", anchor=chain.links[-1].anchor))


def check(
    *,
    ledger: LedgerArgument,
    recipients: Annotated[
        list[str] | None,
        option(
            "--recipients",
            "NAMES",
            "Who share what they have, as in a,b; each, every two and all by default.",
        ),
    ] = None,
    tables: Annotated[
        bool, option("--tables", None, "Also join the released tables two by two, on the columns they share.")
    ] = False,
    k: Annotated[
        str, option("-k", "K", "The exit status is 1 if fewer people than this remain; 1 by default.")
    ] = "1",
    key: KeyOptions,
    output: OutputOptions,
) -> None:
    """Tell the k that remains if recipients share what they have."""
    least = parse_k(k)
    book = opened_ledger(ledger, key)
    named = [name for text in recipients or () for name in text.split(",")]
    subsets = recipient_subsets(book, named)
    met = join_table_pairs(book) if tables else ()
    if output.as_json:
        print_json(
            {
                "recipients": [asdict(subset) for subset in subsets],
                "tables": [asdict(meeting) for meeting in met],
            }
        )
    else:
        _print_subsets(subsets)
        if tables:
            _print_met(met)
    reached = [subset.k for subset in subsets] + [meeting.k for meeting in met]
    if any(k is not None and k < least for k in reached):
        raise typer.Exit(1)


def _print_subsets(subsets: "tuple[RecipientSubset, ...]") -> None:
    print_line(tr("What remains if they share what they have"), bold=True)
    rows = [
        (
            _and(subset.recipients) or tr("everybody"),
            ", ".join(map(str, subset.releases)),
            _k(subset.k),
            figure(subset.people),
        )
        for subset in subsets
    ]
    print_columns(rows, [tr("who"), tr("releases"), "k", tr("people")], right=[2, 3])
    unknown = sorted({number for subset in subsets for number in subset.unknown})
    if unknown:
        releases = ", ".join(map(str, unknown))
        text = tr("not known: who is in {releases}; --tables joins what they show", releases=releases)
        print_line(f"  {text}", colour="yellow")


def _and(names: Sequence[str]) -> str:
    """Names in a row, the first of them alone where there is no other."""
    *before, last = names or [""]
    for name in reversed(before):
        last = tr("{first} and {second}", first=name, second=last)
    return last


def _k(value: int | None) -> str:
    return tr("unknown") if value is None else figure(value)


def _print_met(met: "tuple[TablePair, ...]") -> None:
    heading(tr("Tables joined two by two (what this attack reaches; whoever knows more can reach less)"))
    orders = {None: "", True: tr("the same"), False: tr("not the same")}
    rows = [
        (
            _and((str(meeting.first), str(meeting.second))),
            _k(meeting.k),
            orders[meeting.same_order],
            meeting.note,
        )
        for meeting in met
    ]
    print_columns(rows, [tr("releases"), "k", tr("order of rows"), ""], right=[1])


def import_(
    *,
    ledger: LedgerArgument,
    table: TableArgument,
    roles: RoleOptions,
    recipient: For = "",
    person: Annotated[
        str | None,
        option(
            "--person", "COLUMN", "A column of it that tells who somebody is in every release.", panel="Roles"
        ),
    ] = None,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    key: KeyOptions,
    output: OutputOptions,
) -> None:
    """Record a release that was made elsewhere, from its table."""
    asked = TableRequest(table, reading, cluster)
    asked.ensure_passwords()
    named = asked.roles(roles)
    if not named.quasi_identifiers:
        raise ProjectError(
            say("no quasi-identifier was given"), where=table, remedy=say("name them, as in --qi age,zip")
        )
    book = opened_ledger(ledger, key, begin=True)
    entry = import_release(book, ForeignRelease(asked.source, named, recipient, person), ask=asked.ask)
    if output.as_json:
        print_json(_told(entry))
    else:
        text = tr("{ledger}: release {number} is recorded", ledger=ledger, number=entry.number)
        print_line(text, bold=True)
        if person is None:
            unknown = tr("not known: who is in it; later releases are checked by the values of people")
            print_line(f"  {unknown}")


def copy(
    *,
    ledger: LedgerArgument,
    number: NumberArgument,
    out: Annotated[Path, option("--out -o", "FILE", "Where the copy goes.", autocompletion=completion.files)],
    recipient: For = "",
    rate: Annotated[
        str,
        option("--rate", "SHARE", "The share of cells left empty as a mark; 1% by default, 0 for none."),
    ] = "1%",
    column: Annotated[
        str | None, option("--mark-column", "COLUMN", "The column that is marked; a common one by default.")
    ] = None,
    overwrite: Annotated[bool, option("--overwrite", None, "Replace a file of that name.")] = False,
    key: KeyOptions,
    output: OutputOptions,
) -> None:
    """Write a copy of a release for one recipient, with a mark that tells whose it is, and record it."""
    book = opened_ledger(ledger, key, needs_key=True)
    entry = copy_release(
        book,
        number,
        out,
        recipient=recipient,
        rate=parse_share(rate, option="--rate"),
        column=column,
        overwrite=overwrite,
    )
    if output.as_json:
        print_json(_told(entry))
        return
    text = tr(
        "{file}: a copy of release {number} for {recipient}, recorded as {entry}",
        file=out,
        number=number,
        recipient=recipient,
        entry=entry.number,
    )
    print_line(text, bold=True)
    mark = entry.body["fingerprint"]
    if mark is not None:
        _print_mark(mark, entry.body["release"]["rows"])


def _print_mark(mark: "EntryFingerprint", rows: int) -> None:
    empty = tr(
        "{share} of the cells of {column!r} are empty, by chance of the key",
        share=per_cent(mark["cells"] / max(1, rows)),
        column=mark["column"],
    )
    print_line(f"  {empty}")
    if mark["rate"] ** mark["marks"] >= SURE:
        text = tr_count(
            "{count:,} mark, too few to tell whose a leak is: rows are too much alike; mark another column"
            " (--mark-column), or more cells (--rate)",
            "{count:,} marks, too few to tell whose a leak is: rows are too much alike; mark another column"
            " (--mark-column), or more cells (--rate)",
            mark["marks"],
        )
        print_line(f"  {text}", colour="yellow")


def trace(
    *,
    ledger: LedgerArgument,
    table: TableArgument,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    key: KeyOptions,
    output: OutputOptions,
) -> None:
    """Tell whose copy a leak comes from; the exit status is 1 if no copy fits."""
    asked = TableRequest(table, reading, cluster)
    asked.ensure_passwords()
    book = opened_ledger(ledger, key, needs_key=True)
    suspects = trace_leak(book, asked.source, ask=asked.ask)
    if output.as_json:
        print_json({column: [asdict(suspect) for suspect in ranked] for column, ranked in suspects.items()})
    for column, ranked in {} if output.as_json else suspects.items():
        print_line(tr("Empty cells of {column!r}", column=column), bold=True)
        rows = [
            (
                suspect.recipient,
                tr("{hits:,} of {cells:,}", hits=suspect.hits, cells=suspect.cells),
                figure(suspect.filled),
                figure(suspect.p_value, ".3g"),
            )
            for suspect in ranked
        ]
        marked = [place for place, suspect in enumerate(ranked) if suspect.p_value * len(ranked) < SURE]
        heads = [tr("copy of"), tr("empty there too"), tr("empty there only"), tr("by chance")]
        print_columns(rows, heads, right=[1, 2, 3], marked=marked)
    if not any(suspect.p_value * len(ranked) < SURE for ranked in suspects.values() for suspect in ranked):
        raise typer.Exit(1)


def forget(*, ledger: LedgerArgument, number: NumberArgument, key: KeyOptions, output: OutputOptions) -> None:
    """Erase who is in which class of a release; the entry stays."""
    book = opened_ledger(ledger, key)
    done = book.forget(book.entry(number))
    if output.as_json:
        print_json({"forgotten": done})
    else:
        if done:
            text = tr("release {number}: who is in it is erased", number=number)
        else:
            text = tr("release {number}: who is in it was not recorded, or is erased already", number=number)
        print_line(text, bold=True)


def _told(entry: "Entry") -> dict[str, object]:
    return {"number": entry.number, "digest": entry.digest, **entry.body}


def _joined(entry: "Entry") -> str:
    ks = [check["k"] for check in entry.body.get("checks", ()) if "k" in check]
    return figure(min(ks)) if ks else ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
