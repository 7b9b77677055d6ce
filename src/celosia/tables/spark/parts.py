"""Parts of a table that each fit one executor, recoded there by the same code as anywhere."""

from pyspark.sql import DataFrame

from celosia.tables.spark.spark_table import SparkTable
from celosia.tables.table import Recoding

__all__ = ["recoded_in_parts"]


def recoded_in_parts(table: SparkTable, recoding: Recoding) -> DataFrame:
    """The rows of the release, in no particular order."""
    raise NotImplementedError
