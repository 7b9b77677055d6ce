"""Real parts of Spark for tests: a session with Hive, and a cluster of a master and two workers."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from programs import HOST, ProgramsMissingError, find_program, free_port

HERE = Path(__file__).resolve().parent
START_SECONDS = 120  # ten are enough, on a machine that does nothing else
QUICK_JAVA = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
"""For JVMs that live for a minute: neither the best code, nor more than one core for its garbage, nor a proof that
the classes of Spark are sound, which takes a fifth of the time in which it starts."""

TOGETHER = {
    "spark.cores.max": "2",
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",  # of these cores
    "spark.scheduler.maxRegisteredResourcesWaitingTime": "90s",
    "spark.sql.files.openCostInBytes": "1g",
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
}
"""Settings for work of both workers: the first executor would have done everything before the second is there, and
small files would be read by one task."""

# Each worker begins anew when it has ended, unless it is told to stay dead. Whatever it starts is in one group of
# processes with it, and ends with that.
CLUSTER = """
trap 'exit 0' QUIT
"$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.master.Master \
    --host "$HOST" --port "$PORT" --webui-port "$LOOK" &
for worker in 1 2; do
    while true; do
        "$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.worker.Worker "spark://$HOST:$PORT" \
            --host "$HOST" --webui-port 0 --cores 1 --memory 1g --work-dir "$PWD/work-$worker" &
        echo $! >"worker-$worker.pid"
        wait $!
        while test -e "dead-$worker"; do sleep 0.1; done
    done &
done
wait
"""


@contextmanager
def session_running(folder: Path) -> Iterator[Any]:
    """A session on this machine that knows Hive tables; its metastore is an embedded one."""
    need_java()
    from celosia.tables.spark.session import opened_session

    config = {
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": f"{QUICK_JAVA} -Dderby.system.home={folder}",
        "spark.sql.shuffle.partitions": "2",
        # Over a hundred rows nothing is learned from one stage for the next; the cluster of the tests adapts.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.hadoop.javax.jdo.option.ConnectionURL": "jdbc:derby:memory:metastore;create=true",
        "spark.local.dir": str(folder / "local"),
    }
    with opened_session("local[2]", config, hive=True) as session:
        yield session


@dataclass(frozen=True)
class Cluster:
    """A master and two workers with a core each, all of them processes of their own."""

    port: int
    look: int
    folder: Path

    @property
    def master(self) -> str:
        """Its address."""
        return f"spark://{HOST}:{self.port}"

    def state(self) -> dict[str, Any]:
        """What the master says of workers and applications."""
        with urllib.request.urlopen(f"http://{HOST}:{self.look}/json/", timeout=10) as answer:
            return dict(json.load(answer))

    def log(self) -> str:
        """What master and workers print."""
        return (self.folder / "log").read_text(errors="replace")

    def kill_worker(self, number: int = 1) -> None:
        """End one worker and its executors at once; it stays dead until both are asked for."""
        (self.folder / f"dead-{number}").touch()
        worker = int((self.folder / f"worker-{number}.pid").read_text())
        for process in (worker, *descendants(worker)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def have_both_workers(self, keeper: "subprocess.Popen[bytes] | None" = None) -> None:
        """Wait until the master knows two workers."""
        for mark in self.folder.glob("dead-*"):
            mark.unlink()
        deadline = time.monotonic() + START_SECONDS
        while True:
            with suppress(OSError, ValueError):  # a master that is starting may answer with nothing
                if self.state()["aliveworkers"] == 2:
                    return
            if time.monotonic() > deadline or (keeper is not None and keeper.poll() is not None):
                raise RuntimeError(f"the cluster does not start:\n{self.log()[-3000:]}")
            time.sleep(0.1)


@contextmanager
def cluster_running() -> Iterator[Cluster]:
    """Starts a cluster and ends it with the block, or when this process dies."""
    need_java()
    folder = Path(tempfile.mkdtemp(prefix="celosia-spark-"))
    cluster = Cluster(free_port(), free_port(), folder)
    settings = {
        "SPARK_HOME": spark_home(),
        "HOST": HOST,
        "PORT": cluster.port,
        "LOOK": cluster.look,
        "SPARK_LOCAL_IP": HOST,
        # An executor that is killed leaves there what it had.
        "SPARK_LOCAL_DIRS": folder / "local",
        "SPARK_DAEMON_MEMORY": "512m",
        "SPARK_DAEMON_JAVA_OPTS": QUICK_JAVA,
        "SPARK_LAUNCHER_OPTS": QUICK_JAVA,
    }
    if "JAVA_HOME" in os.environ:
        settings["JAVA_HOME"] = os.environ["JAVA_HOME"]
    command = ["env", *(f"{name}={value}" for name, value in settings.items()), "bash", "-c", CLUSTER]
    keeper = [sys.executable, "-I", "-S", str(HERE / "keeper.py"), str(folder), json.dumps([command])]
    try:
        with subprocess.Popen(keeper, stdin=subprocess.PIPE, start_new_session=True) as process:
            cluster.have_both_workers(process)
            yield cluster
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def settings_of_a_driver(cluster: Cluster) -> dict[str, str]:
    """What a session on the cluster is told: small, quick, and reachable."""
    return {
        "spark.driver.host": HOST,
        "spark.driver.bindAddress": HOST,
        "spark.driver.memory": "512m",
        "spark.driver.extraJavaOptions": QUICK_JAVA,
        "spark.executor.memory": "1g",
        "spark.executor.extraJavaOptions": QUICK_JAVA,
        "spark.sql.shuffle.partitions": "4",
        "spark.local.dir": str(cluster.folder / "driver"),
        "spark.ui.enabled": "false",
    }


def environment_of_a_driver() -> dict[str, str]:
    """Where a program that uses the cluster finds the Python of its workers: here, not first in the path."""
    here = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    return {**os.environ, **here, "SPARK_LAUNCHER_OPTS": QUICK_JAVA}


def descendants(process: int) -> list[int]:
    """The children of a process, and theirs."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    found = [process]
    for parent in found:  # grows as it goes
        found += [child for child, of in pairs if of == parent]
    return found[1:]


def spark_home() -> Path:
    """Where PySpark keeps Spark."""
    import pyspark

    return Path(pyspark.__file__).parent


def need_java() -> None:
    if "JAVA_HOME" not in os.environ and find_program("java") is None:
        raise ProgramsMissingError("Java is not installed: tests/services/install")
