"""Parquet: typed columns, read and written a few rows at a time, however wide the table and large its row groups."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, ClassVar

import numpy as np
import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import FileLayout, Format, Options, check_names, reading
from celosia.tables.staged import name_of
from celosia.types import ColumnType

__all__ = ["FORMATS", "ParquetReader", "ParquetSink", "bytes_of"]

_BATCH_BYTES = 1 << 26
_GROUP_BYTES = 1 << 28


class ParquetReader:
    """A Parquet file."""

    declared: ClassVar[Mapping[str, ColumnType]] = {}

    def __init__(self, path: Path, options: Options) -> None:
        import pyarrow.parquet

        self._path, self._where = path, name_of(path)
        self.options = options
        if path.stat().st_size == 0:
            raise TableError(
                say("the file is empty"), where=self._where, remedy=say("check that it was saved")
            )
        with reading(self._where, say("a Parquet file")):
            schema = pl.scan_parquet(path, glob=False).collect_schema()
            metadata = pyarrow.parquet.read_metadata(path)
        self.names = check_names(list(schema), where=self._where)
        self.dtypes = tuple(schema.values())
        self._rows = int(metadata.num_rows)
        if not self._rows:
            raise TableError(
                say("the file has columns but no rows"),
                where=self._where,
                remedy=say("check that it was saved"),
            )
        self._largest_group = max(metadata.row_group(i).num_rows for i in range(metadata.num_row_groups))

    def size(self) -> tuple[int, int]:
        """Rows, and bytes once they are in memory."""
        return self._rows, self._rows * self._row_bytes

    @property
    def _row_bytes(self) -> int:
        return sum(bytes_of(dtype) for dtype in self.dtypes) + 1

    def lazy(self) -> pl.LazyFrame:
        """A query over the file."""
        return pl.scan_parquet(self._path, glob=False)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows, about 64 MB at a time."""
        chosen = list(self.names if columns is None else columns)
        rows = max(1 << 10, min(1 << 18, _BATCH_BYTES // self._row_bytes))
        # The fast reader loads a whole row group; the patient one a few pages of every column.
        fits = self._largest_group * self._row_bytes <= _GROUP_BYTES
        frames = (
            self._fast(chosen, rows)
            if fits and hasattr(pl.LazyFrame, "collect_batches")
            else self._patient(rows)
        )
        with reading(self._where, say("a Parquet file")):
            for frame in frames:
                yield pl.DataFrame([frame.get_column(name) for name in chosen])

    def first(self, columns: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
        """So many rows: of the others nothing is decoded."""
        places = [self.names.index(name) for name in columns]
        with reading(self._where, say("a Parquet file")):
            yield self.lazy().head(rows).select(pl.nth(places)).collect()

    def _fast(self, chosen: list[str], rows: int) -> Iterator[pl.DataFrame]:
        places = [self.names.index(name) for name in chosen]
        query = self.lazy().select(pl.nth(places))
        yield from query.collect_batches(chunk_size=rows, maintain_order=True)

    def _patient(self, rows: int) -> Iterator[pl.DataFrame]:
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(self._path, pre_buffer=False, buffer_size=1 << 16) as file:
            for batch in file.iter_batches(batch_size=rows, use_threads=True):
                frame = pl.from_arrow(batch)
                assert isinstance(frame, pl.DataFrame)
                yield frame.cast(dict(zip(self.names, self.dtypes, strict=True)))


def bytes_of(dtype: pl.DataType) -> int:
    """Bytes of one value in memory, text guessed.

    >>> bytes_of(pl.Int64()), bytes_of(pl.String())
    (8, 32)
    """
    if dtype in (pl.Boolean, pl.Int8, pl.UInt8):
        return 1
    if dtype in (pl.Int32, pl.UInt32, pl.Float32, pl.Date, pl.Categorical, pl.Enum):
        return 4
    if dtype in (pl.Int16, pl.UInt16):
        return 2
    if dtype.is_decimal():
        return 16
    return 8 if dtype.is_numeric() or dtype.is_temporal() else 32


class ParquetSink:
    """A Parquet file that is being written, a row group for every part."""

    def __init__(self, file: IO[bytes], layout: FileLayout) -> None:
        self._file, self._labels = file, layout.labels
        self._writer: Any = None

    def append(self, part: pl.DataFrame) -> None:
        """Add a row group."""
        import pyarrow.parquet

        table = pyarrow.table(
            [self._storable(column) for column in part.iter_columns()], names=list(part.columns)
        )
        if self._writer is None:
            # Stored without its schema, and with one of our own in which labels are the text that they are.
            self._writer = pyarrow.parquet.ParquetWriter(
                self._file,
                table.schema,
                compression="zstd",
                store_schema=False,
                write_statistics=False,  # in random order they tell a reader nothing, and cost a third of the time
            )
            fields = [_as_text(field) if field.name in self._labels else field for field in table.schema]
            stored = base64.b64encode(pyarrow.schema(fields).serialize().to_pybytes())
            self._writer.add_key_value_metadata({"ARROW:schema": stored.decode()})
        self._writer.write_table(table, row_group_size=max(1, len(table)))

    def _storable(self, column: pl.Series) -> Any:
        """A column as Arrow holds it."""
        is_label = column.name in self._labels
        column = column.alias("")  # a name like '^a$' would mean something else to the engine
        if isinstance(column.dtype, pl.Enum):
            return _used_labels(column)
        if is_label:
            column = column.cast(pl.Categorical)  # a dictionary is written twice as fast as text
        elif column.dtype.is_integer() and str(column.dtype).endswith("128"):
            column = column.cast(pl.Decimal(38, 0))
        return column.to_arrow(compat_level=pl.CompatLevel.oldest())

    def close(self) -> None:
        """Write the footer."""
        if self._writer is not None:
            self._writer.close()

    def abandon(self) -> None:
        """Close the writer, which would otherwise try to when it is forgotten."""
        with suppress(Exception):
            self.close()


def _used_labels(column: pl.Series) -> Any:
    """A dictionary of the labels that these rows have: an Enum would list those of rows that are gone as well.

    >>> _used_labels(pl.Series(["c", None, "a"], dtype=pl.Enum(["a", "b", "c"]))).dictionary.to_pylist()
    ['a', 'c']
    """
    import pyarrow

    assert isinstance(column.dtype, pl.Enum)
    labels, codes = column.dtype.categories, column.to_physical()
    is_used = np.zeros(len(labels), np.bool_)
    is_used[codes.drop_nulls().to_numpy()] = True
    numbers = pl.Series(np.cumsum(is_used) - 1, dtype=pl.UInt32, strict=False)
    # By way of the engine: Arrow looks for pandas as soon as it is given an array of NumPy, which takes 0.4 s.
    used, oldest = labels.filter(pl.Series(is_used)), pl.CompatLevel.oldest()
    return pyarrow.DictionaryArray.from_arrays(
        numbers.gather(codes).to_arrow(compat_level=oldest), used.to_arrow(compat_level=oldest)
    )


def _as_text(field: Any) -> Any:
    import pyarrow

    return pyarrow.field(field.name, pyarrow.large_string())


FORMATS = (Format(name="parquet", suffixes=(".parquet", ".pq"), read=ParquetReader, create=ParquetSink),)
