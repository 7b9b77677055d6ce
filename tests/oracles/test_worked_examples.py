"""The worked examples of "Incognito over relational databases", and what brute force says where its print is wrong."""

import numpy as np
import polars as pl
import pytest

import celosia
from celosia.api import ReleaseRequest, build_project
from celosia.recode.frequency import FrequencySets
from celosia.recode.incognito import incognito
from celosia.run import prepare

POSTCODES = [("53706", "5370*", "537**"), ("53715", "5371*", "537**"), ("53703", "5370*", "537**")]
BIRTHS = [("1986", "198*", "19**"), ("1996", "199*", "19**")]
SEXES = [("M", "Persona"), ("F", "Persona")]
PATIENTS = pl.DataFrame(
    {
        "fnac": ["1986", "1996", "1986", "1986", "1996", "1986"],
        "sexo": ["M", "F", "M", "M", "F", "F"],
        "cod_postal": ["53715", "53715", "53703", "53703", "53706", "53706"],
        "dolencia": ["gripe", "neumonía", "bronquitis", "fractura brazo", "apendicitis", "fractura pierna"],
    }
)
TABLES = {"fnac": BIRTHS, "sexo": SEXES, "cod_postal": POSTCODES}


def every_search(frame, columns, hierarchies, k):
    """The valid nodes by exploring, which Incognito must confirm, and the optima by height."""
    chosen = {name: hierarchies[name] for name in columns}
    found = celosia.explore(frame, quasi_identifiers=columns, hierarchies=chosen, k=k)
    project = build_project(ReleaseRequest.of(frame, quasi_identifiers=columns, k=k))
    objects = {name: celosia.Hierarchy.from_rows(name, rows) for name, rows in chosen.items()}
    prepared = prepare(project, source=frame, hierarchies=objects)
    assert list(incognito(prepared.evaluator).nodes) == found.valid_nodes()
    return found.valid_nodes(), found.best_nodes("height")


@pytest.mark.parametrize(
    ("columns", "k", "valid", "optima"),
    [
        (["fnac", "cod_postal"], 2, [(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)], [(0, 2), (2, 0)]),
        (["fnac", "cod_postal"], 3, [(2, 2)], [(2, 2)]),
        (
            ["fnac", "sexo", "cod_postal"],
            2,
            [(0, 1, 2), (1, 1, 2), (2, 0, 2), (2, 1, 0), (2, 1, 1), (2, 1, 2)],
            [(0, 1, 2), (2, 1, 0)],
        ),
        (["fnac", "sexo", "cod_postal"], 3, [(2, 0, 2), (2, 1, 2)], [(2, 0, 2)]),
    ],
)
def test_the_first_test_gives_its_candidates_and_all_tied_optima(columns, k, valid, optima):
    assert every_search(PATIENTS, columns, TABLES, k) == (valid, optima)


STUDENTS = pl.DataFrame(
    [
        ("Navalcarnero", "M", "ENFERMERIA", "medio"),
        ("Torrelaguna", "F", "ENFERMERIA", "medio"),
        ("Ampudia", "M", "MEDICINA", "alto"),
        ("Palenzuela", "M", "MECANICA", "bajo"),
        ("Navalcarnero", "F", "QUIMICA", "bajo"),
        ("Navalcarnero", "F", "BIOLOGIA", "bajo"),
        ("Palenzuela", "M", "ENFERMERIA", "medio"),
        ("Palenzuela", "M", "MEDICINA", "alto"),
        ("Gama", "F", "INFORMATICA", "alto"),
        ("Mogarraz", "F", "TELECOMUNICACIONES", "alto"),
        ("Palenzuela", "M", "ELECTRONICA", "alto"),
        ("Medina del Campo", "M", "BIOLOGIA", "medio"),
        ("Medina de Rioseco", "F", "ELECTRONICA", "alto"),
        ("Candelario", "M", "BIOLOGIA", "bajo"),
        ("Ampudia", "M", "BIOLOGIA", "alto"),
        ("Palenzuela", "M", "MEDICINA", "medio"),
        ("Medina del Campo", "M", "ENFERMERIA", "medio"),
        ("Medina de Rioseco", "F", "ENFERMERIA", "alto"),
        ("Gama", "M", "MEDICINA", "alto"),
    ],
    schema=["residencia", "sexo", "campo", "ingresos"],
    orient="row",
)
HOMES = [
    ("Gama", "Salamanca", "CyL", "España"),
    ("Torrelaguna", "Palencia", "CyL", "España"),
    ("Candelario", "Salamanca", "CyL", "España"),
    ("Ampudia", "Valladolid", "CyL", "España"),
    ("Navalcarnero", "Madrid", "Madrid", "España"),
    ("Medina del Campo", "Palencia", "CyL", "España"),
    ("Medina de Rioseco", "Palencia", "CyL", "España"),
    ("Palenzuela", "Valladolid", "CyL", "España"),
    ("Mogarraz", "Madrid", "Madrid", "España"),
]
FIELDS = [
    ("MEDICINA", "ciencias", "natural", "general"),
    ("INFORMATICA", "salud", "natural", "general"),
    ("BIOLOGIA", "TIC", "ingenieria", "general"),
    ("TELECOMUNICACIONES", "TIC", "ingenieria", "general"),
    ("QUIMICA", "ciencias", "natural", "general"),
    ("MECANICA", "salud", "natural", "general"),
    ("ENFERMERIA", "industrial", "ingenieria", "general"),
    ("ELECTRONICA", "industrial", "ingenieria", "general"),
]
AS_PRINTED = {"residencia": HOMES, "sexo": SEXES, "campo": FIELDS}
AS_PUBLISHED = {**AS_PRINTED, "campo": [(value, area, top) for value, _, area, top in FIELDS]}


