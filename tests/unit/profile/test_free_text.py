"""Columns of sentences are told from names, codes and categories, in both languages, and looked into."""

import random

import polars as pl
import pytest

from celosia.profile import PassageKind, holds_free_text, profile_table
from celosia.profile.passages import find_passages
from celosia.profile.passages.kinds import count_passages
from celosia.tables import open_table
from celosia.types import Role

SPANISH = [
    "llamar al hijo {n}",
    "no contesta, se deja mensaje {n}",
    "pendiente de analítica, vuelve el lunes {n}",
    "refiere dolor en la pierna izquierda",
    "vive sola desde que murió su marido",
    "acude con su hija por mareos {n}",
    "pide cambio de médico",
    "está mejor, se va a casa {n}",
]
ENGLISH = [
    "call her son {n}",
    "she did not answer, left a message {n}",
    "waiting for blood tests, comes back on Monday {n}",
    "complains of pain in his left leg",
    "lives alone since her husband died",
    "came with his daughter {n}",
    "wants another doctor, please",
    "feels better and is going home {n}",
]
DIAGNOSES = [
    "renal failure, acute",
    "renal failure, chronic",
    "osteoarthritis of the hip",
    "fracture of the femur, closed",
    "chronic obstructive pulmonary disease",
    "type 2 diabetes mellitus with complications",
    "insuficiencia renal aguda",
    "fractura de cadera izquierda",
    "diabetes mellitus no insulinodependiente",
    "neumonía adquirida en la comunidad",
    "enfermedad pulmonar obstructiva crónica",
    "infarto agudo de miocardio",
]
JOBS = [
    "head of human resources",
    "nurse in intensive care",
    "técnico de laboratorio clínico",
    "auxiliar de enfermería",
]


def notes(templates, rows=200, seed=1):
    chance = random.Random(seed)
    return pl.Series([chance.choice(templates).format(n=chance.randrange(100)) for _ in range(rows)])


@pytest.mark.parametrize("templates", [SPANISH, ENGLISH], ids=["es", "en"])
def test_short_sentences_that_repeat_a_little_are_free_text(templates):
    column = notes(templates)
    assert column.n_unique() < len(column)
    assert holds_free_text(column).is_free_text


@pytest.mark.parametrize("words", [DIAGNOSES, JOBS], ids=["diagnoses", "jobs"])
@pytest.mark.parametrize("rows", [12, 60, 2000])
def test_categories_of_several_words_are_no_free_text(words, rows):
    chance = random.Random(2)
    assert not holds_free_text(pl.Series([chance.choice(words) for _ in range(rows)])).is_free_text


def test_distinct_labels_of_a_classification_are_no_free_text():
    parts = ["femur", "tibia", "radius", "ulna", "clavicle", "rib", "ankle", "skull"]
    labels = [
        f"{how} fracture of the {part}, {when} encounter"
        for how in ("open", "closed")
        for part in parts
        for when in ("initial", "later")
    ]
    assert not holds_free_text(pl.Series(labels)).is_free_text


def test_names_codes_and_numbers_are_no_free_text():
    names = [
        f"{first} {last} {other}"
        for first in ("Ana", "Luis", "Eva")
        for last in ("Gil", "Rey", "Sanz")
        for other in ("Vega", "Cano", "Mora")
    ]
    assert not holds_free_text(pl.Series(names)).is_free_text
    assert not holds_free_text(pl.Series([f"A{i:02d}.{i % 9}" for i in range(100)])).is_free_text
    assert not holds_free_text(pl.Series(range(100))).is_free_text
    assert not holds_free_text(pl.Series([None] * 30, dtype=pl.String)).is_free_text
    assert not holds_free_text(pl.Series([], dtype=pl.String)).is_free_text


def test_a_few_sentences_are_free_text_even_in_a_small_table():
    assert holds_free_text(
        pl.Series([f"The patient {i} fell at home and cannot walk." for i in range(5)])
    ).is_free_text


