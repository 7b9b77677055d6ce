"""Projects as YAML: readable, and the same data when read back."""

import re

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from celosia.project.document import parse_document
from celosia.project.writing import to_yaml

tricky = st.sampled_from(
    ["", " ", "no", "Null", "~", "12:30", "007", "1_000", "-", "- a", "a: b", "a #b", "#", "a:", "*", "&a", "!x", "%",
     "@x", "`", "[", "{", "a, b", "?", "? a", "|", ">", "'", '"', "\\", "---", "...", "<<", "=", "\t", "a\nb", "\r",
     "\x85", "\u2028", "\ufeff", "\x00", "\x7f", "é", "\N{GRINNING FACE}", "2024-05-01", "0x1F", "1e5", ".5", "true",
     "a  b", " a", "a ", "a\tb", "key: [", "y", "C:\\x", "postgresql://db/x", "a" * 2000]
)  # fmt: skip
texts = st.text(max_size=20) | tricky
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
plain_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=25,
)
documents = st.dictionaries(texts.filter(lambda key: key != "project"), plain_values, max_size=6)


def same(a: object, b: object) -> bool:
    """Equal, and of the same types: 1 is not true, 1.0 is not 1."""
    return repr(a) == repr(b)


@given(documents)
@example({"a": [[], {}, [[]], [{}]], "b": {"c": {"d": [{"e": [1, {"f": None}]}]}}})
@example({"a": -0.0, "b": 1e-5, "c": 1e16, "d": 10**30})
def test_what_is_written_is_read_back_exactly(data):
    assert same(parse_document(to_yaml(data), "p.yaml", "yaml").data, data)


@given(documents)
def test_the_plain_parser_reads_the_same(data):
    compiled = yaml.CSafeLoader
    del yaml.CSafeLoader
    try:
        assert same(parse_document(to_yaml(data), "p.yaml", "yaml").data, data)
    finally:
        yaml.CSafeLoader = compiled


@given(documents)
def test_readers_by_the_older_rules_read_the_same(data):
    assert same(yaml.safe_load(to_yaml(data)), data)


def test_a_project_is_written_as_people_write_it():
    text = """# yaml-language-server: $schema=celosia.schema.json
version: 2
name: Hospital discharges
connections:
  hospital: "postgresql://reader@db/hospital"
keys:
  people: {environment: CELOSIA_KEY}
hierarchies:
  ages: ages.csv
  sex: [[f, "*"], [m, "*"]]
tables:
  people:
    source: people.csv
    destination: {path: safe.csv, separator: ";"}
    rows:
      - {name: drop-rows, where: age < 18}
    columns:
      age: {type: integer, role: quasi-identifier, weight: 2}
      id: {role: identifier, operation: {name: pseudonymize, key: people}}
      zip:
        role: quasi-identifier
        operation: [{name: truncate, first: 3}]
models:
  - {model: k-anonymity, k: 5}
  - {model: t-closeness, column: disease, t: 0.2}
suppression: 0.05
evaluate: [risk, measures]
repeated_attributes: [[people.id, visits.person]]
"""
    data = parse_document(text, "p.yaml", "yaml").data
    assert to_yaml(data, schema="celosia.schema.json") == text


def test_no_line_of_lists_and_mappings_runs_far():
    rows = [[f"value {i}", f"group {i // 10}", "*"] for i in range(50)]
    text = to_yaml({"hierarchies": {"x": rows}, "long": list(range(200))})
    assert max(map(len, text.splitlines())) <= 100
    assert len(re.findall(r"^    - \[value", text, re.MULTILINE)) == 50


def test_there_are_no_aliases():
    shared = {"role": "common"}
    assert to_yaml({"a": {"x": shared, "y": shared}}).count("role: common") == 2


@pytest.mark.parametrize("data", [{"a": float("nan")}, {"a": [float("inf")]}])
def test_numbers_that_no_document_holds_are_refused(data):
    with pytest.raises(ValueError, match="no number"):
        to_yaml(data)


@pytest.mark.parametrize("data", [{"a": object()}, {1: "a"}])
def test_what_is_no_plain_data_is_refused(data):
    with pytest.raises(TypeError):
        to_yaml(data)