@pytest.mark.parametrize(
    ("hierarchies", "k", "valid"),
    [
        (AS_PRINTED, 3, [(1, 1, 3), (2, 1, 3), (3, 0, 3), (3, 1, 2), (3, 1, 3)]),
        (AS_PUBLISHED, 3, [(1, 1, 2), (2, 1, 2), (3, 0, 2), (3, 1, 1), (3, 1, 2)]),
        (AS_PRINTED, 2, [(1, 1, 3), (2, 1, 3), (3, 0, 2), (3, 0, 3), (3, 1, 1), (3, 1, 2), (3, 1, 3)]),
        (AS_PRINTED, 4, [(2, 1, 3), (3, 0, 3), (3, 1, 2), (3, 1, 3)]),
        (AS_PRINTED, 5, [(3, 0, 3), (3, 1, 2), (3, 1, 3)]),
    ],
)
def test_the_second_test_in_both_readings(hierarchies, k, valid):
    assert every_search(STUDENTS, ["residencia", "sexo", "campo"], hierarchies, k)[0] == valid


def test_the_third_test_has_13_candidates_of_18_and_one_optimum():
    random = np.random.default_rng(3)
    births, codes = [str(year) for year in range(1970, 1990)], ["53706", "53715", "53710", "53703"]
    frame = pl.DataFrame(
        {
            "fnac": random.choice(births, 6_000),
            "sexo": random.choice(["F", "M"], 6_000),
            "cod_postal": random.choice(codes, 6_000),
            "dolencia": ["enfermedad"] * 6_000,
        }
    )
    hierarchies = {
        "fnac": [(year, year[:3] + "*", "19**") for year in births],
        "sexo": SEXES,
        "cod_postal": [(code, code[:4] + "*", "537**") for code in codes],
    }
    valid, optima = every_search(frame, ["fnac", "sexo", "cod_postal"], hierarchies, 200)
    everything = {(a, b, c) for a in range(3) for b in range(2) for c in range(3)}
    assert everything - set(valid) == {(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 0), (0, 1, 1)}
    assert optima == [(1, 0, 0)]


def test_the_frequency_set_of_table_3_5_rolls_up_as_in_table_3_8():
    frame = pl.DataFrame(
        {"sexo": ["M", "M", "F", "M", "F"], "cp": ["53715", "53710", "90210", "02174", "02237"]}
    )
    codes = celosia.Hierarchy.from_rows("cp", [(code, code[:4] + "*", "*") for code in frame["cp"]])
    project = build_project(ReleaseRequest.of(frame, quasi_identifiers=["sexo", "cp"], k=2))
    sets: FrequencySets = prepare(project, source=frame, hierarchies={"cp": codes}).evaluator.sets
    assert sorted(sets.base.counts) == [1, 1, 1, 1, 1]
    assert sorted(sets.at((0, 1)).counts) == [1, 1, 1, 2]


@pytest.mark.parametrize(
    ("postcodes", "ages", "k"),
    [
        (["37003", "28108", "24700", "24700", "37003", "28108"], [40, 44, 37, 37, 44, 40], 1),
        (
            ["37***", "28***", "24***", "24***", "37***", "28***"],
            ["40-49", "40-49", "30-39", "30-39", "40-49", "40-49"],
            2,
        ),
        (
            ["37***", "28***", "24700", "24700", "37***", "28***"],
            ["40-49", "40-49", "30-39", "30-39", "40-49", "40-49"],
            2,
        ),
    ],
)
def test_tables_3_1_to_3_3_have_the_anonymity_they_are_said_to_have(postcodes, ages, k):
    frame = pl.DataFrame({"cp": postcodes, "edad": ages})
    assert celosia.verify(frame, quasi_identifiers=["cp", "edad"], k=2).smallest == k


def test_table_3_4_suppresses_its_two_outliers():
    frame = pl.DataFrame(
        {
            "cp": ["37003", "28108", "24700", "24700", "37003", "28108", "37891", "50011"],
            "edad": [40, 44, 37, 37, 44, 40, 33, 13],
        }
    )
    hierarchies = {
        "cp": [(code, code[:2] + "***", "*") for code in frame["cp"]],
        "edad": [(str(age), f"{age // 10}0-{age // 10}9", "*") for age in frame["edad"]],
    }
    release = celosia.anonymize(
        frame, quasi_identifiers=["cp", "edad"], hierarchies=hierarchies, k=2, suppression=0.25, node=(1, 1)
    )
    assert release.written.suppressed == 2
    assert sorted(release.table.rows()) == sorted(
        [("37***", "40-49"), ("28***", "40-49"), ("24***", "30-39")] * 2
    )


def test_the_release_of_figure_4_3_is_one_of_the_optima_for_two():
    columns = ["fnac", "sexo", "cod_postal"]
    release = celosia.anonymize(PATIENTS, quasi_identifiers=columns, hierarchies=TABLES, k=2, node=(2, 1, 0))
    expected = PATIENTS.with_columns(fnac=pl.lit("19**"), sexo=pl.lit("Persona"))
    assert release.table.sort("dolencia").equals(expected.sort("dolencia"))
