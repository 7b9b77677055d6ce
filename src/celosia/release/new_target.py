"""The place where a release is made: a table of a database, or a folder, a table of Hive or a frame of a cluster."""

from typing import TYPE_CHECKING

from celosia.tables.location import Location

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from celosia.tables.spark.new_table import NewFolder, NewFrame, NewHiveTable
    from celosia.tables.sql.new_table import NewTable

    ClusterTarget = NewFolder | NewHiveTable | NewFrame
    NamedTarget = NewTable | NewHiveTable
    NewTarget = NewTable | ClusterTarget

__all__ = ["is_cluster_target", "is_named_target"]


def is_cluster_target(target: "NewTarget") -> "TypeIs[ClusterTarget]":
    """Whether a release is made on a cluster."""
    return target.location is Location.CLUSTER


def is_named_target(target: "NewTarget") -> "TypeIs[NamedTarget]":
    """Whether a release becomes a table with a name, in a database or in Hive; its record lies elsewhere."""
    if not is_cluster_target(target):
        return True
    from celosia.tables.spark.new_table import NewHiveTable

    return isinstance(target, NewHiveTable)
