"""The session of Spark that everything here works in: the one there is, or one that we start and stop."""

import os
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from celosia.errors import ProjectError, TableError
from celosia.say import say
from celosia.tables.spark.errors import (
    jobs_cancelled_on_interrupt,
    reconnect,
    spark_errors_explained,
    spark_logging_off,
)
from celosia.tables.spark.jvm import forget_dead, launch
from celosia.tables.spark.scratch_folder import remove_scratch_folders, use_scratch_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = [
    "check_installed",
    "check_session",
    "find_session",
    "opened_session",
    "run_in_thread",
    "spark_session",
]

Answer = TypeVar("Answer")
MASTER, HIVE = "spark.master", "spark.sql.catalogImplementation"
DEFAULTS = {
    "spark.app.name": "celosia",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    # Values leave and enter as Arrow batches, and an instant is the same on every machine.
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    # Whoever mistypes the host of an HDFS would wait for ten refusals, or for a quarter of an hour of silence.
    "spark.hadoop.ipc.client.connect.max.retries": "2",
    "spark.hadoop.ipc.client.connect.max.retries.on.timeouts": "2",
}
"""What holds unless the configuration says otherwise."""
CONNECT_SECONDS = 5.0
"""How long a master may take to answer; Spark itself would try for a minute, and then fail obscurely."""


def spark_session(
    master: str | None = None, config: Mapping[str, str] | None = None, *, hive: bool = False
) -> "SparkSession":
    """The session of this process, or one that is started and lasts as long as the process.

    A session that is there already must have the ``master`` and the settings that are asked for. A new one
    takes them from the arguments, from spark-submit or spark-defaults, and runs on this machine if nobody
    says where; with ``hive`` it knows the tables of a Hive metastore.
    """
    wanted = _wanted(master, config, hive=hive)
    found = find_session()
    if found is None:
        return _start(wanted)
    _compare(found, wanted)
    return found


@contextmanager
def opened_session(
    master: str | None = None, config: Mapping[str, str] | None = None, *, hive: bool = False
) -> "Iterator[SparkSession]":
    """As `spark_session`, but one that was started here is stopped in the end, whatever happens."""
    is_ours = find_session() is None
    session = spark_session(master, config, hive=hive)
    if not is_ours:
        yield session
        return
    with spark_logging_off():
        try:
            with jobs_cancelled_on_interrupt():
                yield session
        finally:
            _stop(session)


def _stop(session: "SparkSession") -> None:
    reconnect(session.sparkContext)
    # A JVM that died, of want of memory perhaps, cannot be asked, and has nothing left to stop.
    with suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        session.stop()
    remove_scratch_folders()


def check_installed() -> None:
    """Raise if Spark is not installed."""
    if find_spec("pyspark") is None:
        raise TableError(
            say("Spark is not installed"), remedy=say('install it: pip install "celosia[spark]"')
        )


def find_session() -> "SparkSession | None":
    """The session of this process, if there is one."""
    check_installed()
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    forget_dead()
    try:
        session = SparkSession.active()
    except PySparkException:
        return None
    check_session(session)
    # One whose context was stopped behind its back is still remembered.
    return session if session.sparkContext._jsc is not None else None


def check_session(session: object) -> None:
    """Refuse a session that is none of Spark's own: one of Spark Connect cannot reach the files of the cluster."""
    if type(session).__module__.startswith("pyspark.sql.connect"):
        raise _no_connect()


def run_in_thread(call: Callable[[], Answer]) -> Answer:
    """Call something of Spark from a thread of its own, which has a way of its own to the JVM."""
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(call())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return answers[0]


def _wanted(master: str | None, config: Mapping[str, str] | None, *, hive: bool) -> dict[str, str]:
    wanted = dict(config or {})
    if master is not None:
        wanted[MASTER] = master
    if hive:
        wanted[HIVE] = "hive"
    if wanted.get(MASTER, "").startswith("sc://") or "spark.remote" in wanted or "SPARK_REMOTE" in os.environ:
        raise _no_connect()
    return wanted


def _no_connect() -> ProjectError:
    return ProjectError(
        say("sessions of Spark Connect cannot be used"),
        remedy=say("name a master such as local[*], yarn or spark://host:7077, or start with spark-submit"),
    )


def _compare(session: "SparkSession", wanted: Mapping[str, str]) -> None:
    """Refuse to go on in a session that is not what was asked for: settings would be ignored in silence."""
    started = session.sparkContext.getConf()
    for name, value in wanted.items():
        # Settings of SQL belong to the session, and may have changed since it was started.
        has = session.conf.get(name, None) if name.startswith("spark.sql.") else started.get(name)
        # Spark puts options of its own before those that a JVM is given.
        is_kept = name.endswith("JavaOptions") and str(has).endswith(value)
        if has != value and not is_kept:
            raise ProjectError(
                say(
                    "the session of Spark that is there has {setting} {value}, and {asked} is asked for",
                    setting=name,
                    value=has or say("not set"),
                    asked=value,
                ),
                remedy=say("leave that out, or stop the session first"),
            )


def _start(wanted: Mapping[str, str]) -> "SparkSession":
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    # Its Arrow functions ask for pandas, and complain of a new one; they do not use it, nor do we.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    _reach(wanted.get(MASTER, ""))  # before the JVM is started, which takes seconds
    launch(wanted)
    conf = SparkConf()  # with the JVM there, it holds what spark-submit and spark-defaults say
    conf.setAll(list(wanted.items()))
    for name, value in DEFAULTS.items():
        conf.setIfMissing(name, value)
    conf.setIfMissing(MASTER, "local[*]")
    master = str(conf.get(MASTER))
    is_local = master.startswith("local")
    if is_local and "SPARK_LOCAL_IP" not in os.environ:
        # Nobody else need reach it, and the name of this machine may lead anywhere.
        conf.setIfMissing("spark.driver.host", "127.0.0.1")
        conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1")
    if is_local:
        use_scratch_folder(conf)
    _reach(master)
    with (
        spark_errors_explained(say("Spark on {master}", master=master)),
        _same_python(if_unset=is_local),
        _signals_kept(),
    ):
        SparkContext(conf=conf)
        return SparkSession.builder.getOrCreate()


def _reach(master: str) -> None:
    """Refuse a standalone master that does not answer."""
    if not master.startswith("spark://"):
        return
    for place in master.removeprefix("spark://").split(","):
        host, _, port = place.rpartition(":")
        with suppress(OSError, ValueError):
            socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
            return
    raise TableError(
        say("the master of the cluster does not answer"),
        where=master,
        remedy=say("check host and port, and that it is running; local[*] needs no cluster"),
    )


@contextmanager
def _same_python(*, if_unset: bool) -> Iterator[None]:
    """Have workers on this machine run this interpreter, not the python3 that is first in the path."""
    name = "PYSPARK_PYTHON"
    if not if_unset or name in os.environ:
        yield
        return
    os.environ[name] = sys.executable
    try:
        yield
    finally:
        del os.environ[name]


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Keep what Ctrl-C does here: Spark would put a handler of its own in its place, for good."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread() and before is not None:
            signal.signal(signal.SIGINT, before)
