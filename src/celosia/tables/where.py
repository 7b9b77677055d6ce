"""Where a table lies, asked without loading what speaks to databases or to a cluster."""

from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:
    from celosia.tables.spark.spark_table import SparkTable
    from celosia.tables.sql.sql_table import SqlTable

__all__ = ["has_order", "is_in_database", "is_on_cluster"]


def is_in_database(table: object) -> TypeGuard["SqlTable"]:
    """Whether a table lies in a database."""
    return hasattr(table, "database")


def is_on_cluster(table: object) -> TypeGuard["SparkTable"]:
    """Whether a table is one of Spark's."""
    return hasattr(table, "spark")


def has_order(table: object) -> bool:
    """Whether rows come in the same order each time they are read: neither databases nor clusters promise that."""
    return not is_in_database(table) and not is_on_cluster(table)
