"""Documents as text: what values are, where they stand, and what is wrong with files that are no projects."""

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from celosia.errors import ProjectError
from celosia.project.document import parse_document, read_document

plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(params=["compiled", "plain"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers of PyYAML: a system without the library has only the plain one."""
    if request.param == "plain":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


def values(text: str) -> dict[str, Any]:
    return parse_document(text, "p.yaml", "yaml").data


def mistake(text: str, format: Any = "yaml") -> str:
    with pytest.raises(ProjectError) as caught:
        parse_document(text, f"p.{format or 'txt'}", format)
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "On",
        "yes",
        "12:30",
        "2024-05-01",
        "007",
        "1_000",
        "0x1F",
        "0o17",
        "+34",
        ".inf",
        "1.2.3",
        "=",
        "nan",
    ],
)
def test_texts_that_older_rules_take_for_something_else_stay_texts(text):
    assert values(f"a: {text}") == {"a": text}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("5", 5),
        ("-12", -12),
        ("0.05", 0.05),
        (".5", 0.5),
        ("1e3", 1000.0),
        ('"5"', "5"),
        ("'null'", "null"),
        ("tRue", "tRue"),
    ],
)
def test_plain_words_and_numbers_are_what_they_are(text, value):
    found = values(f"a: {text}")["a"]
    assert found == value
    assert type(found) is type(value)


def test_keys_are_texts_as_they_are_written():
    assert values("pairs: {1.50: a, 007: b, no: c, true: d, 5: e}") == {
        "pairs": {"1.50": "a", "007": "b", "no": "c", "true": "d", "5": "e"}
    }


def test_every_field_has_its_line():
    document = parse_document(
        "# first\na: 1\nb:\n  c: [x,\n    y]\n  d:\n    - e: 1\n      f: 2\n", "p.yaml", "yaml"
    )
    lines = {path: place.line for path, place in document.places if path}
    assert lines == {
        ("a",): 2,
        ("b",): 3,
        ("b", "c"): 4,
        ("b", "c", 0): 4,
        ("b", "c", 1): 5,
        ("b", "d"): 6,
        ("b", "d", 0): 7,
        ("b", "d", 0, "e"): 7,
        ("b", "d", 0, "f"): 8,
    }


@pytest.mark.parametrize("indent", [2, "\t"])
def test_json_has_lines_too_whatever_it_is_indented_with(indent):
    data = {"a": 1, "b": {"c": ["x", {"d": '{[,:"\\'}]}}
    document = parse_document(json.dumps(data, indent=indent), "p.json", "json")
    assert document.data == data
    assert document.place(("b", "c", 1, "d")).line == 7


def test_json_in_a_file_of_yaml_may_be_indented_with_tabs():
    assert parse_document('{\n\t"a": [1]\n}', "p.yaml", "yaml").data == {"a": [1]}


@given(st.dictionaries(st.text(), plain_values, max_size=5), st.sampled_from([None, 1, "\t"]))
def test_json_is_read_as_the_standard_reader_does(data, indent):
    text = json.dumps(data, indent=indent)
    if isinstance(data.get("project"), dict):
        return
    assert parse_document(text, "p.json", "json").data == json.loads(text)


@given(st.text())
def test_no_text_whatsoever_ends_in_another_error(text):
    for format in ("yaml", "json", None):
        try:
            found = parse_document(text, "p", format)
        except ProjectError:
            continue
        assert isinstance(found.data, dict)


@pytest.mark.parametrize("format", ["yaml", "json"])
def test_a_field_that_is_written_twice_is_an_error_with_both_lines(format):
    told = mistake('{"a": {\n"b": 1,\n"c": 2,\n"b": 3}}', format)
    assert "line 4, a.b: this field is written twice" in told
    assert "line 2" in told


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a: 1\n? [x]\n: 2", 2, "cannot be a key"),
        ("a: 1\n?\n: 2", 2, "a key is missing"),
        ("a: !!python/name:os.system x", 1, "tag"),
        ("a: 1\nb: !secret x", 2, "tag !secret"),
        ("a: 1\n---\nb: 2", 2, "second document"),
        ("a: &x [1]\nb:\n  <<: *x", 3, "extends"),
        ("a: &x [*x]", 1, "*x stands for nothing"),
        ("a: *x", 1, "*x stands for nothing"),
        ("a: 1\nb: c: d", 2, "needs quotes"),
        ("a:\n\t- x", 2, "not tabs"),
        ("a: 'x", 1, "not closed"),
        ("a: [1, 2\nb: 3", 2, "not YAML"),
        ("a: 1e999", 1, "too large"),
        ("a: " + "9" * 5000, 1, "too large"),
        ("a: x\nb: \x07", 2, "character"),
        ('a: "\\ud800"', 1, "write the character itself"),
        ('a: "\\ud83d\\ude00"', 1, "write the character itself"),
    ],
)
def test_what_is_wrong_with_yaml_is_said_with_its_line(text, line, said):
    told = mistake(text)
    assert told.startswith(f"p.yaml, line {line}")
    assert said in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1,}', "line 1: this is not JSON"),
        ('{"a":\n 01}', "line 2: this is not JSON"),
        ('{"a": NaN}', "nan is no number"),
        ('{"a": 1e999}', "line 1: this number is too large"),
        ('{"a": "\\ud800"}', "line 1: a text holds half a character"),
        ('{"a": ' + "[" * 100_000, "too deep"),
        ('{"a": ' + "[" * 300 + "]" * 300 + "}", "more than 200 levels"),
        ('{"a": ' + "9" * 5000 + "}", "exceeds the limit"),
    ],
)
def test_what_is_wrong_with_json_is_said(text, said):
    assert said in mistake(text, "json")


def test_a_deep_document_of_yaml_is_refused():
    assert "more than 200 levels" in mistake("a: " + "[" * 400 + "]" * 400)


def test_two_halves_of_a_character_are_one_in_json():
    assert parse_document('{"a": "\\ud83d\\ude00"}', "p.json", "json").data == {"a": "\N{GRINNING FACE}"}


def test_parts_can_be_repeated_by_name():
    document = parse_document("a: &x {b: 1}\nc: *x\nd: [*x, *x]\ne: &y f\n*y : g", "p.yaml", "yaml")
    assert document.data == {"a": {"b": 1}, "c": {"b": 1}, "d": [{"b": 1}, {"b": 1}], "e": "f", "f": "g"}
    assert document.place(("c",)).line == 2


def test_a_document_that_repeats_itself_without_end_is_refused_at_once():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 40)]
    told = mistake("\n".join(lines))
    assert "1,000,000 fields" in told
    assert told.startswith("p.yaml, line 7")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("  \n\n", "it is empty"),
        ("# only a comment\n", "it is empty"),
        ("- a\n- b\n", "this is a list"),
        ("name,age\nAna,31\nLuis,40\n", "no project"),
        ("just words", "no project"),
        ('"name";"age"\n"Ana";"31"\n', "no project"),
    ],
)
def test_what_is_no_project_is_told_in_one_sentence(text, said):
    told = mistake(text, None)
    assert said in told
    assert told.count(";") == 1
    assert "version: 2" in told


def test_a_file_with_a_byte_order_mark_is_read(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_bytes(b"\xef\xbb\xbfname: caf\xc3\xa9\n")
    assert read_document(path).data == {"name": "café"}


@pytest.mark.parametrize("content", ["a: 1\nname: café".encode("latin-1"), "a: 1\nname: x".encode("utf-16")])
def test_a_file_in_another_encoding_says_so(tmp_path, content):
    path = tmp_path / "p.yaml"
    path.write_bytes(content)
    with pytest.raises(ProjectError, match="not text in UTF-8; save it as UTF-8"):
        read_document(path)


def test_files_that_cannot_be_read_are_told(tmp_path):
    with pytest.raises(ProjectError, match="does not exist"):
        read_document(tmp_path / "none.yaml")
    with pytest.raises(ProjectError, match="is a folder"):
        read_document(tmp_path)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "people.csv"
    with path.open("wb") as file:
        file.truncate(65 * 2**20)
    with pytest.raises(ProjectError, match="too large for a project"):
        read_document(path)


def test_the_record_of_a_release_gives_its_project(tmp_path):
    path = tmp_path / "safe.record.json"
    path.write_text(json.dumps({"celosia": "0.1", "project": {"version": 1, "seed": 7}}, indent=1))
    document = read_document(path)
    assert document.is_record
    assert document.data == {"version": 1, "seed": 7}
    assert document.place(("seed",)).line == 5


def test_a_record_without_a_project_says_so(tmp_path):
    path = tmp_path / "safe.record.json"
    path.write_text('{"celosia": "0.1"}')
    with pytest.raises(ProjectError, match="holds no project"):
        read_document(path)
