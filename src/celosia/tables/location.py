"""Where a table lies, as the table itself says, without loading what speaks to databases or to a cluster."""

from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeGuard

if TYPE_CHECKING:
    from celosia.tables.spark.spark_table import SparkTable
    from celosia.tables.sql.sql_table import SqlTable

__all__ = ["Located", "Location", "has_order", "is_in_database", "is_on_cluster"]


class Location(StrEnum):
    """Where rows are, and so where they are counted, recoded and verified."""

    FRAME = "frame"
    FILE = "file"
    DATABASE = "database"
    LAYERED = "layered"
    """In a database, but they change here on their way."""
    CLUSTER = "cluster"


class Located(Protocol):
    """A table, or a place for a new one."""

    location: ClassVar[Location]


def is_in_database(table: Located) -> TypeGuard["SqlTable"]:
    """Whether a table lies in a database."""
    return table.location is Location.DATABASE


def is_on_cluster(table: Located) -> TypeGuard["SparkTable"]:
    """Whether a table is one of Spark's."""
    return table.location is Location.CLUSTER


def has_order(table: Located) -> bool:
    """Whether rows come in the same order each time they are read: neither databases nor clusters promise that."""
    return table.location not in (Location.DATABASE, Location.CLUSTER)
