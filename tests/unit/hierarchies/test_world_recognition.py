"""Columns of every domain of the world, in both languages, with typing errors and values that nobody knows."""

import random

import polars as pl
import pytest

from celosia.errors import HierarchyError
from celosia.hierarchies import build_by_rule, check, propose
from celosia.hierarchies.world import known_domains, recognize
from celosia.types import ColumnType

COLUMNS = {
    "countries": (
        "country",
        "pais",
        "Spain France Italy Peru China Kenya",
        "España Francia Italia Perú China Kenia",
    ),
    "spain": (
        "province",
        "provincia",
        "Madrid Seville Lugo Soria Vizcaya",
        "Madrid Sevilla Lugo Soria Bizkaia",
    ),
    "colombia": (
        "department",
        "departamento",
        "Antioquia Chocó Meta Huila Nariño",
        "ANTIOQUIA choco Meta Huila narino",
    ),
    "uruguay": (
        "department",
        "depto",
        "Montevideo Salto Rocha Rivera Flores",
        "Montevideo Salto Rocha Rivera Flores",
    ),
    "us_states": (
        "state",
        "estado",
        "Texas Ohio Nevada Utah Oregon Florida",
        "Texas Ohio Nevada Utah Oregón Florida",
    ),
    "us_zip3": ("zip", "zip", "94110 10025 60601 77002 80202", "94110 10025 60601 77002 80202"),
    "spain_postcodes": (
        "cp",
        "codigo_postal",
        "28001 28013 08001 41001 27003",
        "28001 28013 08001 41001 27003",
    ),
    "colombia_dane": ("dane", "cod_dane", "05001 11001 76001 08001 05002", "05001 11001 76001 08001 05002"),
    "nuts": ("nuts3", "nuts", "ES611 ES300 FR101 DE212 ES612", "ES611 ES300 FR101 DE212 ES612"),
    "languages": (
        "language",
        "idioma",
        "Spanish English Arabic Basque Quechua",
        "español inglés árabe euskera quechua",
    ),
    "icd10": ("diagnosis", "diagnostico", "J45.1 J18 I10 E11.9 J46 C50", "J45.1 J18 I10 E11.9 J46 C50"),
    "icd9": ("icd9", "cie9", "250.00 250.01 401.9 V30.0 E812.0", "250.00 250.01 401.9 V30.0 E812.0"),
    "atc": (
        "atc",
        "codigo_atc",
        "A10BA02 A10BB01 C09AA05 N02BE01 N02BA01",
        "A10BA02 A10BB01 C09AA05 N02BE01 N02BA01",
    ),
    "isco": (
        "occupation",
        "ocupacion",
        "nurse waiter lawyer farmer driver",
        "enfermera camarero abogado agricultora taxista",
    ),
    "isco_codes": ("isco", "ciuo", "2221 2222 5131 6111 8322", "2221 2222 5131 6111 8322"),
    "isced": (
        "education",
        "nivel_estudios",
        "primary bachelor master doctorate",
        "Primaria Licenciatura Máster Doctorado",
    ),
    "ages": ("age", "edad", "31 34 38 52 71 93", "31 34 38 52 71 93"),
    "times": ("time", "hora", "08:15 08:40 13:05 22:10:30", "08:15 08:40 13:05 22:10:30"),
    "emails": (
        "email",
        "correo",
        "a@gmail.com b@gmail.com c@uni.edu",
        "a@gmail.com b@hotmail.es c@salud.gob.es",
    ),
    "networks": ("ip", "direccion_ip", "192.0.2.1 192.0.2.7 198.51.100.4", "192.0.2.1 192.0.2.7 2001:db8::1"),
    "ibans": (
        "iban",
        "cuenta",
        *["ES9121000418450200051332 ES7921000813610123456789 DE89370400440532013000"] * 2,
    ),
    "coordinates": (
        "latitude",
        "latitud",
        "40.4168 40.4171 41.3874 37.3891",
        "40.4168 40.4171 41.3874 37.3891",
    ),
}


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("domain", sorted(COLUMNS))
def test_a_column_is_recognized_in_spite_of_typing_errors_and_what_is_not_known_is_named(
    domain: str, language: str
) -> None:
    column, values = (
        COLUMNS[domain][0 if language == "en" else 1],
        COLUMNS[domain][2 if language == "en" else 3].split(),
    )
    rng = random.Random(7)
    cells = [rng.choice(values) for _ in range(2_000)]
    typed = {place: f"{cells[place]}~{place}" for place in rng.sample(range(2_000), 20)} | {
        5: "Mordor",
        6: "Narnia",
    }
    for place, text in typed.items():
        cells[place] = text
    counted = pl.Series("value", cells).value_counts().sort("value")
    recognition = recognize(column, counted["value"], counts=counted["count"].to_numpy(), language=language)
    assert recognition is not None
    assert recognition.domain.name == domain
    assert sorted(recognition.unknown) == sorted(set(typed.values()))
    assert not check(recognition.hierarchy.rows(), counted["value"].to_list())


def test_every_domain_has_a_column_here() -> None:
    assert sorted(COLUMNS) == sorted(known_domains())


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("zip", ["28001", "28004", "08001"]),  # of Spain or of the USA: both have them
        ("code", ["1", "2", "3", "4", "5", "6", "7", "8", "9"]),
        ("answer", ["no", "it", "si"]),  # codes of countries, too, and hardly meant so
        ("group", ["31", "38", "52"]),
        ("animal", ["cat", "dog", "emu"]),
    ],
)
def test_what_may_mean_something_else_is_not_guessed(column: str, values: list[str]) -> None:
    assert recognize(column, pl.Series(values)) is None


def test_names_that_several_countries_have_go_by_the_name_of_the_column() -> None:
    places = pl.Series(["Córdoba", "Santander", "Bolívar", "Sucre"])
    recognition = recognize("departamento", places)
    assert recognition is not None
    assert recognition.domain.name == "colombia"


def test_rare_categories_become_one_by_steps() -> None:
    values = ["cat", "dog", "emu", "yak", "owl"]
    proposal = propose("pet", values, type=ColumnType.TEXT, counts=[600, 350, 38, 7, 5], language="es")
    assert proposal.hierarchy.rows() == [
        ("cat", "cat", "cat", "*"),
        ("dog", "dog", "dog", "*"),
        ("emu", "emu", "otros", "*"),
        ("owl", "otros", "otros", "*"),
        ("yak", "otros", "otros", "*"),
    ]


def test_money_gets_round_steps_that_follow_its_distribution() -> None:
    rng = random.Random(3)
    values = [str(round(rng.lognormvariate(10, 1))) for _ in range(500)]
    proposal = propose("salario", values, type=ColumnType.INTEGER)
    rows = [
        len(group)
        for _, group in pl.DataFrame({"l": list(proposal.hierarchy.level(1).values())}).group_by("l")
    ]
    assert proposal.reason.startswith("money from")
    assert max(rows) < 2 * min(rows) + 5


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"rule": "cuntries"}, "did you mean 'countries'"),
        ({"rule": "ages", "width": 5}, "takes no 'width'"),
        ({"rule": "ages", "language": "fr"}, "there is no language 'fr'"),
        ({"rule": "intervals", "bins": 1}, "2 or more"),
    ],
)
def test_a_rule_that_is_wrong_is_told(rule: dict[str, object], message: str) -> None:
    with pytest.raises(HierarchyError, match=message):
        build_by_rule("age", ["31", "38"], rule)
