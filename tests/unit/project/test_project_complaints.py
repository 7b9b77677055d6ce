"""What is wrong with a project, as a person reads it."""

from enum import StrEnum
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from celosia.errors import ProjectError
from celosia.privacy import MODELS
from celosia.project.document import parse_document
from celosia.project.mistakes import explain, list_mistakes, with_location
from celosia.recode.techniques import Technique, find_technique, make_technique


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Role(StrEnum):
    COMMON = "common"
    QUASI = "quasi-identifier"


class Column(Part):
    role: Role = Role.COMMON
    weight: float = Field(default=1, gt=0)
    length: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: Any) -> Any:
        return {"role": value} if isinstance(value, str) else value


class Place(Part):
    path: str
    separator: str | None = None


class Table(Part):
    source: str | Place = ""
    columns: dict[str, Column] = {}


@with_location
def make_one(value: Any) -> Any:
    parameters = dict(value)
    name = parameters.pop("name")
    find_technique(name, where="name")
    return make_technique(name, **parameters)


@with_location
def make_chain(value: Any) -> Any:
    return tuple(make_one(step) for step in value)


def make_model(value: Any) -> Any:
    parameters = dict(value)
    return MODELS[parameters.pop("model")](**parameters)


class Project(Part):
    tables: dict[str, Table] = {}
    models: list[Annotated[Any, BeforeValidator(make_model)]] = []
    technique: Annotated[Technique | None, BeforeValidator(make_one)] = None
    chain: Annotated[tuple[Any, ...], BeforeValidator(make_chain)] = ()
    suppression: float = Field(default=0, le=1)
    evaluate: list[Role] = []
    seed: int | None = None


def told(text: str) -> list[str]:
    document = parse_document(text, "p.yaml", "yaml")
    with pytest.raises(ValidationError) as caught:
        Project.model_validate(document.data)
    return [str(each) for each in list_mistakes(caught.value, document, model=Project)]


def test_the_field_its_line_what_was_expected_and_what_was_meant_are_told():
    text = "seed: 1\ntables:\n  people:\n    columns:\n      age:\n        role: quasi-identifer\n"
    assert told(text) == [
        "p.yaml, line 6, tables.people.columns.age.role: it should be 'common' or 'quasi-identifier', "
        "not 'quasi-identifer'; did you mean 'quasi-identifier'?"
    ]


def test_a_field_that_does_not_exist_gets_the_nearest_that_does():
    assert told("tables:\n  people:\n    colums: {}") == [
        "p.yaml, line 3, tables.people.colums: there is no field 'colums' here; did you mean 'columns'?"
    ]
    assert told("tables: {t: {columns: {age: {wieght: 2}}}}") == [
        "p.yaml, line 1, tables.t.columns.age.wieght: there is no field 'wieght' here; did you mean 'weight'?"
    ]
    assert "the fields are: tables, models," in told("zzz: 1")[0]


def test_a_text_that_stands_for_a_field_is_told_where_it_stands():
    assert told("tables:\n  t:\n    columns:\n      age: comon") == [
        "p.yaml, line 4, tables.t.columns.age: it should be 'common' or 'quasi-identifier', not 'comon'; "
        "did you mean 'common'?"
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("suppression: 2", "suppression: it should be less than or equal to 1, not 2"),
        ("suppression: much", "suppression: it should be a number, not 'much'"),
        ("seed: 1.5", "seed: it should be a whole number, not 1.5"),
        ("seed: [1]", "seed: it should be a whole number, not a list"),
        ("tables: 5", "tables: it should be a mapping of fields, not 5"),
        ("tables: null", "tables: it should be a mapping of fields, not nothing"),
        ("tables: {t: {columns: [a]}}", "tables.t.columns: it should be a mapping of fields, not a list"),
        ("evaluate: [common, comon]", "evaluate[1]: it should be 'common' or 'quasi-identifier'"),
        ("models: 5", "models: it should be a list, not 5"),
    ],
)
def test_what_was_expected_is_said_in_plain_words(text, said):
    (one,) = told(text)
    assert one.startswith(f"p.yaml, line 1, {said}")


