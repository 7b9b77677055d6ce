"""A table in a file, or in several."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.count import count_rows, count_sizes
from celosia.tables.file_list import TableFile
from celosia.tables.form_candidates import DATE_LIKE, NUMBER_LIKE
from celosia.tables.format import Format, Options, Reader
from celosia.tables.infer import (
    Cast,
    ColumnEvidence,
    cast_of,
    fits_type,
    gather_evidence,
    is_of_type,
    schema_of,
)
from celosia.tables.location import Location
from celosia.tables.parsers import ColumnParsers
from celosia.tables.reading_told import reading_of
from celosia.tables.recoder import check_columns
from celosia.tables.staged import name_of
from celosia.tables.table import Counts, Progress, Recoding, Written, no_progress
from celosia.tables.writing import write_rows
from celosia.types import DATES, NUMBERS, Column, ColumnType, Schema
from celosia.values.parse import ValueParser
from celosia.values.same import as_values
from celosia.values.text import column_type

__all__ = ["FileTable"]


@dataclass(frozen=True)
class FileTable:
    """A table in files; text formats are held as the text that was written, types are inferred when asked for.

    ``path`` is the file, or the pattern or folder of several.
    """

    location: ClassVar[Location] = Location.FILE
    path: Path
    format: Format
    reader: Reader
    types: Mapping[str, Column] = field(default_factory=dict)
    memory: int | None = None
    is_plain: bool = True
    """Whether rows are as the file has them, so that an engine may read it by itself."""
    files: tuple[TableFile, ...] = ()
    """What is read, each file and sheet of it."""
    parsers: ColumnParsers = field(default_factory=ColumnParsers, repr=False, compare=False)
    _gathered: list[dict[str, ColumnEvidence]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        declare = getattr(self.reader, "declaring", None)
        if declare is not None:
            types = {name: column.type for name, column in self.types.items()}
            object.__setattr__(self, "reader", declare(types))

    @property
    def name(self) -> str:
        """The place as it was given."""
        return name_of(self.path)

    @property
    def options(self) -> Options:
        """How the file writes its values."""
        return self.reader.options

    def columns(self) -> tuple[str, ...]:
        """Names of the columns in order."""
        return tuple(self.reader.names)

    def schema(self) -> Schema:
        """Columns with their types: declared by hand or by the file, else inferred from all values."""
        if not self.format.holds_text:
            found = zip(self.reader.names, self.reader.dtypes, strict=True)
            columns = (self.types.get(name, Column(name, column_type(dtype))) for name, dtype in found)
            return Schema(tuple(columns))
        by_file = {name: Column(name, kind) for name, kind in self.reader.declared.items()}
        self._check_declared()
        return schema_of(self.evidence, {**by_file, **self.types})

    def _check_declared(self) -> None:
        """Raise if a column does not have the type declared for it, and say in which line."""
        lines_of = getattr(self.reader, "lines_of", None)
        for name, column in self.types.items():
            if lines_of is None or fits_type(column.type, self.evidence[name]):
                continue
            for reading in reading_of(self).doubts:  # type: ignore[union-attr]  # what has lines is a text file
                if reading.column == name:
                    raise TableError(reading.what, where=self.name, remedy=reading.remedy)
            raise self._wrong_type(name, column.type)

    def _wrong_type(self, name: str, type: ColumnType) -> TableError:
        for batch in self.reader.batches([name]):
            texts = as_values(batch.to_series(), missing=self.options.missing).drop_nulls()
            wrong = texts.filter(~is_of_type(type, texts))
            # What does not even look like it is named before what is only written in another way.
            if type in (*NUMBERS, *DATES):
                shape = NUMBER_LIKE if type in NUMBERS else DATE_LIKE
                unlike = wrong.filter(~wrong.str.contains(shape))
                wrong = unlike if len(unlike) else wrong
            if len(wrong):
                lines = self.reader.lines_of(name, [wrong[0]])  # type: ignore[attr-defined]
                return TableError(
                    say(
                        "column {name!r} is declared {type}, and line {line} has {text!r}",
                        name=name,
                        type=type,
                        line=lines.get(wrong[0], 0),
                        text=wrong[0],
                    ),
                    where=self.name,
                    remedy=say(
                        "declare it {type}, or name what means a missing value", type=self.evidence[name].type
                    ),
                )
        return TableError(
            say("column {name!r} is declared {type}, and not all of its values are", name=name, type=type),
            where=self.name,
            remedy=say(
                "declare it {type}, or name what means a missing value", type=self.evidence[name].type
            ),
        )

    @property
    def evidence(self) -> dict[str, ColumnEvidence]:
        """What all texts of every column are, gathered once."""
        # In Python 3.11 a cached property holds one lock for all tables: while this one is read through a layer,
        # another thread may ask for the evidence of the table underneath.
        if not self._gathered:
            found = getattr(self.reader, "evidence", None)
            if found is None:
                found = gather_evidence(self.reader.batches(), self.reader.options.missing)
            self._gathered.append({name: found.get(name, ColumnEvidence()) for name in self.reader.names})
        return self._gathered[0]

    def casts(self) -> Mapping[str, Cast]:
        """For columns of text, the casts that lose nothing."""
        casts = {column.name: cast_of(self.evidence[column.name], column.type) for column in self.schema()}
        return {name: cast for name, cast in casts.items() if cast is not None}

    def count_by(
        self, columns: Sequence[str], *, places: bool = False, progress: Progress = no_progress
    ) -> Counts:
        """The distinct combinations of ``columns`` and their counts; only these columns are read."""
        check_columns(columns, self.reader.names, where=self.name)
        stamp = self._stamp()
        counts = count_rows(
            self.reader,
            columns,
            missing=self.reader.options.missing,
            parser=self._choose_parser,
            places=places,
            where=self.name,
            progress=progress,
        )
        return replace(counts, stamp=stamp)

    def _stamp(self) -> tuple[int, int]:
        found = [file.path.stat() for file in self.files]
        return hash(tuple(each.st_mtime_ns for each in found)), sum(each.st_size for each in found)

    def is_as_counted(self, counts: Counts) -> bool:
        """Whether the file is still the one whose rows were counted."""
        return counts.stamp == self._stamp()

    def _choose_parser(self, name: str, texts: pl.Series) -> ValueParser | None:
        declared = self.types[name].type if name in self.types else self.reader.declared.get(name)
        return self.parsers.choose(name, texts, declared=declared, infers=self.format.holds_text)

    def parsers_of(self, columns: Sequence[str]) -> dict[str, ValueParser]:
        """How the texts of some columns are read; what was not counted yet is looked at."""
        return self.parsers.of(self.reader, columns, self._choose_parser)

    def sizes(self, columns: Sequence[str]) -> list[tuple[int, int]]:
        """Sizes of classes and how many classes have each, as the table writes its values."""
        return count_sizes(self.reader, columns, where=self.name)

    def unparsed(self) -> "FileTable":
        """The same table with texts as they are written: to the sharpest reader every spelling is a value."""
        exact = getattr(self.reader, "exactly", None)
        reader = self.reader if exact is None else exact()
        return replace(self, reader=reader, types={}, parsers=ColumnParsers(reads=False))

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows in batches, values as the file holds them."""
        if columns is not None:
            check_columns(columns, self.reader.names, where=self.name)
        return self.reader.batches(columns)

    def write(
        self,
        recoding: Recoding,
        destination: Any,
        *,
        seed: int | None = None,
        progress: Progress = no_progress,
    ) -> Written:
        """Apply ``recoding`` and write the rows in random order to a path or a :class:`Destination`."""
        return write_rows(self, recoding, destination, seed=seed, progress=progress)
