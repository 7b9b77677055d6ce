"""What every table of Spark promises, as tables in files and in memory do, and what only one there can."""

import json
import math
from collections import Counter
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from celosia.errors import ReleaseError, TableError
from celosia.tables import Recoding, Table, open_table
from celosia.tables.exclude_people import ExcludePeople
from celosia.tables.format import Options
from celosia.tables.layer import apply_layer
from celosia.tables.recoding_layer import RecodingLayer
from celosia.tables.spark import grouping, packed_labels, random_order, writing
from celosia.tables.spark.address import parse_place
from celosia.tables.spark.new_table import new_table
from celosia.tables.table import Assignment

COLUMNS: dict[str, tuple[Any, Any]] = {
    "r": (pl.Float64, st.sampled_from([math.nan, -0.0, 0.0, 1.5, math.inf, 0.1 + 0.2])),
    "c0": (pl.String, st.sampled_from(["", "NA", "?", " x", "a`b", 'q"', "é"])),
    "A": (
        pl.Date,
        st.sampled_from([date(2024, 1, 31), date(1, 1, 1), date(1582, 10, 10), date(9999, 12, 31)]),
    ),
    "a.b": (pl.Datetime("us"), st.sampled_from([datetime(2024, 3, 31, 2, 30, 0, 5), datetime(1500, 1, 1)])),
    "x y`z": (
        pl.Datetime("us", "UTC"),
        st.sampled_from([datetime(2024, 10, 27, 1, 30, tzinfo=UTC), datetime(1890, 1, 1, tzinfo=UTC)]),
    ),
    "a": (pl.Decimal(12, 2), st.sampled_from([Decimal("1.50"), Decimal("-0.01"), Decimal("99999999.99")])),
    "rows": (pl.Boolean, st.booleans()),
    "part": (pl.Int64, st.sampled_from([2**63 - 1, -(2**63), 0, 7])),
    "*": (pl.Int16, st.integers(-3, 3)),
    "f": (pl.Float32, st.sampled_from([math.nan, -0.0, 0.1, 3.0])),
}
"""Values that engines take for each other, under names that mean something to Spark or to us."""
SCHEMA = {name: dtype for name, (dtype, _) in COLUMNS.items()}
ROW = st.tuples(*[st.one_of(st.none(), values) for _, values in COLUMNS.values()])
FEW = settings(
    max_examples=3,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to look for a smaller failure takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)


