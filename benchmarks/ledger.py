"""The ledger: how long a release of a million people takes to check against ten earlier ones.

    .venv/bin/python benchmarks/ledger.py
    ... --write                         and put what was printed into docs/*/benchmarks.md

A million people with a stable key, an age, a sex, a postcode and a disease, released ten times: nine in ten of them
each time, at levels that differ. Then an eleventh release is looked up, joined with the ten (their files read from the
disk and checked against the chain) and judged: once at the levels of the first, and once at levels that cut the earlier
classes, where all four ways to keep the promise are tried out. Seconds from the rows in memory to the verdict, in a
fresh process each.
"""

import sys
import tempfile
from pathlib import Path

from measuring import call, fill, show, timed

PEOPLE = 1_000_000
EARLIER = 10
LEVELS = [(20, 100), (20, 1000), (40, 100)]
"""Years of an age and postcodes of a label, in turn."""


def people():
    """A million people, the same in every process."""
    import numpy as np
    import polars as pl

    drawn = np.random.default_rng(11)
    return pl.DataFrame(
        {
            "id": np.char.add("ES", np.arange(PEOPLE).astype(str)),
            "age": drawn.integers(0, 100, PEOPLE),
            "sex": drawn.choice(["f", "m"], PEOPLE),
            "zip": drawn.integers(10_000, 20_000, PEOPLE),
            "disease": drawn.choice([f"d{n}" for n in range(20)], PEOPLE),
        }
    )


def released(frame, levels, part: int):
    """Nine in ten of the people, their values as labels."""
    import polars as pl

    years, codes = levels
    chosen = frame.filter(pl.int_range(pl.len()) % 10 != part)
    return chosen.with_columns(
        (pl.col("age") // years * years).cast(pl.String), (pl.col("zip") // codes * codes).cast(pl.String)
    )


def looked_up(ledger, frame):
    """Who is in which class, as a run finds it out."""
    from celosia.ledger import members_of
    from celosia.tables import open_table

    counts = open_table(frame, missing=()).count_by(["id", "age", "sex", "zip", "disease"])
    return members_of(
        counts, person="id", classes=["age", "sex", "zip"], sensitive=["disease"], digests=ledger.digests
    )


def check(case: str) -> dict[str, float]:
    """Seconds of each part, and what was found."""
    from celosia.ledger import open_ledger
    from celosia.ledger.check import check_members
    from celosia.mask.keys import SecretKey
    from celosia.privacy import KAnonymity

    frame = people()
    key = SecretKey(bytes(range(32)))
    with tempfile.TemporaryDirectory() as folder:
        ledger = open_ledger(Path(folder, "clinic.ledger"), key=key)
        body = {"recipient": "", "roles": {}, "release": {"place": "", "digest": None, "rows": 0, "k": 0}}
        for number in range(EARLIER):
            levels = LEVELS[0] if case == "same levels" else LEVELS[number % len(LEVELS)]
            ledger.record(body, looked_up(ledger, released(frame, levels, number)))
        last = released(frame, LEVELS[0] if case == "same levels" else (7, 150), 3)
        ledger = open_ledger(Path(folder, "clinic.ledger"), key=key)
        found = timed(lambda: looked_up(ledger, last))
        judged = timed(lambda: check_members(ledger, ledger.entries, found.result, models=[KAnonymity(k=5)]))
        size = sum(path.stat().st_size for path in Path(folder).rglob("*.npz")) / EARLIER
    return {
        "seconds": found.seconds,
        "joined": judged.seconds,
        "processor": found.processor + judged.processor,
        "k": judged.result.judgement.k,
        "proposals": len(judged.result.proposals),
        "size": size / 1e6,
    }


def main() -> None:
    """Print the table."""
    rows = []
    for case in ("same levels", "other levels"):
        found = call(check, case)
        rows.append(
            [
                case,
                PEOPLE,
                EARLIER,
                found["seconds"],
                found["joined"],
                found["seconds"] + found["joined"],
                found["processor"],
                20,
                found["k"],
                found["proposals"],
                f"{found['size']:.0f} MB",
            ]
        )
    show(
        "A release against ten earlier ones",
        [
            "release",
            "people",
            "earlier",
            "s to look up",
            "s to join",
            "s",
            "s of all cores",
            "wanted, at most",
            "k joined",
            "ways tried",
            "file each",
        ],
        rows,
    )


if __name__ == "__main__":
    main()
    if "--write" in sys.argv:
        fill("ledger")
