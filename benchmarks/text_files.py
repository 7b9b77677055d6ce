"""Text files in two ways of writing: points and ISO dates, decimal commas and the day first; the second over the first.

    .venv/bin/python benchmarks/text_files.py            a million rows; a minute
    ... --rows 200000                                    another size

Seconds are those that all cores worked. Looking is what ``schema`` does: every text of every column is looked at.
Reading is looking, counting two sets of columns, and handing over all rows.
"""

import argparse
import resource
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from celosia.tables import open_table
from celosia.tables.formats import delimited
from measuring import WORK

TRIES = 3


def make_files(rows: int) -> tuple[Path, Path]:
    """The same people, who do not exist, in both ways."""
    plain, office = WORK / f"text-{rows}.csv", WORK / f"text-{rows}-office.csv"
    if plain.exists() and office.exists():
        return plain, office
    WORK.mkdir(exist_ok=True)
    rng = np.random.default_rng(7)
    towns = pl.Series(["Lugo", "Soria", "Madrid", "Sevilla", "Ourense"])
    people = pl.DataFrame(
        {
            "id": np.arange(rows),
            "born": pl.Series(rng.integers(-10_000, 18_000, rows).astype(np.int32)).cast(pl.Date),
            "cost": np.round(rng.integers(100, 10**7, rows) / 100, 2),
            "weight": np.round(rng.integers(400, 1200, rows) / 10, 1),
            "age": rng.integers(0, 99, rows),
            "town": towns.gather(rng.integers(0, len(towns), rows)),
            "code": pl.Series(rng.integers(0, 5000, rows)).cast(pl.String).str.zfill(5),
            "admitted": pl.Series(rng.integers(18_000, 19_000, rows).astype(np.int32)).cast(pl.Date),
        }
    )
    people.write_csv(plain, separator=";")
    people.with_columns(
        pl.col(pl.Date).dt.strftime("%d/%m/%Y"),
        pl.col(pl.Float64).cast(pl.String).str.replace(".", ",", literal=True),
    ).write_csv(office, separator=";")
    return plain, office


def look(path: Path) -> None:
    """The types of all columns."""
    open_table(path).schema()


def read(path: Path) -> None:
    """What a release does with a file before it searches, and all rows."""
    table = open_table(path)
    table.schema()
    table.count_by(["born", "age", "town"])
    table.count_by(["cost", "weight"])
    assert sum(batch.height for batch in table.scan())


def processor_seconds(work: Callable[[Path], None], path: Path) -> float:
    """The least of several tries, the file looked at anew each time."""
    found = []
    for _ in range(TRIES):
        delimited._look_at.cache_clear()
        before = resource.getrusage(resource.RUSAGE_SELF)
        work(path)
        after = resource.getrusage(resource.RUSAGE_SELF)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


def main() -> None:
    """Print both, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    plain, office = make_files(parser.parse_args().rows)
    for name, work in (("looking", look), ("reading", read)):
        first, second = processor_seconds(work, plain), processor_seconds(work, office)
        print(
            f"{name}: {first:.2f} s, with commas and the day first {second:.2f} s, {second / first:.2f} times"
        )


if __name__ == "__main__":
    main()
