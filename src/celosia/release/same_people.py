"""What tables must have in common that tell of the same people: who they are, and what shared values become."""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from celosia.errors import ProjectError
from celosia.hierarchies import Hierarchy, propose
from celosia.recode.task import RecodingTask
from celosia.release.prepared_table import PreparedTable, is_about_rows
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["check_person", "shared_tasks"]

Place = tuple[str, str]


def check_person(job: PreparedTable) -> None:
    """Raise unless people can be told apart in a table, and their classes be searched for."""
    person, location = str(job.plan.person), f"tables.{job.name}"
    if job.counted_person is None:
        job.task.refuse_keep_type(job.plan.technique.name)
        job.task.refuse_levels(say("comparing people by all their rows"))
    else:
        _check_counted(job)
    if person not in job.table.columns():
        raise ProjectError(
            say("an operation removes {column!r}, by which people are told apart", column=person),
            where=f"{location}.person",
            remedy=say("give it the role identifier: it is left out of the release all the same"),
        )
    if person in (*job.plan.quasi_identifiers, *job.plan.modelled):
        raise ProjectError(
            say("{column!r} tells people apart and has a role of its own in the promises", column=person),
            where=f"{location}.person",
            remedy=say("make it an identifier, and pseudonymize it if it is to be released"),
        )
    for operation in job.plan.columns[person].operation if person in job.plan.columns else ():
        if not operation.goes_by_value:
            raise ProjectError(
                say(
                    "after {operation} the rows of a person have different values of {column!r}: nobody could "
                    "be counted",
                    operation=operation.name,
                    column=person,
                ),
                where=f"{location}.columns.{person}.operation",
                remedy=say("pseudonymize it, or leave it out with the role identifier"),
            )


def _check_counted(job: PreparedTable) -> None:
    """Raise if something is asked for that needs people to be compared by all their rows."""
    location = f"tables.{job.name}"
    if job.plan.person_rows == "counted":
        raise ProjectError(
            say(
                "{technique} counts people in every class and does not compare how many rows they have",
                technique=job.plan.technique.name,
            ),
            where=f"{location}.person_rows",
            remedy=say("use full-domain, or leave it out"),
        )
    for model in job.plan.models:
        if is_about_rows(model):
            raise ProjectError(
                say("{model} is about rows, and people are counted here", model=model.name),
                where="models",
                remedy=say("use another model, or release one row per person"),
            )


def shared_tasks(groups: Sequence[Sequence[Place]], jobs: Sequence[PreparedTable]) -> list[RecodingTask]:
    """What a technique is given for each table; a quasi-identifier that several hold has one hierarchy in all."""
    tasks = {job.name: job.task for job in jobs}
    shared: dict[str, dict[str, Hierarchy]] = {name: {} for name in tasks}
    for group in groups:
        places = [
            (name, column)
            for name, column in group
            if name in tasks and column in tasks[name].quasi_identifiers
        ]
        if len(places) > 1:
            hierarchy = _one_hierarchy(places, tasks)
            for name, column in places:
                shared[name][column] = replace(hierarchy, column=column)
    return [
        replace(task, given={**task.given, **shared[name]}) if shared[name] else task
        for name, task in tasks.items()
    ]


def _one_hierarchy(places: Sequence[Place], tasks: dict[str, RecodingTask]) -> Hierarchy:
    """The hierarchy that was given in any of the places, or one proposed for the values of all of them."""
    hierarchies = [
        ((name, column), tasks[name].named_hierarchies[column][0])
        for name, column in places
        if column in tasks[name].named_hierarchies
    ]
    for place, hierarchy in hierarchies[1:]:
        if list(hierarchy.rows()) != list(hierarchies[0][1].rows()):
            raise ProjectError(
                say(
                    "{one} and {other} hold the same attribute and have different hierarchies",
                    one=".".join(hierarchies[0][0]),
                    other=".".join(place),
                ),
                where="repeated_attributes",
                remedy=say("give one of them: it holds in all"),
            )
    if hierarchies:
        return hierarchies[0][1]
    counted = [_rows_by_text(tasks[name], column) for name, column in places]
    values = pl.concat(counted).drop_nulls("text").group_by("text").agg(pl.col("rows").sum()).sort("text")
    name, column = places[0]
    return propose(
        column,
        values.get_column("text"),
        type=tasks[name].declared.get(column, ColumnType.TEXT),
        counts=values.get_column("rows").to_numpy(),
        language=tasks[name].language,
    ).hierarchy


def _rows_by_text(task: RecodingTask, column: str) -> pl.DataFrame:
    place = task.counts.columns.index(column)
    return pl.DataFrame({"text": task.counts.texts[place].alias("text"), "rows": task.counts.rows_of(place)})
