"""``celosia measure``: what a release still risks and what it is still good for."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.building import build_project
from celosia.api.measuring import MeasureRequest
from celosia.api.measuring import measure as measure_tables
from celosia.api.projects import load_project
from celosia.api.registries import choose_measures, choose_rules
from celosia.api.reporting import result_charts
from celosia.api.requests import ReleaseRequest
from celosia.cli import completion
from celosia.cli.charts import draw_charts
from celosia.cli.cluster import progress_on_spark, project_progress, with_session_options
from celosia.cli.command import command
from celosia.cli.destination import fresh_file
from celosia.cli.language import tr
from celosia.cli.measure_view import print_results
from celosia.cli.options import (
    ClusterOptions,
    HierarchyOptions,
    OutputOptions,
    ReadingOptions,
    RoleOptions,
    option,
)
from celosia.cli.options.measuring import AttackerOptions, MeasureOptions, MeasureOutputOptions
from celosia.cli.parse_options import parse_fraction, split_pair
from celosia.cli.passwords import Passwords
from celosia.cli.projects import ensure_project_passwords
from celosia.cli.show import print_json
from celosia.cli.table_request import TableRequest
from celosia.errors import ProjectError
from celosia.say import keep_texts, say

if TYPE_CHECKING:
    import polars as pl

    from celosia.api.results import MeasureResults, Project

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(measure)


def measure(
    *,
    original: Annotated[
        str | None,
        typer.Argument(
            metavar="[ORIGINAL]",
            help="The table that the release was made of; that of the project by default.",
            show_default=False,
        ),
    ] = None,
    release: Annotated[
        str | None,
        typer.Argument(
            metavar="[RELEASE]", help="The release; that of the project by default.", show_default=False
        ),
    ] = None,
    project: Annotated[
        Path | None,
        option(
            "--project -p",
            "FILE",
            "A project, or the record of the release: what columns are, and where both tables lie.",
            autocompletion=completion.files,
        ),
    ] = None,
    asked: MeasureOptions,
    roles: RoleOptions,
    hierarchies: HierarchyOptions,
    known: AttackerOptions,
    files: MeasureOutputOptions,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> None:
    """Measure what a release still risks, how attacks on it fare, and what it is still good for."""
    measures, rules = tuple(_split(asked.measures)), choose_rules(list(_split(asked.rules)))
    choose_measures(measures)  # says so if there is no such measure
    files.ensure_writable()
    request = _request(known, measures, tuple(rules))
    request = replace(request, table=asked.name, original=original, release=release)
    risks_file = files.row_risks
    row_risks = None if risks_file is None else lambda batches: _write_rows(batches, risks_file)
    if project is not None:
        results = _by_project(project, request, roles, hierarchies, reading, cluster, row_risks=row_risks)
    else:
        results = _by_options(request, roles, hierarchies, reading, cluster, row_risks=row_risks)
    if files.out is not None:
        _write_results(results, files.out)
    if output.as_json:
        print_json(results.to_dict())
    else:
        print_results(results)
    if files.charts is not None:
        for path in draw_charts(result_charts(results), files.charts, files.chart_format):
            typer.echo(tr("  chart    {path}", path=path), err=output.as_json)


def _write_results(results: "MeasureResults", path: Path) -> None:
    """All answers as JSON, their texts in English."""
    text = json.dumps(keep_texts(results.to_dict()), indent=2, ensure_ascii=False)
    with fresh_file(path) as hidden:
        hidden.write_text(text + "\n", encoding="utf-8")


def _write_rows(batches: "Iterable[pl.DataFrame]", path: Path) -> None:
    """Batches of rows into a text file that only its owner may read."""
    import os

    with (
        fresh_file(path) as hidden,
        os.fdopen(os.open(hidden, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file,
    ):
        for number, batch in enumerate(batches):
            batch.write_csv(file, include_header=number == 0)


def _request(known: AttackerOptions, measures: tuple[str, ...], rules: tuple[str, ...]) -> MeasureRequest:
    """What the options say besides the tables."""
    attacker: dict[str, object] = (
        {} if not known.knows else {"knows": dict(map(_knowledge, _split(known.knows)))}
    )
    if known.people is not None:
        attacker["people"] = known.people
    return MeasureRequest(
        measures=measures,
        rules=rules,
        targets=tuple(_split(known.target)),
        control=known.control,
        population=_population(known),
        attacker=attacker or None,
        key=known.key,
        same_order=known.same_order,
        threshold=known.threshold,
        seed=known.seed,
    )


def _population(known: AttackerOptions) -> dict[str, object] | None:
    """What is said of the population, as a project says it."""
    said = {
        "source": known.population,
        "fraction": parse_fraction(known.population_fraction),
        "weight": known.weight_column,
    }
    return {name: value for name, value in said.items() if value is not None} or None


def _knowledge(text: str) -> tuple[str, dict[str, float]]:
    """A column, and how far off the known number may be.

    >>> _knowledge("age=2"), _knowledge("sex")
    (('age', {'within': 2.0}), ('sex', {}))
    """
    if "=" not in text:
        return text, {}
    column, number = split_pair(text, (), option="--knows", example="age=2")
    try:
        return column, {"within": float(number)}
    except ValueError:
        raise ProjectError(
            say("{number!r} is no number", number=number),
            where=f"--knows {text}",
            remedy=say("write it as in age=2"),
        ) from None


def _split(texts: Iterable[str]) -> Iterable[str]:
    return (part.strip() for text in texts for part in text.split(",") if part.strip())


RowRisks = Callable[["Iterator[pl.DataFrame]"], None]


def _by_project(
    path: Path,
    request: MeasureRequest,
    roles: RoleOptions,
    hierarchies: HierarchyOptions,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    *,
    row_risks: RowRisks | None,
) -> "MeasureResults":
    """Measure what a project says."""
    for group in (roles, hierarchies, reading):
        if group != type(group)():
            raise ProjectError(
                say("the project says what columns are and how tables are read"),
                where="--project",
                remedy=say("leave out options for roles, hierarchies and reading, or the project"),
            )
    project: Project = with_session_options(load_project(path), cluster)
    ask = Passwords()
    ensure_project_passwords(project, ask)
    with project_progress(project) as progress:
        return measure_tables(project, request, row_risks=row_risks, progress=progress, ask=ask)


def _by_options(
    request: MeasureRequest,
    roles: RoleOptions,
    hierarchies: HierarchyOptions,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    *,
    row_risks: RowRisks | None,
) -> "MeasureResults":
    """Measure what the options say."""
    if request.original is None or request.release is None:
        raise ProjectError(
            say("two tables are needed: the original and its release"),
            where="measure",
            remedy=say(
                "name both, as in `celosia measure people.csv safe.csv --qi age,zip`, or give --project"
            ),
        )
    original = str(request.original)
    asked = TableRequest(original, reading, cluster)
    asked.ensure_passwords()
    with progress_on_spark(asked.settings, (original, str(request.release))) as progress:
        named = asked.roles(roles)
        files = asked.hierarchies(hierarchies, named.with_hierarchies)
        described = ReleaseRequest(asked.source, replace(named, identifiers=(), common=()), hierarchies=files)
        return measure_tables(
            build_project(described),
            replace(request, hierarchies=files),
            row_risks=row_risks,
            progress=progress,
            ask=asked.ask,
        )
