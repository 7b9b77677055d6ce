"""A table seen through a layer: rows that change on their way, batch by batch, wherever the table is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
import polars as pl

from celosia.tables.count import count_rows
from celosia.tables.file_table import FileTable
from celosia.tables.format import ColumnNotes, Format, Options, Reader
from celosia.tables.frame_table import FrameTable
from celosia.tables.frames import wrap_frame
from celosia.tables.infer import Cast
from celosia.tables.location import Location, is_on_cluster
from celosia.tables.parsers import ColumnParsers
from celosia.tables.recoder import check_columns
from celosia.tables.table import Counts, Progress, Recoding, Table, Written, no_progress
from celosia.tables.writing import write_rows
from celosia.types import Column, ColumnType, Schema
from celosia.values.parse import ValueParser
from celosia.values.text import column_type

__all__ = ["Layer", "Pass", "ShuffledColumn", "Stage", "apply_layer", "stage_of"]


class Pass(Protocol):
    """One pass of a layer over the rows of a table, in order."""

    def __call__(self, batch: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series | None]:
        """What becomes of some rows, and which of them are left; None means all."""
        ...


class Layer(Protocol):
    """What changes rows on their way; ``names`` and so on are those of the columns behind it."""

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that come through."""
        ...

    @property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Their types."""
        ...

    @property
    def touched(self) -> frozenset[str]:
        """Columns whose values change."""
        ...

    @property
    def drops_rows(self) -> bool:
        """Whether fewer rows may come through."""
        ...

    def needs(self, columns: Sequence[str]) -> tuple[str, ...]:
        """The columns of the table that have to be read for some that come through."""
        ...

    def begin(self, columns: Sequence[str]) -> Pass:
        """A pass over all rows, from batches of what it needs to those columns."""
        ...


@dataclass(frozen=True)
class ShuffledColumn:
    """A column whose values are dealt out anew among its rows, and the one with the numbers of those values.

    Numbers count from that of the first row of a part; a missing value has none.
    """

    values: str
    numbers: str
    seed: int


class Stage(Layer, Protocol):
    """What a layer does before some columns are shuffled."""

    @property
    def shuffled(self) -> Sequence[ShuffledColumn]:
        """The columns to shuffle among those that come through."""
        ...

    @property
    def rest(self) -> Layer:
        """What is done after that, to the columns that come through but for the numbers."""
        ...


def stage_of(layer: Layer) -> Stage | None:
    """What a layer does before columns are shuffled where the rows are; None if that is not asked for."""
    find = getattr(layer, "stage", None)
    return None if find is None else find()


@dataclass(frozen=True)
class LayeredReader:
    """The rows of a reader, seen through a layer."""

    reader: Reader
    layer: Layer
    declared: Mapping[str, ColumnType] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that come through."""
        return self.layer.names

    @property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Their types."""
        return self.layer.dtypes

    @property
    def options(self) -> Options:
        """How the values are written in the table."""
        return self.reader.options

    @property
    def notes(self) -> Mapping[str, ColumnNotes]:
        """What the file says of columns that the layer does not touch."""
        said: Mapping[str, ColumnNotes] = getattr(self.reader, "notes", {})
        kept = set(self.layer.names).difference(self.layer.touched)
        return {name: notes for name, notes in said.items() if name in kept}

    def size(self) -> tuple[int, int]:
        """Rows and bytes, as if nothing changed."""
        return self.reader.size()

    def lazy(self) -> None:
        """None: rows change batch by batch."""
        return

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows after the layer, a bounded number at a time."""
        names = self.names if columns is None else tuple(columns)
        change = self.layer.begin(names)
        for batch in self.reader.batches(self.layer.needs(names)):
            yield change(batch)[0]


