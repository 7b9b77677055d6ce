"""A table in, a description of every column out."""

import json
from datetime import date, datetime, timedelta

import polars as pl

import celosia
from celosia import sample
from celosia.profile import profile_table
from celosia.tables import open_table
from celosia.types import ColumnType, Role

LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"


def test_counts_are_right_and_missing_values_are_not_a_value(table):
    profile = profile_table(table({"city": ["a", "b", None, "a", None], "n": [1, 1, 1, 1, 1]}))
    city = profile["city"]
    assert profile.rows == 5
    assert (city.type, city.missing, city.distinct) == (ColumnType.TEXT, 2, 2)
    assert city.distinct_share == 2 / 3
    assert (profile["n"].missing, profile["n"].distinct, profile["n"].distinct_share) == (0, 1, 0.2)


def test_examples_are_the_most_frequent_values_and_none_that_one_row_has(table):
    values = ["b"] * 3 + ["a"] * 3 + ["c"] * 5 + ["rare"] + [None] * 9
    assert profile_table(table({"kind": values}))["kind"].examples == ("c", "a", "b")


def test_no_example_of_an_identifier_is_shown(table):
    numbers = [f"{n}{LETTERS[n % 23]}" for n in range(99_000_000, 99_000_050)] * 2
    profile = profile_table(table({"code": numbers, "name": ["Ana", "Luis"] * 50, "key": list(range(100))}))
    assert profile.with_role(Role.IDENTIFIER) == ("code", "name", "key")
    assert all(column.examples == () for column in profile)
    assert "99000" not in json.dumps(profile.to_dict())


def test_content_outweighs_the_name_and_both_reasons_are_given(table):
    mails = [f"p{i}@example.org" for i in range(30)]
    column = profile_table(table({"occupation": mails}))["occupation"]
    assert column.role is Role.IDENTIFIER
    assert [reason.code for reason in column.reasons] == ["e-mail", "name", "near-unique"]


def test_near_unique_columns_are_identifiers_unless_they_are_measurements_or_dates(table):
    days = [date(2000, 1, 1) + timedelta(days=i) for i in range(100)]
    profile = profile_table(
        table(
            {
                "key": [f"k{i}" for i in range(98)] + ["k0", "k1"],
                "sequence": list(range(100)),
                "level": [i / 7 for i in range(100)],
                "day": days,
                "moment": [datetime(2000, 1, 1) + timedelta(seconds=i) for i in range(100)],
                "kind": [i % 95 * 10 for i in range(100)],
            }
        )
    )
    assert str(profile["key"].reason) == "98 % of the values differ, so a value singles a person out"
    assert str(profile["sequence"].reason) == "every value occurs once, so a value singles a person out"
    assert (profile["level"].role, profile["level"].reason.code) == (
        Role.QUASI_IDENTIFIER,
        "near-unique-number",
    )
    assert profile["kind"].reason.code == "unknown"  # exactly 95 % is not more than 95 %
    assert [profile[name].role for name in ("day", "moment")] == [Role.QUASI_IDENTIFIER] * 2
    assert profile["day"].reason.code == "date"


def test_a_few_differing_rows_do_not_make_an_identifier(table):
    assert profile_table(table({"value": list(range(19))}))["value"].reason.code == "unknown"
    assert profile_table(table({"value": list(range(20))}))["value"].role is Role.IDENTIFIER


def test_a_telling_name_outweighs_that_values_hardly_repeat(table):
    profile = profile_table(
        table({"salary": list(range(1000, 1100)), "zip": [f"{i:05d}" for i in range(100)]})
    )
    assert [column.role for column in profile] == [Role.SENSITIVE, Role.QUASI_IDENTIFIER]
    assert [reason.code for reason in profile["salary"].reasons] == ["name", "near-unique"]


