"""Operations, hierarchies and repeated attributes of a table, tried out before a run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import polars as pl

from celosia.errors import CelosiaError
from celosia.hierarchies import check
from celosia.mask import ColumnOperation, Masking, Tally
from celosia.mask.masking import plain_values
from celosia.mask.values import texts_of
from celosia.measure.utility import get_measure
from celosia.project import Project
from celosia.project.repeated import split_place
from celosia.recode.domain import UnknownPolicy
from celosia.release.job import Job, as_hierarchy
from celosia.release.remark import Remark, mistake
from celosia.tables.format import first_batches
from celosia.tables.layer import see_through
from celosia.tables.table import Table

__all__ = ["check_hierarchies", "check_operations", "check_promises", "check_repeated"]

FIRST = 10_000
"""Rows that operations are tried out on."""
LOOKED_FOR = 100_000
"""Values of a repeated attribute that are looked for in its other places."""


def check_operations(job: Job) -> Iterator[tuple[str, Remark]]:
    """Columns whose operations cannot be carried out, with the reason; the first rows are tried out."""
    masking = job.masking
    if masking is None:
        return
    for column, chain in masking.chains.items():
        if any(one.removes_column for one in chain):
            continue
        lacking = list(_lacking_keys(chain, masking))
        yield from ((column, remark) for remark in lacking)
        if not lacking:
            try:
                _try_out(replace(masking, chains={column: chain}, rows=(), tally=Tally()), (column,))
            except CelosiaError as error:
                yield column, mistake(job.name, error, column=column)
    if masking.rows:
        try:
            _try_out(replace(masking, chains={}, tally=Tally()), ())
        except CelosiaError as error:
            yield "", mistake(job.name, error)


def _lacking_keys(chain: Sequence[ColumnOperation], masking: Masking) -> Iterator[Remark]:
    for operation in chain:
        if operation.key_name is not None:
            try:
                masking.keys.current(operation.key_name)
            except CelosiaError as error:
                yield mistake("", error)  # said once, whichever tables need it


def _try_out(masking: Masking, columns: tuple[str, ...]) -> None:
    change = masking.begin(columns)
    needed = masking.needs(columns) or masking.source.columns()[:1]
    for batch in first_batches(masking.source.reader, needed, FIRST):
        change(batch.head(FIRST))
        break


def _seen_without(job: Job, broken: Sequence[str]) -> Table:
    """The table as those operations leave it that can be carried out; ``broken`` are columns, and "" for the rows."""
    if job.masking is None or not broken:
        return job.table
    chains = {name: chain for name, chain in job.masking.chains.items() if name not in broken}
    rows = () if "" in broken else job.masking.rows
    return see_through(job.source, replace(job.masking, chains=chains, rows=rows, tally=Tally()))


def check_hierarchies(job: Job, broken: Sequence[str]) -> Iterator[Remark]:
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
            problems = check(rows, table.count_by([name]).values[0].to_list())
        except CelosiaError as error:
            yield replace(mistake(job.name, error, column=name), kind=kind)
            continue
        for problem in problems:
            what, remedy = f"the hierarchy of {name!r}: {problem.what}", problem.remedy
            if problem.kind == "missing":  # they may be one person's each
                what = f"the hierarchy of {name!r} does not know all values of the column"
                remedy = "`celosia hierarchy check` names those it lacks; or say unknown: suppress"
            leaves_out = problem.kind == "missing" and plan.unknown is UnknownPolicy.SUPPRESS
            if leaves_out:
                remedy = "rows with the others are left out; `celosia hierarchy check` names them"
            yield Remark("warning" if leaves_out else kind, what, job.name, remedy=remedy)


def check_promises(job: Job, broken: Sequence[str]) -> Iterator[Remark]:
    """What a complete release needs: quasi-identifiers, models, rows, a measure and a technique that can do it."""
    try:
        get_measure(job.plan.measure)
        columns = tuple(name for name in job.task.quasi_identifiers if name not in broken)
        table = _seen_without(job, broken)
        if columns:
            job.task.check_rows(table.count_by(columns[:1]).rows)
        if job.plan.person is None:  # people are counted in another way, which has checks of its own
            # A job that is only checked has no destination; that of a run has a folder for its rows.
            task = replace(job.task, table=table, quasi_identifiers=columns, folder=Path())
            job.plan.technique.check(task)
    except CelosiaError as error:
        yield mistake(job.name, error)


def check_repeated(project: Project, jobs: Mapping[str, Job]) -> Iterator[Remark]:
    """Attributes that are said to be the same in several tables and have no value in common."""
    for group in project.repeated_attributes:
        places = [split_place(place, project.tables) for place in group]
        opened = [(table, column) for table, column in places if table in jobs]
        present = [(t, column) for t, column in opened if column in jobs[t].source.columns()]
        for table, column in present[1:]:
            first, one = present[0]
            if not _overlap(jobs[first], one, jobs[table], column):
                yield Remark(
                    "warning",
                    f"{first}.{one} and {table}.{column} are said to be the same attribute, and no value of the "
                    "one was found in the other",
                    where="repeated_attributes",
                    remedy="check that both are written alike, with the same zeros, dashes and letters",
                )


def _overlap(first: Job, one: str, second: Job, other: str) -> bool:
    """Whether any of the first values of a column occurs in another; where there are none nothing can be said."""
    wanted = pl.Series([], dtype=pl.String)
    for texts in _texts(first, one):
        wanted = wanted.append(texts).unique()
        if len(wanted) >= LOOKED_FOR:
            break
    rows = 0
    for texts in _texts(second, other):
        rows += len(texts)
        if texts.is_in(wanted.implode()).any():
            return True
    return rows == 0 or not len(wanted)


def _texts(job: Job, column: str) -> Iterator[pl.Series]:
    """The values of a column of the source, without the missing ones."""
    source: Any = job.source
    for batch in source.scan([column]):
        values = plain_values(batch.get_column(column), source.reader.options.missing)
        yield texts_of(values, where=source.name).drop_nulls().alias("")
