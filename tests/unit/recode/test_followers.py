"""Columns that hang together: no release shows a city outside its department."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia
from celosia.recode.followers import find_followers
from celosia.recode.space import build_space
from celosia.tables import open_table

CITIES = [f"city {number:02}" for number in range(12)]


def places(rows=600, seed=0):
    random = np.random.default_rng(seed)
    city = random.choice(12, rows, p=np.arange(1, 13) / 78)
    return pl.DataFrame(
        {
            "country": [f"country {number // 6}" for number in city],
            "city": [CITIES[number] for number in city],
            "department": [f"department {number // 3}" for number in city],
            "age": random.integers(20, 80, rows),
        }
    )


def followers_of(frame):
    table = open_table(frame)
    types = {column.name: column.type for column in table.schema()}
    space = build_space(
        table.count_by(frame.columns), quasi_identifiers=frame.columns, types=types, hierarchies={}
    )
    names = space.names
    return [(names[one.child], names[one.parent]) for one in find_followers(space, range(len(names)))]


def test_every_column_follows_from_the_one_with_fewest_values_that_tells_it():
    # The four departments tell the country, too, but are too few to say so by more than chance.
    assert set(followers_of(places())) == {("department", "city"), ("country", "city")}
    assert (
        followers_of(places().with_columns(city=pl.Series(np.random.default_rng(1).permutation(600) % 12)))
        == []
    )


@pytest.mark.parametrize("represent", ["mode", "median", "mean"])
@pytest.mark.parametrize("seed", range(3))
def test_no_release_shows_a_city_outside_its_department(represent, seed):
    frame = places(seed=seed)
    release = celosia.anonymize(
        frame,
        quasi_identifiers=["country", "city", "department", "age"],
        k=9,
        technique="mondrian",
        represent=represent,
        keep_type=["country", "city", "department"],
        seed=1,
    )
    columns = ["country", "department", "city"]
    possible = set(frame.select(columns).unique().rows())
    assert set(release.table.select(columns).unique().rows()) <= possible
    assert release.verification.passed


def test_of_one_class_the_department_is_that_of_its_most_frequent_city():
    # Most people live in Bello, and more of the others in Valle than in Antioquia.
    rows = {"Bello": 40, "Buga": 30, "Cali": 30, "Palmira": 30, "Tuluá": 30}
    city = [name for name, people in rows.items() for _ in range(people)]
    frame = pl.DataFrame({"city": city, "department": ["Antioquia"] * 40 + ["Valle"] * 120})
    release = celosia.anonymize(
        frame,
        quasi_identifiers=["city", "department"],
        k=160,
        technique="mondrian",
        keep_type=["city", "department"],
    )
    assert release.table.unique().rows() == [("Bello", "Antioquia")]


@given(st.integers(0, 10**6), st.integers(2, 15))
def test_an_age_goes_with_the_birth_year_that_is_shown(seed, k):
    random = np.random.default_rng(seed)
    year = random.integers(1940, 1970, 500)
    frame = pl.DataFrame({"year": year, "decade": year // 10 * 10, "size": random.integers(0, 9, 500)})
    release = celosia.anonymize(
        frame,
        quasi_identifiers=["year", "decade", "size"],
        k=k,
        technique="mondrian",
        represent="mode",
        seed=1,
    )
    shown = release.table.select("year", "decade").unique()
    assert (shown["year"] // 10 * 10 == shown["decade"]).all()
