"""Frames, hierarchies and progress as callers hand them over, and as the other rooms take them."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from celosia.api.requests import HierarchyLike, ReleaseRequest
from celosia.types import TableLike

if TYPE_CHECKING:
    from celosia.hierarchies import Hierarchy
    from celosia.tables.table import Progress


__all__ = ["all_hierarchies", "handed_over", "handed_over_hierarchies", "with_progress"]


class ProgressOption(TypedDict, total=False):
    """The option for whoever reports progress."""

    progress: "Progress"


class CallerObjects(TypedDict, total=False):
    """What a caller holds in memory, as a run takes it."""

    source: TableLike | None
    hierarchies: "dict[str, Hierarchy]"
    population: TableLike | None


def handed_over(request: ReleaseRequest | None) -> CallerObjects:
    """Frames and hierarchies of a request that no project can name."""
    if request is None:
        return {}
    return {
        "source": request.source.frame,
        "hierarchies": handed_over_hierarchies(request.hierarchies),
        "population": request.population.frame,
    }


def handed_over_hierarchies(hierarchies: Mapping[str, HierarchyLike] | None) -> dict[str, "Hierarchy"]:
    """Hierarchies handed over as such or as rows; those named by their file are in the project."""
    from celosia.hierarchies import Hierarchy

    return {
        name: hierarchy if isinstance(hierarchy, Hierarchy) else Hierarchy.from_rows(name, hierarchy)
        for name, hierarchy in (hierarchies or {}).items()
        if not isinstance(hierarchy, str | Path)
    }


def all_hierarchies(hierarchies: Mapping[str, HierarchyLike] | None) -> dict[str, "Hierarchy"]:
    """All hierarchies, whether handed over or named by their file."""
    from celosia.hierarchies import read_hierarchy

    files = {
        name: read_hierarchy(Path(hierarchy), name)
        for name, hierarchy in (hierarchies or {}).items()
        if isinstance(hierarchy, str | Path)
    }
    return {**handed_over_hierarchies(hierarchies), **files}


def with_progress(progress: "Progress | None") -> ProgressOption:
    """The option for whoever reports progress, if somebody does."""
    return {} if progress is None else {"progress": progress}
