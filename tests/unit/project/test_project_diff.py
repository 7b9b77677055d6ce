"""What differs between two projects, as a person reads it."""

import copy
import random

from hypothesis import given
from hypothesis import strategies as st

from celosia.project.diff import diff

PROJECT = {
    "version": 2,
    "name": "flu",
    "kind": "complete",
    "hierarchies": {"ages": "ages.csv", "sex": [["f", "*"], ["m", "*"]]},
    "tables": {
        "people": {
            "source": {"path": "people.csv"},
            "columns": {
                "age": {"role": "quasi-identifier", "hierarchy": "ages"},
                "zip": {"role": "quasi-identifier", "operation": {"name": "truncate", "first": 3}},
                "name": {
                    "role": "identifier",
                    "operation": {"name": "substitute", "pairs": {"Ana": "A", "Eva": "E", "Luis": "L"}},
                },
            },
        }
    },
    "models": [
        {"model": "k-anonymity", "k": 5},
        {"model": "t-closeness", "column": "disease", "t": 0.2},
    ],
    "technique": [{"name": "local"}, {"name": "mondrian", "split": "median"}],
    "evaluate": ["risk", "measures"],
    "repeated_attributes": [["people.id", "visits.person"]],
}


def changed(**fields):
    """Sentences from the project to one with other fields; the key is a path with __ between its parts."""
    other = copy.deepcopy(PROJECT)
    for path, value in fields.items():
        *before, last = path.split("__")
        here = other
        for part in before:
            here = here[part]
        if value is None:
            del here[last]
        else:
            here[last] = value
    return [change.sentence for change in diff(PROJECT, other)]


def test_the_same_project_has_no_differences():
    assert changed() == []


def test_fields_are_told_by_table_and_column():
    assert changed(tables__people__columns__age__role="sensitive") == [
        "table people, column age, role: quasi-identifier became sensitive"
    ]
    assert changed(tables__people__columns__sex={"role": "common"}) == [
        "table people, column sex: added, role common"
    ]
    assert changed(tables__people__columns__age=None) == [
        "table people, column age: removed, role quasi-identifier, hierarchy ages"
    ]
    assert changed(tables__visits={"source": {"path": "visits.csv"}}) == [
        'table visits: added, {"source": {"path": "visits.csv"}}'
    ]


def test_differences_come_in_the_order_of_a_project():
    told = changed(
        suppression=0.05,
        kind="light",
        tables__people__columns__age__role="common",
        tables__people__person="id",
        hierarchies__ages="other.csv",
        owner="ana",
    )
    assert [sentence.partition(":")[0] for sentence in told] == [
        "owner",
        "kind",
        "hierarchy ages",
        "table people, person",
        "table people, column age, role",
        "suppression",
    ]


def test_models_are_compared_by_what_they_are_about():
    assert changed(
        models=[
            {"model": "t-closeness", "column": "disease", "t": 0.1},
            {"model": "t-closeness", "column": "salary", "t": 0.2},
            {"model": "k-anonymity", "k": 5},
        ]
    ) == [
        "model t-closeness of disease, t: 0.2 became 0.1",
        "model t-closeness of salary: added, model t-closeness, column salary, t 0.2",
    ]


def test_the_order_of_a_chain_counts_and_that_of_models_does_not():
    assert changed(technique=PROJECT["technique"][::-1]) == [
        'technique: ["local", "mondrian"] became ["mondrian", "local"]'
    ]
    assert changed(models=PROJECT["models"][::-1], evaluate=["measures", "risk"]) == []


def test_another_operation_is_told_whole_and_another_parameter_by_itself():
    assert changed(tables__people__columns__zip__operation={"name": "suppress"}) == [
        "table people, column zip, operation: name truncate, first 3 became name suppress"
    ]
    assert changed(tables__people__columns__zip__operation__first=2) == [
        "table people, column zip, operation, first: 3 became 2"
    ]


def test_one_operation_that_became_two_is_one_added():
    chain = [{"name": "truncate", "first": 3}, {"name": "shuffle"}]
    assert changed(tables__people__columns__zip__operation=chain) == [
        "table people, column zip, operation, shuffle: added, name shuffle"
    ]


def test_tables_of_values_are_counted_not_told():
    pairs = {"Ana": "A", "Eva": "X", "Rosa": "R", "Olga": "O"}
    (told,) = changed(tables__people__columns__name__operation__pairs=pairs)
    assert told == ("table people, column name, operation, pairs: of 3 entries 2 added, 1 removed, 1 changed")
    assert changed(hierarchies__sex=[["f", "*"], ["m", "*"], ["x", "*"]]) == [
        "hierarchy sex: of 2 entries 1 added"
    ]
    assert changed(hierarchies__sex="sex.csv") == ['hierarchy sex: [["f", "*"], ["m", "*"]] became sex.csv']


def test_groups_of_attributes_are_added_and_removed():
    assert changed(repeated_attributes=[["people.zip", "visits.zip"]]) == [
        'repeated_attributes, people.id, visits.person: removed, ["people.id", "visits.person"]',
        'repeated_attributes, people.zip, visits.zip: added, ["people.zip", "visits.zip"]',
    ]


def test_true_is_not_one():
    assert len(diff({"a": True}, {"a": 1})) == 1


def test_the_change_for_programs_says_what_was_before_and_after():
    (change,) = diff({"seed": 7}, {"seed": 8})
    assert change.document() == {
        "change": "changed",
        "field": ["seed"],
        "before": 7,
        "after": 8,
        "sentence": "seed: 7 became 8",
    }
    (change,) = diff({}, {"seed": 8})
    assert change.document() == {
        "change": "added",
        "field": ["seed"],
        "after": 8,
        "sentence": "seed: added, 8",
    }


leaves = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["a", "b"])
mappings = st.dictionaries(
    st.sampled_from(["name", "seed", "tables", "columns", "x", "y"]),
    st.recursive(
        leaves, lambda inner: st.dictionaries(st.sampled_from("pqr"), inner, max_size=3), max_leaves=8
    ),
    max_size=4,
)


def apply(changes, data):
    """The data with the changes made to them."""
    data = copy.deepcopy(data)
    for change in changes:
        here = data
        for part in change.path[:-1]:
            here = here[part]
        if change.kind == "removed":
            del here[change.path[-1]]
        else:
            here[change.path[-1]] = change.after
    return data


@given(mappings, mappings)
def test_the_changes_lead_from_one_to_the_other(a, b):
    assert apply(diff(a, b), a) == b


@given(mappings)
def test_the_order_in_which_fields_are_written_does_not_matter(data):
    keys = list(data)
    random.Random(1).shuffle(keys)
    assert diff(data, {key: data[key] for key in keys}) == []
