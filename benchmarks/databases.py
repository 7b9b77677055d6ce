"""Tables in databases: a release made where the table lives, against what the database itself needs for the bare work.

    .venv/bin/python benchmarks/databases.py             5 million rows in PostgreSQL, 1 million in MariaDB; minutes
    ... --mariadb --rows 100000                          one server, another size
    ... --write                                          and put what was printed into docs/*/benchmarks.md

The floor is what no release can do without: the same GROUP BY, fetched, and a bare CREATE TABLE AS SELECT *, with the
settings the server has. It leaves the rows in their order; what putting them into random order costs the database is
shown beside it. Servers are started as the tests start them, and are gone afterwards.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from measuring import ROOT, WORK, best, fill, run, show, timed

sys.path.insert(0, str(ROOT / "tests" / "services"))
from servers import Server, running

CELOSIA = str(Path(sys.executable).with_name("celosia"))
COLUMNS = ["age", "sex", "region", "education", "occupation", "nationality"]
ROWS = {"postgresql": 5_000_000, "mariadb": 1_000_000}
RANDOM = {"postgresql": "random()", "mariadb": "rand()"}


def load(address: str, rows: int) -> tuple[Path, float]:
    """Put made-up people into a table; the folder of their hierarchies, and rows a second."""
    from celosia.sample import people, people_hierarchies
    from celosia.tables import Recoding, open_table
    from celosia.tables.sql.open import new_table

    folder = WORK / "hierarchies"
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in people_hierarchies().items():
        lines = "\n".join(";".join(row) for row in table)
        (folder / f"{name}.csv").write_text(lines + "\n", encoding="utf-8")
    target = new_table(address, "people")
    took = timed(lambda: open_table(people(rows, seed=1)).write(Recoding(), target)).seconds
    target.publish()
    target.database.close()
    return folder, rows / took


def seconds_of(server: Server, name: str, sql: str, *, before: str | None = None) -> Callable[[], float]:
    """A measurement of one statement whose rows, if any, are fetched."""

    def measure() -> float:
        if before:
            server.run(before, name)
        ask = server.query if sql.lower().startswith("select") else server.run
        return timed(lambda: ask(sql, name)).seconds

    return measure


def release(scheme: str, rows: int) -> None:
    """Full-domain k = 5, six quasi-identifiers, inside the database."""
    with running(scheme) as server, tempfile.TemporaryDirectory() as folder:
        address = server.new_database("clinic")
        os.environ["CELOSIA_PASSWORD"] = server.password
        hierarchies, speed = load(address, rows)
        server.run("ANALYZE people" if scheme == "postgresql" else "ANALYZE TABLE people", "clinic")
        keys = ", ".join(COLUMNS)
        drop = "DROP TABLE IF EXISTS copy"
        group = best(3, seconds_of(server, "clinic", f"SELECT {keys}, COUNT(*) FROM people GROUP BY {keys}"))
        copy_sql = "CREATE TABLE copy AS SELECT * FROM people"
        copied = best(3, seconds_of(server, "clinic", copy_sql, before=drop))
        mixed_sql = f"{copy_sql} ORDER BY {RANDOM[scheme]}"
        mixed = best(3, seconds_of(server, "clinic", mixed_sql, before=drop))
        server.run(drop, "clinic")
        command = [CELOSIA, "anonymize", address, "--table", "people", "--qi", ",".join(COLUMNS), "-k", "5"]
        command += ["--hierarchies", str(hierarchies), "--out-table", "safe"]
        command += ["--record", str(Path(folder, "safe.json")), "--overwrite"]
        ours = best(3, lambda: run(*command))
        floor = group + copied
        show(
            f"{rows:,} rows in {server.scheme}, six quasi-identifiers, full-domain, k = 5",
            ["step", "seconds", "times the floor"],
            [
                ["GROUP BY of the quasi-identifiers, fetched", group, group / floor],
                ["CREATE TABLE AS SELECT *", copied, copied / floor],
                ["both: the floor", floor, 1.0],
                ["wanted, at most", 1.5 * floor, 1.5],
                ["the floor with the copy in random order", group + mixed, (group + mixed) / floor],
                ["`celosia anonymize`, from start to exit", ours.seconds, ours.seconds / floor],
            ],
            f"Peak memory of our process {ours.peak:.2f} GB. Loading took {speed:,.0f} rows a second.",
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--postgresql", action="store_true", help="Measure PostgreSQL only.")
    parser.add_argument("--mariadb", action="store_true", help="Measure MariaDB only.")
    parser.add_argument("--rows", type=int, help="Rows of the table.")
    parser.add_argument("--write", action="store_true", help="Put what is printed into the pages.")
    asked = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    chosen = [scheme for scheme in ROWS if getattr(asked, scheme)]
    for scheme in chosen or ROWS:
        release(scheme, asked.rows or ROWS[scheme])
    if asked.write:
        fill("databases")
