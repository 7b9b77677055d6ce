"""The hierarchies that people already have for the Adult table are read as they are."""

import csv
import json

import pytest

from celosia.hierarchies import check, find_hierarchies, read_hierarchy

HEIGHTS = {
    "sex": 1,
    "age": 4,
    "race": 1,
    "marital-status": 2,
    "education": 3,
    "native-country": 2,
    "workclass": 2,
    "occupation": 2,
    "salary-class": 1,
}


@pytest.fixture(scope="module")
def adult(shared):
    with (shared / "data/adult_arx/adult.csv").open(newline="") as lines:
        return list(csv.DictReader(lines, delimiter=";"))


def test_the_level_tables_are_found_read_and_cover_the_table(shared, adult):
    found = find_hierarchies(shared / "data/adult_arx", HEIGHTS)
    heights = {}
    for column, path in found.items():
        hierarchy = read_hierarchy(path, column)
        heights[column] = hierarchy.height
        assert check(hierarchy.rows(), {row[column] for row in adult}) == []
    assert heights == HEIGHTS


def test_ages_go_up_in_steps(shared):
    age = read_hierarchy(shared / "data/adult_arx/adult_hierarchy_age.csv", "age")
    assert age.rows()[0] == ("1", "0-4", "0-9", "0-19", "*")


def test_trees_of_different_depth_are_read(shared):
    folder = shared / "data/adult_trees"
    columns = ["marital_status", "native_country", "occupation", "race", "relationship", "sex", "workclass"]
    found = find_hierarchies(folder, columns)
    assert list(found) == columns
    heights = {column: read_hierarchy(path, column).height for column, path in found.items()}
    assert (heights["marital_status"], heights["workclass"], heights["race"]) == (2, 2, 1)
    status = read_hierarchy(found["marital_status"], "marital_status")
    assert status.rows()[:2] == [
        ("Never-married", "Never-married", "*"),
        ("Married-civ-spouse", "Married", "*"),
    ]
    assert check(status.rows(), status.values) == []


def test_taxonomies_of_all_columns_in_one_file_are_read(shared):
    path = shared / "data/adult_taxonomies_sparktptds.json"
    trees = json.loads(path.read_text())
    heights = {column: read_hierarchy(path, column).height for column in trees}
    assert heights == {
        "workclass": 3,
        "education": 3,
        "marital-status": 2,
        "occupation": 1,
        "relationship": 1,
        "race": 1,
        "sex": 1,
        "native-country": 3,
    }
    assert read_hierarchy(path, "workclass").tree() == trees["workclass"]
