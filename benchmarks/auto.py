"""What a person gets who accepts every proposal: five made-up tables nobody tuned for, and what choosing costs.

    .venv/bin/python benchmarks/auto.py              tables and costs
    .venv/bin/python benchmarks/auto.py --tables     what is lost at k = 5, by technique
    .venv/bin/python benchmarks/auto.py --costs      processor seconds of auto and of the technique taken alone

The tables are drawn anew from fixed seeds; roles are those that `celosia profile` proposes.
"""

import argparse
import time

import numpy as np
import polars as pl

import celosia
from celosia.types import Role
from measuring import show
from mondrian import EIGHT, read_adult


def pupils(rows: int = 4_000):
    """Marks of a school district: few values, skewed places."""
    random = np.random.default_rng(11)
    school = random.choice(24, rows, p=_skewed(24))
    return pl.DataFrame(
        {
            "age": random.integers(11, 19, rows),
            "sex": random.choice(["girl", "boy"], rows),
            "postcode": [
                f"4{place:02}{extra}0"
                for place, extra in zip(school, random.integers(0, 5, rows), strict=True)
            ],
            "nationality": random.choice(
                ["ES", "MA", "RO", "CO", "CN"], rows, p=[0.82, 0.07, 0.05, 0.04, 0.02]
            ),
            "mark": random.normal(6.2, 1.8, rows).clip(0, 10).round(1),
        }
    )


def clients(rows: int = 20_000):
    """Clients of a bank: skewed numbers, a city and its department."""
    random = np.random.default_rng(12)
    city = random.choice(60, rows, p=_skewed(60))
    return pl.DataFrame(
        {
            "age": random.normal(46, 15, rows).clip(18, 95).astype(int),
            "sex": random.choice(["F", "M"], rows),
            "city": [f"city {number:02}" for number in city],
            "department": [f"department {number // 6:02}" for number in city],
            "occupation": random.choice(
                [f"occupation {number}" for number in range(18)], rows, p=_skewed(18)
            ),
            "marital_status": random.choice(
                ["single", "married", "divorced", "widowed"], rows, p=[0.35, 0.45, 0.13, 0.07]
            ),
            "income": random.lognormal(10, 0.6, rows).round(-2).astype(int),
        }
    )


def patients(rows: int = 30_000):
    """Visits of a clinic: ages, regions, weight and height that go together."""
    random = np.random.default_rng(13)
    height = random.normal(168, 10, rows).round().astype(int)
    return pl.DataFrame(
        {
            "age": random.integers(0, 96, rows),
            "sex": random.choice(["f", "m"], rows),
            "region": random.choice([f"region {number:02}" for number in range(19)], rows, p=_skewed(19)),
            "height": height,
            "weight": (height - 98 + random.normal(0, 9, rows)).round().astype(int),
            "education": random.choice(
                ["none", "primary", "secondary", "university"], rows, p=[0.08, 0.3, 0.4, 0.22]
            ),
            "diagnosis": random.choice(["J45", "I10", "E11", "F32", "K21"], rows),
        }
    )


def survey(rows: int = 8_000):
    """A survey of households: many categories of few values."""
    random = np.random.default_rng(14)
    return pl.DataFrame(
        {
            "birth_year": random.integers(1935, 2006, rows),
            "sex": random.choice(["woman", "man"], rows),
            "province": random.choice([f"province {number:02}" for number in range(50)], rows, p=_skewed(50)),
            "household_size": random.choice(7, rows, p=[0.2, 0.3, 0.2, 0.17, 0.08, 0.03, 0.02]) + 1,
            "employment": random.choice(
                ["employed", "retired", "student", "other"],
                rows,
                p=[0.6, 0.22, 0.12, 0.06],
            ),
            "vote": random.choice(["a", "b", "c", "none"], rows),
        }
    )


