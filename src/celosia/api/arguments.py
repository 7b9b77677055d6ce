"""What callers hand over, as the other rooms take it."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from celosia.hierarchies import Hierarchy
    from celosia.tables.table import Progress


HierarchyLike = Any
"""A Hierarchy, the path of a file, or the rows of a level table (value first, root last)."""

__all__ = ["HierarchyLike", "all_hierarchy_objects", "hierarchy_objects", "names_of", "with_progress"]


def names_of(given: str | Iterable[str]) -> tuple[str, ...]:
    """Names of columns and the like; a text alone is one name.

    >>> names_of("id"), names_of(["id", "name"])
    (('id',), ('id', 'name'))
    """
    return (given,) if isinstance(given, str) else tuple(given)


def hierarchy_objects(hierarchies: Mapping[str, HierarchyLike] | None) -> dict[str, "Hierarchy"]:
    """Hierarchies handed over as such or as rows; those named by their file are in the project."""
    from celosia.hierarchies import Hierarchy

    return {
        name: given if isinstance(given, Hierarchy) else Hierarchy.from_rows(name, given)
        for name, given in (hierarchies or {}).items()
        if not isinstance(given, str | Path)
    }


def all_hierarchy_objects(hierarchies: Mapping[str, HierarchyLike] | None) -> dict[str, "Hierarchy"]:
    """All hierarchies, whether handed over or named by their file."""
    from celosia.hierarchies import read_hierarchy

    files = {
        name: read_hierarchy(Path(given), name)
        for name, given in (hierarchies or {}).items()
        if isinstance(given, str | Path)
    }
    return {**hierarchy_objects(hierarchies), **files}


def with_progress(progress: "Progress | None") -> dict[str, Any]:
    """The option for whoever reports progress, if somebody does."""
    return {} if progress is None else {"progress": progress}
