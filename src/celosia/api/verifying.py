"""Does a table keep the promises of a release? Recomputed by code that shares nothing with the searches."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from celosia.api.arguments import all_hierarchies
from celosia.api.opening import opened_table
from celosia.api.requests import ColumnRoles, HierarchyLike, PopulationSource, TableSource, names_of

if TYPE_CHECKING:
    from celosia.api.results import Ask, Verification
    from celosia.privacy import PrivacyModel

__all__ = ["VerificationRequest", "verify", "verify_table"]


@dataclass(frozen=True)
class VerificationRequest:
    """A table, and what is promised of it."""

    source: TableSource
    roles: ColumnRoles
    models: Sequence["PrivacyModel | Mapping[str, Any]"]
    hierarchies: Mapping[str, HierarchyLike] = field(default_factory=dict)
    population: PopulationSource = field(default_factory=PopulationSource)


def verify_table(request: VerificationRequest, *, ask: "Ask | None" = None) -> "Verification":
    """Recompute the privacy models on a table.

    >>> import polars as pl
    >>> people = TableSource(pl.DataFrame({"sex": ["f", "f", "m"]}))
    >>> models = [{"model": "k-anonymity", "k": 2}]
    >>> verify_table(VerificationRequest(people, ColumnRoles(quasi_identifiers=("sex",)), models)).passed
    False
    """
    from contextlib import ExitStack

    from celosia.project import make_project
    from celosia.release import verify as verification
    from celosia.release.population_fit import Labels

    known, columns = all_hierarchies(request.hierarchies), request.roles.quasi_identifiers
    fraction = request.population.fraction
    with ExitStack() as stack:
        table = stack.enter_context(opened_table(request.source, ask=ask))
        given = request.population.source
        people = None if given is None else stack.enter_context(opened_table(TableSource(given)))
        return verification.verify(
            table,
            quasi_identifiers=columns,
            models=[model.settled(fraction) for model in make_project(models=list(request.models)).models],
            hierarchies=known,
            identifiers=request.roles.identifiers,
            labels=Labels(columns, known, people),
            person=request.roles.person,
        )


def verify(
    source: Any,
    *,
    quasi_identifiers: Sequence[str],
    k: int | None = None,
    models: Iterable["PrivacyModel"] = (),
    identifiers: Sequence[str] = (),
    person: str | None = None,
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    population: Any = None,
    population_fraction: float | None = None,
    ask: "Ask | None" = None,
    **reading: Any,
) -> "Verification":
    """Recompute privacy models on a table, with code that shares nothing with the searches.

    Where ``person`` names a column, the sizes of classes are those of different people.
    ``population`` is a table of the people of whom the release shows some, or its path, for models that look at it, and
    ``population_fraction`` the share of them. ``reading`` are the fields of
    :class:`celosia.api.requests.TableSource`.

    >>> import polars as pl
    >>> verify(pl.DataFrame({"sex": ["f", "f", "m"]}), quasi_identifiers=["sex"], k=2).passed
    False
    """
    request = VerificationRequest(
        TableSource.of(source, **reading),
        ColumnRoles(names_of(quasi_identifiers), identifiers=names_of(identifiers), person=person),
        [*([{"model": "k-anonymity", "k": k}] if k is not None else []), *models],
        hierarchies or {},
        PopulationSource(population, population_fraction),
    )
    return verify_table(request, ask=ask)
