"""Mondrian on a cluster against one machine: classes, loss and seconds for the same table.

    .venv/bin/python benchmarks/spark_mondrian.py              5 million rows on local[2]
    .venv/bin/python benchmarks/spark_mondrian.py 1000000      as many rows as asked for

The table has eight columns of all kinds, six of them quasi-identifiers, nearly every row another combination. Both ways
read one Parquet file, write another and verify it. The session of Spark is started before, and its start is not
counted; a small table goes through first, so that neither way compiles its loops while the clock runs.
"""

import os
import sys
import time
from pathlib import Path

from measuring import WORK, fill, show
from mondrian import draw_mixed

ROWS = 5_000_000
SMALL = 20_000
QUASI_IDENTIFIERS = ["age", "sex", "region", "occupation", "income", "admitted"]
SETTINGS = {"spark.driver.memory": "2g"}
WANTED_SECONDS, WANTED_APART = 60, 0.02


def table(rows: int) -> Path:
    """The file of a table, made at the first call."""
    WORK.mkdir(exist_ok=True)
    path = WORK / f"mixed-{rows}.parquet"
    if not path.exists():
        draw_mixed(rows).write_parquet(path, row_group_size=1 << 18)
    return path


def release(path: Path, scheme: str, name: str, **options):
    """Seconds that a release takes, and the release."""
    import celosia

    started = time.perf_counter()
    found = celosia.anonymize(
        f"{scheme}{path}",
        out=f"{scheme}{WORK / name}",
        overwrite=True,
        quasi_identifiers=QUASI_IDENTIFIERS,
        common=["education", "nationality"],
        k=5,
        technique="mondrian",
        **options,
    )
    assert found.verification.passed
    return time.perf_counter() - started, found


def main(rows: int) -> None:
    from celosia.recode import parts_plan
    from celosia.tables.spark.session import opened_session

    release(table(SMALL), "", "local.parquet")
    here, local = release(table(rows), "", "local.parquet")
    started = time.perf_counter()
    with opened_session("local[2]", {**SETTINGS, "spark.local.dir": str(WORK / "spark")}):
        start = time.perf_counter() - started
        most, parts_plan.MOST_HERE = parts_plan.MOST_HERE, SMALL // 2
        release(table(SMALL), "file://", "cluster.parquet")
        parts_plan.MOST_HERE = most
        there, cluster = release(table(rows), "file://", "cluster.parquet")
    lines = [
        ["wanted, at most", "", "", "", float(WANTED_SECONDS), ""],
        *(
            [
                name,
                one.verification.rows,
                one.verification.classes,
                f"{100 * one.plan.measures['loss']:.3f} %",
                took,
                took / here,
            ]
            for name, one, took in (("one machine", local, here), ("cluster", cluster, there))
        ),
    ]
    apart = [
        abs(cluster.verification.classes / local.verification.classes - 1),
        abs(cluster.plan.measures["loss"] / local.plan.measures["loss"] - 1),
    ]
    note = (
        f"Cluster: {cluster.plan.note}. Classes differ by {100 * apart[0]:.2f} %, losses by "
        f"{100 * apart[1]:.2f} %; at most {100 * WANTED_APART:.0f} % are wanted. Starting the session took "
        f"{start:.1f} s. Load: {os.getloadavg()[0]:.1f}."
    )
    show(
        f"Mondrian of {rows:,} rows, six quasi-identifiers, k = 5, local[2]",
        ["", "rows", "classes", "loss", "s", "x"],
        lines,
        note,
    )


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:] if text.isdecimal()]
    main(numbers[0] if numbers else ROWS)
    if "--write" in sys.argv:
        fill("spark_mondrian")
