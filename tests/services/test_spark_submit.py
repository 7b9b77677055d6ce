"""Releases submitted to a real cluster: by both its workers, whole when one dies, and told when all do."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest
from spark_parts import TOGETHER, Cluster, environment_of_a_driver, settings_of_a_driver, spark_home

from celosia.privacy import KAnonymity
from celosia.release.verify import verify
from celosia.tables import open_table

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "spark_submit.py"
FILES, ROWS = 12, 1_200
QUASI_IDENTIFIERS = ("age", "sex", "zip")
PATIENCE = 150
# A row that passes this filter has taken its time, so that every job that reads the table takes a third of a second at
# least. A function that sleeps would be none that Spark takes for the same each time, and rows be read once only.
SLOW = ["--where", "aggregate(sequence(1, 25000 + length(name)), 0, (sum, n) -> (sum + n) % 7) >= 0"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that driver and workers share, with a table of several files in it."""
    table = tmp_path / "people.parquet"
    table.mkdir()
    for part in range(FILES):
        numbers = range(part * ROWS // FILES, (part + 1) * ROWS // FILES)
        pl.DataFrame(
            {
                "name": [f"P{i}" for i in numbers],
                "age": [20 + i * 7 % 40 for i in numbers],
                "sex": ["fm"[i * 3 % 2] for i in numbers],
                "zip": [f"28{i * 11 % 20:03}" for i in numbers],
                "disease": [("flu", "cold", "asthma")[i % 3] for i in numbers],
            }
        ).write_parquet(table / f"part-{part:02}.parquet")
    return tmp_path


@contextmanager
def submitted(cluster: Cluster, folder: Path, *more: str) -> Iterator["subprocess.Popen[str]"]:
    """A release that spark-submit carries out."""
    settings = settings_of_a_driver(cluster) | TOGETHER
    options = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    submit = [str(spark_home() / "bin" / "spark-submit"), "--master", cluster.master, *options, str(SCRIPT)]
    roles = ["--qi", ",".join(QUASI_IDENTIFIERS), "--sensitive", "disease", "--identifier", "name"]
    places = [f"file://{folder}/people.parquet", "--out", f"file://{folder}/safe.parquet"]
    process = subprocess.Popen(
        [*submit, "anonymize", *places, *roles, "-k", "5", *more],
        env=environment_of_a_driver(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def finish(process: "subprocess.Popen[str]", status: int) -> str:
    """What was said of a release that ended as it should."""
    printed, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, printed + said[-3000:]
    if status == 0:
        return printed
    # On its own error stream spark-submit prints what it says itself, all of ours goes to the other.
    errors = [line for line in printed.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1, printed + said[-3000:]
    return errors[0]


def check_release(folder: Path, technique: str) -> None:
    """Whole, verified by the run itself, and verified again here, by what reads no cluster."""
    safe = pl.read_parquet(folder / "safe.parquet" / "*.parquet")
    assert safe.height == ROWS
    assert sorted(safe["disease"].to_list()) == sorted(["flu", "cold", "asthma"] * (ROWS // 3))
    found = verify(open_table(safe), quasi_identifiers=QUASI_IDENTIFIERS, models=[KAnonymity(k=5)])
    assert found.passed
    record = json.loads((folder / "safe.record.json").read_text())
    assert record["technique"]["name"] == technique
    assert sorted(os.listdir(folder)) == ["people.parquet", "safe.parquet", "safe.record.json"]


def workers_that_worked(cluster: Cluster, before: Sequence[Path]) -> set[str]:
    """Those whose executors finished tasks since then, by what they wrote down."""
    logs = [path for path in executors(cluster) if path not in before]
    return {
        next(part for part in path.parts if part.startswith("work-"))
        for path in logs
        if "Finished task" in path.read_text(errors="replace")
    }


def executors(cluster: Cluster) -> list[Path]:
    return list(cluster.folder.glob("work-*/app-*/*/stderr"))


def test_a_release_is_made_by_both_workers_and_is_whole_when_one_is_killed_in_the_middle(
    cluster: Cluster, folder: Path
) -> None:
    before = executors(cluster)
    two_phase = ["--technique", "two-phase", "--partitions", "5", "--k-partition", "10"]
    with submitted(cluster, folder, *SLOW, *two_phase) as process:
        # A third of a second of writing begins when the hidden folder is there, and tasks of it after a moment.
        wait_until(lambda: any(folder.glob(".celosia-*/rows/_temporary")), process)
        assert workers_that_worked(cluster, before) == {"work-1", "work-2"}
        cluster.kill_worker(1)
        printed = finish(process, 0)
    assert f"release  file://{folder}/safe.parquet" in printed
    assert cluster.state()["aliveworkers"] == 1
    check_release(folder, "two-phase")


@pytest.mark.exhaustive
def test_when_all_executors_are_lost_for_good_it_is_told_and_nothing_is_left(
    cluster: Cluster, folder: Path
) -> None:
    # A task that takes its executor with it would be tried on three more, each of which takes seconds to start.
    deadly = ["--where", "reflect('java.lang.System', 'exit', 1) IS NULL"]
    deadly += ["--spark-config", "spark.task.maxFailures=1"]
    with submitted(cluster, folder, *deadly) as process:
        said = finish(process, 2)
    assert "the cluster lost so many executors that Spark gave up" in said
    assert os.listdir(folder) == ["people.parquet"]


def wait_until(holds: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline or process.poll() is not None:
            process.kill()
            raise AssertionError("".join(process.communicate())[-3000:])
        time.sleep(0.02)