def drivers(rows: int = 50_000):
    """Insured drivers: dates and numbers."""
    random = np.random.default_rng(15)
    age = random.integers(18, 85, rows)
    return pl.DataFrame(
        {
            "age": age,
            "sex": random.choice(["F", "M"], rows, p=[0.45, 0.55]),
            "postcode": [
                f"{place:02}0{extra}0"
                for place, extra in zip(
                    random.choice(52, rows, p=_skewed(52)) + 1, random.integers(0, 8, rows), strict=True
                )
            ],
            "licence_years": (age - 18 - random.integers(0, 12, rows)).clip(0),
            "car_power": random.choice([54, 66, 77, 81, 96, 110, 132, 150], rows),
            "claims": random.poisson(0.3, rows),
        }
    )


def _skewed(size: int):
    weights = 1 / np.arange(1, size + 1)
    return weights / weights.sum()


TABLES = {"pupils": pupils, "clients": clients, "patients": patients, "survey": survey, "drivers": drivers}


def roles_of(frame) -> dict:
    """The roles that are proposed; a column that is nobody's secret is common."""
    roles = {column.name: column.role for column in celosia.profile_table(frame)}
    named = {
        "quasi_identifiers": Role.QUASI_IDENTIFIER,
        "sensitive": Role.SENSITIVE,
        "identifiers": Role.IDENTIFIER,
        "common": Role.COMMON,
    }
    return {
        option: [name for name, role in roles.items() if role is wanted] for option, wanted in named.items()
    }


def tables() -> None:
    """What is lost of every table at k = 5, accepting all proposals."""
    rows = []
    for name, make in TABLES.items():
        frame = make()
        roles = roles_of(frame)
        release = celosia.anonymize(frame, k=5, seed=1, **roles)
        chosen = release.record["auto"]
        worst = max(other["value"] for other in chosen["others"])
        rows.append(
            [
                name,
                frame.height,
                len(roles["quasi_identifiers"]),
                chosen["technique"]["name"],
                f"{chosen['value']:.1%}",
                release.written.suppressed,
                f"{worst:.1%}",
            ]
        )
    show(
        "Accepting every proposal at k = 5",
        ["table", "rows", "quasi-identifiers", "taken", "loss", "rows left out", "loss of the worst tried"],
        rows,
    )


def costs() -> None:
    """Processor seconds of a release by auto, and by the technique it took."""
    frame = read_adult().select(EIGHT)
    rows = []
    for name, table in (("Adult, 8 columns", frame), ("1,000,000 rows x 8", million())):
        asked = {"quasi_identifiers": table.columns, "k": 5, "seed": 1}
        release = celosia.anonymize(table, **asked)  # loops are loaded, and the choice is known
        taken = dict(release.record["auto"]["technique"])
        alone = _seconds(table, {**asked, "technique": taken["name"]})
        auto = _seconds(table, asked)
        rows.append([name, taken["name"], round(alone, 2), round(auto, 2), round(auto / alone, 2)])
    show("What choosing costs", ["table", "taken", "alone, processor s", "auto, processor s", "ratio"], rows)


def million():
    """A million people with eight columns."""
    random, rows = np.random.default_rng(1), 1_000_000
    return pl.DataFrame(
        {
            "age": random.integers(18, 90, rows),
            "zip": random.integers(10000, 10800, rows),
            "sex": random.choice(["f", "m"], rows),
            "education": random.choice([f"e{number}" for number in range(16)], rows),
            "job": random.choice([f"j{number}" for number in range(14)], rows),
            "race": random.choice(list("abcde"), rows, p=[0.8, 0.1, 0.05, 0.03, 0.02]),
            "hours": random.normal(40, 10, rows).clip(1, 99).astype(int),
            "country": random.choice([f"c{number}" for number in range(40)], rows, p=_skewed(40)),
        }
    )


def _seconds(table, asked: dict) -> float:
    """The least of three runs."""
    seconds = []
    for _ in range(3):
        started = time.process_time()
        celosia.anonymize(table, **asked)
        seconds.append(time.process_time() - started)
    return min(seconds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--costs", action="store_true")
    given = parser.parse_args()
    if given.tables or not given.costs:
        tables()
    if given.costs or not given.tables:
        costs()
