"""Arrow IPC, which is Feather, too: typed columns as they lie in memory, in batches."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, ClassVar

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import FileLayout, Format, Options, check_names, reading
from celosia.tables.formats.parquet import bytes_of
from celosia.tables.staged import name_of
from celosia.types import ColumnType

__all__ = ["FORMATS", "ArrowReader", "ArrowSink"]

_SLICE = 1 << 18


class ArrowReader:
    """An Arrow file or stream, or a Feather file of version 2; a batch of it is in memory at a time."""

    declared: ClassVar[Mapping[str, ColumnType]] = {}

    def __init__(self, path: Path, options: Options) -> None:
        self._path, self._where = path, name_of(path)
        self.options = options
        with reading(self._where, say("an Arrow file")):
            self._rows = 0
            schema: pl.Schema | None = None
            for batch in self._record_batches():
                self._rows += batch.num_rows
                if schema is None:
                    schema = _frame(batch).schema
        if schema is None or not self._rows:
            raise TableError(
                say("the file has columns but no rows"),
                where=self._where,
                remedy=say("check that it was saved"),
            )
        self.names = check_names(list(schema), where=self._where)
        self.dtypes = tuple(schema.values())

    def size(self) -> tuple[int, int]:
        """Rows, and bytes once they are in memory."""
        return self._rows, self._rows * (sum(map(bytes_of, self.dtypes)) + 1)

    def lazy(self) -> None:
        """Nothing: batches are as quick."""

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows, a batch of the file at a time, in slices."""
        chosen = list(self.names if columns is None else columns)
        kinds = dict(zip(self.names, self.dtypes, strict=True))
        with reading(self._where, say("an Arrow file")):
            for batch in self._record_batches():
                frame = _frame(batch)
                # Batches of a dictionary may each have another one.
                part = pl.DataFrame([frame.get_column(name).cast(kinds[name]) for name in chosen])
                yield from part.iter_slices(_SLICE)

    def _record_batches(self) -> Iterator[Any]:
        import pyarrow
        import pyarrow.ipc

        with pyarrow.memory_map(str(self._path)) as file:
            if bytes(file.read(6)) == b"ARROW1":
                opened = pyarrow.ipc.open_file(file)
                yield from (opened.get_batch(place) for place in range(opened.num_record_batches))
                return
            file.seek(0)
            if bytes(file.read(4)) == b"FEA1":
                raise TableError(
                    say("this is a Feather file of the first version, which is no longer read"),
                    where=self._where,
                    remedy=say("save it again with a newer program"),
                )
            file.seek(0)
            yield from pyarrow.ipc.open_stream(file)


def _frame(batch: Any) -> pl.DataFrame:
    frame = pl.from_arrow(batch)
    assert isinstance(frame, pl.DataFrame)
    return frame


class ArrowSink:
    """An Arrow file that is being written, a batch for every part; labels are written as the text that they are."""

    def __init__(self, file: IO[bytes], layout: FileLayout) -> None:
        self._file, self._labels = file, layout.labels
        self._writer: Any = None

    def append(self, part: pl.DataFrame) -> None:
        """Add a batch."""
        import pyarrow.ipc

        columns = [self._storable(column) for column in part.iter_columns()]
        table = pyarrow.table(columns, names=list(part.columns))
        if self._writer is None:
            how = pyarrow.ipc.IpcWriteOptions(compression="zstd")
            self._writer = pyarrow.ipc.new_file(self._file, table.schema, options=how)
        self._writer.write_table(table)

    def _storable(self, column: pl.Series) -> Any:
        # An Enum or a Categorical would list the values of rows that are gone.
        if column.name in self._labels or isinstance(column.dtype, pl.Enum | pl.Categorical):
            column = column.cast(pl.String)
        elif column.dtype.is_integer() and str(column.dtype).endswith("128"):
            column = column.cast(pl.Decimal(38, 0))
        return column.alias("").to_arrow(compat_level=pl.CompatLevel.oldest())

    def close(self) -> None:
        """Write the footer."""
        if self._writer is not None:
            self._writer.close()

    def abandon(self) -> None:
        """Close the writer, which would otherwise try to when it is forgotten."""
        with suppress(Exception):
            self.close()


FORMATS = (
    Format(
        name="arrow",
        suffixes=(".arrow", ".feather", ".ipc", ".arrows"),
        read=ArrowReader,
        create=ArrowSink,
    ),
)
