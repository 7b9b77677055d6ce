"""Goals in a document, and what contradicts itself."""

import json
from typing import Any

import pytest

from celosia.api.checking import contradictions
from celosia.privacy import MODELS
from celosia.project import Project
from celosia.recode.techniques import TECHNIQUES
from celosia.web.goals.goal_sentences import SENTENCES, model_sentence
from celosia.web.goals.goals import (
    drop_model,
    make_complete,
    make_light,
    models_of,
    set_goal,
    set_model,
    set_weight,
)
from celosia.web.parameters import parameters_of
from celosia.words import Words

PARAMETERS: dict[str, dict[str, Any]] = {
    "alpha-k-anonymity": {"column": "ill", "alpha": 0.5, "k": 3},
    "attacker": {"who": "neighbour", "knows": ["age", "sex"], "k": 5},
    "average-risk": {"risk": 0.1},
    "beta-likeness": {"column": "ill", "beta": 2.0},
    "delta-disclosure": {"column": "ill", "delta": 1.0},
    "delta-presence": {"high": 0.5},
    "distinct-l-diversity": {"column": "ill", "l": 2},
    "entropy-l-diversity": {"column": "ill", "l": 1.5},
    "k-anonymity": {"k": 5},
    "k-map": {"k": 5},
    "km-anonymity": {"k": 5, "known": 2},
    "lkc-privacy": {"column": "ill", "k": 5, "known": 2, "confidence": 0.5},
    "maximum-risk": {"risk": 0.2},
    "no-attack": {"gain": 1.0, "cost": 2.0},
    "population-uniqueness": {"share": 0.01},
    "profitability": {"benefit": 10.0, "loss": 3.0, "gain": 1.0, "cost": 1.0},
    "recursive-l-diversity": {"column": "ill", "c": 2.0, "l": 3},
    "rows-at-risk": {"risk": 0.2, "share": 0.05},
    "t-closeness": {"column": "ill", "t": 0.3},
}


def table() -> dict[str, Any]:
    columns = {"age": "quasi-identifier", "sex": {"role": "quasi-identifier"}, "ill": "sensitive"}
    return {"source": "people.csv", "columns": columns}


def wrong_with(**goals: Any) -> list[str]:
    asked = {"models": [{"model": "k-anonymity", "k": 5}], **goals}
    return [error.what for error in contradictions(Project(tables={"people": table()}, **asked))]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_model_has_a_sentence_with_its_parameters(name: str, language: str) -> None:
    told = model_sentence(Words(language), {"model": name, **PARAMETERS[name]})
    assert name in SENTENCES
    assert "{" not in told
    assert "ill" in told or "column" not in PARAMETERS[name]


def test_two_people_are_one_and_another() -> None:
    assert model_sentence(Words(), {"model": "k-anonymity", "k": 2}).endswith("at least one other.")


@pytest.mark.parametrize("name", sorted(TECHNIQUES))
def test_every_technique_has_a_form_of_its_own_parameters(name: str) -> None:
    found = {each.name for each in parameters_of(TECHNIQUES[name])}
    assert found <= set(TECHNIQUES[name].model_fields)
    assert name != "mondrian" or {"split", "represent", "width", "relaxed", "target"} == found


def test_what_a_form_leaves_as_it_is_is_not_said() -> None:
    search = next(each for each in parameters_of(TECHNIQUES["full-domain"]) if each.name == "search")
    assert (search.read("optimal"), search.read("datafly")) == (None, "datafly")


def test_a_diversity_takes_the_place_of_another_about_the_same_column() -> None:
    document = {"models": [{"model": "distinct-l-diversity", "column": "ill", "l": 3}]}
    new = {"model": "entropy-l-diversity", "column": "ill", "l": 2.0}
    set_model(document, None, new, instead=("distinct-l-diversity",))
    assert document["models"] == [new]
    other = {"model": "entropy-l-diversity", "column": "pay", "l": 2.0}
    set_model(document, None, other)
    assert document["models"] == [new, other]
    drop_model(document, None, ["entropy-l-diversity"], "ill")
    assert document["models"] == [other]


def test_one_of_several_tables_has_goals_of_its_own() -> None:
    document: dict[str, Any] = {"models": [], "tables": {"people": {}, "visits": {}}}
    set_model(document, "visits", {"model": "k-anonymity", "k": 3})
    assert models_of(document, "people") == []
    assert models_of(document, "visits") == [{"model": "k-anonymity", "k": 3}]
    set_goal(document, "visits", "models", None)
    assert document["tables"]["visits"] == {}


def test_a_weight_of_one_is_not_said() -> None:
    document = {"tables": {"people": table()}}
    set_weight(document, None, "sex", 4.0)
    assert document["tables"]["people"]["columns"]["sex"]["weight"] == 4.0
    set_weight(document, None, "sex", 1.0)
    assert document["tables"]["people"]["columns"]["sex"] == {"role": "quasi-identifier"}


def test_a_light_release_and_back_again_leaves_the_document_as_it_was() -> None:
    document = {
        "models": [{"model": "k-anonymity", "k": 5}],
        "suppression": 0.1,
        "tables": {"people": table()},
    }
    set_weight(document, None, "age", 2.0)
    before = json.loads(json.dumps(document))
    taken = make_light(document, None)
    assert document["kind"] == "light"
    assert "models" not in document
    make_complete(document, None, taken)
    assert document == before


def test_goals_that_go_together_contradict_nothing() -> None:
    assert wrong_with() == []
    assert wrong_with(technique="mondrian") == []
    assert wrong_with(kind="light", models=[]) == []


def test_no_promise_at_all_is_said() -> None:
    assert wrong_with(models=[]) == ["no privacy model is asked for"]


def test_a_technique_says_what_it_does_not_do() -> None:
    assert wrong_with(technique="mondrian", suppression=0.1) == ["mondrian suppresses no rows"]
    assert wrong_with(technique="mondrian", measure="entropy") == [
        "mondrian is led by its split, not by entropy"
    ]


def test_a_promise_about_a_population_that_nobody_named_is_said() -> None:
    assert wrong_with(models=[{"model": "k-map", "k": 5}]) == [
        "k-map looks at the population, and none is named"
    ]


def test_a_promise_about_a_column_that_is_not_sensitive_is_said() -> None:
    found = wrong_with(models=[{"model": "distinct-l-diversity", "column": "sex", "l": 2}])
    assert found == ["distinct-l-diversity is asked of 'sex', which is not a sensitive column"]
