"""The sample tables are seeded, believable and come with hierarchies that cover them."""

from datetime import date
from itertools import chain

import polars as pl
import pytest
from stdnum.es import dni

from celosia import sample
from celosia.types import Role

ALIKE = {"M", "gastroenteritis", "sepsis"}
"""Words that both languages have."""


@pytest.fixture(scope="module")
def discharges() -> pl.DataFrame:
    return sample.discharges(20_000)


@pytest.mark.parametrize("rows", [0, 1, 2, 5, 1000])
def test_as_many_rows_as_asked_for(rows):
    assert sample.discharges(rows).height == rows
    assert sample.people(rows).height == rows


def test_a_seed_gives_the_same_table_and_another_seed_another_one():
    for make in (sample.discharges, sample.people):
        assert make(500, seed=3).equals(make(500, seed=3))
        assert not make(500, seed=3).equals(make(500, seed=4))


def test_every_column_has_a_role_and_the_types_are_kept_apart(discharges):
    assert tuple(sample.roles()) == tuple(discharges.columns)
    assert set(sample.roles().values()) == set(Role)
    types = {
        "record_number": pl.Int64,
        "postcode": pl.String,
        "birth_date": pl.Date,
        "cost": pl.Decimal(12, 2),
    }
    assert {name: discharges.schema[name] for name in types} == types


def test_identity_numbers_are_valid_and_none_that_is_issued(discharges):
    numbers = discharges["national_id"]
    assert all(dni.is_valid(number) for number in numbers.unique().sample(300, seed=1).to_list())
    assert numbers.str.slice(0, 8).cast(pl.Int64).min() >= 90_000_000


def test_a_patient_who_comes_back_is_the_same_person(discharges):
    person = ["national_id", "patient_name", "birth_date", "sex", "postcode", "education", "nationality"]
    assert discharges.select(person).n_unique() == discharges["national_id"].n_unique()
    assert 0.88 < discharges["national_id"].n_unique() / discharges.height < 0.95
    assert discharges["record_number"].is_unique().all()


def test_dates_ages_and_stays_agree(discharges):
    days = (discharges["discharge_date"] - discharges["admission_date"]).dt.total_days()
    assert days.equals(discharges["length_of_stay"].rename("discharge_date"))
    years = (discharges["admission_date"] - discharges["birth_date"]).dt.total_days() / 365.2425
    assert (years.floor() - discharges["age"]).abs().max() == 0
    assert discharges["age"].is_between(0, 100).all()
    assert discharges["admission_date"].is_sorted()
    assert discharges["admission_date"].min() >= date(2022, 1, 1)


def test_diagnoses_depend_on_age_and_sex(discharges):
    births = discharges.filter(pl.col("department") == "obstetrics")
    assert births.height > 100
    assert births["sex"].unique().to_list() == ["F"]
    assert births["age"].is_between(15, 47).all()
    assert discharges.filter(pl.col("diagnosis") == "prostate cancer")["sex"].unique().to_list() == ["M"]
    assert discharges.filter(pl.col("diagnosis") == "heart failure")["age"].mean() > 65
    assert discharges.filter(pl.col("diagnosis") == "acute bronchiolitis")["age"].max() < 15


def test_people_live_the_life_of_their_age(discharges):
    assert discharges.filter(pl.col("age") < 16)["marital_status"].drop_nulls().unique().to_list() == [
        "single"
    ]
    assert discharges.filter(pl.col("age") >= 70)["occupation"].drop_nulls().unique().to_list() == ["retired"]
    widowed = discharges.group_by(pl.col("age") >= 70).agg((pl.col("marital_status") == "widowed").mean())
    assert dict(widowed.rows())[True] > 5 * dict(widowed.rows())[False]


def test_severe_cases_stay_longer_cost_more_and_die_more(discharges):
    by_severity = discharges.group_by("severity").agg(
        pl.col("length_of_stay").mean(),
        pl.col("cost").cast(pl.Float64).mean(),
        (pl.col("outcome") == "died").mean(),
    )
    order = ["minor", "moderate", "major", "extreme"]
    ranked = by_severity.sort(pl.col("severity").cast(pl.Enum(order)))
    assert ranked["severity"].to_list() == order
    assert all(ranked[column].is_sorted() for column in ("length_of_stay", "cost", "outcome"))


