"""The JVM of this process: started, and forgotten once it is dead."""

import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from celosia.tables.spark.java import diagnose

if TYPE_CHECKING:
    from pyspark import SparkConf

__all__ = ["forget_dead", "launch"]


def launch(wanted: Mapping[str, str]) -> None:
    """Start the JVM of this process if it has none; spark-submit has started one, and says where.

    It ends with this process, however that ends: it reads a pipe that only this process holds.
    """
    from pyspark import SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway

    if SparkContext._gateway is not None:
        return
    conf = _plain_conf(wanted)
    # What the JVM prints may quote values. It goes to a file without a name, unless somebody wants to see it.
    with tempfile.TemporaryFile() as printed:
        quiet: dict[str, Any] = {"stdout": printed, "stderr": printed}
        try:
            gateway = launch_gateway(conf, {} if "spark.log.level" in wanted else quiet)
        except (PySparkException, OSError) as error:
            raise diagnose(_read(printed)) from error
    SparkContext._ensure_initialized(gateway=gateway)


def forget_dead() -> None:
    """Let go of a JVM that died: PySpark would go on asking it, and never start another."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    process = getattr(SparkContext._gateway, "proc", None)
    if process is None or process.poll() is None:
        return
    with suppress(Exception):
        SparkContext._gateway.shutdown()
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = None


def _plain_conf(wanted: Mapping[str, str]) -> "SparkConf":
    """What the program that starts the JVM is told."""
    from pyspark import SparkConf

    conf = SparkConf(loadDefaults=False)
    return conf.setAll(list(wanted.items()))


def _read(printed: IO[bytes]) -> str:
    printed.seek(0)
    return printed.read().decode(errors="replace")
