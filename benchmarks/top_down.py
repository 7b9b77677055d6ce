"""Top-down specialization of Adult, whole and in partitions, beside what was published and the proven optimum.

    .venv/bin/python benchmarks/top_down.py
    ... --write                         and put what was printed into docs/*/benchmarks.md

Ten quasi-identifiers, the published trees with two misspelt countries corrected, missing values replaced by the mode,
k in the partitions twice k. The loss is the mean over rows of the sum of level over height, from 0 to 10. Seconds are
those of the plan: counting, hierarchies of numbers, encoding and search; those of the optimum are its search alone.
"""

import json
import sys
from dataclasses import replace

import polars as pl

from measuring import fill, public_table, show

COLUMNS = [
    *(
        "age",
        "workclass",
        "fnlwgt",
        "education",
        "education-num",
        "marital-status",
        "occupation",
        "relationship",
    ),
    *("race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "class"),
]
QUASI_IDENTIFIERS = (
    *(
        "workclass",
        "education",
        "marital-status",
        "occupation",
        "relationship",
        "race",
        "sex",
        "native-country",
    ),
    *("age", "hours-per-week"),
)
PUBLISHED = {5: 8.25, 50: 8.67, 500: 8.92, 1000: 9.25, 5000: 9.17}
MISSPELT = {"Outlying-US": "Outlying-US(Guam-USVI-etc)", "Trinidad&Tobago": "Trinadad&Tobago"}
PARTITIONS = (3, 5, 20)


def adult_task():
    """Adult as published, without its empty last line."""
    from celosia.hierarchies import Hierarchy
    from celosia.recode.domain import MissingPolicy
    from celosia.recode.task import RecodingTask
    from celosia.tables import open_table

    text = public_table("adult_taxonomies_sparktptds.json").read_text()
    for wrong, right in MISSPELT.items():
        text = text.replace(f'"{wrong}"', f'"{right}"')
    trees = json.loads(text)
    frame = pl.read_csv(
        public_table("adult_uci/adult-train.csv"), has_header=False, new_columns=COLUMNS, infer_schema=False
    )
    frame = frame.with_columns(pl.all().str.strip_chars()).drop_nulls("class")
    return RecodingTask(
        open_table(frame, missing=("", "?")),
        QUASI_IDENTIFIERS,
        (),
        sensitive=("class",),
        given={
            name: Hierarchy.from_tree(name, tree) for name, tree in trees.items() if name in QUASI_IDENTIFIERS
        },
        missing=MissingPolicy.MODE,
    )


def told(plan) -> str:
    """The loss of a plan, and its seconds."""
    return f"{plan.measures['sum-of-heights']:.2f} ({plan.result.seconds:.2f} s)"


def main() -> None:
    """Print the table."""
    from celosia.measure.utility import get_measure
    from celosia.privacy import KAnonymity
    from celosia.recode.optimal import optimal_search
    from celosia.recode.techniques import make_technique

    bare, measure, rows = adult_task(), get_measure("sum-of-heights"), []
    make_technique("top-down").plan(replace(bare, models=(KAnonymity(k=5000),)))  # everything is loaded once
    for k, published in PUBLISHED.items():
        task = replace(bare, models=(KAnonymity(k=k),))
        whole = make_technique("top-down").plan(task)
        parts = [make_technique("two-phase", partitions=n, k_partition=2 * k).plan(task) for n in PARTITIONS]
        by_loss = make_technique("top-down", score="loss-per-privacy").plan(task)
        evaluator = make_technique("top-down").prepare(task).evaluator.with_measures([measure])
        optimum = optimal_search(evaluator, measure)
        proven = "" if optimum.is_proven else " not proven"
        best = f"{optimum.best.measures[measure.name]:.2f} ({optimum.seconds:.2f} s){proven}"
        rows.append([f"{k:,}", f"{published:.2f}", *map(told, [whole, *parts, by_loss]), best])
    show(
        "Adult, 32,561 rows, 10 quasi-identifiers: loss from 0 to 10",
        [
            "k",
            "published",
            "top-down",
            *(f"{n} partitions" for n in PARTITIONS),
            "loss-per-privacy",
            "optimum",
        ],
        rows,
    )


if __name__ == "__main__":
    main()
    if "--write" in sys.argv:
        fill("top_down")
