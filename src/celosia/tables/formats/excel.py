"""XLSX, and other workbooks that are read: a sheet, the first unless named, with names in its first row."""

import datetime
import logging
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import polars as pl

from celosia.errors import TableError
from celosia.machine import free_memory
from celosia.say import say
from celosia.tables.format import FileLayout, Format, FrameReader, Options, check_names, reading
from celosia.tables.packing import check_unpacked_size
from celosia.tables.staged import name_of
from celosia.values.text import text_of

__all__ = ["FORMATS", "ExcelSink", "as_cells", "end_with_values", "most_unpacked", "read_excel"]

_MOST_ROWS, _MOST_COLUMNS, _MOST_CHARACTERS = 1_048_576, 16_384, 32_767
_FIRST_DAY = datetime.date(1900, 3, 1)  # before it, spreadsheets count a day that never was


def read_excel(path: Path, options: Options) -> FrameReader:
    """A sheet of a workbook: the one that is named, or the first."""
    import fastexcel

    check_unpacked_size(path, most=most_unpacked())

    # It logs, where the caller can do nothing, that a column without values has no type.
    logging.getLogger("fastexcel").setLevel(logging.ERROR)
    where = name_of(path)
    with reading(where, say("a workbook")):
        book = fastexcel.read_excel(path)
        if not book.sheet_names:
            raise TableError(say("the file is empty"), where=where, remedy=say("check that it was saved"))
        sheet = _find_sheet(book.sheet_names, options.sheet, where=where)
        top = book.load_sheet(sheet, header_row=None, n_rows=1, dtypes="string").to_polars()
        header = 0 if options.has_names else None
        frame = book.load_sheet(sheet, header_row=header, schema_sample_rows=None).to_polars()
        columns = [_one_zero(values, book, sheet, place, header) for place, values in enumerate(frame)]
    if not top.width:
        raise TableError(say("the file is empty"), where=where, remedy=say("check that it was saved"))
    if options.has_names:
        names = check_names([name or "" for name in top.row(0)], where=where)
    else:
        names = options.number_columns(frame.width)
    if not frame.height:
        raise TableError(
            say("the sheet has a header but no rows"), where=where, remedy=say("check that it was saved")
        )
    return FrameReader(
        pl.DataFrame([_whole(column).alias(name) for name, column in zip(names, columns, strict=True)]),
        options,
    )


