"""Privacy models, techniques and operations in a project: what is said of those that are written wrongly."""

import pytest

from celosia.errors import ProjectError
from celosia.project import make_project
from celosia.project.load import parse_project


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "technique: {method: mondrian}",
            "technique.method: a technique is named by 'name', not by 'method'; write it as in name: mondrian",
        ),
        (
            "technique: [full-domain, {method: mondrian}]",
            "technique[1].method: a technique is named by 'name'",
        ),
        ("technique: {split: median}", "technique: a technique is named by 'name'; write"),
        ("technique: {name: [mondrian]}", "technique.name: a technique is named by 'name'; write"),
        ("technique: {name: mondrain}", "technique.name: there is no technique 'mondrain'; did you mean"),
        ("technique: [local, {name: mondrain}]", "technique[1].name: there is no technique 'mondrain'; did"),
        ("technique: mondrain", "technique: there is no technique 'mondrain'; did you mean"),
        (
            "technique: {name: mondrian, method: x}",
            "technique.method: technique mondrian: it has no parameter 'method'",
        ),
        ("technique: []", "technique: a chain has no steps; name a technique"),
        (
            "models: [{name: k-anonymity, k: 5}]",
            "models[0].name: a privacy model is named by 'model', not by 'name'; write it as in model: k-anonymity",
        ),
        (
            "models: [{model: [k-anonymity], k: 5}]",
            "models[0].model: a privacy model is named by 'model'; write",
        ),
        ("models: [{model: k-anonimity, k: 5}]", "there is no privacy model 'k-anonimity'; did you mean"),
        ("columns: {a: {operation: {to: 5}}}", "columns.a.operation: an operation is named by 'name'; write"),
        ("columns: {a: {operation: 5}}", "columns.a.operation: an operation is a name, or a mapping"),
        (
            "columns: {a: {operation: {name: sample, share: 0.5}}}",
            "columns.a.operation: 'sample' is an operation on rows; write it under the rows of the table",
        ),
        (
            "columns: {a: {operation: [suppress, drop-rows]}}",
            "operation[1]: 'drop-rows' is an operation on rows",
        ),
        (
            "tables: {t: {rows: [{name: round, to: 5}]}}",
            "tables.t.rows[0]: 'round' is an operation on a column; write it under a column, as its operation",
        ),
        ("tables: {t: {rows: suppress}}", "tables.t.rows: 'suppress' is an operation on a column"),
        (
            "columns: {a: {operation: {name: bin, cuts: []}}}",
            "cuts: it should have at least 1 item; correct the parameter",
        ),
    ],
)
def test_a_thing_that_is_written_wrongly_is_told_with_what_to_write(text, told):
    with pytest.raises(ProjectError) as caught:
        parse_project(f"version: 2\n{text}", "p.yaml")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"technique": ()}, "technique: a chain has no steps; name a technique, as in name: full-domain"),
        (
            {"columns": {"a": {"operation": {"name": "bin", "cuts": []}}}},
            "columns.a.operation.cuts: operation bin, cuts: it should have at least 1 item; correct the parameter",
        ),
        (
            {"technique": {"name": "mondrian", 5: 1}},
            "technique: 5 is no parameter of mondrian; leave it out",
        ),
        ({"seed": -1, "suppression": 2}, "suppression: it should be less than or equal to 1, not 2"),
    ],
)
def test_fields_that_are_handed_over_are_told_with_one_remedy(fields, told):
    with pytest.raises(ProjectError) as caught:
        make_project(**fields)
    assert str(caught.value).startswith(told)
    assert str(caught.value).count("correct the") <= 1
