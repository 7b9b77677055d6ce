"""``celosia profile``: what is in a table, and what its columns probably are."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.declaring import option_words
from celosia.api.opening import write_types
from celosia.api.profiling import ProfiledTable, ProfileRequest, profile_source
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.language import figure, render, tr
from celosia.cli.options import ClusterOptions, OutputOptions, ReadingOptions, TableArgument, option, typed
from celosia.cli.parse_options import parse_share
from celosia.cli.show import (
    heading,
    per_cent,
    print_columns,
    print_json,
    print_line,
    print_wrapped,
    table_size,
)
from celosia.cli.table_request import TableRequest

if TYPE_CHECKING:
    from celosia.api.results import Balance, Profile

__all__ = ["add_to"]

USUAL_K = 5
FEW = 8
"""Quasi-identifiers of which all generalizations can be tried."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(profile)


def profile(
    *,
    table: TableArgument,
    nominated: Annotated[
        list[str] | None,
        option(
            "--nominate",
            "COLUMNS",
            "Columns to choose quasi-identifiers from; by default those that look like one.",
            autocompletion=completion.columns,
        ),
    ] = None,
    tolerance: Annotated[
        str, option("--tolerance", "SHARE", "Combinations that a smaller choice may lack; 5% by default.")
    ] = "5%",
    propose_k: Annotated[
        bool,
        option("--propose-k", None, "Propose k too, as `celosia balance` does; that takes a little longer."),
    ] = False,
    types_out: Annotated[
        Path | None,
        option("--save-types", "FILE", "Save the types of the columns, to edit and give to --types."),
    ] = None,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> None:
    """Show types, distinct and missing values of every column, and propose roles with their reasons."""
    if types_out is not None:
        ensure_free(types_out, overwrite=False)
    asked = TableRequest(table, reading, cluster)
    share = parse_share(tolerance, option="--tolerance")
    asked.ensure_passwords()
    with asked.at_work() as progress:
        wanted = ProfileRequest(
            nominated=asked.names(nominated or []),
            tolerance=share,
            proposes_k=propose_k,
            proposes_treatments=True,
            schema=types_out is not None,
        )
        profiled = profile_source(asked.source, wanted, progress=progress, ask=asked.ask)
    table_profile, choice = profiled.profile, list(profiled.nominated)
    reading_words = [*typed(reading), *typed(cluster)]
    person = [] if table_profile.person is None else ["--person", table_profile.person.column]
    declared = option_words(profiled.declared)
    advice = shlex.join(["celosia", "balance", str(table), *declared, *person, *reading_words])
    if types_out is not None and profiled.schema is not None:
        with fresh_file(types_out) as path:
            write_types(profiled.schema, path)
    if output.as_json:
        proposal, balance = profiled.quasi_identifiers, profiled.balance
        proposed = None if proposal is None else proposal.to_dict()
        best = None if balance is None else {rule: balance.best(rule) for rule in balance.rules}
        curve = {"command": advice, "best": best} if choice else None
        print_json({**table_profile.to_dict(), "quasi_identifiers": proposed, "balance": curve})
        return
    _print(table_profile)
    if table_profile.person is not None:
        heading(tr("People"))
        print_wrapped(render(table_profile.person.sentence), indent="  ")
    _print_proposal(profiled, advice, [table, *person, *reading_words])


def _print(table_profile: "Profile") -> None:
    print_line(
        f"{table_profile.table}: {table_size(table_profile.rows, len(table_profile.columns))}", bold=True
    )
    if table_profile.reading is not None:
        print_wrapped(render(table_profile.reading.sentence), indent="  ")
        for doubt in table_profile.reading.doubts:
            print_wrapped(f"{render(doubt.what)}; {render(doubt.remedy)}", indent="  ")
    rows = [
        (
            column.name,
            tr(str(column.type)),
            figure(column.distinct),
            per_cent(column.missing / column.rows) if column.missing else "",
            tr(str(column.role)),
            "; ".join(render(reason.sentence) for reason in column.reasons),
        )
        for column in table_profile
    ]
    print_line()
    heads = [
        tr("column"),
        tr("type"),
        tr("distinct"),
        tr("missing"),
        tr("proposed role"),
        tr("because"),
    ]
    print_columns(rows, heads, right=[2, 3])


def _print_proposal(profiled: ProfiledTable, advice: str, source: list[str]) -> None:
    table_profile, choice = profiled.profile, profiled.nominated
    proposal, balance = profiled.quasi_identifiers, profiled.balance
    if proposal is None:
        return
    heading(tr("Quasi-identifiers"))
    print_wrapped(f"{', '.join(proposal.columns)}: {render(proposal.reason.sentence)}", indent="  ")
    _print_treatments(profiled)
    heading(tr("To choose k"))
    if balance is not None:
        _print_best(balance)
    print_line(f"  {advice}")
    heading(tr("To release it"))
    k = [
        "-k",
        str(max(2, min(USUAL_K, table_profile.rows))),
        *(["--technique", "mondrian"] if len(choice) > FEW else []),
    ]
    if balance is not None and (best := balance.best("published") or balance.best("sound")):
        represent = ["--represent", "mode"] if balance.technique.name == "mondrian" else []
        k = ["-k", str(best), "--technique", balance.technique.name, *represent]
    if profiled.declared.left_out:
        names = ", ".join(profiled.declared.left_out)
        text = tr(
            "Left out there, for others may know them and no k holds for them: {columns}.", columns=names
        )
        print_wrapped(text, indent="  ")
    words = ["celosia", "anonymize", source[0], *option_words(profiled.declared), *source[1:], *k]
    print_line("  " + shlex.join([*words, "--out", "safe.csv"]))


def _print_treatments(profiled: ProfiledTable) -> None:
    """What would treat columns that leave as they are and single people out."""
    if not profiled.treatments:
        return
    heading(tr("What singles people out, and what would treat it"))
    for name, treatment in profiled.treatments.items():
        text = tr(
            "{name}: {described}, {small:,} of {rows:,} rows are left in groups of fewer than {k}",
            name=name,
            described=treatment.described,
            small=treatment.small,
            rows=profiled.profile.rows,
            k=USUAL_K,
        )
        print_wrapped(text, indent="  ")


def _print_best(balance: "Balance") -> None:
    tried = {"low": balance.ks[0], "high": balance.ks[-1]}
    for rule in balance.rules:
        best = balance.best(rule)
        if not balance.judged(rule):
            text = tr("there is no column of numbers to judge k by ({rule} rule)", rule=rule)
        elif best is None:
            text = tr("no k from {low} to {high} keeps the distributions ({rule} rule)", rule=rule, **tried)
        else:
            text = tr(
                "k = {k} is the largest from {low} to {high} that keeps the distributions ({rule} rule)",
                k=best,
                rule=rule,
                **tried,
            )
        print_line(f"  {text}")
