"""Tables that can be joined person by person are promised nothing each by itself."""

import polars as pl
import pytest

from celosia.errors import ProjectError
from celosia.mask.keys import new_key
from celosia.project import make_project
from celosia.run import run_project

K2 = [{"model": "k-anonymity", "k": 2}]
PEOPLE = pl.DataFrame({"id": range(8), "age": [30, 30, 40, 40] * 2})
VISITS = pl.DataFrame({"who": [i % 8 for i in range(24)], "year": [2020, 2021] * 12})
HIDDEN = {"role": "identifier", "operation": "pseudonymize"}


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("CELOSIA_KEY", new_key())


def run(people=None, visits=None, **fields):
    tables = {
        "people": {"columns": {"id": HIDDEN, "age": "quasi-identifier"}, **(people or {})},
        "visits": {"columns": {"who": HIDDEN, "year": "quasi-identifier"}, **(visits or {})},
    }
    project = make_project(models=K2, tables=tables, **fields)
    return run_project(project, sources={"people": PEOPLE, "visits": VISITS})


SAME = [["people.id", "visits.who"]]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"repeated_attributes": SAME},
        {"people": {"person": "id"}, "visits": {"person": "who"}},
        {"visits": {"kind": "light"}, "repeated_attributes": SAME},
    ],
    ids=["same key", "same attribute", "people of each table", "one of them light"],
)
def test_tables_with_the_same_pseudonyms_are_refused_unless_people_are_counted_on_the_join(fields):
    with pytest.raises(ProjectError, match=r"people\.id and visits\.who are released as the same pseudonyms"):
        run(**fields)


def test_people_who_are_counted_on_the_join_are_released():
    releases = run(people={"person": "id"}, visits={"person": "who"}, repeated_attributes=SAME)
    assert all(release.risk_after.k >= 2 for release in releases.values())


def test_pseudonyms_of_another_domain_cannot_be_joined_and_are_released():
    apart = {"role": "identifier", "operation": {"name": "pseudonymize", "domain": "visits"}}
    releases = run(visits={"columns": {"who": apart, "year": "quasi-identifier"}})
    assert not set(releases["people"].table["id"]) & set(releases["visits"].table["who"])


@pytest.mark.parametrize(
    "operation", [{"name": "truncate", "first": 99}, "shuffle", {"name": "round", "to": 1}]
)
def test_an_identifier_that_may_still_tell_who_somebody_is_does_not_leave_a_complete_release(operation):
    columns = {"id": {"role": "identifier", "operation": operation}, "age": "quasi-identifier"}
    project = make_project(models=K2, tables={"people": {"columns": columns}})
    with pytest.raises(ProjectError, match="may still tell who somebody is"):
        run_project(project, sources={"people": PEOPLE})


def test_a_light_release_says_so_and_goes_out():
    columns = {"id": {"role": "identifier", "operation": {"name": "round", "to": 10}}, "age": "common"}
    project = make_project(kind="light", tables={"people": {"columns": columns}})
    (release,) = run_project(project, sources={"people": PEOPLE}).values()
    assert any("may still tell who somebody is" in text for text in release.record["weaknesses"])


@pytest.mark.parametrize("goal", [{"models": K2}, {"suppression": 0.1}, {"technique": "mondrian"}])
def test_what_a_light_release_would_ignore_is_refused(goal):
    (field,) = goal
    with pytest.raises(ProjectError, match=f"a light release does not look at {field}"):
        run_project(
            make_project(
                kind="light", tables={"people": {"columns": {"id": "identifier", "age": "common"}}}, **goal
            ),
            sources={"people": PEOPLE},
        )


def test_a_sample_by_person_takes_the_same_people_in_every_table():
    rows = {"people": [{"name": "sample", "share": 0.5, "by": "id"}]}
    rows["visits"] = [{"name": "sample", "share": 0.5, "by": "who"}]
    sources = {
        "people": pl.DataFrame({"id": range(200), "age": [30] * 200}),
        "visits": pl.DataFrame({"who": [i % 200 for i in range(600)], "year": [2020] * 600}),
    }
    tables = {"people": {"rows": rows["people"], "columns": {"id": "common", "age": "common"}}}
    tables["visits"] = {"rows": rows["visits"], "columns": {"who": "common"}}
    releases = run_project(make_project(kind="light", tables=tables), sources=sources)
    left = set(releases["people"].table["id"])
    assert 0 < len(left) < 200
    assert set(releases["visits"].table["who"]) == left


def test_a_seed_that_undoes_a_shuffle_is_told():
    columns = {"id": "identifier", "age": {"operation": "shuffle"}}
    project = make_project(kind="light", seed=3, tables={"people": {"columns": columns}})
    (release,) = run_project(project, sources={"people": PEOPLE}).values()
    assert any("whoever knows the seed can undo it" in text for text in release.record["weaknesses"])


def test_a_table_of_a_star_may_be_left_without_rows():
    sources = {"people": PEOPLE, "visits": pl.DataFrame({"who": [0, 0], "year": [2020, 2021]})}
    tables = {
        "people": {"person": "id", "columns": {"id": HIDDEN, "age": "quasi-identifier"}},
        "visits": {"person": "who", "columns": {"who": HIDDEN, "year": "quasi-identifier"}},
    }
    project = make_project(models=K2, suppression=0.2, tables=tables, repeated_attributes=SAME)
    releases = run_project(project, sources=sources)
    assert releases["visits"].table.height == 0
    assert releases["people"].table.height == 7