def test_few_values_are_missing_and_only_where_records_have_gaps(discharges):
    missing = {c.name: c.null_count() / len(c) for c in discharges if c.null_count()}
    assert set(missing) == {"postcode", "marital_status", "education", "occupation", "outcome"}
    assert all(share < 0.03 for share in missing.values())


def test_postcodes_have_five_digits_and_are_skewed_over_52_provinces(discharges):
    codes = discharges["postcode"].drop_nulls()
    assert codes.str.contains(r"^\d{5}$").all()
    provinces = codes.str.slice(0, 2).value_counts(sort=True)
    assert provinces.height == 52
    assert provinces["count"][0] > 10 * provinces["count"][-1]


def test_notes_are_sentences_with_names_telephones_and_dates_inside(discharges):
    notes = discharges["notes"]
    telephones = notes.str.count_matches(r"600 \d{3} \d{3}")
    dates = notes.str.count_matches(r"\d{1,2} [A-Z][a-z]+ 20\d\d")
    assert telephones.sum() > 0.3 * discharges.height
    assert dates.sum() > 0.3 * discharges.height
    named = discharges.select(pl.col("notes").str.contains(pl.col("patient_name"), literal=True)).to_series()
    assert 0.3 < named.mean() < 0.7


def test_the_spanish_twin_is_about_the_same_people(discharges):
    twin = sample.discharges(20_000, language="es")
    same = {"record_number": "num_historia", "national_id": "dni", "age": "edad", "cost": "coste"}
    for english, spanish in same.items():
        assert discharges[english].to_list() == twin[spanish].to_list()
    assert twin["sexo"].unique().sort().to_list() == ["H", "M"]
    assert tuple(sample.roles("es")) == tuple(twin.columns)
    assert list(sample.roles("es").values()) == list(sample.roles().values())
    assert twin["observaciones"].str.contains("familiar|Llamar|Dr\\.").mean() > 0.5


def test_the_hierarchies_of_the_spanish_twin_cover_every_value():
    twin = sample.discharges(5_000, language="es")
    for column, rows in sample.discharge_hierarchies("es").items():
        assert is_well_formed(rows), column
        assert covers(rows, twin[column]), column
        english = set(map(str, chain(*chain(*sample.discharge_hierarchies().values()))))
        assert column == "codigo_diagnostico" or not {row[0] for row in rows} & english - ALIKE


def covers(rows: list[tuple[str, ...]], values: pl.Series) -> bool:
    return set(values.drop_nulls().cast(pl.String)) <= {row[0] for row in rows}


def is_well_formed(rows: list[tuple[str, ...]]) -> bool:
    depths, values = {len(row) for row in rows}, [row[0] for row in rows]
    parents = {(level, row[level], row[level + 1]) for row in rows for level in range(len(row) - 1)}
    one_parent = len({(level, value) for level, value, _ in parents}) == len(parents)
    return (
        len(depths) == 1
        and len(set(values)) == len(values)
        and one_parent
        and {row[-1] for row in rows} == {"*"}
    )


def test_the_hierarchies_of_the_discharges_cover_every_value(discharges):
    hierarchies = sample.discharge_hierarchies()
    assert {"marital_status", "education", "occupation", "nationality", "diagnosis"} <= set(hierarchies)
    for column, rows in hierarchies.items():
        assert is_well_formed(rows), column
        assert covers(rows, discharges[column]), column


@pytest.mark.parametrize("quasi_identifiers", [1, 3, 6, 20])
def test_the_hierarchies_of_the_people_cover_every_value(quasi_identifiers):
    table = sample.people(5000, quasi_identifiers=quasi_identifiers, other=3)
    hierarchies = sample.people_hierarchies(quasi_identifiers)
    assert table.columns == [*hierarchies, "other_1", "other_2", "other_3"]
    for column, rows in hierarchies.items():
        assert is_well_formed(rows), column
        assert covers(rows, table[column]), column


def test_people_have_far_fewer_combinations_than_rows_and_every_value_occurs():
    table = sample.people(300_000, other=0)
    assert 50_000 < table.n_unique() < 150_000
    assert [table[c].n_unique() for c in table.columns] == [75, 2, 25, 8, 12, 12]
