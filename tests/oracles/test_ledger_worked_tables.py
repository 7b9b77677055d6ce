"""The attacks of Samarati and Sweeney (1998) on releases of the same people, with their worked tables."""

import io

import numpy as np
import polars as pl
import pytest

from celosia.hierarchies import Hierarchy
from celosia.ledger.assessment import assess_release
from celosia.ledger.join_by_labels import join_tables
from celosia.ledger.join_by_values import PublishedTable, members_by_values
from celosia.ledger.order import find_same_order
from celosia.tables import open_table

GT1 = """race,birth,gender,zip,problem
black,1965,male,02141,short of breath
black,1965,male,02141,chest pain
person,1965,female,0213*,painful eye
person,1965,female,0213*,wheezing
black,1964,female,02138,obesity
black,1964,female,02138,chest pain
white,1964,male,0213*,short of breath
person,1965,female,0213*,hypertension
white,1964,male,0213*,obesity
white,1964,male,0213*,fever
white,1967,male,02138,vomiting
white,1967,male,02138,back pain
"""
GT3 = """race,birth,gender,zip,problem
black,1965,male,02141,short of breath
black,1965,male,02141,chest pain
black,1965,female,02138,painful eye
black,1965,female,02138,wheezing
black,1964,female,02138,obesity
black,1964,female,02138,chest pain
white,1960-69,male,02138,short of breath
white,1960-69,human,02139,hypertension
white,1960-69,human,02139,obesity
white,1960-69,human,02139,fever
white,1960-69,male,02138,vomiting
white,1960-69,male,02138,back pain
"""
LT = """race,birth,gender,zip,problem
black,1965,male,02141,short of breath
black,1965,male,02141,chest pain
black,1965,female,02138,painful eye
black,1965,female,02138,wheezing
black,1964,female,02138,obesity
black,1964,female,02138,chest pain
white,1964,male,02138,short of breath
white,1965,female,02139,hypertension
white,1964,male,02139,obesity
white,1964,male,02139,fever
white,1967,male,02138,vomiting
white,1967,male,02138,back pain
"""
CAME = [("black", "1965", "male", "02139", "headache"), ("black", "1965", "male", "02139", "rash")]
QUASI = ("race", "birth", "gender", "zip")
HIERARCHIES = {
    "race": Hierarchy.from_rows("race", [("black", "person"), ("white", "person")]),
    "birth": Hierarchy.from_rows("birth", [(year, "1960-69") for year in ("1964", "1965", "1967")]),
    "gender": Hierarchy.from_rows("gender", [("male", "human"), ("female", "human")]),
    "zip": Hierarchy.from_rows(
        "zip", [("02138", "0213*"), ("02139", "0213*"), ("02141", "0214*"), ("02142", "0214*")]
    ),
}


def table(text: str, more: list[tuple[str, ...]] | None = None, *, seed: int | None = 1) -> pl.DataFrame:
    frame = pl.read_csv(io.StringIO(text), infer_schema=False)
    if more:
        frame = pl.concat([frame, pl.DataFrame(more, schema=frame.columns, orient="row")])
    return frame if seed is None else frame.sample(fraction=1, shuffle=True, seed=seed)


def published(frame: pl.DataFrame, columns: tuple[str, ...] = QUASI) -> PublishedTable:
    return PublishedTable(open_table(frame), columns, ("problem",), HIERARCHIES)


def rows(frame: pl.DataFrame) -> list[tuple[str, ...]]:
    return sorted(frame.select(QUASI).group_by(QUASI).len().rows())


def test_each_release_alone_is_2_anonymous() -> None:
    assert [min(table(one).group_by(QUASI).len().get_column("len")) for one in (GT1, GT3)] == [2, 2]


def test_complementary_releases_joined_are_the_table_of_the_paper() -> None:
    found = join_tables(published(table(GT1)), published(table(GT3, seed=2)))
    assert found.k == 1
    joined = sorted((*(one.labels[name] for name in QUASI), one.rows) for one in found.classes)
    assert joined == rows(table(LT))


def test_the_two_people_of_the_paper_are_alone() -> None:
    found = join_tables(published(table(GT1)), published(table(GT3, seed=2)))
    alone = [tuple(one.labels[name] for name in QUASI) for one in found.classes if one.rows == 1]
    assert alone == [("white", "1964", "male", "02138"), ("white", "1965", "female", "02139")]


def test_whoever_knows_the_people_finds_the_same_two() -> None:
    """By values, with the linked table as what is known of everybody."""
    (first, second), _ = members_by_values(
        open_table(table(LT)), [published(table(GT1)), published(table(GT3, seed=2))]
    )
    found = assess_release([first], second, k=2)
    assert found.k == 1
    assert [one.people for one in found.broken] == [1, 1]
    assert {one.labels["zip"] for one in found.broken if one.labels} == {"02138", "02139"}


def test_a_later_release_of_more_people_reveals_the_same_two() -> None:
    found = join_tables(published(table(GT1)), published(table(GT3, CAME, seed=2)))
    alone = [tuple(one.labels[name] for name in QUASI) for one in found.classes if one.rows == 1]
    assert alone == [("white", "1964", "male", "02138"), ("white", "1965", "female", "02139")]


def test_a_later_release_made_from_the_first_one_reveals_nobody() -> None:
    """The remedy of the paper: new rows are added to what was released."""
    assert join_tables(published(table(GT1)), published(table(GT1, CAME, seed=2))).k == 2


PT = [(race, code) for race in ("Asian", "Black", "White") for code in ("02138", "02139", "02141", "02142")]
UNSORTED = {
    "race": Hierarchy.from_rows("race", [(race, "Person") for race in ("Asian", "Black", "White")]),
    "zip": Hierarchy.from_rows("zip", [(code, code[:4] + "0") for _, code in PT[:4]]),
}


@pytest.fixture
def unsorted() -> tuple[pl.DataFrame, pl.DataFrame]:
    """GT1 and GT2 of the first attack, in the order of the table they come from."""
    first = pl.DataFrame({"race": ["Person"] * 12, "zip": [code for _, code in PT]})
    second = pl.DataFrame({"race": [race for race, _ in PT], "zip": [code[:4] + "0" for _, code in PT]})
    return first, second


def test_releases_in_the_same_order_are_found_out(unsorted: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    one, two = (PublishedTable(open_table(each), ("race", "zip"), (), UNSORTED) for each in unsorted)
    found = find_same_order(one, two)
    assert found is not None
    assert found.fitting == 1
    assert found.is_same


def test_releases_in_random_order_are_not_suspected(unsorted: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    first, second = unsorted
    suspected = 0
    for seed in range(20):
        shuffled = second.sample(fraction=1, shuffle=True, seed=seed)
        one, two = (
            PublishedTable(open_table(each), ("race", "zip"), (), UNSORTED) for each in (first, shuffled)
        )
        found = find_same_order(one, two, seed=seed)
        assert found is not None
        suspected += found.is_same
    assert suspected <= 1


def test_joined_by_what_is_known_the_unsorted_releases_single_everybody_out(
    unsorted: tuple[pl.DataFrame, pl.DataFrame],
) -> None:
    people = open_table(pl.DataFrame(PT, schema=["race", "zip"], orient="row"))
    releases = [PublishedTable(open_table(each), ("race", "zip"), (), UNSORTED) for each in unsorted]
    (first, second), _ = members_by_values(people, releases)
    assert np.unique(first.classes, return_counts=True)[1].min() == 3
    assert np.unique(second.classes, return_counts=True)[1].min() == 2
    assert assess_release([first], second, k=2).k == 1
