"""``celosia compare``: what techniques cost the models that learn from their tables, and what they protect."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli import complete
from celosia.cli.asked import Passwords
from celosia.cli.charts import draw_charts, prepare_charts
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.options import Output, option
from celosia.cli.progress import progress_bar
from celosia.cli.projects import settle_project_passwords
from celosia.cli.results import shown
from celosia.cli.show import count, heading, print_columns, print_json, print_line, print_wrapped
from celosia.errors import ProjectError

if TYPE_CHECKING:
    from celosia.compare import Comparison

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(compare)


def compare(
    *,
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE",
            help="The table, as ARFF, CSV or any other file; or a project (.yaml) that says what to compare.",
            autocompletion=complete.files,
        ),
    ],
    out: Annotated[Path, option("--out -o", "FOLDER", "Where tables, charts and answers go.")],
    name: Annotated[str | None, option("--of", "NAME", "Which table of a project that has several.")] = None,
    target: Annotated[
        str | None, option("--class", "COLUMN", "What models predict; the last column by default.")
    ] = None,
    techniques: Annotated[
        str | None,
        option(
            "--techniques",
            "TECHNIQUES",
            "Between semicolons, as in 'mdav(k=3); both = cpda-generalization + noise'.",
        ),
    ] = None,
    others: Annotated[
        list[str] | None,
        option("--other", "NAME=PATH", "A table anonymized elsewhere; may be given several times."),
    ] = None,
    models: Annotated[
        str | None,
        option("--models", "NAMES", "What learns from every table.", autocompletion=complete.learners),
    ] = None,
    quasi_identifiers: Annotated[
        str | None,
        option("--quasi-identifiers", "NAMES", "What an attacker knows; all but the class by default."),
    ] = None,
    measures: Annotated[
        str | None, option("--measures", "NAMES", "The risks that every table is measured by.")
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
    tables: Annotated[
        str | None,
        option("--table-format", "NAME", "Write the anonymized tables too, as arff or csv."),
    ] = None,
    chart_format: Annotated[
        str, option("--chart-format", "NAME", "Charts as html (the default), svg or png.")
    ] = "html",
    overwrite: Annotated[bool, option("--overwrite", None, "Replace files of the same names.")] = False,
    output: Output,
) -> None:
    """Compare techniques on a table: what each costs every model, and what it protects."""
    from celosia.compare.figures import figures

    given = {
        "techniques": _parts(techniques, ";"),
        "others": None if others is None else dict(_other(text) for text in others),
        "models": _parts(models, ",;"),
        "measures": _parts(measures, ","),
        "folds": folds,
        "repeats": repeats,
        "scaled": scaled,
    }
    asked = {field: value for field, value in given.items() if value is not None}
    prepare_charts(out, chart_format)
    ensure_free(out / "comparison.json", overwrite=overwrite)
    if tables not in (None, "arff", "csv"):
        raise ProjectError(
            f"there is no format {tables!r}", where="--table-format", remedy="choose arff or csv"
        )
    options: dict[str, Any] = {"cache": out / "cache" if cached else None, "jobs": jobs}
    if Path(table).suffix in (".yaml", ".yml"):
        if target or quasi_identifiers:
            raise ProjectError(
                "the project says what its columns are",
                where="--class, --quasi-identifiers",
                remedy="write targets and roles there",
            )
        found = _of_project(Path(table), name, asked, seed, options)
    else:
        found = _of_table(table, target, _parts(quasi_identifiers, ",") or (), asked, seed, options)
    written = list(_write(found, out, tables, overwrite=overwrite))
    drawn = list(draw_charts(figures(found), out, chart_format))
    if output.as_json:
        print_json(found.to_dict())
        return
    _print(found)
    heading("Written")
    for path in (*written, *drawn):
        print_line(f"  {path}")


def _parts(text: str | None, separators: str) -> tuple[str, ...] | None:
    from celosia.compare.chain import split_outside

    if text is None:
        return None
    return tuple(part.strip() for part in split_outside(text, separators) if part.strip())


def _other(text: str) -> tuple[str, str]:
    name, is_there, path = text.partition("=")
    if not is_there or not name.strip():
        raise ProjectError(f"{text!r} names no table", where="--other", remedy="write it as in R=noisy.arff")
    return name.strip(), path.strip()


def _of_table(
    table: str,
    target: str | None,
    known: tuple[str, ...],
    asked: dict[str, Any],
    seed: int | None,
    options: dict[str, Any],
) -> "Comparison":
    from celosia.compare import compare_techniques

    if not asked.get("techniques") and not asked.get("others"):
        raise ProjectError(
            "there is nothing to compare", where="--techniques", remedy="name techniques, as in 'mdav(k=3)'"
        )
    with progress_bar() as progress:
        return compare_techniques(
            table,
            target,
            **asked,
            quasi_identifiers=known,
            seed=seed or 0,
            progress=progress,
            **options,
        )


def _of_project(
    path: Path, name: str | None, asked: dict[str, Any], seed: int | None, options: dict[str, Any]
) -> "Comparison":
    from pydantic import ValidationError

    from celosia.compare.compare import compare_in_project
    from celosia.project import ComparePlan, load_project
    from celosia.registered import first_mistake

    project = load_project(path)
    try:
        plan = ComparePlan.model_validate({**project.compare.model_dump(), **asked})
    except ValidationError as error:
        field, message, value = first_mistake(error)
        raise ProjectError(
            f"{message}, got {value!r}", where=f"compare.{field}", remedy="see `celosia compare --help`"
        ) from None
    changed: dict[str, Any] = {"compare": plan}
    if seed is not None:
        changed["seed"] = seed
    project = project.model_copy(update=changed)
    ask = Passwords()
    settle_project_passwords(project, ask)
    with progress_bar() as progress:
        return compare_in_project(project, name, progress=progress, ask=ask, **options)


def _write(found: "Comparison", out: Path, tables: str | None, *, overwrite: bool) -> Iterator[Path]:
    from celosia.compare.writing import TABLE_FORMATS, result_tables, write_tables

    with fresh_file(out / "comparison.json") as hidden:
        hidden.write_text(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    yield out / "comparison.json"
    for called, frame in result_tables(found).items():
        for ending, write in TABLE_FORMATS.items():
            with fresh_file(out / f"{called}.{ending}") as hidden:
                hidden.write_text(write(frame), encoding="utf-8")
            yield out / f"{called}.{ending}"
    if tables is not None:
        yield from write_tables(found, out / "tables", ending=tables, overwrite=overwrite)


def _print(found: "Comparison") -> None:
    how = f"{found.question.folds}-fold cross-validation"
    if found.question.repeats > 1:
        how += f", {found.question.repeats} times"
    rows = count(found.given.frame.height, "row")
    print_line(f"{found.given.name}: {rows}, class {found.given.target!r}, {how}", bold=True)
    main = "accuracy" if found.is_classification else "R2"
    for tested_on, title in (
        ("release", "rows of each table"),
        ("original", "people as the original has them"),
    ):
        heading(f"{main} on {title}")
        lines = [
            [
                table.name,
                f"{table.rows:,}",
                *(_score(found, table.name, model, tested_on) for model in found.models),
            ]
            for table in found.results
        ]
        heads = ["table", "rows", *found.models]
        print_columns(lines, heads, right=range(1, len(heads)))
    if found.measures:
        heading("What each table risks")
        lines = [
            [table.name, *(_risk(table.risks[name].value) for name in found.measures)]
            for table in found.results
        ]
        heads = ["table", *found.measures]
        print_columns(lines, heads, right=range(1, len(heads)))
    print_line()
    print_wrapped("≈: not told apart from the original by a paired test over the folds.")
    for text in _remarks(found):
        print_wrapped(text)


def _score(found: "Comparison", table: str, model: str, tested_on: str) -> str:
    learnt = found.find(table, model, tested_on=tested_on)
    if learnt is None or learnt.value is None:
        return ""
    if table == found.original.name:
        return f"{learnt.value:.3f}  "
    difference = found.difference(table, model, tested_on=tested_on)
    is_noise = difference is not None and difference.value is not None and difference.is_noise
    return f"{learnt.value:.3f}{' ≈' if is_noise else '  '}"


def _risk(value: float | None) -> str:
    return "" if value is None else shown(value)


def _remarks(found: "Comparison") -> list[str]:
    """What should be known of tables and models: cautions, and why figures are missing."""
    said: dict[str, None] = {}
    for table in found.results:
        for caution in table.cautions:
            said[f"{caution}."] = None
        if table.why_not is not None:
            said[f"{table.name}: {table.why_not}."] = None
            continue
        for model, answer in table.answers.items():
            if answer.why_not is not None:
                said[f"{table.name}, {model}: {answer.why_not}."] = None
        notes = {note: None for answer in table.answers.values() for note in answer.notes}
        said |= dict.fromkeys(f"{table.name}: {note}." for note in notes)
    return list(said)
