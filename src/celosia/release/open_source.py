"""A table of a project, opened, settled with what the project says, and seen through its operations."""

import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from celosia.errors import CelosiaError, ProjectError, raise_it
from celosia.hierarchies import Hierarchy, build_by_rule, is_rule
from celosia.mask import ColumnOperation, Masking, MissingValues
from celosia.mask.keys import Keys
from celosia.mask.weaknesses import find_weaknesses
from celosia.project import (
    HierarchyLike,
    Project,
    ReleaseKind,
    Source,
    TablePlan,
    changed_types,
    match_to_table,
)
from celosia.release.identifiers import undone_by_seed, weak_identifiers
from celosia.release.prepared_table import Ask, PreparedTable, as_hierarchy, folder_of
from celosia.say import say
from celosia.tables import close_table, open_table
from celosia.tables.format import first_batches
from celosia.tables.infer import gather_evidence, schema_of
from celosia.tables.layer import apply_layer
from celosia.tables.sql.address import OUT_PASSWORD, is_address, parse_address
from celosia.tables.table import Progress, Table, no_progress
from celosia.types import Column, ColumnType, Schema, TableLike
from celosia.values.text import column_type

if TYPE_CHECKING:
    from celosia.tables import FileTable, FrameTable
    from celosia.tables.spark.spark_table import SparkTable
    from celosia.tables.sql.database import Database
    from celosia.tables.sql.sql_table import SqlTable

    OpenedTable = FileTable | FrameTable | SqlTable | SparkTable

__all__ = ["OpeningOptions", "open_source", "opened_table"]


class OpeningOptions(TypedDict, total=False):
    """Options of :func:`opened_table` that those who open a table for others pass on."""

    name: str | None
    source: TableLike | None
    hierarchies: Mapping[str, Hierarchy] | None
    progress: Progress
    ask: Ask | None
    population: TableLike | None
    drawn: int | None


@contextmanager
def opened_table(
    project: Project,
    name: str | None = None,
    *,
    source: TableLike | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    progress: Progress = no_progress,
    ask: Ask | None = None,
    shared: "dict[str, Database] | None" = None,
    drawn: int | None = None,
    population: TableLike | None = None,
    writes: bool = True,
    refuse: Callable[[CelosiaError], None] = raise_it,
) -> Iterator[PreparedTable]:
    """A table of a project, opened and checked, and let go of in the end.

    ``source`` and ``population`` take the place of what the project says; ``hierarchies`` are handed over; ``ask`` asks
    a person for the password of a database; ``shared`` holds connections, of which there is one to each database;
    ``drawn`` is the seed of operations where the project has none, one for all tables of a run. ``writes`` False says
    that nothing goes to the database that the rows come from, whatever the project says; ``refuse`` is told of columns
    that are not there or not listed, and raises unless the table is to be opened all the same.
    """
    plan = project.plan(name)
    connections = {} if shared is None else shared
    table = open_source(
        project,
        plan.source,
        source=source,
        writes=writes and _is_written(project, plan, plan.source.path if source is None else source),
        ask=ask,
        shared=connections,
    )
    people: Table | None = None
    try:
        shared_columns = project.shared(table.columns(), plan)
        plan, changes = match_to_table(
            plan, table.columns(), shared_columns, location=table.name, refuse=refuse
        )
        plan = project.asked_of(plan, table.columns(), name)
        changes += changed_types(plan, _held_types(plan, table))
        declared = {name: column.column(name) for name, column in plan.columns.items()}
        table = replace(table, types={name: type for name, type in declared.items() if type is not None})
        masking = _masking(project, plan, table, secrets.randbits(62) if drawn is None else drawn)
        people = _open_population(project, plan, population, ask, connections)
        seen = table if masking is None else apply_layer(table, masking)
        plan = _with_rules_built(plan, seen)
        yield PreparedTable(
            name=name or next(iter(project.tables)),
            project=project,
            plan=plan,
            source=table,
            table=seen,
            masking=masking,
            changes=changes,
            weaknesses=(
                *(() if masking is None else find_weaknesses(masking)),
                *weak_identifiers(plan),
                *undone_by_seed(plan),
            ),
            hierarchies=hierarchies or {},
            population=people,
            progress=progress,
        )
    finally:
        close_table(table)
        if people is not None:
            close_table(people)


def _with_rules_built(plan: TablePlan, table: Table) -> TablePlan:
    """The plan with the rows of every hierarchy that it gives by rule, made from the values of its column."""
    columns = dict(plan.columns)
    for name, column in plan.columns.items():
        if isinstance(column.hierarchy, dict) and is_rule(column.hierarchy) and name in table.columns():
            counts = table.count_by([name])
            present = counts.values[0].is_not_null()
            hierarchy = build_by_rule(
                name,
                counts.texts[0].filter(present),
                column.hierarchy,
                counts=counts.rows_of(0)[present.to_numpy()],
            )
            rows = [list(row) for row in hierarchy.rows()]
            columns[name] = column.model_copy(update={"hierarchy": rows})
    return plan.model_copy(update={"columns": columns})


