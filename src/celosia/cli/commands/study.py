"""``celosia study``: many releases of one table, what each loses and what models still learn from it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.projects import StudyChanges, load_project, with_study
from celosia.api.studying import run_study, study_figures, study_sentences, study_tables
from celosia.cli import complete
from celosia.cli.charts import draw_charts, prepare_charts
from celosia.cli.cluster import project_progress, with_session_options
from celosia.cli.command import command
from celosia.cli.commands.balance import parse_ks
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.language import tr, tr_count
from celosia.cli.measure_view import number_text
from celosia.cli.options import OutputOptions, ProjectArgument, SourceOptions, SparkOptions, option
from celosia.cli.parse_options import Passwords, parse_numbers, parse_share, split_list
from celosia.cli.projects import ensure_project_passwords, with_sources
from celosia.cli.show import heading, print_columns, print_json, print_line, print_wrapped

if TYPE_CHECKING:
    from celosia.api.results import Study

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(study)


def study(
    *,
    project: ProjectArgument,
    out: Annotated[Path, option("--out -o", "FOLDER", "Where the figures and the answers go.")],
    name: Annotated[str | None, option("--of", "NAME", "Which table of a project that has several.")] = None,
    ks: Annotated[
        str | None,
        option("--ks", "KS", "Values of k, as in 2,5,10-15; those of the project by default."),
    ] = None,
    counts: Annotated[
        list[str] | None,
        option(
            "--qi-counts",
            "NUMBERS",
            "How many of the quasi-identifiers, in their order, as in 1,6,12; may be repeated.",
        ),
    ] = None,
    models: Annotated[
        list[str] | None,
        option(
            "--models",
            "NAMES",
            "What learns from the releases; may be repeated.",
            autocompletion=complete.learners,
        ),
    ] = None,
    folds: Annotated[int | None, option("--folds", "NUMBER", "Parts that rows are dealt out into.")] = None,
    repeats: Annotated[int | None, option("--repeats", "NUMBER", "How often they are dealt out.")] = None,
    control: Annotated[
        str | None, option("--control-share", "SHARE", "People kept out of every release, as in 25%.")
    ] = None,
    measures: Annotated[
        list[str] | None,
        option(
            "--measures",
            "NAMES",
            "What else every release is measured by; risk by default; may be repeated.",
            autocompletion=complete.release_measures,
        ),
    ] = None,
    jobs: Annotated[int | None, option("--jobs", "NUMBER", "Cores to use; all by default.")] = None,
    cached: Annotated[
        bool, option("--cache/--no-cache", None, "Whether answers are kept in the folder for the next time.")
    ] = True,
    chart_format: Annotated[
        str, option("--chart-format", "NAME", "Figures as html (the default), svg or png.")
    ] = "html",
    overwrite: Annotated[bool, option("--overwrite", None, "Replace files of the same names.")] = False,
    sources: SourceOptions,
    session: SparkOptions,
    output: OutputOptions,
) -> None:
    """Release a table for many k and quasi-identifiers, and see what each release loses, risks and still teaches."""
    asked = with_session_options(with_sources(load_project(project), sources), session)
    changes = StudyChanges(
        k=None if ks is None else tuple(parse_ks(ks)),
        quasi_identifiers=None if not counts else parse_numbers(counts, option="--qi-counts"),
        models=None if not models else split_list(models),
        folds=folds,
        repeats=repeats,
        control=None if control is None else parse_share(control, option="--control-share"),
        measures=None if not measures else split_list(measures),
    )
    asked = with_study(asked, changes)
    prepare_charts(out, chart_format)
    ensure_free(out / "study.json", overwrite=overwrite)
    ask = Passwords()
    ensure_project_passwords(asked, ask)
    with project_progress(asked) as progress:
        found = run_study(
            asked, name, cache=out / "cache" if cached else None, jobs=jobs, progress=progress, ask=ask
        )
    with fresh_file(out / "study.json") as hidden:
        hidden.write_text(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    with fresh_file(out / "study.csv") as hidden:
        found.table().write_csv(hidden)
    drawn = list(draw_charts(study_figures(found), out, chart_format))
    if output.as_json:
        print_json(found.to_dict())
        return
    _print(found)
    heading(tr("Written"))
    for path in (out / "study.json", out / "study.csv", *drawn):
        print_line(f"  {path}")


def _print(found: "Study") -> None:
    people = tr_count(
        "{count:,} person released, {control:,} kept out",
        "{count:,} people released, {control:,} kept out",
        found.people,
        control=found.control,
    )
    releases = tr_count("{count:,} release", "{count:,} releases", len(found.results))
    print_line(f"{people}; {releases}", bold=True)
    for table in study_tables(found):
        heading(table.title)
        rows = [[_cell(value) for value in row] for row in table.rows]
        print_columns(rows, table.heads, right=range(1, len(table.heads)))
    for one in found.results:
        if one.why_not is not None:
            text = tr(
                "k = {k}, {number} quasi-identifiers: {reason}",
                k=one.k,
                number=len(one.quasi_identifiers),
                reason=one.why_not,
            )
            print_wrapped(text)
    print_line()
    for text in study_sentences(found):
        print_wrapped(text)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return number_text(value) if isinstance(value, int | float) else str(value)
