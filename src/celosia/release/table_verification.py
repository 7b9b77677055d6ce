"""A table that somebody calls a release: its promises recomputed, and every other column looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from celosia.measure.exposure import Exposure, measure_exposure
from celosia.privacy import PrivacyModel, guarded_columns
from celosia.project import Acceptance
from celosia.release.assumed_knowledge import AssumedKnowledge
from celosia.release.expose import treat_exposed
from celosia.release.free_texts import TextSample, find_free_texts
from celosia.release.undeclared import smallest_group
from celosia.release.verdict import Verdict, judge
from celosia.release.verify import Verification, verify
from celosia.tables.table import Progress, Table, no_progress

__all__ = ["TableVerification", "verify_whole"]


@dataclass(frozen=True)
class TableVerification(Verification):
    """What was found in a table, whom its other columns single out, and what it is worth."""

    exposure: Exposure
    verdict: Verdict


def verify_whole(
    table: Table,
    *,
    quasi_identifiers: Sequence[str],
    models: Sequence[PrivacyModel],
    sensitive: Sequence[str] = (),
    accepted: Mapping[str, Acceptance] | None = None,
    person: str | None = None,
    progress: Progress = no_progress,
    **options: Any,
) -> TableVerification:
    """Check the promises of a table, and look at every column outside them; ``options`` are options of :func:`verify`.

    >>> import polars as pl
    >>> from celosia.privacy import KAnonymity
    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"age": ["30-39"] * 5, "cost": [1, 2, 3, 4, 5]}))
    >>> found = verify_whole(people, quasi_identifiers=["age"], models=[KAnonymity(k=5)])
    >>> found.passed, found.verdict.kind.value
    (True, 'protected-as-declared')
    """
    verification = verify(table, quasi_identifiers=quasi_identifiers, models=models, person=person, **options)
    hidden = dict.fromkeys([*sensitive, *(model.column for model in models if model.column is not None)])
    texts = TextSample()
    known = AssumedKnowledge.of(models, tuple(quasi_identifiers))
    exposure = measure_exposure(
        table,
        quasi_identifiers=known.columns,
        known=known.sets if known.assumed else None,
        guarded=guarded_columns(models),
        accepted=tuple(accepted or ()),
        k=smallest_group(models),
        classes_are_promised=any(model.hides_everybody for model in models),
        person=person,
        look=texts.add,
        progress=progress,
    )
    verdict = judge(
        passed=verification.passed,
        exposure=exposure,
        sensitive=tuple(hidden),
        accepted=accepted or {},
        assumed=known.assumed,
        free_texts=find_free_texts(table, [column.column for column in exposure.columns], seen=texts),
        treatments=treat_exposed(table, exposure),
    )
    told = {field.name: getattr(verification, field.name) for field in fields(verification)}
    return TableVerification(**told, exposure=exposure, verdict=verdict)
