"""The exposure of what was written: every column that leaves, with what the project says of it."""

from collections.abc import Iterator
from contextlib import contextmanager

from celosia.measure.exposure import Exposure, measure_exposure
from celosia.profile.treatments import DROP, MEASURED, Treatment, count_values, find_treatment
from celosia.recode.techniques import RecodingPlan
from celosia.release.people import see_with_person, seen_with_person
from celosia.release.prepared_table import PreparedTable
from celosia.release.undeclared import smallest_group
from celosia.tables.location import is_in_database
from celosia.tables.table import Recoding, Table
from celosia.types import Role

__all__ = ["expose", "treat_exposed"]

MOST_TREATED = 10
"""Columns for which a treatment is worked out, those that single out most."""
MOST_PEOPLE = 1_000_000
"""In larger tables treatments are not tried: what was written would be read again for every column."""


def expose(job: PreparedTable, plan: RecodingPlan | None, released: Table) -> Exposure:
    """Whom the columns of a release single out; where nothing is promised, every column is outside the promise."""
    with _with_people(job, plan, released) as table:
        return measure_exposure(
            table,
            quasi_identifiers=() if plan is None else job.plan.quasi_identifiers,
            sensitive=job.plan.with_role(Role.SENSITIVE),
            accepted=tuple(job.plan.accepted),
            k=smallest_group(job.plan.models),
            person=job.plan.person,
            memory=None if plan is None else plan.memory,
            folder=job.folder,
            progress=job.progress,
        )


@contextmanager
def _with_people(job: PreparedTable, plan: RecodingPlan | None, released: Table) -> Iterator[Table]:
    """What was written, or where people are told apart by a column that does not leave, what it is with that."""
    person = job.plan.person
    if person is None or person in released.columns():
        yield released
    elif plan is None:
        dropped = tuple(name for name in job.dropped if name in job.table.columns())
        yield see_with_person(job.table, Recoding(dropped=dropped), person)
    else:
        with seen_with_person(job, plan, released, person) as seen:
            yield seen


def treat_exposed(table: Table, exposure: Exposure) -> dict[str, Treatment]:
    """What would treat numbers and dates whose values alone single people out, tried on these values.

    The values of a database stay there, and large tables are not read again.

    >>> import polars as pl
    >>> from celosia.tables import open_table
    >>> costs = open_table(pl.DataFrame({"cost": [100 + number % 90 for number in range(200)]}))
    >>> treat_exposed(costs, measure_exposure(costs, quasi_identifiers=[], k=5))["cost"].operation
    'round:to=5+code:top=185'
    """
    if is_in_database(table) or exposure.people > MOST_PEOPLE:
        return {}
    measured = {column.name for column in table.schema() if column.type in MEASURED}
    exposed = [column for column in exposure.columns if column.small and column.column in measured]
    treatments = {}
    for worst in sorted(exposed, key=lambda exposed_column: -exposed_column.small)[:MOST_TREATED]:
        counts = count_values(table, worst.column)
        if counts is not None:
            treatments[worst.column] = find_treatment(counts, k=exposure.k)
    return {name: treatment for name, treatment in treatments.items() if treatment.operation != DROP}
