"""What the Python functions take besides the usual: mappings for projects, a text for one name."""

import polars as pl
import pytest

import celosia
from celosia.api import ReleaseRequest, build_project
from celosia.api.requests import (
    ColumnRoles,
    ReleaseGoals,
    TableDestination,
    TableSource,
    TechniqueChoice,
)
from celosia.errors import ProjectError

PEOPLE = pl.DataFrame({"id": ["a", "b", "c"], "town": ["Lugo", "Vigo", "Vigo"]})


def test_a_project_may_be_a_mapping_of_its_fields():
    columns = {"id": "identifier", "town": {"operation": {"name": "truncate", "first": 1}}}
    project = {"version": 2, "kind": "light", "tables": {"people": {"columns": columns}}}
    release = celosia.run_project(project, sources={"people": PEOPLE})["people"]
    assert release.table.columns == ["town"]
    assert sorted(release.table["town"]) == ["L", "V", "V"]


@pytest.mark.parametrize(
    ("project", "told"),
    [
        ({"kind": "lite"}, "kind: it should be 'complete' or 'light', not 'lite'"),
        ({5: "light"}, "there is no field '5' here"),
        (5, "this is no project; give a Project, a mapping of its fields, or the path of its document"),
    ],
)
def test_what_is_no_project_is_told(project, told):
    with pytest.raises(ProjectError) as caught:
        celosia.run_project(project)
    assert told in str(caught.value)


def test_a_text_alone_is_one_name():
    assert celosia.mask_columns(PEOPLE, {}, identifiers="id", common="town").table.columns == ["town"]
    assert celosia.mask_columns(PEOPLE, {}, common=["id", "town"]).table.columns == ["id", "town"]
    project = build_project(
        ReleaseRequest.of(
            "people.csv", quasi_identifiers="age", identifiers="id", keep_type="age", markers="NA", k=2
        )
    )
    plan = project.plan()
    assert (plan.quasi_identifiers, plan.dropped) == (("age",), ("id",))
    assert (plan.columns["age"].keep_type, plan.source.missing) == (True, ("NA",))
    assert not celosia.verify(PEOPLE, quasi_identifiers="town", identifiers="id", k=2).passed


def test_one_operation_on_rows_needs_no_list():
    drop = {"name": "drop-rows", "where": "town = 'Vigo'"}
    release = celosia.mask_columns(PEOPLE, {}, rows=drop, identifiers="id", common="town")
    assert release.table["town"].to_list() == ["Lugo"]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (
            lambda: celosia.anonymize(PEOPLE, quasi_identifiers="town", k=2, supression=0.1),
            "there is no option 'supression'; did you mean 'suppression'?",
        ),
        (
            lambda: celosia.anonymize(
                PEOPLE, quasi_identifiers="town", k=2, technique="mondrian", splitt="loss"
            ),
            "there is no option 'splitt'; did you mean 'split'?",
        ),
        (
            lambda: celosia.explore(PEOPLE, quasi_identifiers="town", k=2, split="loss"),
            "it has no parameter 'split'",
        ),
        (
            lambda: celosia.profile_table(PEOPLE, sepparator=";"),
            "there is no option 'sepparator'; did you mean 'separator'?",
        ),
        (
            lambda: celosia.verify(PEOPLE, quasi_identifiers="town", k=2, tables="people"),
            "there is no option 'tables'; did you mean 'table'?",
        ),
    ],
)
def test_an_option_that_there_is_not_is_refused_by_its_name(call, told):
    with pytest.raises(ProjectError) as caught:
        call()
    assert told in str(caught.value)


def test_a_request_and_its_keywords_make_the_same_project():
    request = ReleaseRequest(
        TableSource("people.csv", separator=";"),
        ColumnRoles(quasi_identifiers=("age",), sensitive=("ill",)),
        models=({"model": "k-anonymity", "k": 5},),
        keep_type={"age": True},
        technique=TechniqueChoice("mondrian", {"represent": "mode"}),
        goals=ReleaseGoals(seed=1),
        destination=TableDestination("safe.csv"),
    )
    keywords = ReleaseRequest.of(
        "people.csv",
        separator=";",
        quasi_identifiers="age",
        sensitive=["ill"],
        k=5,
        keep_type="age",
        technique="mondrian",
        represent="mode",
        seed=1,
        out="safe.csv",
    )
    assert build_project(request) == build_project(keywords)
    assert build_project(request).plan().destination.path == "safe.csv"
