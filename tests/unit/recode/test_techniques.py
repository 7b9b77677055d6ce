"""Techniques by name: found by themselves, asked for with their own parameters and no others, written into projects."""

from dataclasses import fields

import polars as pl
import pytest
from typer.testing import CliRunner

import celosia
from celosia.cli.app import app
from celosia.cli.options import TechniqueOptions as Options
from celosia.errors import ProjectError
from celosia.project import Project, make_project
from celosia.recode.techniques import TECHNIQUES, make_technique

NOT_PARAMETERS = {"technique", "keep_type", "labels"}  # which technique, and what columns are told one by one
PARAMETERS = {
    "auto": [{}],
    "full-domain": [{}, {"search": "incognito"}, {"node": (1, 0)}, {"seconds": 2.5}],
    "local": [{}],
    "mondrian": [
        {},
        {"split": "median", "represent": "mean", "width": "deviation", "relaxed": True},
        {"split": "gain", "target": "income"},
        {"memory": 2_000_000_000},
    ],
    "top-down": [{}, {"score": "loss", "numbers": "proposed"}, {"target": "income"}, {"target": ("a", "b")}],
    "two-phase": [{}, {"partitions": 5, "k_partition": 20, "score": "gain"}],
    "clustering": [{}, {"effort": "quick", "represent": "range"}, {"blind": True, "memory": 2_000_000_000}],
    "distribution-mondrian": [{}, {"split": "up-to-median"}, {"represent": "median", "width": "share"}],
}
EVERY = [(name, given) for name, many in PARAMETERS.items() for given in many]


def test_every_technique_is_found():
    assert set(TECHNIQUES) == {*PARAMETERS, "chain"}
    assert all(TECHNIQUES[name].name == name for name in TECHNIQUES)


def test_every_parameter_has_an_option_and_every_option_is_a_parameter():
    options = {field.name for field in fields(Options)} - NOT_PARAMETERS
    parameters = {name for technique in TECHNIQUES.values() for name in technique.model_fields}
    assert options == parameters - {"steps"}, "a chain is written in a project"


def test_every_parameter_says_what_it_is():
    for technique in TECHNIQUES.values():
        assert technique.__doc__
        for field in technique.model_fields.values():
            assert field.description


def test_the_command_line_lists_every_technique():
    answer = CliRunner().invoke(app, ["techniques"])
    assert answer.exit_code == 0
    assert all(name in answer.output for name in TECHNIQUES)


@pytest.mark.parametrize(("name", "given"), EVERY)
def test_a_project_document_gives_its_technique_back(name, given):
    project = Project(technique=make_technique(name, **given))
    assert Project.model_validate(project.model_dump()) == project
    document = project.model_dump(mode="json")
    assert document["technique"]["name"] == name
    again = Project.model_validate(document)
    assert again.technique == project.technique
    assert type(again.technique) is TECHNIQUES[name]
    assert Project.model_validate_json(project.model_dump_json()) == project


def test_a_technique_can_be_asked_for_by_its_name_alone():
    assert Project(technique="mondrian").technique == make_technique("mondrian")
    assert Project().technique.name == "auto"


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("mondrain", {}, ["'mondrain'", "did you mean 'mondrian'?"]),
        ("mondrian", {"node": (0, 1)}, ["'node'", "full-domain"]),
        ("local", {"split": "median"}, ["'split'", "mondrian"]),
        ("mondrian", {"nonsense": 1}, ["'nonsense'"]),
        ("mondrian", {"split": "half"}, ["split", "'half'", "'median'"]),
        ("mondrian", {"split": "gain"}, ["target"]),
        ("mondrian", {"target": "income"}, ["gain"]),
        ("mondrian", {"split": "distribution", "relaxed": True}, ["relaxed"]),
        ("distribution-mondrian", {"relaxed": True}, ["relaxed"]),
        ("mondrian", {"memory": 0}, ["memory"]),
        ("full-domain", {"search": "datafly", "seconds": 1.0}, ["datafly"]),
        ("top-down", {"score": "luck"}, ["score", "'luck'", "'gain-per-privacy'"]),
        ("top-down", {"partitions": 3}, ["'partitions'", "two-phase"]),
        ("two-phase", {"partitions": 0}, ["partitions"]),
        ("two-phase", {"k_partition": 1}, ["k_partition"]),
    ],
)
def test_what_a_technique_lacks_or_what_does_not_go_together_is_said(name, given, words):
    with pytest.raises(ProjectError) as error:
        make_technique(name, **given)
    assert all(word in str(error.value) for word in words)
    with pytest.raises(ProjectError):
        make_project(technique={"name": name, **given})


def test_a_technique_without_a_name_is_refused():
    with pytest.raises(ProjectError, match="'name'"):
        make_project(technique={"split": "median"})


def test_distribution_mondrian_is_mondrian_with_the_choices_of_its_authors():
    technique = make_technique("distribution-mondrian")
    assert (str(technique.split), str(technique.width), str(technique.represent)) == (
        "distribution",
        "deviation",
        "mode",
    )


def test_distribution_mondrian_is_for_numbers():
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "town": ["x", "y", "x", "y"]})
    with pytest.raises(ProjectError, match="'town' is text"):
        celosia.anonymize(frame, quasi_identifiers=["age", "town"], k=2, technique="distribution-mondrian")


def test_the_record_says_which_technique_with_which_parameters():
    frame = pl.DataFrame({"age": [1, 2, 3, 4]})
    release = celosia.anonymize(
        frame, quasi_identifiers=["age"], k=2, technique="mondrian", split="median", represent="mode"
    )
    document = release.record["project"]["technique"]
    assert document["name"] == "mondrian"
    assert (document["split"], document["represent"]) == ("median", "mode")
    assert make_technique(document.pop("name"), **document) == make_technique(
        "mondrian", split="median", represent="mode"
    )
    assert release.record["technique"]["name"] == "mondrian"
    assert release.record["boxes"] == 2
