"""Readers on arbitrary input: a table, or one sentence; and whatever is written is read back equal."""

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from celosia.errors import TableError
from celosia.tables import Recoding, open_table, write_frame
from celosia.tables.records import is_well_quoted, read_blocks

FUZZ = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

SUFFIXES = ["csv", "tsv", "parquet", "xlsx", "json", "ndjson", "arff"]
TABLE_TEXT = st.text(alphabet=st.sampled_from(list("ab1.,;|\t \"'\n\r%{}[]:\\?@é\ufeff")), max_size=60)
ARFF_TEXT = TABLE_TEXT.map(
    lambda rows: f"@relation r\n@attribute a string\n@attribute b {{1,a}}\n@data\n{rows}"
)
JSON_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def read_everything(path: Path, **options) -> None:
    """All verbs that read; any of them may refuse, none may break."""
    try:
        table = open_table(path, **options)
        rows = sum(batch.height for batch in table.scan())
        table.schema()
    except TableError:
        return
    kinds = table.schema()
    plain = [name for name in table.reader.names if kinds[name].type != "other"][:2]
    assert table.count_by(plain).rows == rows


@FUZZ
@given(data=st.binary(max_size=200), suffix=st.sampled_from(SUFFIXES), header=st.booleans())
def test_arbitrary_bytes_give_a_table_or_a_sentence(tmp_path, data, suffix, header):
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(data)
    read_everything(path, header=header)


@FUZZ
@given(
    text=TABLE_TEXT,
    separator=st.sampled_from([None, ",", ";", ", ", "||", "é"]),
    encoding=st.sampled_from(["utf-8", "latin-1", "utf-16"]),
    header=st.booleans(),
)
def test_arbitrary_text_gives_a_table_or_a_sentence(tmp_path, text, separator, encoding, header):
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode(encoding, errors="replace"))
    read_everything(path, separator=separator, encoding=encoding, header=header)


@FUZZ
@given(text=ARFF_TEXT)
def test_arbitrary_rows_of_arff_give_a_table_or_a_sentence(tmp_path, text):
    path = tmp_path / "a.arff"
    path.write_text(text, encoding="utf-8", newline="")
    read_everything(path)


@FUZZ
@given(value=st.lists(st.dictionaries(st.text(max_size=3), JSON_VALUE, max_size=3), max_size=4) | JSON_VALUE)
def test_arbitrary_json_gives_a_table_or_a_sentence(tmp_path, value):
    (tmp_path / "a.json").write_text(json.dumps(value))
    read_everything(tmp_path / "a.json")
    rows = value if isinstance(value, list) else [value]
    (tmp_path / "a.ndjson").write_text("\n".join(json.dumps(row) for row in rows))
    read_everything(tmp_path / "a.ndjson")


@FUZZ
@given(data=st.data())
def test_a_broken_parquet_file_gives_a_sentence(tmp_path, data):
    path = tmp_path / "a.parquet"
    write_frame(pl.DataFrame({"a": range(50), "b": ["x"] * 50}), path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(content[: data.draw(st.integers(1, len(content)))]))
    try:
        for batch in open_table(path).scan():
            assert batch.columns
    except TableError:
        pass


VALUES = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=8) | st.text(
    alphabet=st.sampled_from(list("\",;|<>-\n\r\t ?'\\%{}NA1.é")), max_size=8
)
NAMES = VALUES.filter(lambda name: name.strip() and "\0" not in name)


@st.composite
def frames(draw, values=VALUES, names=NAMES, empty=True):
    columns = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    height = draw(st.integers(1, 6))
    cells = values if empty else values | st.none()
    return pl.DataFrame(
        {name: draw(st.lists(cells, min_size=height, max_size=height)) for name in columns},
        schema=dict.fromkeys(columns, pl.String),
    )


def in_any_order(frame: pl.DataFrame) -> list[tuple[str, ...]]:
    return sorted(tuple(value or "" for value in row) for row in frame.rows())


@FUZZ
@given(
    frame=frames(),
    separator=st.sampled_from([",", ";", "\t", "|", ", ", "||", "<->", "é", "\x1f", "aba"]),
    encoding=st.sampled_from(["utf-8", "utf-16"]),
)
def test_text_files_are_read_back_equal(tmp_path, frame, separator, encoding):
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    write_frame(frame, first, separator=separator, encoding=encoding)
    table = open_table(first, separator=separator, encoding=encoding)
    whole = pl.concat(list(table.scan()))
    assert tuple(whole.columns) == tuple(frame.columns)
    assert [tuple(value or "" for value in row) for row in whole.rows()] == frame.rows()
    second.unlink(missing_ok=True)
    table.write(Recoding(), second, seed=1)
    again = pl.concat(list(open_table(second, separator=separator, encoding=encoding).scan()))
    assert in_any_order(again) == in_any_order(frame)


@FUZZ
@given(frame=frames(), suffix=st.sampled_from(["parquet", "ndjson", "json"]))
def test_typed_files_are_read_back_equal(tmp_path, frame, suffix):
    path = tmp_path / f"a.{suffix}"
    write_frame(frame, path)
    whole = pl.concat(list(open_table(path).scan()))
    assert whole.equals(frame)


@FUZZ
@given(frame=frames(values=VALUES.filter(lambda value: value != ""), empty=False))
def test_arff_is_read_back_equal(tmp_path, frame):
    path = tmp_path / "a.arff"
    write_frame(frame, path)
    assert pl.concat(list(open_table(path).scan())).equals(frame)


PRINTABLE = st.text(alphabet=st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=8)


@settings(FUZZ, max_examples=30)
@given(frame=frames(values=PRINTABLE, names=PRINTABLE))
def test_sheets_are_read_back_equal(tmp_path, frame):
    path = tmp_path / "a.xlsx"
    write_frame(frame, path)
    whole = pl.concat(list(open_table(path).scan()))
    assert whole.equals(frame)


@FUZZ
@given(fields=st.lists(st.text(alphabet=st.sampled_from(list('a",\n')), max_size=4), min_size=1, max_size=4))
def test_well_quoted_means_that_two_independent_readers_agree(tmp_path, fields):
    import csv
    import io

    text = ",".join(fields)
    if not is_well_quoted(text.encode(), b","):
        return
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
    for row in rows:
        for field in row:
            assert field.count('"') * 2 <= text.count('"')
    path = tmp_path / "a.txt"
    path.write_text(text)
    joined = b"".join(block.data for block in read_blocks(path, encoding="utf-8", separator=","))
    assert joined == text.encode()


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
@settings(FUZZ, max_examples=40)
@given(text=st.text(alphabet=st.sampled_from(list('ab",\né')), max_size=40))
def test_blocks_of_any_size_hold_the_same_records(tmp_path, size, text):
    """Cutting a file into blocks never cuts a record: the rows do not depend on the size of a block."""
    from celosia.tables import records

    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + text, newline="")

    def outcome() -> object:
        try:
            batches = open_table(path, separator=",").scan()
            # An empty text is a missing value either way, in quotes or not.
            return [tuple(value or None for value in row) for batch in batches for row in batch.rows()]
        except TableError as error:
            return error.what

    whole = outcome()
    before = records._utf8.__kwdefaults__
    try:
        records._utf8.__kwdefaults__ = {"size": size}
        assert outcome() == whole
    finally:
        records._utf8.__kwdefaults__ = before
