"""Columns of several tables that hold one attribute are found by their values, and accidents are not taken for it."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.errors import TableError
from celosia.profile.matching_names import names_match
from celosia.profile.repeated import propose_repeated
from celosia.profile.sketches import KEPT, find_hashes, sketch_columns
from celosia.tables import open_table

ROWS = 1000


def propose(declared: Sequence[tuple[str, str]] = (), **frames: Any) -> list[Any]:
    tables = {name: open_table(pl.DataFrame(frame)) for name, frame in frames.items()}
    return propose_repeated(tables, declared=declared)


def places(declared: Sequence[tuple[str, str]] = (), **frames: Any) -> list[tuple[str, ...]]:
    return [found.places for found in propose(declared, **frames)]


def codes(numbers: Any) -> list[str]:
    """Texts that no other attribute has."""
    return [f"K{number * 7919 % 1_000_003:07d}" for number in numbers]


def test_a_foreign_key_is_found_by_its_values_alone():
    [found] = propose(
        people={"code": codes(range(100))},
        visits={"whom": [*codes(range(97)), "lost", "gone", "away"] * 3},
    )
    assert found.places == ("people.code", "visits.whom")
    assert found.reason == "97 % of the values of visits.whom are in people.code, where no value repeats"
    assert found.overlap == 0.97


def test_whole_numbers_and_texts_of_them_are_equal():
    numbers = [10_000 + 977 * i for i in range(50)]
    assert places(people={"n": numbers}, visits={"m": list(map(str, numbers * 2))}) == [
        ("people.n", "visits.m")
    ]


def test_names_that_agree_need_fewer_values():
    frames = {"people": {"id": [1, 2, 3, 4]}, "visits": {"person_id": [1, 1, 2, 9, 3]}}
    [found] = propose(**frames)
    assert found.places == ("people.id", "visits.person_id")
    assert found.reason == (
        "75 % of the values of visits.person_id are in people.id, where no value repeats, and they are called alike"
    )
    assert places(people=frames["people"], visits={"score": [1, 1, 2, 9, 3]}) == []


def test_columns_called_alike_that_share_few_values_are_two_attributes():
    assert places(people={"name": ["Ana", "Eva", "Leo"]}, products={"name": ["pen", "ink", "Leo"]}) == []


def test_groups_are_closed_over_what_links_them():
    [found] = propose(
        people={"id": codes(range(60))},
        visits={"who": codes(range(60)) * 2},
        bills={"payer": codes(range(0, 60, 2)) * 3},
    )
    assert found.places == ("people.id", "visits.who", "bills.payer")
    assert found.reason.count(" are in people.id") == 2


def test_tables_without_the_key_table_are_linked_by_name():
    frames = {"visits": {"patient": codes(range(40)) * 2}, "tests": {"patient_id": codes(range(5, 45)) * 3}}
    assert places(**frames) == [("visits.patient", "tests.patient_id")]


ACCIDENTS = {
    "ages and quantities": (
        {"age": [i % 80 for i in range(ROWS)]},
        {"quantity": [i % 30 for i in range(ROWS)]},
    ),
    "ages among ids": ({"id": range(ROWS)}, {"age": [i % 100 for i in range(ROWS)]}),
    "ages among ids in a table of the size of an age": (
        {"id": range(110)},
        {"age": [i % 110 for i in range(ROWS)]},
    ),
    "ids of two things": ({"id": range(ROWS)}, {"id": range(ROWS // 2)}),
    "ages, one of them unknown, among ids, one of them special": (
        {"id": [*range(ROWS), 10**12]},
        {"age": [*(i % 100 for i in range(ROWS)), 10**12]},
    ),
    "tens among tens": (
        {"id": range(0, 10 * ROWS, 10)},
        {"price": [i % 50 * 100 for i in range(ROWS)]},
    ),
    "booleans": ({"paid": [True, False] * 20}, {"alive": [True, False, False] * 9}),
    "sexes in a table of codes": ({"letter": ["f", "m", "x"]}, {"sex": ["f", "m"] * 30}),
    "years": (
        {"born": [1940 + i % 60 for i in range(ROWS)]},
        {"seen": [1960 + i % 40 for i in range(ROWS)]},
    ),
    "years of a calendar": ({"calendar": range(1900, 2030)}, {"born": [1940 + i % 60 for i in range(ROWS)]}),
    "measures": (
        {"height": [i / 10 for i in range(ROWS)]},
        {"weight": [(i % 300) / 10 for i in range(ROWS)]},
    ),
    "days among days": (
        {"day": pl.date_range(pl.date(2020, 1, 1), pl.date(2022, 9, 26), eager=True)},
        {"born": pl.date_range(pl.date(2021, 1, 1), pl.date(2021, 3, 30), eager=True).to_list() * 2},
    ),
    "salaries among ids": ({"id": range(ROWS)}, {"salary": [ROWS // 2 + i % 300 for i in range(ROWS)]}),
    "towns that do not tell people apart": (
        {"town": codes(range(50)) * 9},
        {"birthplace": codes(range(40)) * 5},
    ),
}


@pytest.mark.parametrize("frames", ACCIDENTS.values(), ids=ACCIDENTS)
def test_values_that_are_in_a_column_by_accident_propose_nothing(frames):
    assert places(one=frames[0], another=frames[1]) == []


@pytest.mark.parametrize(
    "column", [["f", "m"] * 20, [True, False] * 20, [1990 + i % 20 for i in range(40)], [1.5, 2.5] * 20]
)
def test_small_domains_are_proposed_where_names_agree(column):
    assert places(people={"same": column}, visits={"same": column[:30]}) == [("people.same", "visits.same")]


def test_many_numbers_in_a_row_are_a_foreign_key_where_they_lie_all_over_one_key():
    generator = np.random.default_rng(7)
    people, visits = {"pid": range(ROWS)}, {"whom": generator.integers(0, ROWS, 3 * ROWS)}
    assert places(people=people, visits=visits) == [("people.pid", "visits.whom")]
    # It might as well refer to products: nobody can tell.
    assert places(people=people, visits=visits, products={"ref": range(ROWS)}) == []
    # A key that is called alike is the better one.
    keyed = {"people": people, "visits": {"product": visits["whom"]}, "products": {"ref": range(ROWS)}}
    assert places(**keyed) == [("visits.product", "products.ref")]


def test_a_column_may_refer_to_its_own_table():
    ids = codes(range(100))
    assert places(staff={"id": ids, "boss": ids[:30] + [None] * 40 + ids[:30], "name": ids[::-1]}) == [
        ("staff.id", "staff.boss", "staff.name")
    ]
    assert places(answers={"q1": [1, 2, 3] * 9, "q2": [3, 2, 1] * 9}) == []


def test_missing_values_are_no_values():
    markers = ["", "?", "NA", None]
    assert places(people={"note": [*markers, "a"]}, visits={"note": [*markers, "b"]}) == []


def test_declared_keys_are_proposed_whatever_their_values():
    frames = {"people": {"id": [1, 2]}, "visits": {"who": [1, 5]}}
    [found] = propose([("visits.who", "people.id"), ("visits.who", "elsewhere.id")], **frames)
    assert (found.places, found.overlap) == (("people.id", "visits.who"), 0.5)
    assert found.reason == (
        "visits.who is declared to refer to people.id, and 50 % of the values of visits.who are in people.id"
    )


def test_a_declared_column_that_does_not_exist_is_named():
    with pytest.raises(TableError, match="column 'whom' does not exist") as error:
        propose([("visits.whom", "people.id")], people={"id": [1]}, visits={"who": [1]})
    assert error.value.remedy == "did you mean 'who'?"


def test_tables_without_rows_and_columns_without_text_are_passed_over():
    assert places(people={"id": []}, visits={"id": [], "tags": [], "people": []}) == []
    assert places(people={"tags": [["a"], ["b"]]}, visits={"tags": [["a"], ["b"]]}) == []


class Watched:
    """A table that remembers which columns were read."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.table, self.read = open_table(frame), []

    def columns(self) -> tuple[str, ...]:
        return self.table.columns()

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        self.read.append(columns)
        yield from self.table.scan(columns)


