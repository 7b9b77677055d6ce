"""The door: a path or a frame becomes a table."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.dialect import check_date_format, check_mark
from celosia.tables.file_table import FileTable
from celosia.tables.format import Options, reading
from celosia.tables.formats import find_format
from celosia.tables.frame_table import FrameTable
from celosia.tables.frames import wrap_frame
from celosia.tables.spark.address import HIVE, is_place, is_spark_frame
from celosia.tables.sql.address import is_address, parse_address
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
    characters, ``encoding``, ``header``, the mark before decimals (``decimal``) and between ``thousands``, and
    ``date_format``, as in ``%d/%m/%Y``, or one of day-first, month-first and year-first. ``missing`` are the texts of a
    missing value; ``types`` overrides what is inferred; ``format`` overrides what the path ends in; ``memory`` is the
    number of bytes that rows may take before a write goes through files beside its destination. ``forms`` are those of
    the columns of a release, which are then not looked at, and ``like`` are the options of another file that is written
    in the same way.

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
    if table or where is not None:
        raise TableError(
            say("tables and conditions are for databases, and this is none"),
            where=str(source) if isinstance(source, str | os.PathLike) else say("the frame"),
            remedy=say("leave them out, or give the address of a database"),
        )
    if not isinstance(source, str | os.PathLike):
        frame = wrap_frame(source)
        declared = as_columns(types, frame.names, where=say("the {kind} frame", kind=frame.kind))
        return FrameTable(frame, options, declared, memory)
    path = Path(source)
    _check_file(path)
    found = find_format(path, format)
    with reading(str(path), say("a file in the format {format}", format=found.name)):
        reader = found.read(path, options)
    return FileTable(path, found, reader, as_columns(types, reader.names, where=str(path)), memory)


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
    _check_file(target.path)
    with reading(str(target.path), say("a file in the format {format}", format=found.name)):
        markers = options.missing if missing is None else tuple(missing)
        reader = found.read(target.path, replace(options, names=names, missing=markers))
    return FileTable(target.path, found, reader, memory=table.memory)


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


def _check_file(path: Path) -> None:
    where = str(path)
    if path.is_dir():
        raise TableError(say("this is a folder"), where=where, remedy=say("give the path of a file"))
    if not path.exists():
        raise TableError(say("this file does not exist"), where=where, remedy=say("check the path"))
    if path.is_file() and path.stat().st_size == 0:
        raise TableError(say("the file is empty"), where=where, remedy=say("check that it was saved"))