def test_free_text_may_name_people(table):
    notes = [f"visit {i % 70}: she came with her brother and felt better" for i in range(100)]
    column = profile_table(table({"remarks": notes}))["remarks"]
    assert (column.role, column.reason.code) == (Role.IDENTIFIER, "free-text")


def test_columns_of_which_nothing_is_known_count_as_known_to_others(table):
    profile = profile_table(table({"x": [1, 2] * 30, "y": ["all"] * 60}))
    assert (profile["x"].role, profile["x"].reason.code) == (Role.QUASI_IDENTIFIER, "unknown")
    assert (profile["y"].role, profile["y"].reason.code) == (Role.COMMON, "constant")


def test_names_of_people_are_known_by_their_values_whatever_the_column_is_called(table):
    names = [
        f"{first} {last}" for first in ("Ana", "Emily", "Zuleika") for last in ("Gil", "Brown", "Otamendi")
    ]
    wards = ["Internal Medicine", "Heart Surgery", "Day Clinic", "Intensive Care", "North Wing", "South Wing"]
    profile = profile_table(
        table({"x": names * 10, "y": [*wards, "East Wing", "West Wing", "Old House"] * 10})
    )
    assert (profile["x"].role, profile["x"].reason.code) == (Role.IDENTIFIER, "people")
    assert profile["y"].reason.code == "unknown"


def test_a_device_that_repeats_tells_people_apart_unless_every_row_has_a_number_of_its_own(table):
    device, ticket = [f"{n % 40:08x}" for n in range(200)], [f"T-{n:06d}" for n in range(200)]
    assert profile_table(table({"device": device})).person.column == "device"
    assert profile_table(table({"device": device, "ticket": ticket})).person is None


def test_a_digit_in_a_name_does_not_hide_the_word(table):
    column = profile_table(table({"hba1c": [38, 42, 47] * 20}))["hba1c"]
    assert (column.role, column.reason.facts["meaning"]) == (Role.SENSITIVE, "health")


def test_numbers_that_hardly_repeat_are_no_identifiers_unless_they_are_given_out(table):
    amounts = [980 + i * i * 7 for i in range(200)]
    numbers = [100_000 + i * 1_237 for i in range(200)]
    profile = profile_table(table({"Coste (€)": amounts, "amount x": amounts, "x": amounts, "y": numbers}))
    assert [column.role for column in profile] == [
        Role.SENSITIVE,
        Role.SENSITIVE,
        Role.QUASI_IDENTIFIER,
        Role.IDENTIFIER,
    ]


def test_a_name_that_identifies_says_nothing_where_a_few_values_are_shared_by_all(table):
    column = profile_table(table({"documento": ["DNI", "NIE", "passport"] * 200}))["documento"]
    assert (column.role, column.reason.code) == (Role.QUASI_IDENTIFIER, "few-values")
    assert profile_table(table({"documento": ["DNI", "NIE"]}))["documento"].role is Role.IDENTIFIER


def test_texts_that_never_repeat_outweigh_the_name_in_a_large_table(table):
    places = [f"Calle {i}" for i in range(1500)]
    profile = profile_table(table({"location": places, "outcome": places}))
    assert [column.role for column in profile] == [Role.IDENTIFIER, Role.SENSITIVE]


def test_a_column_that_follows_from_another_is_known_with_it(table):
    towns = ["Cali", "Buga", "Bello", "Medellín"] * 50
    areas = {"Cali": "V", "Buga": "V", "Bello": "A", "Medellín": "A"}
    frame = {"Ciudad": towns, "div": [areas[town] for town in towns], "beds": [1, 2, 3, 1, 2] * 40}
    profile = profile_table(table(frame))
    assert (profile["div"].role, profile["div"].reason.code) == (Role.QUASI_IDENTIFIER, "follows-from")
    assert profile["beds"].reason.code == "unknown"


def test_a_column_that_follows_in_the_first_rows_only_does_not_follow(table):
    towns = ["Cali", "Buga", "Bello"] * 8_000
    frame = {"Ciudad": towns, "div": ["V", "V", "A"] * 7_999 + ["V", "A", "A"]}
    assert profile_table(table(frame))["div"].reason.code == "unknown"


