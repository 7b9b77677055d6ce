"""Tables that whoever has both releases can join person by person: then no promise about one of them alone holds."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from celosia.errors import ProjectError
from celosia.release.prepared_table import PreparedTable
from celosia.say import say
from celosia.types import Role

__all__ = ["GOALS", "check_ignored", "check_linked"]

Place = tuple[str, str]

GOALS = ("models", "technique", "suppression", "measure", "missing", "unknown")
"""What only a complete release looks at."""


def check_linked(
    jobs: Sequence[PreparedTable], groups: Sequence[Sequence[Place]], stars: Sequence[Sequence[PreparedTable]]
) -> None:
    """Raise if tables release the same pseudonyms, something is promised of one of them, and they are no star."""
    together = [{job.name for job in star} for star in stars]
    for first, other in combinations(jobs, 2):
        if (first.is_light and other.is_light) or any({first.name, other.name} <= star for star in together):
            continue
        for mine, theirs in _same_people(first, other, groups):
            raise ProjectError(
                say(
                    "{one}.{column} and {other}.{other_column} are released as the same pseudonyms: joined, "
                    "the tables tell more of a person than is promised of each",
                    one=first.name,
                    column=mine,
                    other=other.name,
                    other_column=theirs,
                ),
                where="tables",
                remedy=say(
                    "name both as person, under repeated_attributes and in complete tables, so that "
                    "people are counted on the join; or leave one out; or give each another domain, so "
                    "that they cannot be joined"
                ),
            )


def _same_people(
    first: PreparedTable, other: PreparedTable, groups: Sequence[Sequence[Place]]
) -> Iterator[tuple[str, str]]:
    """Identifiers of two tables that leave them as the same values."""
    for mine in _identifiers(first):
        for theirs in _identifiers(other):
            is_one = any({(first.name, mine), (other.name, theirs)} <= set(group) for group in groups)
            chains = first.plan.columns[mine].operation, other.plan.columns[theirs].operation
            is_alike = is_one or chains[0] == chains[1]
            if is_alike and all(operation.goes_by_value for operation in chains[0]):
                yield mine, theirs


def _identifiers(job: PreparedTable) -> list[str]:
    columns = job.plan.columns.items()
    return [name for name, column in columns if column.role is Role.IDENTIFIER and not column.is_dropped]


def check_ignored(jobs: Sequence[PreparedTable]) -> None:
    """Raise if something is asked of a light release that it would ignore."""
    if not jobs:
        return
    project = jobs[0].project
    if all(job.is_light for job in jobs):
        for goal in GOALS:
            if goal in project.model_fields_set and getattr(project, goal) not in ((), None):
                raise _ignored(goal, goal)
    for job in jobs:
        table = project.tables[job.name]
        for goal in GOALS if job.is_light else ():
            if goal in table.model_fields_set and getattr(table, goal) not in ((), None):
                raise _ignored(goal, f"tables.{job.name}.{goal}")
        for name, column in table.columns.items() if job.is_light else ():
            for field in {"weight", "keep_type"} & column.model_fields_set:
                raise _ignored(field, f"tables.{job.name}.columns.{name}.{field}")


def _ignored(field: str, location: str) -> ProjectError:
    return ProjectError(
        say("a light release does not look at {field}: it promises nothing about people", field=field),
        where=location,
        remedy=say("leave it out, or say kind: complete"),
    )
