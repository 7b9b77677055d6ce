"""What a table is and what a release keeps."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from celosia.api.arguments import HierarchyLike, all_hierarchy_objects, names_of, with_progress

if TYPE_CHECKING:
    from celosia.privacy import PrivacyModel
    from celosia.profile import Profile
    from celosia.release.verify import Verification
    from celosia.tables.table import Progress


__all__ = ["profile_table", "verify"]


def verify(
    source: Any,
    *,
    quasi_identifiers: Sequence[str],
    k: int | None = None,
    models: Iterable["PrivacyModel"] = (),
    identifiers: Sequence[str] = (),
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    population: Any = None,
    population_fraction: float | None = None,
    **reading: Any,
) -> "Verification":
    """Recompute privacy models on a table, with code that shares nothing with the searches.

    ``population`` is a table of the people of whom the release shows some, or its path, for models that look at it, and
    ``population_fraction`` the share of them. ``reading`` are options of ``celosia.tables.open_table``.

    >>> import polars as pl
    >>> verify(pl.DataFrame({"sex": ["f", "f", "m"]}), quasi_identifiers=["sex"], k=2).passed
    False
    """
    from celosia.project import make_project
    from celosia.release.population_fit import Labels
    from celosia.release.verify import verify as check
    from celosia.tables import close_table, open_table

    asked = [*([{"model": "k-anonymity", "k": k}] if k is not None else []), *models]
    known, columns = all_hierarchy_objects(hierarchies), tuple(names_of(quasi_identifiers))
    table = open_table(source, **reading)
    people = None if population is None else open_table(population)
    try:
        return check(
            table,
            quasi_identifiers=columns,
            models=[model.settled(population_fraction) for model in make_project(models=asked).models],
            hierarchies=known,
            identifiers=names_of(identifiers),
            labels=Labels(columns, known, people),
        )
    finally:
        close_table(table)
        if people is not None:
            close_table(people)


def profile_table(source: Any, *, progress: "Progress | None" = None, **reading: Any) -> "Profile":
    """Types, distinct and missing values of every column, and the role it probably has, with the reason.

    >>> import polars as pl
    >>> [column.name for column in profile_table(pl.DataFrame({"age": [31, 32], "sex": ["f", "m"]})).columns]
    ['age', 'sex']
    """
    from celosia.profile import profile_table as look
    from celosia.tables import close_table, open_table

    table = open_table(source, **reading)
    try:
        return look(table, **with_progress(progress))
    finally:
        close_table(table)