def framed(rows: list[Any]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def on_spark(spark: Any, frame: pl.DataFrame) -> Any:
    """The same rows as a table of Spark, datetimes without a zone as such."""
    from celosia.tables.spark.values import spark_schema

    return open_table(spark.createDataFrame(frame.to_arrow(), spark_schema(frame.columns, frame.dtypes)))


def told_apart(value: Any) -> Any:
    """A value by which NaN is itself and -0.0 is not 0.0."""
    return repr(value) if isinstance(value, float) else value


def rows_of(frame: pl.DataFrame) -> Counter[Any]:
    return Counter(tuple(map(told_apart, row)) for row in frame.iter_rows())


def read(table: Any) -> pl.DataFrame:
    return pl.concat(list(table.scan()))


def counted(table: Any, columns: list[str]) -> tuple[Any, ...]:
    counts = table.count_by(columns)
    values = [series.to_list() for series in counts.texts]
    return values, [codes.tolist() for codes in counts.codes], counts.counts.tolist()


def recoded(spark: Any, table: Any, recoding: Recoding) -> tuple[pl.DataFrame, Any]:
    target = new_table(spark, None, Options(), overwrite=False)
    try:
        written = table.write(recoding, target, seed=1)
        return read(target.open()), written
    finally:
        target.withdraw()


@FEW
@given(rows=st.lists(ROW, max_size=25))
def test_every_verb_answers_as_a_table_in_memory_does(spark: Any, rows: list[Any]) -> None:
    frame = framed(rows)
    here, there = open_table(frame), on_spark(spark, frame)
    assert isinstance(there, Table)
    assert there.schema() == here.schema()
    found = read(there)
    assert found.schema == frame.schema
    assert rows_of(found) == rows_of(frame)
    for columns in (["r", "f", "c0"], ["A", "a.b", "x y`z"], ["a", "rows", "part", "*"], []):
        assert counted(there, columns) == counted(here, columns)
    assert there.count() == there.count_read() == frame.height
    assert next(there.reader.first(("a", "A"), 3)).height == min(3, frame.height)


@FEW
@given(rows=st.lists(ROW, min_size=1, max_size=25), data=st.data())
def test_a_recoding_does_what_it_does_to_a_table_in_memory(spark: Any, rows: list[Any], data: Any) -> None:
    frame = framed(rows)
    here, there = open_table(frame), on_spark(spark, frame)
    names = list(SCHEMA)
    mapped = data.draw(st.lists(st.sampled_from(names), unique=True, min_size=2, max_size=4))
    rest = [name for name in names if name not in mapped]
    excluded, suppressed = data.draw(st.sampled_from(rest)), data.draw(st.sampled_from(rest))
    values = {name: here.count_by([name]).values[0].to_list() for name in names}
    recoding = Recoding(
        dropped=tuple(name for name in rest if name not in (excluded, suppressed))[:1],
        unified=("c0", "r") if {"c0", "r"} <= {*rest, *mapped} else (),
        excluded={excluded: tuple(values[excluded][:1])},
        maps={
            name: {value: None if place == 2 else f"l{place % 2}" for place, value in enumerate(values[name])}
            for name in mapped
        },
        suppressed=pl.DataFrame(
            {suppressed: values[suppressed][-1:], mapped[0]: ["l0"]}, schema_overrides={suppressed: pl.String}
        ),
    )
    recoding = Recoding(
        **{**vars(recoding), "unified": tuple(n for n in recoding.unified if n not in recoding.dropped)}
    )
    wanted, written = here.recode(recoding, seed=1)
    found, told = recoded(spark, there, recoding)
    assert told == written
    assert found.columns == wanted.columns
    assert rows_of(found) == rows_of(wanted)


@FEW
@given(rows=st.lists(ROW, min_size=1, max_size=25))
def test_layers_over_layers_show_what_they_show_in_memory(spark: Any, rows: list[Any]) -> None:
    frame = framed(rows)
    seen = []
    for table in (open_table(frame), on_spark(spark, frame)):
        labels = {value: f"l{len(value or '') % 2}" for value in (*table.count_by(["c0"]).values[0], None)}
        first = apply_layer(table, RecodingLayer(table, Recoding(dropped=("a",), maps={"c0": labels})))
        found = first.count_by(["*"])
        whole = Assignment(
            found,
            owners=np.arange(len(found)),
            classes=np.where(np.arange(len(found)) == 1, -1, 0),
            rows=found.counts,
            released=pl.DataFrame({"*": ["all"]}),
        )
        second = apply_layer(first, RecodingLayer(first, Recoding(assignment=whole)))
        seen.append(apply_layer(second, ExcludePeople(second, "rows", pl.Series(["true"]))))
    here, there = seen
    assert there.columns() == here.columns()
    assert rows_of(read(there)) == rows_of(read(here))
    assert counted(there, ["c0", "*", "rows"]) == counted(here, ["c0", "*", "rows"])
    assert [(c.name, c.type) for c in there.schema()] == [(c.name, c.type) for c in here.schema()]


@pytest.mark.parametrize(
    "listed", [packed_labels.MOST_LISTED, 0], ids=["labels in the query", "labels in a table"]
)
def test_rows_are_released_in_random_order(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: int
) -> None:
    monkeypatch.setattr(packed_labels, "MOST_LISTED", listed)
    monkeypatch.setattr(random_order, "ROWS_OF_A_PART", 150)
    frame = pl.DataFrame({"n": range(400), "t": ["a", "b"] * 200, "u": ["x", "y", None, "z"] * 100})
    target = new_table(spark, parse_place(f"file://{tmp_path}/safe.parquet"), Options(), overwrite=False)
    labels = {"t": {"a": "l0", "b": None}, "u": {"x": "l1", "y": "l2", "z": "", None: "l3"}}
    table = on_spark(spark, frame)
    table.count()
    table.write(Recoding(maps=labels), target)
    target.publish("{}")
    parts = [pl.read_parquet(path) for path in (tmp_path / "safe.parquet").glob("part-*")]
    assert len(parts) == 4  # three would do, but two cores share four better
    wanted = frame.with_columns(pl.col(name).replace_strict(found) for name, found in labels.items())
    assert pl.concat(parts).sort("n").equals(wanted)
    for part in parts:
        # A row follows one that stood before it in the source as often as not; 7 standard deviations are allowed.
        rises = int((part["n"].diff() > 0).sum())
        assert abs(rises - part.height / 2) < 7 * math.sqrt(part.height / 12)


def test_rows_that_would_be_released_in_the_order_of_their_source_are_not_written(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = on_spark(spark, PEOPLE)
    target = new_table(spark, parse_place(f"file://{tmp_path}/safe.parquet"), Options(), overwrite=False)
    monkeypatch.setattr(writing, "in_random_order", lambda frame, *_: frame.sortWithinPartitions("c0"))
    with pytest.raises(ReleaseError, match="leave the rows in the order of their source"):
        table.write(Recoding(), target)
    assert list(tmp_path.iterdir()) == []
    assert table.write(Recoding(keeps_order=True), target).written == PEOPLE.height
    target.withdraw()


def test_a_setting_for_one_question_is_gone_after_it(spark: Any) -> None:
    name = grouping.FIRST_MAP
    with grouping.many_groups(spark):
        with grouping.many_groups(spark):
            assert spark.conf.get(name) == "false"
        assert spark.conf.get(name) == "false"
    assert spark.conf.get(name, None) is None
    spark.conf.set(name, "true")
    on_spark(spark, PEOPLE).count_by(["n", "town"])
    assert spark.conf.get(name, None) == "true"
    spark.conf.unset(name)


def test_what_cannot_be_asked_is_refused_as_elsewhere(spark: Any) -> None:
    frame = framed([[None] * len(SCHEMA)] * 3)
    table = on_spark(spark, frame)
    for columns, what in ((["lenn"], "does not exist"), (["a", "a"], "is named twice")):
        with pytest.raises(TableError, match=what):
            table.count_by(columns)
    with pytest.raises(TableError, match="does not exist"):
        table.scan(["lenn"])
    for recoding in (
        Recoding(dropped=("lenn",)),
        Recoding(maps={"lenn": {}}),
        Recoding(filled={"lenn": "x"}),
        Recoding(excluded={"lenn": ("x",)}),
        Recoding(suppressed=pl.DataFrame({"lenn": ["x"]})),
    ):
        with pytest.raises(TableError, match="column 'lenn' does not exist"):
            recoded(spark, table, recoding)
    with pytest.raises(TableError, match="the recoding of column 'c0' lacks"):
        recoded(spark, table, Recoding(maps={"c0": {"x": "y"}}))
    table.known.values["c0"] = pl.Series(["x"])  # what it held when the recoding was made
    with pytest.raises(
        TableError, match="a value that was not there before; run it again when nobody writes"
    ):
        recoded(spark, table, Recoding(maps={"c0": {"x": "y"}}))


def test_columns_of_any_type_pass_and_those_without_text_are_not_counted(spark: Any) -> None:
    frame = spark.sql(
        "SELECT id, array(id, 2) AS l, named_struct('x', id, 'c0', 'a') AS s, map('k', id) AS m, "
        "CAST('x' AS binary) AS b, INTERVAL 3 DAYS AS i FROM range(30)"
    )
    table = open_table(frame)
    labels = {n: str(n % 2) for n in range(30)}
    for layered in (table, apply_layer(table, RecodingLayer(table, Recoding(maps={"id": labels})))):
        target = new_table(spark, None, Options(), overwrite=False)
        layered.write(Recoding(excluded={"id": (3,)} if layered is table else {}), target, seed=1)
        kept = target.open().frame
        wanted = frame.where("id <> 3") if layered is table else frame
        assert [field.dataType for field in kept.schema][1:] == [field.dataType for field in frame.schema][1:]
        as_texts = ["l", "s", "to_json(m)", "b", "i"]
        assert kept.selectExpr(as_texts).exceptAll(wanted.selectExpr(as_texts)).isEmpty()
        assert kept.count() == wanted.count()
        target.withdraw()
    for name in "lsmb":
        with pytest.raises(TableError, match=f"column '{name}' holds .* which have no text"):
            table.count_by([name])


TEXTS = {
    "quotes": 'id,name\n1,"A, ""x"" b"\n2,Eva\n3,""\n4,\n',
    "separator": "id;name\r\n1;A,b\r\n2;NA\r\n3; x \r\n",
    "lines": 'id,name\n1,"A\nb"\n\n2,Eva\n',
    "begin": '\ufeffa.b,"x ""y""",`q`,A\n#1,?,\\,007\n2,3,"\\",010\n',
    "case": "A,a\n1,2\n3,4\n",
    "types": "i,f,d,t,b,n,z\n1,1.5,2024-01-31,2024-01-31T10:00:00,true,1.10,007\n2,2,2024-02-01,NA,false,2.25,010\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_file_is_read_as_it_is_without_spark(spark: Any, tmp_path: Path, name: str) -> None:
    path = tmp_path / "people.csv"
    path.write_text(TEXTS[name], encoding="utf-8", newline="")
    here, there = open_table(path), open_table(f"file://{path}")
    assert there.columns() == here.columns()
    assert rows_of(read(there)) == rows_of(read(here))
    assert there.schema() == here.schema()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("id,name\n" + 200 * "1,x\n" + '2,"A\nb"\n', "over several lines"),
        ("id,name\n" + 200 * "1,x\n" + '2,"A\n7,b\nc"\n', "over several lines"),
        ("id,name\n1,Ana\n2,Eva,x\n", "other fields than the first"),
        ("id,name\n1,Ana\n2\n", "other fields than the first"),
        ("id\n1\n\n3\n", "one column and empty lines"),
        ("", "the file is empty"),
    ],
)
def test_a_text_file_that_would_be_read_wrongly_is_refused(
    spark: Any, tmp_path: Path, text: str, what: str
) -> None:
    path = tmp_path / "people.csv"
    path.write_text(text, encoding="utf-8", newline="")
    asked: list[Any] = [lambda table: table.count()]
    if "\n" in text and "one column" not in what:  # whatever is asked, records are looked at as a whole
        asked.append(lambda table: table.count_by(["id"]))
    for ask in asked:
        with pytest.raises(TableError, match=what):
            ask(open_table(f"file://{path}"))


def test_files_of_a_folder_that_are_not_alike_are_refused(spark: Any, tmp_path: Path) -> None:
    folder = tmp_path / "people.csv"
    folder.mkdir()
    (folder / "1.csv").write_text("id,name\n1,Ana\n")
    (folder / "2.csv").write_text("name,id\nAna,1\n")
    with pytest.raises(TableError, match="other columns than the first"):
        open_table(f"file://{folder}").count()


PEOPLE = pl.DataFrame(
    {
        "n": [1, 2, None, 4],
        "town": ["Lugo", 'the "Ex", a', None, " a\nb "],
        "paid": [1.5, None, -2.0, 1e3],
        "on": [date(2024, 1, 31), None, date(1999, 1, 1), date(2024, 2, 1)],
        "is": [True, False, None, True],
    }
)


@pytest.mark.parametrize("ending", ["parquet", "orc", "json", "csv"])
def test_a_format_is_written_and_read_back(spark: Any, tmp_path: Path, ending: str) -> None:
    table = on_spark(spark, PEOPLE)
    place = parse_place(f"file://{tmp_path}/safe.{ending}")
    target = new_table(spark, place, Options(separator=";"), overwrite=False)
    assert table.write(Recoding(), target, seed=1).written == 4
    target.publish("{}")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"safe.{ending}", "safe.record.json"]
    again = open_table(str(place), separator=";" if ending == "csv" else None)
    assert counted(again, PEOPLE.columns) == counted(open_table(PEOPLE), PEOPLE.columns)
    parts = sorted((tmp_path / f"safe.{ending}").glob("part-*"))
    if ending == "parquet":
        assert rows_of(pl.read_parquet(parts)) == rows_of(PEOPLE)
    elif ending == "json":
        lines = [json.loads(line) for part in parts for line in part.read_text().splitlines()]
        assert rows_of(pl.DataFrame(lines, schema_overrides={"on": pl.String})) == rows_of(
            PEOPLE.with_columns(pl.col("on").cast(pl.String))
        )
    elif ending == "csv":
        found = pl.concat([pl.read_csv(part, separator=";", schema=PEOPLE.schema) for part in parts])
        assert rows_of(found) == rows_of(PEOPLE)
    else:
        assert spark.read.orc(str(place)).count() == 4


