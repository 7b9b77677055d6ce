"""The exposure of what was written: every column that leaves, with what the project says of it."""

from collections.abc import Sequence

from celosia.measure.exposure import DEFAULT_K, Exposure, measure_exposure
from celosia.privacy import PrivacyModel
from celosia.recode.techniques import RecodingPlan
from celosia.release.job import PreparedTable
from celosia.release.people import see_with_person
from celosia.tables.table import Recoding, Table
from celosia.types import Role

__all__ = ["expose", "smallest_group"]


def expose(job: PreparedTable, plan: RecodingPlan | None, released: Table) -> Exposure:
    """Whom the columns of a release single out; where nothing is promised, every column is outside the promise."""
    table, person = _with_people(job, plan, released)
    return measure_exposure(
        table,
        quasi_identifiers=() if plan is None else job.plan.quasi_identifiers,
        sensitive=job.plan.with_role(Role.SENSITIVE),
        accepted=tuple(job.plan.accepted),
        k=smallest_group(job.plan.models),
        person=person,
        memory=None if plan is None else plan.memory,
        folder=job.folder,
        progress=job.progress,
    )


def smallest_group(models: Sequence[PrivacyModel]) -> int:
    """The size under which a group is small: the largest that a promise asks for, 5 where none does.

    >>> from celosia.privacy import KAnonymity
    >>> smallest_group([KAnonymity(k=3)]), smallest_group([])
    (3, 5)
    """
    largest = max((model.least_rows for model in models), default=1)
    return largest if largest > 1 else DEFAULT_K


def _with_people(job: PreparedTable, plan: RecodingPlan | None, released: Table) -> tuple[Table, str | None]:
    """What was written, or where people are told apart by a column that does not leave, what it is with that."""
    person = job.plan.person
    if person is None or person in released.columns():
        return released, person
    if plan is None:
        dropped = tuple(name for name in job.dropped if name in job.table.columns())
        return see_with_person(job.table, Recoding(dropped=dropped), person), person
    return see_with_person(plan.table or job.table, plan.recoding, person), person
