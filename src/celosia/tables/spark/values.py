"""What values of Spark are to us, and rows on their way from Spark through our own code and back."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

__all__ = [
    "arrow_schema",
    "as_arrow",
    "collect",
    "dtypes_of",
    "in_utc",
    "map_batches",
    "places",
    "spark_schema",
    "stream",
    "tallied",
    "without_opaque",
]

UTC = "UTC"
Change = Callable[[pl.DataFrame], tuple[pl.DataFrame, pl.Series | None]]
"""What becomes of some rows, and which of them are left; None means all."""


def places(names: Sequence[str]) -> list[str]:
    """Names for columns by their number: in Spark, names differ in more than their letters and dots have a meaning."""
    return [f"c{number}" for number in range(len(names))]


def dtypes_of(schema: "StructType") -> tuple[pl.DataType, ...]:
    """The types in which values of Spark arrive."""
    plain = pa.schema(
        [pa.field(str(number), field.type) for number, field in enumerate(arrow_schema(schema))]
    )
    return tuple(_frame(plain.empty_table()).dtypes)


def arrow_schema(schema: "StructType") -> pa.Schema:
    """Columns of Spark as Arrow has them; instants are shown in UTC, wherever a session says that it is."""
    from pyspark.sql.pandas.types import to_arrow_schema

    # Older releases of Spark show instants in UTC unless they are told otherwise, and know no other word for it.
    named = {"timezone": UTC} if "timezone" in signature(to_arrow_schema).parameters else {}
    return to_arrow_schema(schema, **named)


def spark_schema(names: Sequence[str], dtypes: Sequence[pl.DataType]) -> "StructType":
    """Columns of ours as Spark has them; raises KeyError for a type that it lacks."""
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StructField, StructType

    return StructType(
        [
            StructField(name, from_arrow_type(_arrow_type(dtype), prefer_timestamp_ntz=True))
            for name, dtype in zip(names, dtypes, strict=True)
        ]
    )


def _arrow_type(dtype: pl.DataType) -> pa.DataType:
    if dtype in (pl.Categorical, pl.Enum, pl.String, pl.Null, pl.Time):
        return pa.string()
    if dtype.is_unsigned_integer() or dtype == pl.Int128:
        return pa.int64() if dtype in (pl.UInt8, pl.UInt16, pl.UInt32) else pa.decimal128(38, 0)
    if isinstance(dtype, pl.Datetime):
        return pa.timestamp("us", dtype.time_zone)
    return pl.Series([], dtype=dtype).to_arrow().type


def collect(frame: "DataFrame") -> pl.DataFrame:
    """All rows of a small table of Spark."""
    return _frame(frame.toArrow())


def stream(frame: "DataFrame") -> Iterator[pl.DataFrame]:
    """The rows in batches, one part of the table at a time: no more of them are here at once."""

    def pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, batch.schema) as writer:
                writer.write_batch(batch)
            packed = pa.array([sink.getvalue().to_pybytes()], pa.binary())
            yield pa.RecordBatch.from_arrays([packed], ["batch"])

    for row in frame.mapInArrow(pack, "batch binary").toLocalIterator():
        with pa.ipc.open_stream(row[0]) as reader:
            yield _frame(reader.read_all())


def tallied(frame: "DataFrame", look: Callable[[pl.DataFrame], Sequence[int]], count: int) -> "DataFrame":
    """The whole numbers that ``look`` finds in every batch, where the batches are: ``n0``, ``n1``, ..."""
    names = [f"n{number}" for number in range(count)]

    def tell(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            found = [
                pa.array([number], pa.int64()) for number in look(_frame(pa.Table.from_batches([batch])))
            ]
            yield pa.RecordBatch.from_arrays(found, names)

    return frame.mapInArrow(tell, ", ".join(f"{name} long" for name in names))


def map_batches(
    frame: "DataFrame",
    make: Callable[[], Change],
    seen: Sequence[int],
    schema: "StructType",
    given: Sequence[int] | None = None,
) -> "DataFrame":
    """Rows after a change that our own code makes, batch by batch, where they are.

    ``make`` begins a pass, once for every part of the table. ``seen[i]`` is the number of the column of the frame that
    is column i of the result, or -1 where the change makes it; what is only passed on stays as Spark has it. ``given``
    are the numbers of the columns that the change looks at; all but maps if that is not said.
    """
    looked_at = None if given is None else tuple(given)
    return frame.mapInArrow(_Through(make, tuple(seen), schema, looked_at), schema)


@dataclass(frozen=True)
class _Through:
    """One part of a table on its way; a class, because its names tell a reader more than a closure's."""

    make: Callable[[], Change]
    seen: tuple[int, ...]
    schema: Any
    given: tuple[int, ...] | None = None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        change = self.make()
        target = arrow_schema(self.schema)
        for batch in batches:
            looked_at = batch if self.given is None else batch.select(list(self.given))
            frame, kept = change(without_opaque(looked_at))
            yield from self._put_together(batch, frame, kept, target)

    def _put_together(
        self, batch: pa.RecordBatch, frame: pl.DataFrame, kept: pl.Series | None, target: pa.Schema
    ) -> Iterator[pa.RecordBatch]:
        mask = None if kept is None else pa.array(kept.to_numpy())
        columns = []
        for place, field in enumerate(target):
            if self.seen[place] >= 0:
                column = batch.column(self.seen[place])
                columns.append(in_utc(column if mask is None else column.filter(mask)))
            else:
                columns.append(as_arrow(frame.get_column(field.name), field.type))
        if columns and len(columns[0]):
            yield from pa.Table.from_arrays(columns, names=target.names).combine_chunks().to_batches()


def as_arrow(column: pl.Series, kind: pa.DataType) -> pa.ChunkedArray:
    """A column of ours as a type of Spark."""
    if column.dtype in (pl.Categorical, pl.Enum, pl.Time):
        column = column.cast(pl.String)
    if column.dtype in (pl.UInt64, pl.Int128, pl.UInt128):
        column = column.cast(pl.Decimal(38, 0))
    return column.to_frame().to_arrow().column(0).cast(kind)


def without_opaque(rows: pa.RecordBatch | pa.Table) -> pl.DataFrame:
    """Rows as a frame, without columns that only pass: maps have no twin among our types."""
    kept = [number for number, field in enumerate(rows.schema) if not pa.types.is_map(field.type)]
    table = rows if isinstance(rows, pa.Table) else pa.Table.from_batches([rows])
    return _frame(table.select(kept))


def _frame(table: pa.Table) -> pl.DataFrame:
    """Rows of Arrow as a frame; Polars would take some names for patterns."""
    fields = [pa.field(str(number), _in_utc(field.type)) for number, field in enumerate(table.schema)]
    plain = table.rename_columns([field.name for field in fields]).cast(pa.schema(fields))
    frame = pl.from_arrow(plain)
    assert isinstance(frame, pl.DataFrame)
    frame.columns = table.column_names
    return frame


def in_utc(column: Any) -> Any:
    """A column of Arrow on its way back to Spark, which expects instants in UTC and hands them out in other zones."""
    kind = _in_utc(column.type)
    return column if kind == column.type else column.cast(kind)


def _in_utc(kind: pa.DataType) -> pa.DataType:
    """The type of an instant in UTC, any other as it is: some time zones of Java are unknown here."""
    return pa.timestamp(kind.unit, UTC) if pa.types.is_timestamp(kind) and kind.tz is not None else kind
