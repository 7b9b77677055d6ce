"""What exposure costs: beside the floor of a table, which is to read, group by the quasi-identifiers and write it.

    python benchmarks/exposure.py [--rows 1000000] [--columns 20]

prints the processor time of the floor, of exposure and their ratio, and the memory that exposure takes besides.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from celosia.measure.exposure import measure_exposure
from celosia.tables import open_table

QUASI = ["age", "sex", "zip"]


def make_table(rows: int, columns: int) -> pl.DataFrame:
    """Quasi-identifiers as released, and numbers, codes, dates and few categories in turn."""
    rng = np.random.default_rng(1)
    table = {
        "age": pl.Series(rng.integers(0, 9, rows)).cast(pl.String),
        "sex": pl.Series(rng.choice(["f", "m"], rows)),
        "zip": pl.Series(rng.integers(0, 99, rows)).cast(pl.String),
    }
    makers = (
        lambda: pl.Series(rng.gamma(2, 900, rows)).round(2),
        lambda: pl.Series(rng.integers(0, 400, rows)).cast(pl.String) + "-X",
        lambda: pl.Series(rng.integers(0, 4000, rows)),
        lambda: pl.Series(rng.choice(["yes", "no", "unknown"], rows)),
    )
    for number in range(columns - len(table)):
        table[f"c{number}"] = makers[number % len(makers)]()
    return pl.DataFrame(table)


def floor(path: Path, out: Path) -> None:
    """Read, group by the quasi-identifiers, write."""
    frame = pl.read_csv(path) if path.suffix == ".csv" else pl.read_parquet(path)
    frame.group_by(QUASI).len()
    frame.write_csv(out) if out.suffix == ".csv" else frame.write_parquet(out)


def peak() -> float:
    """Megabytes at most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(what: str, path: Path) -> tuple[float, float]:
    """Seconds of processor and megabytes of one of the two, in a process of its own; the best of three."""
    found = [
        subprocess.run([sys.executable, __file__, "--only", what, str(path)], capture_output=True, check=True)
        for _ in range(3)
    ]
    told = [tuple(map(float, one.stdout.split())) for one in found]
    return min(one[0] for one in told), min(one[1] for one in told)


def run_one(what: str, path: Path) -> None:
    """Print seconds, and megabytes at most."""
    open_table(pl.DataFrame({"a": [1]}))  # whatever is loaded once
    start = time.process_time()
    if what == "floor":
        floor(path, path.with_stem("copy"))
    else:
        measure_exposure(open_table(path, missing=()), quasi_identifiers=QUASI, k=5, folder=path.parent)
    print(time.process_time() - start, peak())


def main() -> None:
    """Print one line for each format."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--only", nargs=2)
    given = parser.parse_args()
    if given.only:
        run_one(given.only[0], Path(given.only[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        table = make_table(given.rows, given.columns)
        print(f"{given.rows:,} rows x {given.columns} columns")
        for ending in ("csv", "parquet"):
            path = Path(folder, f"release.{ending}")
            table.write_csv(path) if ending == "csv" else table.write_parquet(path)
            base, most = measured("floor", path)
            cost, memory = measured("exposure", path)
            print(
                f"{ending:8} floor {base:6.2f} s {most:7,.0f} MB   exposure {cost:6.2f} s {memory:7,.0f} MB"
                f"   ratio {cost / base:.2f}"
            )


if __name__ == "__main__":
    main()