def test_texts_without_a_header_keep_their_markers_and_get_types_where_the_format_has_them(
    spark: Any, tmp_path: Path
) -> None:
    path = tmp_path / "people.csv"
    times = "2024-03-31 02:30:00,2024-03-31T02:30:00.5,2024-03-31 02:30"
    path.write_text(f"007,NA,2,x,{times},1.10\n010,1.5,3,-9,{times},1.20\n011,2,-9,y,{times},30.00\n")
    table = open_table(f"file://{path}", header=False, missing=("-9", "NA"))
    here = open_table(path, header=False, missing=("-9", "NA"))
    labels = {"x": "*", "y": None, None: "?"}
    recoding = Recoding(unified=("column_2",), maps={"column_4": labels})
    for ending in ("csv", "parquet"):
        target = new_table(
            spark,
            parse_place(f"file://{tmp_path}/{ending}.{ending}"),
            Options(header=False, missing=("-9", "NA")),
            overwrite=False,
        )
        table.write(recoding, target, seed=1)
        target.publish("{}")
        here.write(recoding, tmp_path / f"here.{ending}", seed=1)
    lines = [line for part in (tmp_path / "csv.csv").glob("part-*") for line in part.read_text().splitlines()]
    assert sorted(lines) == sorted((tmp_path / "here.csv").read_text().splitlines())
    found = pl.read_parquet(tmp_path / "parquet.parquet" / "part-*")
    wanted = pl.read_parquet(tmp_path / "here.parquet")
    assert found.schema == wanted.cast({pl.Enum: pl.String, pl.Categorical: pl.String}).schema
    assert rows_of(found) == rows_of(wanted)


