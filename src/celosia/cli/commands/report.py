"""``celosia report``: the evidence about a release on one page, for somebody to sign."""

from pathlib import Path
from typing import Annotated

import typer

from celosia.cli import complete
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.options import Output, option
from celosia.cli.show import print_json, print_line

__all__ = ["add_to"]


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
            autocompletion=complete.files,
        ),
    ],
    measured: Annotated[
        Path | None,
        option(
            "--measured",
            "FILE",
            "What `celosia measure --out` wrote: attacks, distributions, and the rules asked for.",
            autocompletion=complete.files,
        ),
    ] = None,
    candidates: Annotated[
        Path | None,
        option(
            "--candidates",
            "FILE",
            "What `celosia explore --json` answered: the other generalizations.",
            autocompletion=complete.files,
        ),
    ] = None,
    balance: Annotated[
        Path | None,
        option(
            "--balance",
            "FILE",
            "What `celosia balance --json` answered: what every k loses.",
            autocompletion=complete.files,
        ),
    ] = None,
    language: Annotated[str, option("--language", "NAME", "en (the default) or es.")] = "en",
    out: Annotated[Path, option("--out -o", "FILE", "Where the report goes, an .html file.")],
    overwrite: Annotated[bool, option("--overwrite", None, "Replace a file of that name.")] = False,
    output: Output,
) -> None:
    """Write a report of a release for whoever has to sign: what was done, why it is safe, what is left and lost."""
    from celosia.api import report_release

    ensure_free(out, overwrite=overwrite)
    page = report_release(
        record, measured=measured, candidates=candidates, balance=balance, language=language
    )
    with fresh_file(out) as hidden:
        hidden.touch(mode=0o600)
        hidden.write_text(page, encoding="utf-8")
    if output.as_json:
        print_json({"report": str(out), "language": language})
    else:
        print_line(f"report  {out}")