@dataclass(frozen=True)
class LayeredTable:
    """A table of a database, seen through a layer: what the layer does not touch is still counted there."""

    location: ClassVar[Location] = Location.LAYERED
    table: Any
    layer: Layer
    memory: int | None = None

    @property
    def name(self) -> str:
        """That of the table."""
        return str(self.table.name)

    @property
    def format(self) -> Format | None:
        """None: rows come from no file."""
        return None

    @property
    def options(self) -> Options:
        """How missing values are written."""
        return self.table.options  # type: ignore[no-any-return]

    @cached_property
    def reader(self) -> LayeredReader:
        """The rows after the layer."""
        return LayeredReader(self.table.reader, self.layer)

    def close(self) -> None:
        """Let go of the database."""
        self.table.close()

    def columns(self) -> tuple[str, ...]:
        """The columns that come through."""
        return self.layer.names

    def schema(self) -> Schema:
        """Columns with their types after the layer."""
        before: Schema = self.table.schema()
        return Schema(
            tuple(
                Column(name, column_type(dtype)) if name in self.layer.touched else before[name]
                for name, dtype in zip(self.layer.names, self.layer.dtypes, strict=True)
            )
        )

    def casts(self) -> Mapping[str, Cast]:
        """None: a database has types of its own."""
        return {}

    def native_types(self) -> Mapping[str, tuple[str, str]]:
        """Types as the database writes them, of columns that are as they were."""
        native: Mapping[str, tuple[str, str]] = self.table.native_types()
        return {name: kind for name, kind in native.items() if name not in self.layer.touched}

    def count_by(
        self, columns: Sequence[str], *, places: bool = False, progress: Progress = no_progress
    ) -> Counts:
        """Distinct combinations: counted in the database if the layer changes none of them."""
        check_columns(columns, self.columns(), where=self.name)
        if not self.layer.drops_rows and not self.layer.touched.intersection(columns):
            found: Counts = self.table.count_by(columns, progress=progress)
            return found
        return count_rows(
            self.reader, columns, missing=self.options.missing, where=self.name, progress=progress
        )

    def is_as_counted(self, counts: Counts) -> bool:
        """Unknown: others may write to a database meanwhile."""
        return False

    def parsers_of(self, columns: Sequence[str]) -> dict[str, ValueParser]:
        """None: a database has types of its own."""
        return {}

    def few_values(self, name: str, rows: int) -> pl.Series:
        """Distinct values of one column in the first rows: without the rows if the layer does not change them."""
        if name not in self.layer.touched:
            found: pl.Series = self.table.few_values(name, rows)
            return found
        first = next(self.scan((name,)), pl.DataFrame({name: []}))
        return first.get_column(name).head(rows).unique()

    def unparsed(self) -> "LayeredTable":
        """The table: a database has types of its own."""
        return self

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows after the layer, in batches."""
        if columns is not None:
            check_columns(columns, self.columns(), where=self.name)
        return self.reader.batches(columns)

    def write(
        self,
        recoding: Recoding,
        destination: Any,
        *,
        seed: int | None = None,
        progress: Progress = no_progress,
    ) -> Written:
        """Apply ``recoding`` to the rows after the layer and write them in random order."""
        return write_rows(self, recoding, destination, seed=seed, progress=progress)


def apply_layer(table: Table, layer: Layer) -> Table:
    """A table as it looks through a layer: rows of files and databases change as they are read, a frame at once."""
    if isinstance(table, FileTable):
        types = {name: column for name, column in table.types.items() if name not in layer.touched}
        reader = LayeredReader(table.reader, layer, declared=_declared(table.reader, layer))
        return replace(table, reader=reader, types=types, is_plain=False, parsers=ColumnParsers())
    if isinstance(table, FrameTable):
        return _see_frame(table, layer)
    if is_on_cluster(table):
        return table.through(layer)
    return LayeredTable(table, layer, getattr(table, "memory", None))


def _declared(reader: Reader, layer: Layer) -> dict[str, ColumnType]:
    kinds = reader.declared.items()
    return {name: kind for name, kind in kinds if name in layer.names and name not in layer.touched}


def _see_frame(table: FrameTable, layer: Layer) -> FrameTable:
    """A frame of the caller's kind with the rows and columns that come through."""
    change = layer.begin(layer.names)
    frames, kept = [], []
    for batch in table.reader.batches(layer.needs(layer.names)):
        frame, stays = change(batch)
        frames.append(frame)
        kept.append(np.ones(batch.height, np.bool_) if stays is None else stays.to_numpy())
    places = np.flatnonzero(np.concatenate(kept)) if kept else np.empty(0, np.int64)
    empty = pl.DataFrame(schema=dict(zip(layer.names, layer.dtypes, strict=True)))
    whole = pl.concat([empty, *frames])
    changed = [whole.get_column(name) for name in layer.names if name in layer.touched]
    native = table.frame.take(places, layer.names, changed)
    types = {name: column for name, column in table.types.items() if name not in layer.touched}
    return FrameTable(wrap_frame(native), table.options, types, table.memory)
