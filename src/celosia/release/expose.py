"""The exposure of what was written: every column that leaves, with what the project says of it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import polars as pl

from celosia.measure.exposure import Exposure, measure_exposure
from celosia.privacy import guarded_columns
from celosia.profile.large_treatments import find_treatment_in_database, find_treatments_by_grid
from celosia.profile.treatments import DROP, Treatment, count_values, find_treatment
from celosia.recode.techniques import RecodingPlan
from celosia.release.assumed_knowledge import AssumedKnowledge
from celosia.release.linked_classes import LinkedTable, see_linked
from celosia.release.people import see_with_person, seen_with_person
from celosia.release.prepared_table import PreparedTable
from celosia.release.undeclared import smallest_group
from celosia.tables.location import is_in_database
from celosia.tables.table import Recoding, Table
from celosia.types import DATES, ColumnType

__all__ = ["expose", "treat_exposed"]

MOST_TREATED = 10
"""Columns for which a treatment is worked out, those that single out most."""
MOST_PEOPLE = 1_000_000
"""In larger tables numbers are counted on a grid, and nothing else is tried."""
NUMBERS = (ColumnType.INTEGER, ColumnType.REAL, ColumnType.DECIMAL)
TREATED = (*NUMBERS, *DATES, ColumnType.TEXT)


def expose(
    job: PreparedTable,
    plan: RecodingPlan | None,
    released: Table,
    *,
    linked: Sequence[LinkedTable] = (),
    look: Callable[[pl.DataFrame], None] | None = None,
) -> Exposure:
    """Whom the columns of a release single out; where nothing is promised, every column is outside the promise.

    ``linked`` are released tables of the same people: whoever joins them knows their quasi-identifiers, too. ``look``
    is shown the rows on the way, where they come here.
    """
    known = AssumedKnowledge.of(job.plan.models, job.plan.quasi_identifiers)
    quasi = () if plan is None else known.columns
    with _with_people(job, plan, released) as own:
        seen = own
        if linked and job.plan.person is not None:
            seen, name = see_linked(LinkedTable(own, job.plan.person, quasi), linked)
            quasi = (*quasi, name)
        return measure_exposure(
            seen,
            quasi_identifiers=quasi,
            known=known.sets if known.assumed else None,
            guarded=guarded_columns(job.plan.models),
            accepted=tuple(job.plan.accepted),
            k=smallest_group(job.plan.models),
            classes_are_promised=any(model.hides_everybody for model in job.plan.models),
            person=job.plan.person,
            memory=None if plan is None else plan.memory,
            folder=job.folder,
            look=look,
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
    """What would treat columns whose values alone single people out, tried on these values.

    The values of a database stay there, where numbers are rounded; those of large tables are read once, all together.

    >>> from celosia.tables import open_table
    >>> costs = open_table(pl.DataFrame({"cost": [100 + number % 90 for number in range(200)]}))
    >>> treat_exposed(costs, measure_exposure(costs, quasi_identifiers=[], k=5))["cost"].operation
    'round:to=5+code:top=185'
    """
    types = {column.name: column.type for column in table.schema()}
    exposed = sorted(
        (column for column in exposure.columns if column.small), key=lambda column: -column.small
    )
    # Texts of which nearly everybody has one of their own are left out: the rare ones are all of them.
    treated = [
        column.column
        for column in exposed
        if types[column.column] in TREATED
        and not (types[column.column] is ColumnType.TEXT and column.distinct > exposure.people / 2)
    ]
    names = treated[:MOST_TREATED]
    numbers = [name for name in names if types[name] in NUMBERS]
    treatments: dict[str, Treatment | None] = {}
    if is_in_database(table):
        treatments |= {name: find_treatment_in_database(table, name, k=exposure.k) for name in numbers}
    elif exposure.people > MOST_PEOPLE:
        treatments |= find_treatments_by_grid(table, numbers, k=exposure.k)
    else:
        for name in names:
            counts = count_values(table, name)
            treatments[name] = None if counts is None else find_treatment(counts, k=exposure.k)
    return {
        name: treatment
        for name, treatment in treatments.items()
        if treatment is not None and treatment.operation != DROP
    }
