"""Does a table keep the promises of a release? Recomputed by code that shares nothing with the searches."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from celosia.api.arguments import all_hierarchies, with_progress
from celosia.api.measuring import part
from celosia.api.opening import opened_table
from celosia.api.requests import ColumnRoles, HierarchyLike, PopulationSource, TableSource, names_of
from celosia.types import TableLike

if TYPE_CHECKING:
    from celosia.api.results import Ask, Progress, TableVerification
    from celosia.privacy import PrivacyModel

__all__ = ["VerificationRequest", "verify", "verify_table"]


@dataclass(frozen=True)
class VerificationRequest:
    """A table, and what is promised of it."""

    source: TableSource
    roles: ColumnRoles
    models: Sequence["PrivacyModel | Mapping[str, object]"]
    hierarchies: Mapping[str, HierarchyLike] = field(default_factory=dict)
    population: PopulationSource = field(default_factory=PopulationSource)


def verify_table(
    request: VerificationRequest, *, progress: "Progress | None" = None, ask: "Ask | None" = None
) -> "TableVerification":
    """Recompute the privacy models on a table, and look at every other column for whom it singles out.

    >>> import polars as pl
    >>> people = TableSource(pl.DataFrame({"sex": ["f", "f", "m"]}))
    >>> models = [{"model": "k-anonymity", "k": 2}]
    >>> verify_table(VerificationRequest(people, ColumnRoles(quasi_identifiers=("sex",)), models)).passed
    False
    """
    from contextlib import ExitStack

    from celosia.project import Acceptance, make_project
    from celosia.release.population_fit import Labels
    from celosia.release.table_verification import verify_whole

    known, columns = all_hierarchies(request.hierarchies), request.roles.quasi_identifiers
    fraction = request.population.fraction
    with ExitStack() as stack:
        table = stack.enter_context(opened_table(request.source, ask=ask))
        population = request.population.source
        people = None if population is None else stack.enter_context(opened_table(TableSource(population)))
        return verify_whole(
            table,
            sensitive=request.roles.sensitive,
            accepted={
                name: part(Acceptance, f"accept.{name}", told)
                for name, told in request.roles.accepted.items()
            },
            **with_progress(progress),
            quasi_identifiers=columns,
            models=[model.settled(fraction) for model in make_project(models=list(request.models)).models],
            hierarchies=known,
            identifiers=request.roles.identifiers,
            labels=Labels(columns, known, people),
            person=request.roles.person,
        )


def verify(
    source: TableLike,
    *,
    quasi_identifiers: Sequence[str],
    k: int | None = None,
    models: Iterable["PrivacyModel"] = (),
    sensitive: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    accept: Mapping[str, str | Mapping[str, object]] | None = None,
    person: str | None = None,
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    population: TableLike | None = None,
    population_fraction: float | None = None,
    ask: "Ask | None" = None,
    **reading: Any,
) -> "TableVerification":
    """Recompute privacy models on a table, with code that shares nothing with the searches.

    Where ``person`` names a column, the sizes of classes are those of different people.
    The ``verdict`` says what it is worth: every other column is looked at for whom it singles out, a ``sensitive`` one
    by itself alone. ``accept`` gives the reason by column why one that tells people apart leaves all the same.

    ``population`` is a table of the people of whom the release shows some, or its path, for models that look at it, and
    ``population_fraction`` the share of them. ``reading`` are the fields of
    :class:`celosia.api.requests.TableSource`.

    >>> import polars as pl
    >>> verify(pl.DataFrame({"sex": ["f", "f", "m"]}), quasi_identifiers=["sex"], k=2).passed
    False
    """
    request = VerificationRequest(
        TableSource.of(source, **reading),
        ColumnRoles(
            names_of(quasi_identifiers),
            names_of(sensitive),
            names_of(identifiers),
            accepted=accept or {},
            person=person,
        ),
        [*([{"model": "k-anonymity", "k": k}] if k is not None else []), *models],
        hierarchies or {},
        PopulationSource(population, population_fraction),
    )
    return verify_table(request, ask=ask)
