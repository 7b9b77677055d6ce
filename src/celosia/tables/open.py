"""The door: a path or a frame becomes a table."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.dialect import check_date_format, check_mark
from celosia.tables.file_list import TableFile, find_files, is_file_list
from celosia.tables.file_table import FileTable
from celosia.tables.format import Format, Options
from celosia.tables.formats import find_format
from celosia.tables.frame_table import FrameTable
from celosia.tables.frames import wrap_frame
from celosia.tables.joined_reader import read_files
from celosia.tables.spark.address import HIVE, is_place, is_spark_frame
from celosia.tables.sql.address import is_address, parse_address
from celosia.tables.staged import name_of
from celosia.tables.table import Recoding
from celosia.tables.target import as_destination, same_kind, written_options
from celosia.tables.types_file import as_columns
from celosia.tables.written_forms import written_forms
from celosia.types import MISSING_MARKERS, Schema
from celosia.values.forms import parse_form

if TYPE_CHECKING:
    from celosia.tables.spark.spark_table import SparkTable
    from celosia.tables.sql.sql_table import SqlTable

__all__ = ["open_table", "open_written"]


def open_table(
    source: Any,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    missing: Sequence[str] = MISSING_MARKERS,
    decimal: str | None = None,
    thousands: str | None = None,
    date_format: str | None = None,
    quote: str | None = None,
    forms: Mapping[str, str] | None = None,
    like: Options | None = None,
    types: Mapping[str, str] | Schema | None = None,
    format: str | None = None,
    memory: int | None = None,
    table: str | Sequence[str] = (),
    where: str | None = None,
    writes: bool = False,
    ask: Callable[[str], str] | None = None,
    shared: dict[str, Any] | None = None,
    engine: str | None = None,
    spark: Mapping[str, str] | None = None,
) -> "FileTable | FrameTable | SqlTable | SparkTable":
    """Open a file, a frame of the caller, a table of a database, or one of a cluster.

    How a text file is written is found out by a look at all of it, unless it is given: ``separator``, of one or several
    characters, ``encoding``, ``header``, the ``quote`` around texts, the mark before decimals (``decimal``) and between
    ``thousands``, and ``date_format``, as in ``%d/%m/%Y``, or one of day-first, month-first and year-first. ``missing``
    are the texts of a missing value; ``types`` overrides what is inferred; ``format`` overrides what the path ends in;
    ``memory`` is the number of bytes that rows may take before a write goes through files beside its destination.
    ``forms`` are those of the columns of a release, which are then not looked at, and ``like`` are the options of
    another file that is written in the same way.

    Several files with the same columns are one table: a list of paths, a pattern such as ``visits_*.csv``, or a folder,
    with Hive's ``year=2024`` as a column. A compressed file is unpacked first; ``s3://``, ``gs://``, ``az://`` and
    ``https://`` are fetched. ``table`` names a sheet of a workbook or a file in an archive, too.

    For a database, ``source`` is its address without a password, ``table`` names one table or several with the same
    columns, ``where`` is a condition on its rows, ``writes`` says that a release goes to the same database, and ``ask``
    asks a person for the password if it is nowhere to be found. ``shared`` keeps connections by address: a run that
    opens several tables of a database does so through one.

    A frame of Spark, a path such as ``hdfs:///people.parquet``, a table of Hive such as ``hive:clinic.people`` and,
    with the ``engine`` spark, any path is a table of a cluster; ``spark`` are settings of its session, ``spark.master``
    among them, and ``where`` a condition on its rows too.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("zip;age\\n007;31\\n010;47\\n")
    ...     table = open_table(Path(folder, "people.csv"))
    ...     [(column.name, column.type.value) for column in table.schema()]
    [('zip', 'text'), ('age', 'integer')]
    """
    markers = (missing,) if isinstance(missing, str) else tuple(missing)
    told = {
        "separator": separator,
        "encoding": encoding,
        "header": header,
        "decimal": check_mark(decimal, "decimal"),
        "thousands": check_mark(thousands, "thousands"),
        "date_format": check_date_format(date_format),
        "quote": check_mark(quote, "quote"),
        "forms": None if forms is None else tuple((name, parse_form(text)) for name, text in forms.items()),
    }
    given: dict[str, Any] = {name: value for name, value in told.items() if value is not None}
    options = replace(like or Options(), missing=markers, **given)
    if engine is not None or is_place(source) or is_spark_frame(source):
        if table:
            raise TableError(
                say("tables are named in databases"),
                where=str(source),
                remedy=say("write a table of Hive as in hive:clinic.people"),
            )
        _check_plain(given, where=str(source))
        return _open_on_cluster(
            source, spark or {}, options=options, types=types, format=format, where=where, memory=memory
        )
    if is_address(source):
        parse_address(source)  # says what is wrong with it, and which packages are missing
        from celosia.tables.sql.open import open_sql_table

        return open_sql_table(
            source,
            table,
            where=where,
            options=options,
            types=types,
            memory=memory,
            writes=writes,
            ask=ask,
            shared=shared,
        )
    if where is not None:
        raise TableError(
            say("conditions are for databases, and this is none"),
            where=_shown(source),
            remedy=say("leave them out, or give the address of a database"),
        )
    if isinstance(source, str | os.PathLike) or is_file_list(source):
        parts = (table,) if isinstance(table, str) else tuple(table)
        return _open_files(source, options, types=types, format=format, memory=memory, parts=parts)
    if table:
        raise TableError(
            say("tables are named in databases, spreadsheets and archives, and this is none"),
            where=_shown(source),
            remedy=say("leave the name out"),
        )
    frame = wrap_frame(source)
    declared = as_columns(types, frame.names, where=say("the {kind} frame", kind=frame.kind))
    return FrameTable(frame, options, declared, memory)


def _shown(source: Any) -> str:
    return str(source) if isinstance(source, str | os.PathLike) else say("the frame")


def _open_files(
    source: Any,
    options: Options,
    *,
    types: Mapping[str, str] | Schema | None,
    format: str | None,
    memory: int | None,
    parts: tuple[str, ...],
) -> FileTable:
    """A table in one file or several; ``parts`` are the files of an archive or the sheets of a workbook."""
    place = source if isinstance(source, str | os.PathLike) else ", ".join(map(str, source))
    is_archive = str(place).lower().endswith(".zip")
    files = find_files(source, members=parts if is_archive else (), format=format)
    found = _common_format(files, format)
    sheets = () if is_archive else parts
    if sheets and not found.has_sheets:
        raise TableError(
            say("tables are named in databases, spreadsheets and archives, and this is none"),
            where=_shown(place),
            remedy=say("leave the name out"),
        )
    chosen = tuple(replace(file, sheet=sheet) for file in files for sheet in sheets or (None,))
    reader = read_files(chosen, found, options)
    several = len(files) > 1 or bool(files[0].partition)
    return FileTable(
        Path(place) if several else files[0].path,
        found,
        reader,
        as_columns(types, reader.names, where=str(place)),
        memory,
        is_plain=not several,
        files=chosen,
    )


def _common_format(files: Sequence[TableFile], format: str | None) -> Format:
    found = find_format(files[0].path, format)
    for file in files[1:]:
        other = find_format(file.path, format)
        if other is not found:
            raise TableError(
                say(
                    "this file is {format}, and {file} is {other}",
                    format=other.name,
                    file=name_of(files[0].path),
                    other=found.name,
                ),
                where=name_of(file.path),
                remedy=say("give a pattern that only files of one format fit, such as *.parquet"),
            )
    return found


def open_written(
    table: "FileTable | FrameTable | SqlTable",
    recoding: Recoding,
    destination: Any,
    *,
    missing: Sequence[str] | None = None,
) -> FileTable:
    """Open what ``table.write(recoding, destination)`` wrote, in the dialect and with the names it was written with.

    ``missing`` None keeps the texts that mean a missing value; none at all shows every text for what it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("1;31\\n2;47\\n")
    ...     table = open_table(Path(folder, "people.csv"), header=False)
    ...     recoding = Recoding(dropped=("column_1",))
    ...     _ = table.write(recoding, Path(folder, "safe.csv"))
    ...     open_written(table, recoding, Path(folder, "safe.csv")).columns()
    ('column_2',)
    """
    target = as_destination(destination)
    found = find_format(target.path, target.format)
    given = table.options if isinstance(table, FrameTable) else table.reader.options
    options = written_options(
        given,
        target,
        same_kind=same_kind(table.format, found),
        keeps_separator=table.format in (None, found),
    )
    options = replace(options, forms=written_forms(options, table.schema))
    names = tuple(name for name in table.columns() if name not in recoding.dropped)
    (file,) = find_files(target.path)
    markers = options.missing if missing is None else tuple(missing)
    reader = read_files([file], found, replace(options, names=names, missing=markers))
    return FileTable(file.path, found, reader, memory=table.memory, files=(file,))


def _check_plain(given: Mapping[str, Any], *, where: str) -> None:
    """Raise if numbers or dates are said to be written in a way that is not read on a cluster."""
    for name in ("decimal", "thousands", "date_format", "quote"):
        if name in given and given[name] != ".":
            raise TableError(
                say(
                    "on a cluster numbers and dates of text files are read with a point and as 2024-05-31 only"
                ),
                where=where,
                remedy=say(
                    "leave out {option}, or read the file without Spark", option=f"--{name.replace('_', '-')}"
                ),
            )


def _open_on_cluster(source: Any, settings: Mapping[str, str], **how: Any) -> "SparkTable":
    """A table of Spark, in the session there is or in one that lasts as long as the process."""
    from celosia.tables.spark.session import check_installed, spark_session

    check_installed()  # before anything of Spark is loaded
    from celosia.tables.spark.open import open_spark_table

    if is_spark_frame(source):
        return open_spark_table(source, **how)
    if not isinstance(source, str | os.PathLike):
        raise TableError(
            say("this is no frame of Spark"),
            remedy=say("hand over a DataFrame of Spark, or leave out the engine"),
        )
    place = str(source)
    if is_address(place) and not is_place(place):
        raise TableError(
            say("Spark does not read databases here"),
            where=place,
            remedy=say("leave out the engine: tables of a database are recoded there"),
        )
    return open_spark_table(place, spark=spark_session(config=settings, hive=place.startswith(HIVE)), **how)
