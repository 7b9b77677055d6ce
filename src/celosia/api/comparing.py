"""Techniques on one table: what each costs every model, and what it protects; and the table before that."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.api.arguments import with_progress
from celosia.api.opening import opened_table
from celosia.api.projects import ComparisonChanges
from celosia.api.requests import ColumnRoles, TableSource
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import TableLike

if TYPE_CHECKING:
    import polars as pl

    from celosia.api.results import AnyChart, Ask, Comparison, InputTable, Progress, Project
    from celosia.compare.chain import StepChain, Techniques
    from celosia.compare.table_view import (
        BrowsedRows,
        ClassDistribution,
        ClassTableSummary,
        ColumnStatistics,
        ListedColumn,
    )

__all__ = [
    "ComparisonRequest",
    "ResultTable",
    "ShownTable",
    "check_names_no_files",
    "check_own_model",
    "compare_project",
    "compare_source",
    "compare_techniques",
    "comparison_figures",
    "parse_step",
    "parse_steps",
    "read_class",
    "read_class_in_project",
    "read_whole_class",
    "result_tables",
    "show_class_table",
    "split_outside",
    "write_compared_tables",
]

FILES = ("hierarchy", "file")
"""Parameters of operations that name files."""


@dataclass(frozen=True)
class ComparisonRequest:
    """A table with its class, and the techniques that are compared on it, such as ``"mdav(k=3) + cpda-noise"``."""

    source: TableSource
    target: str | None = None
    roles: ColumnRoles = field(default_factory=ColumnRoles)
    compared: ComparisonChanges = field(default_factory=ComparisonChanges)
    seed: int = 0


def compare_source(
    request: ComparisonRequest,
    *,
    cache: Path | None = None,
    jobs: int | None = None,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> "Comparison":
    """Compare techniques on a table by itself; what was found before is in the folder ``cache``."""
    from celosia import compare

    compared = request.compared
    if not compared.techniques and not compared.others:
        raise ProjectError(
            say("there is nothing to compare"),
            where="--techniques",
            remedy=say("name techniques, as in 'mdav(k=3)', or --look at the table"),
        )
    told = {field.name: getattr(compared, field.name) for field in fields(compared)}
    changes: dict[str, Any] = {name: value for name, value in told.items() if value is not None}
    return compare.compare_techniques(
        read_class(request.source, request.target, ask=ask),
        quasi_identifiers=request.roles.quasi_identifiers,
        sensitive=request.roles.sensitive,
        identifiers=request.roles.identifiers,
        seed=request.seed,
        cache=cache,
        jobs=jobs,
        **changes,
        **with_progress(progress),
    )


def compare_techniques(
    table: TableLike, target: str | None = None, techniques: "Techniques" = (), **options: Any
) -> "Comparison":
    """Make a table of every technique, and see what each costs every model and what it protects.

    ``options`` are those of :func:`celosia.compare.compare_techniques`.
    """
    from celosia import compare

    return compare.compare_techniques(table, target, techniques, **options)


def compare_project(
    project: "Project",
    table: str | None = None,
    *,
    cache: Path | None = None,
    jobs: int | None = None,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> "Comparison":
    """Carry out the comparison that a project asks for, of its only table unless named."""
    from celosia.compare.compare import compare_in_project

    return compare_in_project(project, table, cache=cache, jobs=jobs, ask=ask, **with_progress(progress))


def comparison_figures(comparison: "Comparison") -> "Mapping[str, AnyChart]":
    """The charts of a comparison by name."""
    from celosia.compare.figures import figures

    return figures(comparison)


@dataclass(frozen=True)
class ResultTable:
    """A table of results: as a frame, and as texts for papers and programs by the ending of their files."""

    frame: "pl.DataFrame"
    texts: Mapping[str, str]


def result_tables(comparison: "Comparison") -> dict[str, ResultTable]:
    """The tables of a comparison by name."""
    from celosia.compare import result_files

    return {
        name: ResultTable(
            frame, {ending: write(frame) for ending, write in result_files.TABLE_FORMATS.items()}
        )
        for name, frame in result_files.result_tables(comparison).items()
    }


def write_compared_tables(
    comparison: "Comparison", folder: Path, *, ending: str, overwrite: bool = False
) -> list[Path]:
    """Write the anonymized tables of a comparison; returns where they are."""
    from celosia.compare.result_files import write_tables

    return list(write_tables(comparison, folder, ending=ending, overwrite=overwrite))


def read_class(source: TableSource, target: str | None = None, *, ask: "Ask | None" = None) -> "InputTable":
    """A table with the class that models predict, the last column unless named."""
    from celosia.compare.input_table import read_input

    with opened_table(source, ask=ask) as table:
        return read_input(table, target, missing=source.missing, name=str(source.place))


def read_class_in_project(
    project: "Project", table: str | None = None, *, ask: "Ask | None" = None
) -> "InputTable":
    """A table of a project as techniques are compared on it: without columns that never leave."""
    from celosia.compare.compare import read_in_project

    return read_in_project(project, table, ask=ask)[0]


def read_whole_class(project: "Project", table: str, *, ask: "Ask | None" = None) -> "InputTable":
    """A table of a project with all its columns; its first target is the class."""
    from dataclasses import replace

    from celosia.compare.input_table import read_input
    from celosia.release.open_source import opened_table as opened_in_project

    plan = project.plan(table)
    with opened_in_project(project, table, ask=ask) as prepared:
        target = plan.targets[0] if plan.targets else None
        return replace(read_input(prepared.source, target, missing=plan.source.missing), name=table)


@dataclass(frozen=True)
class ShownTable:
    """A table before anything is done to it; every part as JSON takes it."""

    summary: "ClassTableSummary"
    columns: "Sequence[ListedColumn]"
    statistics: "Mapping[str, ColumnStatistics]"
    distributions: "Mapping[str, ClassDistribution]"
    """The values of every column in every class."""
    rows: "BrowsedRows"


def show_class_table(
    table: "InputTable",
    *,
    start: int = 0,
    rows: int = 100,
    progress: "Callable[[str, float], None] | None" = None,
) -> ShownTable:
    """Summary, columns, statistics, values against the class, and some rows of a table."""
    from celosia.compare import table_view

    statistics: dict[str, ColumnStatistics] = {}
    distributions: dict[str, ClassDistribution] = {}
    names = table.frame.columns
    for number, column in enumerate(names):
        if progress is not None:
            progress(say("looking at columns"), number / len(names))
        statistics[column] = table_view.column_statistics(table, column)
        distributions[column] = table_view.column_distribution(table, column)
    return ShownTable(
        table_view.summarize_table(table),
        table_view.list_columns(table),
        statistics,
        distributions,
        table_view.browse_rows(table, start=start, rows=rows),
    )


def split_outside(text: str, separators: str) -> list[str]:
    """The parts of a text between separators that are not inside brackets or quotes.

    >>> split_outside("mdav(k=3, seed=1); noise", ";")
    ['mdav(k=3, seed=1)', ' noise']
    """
    from celosia.compare import chain

    return chain.split_outside(text, separators)


def parse_step(text: str) -> tuple[str, dict[str, object]]:
    """The name of a step of a technique, and its parameters.

    >>> parse_step("mdav(k=3)")
    ('mdav', {'k': 3})
    """
    from celosia.compare import chain

    return chain.parse_call(text)


def parse_steps(text: str) -> "StepChain":
    """The steps of a technique, made; what is wrong with them is told."""
    from celosia.compare import chain

    return chain.parse_chain(text)


def check_names_no_files(technique: str) -> None:
    """Raise ProjectError if a technique names a file: on a service that would be one of the service's machine.

    >>> check_names_no_files("generalize(columns=[age], hierarchy=/etc/passwd, level=0)")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: generalize: techniques of a comparison name no files here; choose another technique
    """
    for step in split_outside(split_outside(technique, "=")[-1], "+"):
        name, parameters = parse_step(step)
        if any(isinstance(parameters.get(parameter), str) for parameter in FILES):
            raise ProjectError(
                say("techniques of a comparison name no files here"),
                where=name,
                remedy=say("choose another technique"),
            )


def check_own_model(text: str) -> None:
    """Raise ProjectError if a model is not one of ours: others run programs of their own.

    >>> check_own_model("weka:J48")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: models: there is no model 'weka:J48' here; choose one of the list
    """
    from celosia.measure.learning import learning_models

    name, _ = parse_step(text)
    if name not in learning_models():
        raise ProjectError(
            say("there is no model {name!r} here", name=name),
            where="models",
            remedy=say("choose one of the list"),
        )
