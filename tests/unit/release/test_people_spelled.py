"""People whose key, or whose values, are spelled in several ways: one person, with one value."""

import numpy as np
import polars as pl
import pytest

from celosia.errors import NoSolutionError, ProjectError
from celosia.hierarchies import Hierarchy
from celosia.privacy import DistinctLDiversity, EntropyLDiversity, KAnonymity
from celosia.project import make_project
from celosia.recode.branch import Branch
from celosia.recode.star import Star
from celosia.recode.task import RecodingTask
from celosia.release.people import PeopleRows, verify_people
from celosia.run import run_project
from celosia.tables import open_table

ONE = ["A1", "a1", "A1 ", " A1", "A1\u200b"]
YEARS = {"year": Hierarchy.from_rows("year", [("2001", "*"), ("2002", "*")])}


def run(frame: pl.DataFrame, k: int, *, suppression: float = 0.0) -> pl.DataFrame:
    columns = {
        "who": "identifier",
        "year": {"role": "quasi-identifier", "hierarchy": [["2001", "*"], ["2002", "*"]]},
    }
    project = make_project(
        models=[{"model": "k-anonymity", "k": k}],
        suppression=suppression,
        technique="full-domain",
        tables={"visits": {"person": "who", "columns": columns}},
    )
    return run_project(project, sources={"visits": frame})["visits"].table


def star_of(*frames: pl.DataFrame, models=()) -> Star:
    branches = [
        Branch(
            f"t{number}",
            RecodingTask(
                open_table(frame),
                quasi_identifiers=("year",),
                models=tuple(models),
                modelled=tuple(str(model.column) for model in models),
                given=YEARS,
            ),
            "who",
        )
        for number, frame in enumerate(frames)
    ]
    return Star(branches, [KAnonymity(k=2)])


def test_one_person_in_five_spellings_is_no_class_of_five() -> None:
    visits = pl.DataFrame({"who": ONE, "year": ["2001"] * 5})
    found = verify_people([PeopleRows(open_table(visits), "who", ("year",))], [KAnonymity(k=5)])
    assert found.findings[0].text == "k-anonymity: asked 5, reached 1; 1 class violates it"
    with pytest.raises(NoSolutionError, match="1 of 1 people would be left out"):
        run(visits, 5)


def test_people_with_long_numbers_are_as_many_as_they_are() -> None:
    visits = pl.DataFrame({"who": [12345678901234560 + n for n in range(5)], "year": ["2001"] * 5})
    assert run(visits, 5).height == 5
    assert run(visits.with_columns(pl.col("who").cast(pl.String)), 5).height == 5


def test_whoever_is_left_out_is_left_out_in_every_spelling() -> None:
    many = pl.DataFrame({"who": [f"p{n}" for n in range(20)], "year": ["2001"] * 20})
    one = pl.DataFrame({"who": ["X1", "x1 ", "x1"], "year": ["2001", "2002", "2002"]})
    found = run(pl.concat([many, one]), 3, suppression=0.1)
    assert found.get_column("year").to_list() == ["2001"] * 20


def test_rows_with_a_mark_of_a_missing_person_are_told() -> None:
    visits = pl.DataFrame({"who": ["a", "b", "N/A"], "year": ["2001"] * 3})
    with pytest.raises(ProjectError, match="1 rows do not say whose they are: 'who' is missing; fill it"):
        run(visits, 2)


def test_tables_are_joined_whatever_the_spelling_and_type_of_the_key() -> None:
    people = pl.DataFrame({"who": ["007", "8", "9"], "year": ["2001"] * 3})
    visits = pl.DataFrame({"who": [7.0, 8.0, None], "year": ["2001", "2001", "2002"]}).drop_nulls()
    star = star_of(people, visits)
    assert star.people.to_list() == ["7", "8", "9"]
    assert sorted(star.look((0, 0)).sizes.tolist()) == [1, 2]
    tables = [PeopleRows(open_table(frame), "who", ("year",)) for frame in (people, visits)]
    found = verify_people(tables, [KAnonymity(k=2)])
    assert (found.rows, found.classes, found.smallest) == (3, 2, 1)


def test_a_person_with_a_value_in_three_spellings_has_it_once() -> None:
    visits = pl.DataFrame(
        {"who": ["a", "a", "a", "b"], "year": ["2001"] * 4, "ill": ["hiv", "HIV", "Hiv ", "flu"]}
    )
    even = EntropyLDiversity(column="ill", l=2)
    rows = PeopleRows(open_table(visits), "who", ("year",), models=(even,))
    found = verify_people([rows], [KAnonymity(k=2)])
    assert [one.text for one in found.findings] == [
        "k-anonymity: asked 2, reached 2; 0 classes violate it",
        "entropy-l-diversity of 'ill': asked 2, reached 2; 0 classes violate it",
        "'ill': 2 of 4 spellings count as another, which some reader takes them for",
    ]
    assert not star_of(visits, models=[even]).look((0,)).bad.any()


def test_spellings_of_one_value_are_no_diversity_of_people() -> None:
    visits = pl.DataFrame({"who": ["a", "b"], "year": ["2001"] * 2, "ill": ["hiv", "HIV"]})
    rows = PeopleRows(open_table(visits), "who", ("year",), models=(DistinctLDiversity(column="ill", l=2),))
    assert not verify_people([rows], [KAnonymity(k=2)]).passed
    assert star_of(visits, models=rows.models).look((0,)).bad.tolist() == [True]


def test_values_of_every_table_are_told_apart_though_columns_are_called_alike() -> None:
    first = pl.DataFrame({"who": ["a", "b"], "year": ["2001"] * 2, "ill": ["hiv", "flu"]})
    second = first.with_columns(ill=pl.Series(["gout", "GOUT"]))
    model = DistinctLDiversity(column="ill", l=2)
    tables = [PeopleRows(open_table(frame), "who", ("year",), models=(model,)) for frame in (first, second)]
    found = verify_people(tables, [KAnonymity(k=2)])
    assert [one.reached for one in found.findings if one.name == model.name] == [2, 1]
    assert np.array_equal([one.passed for one in found.findings], [True, True, False, True])
