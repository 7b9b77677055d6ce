"""Work on a real cluster: over the network, on both workers, and when one of them dies."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from spark_parts import Cluster, environment_of_a_driver, settings_of_a_driver, spark_home

# Every task leaves a mark that tells the worker it ran on: the folder of its executor is the worker's.
WORK = """
import json, os, sys, time
from pathlib import Path

from celosia.tables.spark.session import opened_session

asked = json.loads(sys.argv[1])
marks = asked["marks"]


def work(batches):
    import pyarrow
    from pyspark import TaskContext

    task = TaskContext.get()
    worker = next(part for part in Path.cwd().parts if part.startswith("work-"))
    Path(marks, f"{worker} {task.partitionId()} {task.attemptNumber()} {os.getpid()}").touch()
    for batch in batches:
        time.sleep(asked["seconds"])
        yield pyarrow.RecordBatch.from_pydict(
            {"id": batch["id"], "worker": [worker] * len(batch), "python": [sys.executable] * len(batch)}
        )


with opened_session(asked["master"], asked["config"]) as session:
    print(session.sparkContext.master, flush=True)
    people = session.range(12_000, numPartitions=asked["tasks"])
    # Exchanged among the workers first: what one has for the other is lost when it dies.
    people = people.repartition(asked["tasks"], "id")
    done = people.mapInArrow(work, "id long, worker string, python string")
    rows = done.groupBy("worker", "python").agg({"id": "sum", "*": "count"}).toArrow().to_pylist()
    print(json.dumps(rows), flush=True)
"""
# The first executor would have done everything before the second is there.
TOGETHER = {
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.scheduler.maxRegisteredResourcesWaitingTime": "90s",
    # Parts are small, and would be put together for one worker.
    "spark.sql.adaptive.enabled": "false",
}
PATIENCE = 150


def ask(cluster: Cluster, folder: Path, *, tasks: int, seconds: float, by_submit: bool) -> list[str]:
    """The command of a program that does the work."""
    marks = folder / "marks"
    marks.mkdir()
    script = folder / "work.py"
    script.write_text(WORK)
    asked: dict[str, Any] = {"marks": str(marks), "tasks": tasks, "seconds": seconds}
    settings = settings_of_a_driver(cluster) | TOGETHER
    if not by_submit:
        asked |= {"master": cluster.master, "config": settings}
        return [sys.executable, str(script), json.dumps(asked)]
    asked |= {"master": None, "config": None}
    options = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    submit = [str(spark_home() / "bin" / "spark-submit"), "--master", cluster.master, *options]
    return [*submit, str(script), json.dumps(asked)]


def check_rows(rows: list[dict[str, Any]]) -> None:
    assert sum(row["count(1)"] for row in rows) == 12_000
    assert sum(row["sum(id)"] for row in rows) == sum(range(12_000))
    assert {row["python"] for row in rows} == {sys.executable}


@pytest.mark.parametrize("by_submit", [False, True], ids=["session", "spark-submit"])
def test_work_over_the_network_is_shared_by_both_workers(
    cluster: Cluster, tmp_path: Path, by_submit: bool
) -> None:
    command = ask(cluster, tmp_path, tasks=8, seconds=0.2, by_submit=by_submit)
    done = subprocess.run(
        command,
        env=environment_of_a_driver(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    master, rows = done.stdout.splitlines()
    assert master == cluster.master
    check_rows(json.loads(rows))
    assert {row["worker"] for row in json.loads(rows)} == {"work-1", "work-2"}


def test_work_is_finished_whole_when_a_worker_is_killed_in_the_middle(
    cluster: Cluster, tmp_path: Path
) -> None:
    command = ask(cluster, tmp_path, tasks=12, seconds=0.4, by_submit=False)
    with subprocess.Popen(
        command,
        env=environment_of_a_driver(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_for_marks(tmp_path / "marks", {"work-1", "work-2"}, process)
        cluster.kill_worker(1)
        printed, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said[-3000:]
    assert cluster.state()["aliveworkers"] == 1
    rows = json.loads(printed.splitlines()[1])
    check_rows(rows)
    # Twelve parts were to be done once each: those that died with the worker were done again by the other.
    assert len(list((tmp_path / "marks").iterdir())) > 12
    assert {row["worker"] for row in rows} == {"work-2"}


def test_a_worker_that_was_killed_comes_back_for_the_next_test(cluster: Cluster) -> None:
    cluster.kill_worker(2)
    cluster.have_both_workers()
    assert cluster.state()["aliveworkers"] == 2


def wait_for_marks(folder: Path, workers: set[str], process: "subprocess.Popen[str]") -> None:
    """Until both workers have done a part."""
    deadline = time.monotonic() + PATIENCE
    while {path.name.split()[0] for path in folder.iterdir()} != workers:
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            raise AssertionError(f"the work does not begin: {process.communicate()[1][-3000:]}")
        time.sleep(0.05)
