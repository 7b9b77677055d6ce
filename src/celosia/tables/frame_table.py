"""A table in the caller's memory: Polars, pandas, Arrow or DuckDB in, the same kind out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.count import count_rows, count_sizes
from celosia.tables.format import Format, FrameReader, Options
from celosia.tables.frames import Frame
from celosia.tables.infer import Cast
from celosia.tables.location import Location
from celosia.tables.parsers import ColumnParsers
from celosia.tables.recoder import Recoder, check_columns
from celosia.tables.table import Counts, Progress, Recoding, Written, no_progress
from celosia.tables.writing import write_rows
from celosia.types import Column, Schema
from celosia.values.parse import ValueParser
from celosia.values.text import column_type

__all__ = ["FrameTable"]


@dataclass(frozen=True)
class FrameTable:
    """A frame of the caller, never changed; columns that are not recoded keep their type."""

    location: ClassVar[Location] = Location.FRAME
    frame: Frame
    options: Options = field(default_factory=Options)
    types: Mapping[str, Column] = field(default_factory=dict)
    memory: int | None = None
    format: Format | None = None
    parsers: ColumnParsers = field(default_factory=ColumnParsers, repr=False, compare=False)

    @property
    def name(self) -> str:
        """What kind of frame it is."""
        return say("the {kind} frame", kind=self.frame.kind)

    @cached_property
    def reader(self) -> FrameReader:
        """All rows."""
        return self._read(self.frame.names)

    def _read(self, columns: Sequence[str]) -> FrameReader:
        return FrameReader(self.frame.to_polars(columns), self.options)

    def columns(self) -> tuple[str, ...]:
        """Names of the columns in order."""
        return tuple(self.frame.names)

    def schema(self) -> Schema:
        """Columns with the types of the frame, or those declared by hand."""
        dtypes = self.frame.dtypes()
        found = (self.types.get(name, Column(name, column_type(dtype))) for name, dtype in dtypes.items())
        return Schema(tuple(found))

    def casts(self) -> Mapping[str, Cast]:
        """None: a frame has types of its own."""
        return {}

    def count_by(
        self, columns: Sequence[str], *, places: bool = False, progress: Progress = no_progress
    ) -> Counts:
        """The distinct combinations of ``columns`` and their counts."""
        check_columns(columns, self.frame.names, where=self.name)
        reader = self._read(columns or self.frame.names[:1])
        counts = count_rows(
            reader,
            columns,
            missing=self.options.missing,
            parser=self._choose_parser,
            places=places,
            where=self.name,
            progress=progress,
        )
        # 1 and '1' have one text; whoever holds the frame can tell them apart.
        mixed = self.frame.mixed.intersection(columns)
        return replace(counts, respelled={**counts.respelled, **dict.fromkeys(mixed, 1)}) if mixed else counts

    def is_as_counted(self, counts: Counts) -> bool:
        """A frame does not change; a query is run once."""
        return True

    def _choose_parser(self, name: str, texts: pl.Series) -> ValueParser | None:
        declared = self.types[name].type if name in self.types else None
        return self.parsers.choose(name, texts, declared=declared, infers=False)

    def parsers_of(self, columns: Sequence[str]) -> dict[str, ValueParser]:
        """How the texts of some columns are read: as was declared."""
        return self.parsers.of(self._read(columns), columns, self._choose_parser) if self.types else {}

    def sizes(self, columns: Sequence[str]) -> list[tuple[int, int]]:
        """Sizes of classes and how many classes have each, as the table writes its values."""
        return count_sizes(self._read(columns), columns, where=self.name)

    def unparsed(self) -> "FrameTable":
        """The same table with texts as they are written: to the sharpest reader every spelling is a value."""
        return replace(self, types={}, parsers=ColumnParsers(reads=False))

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows in batches, values as the frame holds them."""
        if columns is not None:
            check_columns(columns, self.frame.names, where=self.name)
        return self._read(self.frame.names if columns is None else columns).batches()

    def write(
        self,
        recoding: Recoding,
        destination: Any,
        *,
        seed: int | None = None,
        progress: Progress = no_progress,
    ) -> Written:
        """Apply ``recoding`` and write the rows in random order to a path or a :class:`Destination`."""
        if destination is None:
            raise TableError(
                say("there is nowhere to write to"), where=self.name, remedy=say("call recode() for a frame")
            )
        return write_rows(self, recoding, destination, seed=seed, progress=progress)

    def recode(self, recoding: Recoding, *, seed: int | None = None) -> tuple[Any, Written]:
        """A new frame of the caller's kind with the recoded rows in random order, and what was done.

        >>> from celosia.tables import open_table
        >>> table = open_table(pl.DataFrame({"age": [31, 47], "paid": [1.5, 2.5]}))
        >>> frame, written = table.recode(Recoding(maps={"age": {31: "adult", 47: "adult"}}), seed=1)
        >>> frame.dtypes, written.written
        ([String, Float64], 2)
        """
        recoder = Recoder(
            recoding,
            self.frame.names,
            missing=self.options.missing,
            dtypes=self.frame.dtypes() if recoding.unified or recoding.assignment else {},
            parsers=self.parsers_of(recoding.looked_at),
            where=self.name,
            in_order=True,
        )
        objects = [
            name
            for name in recoding.quasi_identifiers
            if name in recoder.kept_names and name not in recoder.changed and self.frame.holds_objects(name)
        ]
        used = tuple(dict.fromkeys([*recoder.used, *objects]))
        looked_at = self.frame.to_polars(used or self.frame.names[:1])
        recoded = recoder.apply(looked_at)
        rows = np.arange(looked_at.height) if recoded.kept is None else np.flatnonzero(recoded.kept)
        if not recoding.keeps_order:
            rows = np.random.default_rng(seed).permutation(rows)
        released = {
            name: recoded.frame.get_column(name)
            .alias("")
            .cast(pl.String if isinstance(dtype, pl.Enum) else dtype)
            for name, dtype in recoder.changed.items()
        }
        changed = [series.gather(rows).alias(name) for name, series in released.items()]
        changed += [
            recoded.frame.get_column(name).alias("").gather(rows).alias(name)
            for name in dict.fromkeys([*recoder.numbers, *objects])
        ]
        native = self.frame.take(rows, recoder.kept_names, changed)
        return native, Written(looked_at.height, len(rows), recoded.excluded, recoded.suppressed)
