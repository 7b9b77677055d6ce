"""Frames of the caller: the same kind out, other columns as they were, nothing of the rows left behind."""

import datetime
from decimal import Decimal

import polars as pl
import pytest

from celosia.errors import TableError
from celosia.tables import Recoding, open_table, write_frame

RECODING = Recoding(dropped=("id",), maps={"age": {31: "adult", 47: "adult", 12: "child"}})


def rich() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": [1, 2, 3],
            "age": [31, 47, 12],
            "money": [Decimal("1.10"), Decimal("2.00"), None],
            "small": pl.Series([1, None, 3], dtype=pl.UInt8),
            "town": pl.Series(["x", "y", "x"], dtype=pl.Categorical),
            "at": pl.Series([datetime.datetime(2024, 1, 1, 10)] * 3).dt.replace_time_zone("Europe/Madrid"),
            "visits": [[1, 2], [], None],
            "where": [{"lat": 1.5}, {"lat": 2.5}, None],
            "raw": [b"a", b"b", b"c"],
            "span": [datetime.timedelta(days=1)] * 3,
        }
    )


@pytest.mark.parametrize("lazy", [False, True])
def test_polars_gives_polars(lazy):
    frame = rich().lazy() if lazy else rich()
    recoded, _ = open_table(frame).recode(RECODING, seed=1)
    assert type(recoded) is type(frame)
    eager = recoded.lazy().collect()
    assert dict(eager.schema) == {**dict(rich().drop("id").schema), "age": pl.String}
    assert eager.drop("age").sort("raw").equals(rich().drop("id", "age"))


def test_the_same_holds_for_parquet_files(tmp_path):
    rich().write_parquet(tmp_path / "people.parquet")
    open_table(tmp_path / "people.parquet").write(RECODING, tmp_path / "safe.parquet")
    safe = pl.read_parquet(tmp_path / "safe.parquet")
    assert dict(safe.schema) == {**dict(rich().drop("id").schema), "age": pl.String}
    assert safe.drop("age").sort("raw").equals(rich().drop("id", "age"))


def test_pandas_gives_pandas_without_its_index():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {
            "id": [1, 2, 3],
            "age": [31, 47, 12],
            "rate": [1.5, None, 2.5],
            "town": pd.Series(["x", "secret", "x"], dtype="category", index=[70, 80, 90]),
            "odd": pd.Series([1, "two", None], dtype=object, index=[70, 80, 90]),
            "period": pd.period_range("2024-01", periods=3, freq="M"),
        },
        index=[70, 80, 90],
    )
    frame.attrs["source"] = "secret file"
    before = frame.copy(deep=True)
    recoding = Recoding(dropped=("id",), maps=RECODING.maps, excluded={"town": ("secret",)})
    recoded, written = open_table(frame).recode(recoding, seed=1)
    pd.testing.assert_frame_equal(frame, before)
    assert isinstance(recoded, pd.DataFrame)
    assert list(recoded.index) == [0, 1]
    assert list(recoded.columns) == ["age", "rate", "town", "odd", "period"]
    assert recoded.dtypes.drop(["age", "town"]).equals(frame.dtypes.drop(["id", "age", "town"]))
    assert list(recoded["town"].cat.categories) == ["x"]
    assert recoded.attrs == {}
    assert written.excluded == 1


def test_mixed_objects_count_as_their_text():
    pd = pytest.importorskip("pandas")
    counts = open_table(pd.DataFrame({"odd": pd.Series([1, "two", None, "two"], dtype=object)})).count_by(
        ["odd"]
    )
    assert dict(zip(counts.values[0], counts.counts.tolist(), strict=True)) == {"1": 1, "two": 2, None: 1}


def test_not_a_number_is_missing():
    pd = pytest.importorskip("pandas")
    for frame in (
        pd.DataFrame({"rate": [1.5, float("nan")]}),
        pl.DataFrame({"rate": [1.5, float("nan"), None]}),
    ):
        assert open_table(frame).count_by(["rate"]).values[0].to_list() == [1.5, None]


