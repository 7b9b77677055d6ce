"""Rows from one place to another as they are: from a file into a new table of a database, and out of one into a file.

Nothing is recoded and the order stays; what is said here of types is about how a value is written, never what it is.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from celosia.errors import ReleaseError, TableError
from celosia.say import say
from celosia.tables.column_cast import ColumnCast, column_cast, find_scales
from celosia.tables.file_table import FileTable
from celosia.tables.format import FileLayout, Options
from celosia.tables.formats import find_format, writer_of
from celosia.tables.infer import cast_of
from celosia.tables.packing import packed_file
from celosia.tables.private import erase_leftovers, move, private_folder
from celosia.tables.records import check_encoding
from celosia.tables.table import Progress, Table, no_progress
from celosia.types import Column, ColumnType, Schema
from celosia.values.text import column_type

if TYPE_CHECKING:
    from celosia.tables.sql.new_table import NewTable

__all__ = ["check_writing", "copy_to_file", "copy_to_table", "propose_columns"]

LONGEST = 10_000_000
"""Characters of the longest text that is given a length; PostgreSQL knows no longer ones."""
SURE_DIGITS = 17
"""Characters of a number that a real one holds for certain, whatever the text of it looks like."""
SQLITE_DIGITS = 15
"""Digits of a decimal that SQLite gives back as they were."""


def propose_columns(table: FileTable, declared: Mapping[str, Column]) -> Schema:
    """The columns of a new table for the rows of a file: as declared, else the narrowest type that loses nothing.

    Texts have the length of the longest one.

    >>> import tempfile
    >>> from celosia.tables.open import open_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.csv").write_text("zip,age\\n007,31\\n28001,47\\n")
    ...     table = open_table(Path(folder, "a.csv"))
    ...     [(column.name, column.type.value, column.length) for column in propose_columns(table, {})]
    [('zip', 'text', 5), ('age', 'integer', None)]
    """
    if table.format.holds_text:
        found = {column.name: _proposed(table, column) for column in table.schema()}
    else:
        lengths = _text_lengths(table)
        found = {
            name: _as_stored(name, dtype, lengths.get(name))
            for name, dtype in zip(table.reader.names, table.reader.dtypes, strict=True)
        }
    return Schema(tuple(declared.get(name, column) for name, column in found.items()))


def _proposed(table: FileTable, column: Column) -> Column:
    """A column of texts by what they are; one of numbers or times that would not come back whole stays text."""
    seen = table.evidence[column.name]
    loses = cast_of(seen, column.type) is None
    if column.type is ColumnType.REAL:
        loses = loses and seen.length > SURE_DIGITS
    elif column.type not in (ColumnType.INTEGER, ColumnType.DECIMAL, ColumnType.DATETIME):
        loses = False
    if column.type is ColumnType.TEXT or loses:
        return Column(column.name, ColumnType.TEXT, _length(seen.length))
    return column


def _as_stored(name: str, dtype: pl.DataType, length: int | None) -> Column:
    """A column of a file that has types: what has none in a database, or loses its zone there, becomes text."""
    kind = column_type(dtype)
    if kind is ColumnType.OTHER or (isinstance(dtype, pl.Datetime) and dtype.time_zone is not None):
        kind = ColumnType.TEXT
    return Column(name, kind, _length(length or 0) if kind is ColumnType.TEXT else None)


def _length(longest: int) -> int | None:
    return longest if 0 < longest <= LONGEST else None


def _text_lengths(table: FileTable) -> dict[str, int]:
    types = dict(zip(table.reader.names, table.reader.dtypes, strict=True))
    names = [name for name, dtype in types.items() if column_type(dtype) is ColumnType.TEXT]
    longest = dict.fromkeys(names, 0)
    for batch in table.reader.batches(names) if names else ():
        for texts in batch.iter_columns():
            most = texts.alias("").cast(pl.String).str.len_chars().max()
            longest[texts.name] = max(longest[texts.name], int(most or 0))  # type: ignore[arg-type]
    return longest


def copy_to_table(
    source: FileTable, schema: Schema, target: "NewTable", *, progress: Progress = no_progress
) -> int:
    """Fill a new table with the rows of a file and give it its name; returns how many there are.

    A value that does not fit its column stops everything, and nothing is left of the table.
    """
    database, holds_text = target.database, source.format.holds_text
    try:
        _check_names(schema, limit=database.dialect.name_length, where=source.name)
        types = dict(zip(source.reader.names, source.reader.dtypes, strict=True))
        longest = {name: seen.length for name, seen in source.evidence.items()} if holds_text else {}
        scales = find_scales(source.reader, schema, longest)
        fits = [column_cast(column, types[column.name], scales.get(column.name)) for column in schema]
        native = {
            fit.column.name: (database.dialect.scheme, fit.native) for fit in fits if fit.native is not None
        }
        if database.dialect.scheme == "sqlite":
            # It has no decimals: what a real number would not hold for certain is kept as the text it is.
            native = {
                name: (scheme, kind if longest.get(name, SURE_DIGITS) <= SQLITE_DIGITS else "TEXT")
                for name, (scheme, kind) in native.items()
            }
        rows = target.create(FileLayout(schema, source.reader.options, native=native))
        missing = source.reader.options.missing if holds_text else ()
        expected, done = max(1, source.reader.size()[0]), 0
        for batch in source.reader.batches():
            rows.append(_fitted(batch, fits, missing, before=done, where=source.name))
            done += batch.height
            progress(say("writing rows"), min(1.0, done / expected))
        rows.close()
        target.publish()
    except BaseException:
        target.withdraw()
        raise
    return done


def _check_names(schema: Schema, *, limit: int | None, where: str) -> None:
    """Raise if a name is too long: a server would cut it off without a word."""
    for column in schema:
        if limit is not None and len(column.name.encode()) > limit:
            raise TableError(
                say("the name of column {name!r} is longer than {most} bytes", name=column.name, most=limit),
                where=where,
                remedy=say("shorten it in the file"),
            )


def _fitted(
    batch: pl.DataFrame, fits: list[ColumnCast], missing: tuple[str, ...], *, before: int, where: str
) -> pl.DataFrame:
    """Rows as values of their columns; ``before`` is the number of rows that came before them."""
    columns = []
    for fit, values in zip(fits, batch.iter_columns(), strict=True):
        fitted, odd = fit.apply(values, missing)
        if odd is not None:
            raise TableError(
                say(
                    "the value of column {name!r} in row {row:,} is not {meaning}",
                    name=fit.column.name,
                    row=before + odd + 1,
                    meaning=fit.meaning,
                ),
                where=where,
                remedy=say(
                    "mend it, or give the column another type or length, as in --type {name}=text",
                    name=fit.column.name,
                ),
            )
        columns.append(fitted)
    return pl.DataFrame(columns)


def check_writing(path: Path, *, separator: str | None, encoding: str) -> None:
    """Raise if a file of the format that a path ends in has no separator, or no choice of encoding."""
    format = find_format(path)
    if separator is not None and not format.keeps_markers:
        raise TableError(
            say("a file in the format {format} has no separator to choose", format=format.name),
            where=str(path),
            remedy=say("leave out --separator, or write a text file, such as one that ends in .csv"),
        )
    if check_encoding(encoding) != "utf-8" and not format.keeps_text:
        raise TableError(
            say("a file in the format {format} has no encoding to choose", format=format.name),
            where=str(path),
            remedy=say("leave out --encoding, or write a text file, such as one that ends in .csv"),
        )


def copy_to_file(
    source: Table,
    path: Path,
    *,
    separator: str | None = None,
    encoding: str = "utf-8",
    like: Options | None = None,
    overwrite: bool = False,
    progress: Progress = no_progress,
) -> int:
    """Write the rows of a table to a file that only its owner may read, in their order; returns how many there are.

    ``like`` are the options of a file that it is to be written like.

    It lies in a private folder until it is complete; nothing of it stays if it does not get so far.
    """
    check_writing(path, separator=separator, encoding=encoding)
    create = writer_of(path)
    options = Options(separator=separator, encoding=encoding) if like is None else like
    layout = FileLayout(source.schema(), replace(options, missing=("",)))
    done = 0
    erase_leftovers(path.absolute().parent)
    try:
        with private_folder(path.absolute().parent) as private:
            hidden = private / path.name
            with os.fdopen(os.open(hidden, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                with packed_file(file, path) as packed:
                    sink = create(packed, layout)
                    try:
                        sink.append(_empty(source))
                        for batch in source.scan():
                            sink.append(batch)
                            done += batch.height
                            progress(say("writing rows ({count:,})", count=done), 0.0)
                        sink.close()
                    except BaseException:
                        sink.abandon()
                        raise
                file.flush()
                os.fsync(file.fileno())
            if overwrite:
                _keep_old(path, private / f"{path.name}.old")
            move(hidden, path, overwrite=overwrite)
    except OSError as error:
        raise ReleaseError(
            say("the file could not be written ({cause})", cause=error.strerror or error),
            where=str(path),
            remedy=say("check the space and the permissions there"),
        ) from error
    return done


def _empty(source: Table) -> pl.DataFrame:
    """No rows, with the types in which they come."""
    reader = getattr(source, "reader", None)
    if reader is None:
        return pl.DataFrame(schema=dict.fromkeys(source.columns(), pl.String()))
    return pl.DataFrame(schema=dict(zip(reader.names, reader.dtypes, strict=True)))


def _keep_old(path: Path, aside: Path) -> None:
    """Give a file that will be replaced a second name, so that it is erased with the folder and not just unlinked."""
    # What a link leads to stays; and where there are no second names the old bytes are left to the disk.
    if not path.is_symlink():
        with suppress(OSError):
            os.link(path, aside)
