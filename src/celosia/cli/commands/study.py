"""``celosia study``: many releases of one table, what each loses and what models still learn from it."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.projects import StudyChanges, load_project, with_study
from celosia.api.studying import run_study, study_figures, study_sentences, study_tables
from celosia.cli import completion
from celosia.cli.charts import draw_charts, prepare_charts
from celosia.cli.cluster import project_progress, with_session_options
from celosia.cli.command import command
from celosia.cli.commands.balance import parse_ks
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.language import tr, tr_count
from celosia.cli.measure_view import number_text
from celosia.cli.options import OutputOptions, ProjectArgument, SourceOptions, SparkOptions, option
from celosia.cli.options.comparison import AnswerOptions
from celosia.cli.parse_options import parse_numbers, parse_share, split_list
from celosia.cli.passwords import Passwords
from celosia.cli.projects import ensure_project_passwords, with_sources
from celosia.cli.show import heading, print_columns, print_json, print_line, print_wrapped

if TYPE_CHECKING:
    from celosia.api.results import Study

__all__ = ["add_to"]


@dataclass(frozen=True)
class StudyOptions:
    """What changes from one release of a study to the next, and how each is judged."""

    ks: Annotated[
        str | None,
        option("--ks", "KS", "Values of k, as in 2,5,10-15; those of the project by default."),
    ] = None
    counts: Annotated[
        list[str],
        option(
            "--qi-counts",
            "NUMBERS",
            "How many of the quasi-identifiers, in their order, as in 1,6,12; may be repeated.",
        ),
    ] = field(default_factory=list)
    models: Annotated[
        list[str],
        option(
            "--models",
            "NAMES",
            "What learns from the releases; may be repeated.",
            autocompletion=completion.learners,
        ),
    ] = field(default_factory=list)
    folds: Annotated[int | None, option("--folds", "NUMBER", "Parts that rows are dealt out into.")] = None
    repeats: Annotated[int | None, option("--repeats", "NUMBER", "How often they are dealt out.")] = None
    control: Annotated[
        str | None, option("--control-share", "SHARE", "People kept out of every release, as in 25%.")
    ] = None
    measures: Annotated[
        list[str],
        option(
            "--measures",
            "NAMES",
            "What else every release is measured by; risk by default; may be repeated.",
            autocompletion=completion.release_measures,
        ),
    ] = field(default_factory=list)

    def changes(self) -> StudyChanges:
        """What the options change in the study that the project describes."""
        return StudyChanges(
            k=None if self.ks is None else tuple(parse_ks(self.ks)),
            quasi_identifiers=parse_numbers(self.counts, option="--qi-counts") if self.counts else None,
            models=split_list(self.models) if self.models else None,
            folds=self.folds,
            repeats=self.repeats,
            control=None if self.control is None else parse_share(self.control, option="--control-share"),
            measures=split_list(self.measures) if self.measures else None,
        )


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(study)


def study(
    *,
    project: ProjectArgument,
    out: Annotated[Path, option("--out -o", "FOLDER", "Where the figures and the answers go.")],
    name: Annotated[str | None, option("--of", "NAME", "Which table of a project that has several.")] = None,
    varied: StudyOptions,
    answers: AnswerOptions,
    sources: SourceOptions,
    session: SparkOptions,
    output: OutputOptions,
) -> None:
    """Release a table for many k and quasi-identifiers, and see what each release loses, risks and still teaches."""
    studied = with_session_options(with_sources(load_project(project), sources), session)
    studied = with_study(studied, varied.changes())
    prepare_charts(out, answers.chart_format)
    ensure_free(out / "study.json", overwrite=answers.overwrite)
    ask = Passwords()
    ensure_project_passwords(studied, ask)
    with project_progress(studied) as progress:
        result = run_study(
            studied, name, cache=answers.cache(out), jobs=answers.jobs, progress=progress, ask=ask
        )
    with fresh_file(out / "study.json") as hidden:
        hidden.write_text(json.dumps(result.to_dict(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    with fresh_file(out / "study.csv") as hidden:
        result.table().write_csv(hidden)
    drawn = list(draw_charts(study_figures(result), out, answers.chart_format))
    if output.as_json:
        print_json(result.to_dict())
        return
    _print(result)
    heading(tr("Written"))
    for path in (out / "study.json", out / "study.csv", *drawn):
        print_line(f"  {path}")


def _print(study: "Study") -> None:
    people = tr_count(
        "{count:,} person released, {control:,} kept out",
        "{count:,} people released, {control:,} kept out",
        study.people,
        control=study.control,
    )
    releases = tr_count("{count:,} release", "{count:,} releases", len(study.results))
    print_line(f"{people}; {releases}", bold=True)
    for table in study_tables(study):
        heading(table.title)
        rows = [[_cell(value) for value in row] for row in table.rows]
        print_columns(rows, table.heads, right=range(1, len(table.heads)))
    for result in study.results:
        if result.why_not is not None:
            text = tr(
                "k = {k}, {number} quasi-identifiers: {reason}",
                k=result.k,
                number=len(result.quasi_identifiers),
                reason=result.why_not,
            )
            print_wrapped(text)
    print_line()
    for text in study_sentences(study):
        print_wrapped(text)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return number_text(value) if isinstance(value, int | float) else str(value)