def test_many_different_sentences_are_free_text_however_often_each_repeats():
    column = pl.Series([f"she came to visit {i}" for i in range(1500)] * 20)
    assert holds_free_text(column).is_free_text


def test_what_is_inside_is_counted_and_told():
    column = pl.Series([f"Avisar a su hija en el 6{i:08d}, o a ana{i}@example.org." for i in range(250)])
    findings = holds_free_text(column)
    assert findings.found == {PassageKind.PHONE: 250, PassageKind.EMAIL: 250}
    assert "250 telephone numbers" in findings.describe()
    assert findings.to_dict()["found"] == {"phone": 250, "email": 250}


def test_only_a_sample_of_a_long_column_is_looked_into_and_that_is_said():
    column = pl.Series([f"She was seen today and says that she is better {i}" for i in range(12_000)])
    with_phones = column + pl.Series([f", call 6{i:08d}." for i in range(12_000)])
    findings = holds_free_text(with_phones)
    assert (findings.looked_at, findings.values) == (10_000, 12_000)
    assert "in 10,000 of 12,000 different values" in findings.describe()


def test_the_answer_does_not_depend_on_the_order_of_the_values():
    column = notes(SPANISH, rows=3000)
    assert holds_free_text(column) == holds_free_text(column.sample(fraction=1, shuffle=True, seed=4))


@pytest.mark.parametrize("name", ["observaciones", "diagnosis", "x"])
def test_free_text_is_proposed_to_be_left_out_whatever_its_name_says(name):
    column = pl.Series(name, [f"Refiere dolor y pide que llamen al 6{i:08d}." for i in range(60)])
    profile = profile_table(open_table(pl.DataFrame([column])))[name]
    assert profile.role is Role.IDENTIFIER
    assert profile.reason.code == "free-text"
    assert "60 telephone numbers" in str(profile.reason)
    assert profile.examples == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paciente Zuleika Otamendi, tel. 945 12 34 56", ["person", "phone"]),
        ("Seen by Dr. Smith on March 3, 2021", ["person", "date"]),
        ("GARCÍA LÓPEZ, ANA acude a consulta", ["person"]),
        ("nacida el 3 de mayo de 1980 en Bogotá", ["date", "place"]),
        ("CURP HEGG560427MVZRRL04", ["identity"]),
        ("CPF 529.982.247-25 y RUT 12.531.909-2", ["identity", "identity"]),
        ("CUIT 20-12345678-6", ["identity"]),
        ("tarjeta 4111 1111 1111 1111", ["account"]),
        ("IBAN ES91 2100 0418 4502 0005 1332", ["account"]),
        ("visto desde 10.0.0.12 en https://example.org/p/7", ["device", "url"]),
        ("C/ Mayor 12, 28013 Madrid", ["place", "postcode", "place"]),
        ("12 Elm Street, Boston, MA 02134", ["place", "place", "postcode"]),
        ("NHC 445566", ["record"]),
        ("su hijo (Pedro) no viene", ["person"]),
    ],
)
def test_passages_are_told_by_their_kind(text, expected):
    assert find_passages(pl.Series([text])).frame.get_column("kind").to_list() == expected


@pytest.mark.parametrize(
    "text",
    [
        "TA 120/80, FC 72, Sat 98%, plaquetas 250.000",
        "Enfermedad de Crohn, síndrome de Down, virus de Epstein-Barr",
        "Follow-up in Cardiology within 48 hours",
        "10 20 30 40 50",
        "glucosa 110 mg/dl, creatinina 0,9",
        "Paracetamol 1 g cada 8 horas",
        "99/99/2024",
    ],
)
def test_measurements_and_diseases_are_no_passages(text):
    assert find_passages(pl.Series([text])).frame.rows() == []


def test_counts_are_said_the_most_frequent_first_one_in_the_singular():
    said = count_passages({PassageKind.DATE: 1, PassageKind.PERSON: 2, PassageKind.URL: 0})
    assert said == "2 names of people, 1 date"
