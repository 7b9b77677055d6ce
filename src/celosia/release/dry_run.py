"""Operations, hierarchies and repeated attributes of a table, tried out before a run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import polars as pl

from celosia.errors import CelosiaError
from celosia.hierarchies import check
from celosia.mask import Masking, MaskTally
from celosia.mask.masking import plain_values
from celosia.mask.values import texts_of
from celosia.project import Project
from celosia.project.repeated import split_place
from celosia.recode.domain import UnknownPolicy
from celosia.release.prepared_table import PreparedTable, as_hierarchy, no_row_left
from celosia.release.remark import Remark, mistake
from celosia.say import say
from celosia.tables.format import first_batches
from celosia.tables.layer import apply_layer
from celosia.tables.location import is_on_cluster
from celosia.tables.table import Table

__all__ = ["check_hierarchies", "check_repeated", "check_rows"]

FIRST = 10_000
"""Rows of a table on a cluster that operations are tried out on."""
LOOKED_FOR = 100_000
"""Values of a repeated attribute that are looked for in its other places."""


def check_rows(job: PreparedTable) -> Iterator[tuple[str, Remark]]:
    """Columns whose operations cannot be carried out, with the reason; "" where that is about rows.

    All rows are read and changed as a run would; on a cluster, the first of them.
    """
    masking = job.masking
    broken: list[str] = []
    if masking is not None:
        for column, remark in _lacking_keys(masking):
            broken.append(column)
            yield column, remark
    try:
        rows = _count_rows(job, _seen_without(job, broken))
    except CelosiaError as error:
        yield from _find_broken(job, broken, error)
        return
    if rows == 0 and job.is_light:
        yield "", mistake(job.name, no_row_left(job.name))


def _count_rows(job: PreparedTable, table: Table) -> int:
    """How many rows are left after all operations, or whether any is where nothing is done to them."""
    names = [name for name in table.columns() if name not in job.dropped] or list(table.columns()[:1])
    if job.masking is None:
        return int(any(batch.height for batch in table.scan(names[:1]))) if job.is_light else 1
    if not is_on_cluster(table):
        return sum(batch.height for batch in table.scan(names))
    change, needed = job.masking.begin(tuple(names)), job.masking.needs(names)
    first = next(iter(first_batches(job.masking.source.reader, needed, FIRST)), None)
    if first is not None:
        change(first.head(FIRST))
    return 1


def _find_broken(
    job: PreparedTable, broken: Sequence[str], error: CelosiaError
) -> Iterator[tuple[str, Remark]]:
    """Which operations by themselves cannot be carried out, where all of them together cannot be."""
    masking = job.masking
    assert masking is not None
    rows = masking.rows
    is_broken = False
    if rows and (reason := _refused(job, {"chains": {}})) is not None:
        is_broken, rows = True, ()
        yield "", mistake(job.name, reason)
    for column, chain in masking.chains.items():
        if column in broken or any(operation.removes_column for operation in chain):
            continue
        reason = _refused(job, {"chains": {column: chain}, "rows": rows})
        if reason is not None:
            is_broken = True
            yield column, mistake(job.name, reason, column=column)
    if not is_broken:
        yield "", mistake(job.name, error)


def _refused(job: PreparedTable, changes: Mapping[str, Any]) -> CelosiaError | None:
    """Why some of the operations of a table cannot be carried out; None if they can."""
    assert job.masking is not None
    masking = replace(job.masking, **changes, tally=MaskTally())
    try:
        _count_rows(replace(job, masking=masking), apply_layer(job.source, masking))
    except CelosiaError as error:
        return error
    return None


def _lacking_keys(masking: Masking) -> Iterator[tuple[str, Remark]]:
    for column, chain in masking.chains.items():
        for operation in () if any(removing.removes_column for removing in chain) else chain:
            if operation.key_name is not None:
                try:
                    masking.keys.current(operation.key_name)
                except CelosiaError as error:
                    yield column, mistake("", error)  # said once, whichever tables need it


def _seen_without(job: PreparedTable, broken: Sequence[str]) -> Table:
    """The table as those operations leave it that can be carried out; ``broken`` are columns, and "" for the rows."""
    if job.masking is None or not broken:
        return job.table
    chains = {name: chain for name, chain in job.masking.chains.items() if name not in broken}
    rows = () if "" in broken else job.masking.rows
    return apply_layer(job.source, replace(job.masking, chains=chains, rows=rows, tally=MaskTally()))


def check_hierarchies(job: PreparedTable, broken: Sequence[str]) -> Iterator[Remark]:
    """Hierarchies that cannot be read, or that do not know all values of their column."""
    plan, table = job.plan, _seen_without(job, broken)
    used = () if job.is_light else (*plan.quasi_identifiers, *plan.modelled)
    for name, column in plan.columns.items():
        if column.hierarchy is None:
            continue
        kind: Literal["mistake", "warning"] = "mistake" if name in used else "warning"
        try:
            rows = as_hierarchy(column.hierarchy, name).rows()
            if name in broken or name not in table.columns():
                continue
            problems = check(rows, table.count_by([name]).texts[0].to_list())
        except CelosiaError as error:
            yield replace(mistake(job.name, error, column=name), kind=kind)
            continue
        for problem in problems:
            text, remedy = (
                say("the hierarchy of {column!r}: {problem}", column=name, problem=problem.what),
                problem.remedy,
            )
            if problem.kind == "missing":  # they may be one person's each
                text = say("the hierarchy of {column!r} does not know all values of the column", column=name)
                remedy = say("`celosia hierarchy check` names those it lacks; or say unknown: suppress")
            leaves_out = problem.kind == "missing" and plan.unknown is UnknownPolicy.SUPPRESS
            if leaves_out:
                remedy = say("rows with the others are left out; `celosia hierarchy check` names them")
            yield Remark("warning" if leaves_out else kind, text, job.name, remedy=remedy)


def check_repeated(project: Project, jobs: Mapping[str, PreparedTable]) -> Iterator[Remark]:
    """Attributes that are said to be the same in several tables and have no value in common."""
    for group in project.repeated_attributes:
        places = [split_place(place, project.tables) for place in group]
        opened = [(table, column) for table, column in places if table in jobs]
        present = [(t, column) for t, column in opened if column in jobs[t].source.columns()]
        for table, column in present[1:]:
            first, first_column = present[0]
            if not _overlap(jobs[first], first_column, jobs[table], column):
                yield Remark(
                    "warning",
                    say(
                        "{one} and {other} are said to be the same attribute, and no value "
                        "of the one was found in the other",
                        one=f"{first}.{first_column}",
                        other=f"{table}.{column}",
                    ),
                    where="repeated_attributes",
                    remedy=say("check that both are written alike, with the same zeros, dashes and letters"),
                )


def _overlap(first: PreparedTable, column: str, second: PreparedTable, other: str) -> bool:
    """Whether any of the first values of a column occurs in another; where there are none nothing can be said."""
    wanted = pl.Series([], dtype=pl.String)
    for texts in _texts(first, column):
        wanted = wanted.append(texts).unique()
        if len(wanted) >= LOOKED_FOR:
            break
    rows = 0
    for texts in _texts(second, other):
        rows += len(texts)
        if texts.is_in(wanted.implode()).any():
            return True
    return rows == 0 or not len(wanted)


def _texts(job: PreparedTable, column: str) -> Iterator[pl.Series]:
    """The values of a column of the source, without the missing ones."""
    source: Any = job.source
    for batch in source.scan([column]):
        values = plain_values(batch.get_column(column), source.reader.options.missing)
        yield texts_of(values, location=source.name).drop_nulls().alias("")
