"""Every concept is explained in both languages, by the docstring of the thing itself."""

import pytest

from celosia.concepts import Concept, ConceptKind, concept, concepts
from celosia.errors import ProjectError
from celosia.mask.registry import operations
from celosia.measure.learning.registry import learning_models
from celosia.measure.registry import release_measures
from celosia.measure.utility import utility_measures
from celosia.perturb.registry import perturbations
from celosia.privacy import MODELS
from celosia.recode.techniques.registry import TECHNIQUES
from celosia.types import Role
from celosia.words import Words

ALL = list(concepts().values())


def name_of(one: Concept) -> str:
    return f"{one.kind}: {one.name}"


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (ConceptKind.ROLE, [role.value for role in Role]),
        (ConceptKind.OPERATION, operations()),
        (ConceptKind.MODEL, MODELS),
        (ConceptKind.TECHNIQUE, TECHNIQUES),
        (ConceptKind.PERTURBATION, perturbations()),
        (ConceptKind.LEARNING_MODEL, learning_models()),
    ],
)
def test_everything_that_is_registered_is_explained(kind, names):
    assert [name for _, name in concepts(kind)] == list(names)


def test_every_measure_is_explained_as_a_measure_or_as_an_attack():
    explained = {name for _, name in concepts(ConceptKind.MEASURE)} | {
        name for _, name in concepts(ConceptKind.ATTACK)
    }
    assert explained == {*release_measures(), *utility_measures()}
    assert ("linkage" in {name for _, name in concepts(ConceptKind.ATTACK)}) is True


@pytest.mark.parametrize("one", ALL, ids=name_of)
def test_a_concept_has_a_title_a_short_text_and_an_example(one):
    assert 0 < len(one.title) <= 60
    assert 0 < len(one.text) <= 480
    assert 0 < len(one.example) <= 300
    assert one.example != one.text


@pytest.mark.parametrize("one", ALL, ids=name_of)
def test_a_concept_is_plain_text(one):
    for text in one.texts():
        assert "``" not in text
        assert ":class:" not in text
        assert ">>>" not in text
        assert "\n" not in text


@pytest.mark.parametrize("one", ALL, ids=name_of)
def test_a_concept_in_spanish_has_the_same_parts(one):
    told = concept(one.kind, one.name, Words("es"))
    assert list(told.parameters) == list(one.parameters)
    assert told.text != one.text
    assert told.example != one.example or not any(character.isalpha() for character in one.example)


@pytest.mark.parametrize(
    "kind",
    [
        ConceptKind.OPERATION,
        ConceptKind.TECHNIQUE,
        ConceptKind.PERTURBATION,
        ConceptKind.LEARNING_MODEL,
        ConceptKind.MODEL,
    ],
)
def test_every_parameter_is_explained(kind):
    silent = [
        (one.name, name)
        for one in concepts(kind).values()
        for name, text in one.parameters.items()
        if not text and name != "column"
    ]
    assert silent == []


def test_the_text_is_that_of_the_docstring():
    assert concept("privacy model", "k-anonymity").text.startswith(
        "k-anonymity: every class has at least k rows."
    )
    assert concept("privacy model", "k-anonymity", Words("es")).text.startswith("k-anonimato: cada clase")


def test_a_privacy_model_and_the_measure_of_the_same_name_are_two_concepts():
    assert concept("measure", "k-map").text != concept("privacy model", "k-map").text


def test_a_concept_that_does_not_exist_is_a_mistake_with_advice():
    with pytest.raises(ProjectError, match="did you mean 'round'"):
        concept("operation", "rund")
