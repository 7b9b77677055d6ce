"""The documents and parameters of SparkTPTDS are checked before Spark is started, and what is wrong is named."""

import json
from datetime import date
from types import SimpleNamespace

import polars as pl
import pytest

from celosia.errors import CelosiaError, HierarchyError, ProjectError, ReleaseError
from celosia.hierarchies import Hierarchy
from celosia.sparktptds import AnonymizationMethod, DataPreprocess, LevelCut, Test, TwoPhaseTDS
from celosia.types import Role

JOB = {
    "attributes_to_remove": ["fnlwgt"],
    "sensitive_attributes": ["class", "gain"],
    "categorical_attributes": ["sex"],
    "continous_attributes": ["age"],
    "dataset_missing_values": True,
    "save_anonymization_result": True,
    "result_file_name": "tds_anonymization",
    "partitions": 3,
    "file_path": "hdfs:///data/adult.json",
}
TREES = {"sex": {"value": "All sex", "children": [{"value": "Female"}, {"value": "Male"}]}}


@pytest.fixture(autouse=True)
def no_spark(monkeypatch):
    def refuse(*given, **more):
        raise AssertionError("Spark was started")

    monkeypatch.setattr("celosia.tables.spark.session.spark_session", refuse)


def without(*names):
    return {name: value for name, value in JOB.items() if name not in names}


def test_documents_are_taken_as_mappings_texts_and_files(tmp_path):
    information, trees = tmp_path / "information.json", tmp_path / "trees.json"
    information.write_text(json.dumps(JOB))
    trees.write_text(json.dumps(TREES))
    made = [
        DataPreprocess(JOB, TREES),
        DataPreprocess(json.dumps(JOB, indent=1), json.dumps(TREES)),
        DataPreprocess(information, trees),
        DataPreprocess(str(information), str(trees)),
    ]
    assert all(data.information == JOB for data in made)
    assert all(data.fields == made[0].fields for data in made)
    assert made[0].trees == {"sex": Hierarchy.from_tree("sex", TREES["sex"])}


def test_the_right_spelling_counts_too_and_partitions_may_be_left_out():
    job = {**without("continous_attributes", "partitions"), "continuous_attributes": ["age"]}
    data = DataPreprocess(job, TREES)
    assert data.information["continous_attributes"] == ["age"]
    assert TwoPhaseTDS(data, 5, 10).technique() == {"name": "two-phase", "k_partition": 10}


@pytest.mark.parametrize("name", [name for name in JOB if name != "partitions"])
def test_a_key_that_is_missing_is_named(name):
    with pytest.raises(ProjectError, match="the key is missing") as error:
        DataPreprocess(without(name), TREES)
    assert error.value.where == f"data_information, {name}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("attributes_to_remove", "fnlwgt"),
        ("sensitive_attributes", [5]),
        ("categorical_attributes", None),
        ("continous_attributes", {"age": 1}),
        ("dataset_missing_values", "true"),
        ("save_anonymization_result", 1),
        ("result_file_name", ""),
        ("partitions", 0),
        ("partitions", True),
        ("partitions", "3"),
        ("file_path", 7),
    ],
)
def test_a_key_that_holds_something_else_is_named(name, value):
    with pytest.raises(ProjectError, match="not what the key should hold") as error:
        DataPreprocess({**JOB, name: value}, TREES)
    assert error.value.where == f"data_information, {name}"


def itself():
    found = {"value": "a"}
    found["children"] = [found]
    return found


@pytest.mark.parametrize(
    ("job", "trees", "said"),
    [
        ({**JOB, "partition": 3}, TREES, "data_information, partition: this key is not known; did you mean"),
        ({**JOB, "continuous_attributes": []}, TREES, "in both spellings"),
        (
            {**JOB, "categorical_attributes": [], "continous_attributes": []},
            {},
            "no attribute is to be generalized",
        ),
        ({**JOB, "sensitive_attributes": ["sex"]}, TREES, "the attribute 'sex' is listed twice"),
        (JOB, {}, "categorical_trees, sex: the categorical attribute has no tree"),
        (JOB, {"sex": {"children": []}}, 'a node at the root has no "value"'),
        (JOB, {"sex": itself()}, "categorical_trees: it holds itself"),
        (JOB, 5, "categorical_trees: this is no document"),
        ([], TREES, "data_information: this is no document"),
        ("{", TREES, "data_information, line 1: this is not JSON"),
        ("nowhere.json", TREES, "nowhere.json: this file does not exist"),
    ],
)
def test_what_is_wrong_with_a_document_is_told(job, trees, said):
    with pytest.raises(CelosiaError, match=said):
        DataPreprocess(job, trees)


def test_a_label_that_stands_above_itself_is_refused():
    leaf = {
        "value": "a",
        "children": [{"value": "b", "children": [{"value": "a", "children": [{"value": "c"}]}]}],
    }
    with pytest.raises(HierarchyError, match="a label stands above itself"):
        DataPreprocess(JOB, {"sex": {"value": "*", "children": [leaf]}})


