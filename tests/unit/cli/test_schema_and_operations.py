"""``celosia schema`` and ``celosia operations``: the project language, explained by itself."""

import json

import pytest

from celosia.cli import completion
from celosia.mask.registry import operations
from celosia.project import json_schema


def test_the_schema_is_shown(celosia):
    answer = celosia("schema")
    assert (answer.status, answer.document) == (0, json_schema())


def test_the_schema_is_written_and_not_over_another_file(celosia, tmp_path):
    path = tmp_path / "celosia.schema.json"
    answer = celosia("schema", "--out", path)
    assert "# yaml-language-server: $schema=celosia.schema.json" in answer.out
    assert json.loads(path.read_text(encoding="utf-8")) == json_schema()
    assert celosia("schema", "--out", path).status == 2
    assert celosia("schema", "--out", path, "--overwrite").status == 0


def test_every_operation_is_listed_with_what_it_is_worth(celosia):
    lines = celosia("operations").out.splitlines()
    for name, operation in operations().items():
        [place] = [number for number, line in enumerate(lines) if line.split()[:1] == [name]]
        assert f"reversible: {operation.reversible}; still tells: {operation.leaks}" in lines[place + 1]


def test_one_operation_is_explained_with_its_parameters(celosia):
    told = celosia("operations", "pseudonymize").out
    assert told.startswith("pseudonymize\n")
    parameters = [
        line.split()[0] for line in told.split("parameter ")[1].splitlines()[1:] if line.startswith("  ")
    ]
    assert parameters == ["key", "domain", "form", "length", "missing", "replacement"]
    assert "{name: pseudonymize}" in told
    assert "rows of a table: {name: sample, share: ...}" in celosia("operations", "sample").out


@pytest.mark.parametrize("name", operations())
def test_programs_get_the_operation(celosia, name):
    [document] = celosia("operations", name, "--json").document
    assert document["leaks"] == operations()[name].leaks
    assert set(document["parameters"]) == set(operations()[name].model_fields)
    assert document["on"] == ("rows" if name in ("drop-rows", "sample") else "column")


def test_an_operation_that_does_not_exist_is_told(celosia):
    answer = celosia("operations", "rund")
    assert answer.status == 2
    assert "did you mean 'round'?" in answer.err


def test_the_shell_completes_operations():
    assert completion.operations("ps") == ["pseudonymize"]
