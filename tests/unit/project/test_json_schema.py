"""The JSON Schema: what loads is valid by it, and what it marks in an editor does not load."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from celosia.errors import ProjectError
from celosia.mask import ColumnOperation
from celosia.mask.registry import operations
from celosia.project import json_schema, make_project
from celosia.project.load import parse_project
from celosia.project.writing import to_yaml
from celosia.recode.techniques import TECHNIQUES


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return json_schema()


@pytest.fixture(scope="module")
def schema(found: dict[str, Any]) -> Draft202012Validator:
    Draft202012Validator.check_schema(found)
    return Draft202012Validator(found)


def table(**fields: Any) -> dict[str, Any]:
    return {"version": 2, "tables": {"people": {"source": "people.csv", **fields}}}


def column(**fields: Any) -> dict[str, Any]:
    return table(columns={"age": fields})


GOOD = {
    "nothing": {"version": 2},
    "texts for parts": table(destination="safe.csv", columns={"age": "quasi-identifier", "sex": None}),
    "parts in full": table(
        source={"path": "people.txt", "separator": "|", "encoding": "latin-1", "missing": ["", "-"]},
        destination={"path": "safe.txt", "separator": ";", "header": False},
    ),
    "a column in full": column(type="integer", length=3, role="quasi-identifier", weight=2.5, keep_type=True),
    "no operation": column(operation=None),
    "an operation by name": column(operation="suppress"),
    "an operation with parameters": column(operation={"name": "round", "to": 10, "missing": "drop"}),
    "a chain of operations": column(operation=[{"name": "round", "to": 10}, "keep"]),
    "row operations": table(
        rows=[{"name": "drop-rows", "where": "age < 18"}, {"name": "sample", "share": 0.1}]
    ),
    "one row operation": table(rows={"name": "sample", "share": 0.1, "by": "id"}),
    "a hierarchy file": column(hierarchy="ages.csv"),
    "a hierarchy in rows": column(hierarchy=[["31", "30-39", "*"], ["47", "40-49", "*"]]),
    "a hierarchy in groups": column(hierarchy={"young": ["31"], "old": {"very": ["95"]}}),
    "models": {
        "version": 2,
        "models": [{"model": "k-anonymity", "k": 5}, {"model": "t-closeness", "column": "ill", "t": 0.15}],
    },
    "a technique by name": {"version": 2, "technique": "mondrian"},
    "a technique with parameters": {"version": 2, "technique": {"name": "full-domain", "node": [1, 0]}},
    "a chain of techniques": {
        "version": 2,
        "technique": [{"name": "distribution-mondrian", "columns": ["age"]}, "full-domain"],
    },
    "keys": {
        "version": 2,
        "keys": {"a": {"file": "a.key"}, "b": {"environment": "B", "previous": [{"keyring": "old"}]}},
    },
    "databases": {
        "version": 2,
        "connections": {"clinic": "sqlite:///clinic.db"},
        "tables": {
            "one": {"source": {"connection": "clinic", "table": "visits"}, "destination": {"table": "safe"}},
            "two": {"source": {"connection": "clinic", "table": ["a", "b"], "where": "age > 17"}},
        },
    },
    "repeated attributes": {
        "version": 2,
        "tables": {"a": {"columns": {"id": "identifier"}}, "b": {"person": "id"}},
        "repeated_attributes": [["a.id", "b.id"]],
    },
    "goals": {
        "version": 2,
        "kind": "light",
        "suppression": 0.05,
        "missing": "drop",
        "seed": 7,
        "evaluate": ["risk"],
    },
}

BAD = {
    "a field that does not exist": {"version": 2, "supression": 0.1},
    "a field of a column that does not exist": column(roles="common"),
    "a role that does not exist": table(columns={"age": "quasi"}),
    "a type that does not exist": column(type="shape"),
    "an operation that does not exist": column(operation="rund"),
    "an operation without what it needs": column(operation="round"),
    "an operation without its name": column(operation={"to": 10}),
    "a parameter that does not exist": column(operation={"name": "round", "too": 10}),
    "a parameter of the wrong kind": column(operation={"name": "truncate", "first": "three"}),
    "an operation on rows in a column": column(operation={"name": "sample", "share": 0.1}),
    "an operation on a column for rows": table(rows=["suppress"]),
    "a model that does not exist": {"version": 2, "models": [{"model": "k-anonimity", "k": 5}]},
    "a model without its parameter": {"version": 2, "models": [{"model": "k-anonymity"}]},
    "a technique that does not exist": {"version": 2, "technique": "mondrain"},
    "an empty chain": {"version": 2, "technique": []},
    "a share above 1": {"version": 2, "suppression": 5},
    "a kind that does not exist": {"version": 2, "kind": "medium"},
    "a version that does not exist": {"version": 3},
    "a weight of nothing": column(weight=0),
    "a list for a mapping": {"version": 2, "tables": []},
}


@pytest.mark.parametrize("document", GOOD.values(), ids=GOOD)
def test_what_loads_is_valid(schema, document):
    parse_project(to_yaml(document), "p.yaml")
    assert [error.message for error in schema.iter_errors(document)] == []


@pytest.mark.parametrize("document", BAD.values(), ids=BAD)
def test_what_is_marked_as_wrong_does_not_load(schema, document):
    assert not schema.is_valid(document)
    with pytest.raises(ProjectError):
        parse_project(to_yaml(document), "p.yaml")


@pytest.mark.parametrize("document", GOOD.values(), ids=GOOD)
def test_a_project_is_written_as_the_schema_wants_it(schema, document):
    written = make_project(**document).model_dump(mode="json", exclude_defaults=True)
    assert [error.message for error in schema.iter_errors(written)] == []


def test_a_document_may_extend_others(schema):
    assert schema.is_valid({"extends": "roles.yaml", "columns": {"age": "quasi-identifier"}})
    assert schema.is_valid({"extends": ["roles.yaml", "shared/keys.yaml"]})
    assert not schema.is_valid({"extends": 7})


@pytest.mark.parametrize("name", operations())
def test_every_operation_is_offered_with_its_parameters(found, name):
    operation = operations()[name]
    if issubclass(operation, ColumnOperation):
        choices = found["$defs"]["ColumnPlan"]["anyOf"][-1]["properties"]["operation"]
    else:
        choices = found["$defs"]["TablePlan"]["properties"]["rows"]
    [branch] = [one for part in choices["anyOf"] for one in part.get("oneOf", ()) if one["title"] == name]
    assert set(branch["properties"]) == {"name", *operation.model_fields}
    assert branch["description"]


@pytest.mark.parametrize("name", [name for name in TECHNIQUES if name != "chain"])
def test_every_technique_is_offered_by_name(schema, name):
    assert schema.is_valid({"version": 2, "technique": name})
    assert schema.is_valid({"version": 2, "technique": {"name": name}})
