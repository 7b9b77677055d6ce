"""The column that tells people apart is proposed where one person has several rows."""

import polars as pl
import pytest

from celosia.profile import profile_table
from celosia.project.draft import draft_table
from celosia.tables import open_table


def proposed(**columns):
    return profile_table(open_table(pl.DataFrame(columns))).person


def test_a_number_of_patients_that_repeats_is_proposed_with_counts():
    patients = [f"P{number}" for number in [*range(30), *range(10)]]
    person = proposed(patient_id=patients, year=[2024] * 40)
    assert (person.column, person.people, person.rows, person.several) == ("patient_id", 30, 40, 20)
    assert str(person.sentence) == "20 of 40 rows are of people with several, by 'patient_id'"


def test_spellings_of_one_person_are_one_person():
    patients = [f"{letter}{number}" for number in range(20) for letter in "PpP"]
    assert (proposed(patient_id=patients).people, proposed(patient_id=patients).several) == (20, 60)


@pytest.mark.parametrize(
    "columns",
    [
        {"patient_id": [f"P{number}" for number in range(40)]},
        {"name": ["Ana Gil", "Eva Paz"] * 20},
        {"phone": ["600 100 200", "600 100 201"] * 20},
        {"town": ["Lugo", "Vigo"] * 20},
        {"patient_id": ["P1", "P2"] * 5},
        {"patient_id": [None, *[f"P{number % 20}" for number in range(39)]]},
        {"patient_id": ["P1"] * 40},
    ],
    ids=["unique", "names", "telephones", "no identifier", "few rows", "some missing", "one for all"],
)
def test_nothing_is_proposed_that_does_not_tell_people_apart(columns):
    assert proposed(**columns) is None


def test_the_number_of_a_visit_does_not_hide_that_of_the_patient():
    patients = [f"P{number % 15}" for number in range(30)]
    assert proposed(record_number=list(range(100, 130)), patient_id=patients).column == "patient_id"


def test_a_new_project_names_the_person():
    visits = open_table(pl.DataFrame({"patient_id": [f"P{n % 15}" for n in range(30)], "age": [31, 47] * 15}))
    draft = draft_table(profile_table(visits), visits.schema(), source="a.csv", destination="b.csv")
    assert draft.person == "patient_id"


def test_homonyms_are_not_one_person_where_each_row_has_an_identity_number():
    letters = "TRWAGMYFPDXBNJZSQVHLCKE"
    numbers = [12345678 + 7 * row for row in range(60)]
    names = [
        f"{first} {last}"
        for first in ("María", "José", "Lucía")
        for last in ("García", "Pérez", "López", "Ruiz")
    ]
    frame = pl.DataFrame(
        {"Empleado": names * 5, "DNI": [f"{number}{letters[number % 23]}" for number in numbers]}
    )
    assert profile_table(open_table(frame)).person is None
