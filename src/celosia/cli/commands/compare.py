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
from celosia.cli import complete
from celosia.cli.charts import draw_charts, prepare_charts
from celosia.cli.command import command
from celosia.cli.comparison_view import print_comparison
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.language import tr
from celosia.cli.options import ClusterOptions, OutputOptions, ReadingOptions, option, typed
from celosia.cli.parse_options import Passwords, TableRequest, split_list
from celosia.cli.progress import progress_bar
from celosia.cli.projects import ensure_project_passwords
from celosia.cli.show import heading, print_json, print_line
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
            autocompletion=complete.files,
        ),
    ],
    out: Annotated[Path | None, option("--out -o", "FOLDER", "Where tables, charts and answers go.")] = None,
    look: Annotated[
        bool,
        option(
            "--look", None, "Only show the table: columns, statistics, values against the class, and rows."
        ),
    ] = False,
    browsed: Annotated[
        str | None, option("--show-rows", "FROM-TO", "The rows that --look shows; 1-10 by default.")
    ] = None,
    name: Annotated[str | None, option("--of", "NAME", "Which table of a project that has several.")] = None,
    target: Annotated[
        str | None, option("--class", "COLUMN", "What models predict; the last column by default.")
    ] = None,
    techniques: Annotated[
        list[str] | None,
        option(
            "--techniques",
            "TECHNIQUES",
            "What is compared, as in 'mdav(k=3), both = cpda-generalization + noise'; may be repeated.",
        ),
    ] = None,
    others: Annotated[
        list[str] | None,
        option("--other", "NAME=PATH", "A table anonymized elsewhere; may be given several times."),
    ] = None,
    models: Annotated[
        list[str] | None,
        option(
            "--models",
            "NAMES",
            "What learns from every table; may be repeated.",
            autocompletion=complete.learners,
        ),
    ] = None,
    quasi_identifiers: Annotated[
        list[str] | None,
        option(
            "--qi",
            "COLUMNS",
            "What an attacker knows, as in age,sex,zip; all but the class by default; may be repeated.",
            autocompletion=complete.columns,
        ),
    ] = None,
    identifiers: Annotated[
        list[str] | None,
        option(
            "--identifier",
            "COLUMNS",
            "Columns that are left out of every table; may be repeated.",
            autocompletion=complete.columns,
        ),
    ] = None,
    measures: Annotated[
        list[str] | None,
        option(
            "--measures",
            "NAMES",
            "The risks that every table is measured by; may be repeated.",
            autocompletion=complete.release_measures,
        ),
    ] = None,
    folds: Annotated[int | None, option("--folds", "NUMBER", "Parts that rows are dealt out into.")] = None,
    repeats: Annotated[int | None, option("--repeats", "NUMBER", "How often they are dealt out.")] = None,
    seed: Annotated[int | None, option("--seed", "NUMBER", "The same seed, the same answers.")] = None,
    scaled: Annotated[
        bool | None,
        option("--scaled/--no-scaled", None, "Whether models also learn from the original on one scale."),
    ] = None,
    jobs: Annotated[int | None, option("--jobs", "NUMBER", "Cores to use; all by default.")] = None,
    cached: Annotated[
        bool, option("--cache/--no-cache", None, "Whether answers are kept in the folder for the next time.")
    ] = True,
    exported: Annotated[
        str | None,
        option("--table-format", "NAME", "Write the anonymized tables too, as arff or csv."),
    ] = None,
    chart_format: Annotated[
        str, option("--chart-format", "NAME", "Charts as html (the default), svg or png.")
    ] = "html",
    overwrite: Annotated[bool, option("--overwrite", None, "Replace files of the same names.")] = False,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> None:
    """Compare techniques on a table: what each costs every model, and what it protects."""
    asked = TableRequest(table, reading, cluster)
    is_project = Path(table).suffix in (".yaml", ".yml")
    if is_project:
        _refuse(
            [("--class", target), ("--qi", quasi_identifiers or None), ("--identifier", identifiers or None)]
            + [(name, name) for name in (*typed(reading), *typed(cluster)) if name.startswith("--")],
            say("the project says what its table is"),
            say("write it there"),
        )
    else:
        _refuse([("--of", name)], say("a table by itself has no other beside it"), say("leave it out"))
    if look:
        show_table(_given(asked, target, is_project, name), parse_rows(browsed), as_json=output.as_json)
        return
    _refuse([("--show-rows", browsed)], say("rows are shown by --look"), say("add it"))
    if out is None:
        raise ProjectError(say("it is not said where answers go"), where="--out", remedy=say("name a folder"))
    changes = ComparisonChanges(
        techniques=None if not techniques else split_list(techniques),
        others=None if not others else _others(others),
        models=None if not models else split_list(models),
        measures=None if not measures else split_list(measures),
        folds=folds,
        repeats=repeats,
        scaled=scaled,
    )
    prepare_charts(out, chart_format)
    ensure_free(out / "comparison.json", overwrite=overwrite)
    if exported not in (None, "arff", "csv"):
        raise ProjectError(
            say("there is no format {format!r}", format=exported),
            where="--table-format",
            remedy=say("choose arff or csv"),
        )
    run = CoresAndCache(out / "cache" if cached else None, jobs)
    if is_project:
        found = _of_project(Path(table), name, changes, seed, run)
    else:
        roles = ColumnRoles(
            quasi_identifiers=tuple(asked.names(quasi_identifiers or [])),
            identifiers=tuple(asked.names(identifiers or [])),
        )
        request = ComparisonRequest(asked.source, target, roles, changes, seed=seed or 0)
        found = _of_table(asked, request, run)
    written = list(_write(found, out, exported, overwrite=overwrite))
    drawn = list(draw_charts(comparison_figures(found), out, chart_format))
    if output.as_json:
        print_json(found.to_dict())
        return
    print_comparison(found)
    heading(tr("Written"))
    for path in (*written, *drawn):
        print_line(f"  {path}")


