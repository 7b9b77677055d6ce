"""Tables of people who do not exist, to try things on."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from celosia.api.results import Hierarchy
    from celosia.types import Role

__all__ = ["sample_hierarchies", "sample_roles", "sample_table", "write_table"]


def sample_table(rows: int, *, seed: int = 7) -> "pl.DataFrame":
    """Hospital discharges of people who do not exist.

    >>> sample_table(3).height
    3
    """
    from celosia.sample import discharges

    return discharges(rows, seed=seed)


def sample_roles() -> "dict[str, Role]":
    """The roles of the columns of the sample."""
    from celosia.sample import roles

    return dict(roles())


def sample_hierarchies() -> "dict[str, Hierarchy]":
    """The hierarchies of the categories of the sample, by column.

    >>> "sex" in sample_hierarchies() or len(sample_hierarchies()) > 0
    True
    """
    from celosia.hierarchies import Hierarchy
    from celosia.sample import discharge_hierarchies

    return {column: Hierarchy.from_rows(column, rows) for column, rows in discharge_hierarchies().items()}


def write_table(frame: "pl.DataFrame", path: Path) -> None:
    """Write a frame to a file, in the format that its name says."""
    from celosia.tables import write_frame

    write_frame(frame, path)
