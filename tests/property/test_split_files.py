"""A table cut into files and folders at random is the same table, counted and read."""

import tempfile
from collections import Counter
from pathlib import Path

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from celosia.tables import open_table, write_frame

TOWNS = st.sampled_from(["Lugo", "León", "a b", "x=y", "50%", "7", None])
ROWS = st.lists(
    st.tuples(st.integers(-5, 300), st.one_of(st.none(), st.sampled_from(["f", "m"])), TOWNS),
    min_size=1,
    max_size=12,
)


@given(
    rows=ROWS,
    cuts=st.lists(st.integers(0, 3), min_size=12, max_size=12),
    ending=st.sampled_from([".parquet", ".csv", ".csv.gz", ".feather", ".ndjson"]),
)
def test_rows_are_those_of_all_files_whatever_they_lie_in(rows, cuts, ending):
    frame = pl.DataFrame(rows, schema={"age": pl.Int64, "sex": pl.String, "town": pl.String}, orient="row")
    frame = frame.with_columns(pl.Series("file", cuts[: len(rows)]))
    with tempfile.TemporaryDirectory() as folder:
        for (number,), part in frame.group_by(["file"]):
            columns = ["age", "sex", "town"] if number != 1 else ["town", "sex", "age"]
            write_frame(part.select(columns), Path(folder, f"part{number}{ending}"))
        table = open_table(folder)
        counts = table.count_by(["age", "sex", "town"])
    columns = [
        texts.gather(pl.Series(codes)).to_list()
        for texts, codes in zip(counts.texts, counts.codes, strict=True)
    ]
    found = Counter()
    for *row, number in zip(*columns, counts.counts.tolist(), strict=True):
        found[tuple(row)] += number
    expected = frame.select(pl.col("age").cast(pl.String), "sex", "town").rows()
    assert found == Counter(expected)


@given(rows=ROWS)
def test_folders_named_as_hive_does_say_what_the_rows_have(rows):
    frame = pl.DataFrame(rows, schema={"age": pl.Int64, "sex": pl.String, "town": pl.String}, orient="row")
    with tempfile.TemporaryDirectory() as folder:
        frame.select("age", "sex", town=pl.col("town").fill_null("__HIVE_DEFAULT_PARTITION__")).write_parquet(
            pl.PartitionBy(folder, key=["town"])
            if hasattr(pl, "PartitionBy")
            else pl.PartitionByKey(folder, by=["town"]),
            mkdir=True,
        )
        found = pl.concat(list(open_table(folder).scan()))
    assert Counter(found.select("age", "sex", pl.col("town").cast(pl.String)).rows()) == Counter(frame.rows())
