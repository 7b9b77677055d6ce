"""Special uniques (SUDA2): how long every minimal sample unique of a table takes to find.

    .venv/bin/python benchmarks/measure_suda.py
    ... --write                         and put what was printed into docs/*/benchmarks.md

Seconds from the rows in memory to all scores, counting included, each in a fresh process that did the same on a few
rows before: what is compiled is compiled once, and kept on disk. Columns of the made-up table have 5 to 80 values with
frequencies that fall as 1 / rank, so that most rows are unique, and few by few columns: the hardest case.
"""

import sys

from measuring import call, fill, peak_memory, public_table, show, timed

KEYS = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
SIZES = (5, 8, 12, 20, 30, 45, 60, 80)
ROWS = 100_000
TESTDATA = "sdcmicro/testdata.csv"


def search(table: str) -> dict[str, float]:
    """Seconds, memory and what was found in one table."""
    import polars as pl

    from celosia.measure.risk.suda import suda
    from celosia.tables import open_table

    frame = (
        pl.read_csv(public_table(TESTDATA), columns=KEYS, infer_schema=False)
        if table == "testdata"
        else skewed(ROWS)
    )

    def find(rows: pl.DataFrame):
        return suda(open_table(rows).count_by(rows.columns))

    find(frame.head(100))  # everything is loaded once
    before = peak_memory()
    done = timed(lambda: find(frame))
    found = done.result
    return {
        "rows": found.rows,
        "columns": len(found.columns),
        "special": found.special,
        "uniques": int(found.found.sum()),
        "seconds": done.seconds,
        "processor": done.processor,
        "memory": peak_memory() - before,
    }


def skewed(rows: int):
    """Columns of 5 to 80 values, the first of them the most frequent."""
    import numpy as np
    import polars as pl

    drawn = np.random.default_rng(7)
    weights = [1 / np.arange(1, size + 1) for size in SIZES]
    return pl.DataFrame({f"c{len(one)}": drawn.choice(len(one), rows, p=one / one.sum()) for one in weights})


def main() -> None:
    """Print the table."""
    public_table(TESTDATA)  # asked for before the first process is started
    rows = []
    for table, wanted in (("testdata", 2), ("made up", 60)):
        found = call(search, table)
        rows.append(
            [
                table,
                *(found[name] for name in ("rows", "columns", "special", "uniques", "seconds", "processor")),
                wanted,
                f"{found['memory'] * 1024:.0f} MB",
            ]
        )
    show(
        "Every minimal sample unique (SUDA2)",
        [
            "table",
            "rows",
            "columns",
            "special rows",
            "uniques",
            "s",
            "s of all cores",
            "wanted, at most",
            "memory",
        ],
        rows,
    )


if __name__ == "__main__":
    main()
    if "--write" in sys.argv:
        fill("measure_suda")
