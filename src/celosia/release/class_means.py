"""Columns that show the mean of their class: whether that can be done, the plan with it, and its verification."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from celosia.errors import ProjectError
from celosia.recode.class_means import show_class_means
from celosia.recode.techniques import RecodingPlan
from celosia.release.verify import Finding
from celosia.say import Text, say
from celosia.tables.layer import apply_layer
from celosia.tables.recoding_layer import RecodingLayer
from celosia.tables.table import Recoding, Table
from celosia.types import ColumnType, Role

if TYPE_CHECKING:
    from celosia.release.prepared_table import PreparedTable

__all__ = ["NUMBERS", "check_class_means", "columns_of_means", "verify_class_means", "with_class_means"]

NUMBERS = (ColumnType.INTEGER, ColumnType.REAL, ColumnType.DECIMAL)


def columns_of_means(job: "PreparedTable") -> tuple[str, ...]:
    """Columns of a table that show the mean of their class."""
    return tuple(name for name, chain in job.chains.items() if any(one.within_classes for one in chain))


def check_class_means(job: "PreparedTable") -> None:
    """Raise if a column cannot show means, before anything is counted."""
    types = {column.name: column.type for column in job.source.schema()} if columns_of_means(job) else {}
    for name in columns_of_means(job):
        why = _why_not(job, name, types.get(name))
        if why is not None:
            raise ProjectError(why[0], where=f"tables.{job.name}.columns.{name}", remedy=why[1])


def _why_not(job: "PreparedTable", name: str, type: ColumnType | None) -> tuple[Text, Text] | None:
    if job.is_light:
        return (
            say(
                "{column!r} is to show the mean of its class, and a light release has no classes", column=name
            ),
            say("ask for a privacy model, or round it"),
        )
    if any(one.within_classes for one in job.chains[name][:-1]):
        return (
            say("microaggregate is not the last operation of {column!r}", column=name),
            say("put it last: it is done when classes are known"),
        )
    if job.plan.columns[name].role in (Role.QUASI_IDENTIFIER, Role.IDENTIFIER):
        return (
            say("{column!r} makes or leaves the classes, and cannot show their mean", column=name),
            say("make it a sensitive or common column"),
        )
    if name in job.plan.modelled:
        return (
            say(
                "a model promises several values of {column!r} in a class, and their mean is one", column=name
            ),
            say("take the model or the operation away"),
        )
    if len(job.chains[name]) == 1 and type not in NUMBERS:
        return (
            say("{column!r} holds no numbers, and has no mean", column=name),
            say("choose another operation; celosia operations lists them"),
        )
    return None


def with_class_means(
    jobs: "Sequence[PreparedTable]", plans: Mapping[str, RecodingPlan | None]
) -> dict[str, RecodingPlan | None]:
    """The plans, with means where columns are to show them: the table is then recoded on its way."""
    found = dict(plans)
    for job in jobs:
        plan, columns = plans[job.name], columns_of_means(job)
        if plan is not None and columns:
            found[job.name] = _with_means(job, plan, columns)
    return found


def _with_means(job: "PreparedTable", plan: RecodingPlan, columns: tuple[str, ...]) -> RecodingPlan:
    table = plan.table or job.table
    dropped = tuple(name for name in plan.recoding.dropped if name in table.columns())
    recoded = apply_layer(table, RecodingLayer(table, replace(plan.recoding, dropped=())))
    gone = plan.excluded + plan.suppressed
    return replace(
        plan,
        table=show_class_means(recoded, job.plan.quasi_identifiers, columns),
        recoding=Recoding(dropped=dropped),
        rows=plan.rows - gone,
        excluded=0,
        suppressed=0,
        left_out=plan.left_out + gone,
    )


def verify_class_means(job: "PreparedTable", released: Table) -> Iterator[Finding]:
    """Whether every class of what was written shows one value of each of these columns."""
    quasi = list(job.plan.quasi_identifiers)
    for name in columns_of_means(job):
        if name not in released.columns():
            continue
        several = len(released.count_by([*quasi, name])) - len(released.count_by(quasi))
        text = (
            say("{column!r}: {count} classes show more than one value", column=name, count=several)
            if several
            else say("{column!r}: one value in every class", column=name)
        )
        yield Finding("class means", name, 0, float(several), several, several == 0, text)
