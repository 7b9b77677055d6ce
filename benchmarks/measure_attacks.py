"""The attacks on releases of Adult, with a control group: what they find, and how long they take.

    .venv/bin/python benchmarks/measure_attacks.py       a minute or less
    ... --write                                          and put what was printed into docs/*/benchmarks.md

Half of Adult is the original that is released, the other half the control group: people of the same kind who are not in
the release.
"""

import argparse

import numpy as np
import polars as pl

from measuring import call, fill, public_table, show, timed
from top_down import COLUMNS

NAMES = [*COLUMNS[:-1], "income"]
KNOWN = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]
SECRET = "income"
ADULT = "adult_uci/adult-train.csv"
THREE = ["singling-out", "linkability", "inference"]
OTHERS = ["linkage", "linkage-expected", "membership"]
RELEASES = ["unchanged", "mondrian, k = 2", "mondrian, k = 5", "mondrian, k = 50", "all suppressed"]
WANTED = 15.0


def halves() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Adult, its rows dealt out to the original and the control group."""
    path = public_table(ADULT)
    people = pl.read_csv(path, has_header=False, new_columns=NAMES).drop_nulls("age")
    people = people.with_columns(pl.col(pl.String).str.strip_chars()).select(*KNOWN, SECRET)
    order = np.random.default_rng(1).permutation(len(people))
    return people[order[::2]], people[order[1::2]]


def make(name: str, original: pl.DataFrame) -> pl.DataFrame:
    """A release of the original."""
    from celosia import anonymize

    if name == "unchanged":
        return original
    if name == "all suppressed":
        return original.with_columns(pl.lit("*").alias(column) for column in original.columns)
    k = int(name.rpartition(" ")[2])
    release = anonymize(
        original, quasi_identifiers=KNOWN, sensitive=[SECRET], k=k, technique="mondrian", seed=1
    )
    return release.table


def attack(name: str) -> dict[str, object]:
    """What every attack finds, and the seconds that the three took together."""
    from celosia.measure.registry import release_measures
    from celosia.measure.subject import MeasureSubject

    original, control = halves()
    release = make(name, original)
    subject = MeasureSubject.of(
        original, release, control=control, quasi_identifiers=KNOWN, sensitive=[SECRET]
    )
    known = release_measures()

    def answers(names: list[str]) -> dict[str, tuple[float, tuple[float, float]]]:
        found = {one: known[one].answers(subject)[0] for one in names}
        return {one: (answer.value, answer.interval) for one, answer in found.items()}

    three = timed(lambda: answers(THREE))
    others = answers(OTHERS)
    return {
        "found": three.result | others,
        "seconds": three.seconds,
        "processor": three.processor,
        "rows": len(release),
        "classes": len(subject.classes.counts),
    }


def spell(found: tuple[float, tuple[float, float]]) -> str:
    value, (low, high) = found
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def attacks() -> None:
    """One row per release."""
    public_table(ADULT)  # asked for before the first process is started
    made = {name: call(attack, name) for name in RELEASES}
    head = ["release", "classes", *THREE, *OTHERS, "seconds of a core for the first three"]
    rows = [
        [name, one["classes"], *(spell(one["found"][each]) for each in (*THREE, *OTHERS)), one["processor"]]
        for name, one in made.items()
    ]
    longest = max(one["processor"] for one in made.values())
    count = made["unchanged"]["rows"]
    show(
        f"Attacks on Adult: {count:,} rows, {len(KNOWN)} columns known, {SECRET} secret, control group as large",
        head,
        rows,
        f"In brackets 95 % intervals. The three attacks take {longest:.1f} s at most (wanted: {WANTED:.0f}).",
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="Put what is printed into the pages.")
    asked = parser.parse_args()
    attacks()
    if asked.write:
        fill("measure_attacks")