def test_names_that_are_no_text_are_refused():
    pd = pytest.importorskip("pandas")
    with pytest.raises(TableError, match="the column name 0 is not text; rename the column"):
        open_table(pd.DataFrame([[1, 2]]))
    with pytest.raises(TableError, match=r"cannot be read|stands twice"):
        open_table(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_arrow_gives_arrow_without_notes_and_unused_values():
    pa = pytest.importorskip("pyarrow")
    table = pa.table(
        {
            "id": [1, 2, 3],
            "age": [31, 47, 12],
            "town": pa.array(["x", "secret", "x"]).dictionary_encode(),
            "map": pa.array([[("k", 1)], [], None], type=pa.map_(pa.string(), pa.int64())),
        }
    ).replace_schema_metadata({"pandas": "index"})
    recoding = Recoding(dropped=("id",), maps=RECODING.maps, excluded={"town": ("secret",)})
    recoded, _ = open_table(table).recode(recoding)
    assert isinstance(recoded, pa.Table)
    assert recoded.schema.types[1:] == table.schema.types[2:]
    assert recoded.schema.metadata is None
    assert recoded.column("town").combine_chunks().dictionary.to_pylist() == ["x"]


def test_duckdb_gives_duckdb_with_its_types():
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql(
        """select i as id, (i * 16)::int as age, i::hugeint as big, uuid() as "u""id", 'e'::enum('e', 'f') as kind,
        interval 1 day as span, 1.10::decimal(10, 2) as money from range(2) t(i)"""
    )
    recoded, _ = open_table(relation).recode(Recoding(dropped=("id",), maps={"age": {0: "a", 16: "b"}}))
    assert isinstance(recoded, duckdb.DuckDBPyRelation)
    assert recoded.columns == relation.columns[1:]
    assert [str(type) for type in recoded.types][1:] == [str(type) for type in relation.types][2:]
    assert sorted(row[0] for row in recoded.fetchall()) == ["a", "b"]


def test_a_query_that_shuffles_is_looked_at_once():
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select i as id, i::varchar as copy from range(1000) t(i) order by random()")
    maps = {"copy": {str(i): f"n{i}" for i in range(1000)}}
    recoded, _ = open_table(relation).recode(Recoding(maps=maps))
    assert all(copy == f"n{number}" for number, copy in recoded.fetchall())


@pytest.mark.parametrize("suffix", ["csv", "parquet", "json", "ndjson", "xlsx", "arff", "tsv"])
def test_a_frame_can_be_written_to_any_file(tmp_path, suffix):
    table = open_table(rich().select("id", "age", "money", "town", "at", "small"))
    table.write(RECODING, tmp_path / f"safe.{suffix}")
    safe = open_table(tmp_path / f"safe.{suffix}")
    assert safe.count_by(["age", "town"]).rows == 3
    assert safe.count_by(["money"]).texts[0].to_list() == ["1.10", "2.00", None]
    assert safe.count_by(["at"]).texts[0].to_list() == ["2024-01-01T10:00:00+01:00"]
    assert safe.count_by(["small"]).values[0].to_list() == [1, 3, None]


@pytest.mark.parametrize(
    ("suffix", "money"),
    [
        ("csv", [1.1, 2.0, None]),
        ("arff", [1.1, 2.0, None]),
        ("parquet", [Decimal("1.10"), Decimal("2.00"), None]),
        ("json", ["1.10", "2.00", None]),  # the format has no number that keeps two decimals
        ("xlsx", ["1.10", "2.00", None]),
    ],
)
def test_decimals_in_a_file_are_counted_as_what_the_file_holds(tmp_path, suffix, money):
    open_table(rich().select("money")).write(Recoding(), tmp_path / f"safe.{suffix}")
    found = open_table(tmp_path / f"safe.{suffix}").count_by(["money"]).values[0].to_list()
    assert found == money
    assert [type(value) for value in found] == [type(value) for value in money]


def test_values_that_look_like_formulas_stay_text(tmp_path):
    frame = pl.DataFrame({"a": ["=1+1", "https://example.org", "007", "1"]})
    write_frame(frame, tmp_path / "a.xlsx")
    assert pl.concat(list(open_table(tmp_path / "a.xlsx").scan())).equals(frame)


@pytest.mark.parametrize("place", [0, 1500])
def test_half_a_character_is_told_with_its_column_and_what_to_do(place):
    pandas = pytest.importorskip("pandas")
    texts = ["a"] * 2000
    texts[place] = "b\ud800"
    frame = pandas.DataFrame({"age": range(2000), "town": pandas.Series(texts, dtype=object)})
    with pytest.raises(TableError, match=r"column 'town' holds 1 texts with half a character") as caught:
        open_table(frame).count_by(["town"])
    assert "encoding" in caught.value.remedy
    assert "b\ud800" not in str(caught.value)


def test_half_a_character_in_a_name_is_no_name():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[1, 2]])
    frame.columns = pandas.Index(["age", "b\ud800"], dtype=object)
    with pytest.raises(TableError, match="is not text; rename the column"):
        open_table(frame)
