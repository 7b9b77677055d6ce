"""What a table is and what a release keeps."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from celosia.api.given import HierarchyLike, all_objects, names_of, with_progress

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
    **reading: Any,
) -> "Verification":
    """Recompute privacy models on a table, with code that shares nothing with the searches.

    ``reading`` are options of ``celosia.tables.open_table``.

    >>> import polars as pl
    >>> verify(pl.DataFrame({"sex": ["f", "f", "m"]}), quasi_identifiers=["sex"], k=2).passed
    False
    """
    from celosia.project import make_project
    from celosia.release.verify import verify as check
    from celosia.tables import close_table, open_table

    asked = [*([{"model": "k-anonymity", "k": k}] if k is not None else []), *models]
    table = open_table(source, **reading)
    try:
        return check(
            table,
            quasi_identifiers=names_of(quasi_identifiers),
            models=make_project(models=asked).models,
            hierarchies=all_objects(hierarchies),
            identifiers=names_of(identifiers),
        )
    finally:
        close_table(table)


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