def _refuse(given: Sequence[tuple[str, object]], what: str, remedy: str) -> None:
    """Say that options have no place here."""
    named = [name for name, value in given if value is not None]
    if named:
        raise ProjectError(what, where=", ".join(named), remedy=remedy)


def _others(texts: Sequence[str]) -> dict[str, str]:
    """Tables made elsewhere by their names."""
    found: dict[str, str] = {}
    for text in texts:
        name, is_there, path = (part.strip() for part in text.partition("="))
        if not is_there or not name:
            raise ProjectError(
                say("{text!r} names no table", text=text),
                where="--other",
                remedy=say("write it as in R=noisy.arff"),
            )
        if name in found:
            raise ProjectError(
                say("two tables are called {name!r}", name=name),
                where="--other",
                remedy=say("give each a name of its own"),
            )
        found[name] = path
    return found


def _given(asked: TableRequest, target: str | None, is_project: bool, name: str | None) -> "InputTable":
    """The table to look at."""
    if is_project:
        project = load_project(Path(asked.table))
        ensure_project_passwords(project, asked.ask)
        return read_class_in_project(project, name, ask=asked.ask)
    asked.ensure_passwords()
    with asked.at_work():
        return read_class(asked.source, target, ask=asked.ask)


def _of_table(asked: TableRequest, request: ComparisonRequest, run: CoresAndCache) -> "Comparison":
    asked.ensure_passwords()
    with asked.at_work() as progress:
        return compare_source(
            request,
            cache=run.cache,
            jobs=run.jobs,
            progress=progress,
            ask=asked.ask,
        )


def _of_project(
    path: Path, name: str | None, changes: ComparisonChanges, seed: int | None, run: CoresAndCache
) -> "Comparison":
    project = with_comparison(load_project(path), changes, seed=seed)
    ask = Passwords()
    ensure_project_passwords(project, ask)
    with progress_bar() as progress:
        return compare_project(project, name, cache=run.cache, jobs=run.jobs, progress=progress, ask=ask)


def _write(found: "Comparison", out: Path, tables: str | None, *, overwrite: bool) -> Iterator[Path]:
    with fresh_file(out / "comparison.json") as hidden:
        hidden.write_text(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    yield out / "comparison.json"
    for called, result in result_tables(found).items():
        for ending, text in result.texts.items():
            with fresh_file(out / f"{called}.{ending}") as hidden:
                hidden.write_text(text, encoding="utf-8")
            yield out / f"{called}.{ending}"
    if tables is not None:
        yield from write_compared_tables(found, out / "tables", ending=tables, overwrite=overwrite)
