"""``celosia compare``: what techniques cost the models that learn from their tables, and what they protect."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.comparing import (
    ComparisonRequest,
    compare_project,
    compare_source,
    comparison_figures,
    read_class,
    read_class_in_project,
    result_tables,
    write_compared_tables,
)
from celosia.api.projects import ComparisonChanges, load_project, with_comparison
from celosia.api.requests import ColumnRoles
from celosia.cli import completion
from celosia.cli.charts import draw_charts, prepare_charts
from celosia.cli.command import command
from celosia.cli.comparison_view import print_comparison
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.language import tr
from celosia.cli.options import ClusterOptions, OutputOptions, ReadingOptions, option, typed
from celosia.cli.options.comparison import (
    AnswerOptions,
    ComparedTableOptions,
    ComparisonOptions,
    LookOptions,
)
from celosia.cli.passwords import Passwords
from celosia.cli.progress import progress_bar
from celosia.cli.projects import ensure_project_passwords
from celosia.cli.show import heading, print_json, print_line
from celosia.cli.table_request import TableRequest
from celosia.cli.table_view import parse_rows, show_table
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import Comparison, InputTable

__all__ = ["add_to"]


@dataclass(frozen=True)
class CoresAndCache:
    """The cores to use, all by default, and the folder of answers that are kept for the next time."""

    cache: Path | None
    jobs: int | None


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(compare)


def compare(
    *,
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE",
            help="The table: ARFF, CSV or any other file, the address of a database, a place on a cluster; or a "
            "project (.yaml) that says what to compare.",
            autocompletion=completion.files,
        ),
    ],
    out: Annotated[Path | None, option("--out -o", "FOLDER", "Where tables, charts and answers go.")] = None,
    look: LookOptions,
    compared: ComparedTableOptions,
    comparison: ComparisonOptions,
    table_format: Annotated[
        str | None,
        option("--table-format", "NAME", "Write the anonymized tables too, as arff or csv."),
    ] = None,
    answers: AnswerOptions,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> None:
    """Compare techniques on a table: what each costs every model, and what it protects."""
    request = TableRequest(table, reading, cluster)
    is_project = Path(table).suffix in (".yaml", ".yml")
    _refuse_misplaced(compared, reading, cluster, is_project=is_project)
    if look.look:
        show_table(
            _read_table(request, compared, is_project=is_project),
            parse_rows(look.rows),
            as_json=output.as_json,
        )
        return
    _refuse([("--show-rows", look.rows)], say("rows are shown by --look"), say("add it"))
    if out is None:
        raise ProjectError(say("it is not said where answers go"), where="--out", remedy=say("name a folder"))
    changes = comparison.changes()
    prepare_charts(out, answers.chart_format)
    ensure_free(out / "comparison.json", overwrite=answers.overwrite)
    _check_table_format(table_format)
    effort = CoresAndCache(answers.cache(out), answers.jobs)
    if is_project:
        result = _compare_project(Path(table), compared.name, changes, comparison.seed, effort)
    else:
        result = _compare_table(request, compared, changes, comparison.seed, effort)
    written = list(_write(result, out, table_format, overwrite=answers.overwrite))
    drawn = list(draw_charts(comparison_figures(result), out, answers.chart_format))
    if output.as_json:
        print_json(result.to_dict())
        return
    print_comparison(result)
    heading(tr("Written"))
    for path in (*written, *drawn):
        print_line(f"  {path}")


def _refuse_misplaced(
    compared: ComparedTableOptions, reading: ReadingOptions, cluster: ClusterOptions, *, is_project: bool
) -> None:
    """Refuse options that a project says itself, and the name of a table where there is no project."""
    if is_project:
        by_project = [
            ("--class", compared.target),
            ("--qi", compared.quasi_identifiers or None),
            ("--identifier", compared.identifiers or None),
        ]
        by_project += [(word, word) for word in (*typed(reading), *typed(cluster)) if word.startswith("--")]
        _refuse(by_project, say("the project says what its table is"), say("write it there"))
    else:
        _refuse(
            [("--of", compared.name)], say("a table by itself has no other beside it"), say("leave it out")
        )


def _refuse(values: Sequence[tuple[str, object]], problem: str, remedy: str) -> None:
    """Say that those of the options that have a value have no place here."""
    names = [name for name, value in values if value is not None]
    if names:
        raise ProjectError(problem, where=", ".join(names), remedy=remedy)


def _check_table_format(name: str | None) -> None:
    if name not in (None, "arff", "csv"):
        raise ProjectError(
            say("there is no format {format!r}", format=name),
            where="--table-format",
            remedy=say("choose arff or csv"),
        )


def _read_table(request: TableRequest, compared: ComparedTableOptions, *, is_project: bool) -> "InputTable":
    """The table to look at."""
    if is_project:
        project = load_project(Path(request.table))
        ensure_project_passwords(project, request.ask)
        return read_class_in_project(project, compared.name, ask=request.ask)
    request.ensure_passwords()
    with request.at_work():
        return read_class(request.source, compared.target, ask=request.ask)


def _compare_table(
    request: TableRequest,
    compared: ComparedTableOptions,
    changes: ComparisonChanges,
    seed: int | None,
    effort: CoresAndCache,
) -> "Comparison":
    roles = ColumnRoles(
        quasi_identifiers=tuple(request.names(compared.quasi_identifiers)),
        identifiers=tuple(request.names(compared.identifiers)),
    )
    comparison = ComparisonRequest(request.source, compared.target, roles, changes, seed=seed or 0)
    request.ensure_passwords()
    with request.at_work() as progress:
        return compare_source(
            comparison, cache=effort.cache, jobs=effort.jobs, progress=progress, ask=request.ask
        )


def _compare_project(
    path: Path, name: str | None, changes: ComparisonChanges, seed: int | None, effort: CoresAndCache
) -> "Comparison":
    project = with_comparison(load_project(path), changes, seed=seed)
    ask = Passwords()
    ensure_project_passwords(project, ask)
    with progress_bar() as progress:
        return compare_project(
            project, name, cache=effort.cache, jobs=effort.jobs, progress=progress, ask=ask
        )


def _write(
    comparison: "Comparison", out: Path, table_format: str | None, *, overwrite: bool
) -> Iterator[Path]:
    """Write the answers and, if asked for, the compared tables; the paths come as they are written."""
    with fresh_file(out / "comparison.json") as hidden:
        text = json.dumps(comparison.to_dict(), indent=2, ensure_ascii=False)
        hidden.write_text(text + "\n", encoding="utf-8")
    yield out / "comparison.json"
    for name, result in result_tables(comparison).items():
        for ending, text in result.texts.items():
            with fresh_file(out / f"{name}.{ending}") as hidden:
                hidden.write_text(text, encoding="utf-8")
            yield out / f"{name}.{ending}"
    if table_format is not None:
        yield from write_compared_tables(comparison, out / "tables", ending=table_format, overwrite=overwrite)
