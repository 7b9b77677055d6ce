"""What a page says of columns, and writes about them."""

from typing import Any

import pytest

from celosia.api.registries import column_operations, operations
from celosia.errors import ProjectError
from celosia.server.projects import parsed
from celosia.web.data.add_table import table_name
from celosia.web.data.columns import (
    accept_roles,
    leave_out,
    needs_key,
    plan_of,
    set_operation,
    set_role,
    set_type,
    shown_columns,
)
from celosia.web.data.database_form import address_of
from celosia.web.data.operation_form import (
    CHOICES,
    TITLES,
    fields_of,
    read_form,
    show_value,
)
from celosia.words import Words

REASON = {"code": "name", "sentence": "the name says 'age'", "facts": {}}
PROFILE: dict[str, Any] = {
    "rows": 10,
    "columns": [
        {"name": "id", "type": "text", "missing": 0, "distinct": 10, "examples": [], "role": "identifier"},
        {
            "name": "age",
            "type": "integer",
            "missing": 1,
            "distinct": 5,
            "examples": ["31"],
            "role": "quasi-identifier",
        },
    ],
}
for column in PROFILE["columns"]:
    column["reasons"] = [REASON]


def document(**columns: Any) -> dict[str, Any]:
    return {"version": 2, "tables": {"people": {"source": "people.csv", "columns": columns}}}


def test_accepting_proposals_leaves_what_was_declared_and_keeps_the_order_of_the_table() -> None:
    made = document(age={"role": "common", "hierarchy": "hierarchies/age.csv"})
    accept_roles(made, "people", {"id": "identifier", "age": "quasi-identifier"})
    assert list(made["tables"]["people"]["columns"]) == ["id", "age"]
    assert plan_of(made, "people")["age"]["role"] == "common"
    assert made["tables"]["people"]["unlisted"] == "drop"
    parsed(made)


def test_a_role_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="boss"):
        set_role(document(), "people", "age", "boss")


def test_a_column_said_for_all_tables_keeps_what_was_said_when_one_table_changes_it() -> None:
    made = {**document(), "columns": {"zip": {"role": "quasi-identifier", "weight": 2}}}
    set_type(made, "people", "zip", "text")
    assert made["tables"]["people"]["columns"]["zip"] == {
        "role": "quasi-identifier",
        "weight": 2,
        "type": "text",
    }


def test_taking_an_operation_away_leaves_the_role_alone() -> None:
    made = document(id={"role": "identifier", "operation": {"name": "pseudonymize"}})
    set_operation(made, "people", "id", None)
    assert made["tables"]["people"]["columns"]["id"] == "identifier"


def test_only_operations_with_a_key_declare_the_key_of_the_project() -> None:
    made = document(id="identifier", age="common")
    set_operation(made, "people", "age", {"name": "round", "to": 10})
    assert "keys" not in made
    set_operation(made, "people", "id", {"name": "pseudonymize"})
    assert made["keys"] == {"default": {"file": "keys/default.key"}}
    parsed(made)


def test_columns_that_are_left_out_do_not_leave() -> None:
    made = document(age="quasi-identifier")
    leave_out(made, "people", ["age"])
    assert parsed(made).plan("people").dropped == ("age",)


def test_a_row_says_what_is_proposed_and_why_until_a_role_is_declared() -> None:
    words = Words("en")
    identifier, age = shown_columns(PROFILE, {"age": {"role": "sensitive"}}, words)
    assert not identifier["declared"]
    assert identifier["role"] == "identifier"
    assert identifier["fate"] == "it is removed"
    assert age["declared"]
    assert age["role"] == "sensitive"
    assert age["why"] == "Quasi-identifier: the name says 'age'"
    assert age["missing"] == "1 missing"


def test_an_operation_that_is_wrong_says_so_in_its_row() -> None:
    row = shown_columns(PROFILE, {"age": {"operation": {"name": "rund"}}}, Words("en"))[1]
    assert row["fate"] == "there is no operation 'rund'"


def test_every_parameter_of_every_operation_has_a_title_and_a_place_in_a_form() -> None:
    for name in column_operations():
        for field in fields_of(operations()[name]):
            assert field.name in TITLES, f"{name}.{field.name}"
            if field.shape == "choice":
                assert all(choice in CHOICES or choice.isascii() for choice in field.choices)


@pytest.mark.parametrize("name", column_operations())
def test_a_form_as_it_opens_says_nothing_but_the_name(name: str) -> None:
    fields = fields_of(operations()[name])
    filled = {field.name: show_value(field, None) for field in fields}
    filled |= {"to": "10", "level": "1", "width": "5", "top": "90", "first": "2", "pairs": "a = b"}
    filled = {key: value for key, value in filled.items() if key in {field.name for field in fields}}
    made = read_form(name, filled)
    assert made["name"] == name
    assert set(made) <= {"name", "to", "level", "width", "top", "first", "pairs"}
    needs_key(made)


def test_what_a_form_shows_of_an_operation_is_read_back_as_it_was() -> None:
    said = {"name": "bin", "cuts": [10, 20.5], "label": "lower", "missing": "replace", "replacement": "?"}
    shown = {field.name: show_value(field, said.get(field.name)) for field in fields_of(operations()["bin"])}
    assert read_form("bin", shown) == said


def test_a_mistake_in_a_form_names_the_parameter() -> None:
    with pytest.raises(ProjectError, match="length"):
        read_form("pseudonymize", {"length": "2"})


@pytest.mark.parametrize(
    ("place", "name"),
    [("data/a<b>.csv", "a_b"), ('clinic."odd.name"', "name"), ("data/.csv", "table"), ("x/???", "table")],
)
def test_names_of_tables_are_plain(place: str, name: str) -> None:
    assert table_name(place, {}) == name


def test_an_address_needs_a_host_and_a_port_that_is_one() -> None:
    with pytest.raises(ProjectError, match="needed"):
        address_of("postgresql", " ", "", "clinic", "ana")
    with pytest.raises(ProjectError, match="port"):
        address_of("postgresql", "here", "99999999", "clinic", "ana")
    assert address_of("mariadb", "here", "3306", "clinic", "") == "mariadb://here/clinic"
