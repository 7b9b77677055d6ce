"""Hospital discharges of people who do not exist.

Names and numbers are made up: the identity numbers lie in a range that is not issued, with valid check
letters so that they are recognized as what they are.
"""

from collections.abc import Iterable
from datetime import date
from itertools import chain, product

import numpy as np
import polars as pl

from celosia.sample.drawing import LevelTable, by_group, draw, forget, pick, reached, zipf
from celosia.sample.lists import (
    AGE_WEIGHTS,
    CHAPTERS,
    DIAGNOSES,
    EDUCATION,
    EDUCATION_WEIGHTS,
    FIRST_NAMES,
    LAST_NAMES,
    MARITAL,
    MARITAL_WEIGHTS,
    NATIONALITIES,
    NATIONALITY_WEIGHTS,
    OCCUPATIONS,
    OUTCOME_WEIGHTS,
    OUTCOMES,
    SEVERITIES,
    SEVERITY_WEIGHTS,
    WORK_WEIGHTS,
)
from celosia.sample.notes import write_notes
from celosia.sample.spanish import COLUMNS as SPANISH
from celosia.sample.spanish import hierarchies_in_spanish, in_spanish
from celosia.types import Role

__all__ = ["discharge_hierarchies", "discharges", "roles"]

CHECK_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
NOT_ISSUED = 90_000_000
"""Spanish identity numbers from here on are not issued."""

MEAN_DAYS = np.array([row[3] for row in DIAGNOSES], np.float32)
LONGER = np.array([0.7, 1.0, 1.5, 2.2], np.float32)
"""How much longer a stay is by severity."""

FIRST_DAY = (date(2022, 1, 1) - date(1970, 1, 1)).days


def discharges(rows: int, *, seed: int = 7, language: str = "en") -> pl.DataFrame:
    """Hospital discharges in order of admission: who, when, why, how long, how much, how it ended, and notes.

    About one patient in twelve comes back, with the same name, number, birth date and postcode. In Spanish
    (``language="es"``) they are the same people, with other words.

    >>> discharges(3).select("age", "sex", "diagnosis").shape
    (3, 3)
    >>> discharges(100).equals(discharges(100))
    True
    >>> discharges(3, language="es").columns[:3]
    ['num_historia', 'nombre', 'dni']
    """
    generator = np.random.default_rng(seed)
    persons = patients(round(rows * 0.92), generator)
    again = generator.integers(0, max(1, len(persons)), rows - len(persons))
    visits = generator.permutation(np.concatenate([np.arange(len(persons)), again]))
    who = persons[visits]
    record = pl.Series("record_number", np.arange(1_000_001, 1_000_001 + rows))
    table = pl.DataFrame([record, *in_words(who), *stays(who, generator)])
    notes = write_notes(
        table["patient_name"], table["discharge_date"], generator=generator, language=language
    )
    table = table.with_columns(notes).select(*roles())
    return in_spanish(table) if language == "es" else table


def roles(language: str = "en") -> dict[str, Role]:
    """The role of every column of ``discharges``, in its order. Free text is left out like an identifier.

    >>> roles()["national_id"].value, roles("es")["dni"].value
    ('identifier', 'identifier')
    """
    groups = {
        Role.IDENTIFIER: "record_number patient_name national_id notes",
        Role.QUASI_IDENTIFIER: """birth_date age sex postcode marital_status education occupation nationality
            admission_date discharge_date""",
        Role.COMMON: "department length_of_stay cost",
        Role.SENSITIVE: "diagnosis_code diagnosis severity outcome",
    }
    role_of = {column: role for role, columns in groups.items() for column in columns.split()}
    return {(SPANISH[name] if language == "es" else name): role_of[name] for name in SPANISH}


def discharge_hierarchies(language: str = "en") -> dict[str, LevelTable]:
    """Level tables of the columns of ``discharges`` that hold categories.

    >>> discharge_hierarchies()["marital_status"][0]
    ('single', 'alone', '*')
    >>> discharge_hierarchies("es")["estado_civil"][1]
    ('matrimonio', 'en pareja', '*')
    """
    tables: dict[str, LevelTable] = {
        "sex": [("F", "*"), ("M", "*")],
        "marital_status": [(value, group, "*") for value, group in MARITAL.items()],
        "education": [(value, group, "*") for value, group in EDUCATION.items()],
        "occupation": [(value, group, "*") for group, values in OCCUPATIONS.items() for value in values],
        "nationality": [(value, group, "*") for group, values in NATIONALITIES.items() for value in values],
        "diagnosis": [(name, CHAPTERS[code[0]], "*") for code, name, *_ in DIAGNOSES],
        "diagnosis_code": [(code, CHAPTERS[code[0]], "*") for code, *_ in DIAGNOSES],
    }
    return hierarchies_in_spanish(tables) if language == "es" else tables


