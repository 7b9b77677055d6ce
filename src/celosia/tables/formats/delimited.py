"""CSV, TXT and TSV: values are the text that was written, between separators of one or several characters."""

import copy
import threading
import time
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import IO, ClassVar

import polars as pl

from celosia.tables.delimited_sink import DelimitedSink
from celosia.tables.delimited_texts import DelimitedTexts
from celosia.tables.dialect import find_dialect
from celosia.tables.form_candidates import GivenForms
from celosia.tables.format import FileLayout, Format, Options
from celosia.tables.found_forms import Doubt, FoundForms, declare_forms, settle_forms
from celosia.tables.infer import ColumnEvidence
from celosia.tables.look import USUAL, ColumnLook, look_at
from celosia.tables.pipeline import read_ahead
from celosia.types import MISSING_MARKERS, ColumnType
from celosia.values.forms import ValueForm, read_exactly

__all__ = ["FORMATS", "DelimitedReader"]

_FOUND = ("found", "options", "doubts", "_forms")
"""What is known of a file once it was looked at."""
CLOCK_TICK = 100_000_000
"""Nanoseconds within which two changes of a file may bear the same time: clocks of file systems tick every 10 ms."""


class DelimitedReader:
    """A text file with separators; an empty field is null unless the empty text is a value like any other.

    Its columns are looked at once, all rows of them, when the first is read: numbers and dates come as plain texts,
    whatever the file writes. Where the forms of the columns are given, texts are read in these, exactly, and not looked
    at.
    """

    declared: ClassVar[Mapping[str, ColumnType]] = {}

    def __init__(self, path: Path, options: Options) -> None:
        self._given, self._beginning = options, find_dialect(path, options)
        self._texts = DelimitedTexts(path, self._beginning)
        self.names = self._texts.names
        self._types: dict[str, ColumnType] = {}
        self._is_exact = options.forms is not None
        self._looked: list[FoundForms] = []
        self._lock = threading.RLock()
        self._others: tuple[DelimitedReader, ...] = ()

    def looking_with(self, others: "Sequence[DelimitedReader]") -> "list[DelimitedReader]":
        """This file and others of the same table, looked at together: what is found out holds for all of them."""
        readers = [copy.copy(reader) for reader in (self, *others)]
        looked: list[FoundForms] = []
        for reader in readers:
            reader._looked, reader._lock = looked, readers[0]._lock
            reader._others = tuple(other for other in readers if other is not reader)
            for known in _FOUND:
                reader.__dict__.pop(known, None)
        return readers

    def declaring(self, types: Mapping[str, ColumnType]) -> "DelimitedReader":
        """The same file where somebody declares the types of some columns."""
        other = copy.copy(self)
        other._types = dict(types)
        for known in _FOUND:
            other.__dict__.pop(known, None)
        return other

    def exactly(self) -> "DelimitedReader":
        """The same file for a reader who tells every spelling from every other."""
        other = copy.copy(self)
        other._is_exact = True
        return other

    @cached_property
    def found(self) -> FoundForms | None:
        """How the columns write their values, looked at once; None where that is given."""
        if self._given.forms is not None:
            return None
        with self._lock:
            if not self._looked:
                self._looked.append(self._look())
            return declare_forms(self._looked[0], self._types)

    def _look(self) -> FoundForms:
        options = self._given
        said = GivenForms(options.decimal, options.thousands, options.date_format)
        usual = USUAL if options.missing == MISSING_MARKERS else ()

        def look(
            columns: Collection[str] | None, given: GivenForms, *, is_eager: bool
        ) -> dict[str, ColumnLook]:
            return look_at(self._raw, options.missing, given, usual=usual, columns=columns, is_eager=is_eager)

        looks = look(None, said, is_eager=False)
        whole = {name: looks.get(name, ColumnLook()) for name in self.names}
        return settle_forms(whole, said, lambda names, given: look(names, given, is_eager=True))

    def _raw(self, columns: Collection[str] | None) -> Iterator[pl.DataFrame]:
        """The texts of some columns as they are, of the files that are looked at together."""
        for reader in (self, *self._others):
            chosen = list(reader.names if columns is None else columns)
            yield from read_ahead(reader._batches(chosen, reads=False))

    @cached_property
    def options(self) -> Options:
        """What is given, and what was found out."""
        options, found = self._beginning.options, self.found
        if found is None:
            return options
        return replace(
            options,
            missing=(*options.missing, *found.marks),
            decimal=found.decimal,
            thousands=found.thousands,
            date_format=found.dates or options.date_format,
            forms=tuple(found.forms.items()),
        )

    @property
    def evidence(self) -> Mapping[str, ColumnEvidence] | None:
        """What all texts of every column are, where they were looked at."""
        return None if self.found is None else self.found.evidence

    @cached_property
    def doubts(self) -> tuple[tuple[Doubt, int, int | None], ...]:
        """Columns that look like numbers or dates and stay texts, with the lines of the texts that are why."""
        doubts = () if self.found is None else self.found.doubts
        told = [(doubt, self.lines_of(doubt.column, [doubt.first, doubt.second])) for doubt in doubts]
        return tuple((doubt, lines.get(doubt.first, 0), lines.get(doubt.second)) for doubt, lines in told)

    @property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Text, every column."""
        return tuple(pl.String() for _ in self.names)

    @property
    def separator(self) -> str:
        """The separator, given or found."""
        return self._texts.separator

    def size(self) -> tuple[int, int]:
        """Rows and bytes, both estimated."""
        return self._texts.size()

    def lines_of(self, column: str, texts: Sequence[str | None]) -> dict[str | None, int]:
        """The first line of each of some texts of a column."""
        return self._texts.lines_of(column, texts)

    def lazy(self) -> pl.LazyFrame | None:
        """A query over the file itself, where the engine reads it exactly as :meth:`batches` does."""
        scan = None if self._is_exact and self._forms else self._texts.lazy()
        if scan is None:
            return None
        if self._forms:
            scan = scan.select(
                self._read(name, pl.nth(place)).alias(name) if name in self._forms else pl.nth(place)
                for place, name in enumerate(self.names)
            )
        return scan if "" in self.options.missing else scan.fill_null("")

    @cached_property
    def _forms(self) -> dict[str, ValueForm]:
        """The forms of the columns whose texts change as they are read."""
        if self.found is None:
            return {name: form for name, form in self._given.forms or () if name in self.names}
        return {name: self.found.forms[name] for name in self.found.read}

    def _read(self, name: str, text: pl.Expr) -> pl.Expr:
        """Texts of a column as plain ones; what means a missing value stays as it is."""
        return self._forms[name].read_known(text, self.options.missing)

    def _change(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Rows of some columns with plain texts."""
        forms = {name: form for name, form in self._forms.items() if name in frame.columns}
        if not forms:
            return frame
        if self._is_exact:
            columns = [
                read_exactly(forms[column.name], column, kept=self.options.missing)
                if column.name in forms
                else column
                for column in frame.iter_columns()
            ]
            return pl.DataFrame(columns)
        return frame.select(
            self._read(name, pl.nth(place)).alias(name) if name in forms else pl.nth(place)
            for place, name in enumerate(frame.columns)
        )

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows, a block of the file at a time; the next one is parsed while the caller works on this one."""
        chosen = list(self.names if columns is None else columns)
        return read_ahead(self._batches(chosen, reads=bool(self._forms)))

    def _batches(self, chosen: Sequence[str], *, reads: bool) -> Generator[pl.DataFrame, None, None]:
        """Rows as they are or, where they are to be read, with plain texts."""
        keeps_empty = "" not in self._given.missing
        for batch in self._texts.batches(chosen):
            part = batch.fill_null("") if keeps_empty else batch
            yield self._change(part) if reads else part


def _read(path: Path, options: Options) -> DelimitedReader:
    """A reader of the file as it is now: the one there is, if the file is the same as when it was looked at.

    The command line, a page and a run each open the table that they share. One that was written just now may be written
    again before the clock of the file system goes on, and would look the same: it is looked at every time.
    """
    now = path.stat()
    if time.time_ns() - now.st_ctime_ns < CLOCK_TICK:
        return DelimitedReader(path, options)
    return _look_at(path, options, (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns))


@lru_cache(maxsize=8)
def _look_at(path: Path, options: Options, stamp: tuple[int, ...]) -> DelimitedReader:
    return DelimitedReader(path, options)


def _read_tabs(path: Path, options: Options) -> DelimitedReader:
    return _read(path, replace(options, separator=options.separator or "\t"))


def _write_tabs(file: IO[bytes], layout: FileLayout) -> DelimitedSink:
    options = replace(layout.options, separator=layout.options.separator or "\t")
    return DelimitedSink(file, replace(layout, options=options))


FORMATS = (
    Format(
        name="csv",
        suffixes=(".csv", ".txt", ".data", ".dat"),
        read=_read,
        create=DelimitedSink,
        holds_text=True,
        keeps_text=True,
        keeps_markers=True,
    ),
    Format(
        name="tsv",
        suffixes=(".tsv", ".tab"),
        read=_read_tabs,
        create=_write_tabs,
        holds_text=True,
        keeps_text=True,
        keeps_markers=True,
    ),
)
