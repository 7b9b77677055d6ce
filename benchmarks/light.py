"""Light anonymization: eight operations on a large Parquet file, what memory they take, and what secrets cost.

    .venv/bin/python benchmarks/light.py                 10 million rows; a minute or two
    ... --rows 1000000                                   another size
    ... --write                                          and put what was printed into docs/*/benchmarks.md

The floor is what no release can do without: the same file read and written again by the engine underneath, with nothing
changed, nothing verified and all rows in their order.
"""

import argparse
import json
import secrets
import sys
from pathlib import Path

import numpy as np
import polars as pl

from measuring import WORK, best, call, fill, python, run, show, timed

CELOSIA = str(Path(sys.executable).with_name("celosia"))
TOWNS = {f"region {r}": [f"town {i:02}" for i in range(10 * r, 10 * r + 10)] for r in range(5)}
OPERATIONS = {
    "id": {"name": "suppress"},
    "age": {"name": "code", "top": 90},
    "sex": {"name": "substitute", "pairs": {"f": "female", "m": "male"}},
    "zip": {"name": "truncate", "first": 2},
    "phone": {"name": "mask-characters", "keep_first": 3},
    "paid": {"name": "round", "to": 10},
    "hours": {"name": "bin", "width": 10},
    "town": {"name": "generalize", "hierarchy": "towns", "level": 1},
}
SECRET = {
    "encrypt": {},
    "encrypt, gcm": {"mode": "gcm"},
    "pseudonymize": {},
    "hash": {"salt": "default"},
    "preserve-format": {},
    "fake": {"kind": "name"},
}
COPY = "import sys, polars as pl; pl.scan_parquet(sys.argv[1]).sink_parquet(sys.argv[2], compression='zstd')"


def make_table(rows: int) -> Path:
    """People who do not exist, a million at a time."""
    import pyarrow.parquet

    path = WORK / f"light-{rows}.parquet"
    if path.exists():
        return path
    rng, writer = np.random.default_rng(7), None
    for start in range(0, rows, 1_000_000):
        count = min(1_000_000, rows - start)
        towns = pl.Series([town for names in TOWNS.values() for town in names])
        table = pl.DataFrame(
            {
                "id": np.arange(start, start + count),
                "age": rng.integers(0, 100, count).astype(np.int16),
                "sex": pl.Series(["f", "m"]).gather(rng.integers(0, 2, count)),
                "zip": pl.Series(rng.integers(10_000, 53_000, count)).cast(pl.String),
                "phone": pl.Series(rng.integers(600_000_000, 700_000_000, count)).cast(pl.String),
                "paid": np.round(rng.gamma(2, 500, count), 2),
                "hours": rng.integers(0, 99, count).astype(np.int16),
                "town": towns.gather(rng.integers(0, len(towns), count)),
                "ill": pl.Series(rng.integers(0, 400, count)).cast(pl.String),
            }
        ).to_arrow(compat_level=pl.CompatLevel.oldest())
        writer = writer or pyarrow.parquet.ParquetWriter(path, table.schema)
        writer.write_table(table, row_group_size=1 << 18)
    writer.close()
    return path


def make_project(table: Path, order: str) -> Path:
    """The project, as a document."""
    document = {
        "version": 2,
        "kind": "light",
        "hierarchies": {"towns": TOWNS},
        "tables": {
            "people": {
                "source": str(table),
                "destination": str(WORK / "light-out.parquet"),
                "order": order,
                "columns": {name: {"operation": one} for name, one in OPERATIONS.items()} | {"ill": "common"},
            }
        },
    }
    path = WORK / f"light-{order}.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def release(rows: int) -> None:
    """Eight operations, from Parquet to Parquet."""
    table = make_table(rows)
    floor = best(3, lambda: python(COPY, str(table), str(WORK / "light-copy.parquet")))
    lines = [["read and written again, unchanged: the floor", floor.seconds, 1.0, rows / floor.seconds / 1e6]]
    lines.append(["wanted, at most", rows / 2e6, rows / 2e6 / floor.seconds, 2.0])
    peaks = {}
    for order in ("kept", "random"):
        project = str(make_project(table, order))
        ours = best(3, lambda project=project: run(CELOSIA, "run", project, "--overwrite"))
        peaks[order] = ours.peak
        name = f"`celosia run`, rows in {'their' if order == 'kept' else 'random'} order, verified"
        lines.append([name, ours.seconds, ours.seconds / floor.seconds, rows / ours.seconds / 1e6])
    small = run(CELOSIA, "run", str(make_project(make_table(rows // 10), "kept")), "--overwrite")
    show(
        f"{rows:,} rows, eight light operations, Parquet to Parquet",
        ["step", "seconds", "times the floor", "million rows/s"],
        lines,
        f"Peak memory {peaks['kept']:.2f} GB in order and {peaks['random']:.2f} GB in random order; of a tenth of the "
        f"rows, in order, {small.peak:.2f} GB.",
    )


def cost(label: str, name: str, parameters: dict[str, object]) -> tuple[str, float]:
    """Microseconds that an operation takes for each of many different values, on one core."""
    from celosia.mask import make_operation
    from celosia.mask.keys import Keys
    from celosia.mask.operation import OperationSubject

    values = pl.Series("id", np.random.default_rng(1).integers(10**11, 10**12, 200_000)).cast(pl.String)
    subject = OperationSubject(column="id", dtype=pl.String(), keys=Keys({}), seed=1)
    start = make_operation(name, **parameters).start
    start(subject)(values.head(1000), pl.DataFrame())
    seconds = min(timed(lambda: start(subject)(values, pl.DataFrame())).processor for _ in range(3))
    return label, seconds / len(values) * 1e6


def costs() -> None:
    """What every value costs that goes through a secret."""
    import os

    os.environ["CELOSIA_KEY"] = secrets.token_hex(32)
    rows = [call(cost, label, label.partition(",")[0], parameters) for label, parameters in SECRET.items()]
    show(
        "Operations with a key, 200,000 different values",
        ["operation", "microseconds of a core for each value", "values per second and core"],
        [[label, took, int(1e6 / took)] for label, took in rows],
        "Of values that repeat within a batch each is worked on once.",
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000_000, help="Rows of the table.")
    parser.add_argument("--write", action="store_true", help="Put what is printed into the pages.")
    asked = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    release(asked.rows)
    costs()
    if asked.write:
        fill("light")