def _open_population(
    project: Project,
    plan: TablePlan,
    population: TableLike | None,
    ask: Ask | None,
    shared: "dict[str, Database]",
) -> Table | None:
    """The table of the population, where a model looks at it."""
    needing = [model.name for model in plan.models if model.needs_population]
    source = plan.population.source
    if plan.kind is ReleaseKind.LIGHT or not needing or (population is None and source is None):
        return None  # whoever needs one says so
    for name in plan.quasi_identifiers:
        if plan.columns[name].is_masked:
            raise ProjectError(
                say(
                    "{model} compares {column!r} with the population, and an operation changes it in the "
                    "table alone",
                    model=needing[0],
                    column=name,
                ),
                where=f"columns.{name}.operation",
                remedy=say("leave the operation out: the technique generalizes it"),
            )
    declared = {name: column.column(name) for name, column in plan.columns.items()}
    reading = plan.source if source is None else source
    table = open_source(project, reading, source=population, ask=ask, shared=shared)
    types = {name: type for name, type in declared.items() if type is not None and name in table.columns()}
    return replace(table, types=types)


def open_source(
    project: Project,
    reading: Source,
    *,
    source: TableLike | None = None,
    types: Mapping[str, str] | None = None,
    writes: bool = False,
    ask: Ask | None = None,
    shared: "dict[str, Database] | None" = None,
) -> "OpenedTable":
    """A table as a project says where it is and how it is read; ``source`` is a frame or place to take instead."""
    place = reading.path if source is None else source
    if place is None:
        raise ProjectError(
            say("no table was given"), where="source", remedy=say("name a file or hand over a frame")
        )
    table = open_table(
        place,
        table=reading.table,
        where=reading.where,
        writes=writes,
        ask=ask,
        shared={} if shared is None else shared,
        separator=reading.separator,
        encoding=reading.encoding,
        header=reading.header,
        missing=reading.missing,
        decimal=reading.decimal,
        thousands=reading.thousands,
        date_format=reading.date_format,
        quote=reading.quote,
        format=reading.format,
        engine=reading.engine,
        spark=project.spark.settings,
    )
    declared = {name: Column(name, ColumnType(kind)) for name, kind in (types or {}).items()}
    kept = {name: column for name, column in declared.items() if name in table.columns()}
    return replace(table, types=kept) if kept else table


def _held_types(plan: TablePlan, table: "OpenedTable") -> Schema:
    """The columns of a table with the types that they have; those of texts by its first rows."""
    if table.format is not None and table.format.holds_text:
        named = [name for name, column in plan.columns.items() if column.type is not None]
        first = islice(first_batches(table.reader, named, 1), 1 if named else 0)
        return schema_of(gather_evidence(first, table.reader.options.missing), {})
    held = zip(table.reader.names, table.reader.dtypes, strict=True)
    return Schema(tuple(Column(name, column_type(dtype)) for name, dtype in held))


def _is_written(project: Project, plan: TablePlan, source: TableLike | None) -> bool:
    """Whether a release goes to the database that the rows come from, be it that of another table."""
    if not isinstance(source, str) or not is_address(source):
        return False
    if plan.destination.table is not None and plan.destination.path is None:
        return True
    return any(_leads_to(other, source) for other in map(project.plan, project.tables))


def _leads_to(plan: TablePlan, source: str) -> bool:
    place = plan.destination.path or plan.source.path
    if plan.destination.table is None or place is None or not is_address(place):
        return False
    return parse_address(source).same_as(parse_address(place, variable=OUT_PASSWORD))


def _masking(project: Project, plan: TablePlan, table: Table, drawn: int) -> Masking | None:
    chains = {name: column.operation for name, column in plan.columns.items() if column.is_masked}
    # A light release that only leaves out columns needs no row here: they are left out where the table is.
    does_more = plan.kind is not ReleaseKind.LIGHT or not all(map(_only_removes, chains.values()))
    if not plan.rows and not (chains and does_more):
        return None
    return Masking(
        table,
        chains,
        plan.rows,
        keys=Keys(project.keys),
        seed=drawn if plan.seed is None else plan.seed,
        person=plan.person,
        hierarchies=lambda spec: _named_hierarchy(project, plan, spec),
        folder=folder_of(plan, table) or Path(tempfile.gettempdir()),
    )


def _only_removes(chain: tuple[ColumnOperation, ...]) -> bool:
    """Whether nothing else comes of operations than that the column is gone."""
    return any(operation.removes_column for operation in chain) and all(
        operation.missing is MissingValues.KEEP for operation in chain
    )


def _named_hierarchy(project: Project, plan: TablePlan, spec: HierarchyLike) -> Hierarchy:
    """The hierarchy that an operation names: one of the project's, that of a column, a file, or written down."""
    if isinstance(spec, str):
        if spec in project.hierarchies:
            return as_hierarchy(project.hierarchies[spec], spec)
        if spec in plan.columns and plan.columns[spec].hierarchy is not None:
            return as_hierarchy(plan.columns[spec].hierarchy, spec)
    return as_hierarchy(spec, "operation")