def most_unpacked() -> int:
    """Bytes that a spreadsheet may unpack to: its cells take about five times as much while they are read.

    >>> most_unpacked() >= 1 << 26
    True
    """
    free = free_memory()
    return 1 << 30 if free is None else max(1 << 26, free // 5)


def _find_sheet(names: Sequence[str], wanted: str | None, *, where: str) -> int:
    if wanted is None:
        return 0
    if wanted not in names:
        raise TableError(
            say("there is no sheet {name!r} in the workbook", name=wanted),
            where=where,
            remedy=say("choose one of: {names}", names=", ".join(names)),
        )
    return list(names).index(wanted)


def _one_zero(values: pl.Series, book: Any, sheet: int, place: int, header: int | None) -> pl.Series:
    """The values of a column: among texts, number cells become texts, and a zero with a minus is a zero like others.

    Cells of text are left as they are where no cell of the column is a number.
    """
    from fastexcel import UnsupportedColumnTypeCombinationError

    values = values.alias("")
    if values.dtype != pl.String or not (values == "-0").any():
        return values
    try:
        book.load_sheet(
            sheet, header_row=header, schema_sample_rows=None, use_columns=[place], dtype_coercion="strict"
        )
    except UnsupportedColumnTypeCombinationError:
        return values.replace("-0", "0")
    return values


def _whole(values: pl.Series) -> pl.Series:
    """Numbers as integers and moments as dates where all of them are: a sheet knows real numbers and moments only."""
    if values.dtype == pl.Float64 and ((values == values.round()) & (values.abs() < 2**53)).all():
        return values.cast(pl.Int64)
    if isinstance(values.dtype, pl.Datetime) and (values == values.dt.truncate("1d")).all():
        return values.cast(pl.Date)
    return values


class ExcelSink:
    """A workbook with one sheet; its rows are kept until the end."""

    def __init__(self, file: IO[bytes], layout: FileLayout) -> None:
        self._file, self._header = file, layout.options.has_names
        self._parts: list[pl.DataFrame] = []

    def append(self, part: pl.DataFrame) -> None:
        """Add rows."""
        self._parts.append(part)

    def close(self) -> None:
        """Write the workbook; nothing of it goes through a temporary file."""
        import xlsxwriter

        frame = end_with_values(pl.concat(self._parts), has_header=self._header)
        if frame.height + self._header > _MOST_ROWS or frame.width > _MOST_COLUMNS:
            raise TableError(
                say(
                    "a sheet holds {rows:,} rows and {columns:,} columns at most",
                    rows=_MOST_ROWS,
                    columns=_MOST_COLUMNS,
                ),
                remedy=say("write CSV or Parquet"),
            )
        # Into memory first: where the disk is full, what is half written would be told of by its own traceback.
        written = BytesIO()
        book = xlsxwriter.Workbook(written, {"in_memory": True})
        sheet = book.add_worksheet()
        for place, name in enumerate(frame.columns):
            if self._header:
                sheet.write_string(0, place, name)
            self._write_column(book, sheet, place, frame.to_series(place).alias(""), name)
        book.close()
        self._file.write(written.getbuffer())

    def abandon(self) -> None:
        """Forget the rows."""
        self._parts = []

    def _write_column(self, book: Any, sheet: Any, place: int, values: pl.Series, name: str) -> None:
        values, kind, format = as_cells(values, name)
        write = getattr(sheet, f"write_{kind}")
        extra = (book.add_format({"num_format": format}),) if format else ()
        for row, value in enumerate(values.to_list(), start=int(self._header)):
            if value is None:
                continue
            if kind == "string" and len(value) > _MOST_CHARACTERS:
                raise TableError(
                    say(
                        "a cell holds {most:,} characters at most, and column {column!r} has more",
                        most=_MOST_CHARACTERS,
                        column=name,
                    ),
                    remedy=say("write CSV or Parquet"),
                )
            write(row, place, value, *extra)


def end_with_values(frame: pl.DataFrame, *, has_header: bool) -> pl.DataFrame:
    """The rows with one that has a value last, and first where no header is: a sheet is as large as what is in it."""
    present = frame.select(pl.any_horizontal(pl.all().is_not_null()).alias("")).to_series()
    filled = present.arg_true().to_list()
    if not frame.height or (present[-1] and (has_header or present[0])):
        return frame
    if not filled or (len(filled) == 1 and not has_header):
        raise TableError(
            say("a sheet cannot hold rows without any value at its end"), remedy=say("write CSV or Parquet")
        )
    order = list(range(frame.height))
    if not has_header:
        order[0], order[filled[0]] = order[filled[0]], order[0]
    order[-1], order[filled[-1]] = order[filled[-1]], order[-1]
    return frame[order]


def as_cells(values: pl.Series, name: str) -> tuple[pl.Series, str, str]:
    """Values as cells can hold them, the kind of cell and its format: what a cell would change stays text."""
    dtype = values.dtype
    if dtype == pl.Boolean:
        return values, "boolean", ""
    if dtype.is_integer() and not (values.cast(pl.Float64).abs() >= 1e15).any():
        return values, "number", ""
    if dtype.is_float() and values.fill_nan(None).is_finite().all():
        # Sheets keep 15 digits: numbers that they would make one stay texts.
        known = values.fill_nan(None).unique()
        if known.cast(pl.Float64).round_sig_figs(15).n_unique() == len(known):
            return values.fill_nan(None), "number", ""
    if dtype == pl.Date and not (values < _FIRST_DAY).any():
        return values, "datetime", "yyyy-mm-dd"
    if isinstance(dtype, pl.Datetime) and dtype.time_zone is None:
        late = not (values.dt.date() < _FIRST_DAY).any()
        # Milliseconds are what a cell keeps, and a column of midnights would read back as dates.
        exact = (values.dt.truncate("1ms") == values).all()
        if late and exact and not (values.dt.time() == datetime.time()).all():
            return values, "datetime", "yyyy-mm-dd hh:mm:ss.000"
    texts = values.to_frame().select(text_of(pl.nth(0), dtype, column=name)).to_series()
    return texts, "string", ""


FORMATS = (
    Format(name="xlsx", suffixes=(".xlsx", ".xlsm"), read=read_excel, create=ExcelSink, has_sheets=True),
    Format(name="xls", suffixes=(".xls",), read=read_excel, create=None, has_sheets=True),
    Format(name="xlsb", suffixes=(".xlsb",), read=read_excel, create=None, has_sheets=True),
)
