"""Differentially private tables: how near they come to the real one, what that costs, and how large they may be.

    .venv/bin/python benchmarks/private_tables.py        Adult, and a million made-up rows: some minutes
    ... --quick                                          Adult alone, one run of each
    ... --write                                          and put what was printed into docs/*/benchmarks.md

Adult without rows that have gaps: 30,162 people, nine columns, the age in ten bins or every age a value. The distance
is the total variation, half of the sum of all differences between shares, in the mean over all pairs or triples of
columns. Noise is OpenDP's, from its secret source: figures differ from run to run, and each is the mean of three.
"""

import argparse
from itertools import combinations

import numpy as np
import polars as pl

from measuring import call, fill, peak_memory, public_table, show, timed

ADULT = "adult_arx/adult.csv"
BUDGETS = (0.1, 1.0, 10.0)
DELTA = 1e-6
AGES = (17, 91)
MANY, WIDTH = 1_000_000, 15


def adult() -> pl.DataFrame:
    """The table, all texts but the age."""
    return pl.read_csv(public_table(ADULT), separator=";")


def parameters(people: pl.DataFrame, is_every_age: bool) -> dict[str, object]:
    """The domains, which for this table are public."""
    domains = {name: tuple(people[name].unique().sort()) for name in people.columns if name != "age"}
    if is_every_age:
        return {"domains": {**domains, "age": tuple(str(age) for age in range(*AGES))}}
    return {"domains": domains, "bounds": {"age": AGES}}


def cut(people: pl.DataFrame, is_every_age: bool) -> pl.DataFrame:
    """A table with ages in the bins that are compared."""
    if is_every_age:
        return people
    width = (AGES[1] - AGES[0]) / 10
    return people.with_columns(((pl.col("age") - AGES[0]) / width).floor().clip(0, 9))


def distance(before: pl.DataFrame, after: pl.DataFrame, ways: int) -> float:
    """The mean total variation over all sets of so many columns."""
    far = []
    for names in map(list, combinations(before.columns, ways)):
        shares = [
            frame.group_by(names).agg((pl.len() / frame.height).alias("share")) for frame in (before, after)
        ]
        both = shares[0].join(shares[1], on=names, how="full", nulls_equal=True)
        gap = both["share"].fill_null(0) - both["share_right"].fill_null(0)
        far.append(gap.abs().sum() / 2)
    return float(np.mean(far))


def release(
    epsilon: float, delta: float | None, is_every_age: bool, ways: int, times: int
) -> list[dict[str, float]]:
    """Private tables of Adult: how far each is, and the seconds of processor it took."""
    people = adult()
    return [_release_once(people, epsilon, delta, is_every_age, ways) for _ in range(times)]


def _release_once(
    people: pl.DataFrame, epsilon: float, delta: float | None, is_every_age: bool, ways: int
) -> dict[str, float]:
    from celosia.perturb import make_perturbation, perturb_frame

    technique = make_perturbation(
        "private-marginals", epsilon=epsilon, delta=delta, ways=ways, **parameters(people, is_every_age)
    )
    run = timed(lambda: perturb_frame(people, technique))
    tables = cut(people, is_every_age), cut(run.result, is_every_age)
    return {
        "rows": run.result.height,
        "pairs": distance(*tables, 2),
        "triples": distance(*tables, 3),
        "processor": run.processor,
    }


def baselines(is_every_age: bool) -> list[list[object]]:
    """What needs no noise: columns as if they were independent, and a fresh sample of the table."""
    people, rng = cut(adult(), is_every_age), np.random.default_rng(1)
    shuffled = people.select(pl.col(name).shuffle(seed=place) for place, name in enumerate(people.columns))
    again = people[rng.integers(0, people.height, people.height)]
    return [
        [name, "", "", table.height, distance(people, table, 2), distance(people, table, 3), ""]
        for name, table in (("independent columns", shuffled), ("a bootstrap", again))
    ]


def show_adult(is_every_age: bool, times: int) -> None:
    """All budgets, beside what is possible without privacy."""
    rows: list[list[object]] = []
    wanted = [(epsilon, None, 2) for epsilon in BUDGETS] + [(epsilon, DELTA, 2) for epsilon in BUDGETS]
    for epsilon, delta, ways in [*wanted, *([] if is_every_age else [(1.0, None, 3)])]:
        runs = call(release, epsilon, delta, is_every_age, ways, times)
        mean = {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}
        name = "private-marginals" if ways == 2 else "private-marginals, ways=3"
        cells: list[object] = [
            name,
            f"{epsilon:g}",
            "" if delta is None else f"{delta:g}",
            round(mean["rows"]),
        ]
        rows.append([*cells, mean["pairs"], mean["triples"], mean["processor"]])
    show(
        f"Adult, 30,162 rows, {'every age a value' if is_every_age else 'ages in ten bins'}: total variation",
        ["table", "epsilon", "delta", "rows", "all pairs", "all triples", "processor s"],
        rows + baselines(is_every_age),
    )


def release_many(rows: int, width: int) -> dict[str, float]:
    """A private table of made-up rows: seconds of processor, seconds, and the peak of memory."""
    from celosia.perturb import make_perturbation, perturb_frame

    rng = np.random.default_rng(7)
    hidden, columns = rng.integers(0, 4, rows), {}
    for place in range(width):
        size = 2 + 3 * place % 19
        drawn = np.where(rng.random(rows) < 0.5, hidden * size // 4, rng.integers(0, size, rows))
        columns[f"c{place}"] = pl.Series(drawn.astype(np.int32)).cast(pl.String)
    people = pl.DataFrame(columns)
    domains = {name: tuple(map(str, range(2 + 3 * place % 19))) for place, name in enumerate(columns)}
    technique = make_perturbation("private-marginals", epsilon=1, domains=domains)
    run = timed(lambda: perturb_frame(people, technique))
    return {
        "rows": run.result.height,
        "pairs": distance(people, run.result, 2),
        "processor": run.processor,
        "seconds": run.seconds,
        "peak": run.result.height and peak_memory(),
    }


def show_many(rows: int, width: int) -> None:
    """The large table."""
    made = call(release_many, rows, width)
    show(
        f"{rows:,} made-up rows, {width} columns of 2 to 20 values, epsilon 1",
        ["rows made", "all pairs", "processor s", "seconds", "peak GB"],
        [[made["rows"], made["pairs"], made["processor"], made["seconds"], made["peak"]]],
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rows", type=int, default=MANY)
    parser.add_argument("--write", action="store_true")
    told = parser.parse_args()
    for is_every_age in (False, True):
        show_adult(is_every_age, 1 if told.quick else 3)
    if not told.quick:
        show_many(told.rows, WIDTH)
    if told.write:
        fill("private_tables")
