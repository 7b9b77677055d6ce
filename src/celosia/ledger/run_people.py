"""Who is in which class of a release that is planned, as the ledger knows people; and people left out of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from celosia.errors import ProjectError
from celosia.ledger.entry import Entry
from celosia.ledger.join import join_members
from celosia.ledger.join_by_values import PublishedTable, people_by_values
from celosia.ledger.ledger import Ledger
from celosia.ledger.members import Members, members_of
from celosia.ledger.open_entry import open_entries
from celosia.ledger.proposals import suppressed_people
from celosia.recode.techniques import RecodingPlan
from celosia.release.prepared_table import PreparedTable
from celosia.say import say
from celosia.tables.exclude_people import ExcludePeople
from celosia.tables.layer import apply_layer
from celosia.tables.location import is_on_cluster
from celosia.tables.recoding_layer import RecodingLayer
from celosia.tables.table import Table
from celosia.types import Role

__all__ = [
    "class_columns",
    "exclude_people",
    "match_by_values",
    "planned_members",
    "table_as_published",
    "undropped_table",
]


def planned_members(
    ledger: Ledger, job: PreparedTable, plan: RecodingPlan | None, person: str | None
) -> tuple[Members | None, str]:
    """Who is in which class of what is planned; None, and why, where that cannot be known."""
    table = job.table if plan is None or plan.table is None else plan.table
    if person is None or ledger.digests is None:
        return None, say("no column is said to tell who somebody is in every release (ledger.person)")
    if person not in table.columns():
        return None, say(
            "table {table} has no column {column!r}, by which its people would be known",
            table=job.name,
            column=person,
        )
    if is_on_cluster(table):
        return None, say("people of a table on a cluster are not told apart here")
    if plan is not None and plan.recoding.parts is not None:
        return None, say(
            "a table that is recoded part by part for want of memory does not say who is in which class"
        )
    classes, sensitive = class_columns(job, table)
    if plan is not None:
        dropped = tuple(name for name in plan.recoding.dropped if name != person)
        table = apply_layer(table, RecodingLayer(table, replace(plan.recoding, dropped=dropped)))
    job.progress(say("looking up people in the ledger"), 0.0)
    counts = table.count_by([person, *classes, *sensitive])
    members = members_of(counts, person=person, classes=classes, sensitive=sensitive, digests=ledger.digests)
    return members, ""


def match_by_values(
    ledger: Ledger,
    entries: Sequence[Entry],
    job: PreparedTable,
    plan: RecodingPlan | None,
    person: str | None,
) -> tuple[dict[int, Members], tuple[str, ...]]:
    """People of the table in those ``entries`` of which nobody recorded who is in them, as their values tell.

    With them, what could not be known.
    """
    unrecorded = [entry for entry in entries if ledger.members(entry) is None]
    if not unrecorded or ledger.digests is None or person is None or is_on_cluster(job.table):
        return {}, ()
    opened, unread = open_entries(unrecorded, like=table_as_published(job, plan, job.table))
    matches, notes = people_by_values(
        undropped_table(job, opened, person),
        [published for _, published in opened],
        person=person,
        digests=ledger.digests,
    )
    numbers = [entry.number for entry, _ in opened]
    known = {
        number: members for number, members in zip(numbers, matches, strict=False) if members is not None
    }
    return known, (*unread, *notes)


def exclude_people(
    ledger: Ledger,
    job: PreparedTable,
    plan: RecodingPlan | None,
    members: Members,
    earlier: Sequence[Members],
    person: str,
) -> tuple[Members, RecodingPlan]:
    """Leave out people so that nobody is told apart; a recoding that goes by the order of rows cannot."""
    assignment = None if plan is None else plan.recoding.assignment
    if plan is None or plan.counts_people or (assignment is not None and not assignment.is_whole):
        raise ProjectError(
            say("rows cannot be left out of this release"),
            where="ledger.broken",
            remedy=say("use full-domain generalization, or let the run stop and choose another way"),
        )
    k = max([model.least_rows for model in job.plan.models], default=1)
    is_out = suppressed_people(join_members(earlier), members, k=k)
    assert members.keys is not None
    texts = members.keys.filter(pl.Series(is_out)).cast(pl.String)
    table = job.table if plan.table is None else plan.table
    rest = apply_layer(table, ExcludePeople(table, person, texts))
    gone = int(is_out.sum())
    changed = replace(plan, table=rest, rows=plan.rows - gone, left_out=plan.left_out + gone, classes=None)
    remaining = planned_members(ledger, job, changed, person)[0]
    assert remaining is not None
    return remaining, changed


def class_columns(job: PreparedTable, table: Table) -> tuple[list[str], list[str]]:
    """Columns that make classes, and sensitive ones, of those that a table has and that leave."""
    names, gone = table.columns(), set(job.dropped)
    classes = [name for name in job.plan.quasi_identifiers if name in names and name not in gone]
    sensitive = [name for name in job.plan.with_role(Role.SENSITIVE) if name in names and name not in gone]
    return classes, sensitive


def table_as_published(
    job: PreparedTable,
    plan: RecodingPlan | None,
    table: Table,
    columns: Mapping[Role, Sequence[str]] | None = None,
) -> PublishedTable:
    """A table as those of earlier releases are looked at: with types and hierarchies of this run."""
    hierarchies = {} if plan is None else plan.hierarchies
    types = {column.name: column.type for column in job.table.schema()}
    classes, sensitive = (
        () if columns is None else tuple(columns[role]) for role in (Role.QUASI_IDENTIFIER, Role.SENSITIVE)
    )
    return PublishedTable(table, classes, sensitive, hierarchies, types)


def undropped_table(
    job: PreparedTable, opened: Sequence[tuple[Entry, PublishedTable]], person: str | None = None
) -> Table:
    """The table with what this release leaves out and others show, where rows and columns are as they came."""
    shown = {name for _, published in opened for name in published.quasi_identifiers}
    changed = {*job.chains} & {*shown, *job.plan.quasi_identifiers, *([] if person is None else [person])}
    is_whole = shown <= {*job.table.columns()}
    return job.table if is_whole or changed or job.plan.rows else job.source