def test_trees_need_not_be_balanced():
    uneven = {"value": "*", "children": [{"value": "x", "children": [{"value": "a"}]}, {"value": "b"}]}
    assert DataPreprocess(JOB, {"sex": uneven}).trees["sex"].rows() == [("a", "x", "*"), ("b", "b", "*")]


def test_in_a_file_the_line_is_named(tmp_path):
    path = tmp_path / "information.json"
    path.write_text(json.dumps({**JOB, "partitions": 0}, indent=1))
    with pytest.raises(ProjectError, match=r"information\.json, line \d+, partitions: "):
        DataPreprocess(path, TREES)


@pytest.mark.parametrize(
    ("k", "k_i", "where"), [(1, 5, "k"), ("5", 5, "k"), (5, 4, "k_i"), (5, None, "k_i"), (True, 5, "k")]
)
def test_k_is_a_number_and_not_more_than_k_i(k, k_i, where):
    with pytest.raises(ProjectError) as error:
        TwoPhaseTDS(DataPreprocess(JOB, TREES), k, k_i)
    assert error.value.where == where


def test_a_method_is_given_a_dataset_and_names_a_technique():
    with pytest.raises(ProjectError, match="give a DataPreprocess"):
        TwoPhaseTDS(JOB, 5, 10)
    with pytest.raises(TypeError, match="technique"):
        AnonymizationMethod(DataPreprocess(JOB, TREES), 5)


def test_the_project_is_what_the_documents_say():
    method = TwoPhaseTDS(DataPreprocess(JOB, TREES), 500, 550)
    plan = method.dataset.project(500, method.technique(), date(2026, 11, 16)).plan()
    assert plan.source.path == "hdfs:///data/adult.json"
    assert plan.source.engine == "spark"
    assert plan.destination.path == "hdfs:///data/tds_anonymization_k500_2026-11-16.json"
    assert plan.technique.model_dump(include={"partitions", "k_partition"}) == {
        "partitions": 3,
        "k_partition": 550,
    }
    assert (plan.models[0].k, plan.missing) == (500, "mode")
    assert plan.quasi_identifiers == ("sex", "age")
    assert plan.with_role(Role.SENSITIVE) == ("class", "gain")
    assert plan.dropped == ("fnlwgt",)
    assert plan.columns["age"].type is None
    kept = method.dataset.project(500, method.technique()).plan()
    assert (kept.source.path, kept.source.engine, kept.destination.path) == (None, "spark", None)


def test_a_session_that_was_stopped_is_told():
    stopped = SimpleNamespace(sparkContext=SimpleNamespace(_jsc=None))
    with pytest.raises(ProjectError, match="the session of Spark was stopped"):
        TwoPhaseTDS(DataPreprocess(JOB, TREES, stopped), 5, 10).two_phase_tds()


SEX = Hierarchy.from_tree("sex", TREES["sex"])
TOWN = Hierarchy.from_rows(
    "town", [("Lugo", "Galicia", "*"), ("Vigo", "Galicia", "*"), ("Soria", "León", "*")]
)
AL_0 = {"sex": LevelCut(SEX, 1), "town": LevelCut(TOWN, 2)}
AL = {"sex": LevelCut(SEX, 1), "town": LevelCut(TOWN, 1)}
PEOPLE = pl.DataFrame({"sex": ["Female", "Male"] * 2, "town": ["Lugo", "Vigo", "Soria", "Soria"]})


def released(*towns):
    return pl.DataFrame({"sex": ["All sex"] * len(towns), "town": towns})


def test_five_validations_pass_what_is_right():
    Test(released("Galicia", "Galicia", "León", "León"), 2, PEOPLE, AL, AL_0).check()


@pytest.mark.parametrize(
    ("towns", "k", "kind", "said"),
    [
        (["Galicia"] * 4, 5, ProjectError, "k = 5 is more than the 4 rows"),
        (["Galicia"] * 3 + ["León"], 2, ReleaseError, "k-anonymity: asked 2, reached 1; 1 class violates it"),
        (["Galicia"] * 3, 2, ReleaseError, "there are 3 rows of 4"),
        (["Galicia"] * 2 + ["Soria"] * 2, 2, ReleaseError, "1 different value of 'town' is not on level 1"),
        (["*"] * 4, 2, ReleaseError, "1 different value of 'town' is not on level 1"),
    ],
)
def test_each_validation_finds_what_it_is_for(towns, k, kind, said):
    with pytest.raises(kind, match=said):
        Test(released(*towns), k, PEOPLE, AL, AL_0).check()


def test_specialization_must_begin_at_the_root():
    with pytest.raises(HierarchyError, match="the tree of 'town': it is not begun at its root"):
        Test(released("Galicia"), 2, PEOPLE, AL, AL).check_before()
    no_root = Hierarchy.from_rows("town", [("Lugo", "Galicia"), ("Soria", "León")])
    with pytest.raises(HierarchyError, match="the last level has 2 labels"):
        Test(released("Galicia"), 2, PEOPLE, AL, {"town": LevelCut(no_root, 1)}).check_before()