def test_records_of_json_tables_of_hive_and_partitioned_folders_are_read(spark: Any, tmp_path: Path) -> None:
    frame = PEOPLE.select("n", "town", "paid")
    lines = frame.write_ndjson()
    (tmp_path / "lines.json").write_text(lines)
    (tmp_path / "array.json").write_text(json.dumps(frame.to_dicts(), indent=1))
    (tmp_path / "broken.json").write_text(lines + '{"n": 1, "town"\n')
    spark.sql("CREATE DATABASE tables_read")
    try:
        source = spark.createDataFrame(frame.to_arrow())
        source.write.saveAsTable("tables_read.people")
        source.write.partitionBy("n").parquet(str(tmp_path / "parts.parquet"))
        for place in ("lines.json", "array.json", "parts.parquet", "hive:tables_read.people"):
            where = place if place.startswith("hive") else f"file://{tmp_path / place}"
            found = open_table(where)
            assert counted(found, ["n", "town", "paid"]) == counted(open_table(frame), ["n", "town", "paid"])
        with pytest.raises(TableError, match="a record there has other fields"):
            open_table(f"file://{tmp_path / 'broken.json'}").count_by(["n"])
        with pytest.raises(TableError, match="there is no table"):
            open_table("hive:tables_read.nobody")
    finally:
        spark.sql("DROP DATABASE tables_read CASCADE")
