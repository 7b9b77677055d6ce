"""Whatever hands its rows over as Arrow is a table, and comes back as what it was."""

import polars as pl
import pyarrow
import pytest

import celosia
from celosia.errors import TableError
from celosia.tables import Recoding, open_table

ROWS = {"age": [31, 47, 31], "town": ["Lugo", None, "Vigo"]}


class Foreign:
    """An object of somebody else's that hands over a stream."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


class Making(Foreign):
    """One that can be made of such an object, too."""

    @classmethod
    def from_arrow(cls, table):
        return cls(pyarrow.table(table))


class Once(Foreign):
    """A stream that can be read once."""

    def __arrow_c_stream__(self, requested_schema=None):
        assert self.table is not None, "it was read again"
        table, self.table = self.table, None
        return table.__arrow_c_stream__(requested_schema)


class Batch:
    """One that hands over an array."""

    def __init__(self, batch):
        self.batch = batch

    def __arrow_c_array__(self, requested_schema=None):
        return self.batch.__arrow_c_array__(requested_schema)


TABLE = pyarrow.table(ROWS)
KINDS = {
    "a record batch": (lambda: TABLE.to_batches()[0], pyarrow.RecordBatch),
    "a reader of batches": (TABLE.to_reader, pyarrow.RecordBatchReader),
    "a foreign object": (lambda: Foreign(TABLE), pyarrow.Table),
    "one that can be made": (lambda: Making(TABLE), Making),
    "a stream that is read once": (lambda: Once(TABLE), pyarrow.Table),
    "an array": (lambda: Batch(TABLE.to_batches()[0]), pyarrow.Table),
}


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_counted_recoded_and_given_back(kind):
    make, comes_back = KINDS[kind]
    table = open_table(make())
    assert table.count_by(["age"]).values[0].to_list() == [31, 47]
    native, written = table.recode(Recoding(maps={"age": {31: "adult", 47: "adult"}}, keeps_order=True))
    assert isinstance(native, comes_back)
    assert written.written == 3
    assert pl.DataFrame(native).to_dict(as_series=False) == {"age": ["adult"] * 3, "town": ROWS["town"]}


def test_a_release_of_such_an_object_is_one():
    rows = pyarrow.table({"age": [30, 30, 31, 31] * 5, "sex": ["f", "m"] * 10})
    release = celosia.anonymize(Making(rows), quasi_identifiers=["age", "sex"], k=5)
    assert isinstance(release.table, Making)


def test_a_lazy_frame_and_a_relation_come_back_as_they_were():
    duckdb = pytest.importorskip("duckdb")
    lazy, _ = open_table(pl.DataFrame(ROWS).lazy()).recode(Recoding())
    assert isinstance(lazy, pl.LazyFrame)
    relation, _ = open_table(duckdb.from_arrow(TABLE)).recode(Recoding())
    assert isinstance(relation, duckdb.DuckDBPyRelation)


def test_a_column_alone_is_no_table():
    with pytest.raises(TableError, match=r"an object of type .* is not a table; give a path, a Polars"):
        open_table(pyarrow.array([1, 2]))