def test_an_empty_table_and_an_empty_column_have_a_profile(table):
    empty = profile_table(table(pl.DataFrame(schema={"a": pl.String, "age": pl.Int64})))
    assert (empty.rows, empty["a"].distinct, empty["age"].role) == (0, 0, Role.QUASI_IDENTIFIER)
    hollow = profile_table(table(pl.DataFrame({"a": [None] * 30}, schema={"a": pl.String})))
    assert (hollow["a"].missing, hollow["a"].distinct, hollow["a"].role) == (30, 0, Role.COMMON)
    assert profile_table(table(pl.DataFrame())).columns == ()


def test_every_column_is_counted_once_and_progress_ends_at_one(table):
    source, shares = table({"a": [1], "b": [2]}), []
    profile_table(source, progress=lambda _, share: shares.append(share))
    assert source.asked == [("a",), ("b",)]
    assert shares == [0.0, 0.5, 1.0]


def test_the_profile_can_be_saved_as_json(table):
    saved = json.loads(json.dumps(profile_table(table({"sex": ["F", "M"] * 3})).to_dict()))
    reason = {
        "code": "name",
        "sentence": "the name says 'sex'",
        "facts": {"words": "sex", "meaning": "sex"},
    }
    assert saved == {
        "table": "memory",
        "rows": 6,
        "columns": [
            {
                "name": "sex",
                "type": "text",
                "missing": 0,
                "distinct": 2,
                "distinct_share": 0.333333,
                "examples": ["F", "M"],
                "role": "quasi-identifier",
                "reasons": [reason],
            }
        ],
        "person": None,
        "reading": None,
    }


def test_the_roles_of_the_sample_table_are_proposed_as_they_are_or_more_carefully(table):
    profile = profile_table(table(sample.discharges(3000)))
    careful = {
        "department": Role.QUASI_IDENTIFIER,
        "length_of_stay": Role.QUASI_IDENTIFIER,
        "cost": Role.SENSITIVE,
    }
    assert {column.name: column.role for column in profile} == sample.roles() | careful
    assert profile["national_id"].reason.facts["format"] == "es.dni"


def test_texts_that_are_all_dates_are_known_to_others_even_if_none_repeats(table):
    days = [str(date(2024, 1, 1) + timedelta(days=n)) for n in range(50)]
    mixed = [*days[:-1], "not yet"]
    frame = {"texts": days, "times": [f"{day} 12:30:00" for day in days], "mixed": mixed}
    profile = profile_table(table(frame))
    assert profile["texts"].role is profile["times"].role is Role.QUASI_IDENTIFIER
    assert [profile[name].reason.code for name in frame] == ["date", "date", "near-unique"]


def test_an_age_beside_a_date_of_birth_says_what_both_together_cost():
    from celosia.sample import discharges

    frame = discharges(500).select("birth_date", "age", "sex")
    reasons = {reason.code: str(reason) for reason in celosia.profile_table(frame)["age"].reasons}
    assert "it follows from 'birth_date'" in reasons["age-of"]
    assert "leave out one of them" in reasons["age-of"]
    shuffled = frame.with_columns(frame["age"].shuffle(seed=1))
    assert "age-of" not in {reason.code for reason in celosia.profile_table(shuffled)["age"].reasons}


def test_a_column_of_lists_is_proposed_to_be_left_out_and_the_others_are_looked_at():
    frame = pl.DataFrame({"tags": [[1, 2]] * 30, "age": [30, 40, 50] * 10})
    profile = profile_table(open_table(frame))
    assert (profile["tags"].role, profile["tags"].reason.code) == (Role.IDENTIFIER, "not-looked-at")
    assert (profile.rows, profile["age"].role) == (30, Role.QUASI_IDENTIFIER)