def test_a_table_is_read_once_and_a_large_key_again_where_a_small_column_refers_to_it():
    large = 10 * KEPT
    people = Watched(pl.DataFrame({"code": codes(range(large)), "age": [i % 90 for i in range(large)]}))
    some = Watched(pl.DataFrame({"whom": codes(range(0, large, large // 40)), "age": [1] * 40}))
    all_ = Watched(pl.DataFrame({"who": codes(range(large))[::-1] * 2, "kind": ["a", "b"] * large}))
    [found, ages] = propose_repeated({"people": people, "some": some, "all": all_})
    assert found.places == ("people.code", "some.whom", "all.who")
    assert "about 100 % of the values of some.whom are in people.code" in found.reason
    assert "where hardly a value repeats" in found.reason
    assert ages.places == ("people.age", "some.age")
    assert (people.read, some.read, all_.read) == ([None, ["code"]], [None], [None])


def test_a_small_column_is_not_looked_for_in_a_large_key_that_it_could_only_match_by_accident():
    people = Watched(pl.DataFrame({"id": range(10 * KEPT)}))
    ages = Watched(pl.DataFrame({"age": [i % 90 for i in range(500)]}))
    assert propose_repeated({"people": people, "visits": ages}) == []
    assert people.read == [None]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([10, 3000, 9000, 40_000]))
def test_a_sketch_is_a_sample_of_distinct_values_with_all_their_rows(seed, domain):
    generator = np.random.default_rng(seed)
    one = generator.integers(0, domain, 30_000)
    other = generator.integers(domain // 2, 2 * domain, 30_000)
    frame = pl.DataFrame({"one": one, "other": pl.Series(other).cast(pl.String)})
    table = open_table(frame)
    found = sketch_columns(table)
    rows = dict(zip(*np.unique(one, return_counts=True), strict=True))
    by_hash = {hash_: rows[int(n)] for n, hash_ in zip(rows, pl.Series(map(str, rows)).hash(), strict=True)}
    sketch = found["one"]
    assert len(sketch) == min(len(rows), KEPT)
    assert sketch.hashes.tolist() == sorted(by_hash)[:KEPT]
    assert sketch.rows.tolist() == [by_hash[hash_] for hash_ in sorted(by_hash)[:KEPT]]
    assert sketch.distinct == pytest.approx(len(rows), rel=0.12)
    truth = np.isin(list(rows), other).mean()
    shared, of = sketch.shared(found["other"])
    # Six standard deviations, but where all values are known.
    is_known = sketch.is_whole and found["other"].is_whole
    assert shared / of == pytest.approx(truth, abs=1e-9 if is_known else 3 / np.sqrt(of))
    [there] = find_hashes(table, {"other": [sketch.hashes, found["other"].hashes[:5]]}).values()
    assert np.isin(sketch.hashes, there).mean() == pytest.approx(truth, abs=1e-9 if sketch.is_whole else 0.05)


ALIKE = [
    (("visits", "person"), ("people", "id")),
    (("visits", "patient_id"), ("people", "id")),
    (("visits", "patientId"), ("clinic.patients", "PATIENT_NUMBER")),
    (("visitas", "paciente"), ("pacientes", "código")),
    (("visits", "doctor"), ("doctores", "id")),
    (("visits", "person_dni"), ("people", "dni")),
    (("people_2019", "id"), ("people_2020", "id")),
    (("orders", "category_id"), ("categories", "key")),
]
DIFFERENT = [
    (("visits", "id"), ("people", "id")),
    (("visits", "mother_id"), ("people", "father_id")),
    (("visits", "q1"), ("people", "q2")),
    (("visits", "q1_11"), ("people", "q11_1")),
    (("visits", "birth_year"), ("people", "year")),
    (("tbl", "id"), ("data", "code")),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_say_the_same_agree_in_both_directions(one, other):
    assert names_match(one, other)
    assert names_match(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_say_different_things_do_not_agree(one, other):
    assert not names_match(one, other)
    assert not names_match(other, one)


def keys(generator: np.random.Generator, kind: str, size: int, salt: int) -> pl.Series:
    """The keys of a table, no two alike."""
    if kind == "in a row":
        return pl.Series(np.arange(1, size + 1))
    numbers = pl.Series(generator.choice(10**8, size, replace=False) + 10**9 * salt)
    return numbers if kind == "numbers" else "K" + numbers.cast(pl.String)


def unrelated(generator: np.random.Generator, rows: int, table: str) -> dict[str, Any]:
    """Columns as tables have them, under names that no other table has."""
    day = np.datetime64("2020-01-01") + generator.integers(0, 900, rows)
    columns = {
        "age": generator.integers(0, 100, rows),
        "amount": generator.integers(0, 100_000, rows) / 100,
        "quantity": generator.integers(1, 20, rows),
        "year": generator.integers(1950, 2024, rows),
        "sex": generator.choice(["f", "m"], rows),
        "flag": generator.integers(0, 2, rows) == 1,
        "day": day.astype("datetime64[D]"),
        "town": generator.choice([f"town {i}" for i in range(60)], rows),
    }
    chosen = generator.choice(list(columns), 4, replace=False)
    return {f"{name}_{table}": columns[name] for name in chosen}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.data())
def test_planted_keys_are_found_and_unrelated_columns_are_not(seed, data):
    generator = np.random.default_rng(seed)
    frames: dict[str, dict[str, Any]] = {}
    planted: dict[str, set[str]] = {}
    dimensions = data.draw(
        st.sampled_from([("patients",), ("patients", "wards"), ("patients", "drugs", "wards")])
    )
    for salt, name in enumerate(dimensions):
        kind = data.draw(st.sampled_from(["in a row", "numbers", "texts"]), label=name)
        size = int(generator.integers(250, 600))
        frames[name] = {"id": keys(generator, kind, size, salt), **unrelated(generator, size, name)}
        planted[name] = {f"{name}.id"}
    for number in range(data.draw(st.integers(1, 3), label="facts")):
        fact, rows = f"facts{'abc'[number]}", int(generator.integers(2000, 4000))
        frames[fact] = {"id": range(1, rows + 1), **unrelated(generator, rows, fact)}
        for name in dimensions:
            ids = frames[name]["id"]
            # A surrogate key of the facts begins where all begin: only a name tells which is referred to.
            is_named = ids[0] == 1 or data.draw(st.booleans(), label=f"{fact} names {name}")
            column = f"{name[:-1]}_id" if is_named else f"ref{number}{name[0]}"
            frames[fact][column] = ids.gather(generator.integers(0, len(ids), rows))
            planted[name].add(f"{fact}.{column}")
    assert {frozenset(found) for found in places(**frames)} == set(map(frozenset, planted.values()))
