"""``celosia measure``: what a release still risks and what it is still good for."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.api.building import build_project
from celosia.api.measuring import MeasureRequest
from celosia.api.measuring import measure as measure_tables
from celosia.api.projects import load_project
from celosia.api.registries import choose_measures, choose_rules
from celosia.api.reporting import result_charts
from celosia.api.requests import ReleaseRequest
from celosia.cli import complete
from celosia.cli.charts import draw_charts, prepare_charts
from celosia.cli.cluster import progress_on_spark, project_progress, with_session_options
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
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
from celosia.cli.parse_options import Passwords, TableRequest, parse_fraction, split_pair
from celosia.cli.projects import ensure_project_passwords
from celosia.cli.show import print_json
from celosia.errors import ProjectError
from celosia.say import keep_texts, say

if TYPE_CHECKING:
    import polars as pl

    from celosia.api.results import MeasureResults, Project

__all__ = ["add_to"]


@dataclass(frozen=True)
class AttackerOptions:
    """What is known besides the two tables."""

    target: Annotated[
        list[str],
        option(
            "--target",
            "COLUMNS",
            "Columns that somebody wants to predict; may be repeated.",
            panel="Measuring",
        ),
    ] = field(default_factory=list)
    control: Annotated[
        str | None,
        option(
            "--control",
            "TABLE",
            "People like those of the table, but not in it: what is learnt about them too is not the release's fault.",
            panel="Measuring",
            autocompletion=complete.files,
        ),
    ] = None
    population: Annotated[
        str | None,
        option(
            "--population",
            "TABLE",
            "Table of the people of whom the original holds some, with the same names of columns.",
            panel="Measuring",
            autocompletion=complete.files,
        ),
    ] = None
    population_fraction: Annotated[
        str | None,
        option(
            "--population-fraction",
            "SHARE",
            "The share of the population that the original holds, as in 0.1 or 10%.",
            panel="Measuring",
        ),
    ] = None
    weight_column: Annotated[
        str | None,
        option(
            "--weight-column",
            "COLUMN",
            "Column that says how many people of the population each row stands for.",
            panel="Measuring",
        ),
    ] = None
    knows: Annotated[
        list[str],
        option(
            "--knows",
            "COLUMN[=NUMBER]",
            "What an attacker knows, exactly or up to a number, as in age=2; all quasi-identifiers by default.",
            panel="Measuring",
        ),
    ] = field(default_factory=list)
    people: Annotated[
        int | None,
        option("--people", "NUMBER", "How many people are attacked; 2,000 by default.", panel="Measuring"),
    ] = None
    key: Annotated[
        str | None,
        option(
            "--key",
            "COLUMN",
            "Column of both tables by which rows are known to be the same people's.",
            panel="Measuring",
        ),
    ] = None
    same_order: Annotated[
        bool,
        option("--same-order", None, "The rows of both tables are the same people's.", panel="Measuring"),
    ] = False
    threshold: Annotated[
        int,
        option(
            "--threshold", "ROWS", "Classes under this size are at risk; 5 by default.", panel="Measuring"
        ),
    ] = 5
    seed: Annotated[
        int | None,
        option(
            "--seed", "NUMBER", "Of attacks and models; the same each time by default.", panel="Measuring"
        ),
    ] = None


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
            autocompletion=complete.files,
        ),
    ] = None,
    name: Annotated[str | None, option("--of", "NAME", "Which table of a project that has several.")] = None,
    measures: Annotated[
        list[str] | None,
        option(
            "--measures",
            "NAMES",
            "Measures, or all of a family: risk, attack, utility; all by default, `celosia measures` lists them.",
            autocompletion=complete.release_measures,
        ),
    ] = None,
    rules: Annotated[
        list[str] | None,
        option(
            "--rules",
            "NAMES",
            "Hold the answers against rules: hipaa, gdpr, ley-1581, ley-18331, lopdgdd, or all.",
            autocompletion=complete.rule_sets,
        ),
    ] = None,
    roles: RoleOptions,
    hierarchies: HierarchyOptions,
    known: AttackerOptions,
    row_risks: Annotated[
        Path | None,
        option("--row-risks", "FILE", "Write the release with the risk of every row, for its keeper only."),
    ] = None,
    charts: Annotated[
        Path | None, option("--charts", "FOLDER", "Draw the answers there, as --chart-format says.")
    ] = None,
    chart_format: Annotated[
        str, option("--chart-format", "NAME", "html (the default), svg or png.")
    ] = "html",
    out: Annotated[
        Path | None, option("--out -o", "FILE", "Write all answers, with their details, as JSON.")
    ] = None,
    overwrite: Annotated[bool, option("--overwrite", None, "Replace files of the same names.")] = False,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> None:
    """Measure what a release still risks, how attacks on it fare, and what it is still good for."""
    wanted, held = list(_split(measures or [])), list(_split(rules or []))
    choose_measures(wanted)  # says so if there is no such measure
    held = choose_rules(held)
    for path in (out, row_risks):
        if path is not None:
            ensure_free(path, overwrite=overwrite)
    if charts is not None:
        prepare_charts(charts, chart_format)
    request = _request(known, tuple(wanted), tuple(held))
    request = replace(request, table=name, original=original, release=release)
    told = None if row_risks is None else lambda batches: _write_rows(batches, row_risks)
    if project is not None:
        found = _by_project(project, request, roles, hierarchies, reading, cluster, row_risks=told)
    else:
        found = _by_options(request, roles, hierarchies, reading, cluster, row_risks=told)
    if out is not None:
        import json

        with fresh_file(out) as hidden:
            hidden.write_text(
                json.dumps(keep_texts(found.to_dict()), indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
            )
    if output.as_json:
        print_json(found.to_dict())
    else:
        print_results(found)
    if charts is not None:
        for path in draw_charts(result_charts(found), charts, chart_format):
            typer.echo(tr("  chart    {path}", path=path), err=output.as_json)


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
    attacker: dict[str, Any] = (
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


def _population(known: AttackerOptions) -> dict[str, Any] | None:
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
    asked = TableRequest(request.original, reading, cluster)
    asked.ensure_passwords()
    with progress_on_spark(asked.settings, (request.original, request.release)) as progress:
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
