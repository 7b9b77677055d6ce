"""JSON and ARFF files too large for memory are read some rows at a time, to the same table as small ones."""

import json
import random
from collections import Counter

import polars as pl
import pytest

from celosia.errors import TableError
from celosia.tables import Recoding, json_objects, kept_frames, open_table, write_frame
from celosia.tables.formats import arff
from celosia.tables.formats import json as json_format
from celosia.tables.kept_frames import KeptReader


@pytest.fixture
def tiny_memory(monkeypatch):
    """Every file is a large one, and few rows are read at a time."""
    monkeypatch.setattr(kept_frames, "LARGE", 1)
    monkeypatch.setattr(json_format, "LARGE", 1)
    monkeypatch.setattr(json_objects, "_BLOCK", 64)
    monkeypatch.setattr(json_objects, "_OBJECTS", 3)
    monkeypatch.setattr(arff, "_ROWS", 3)


def objects(seed):
    """Objects whose keys and types differ from one to the next."""
    draw = random.Random(seed)
    values = {
        "whole": lambda: draw.choice([1, 2, 40, None]),
        "mixed": lambda: draw.choice([1, 2.5, None]),
        "text": lambda: draw.choice(["ñ", 'a "quoted"\nline, {', "]", "", None]),
        "late": lambda: draw.choice([True, False]),
        "inner": lambda: draw.choice([{"a": 1}, {"b": "x"}, None]),
        "list": lambda: draw.choice([[1, 2], [], None]),
    }
    rows = [{key: make() for key, make in values.items() if draw.random() < 0.8} for _ in range(40)]
    return [{"id": number, **row} for number, row in enumerate(rows)]


def written(rows, ending, **how):
    return json.dumps(rows, **how) if ending == ".json" else "\n".join(json.dumps(row) for row in rows) + "\n"


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("ending", [".json", ".ndjson"])
def test_a_large_file_is_the_same_table_as_a_small_one(tmp_path, monkeypatch, request, ending, seed):
    path = tmp_path / f"people{ending}"
    path.write_text(written(objects(seed), ending))
    small = pl.concat(list(open_table(path).scan()))
    request.getfixturevalue("tiny_memory")
    table = open_table(path)
    assert isinstance(table.reader, KeptReader)
    large = pl.concat(list(table.scan()))
    assert large.select(sorted(large.columns)).to_dicts() == small.select(sorted(small.columns)).to_dicts()
    assert set(large.columns) == set(small.columns)
    assert large.schema["mixed"] == small.schema["mixed"]


def test_an_array_over_many_lines_is_read(tmp_path, tiny_memory):
    path = tmp_path / "people.json"
    path.write_text("\ufeff " + written(objects(1), ".json", indent=2))
    assert pl.concat(list(open_table(path).scan(["id"])))["id"].to_list() == list(range(40))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", '{"a": 1}', "this is not an array of objects"),
        ("a.json", "[]", "the file has no rows"),
        ("a.json", '[{"a": 1}, x]', "this is not a JSON file"),
        ("a.json", '[{"a": 1}', "this is not a JSON file"),
        ("a.ndjson", '{"a": 1}\nx\n', "this is not an NDJSON file"),
        ("a.ndjson", "\n\n", "the file has no rows"),
        ("a.arff", "@relation r\n@attribute a numeric\n@data\n1\n1,2\n", "line 5 has 2 fields instead of 1"),
    ],
)
def test_what_is_wrong_with_a_large_file_is_said(tmp_path, tiny_memory, name, content, said):
    (tmp_path / name).write_text(content)
    with pytest.raises(TableError, match=said) as caught:
        open_table(tmp_path / name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
def test_a_large_arff_file_is_written_and_read(tmp_path, tiny_memory, encoding):
    rows = pl.DataFrame({"age": list(range(20)), "town": ["León", "it's", None, "a,b"] * 5})
    write_frame(rows, tmp_path / "a.arff", encoding=encoding)
    table = open_table(tmp_path / "a.arff", encoding=encoding)
    assert isinstance(table.reader, KeptReader)
    assert table.count_by(["age"]).values[0].to_list() == list(range(20))
    table.write(Recoding(), tmp_path / "b.arff")
    text = (tmp_path / "b.arff").read_bytes().decode(encoding)
    assert "@attribute age numeric\n@attribute town {'León','a,b','it\\'s'}\n" in text
    again = pl.concat(list(open_table(tmp_path / "b.arff", encoding=encoding).scan()))
    assert Counter(again.rows()) == Counter(rows.select(pl.all().cast(pl.String)).rows())