def patients(size: int, generator: np.random.Generator) -> pl.DataFrame:
    """One row per person with what does not change between two stays, encoded; -1 where it is not known."""
    age = draw(generator, AGE_WEIGHTS, size) * 5 + generator.integers(0, 5, size, dtype=np.int32)
    born = FIRST_DAY - (age * 365.2425).astype(np.int32) - generator.integers(1, 366, size, dtype=np.int32)
    is_man = generator.random(size, dtype=np.float32) < np.where(age > 70, 0.44, 0.49)
    stage = reached(age, [6, 16, 25, 65])
    education = by_group(generator, stage, EDUCATION_WEIGHTS)
    working = by_group(generator, reached(education, [3, 5]), WORK_WEIGHTS)
    studying = np.where(generator.random(size, dtype=np.float32) < 0.6, 2, working)
    occupation = np.choose(stage, [0, 1, studying, working, 4])
    last, mother = (draw(generator, zipf(50, 0.7), size) for _ in range(2))
    province = (draw(generator, zipf(52, 0.8), size) * 29 + 27) % 52 + 1
    codes = {
        "birth_date": born,
        "sex": is_man,
        "postcode": forget(province * 1000 + 1 + draw(generator, zipf(120, 0.9), size) * 7, 0.003, generator),
        "marital_status": forget(by_group(generator, stage, MARITAL_WEIGHTS), 0.01, generator),
        "education": forget(education, 0.02, generator),
        "occupation": forget(occupation, 0.02, generator),
        "nationality": draw(generator, NATIONALITY_WEIGHTS, size),
        "patient_name": ((generator.integers(0, 30, size, dtype=np.int32) + 30 * is_man) * 50 + last) * 50
        + mother,
        # Multiplying by a number prime to the range spreads the numbers and repeats none of ten million.
        "national_id": NOT_ISSUED + np.arange(size) * 7_654_321 % 10_000_000,
    }
    return pl.DataFrame({name: column.astype(np.int32) for name, column in codes.items()})


def in_words(who: pl.DataFrame) -> list[pl.Series]:
    """The columns of ``patients`` as people read them."""
    first, last = FIRST_NAMES.split(), LAST_NAMES.split()
    words: dict[str, Iterable[str]] = {
        "sex": ("F", "M"),
        "postcode": (f"{code:05d}" for code in range(53_000)),
        "marital_status": MARITAL,
        "education": EDUCATION,
        "occupation": chain(*OCCUPATIONS.values()),
        "nationality": chain(*NATIONALITIES.values()),
        "patient_name": (" ".join(names) for names in product(first, last, last)),
    }
    letters = pick(CHECK_LETTERS, who["national_id"] % 23)
    return [
        who["birth_date"].cast(pl.Date),
        *(pick(some, who[name]).alias(name) for name, some in words.items()),
        who.select(pl.concat_str("national_id", letters).alias("national_id")).to_series(),
    ]


def stays(who: pl.DataFrame, generator: np.random.Generator) -> list[pl.Series]:
    """The stays of the persons in ``who``: age and sex bring diagnoses, these days, cost and outcome."""
    admitted = FIRST_DAY + np.sort(generator.integers(0, 3 * 365, len(who), dtype=np.int32))
    age = ((admitted - who["birth_date"].to_numpy()) / 365.2425).astype(np.int32)
    group = 2 * reached(age, [15, 48, 65]) + who["sex"].to_numpy()
    diagnosis = by_group(generator, group, [[row[4][g] for row in DIAGNOSES] for g in range(8)])
    severity = by_group(generator, reached(age, [45, 75]), SEVERITY_WEIGHTS)
    mean = MEAN_DAYS[diagnosis] * LONGER[severity]
    days = np.minimum(
        1 + (mean * generator.standard_exponential(len(who), dtype=np.float32)).astype(np.int32), 180
    )
    daily = 610 * (1 + 0.4 * severity) * np.exp(0.25 * generator.standard_normal(len(who), dtype=np.float32))
    cents = ((900 + daily * days) * 100).astype(np.int64)
    outcome = forget(by_group(generator, severity, OUTCOME_WEIGHTS), 0.01, generator)
    return [
        pl.Series("age", age.astype(np.int64)),
        pl.Series("admission_date", admitted).cast(pl.Date),
        pl.Series("discharge_date", admitted + days).cast(pl.Date),
        pick([row[2] for row in DIAGNOSES], diagnosis).alias("department"),
        pick([row[0] for row in DIAGNOSES], diagnosis).alias("diagnosis_code"),
        pick([row[1] for row in DIAGNOSES], diagnosis).alias("diagnosis"),
        pick(SEVERITIES, severity).alias("severity"),
        pl.Series("length_of_stay", days.astype(np.int64)),
        (pl.Series("cost", cents).cast(pl.Decimal(14, 2)) / 100).cast(pl.Decimal(12, 2)),
        pick(OUTCOMES, outcome).alias("outcome"),
    ]
