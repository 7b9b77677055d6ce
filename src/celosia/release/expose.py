"""The exposure of what was written: every column that leaves, with what the project says of it."""

from collections.abc import Iterator
from contextlib import contextmanager

from celosia.measure.exposure import Exposure, measure_exposure
from celosia.recode.techniques import RecodingPlan
from celosia.release.job import PreparedTable
from celosia.release.people import see_with_person, seen_with_person
from celosia.release.undeclared import smallest_group
from celosia.tables.table import Recoding, Table
from celosia.types import Role

__all__ = ["expose"]


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