def test_of_several_forms_only_the_one_that_was_meant_is_told():
    assert told("tables:\n  t:\n    source:\n      path: a.csv\n      seperator: x") == [
        "p.yaml, line 5, tables.t.source.seperator: there is no field 'seperator' here; did you mean 'separator'?"
    ]
    assert told("tables: {t: {source: 5}}") == [
        "p.yaml, line 1, tables.t.source: it should be a text or a mapping of fields, not 5; correct the project"
    ]


def test_a_field_that_is_missing_is_told_where_it_should_be():
    assert told("tables:\n  t:\n    source:\n      separator: x") == [
        "p.yaml, line 3, tables.t.source.path: this field is missing; add path"
    ]


def test_mistakes_in_the_parameters_of_a_model_are_told_by_field():
    assert told("models:\n  - model: k-anonymity\n    k: 1") == [
        "p.yaml, line 3, models[0].k: it should be greater than or equal to 2, not 1; correct the project"
    ]
    assert told("models:\n  - model: k-anonymity\n    kk: 5")[0].startswith("p.yaml, line 2, models[0].k")


def test_mistakes_that_other_rooms_find_keep_their_place():
    (one,) = told("technique:\n  name: mondrian\n  node: [1]")
    assert one.startswith(
        "p.yaml, line 3, technique.node: technique mondrian: it has no parameter 'node'; leave it out"
    )
    (one,) = told("technique:\n  name: mondrain")
    assert one == (
        "p.yaml, line 2, technique.name: there is no technique 'mondrain'; did you mean 'mondrian'?"
    )


def test_the_step_of_a_chain_is_found():
    (one,) = told("chain:\n  - {name: local}\n  - name: mondrian\n    splt: median")
    assert one.startswith("p.yaml, line 4, chain[1].splt")


def test_of_two_steps_of_one_name_the_one_with_the_mistake_is_found():
    (one,) = told("chain:\n  - {name: mondrian, split: median}\n  - {name: mondrian, splt: median}")
    assert one.startswith("p.yaml, line 3, chain[1].splt")


def test_the_beginning_of_a_word_is_enough_to_guess_it():
    assert told("tables: {t: {columns: {age: quasi}}}")[0].endswith("did you mean 'quasi-identifier'?")
    assert told("tables: {t: {columns: {age: zzz}}}")[0].endswith("choose one of them")


def test_several_mistakes_are_counted_and_come_in_the_order_of_the_document():
    text = "suppression: 2\nseed: x\ntables: {t: {sorce: 1}}"
    assert [one.partition(":")[0] for one in told(text)] == [
        "p.yaml, line 1, suppression",
        "p.yaml, line 2, seed",
        "p.yaml, line 3, tables.t.sorce",
    ]
    document = parse_document(text, "p.yaml", "yaml")
    with pytest.raises(ValidationError) as caught:
        Project.model_validate(document.data)
    error = explain(caught.value, document, model=Project)
    assert isinstance(error, ProjectError)
    assert error.where == "p.yaml, line 1, suppression"
    assert error.remedy.endswith("(and 2 more mistakes)")


def test_values_that_may_be_secrets_or_a_persons_are_not_repeated():
    class Secrets(Part):
        connections: dict[str, Role] = {}
        pairs: dict[str, int] = {}
        seed: int = 0

    text = "connections: {db: 'x:hunter2@y'}\npairs: {a: Ana}\nseed: postgresql://u:hunter2@db/x"
    document = parse_document(text, "p.yaml", "yaml")
    with pytest.raises(ValidationError) as caught:
        Secrets.model_validate(document.data)
    shown = "\n".join(str(each) for each in list_mistakes(caught.value, document))
    assert shown.count("\n") == 2
    assert "hunter2" not in shown
    assert "Ana" not in shown


def test_a_document_of_an_earlier_version_still_names_the_field():
    document = parse_document("old: 1", "p.yaml", "yaml")
    with pytest.raises(ValidationError) as caught:
        Project.model_validate(
            {
                "tables": {"t": {"columns": 5}},
                "models": [{"model": "k-anonymity", "k": 1}],
                "technique": {"name": "x"},
            }
        )
    assert [each.where for each in list_mistakes(caught.value, document)] == [
        "p.yaml, line 1, tables.t.columns",
        "p.yaml, line 1, models[0].k",
        "p.yaml, line 1, technique",
    ]
