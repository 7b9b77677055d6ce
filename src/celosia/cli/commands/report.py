"""``celosia report``: the evidence about a release on one page, for somebody to sign."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from celosia.api.ledgers import anchor_of, earlier_releases
from celosia.api.reporting import report_release
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.key_options import KeyOptions
from celosia.cli.language import language_of_document, tr
from celosia.cli.ledger_options import opened_ledger
from celosia.cli.options import OutputOptions, option
from celosia.cli.show import print_json, print_line
from celosia.words import Words

__all__ = ["add_to"]


@dataclass(frozen=True)
class EvidenceOptions:
    """The documents that a report is made of besides the record of the release."""

    measured: Annotated[
        Path | None,
        option(
            "--measured",
            "FILE",
            "What `celosia measure --out` wrote: attacks, distributions, and the rules asked for.",
            autocompletion=completion.files,
        ),
    ] = None
    candidates: Annotated[
        Path | None,
        option(
            "--candidates",
            "FILE",
            "What `celosia explore --json` answered: the other generalizations.",
            autocompletion=completion.files,
        ),
    ] = None
    balance: Annotated[
        Path | None,
        option(
            "--balance",
            "FILE",
            "What `celosia balance --json` answered: what every k loses.",
            autocompletion=completion.files,
        ),
    ] = None
    ledger: Annotated[
        Path | None,
        option(
            "--ledger",
            "FILE",
            "The ledger of the release: what was released before it, and what remains of all together.",
            autocompletion=completion.files,
        ),
    ] = None


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(report)


def report(
    *,
    record: Annotated[
        Path,
        typer.Argument(
            metavar="RECORD",
            help="The record beside a release, as in safe.record.json.",
            autocompletion=completion.files,
        ),
    ],
    evidence: EvidenceOptions,
    out: Annotated[Path, option("--out -o", "FILE", "Where the report goes, an .html file.")],
    overwrite: Annotated[bool, option("--overwrite", None, "Replace a file of that name.")] = False,
    key: KeyOptions,
    output: OutputOptions,
) -> None:
    """Write a report of a release for whoever has to sign: what was done, why it is safe, what is left and lost."""
    ensure_free(out, overwrite=overwrite)
    language = language_of_document(as_json=output.as_json)
    page = report_release(
        record,
        measured=evidence.measured,
        candidates=evidence.candidates,
        balance=evidence.balance,
        chain=() if evidence.ledger is None else _chain(evidence.ledger, key, record, language),
        language=language,
    )
    with fresh_file(out) as hidden:
        hidden.touch(mode=0o600)
        hidden.write_text(page, encoding="utf-8")
    if output.as_json:
        print_json({"report": str(out), "language": language})
    else:
        print_line(tr("report  {out}", out=out))


def _chain(ledger: Path, key: KeyOptions, record: Path, language: str) -> list[dict[str, object]]:
    """The releases before this one, as its ledger tells them."""
    return earlier_releases(opened_ledger(ledger, key), until=anchor_of(record).number, words=Words(language))
