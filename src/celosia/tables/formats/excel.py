"""XLSX: the first sheet of a workbook, with the names of the columns in its first row."""

import datetime
import logging
from pathlib import Path
from typing import IO, Any

import polars as pl

from celosia.errors import TableError
from celosia.tables.format import Format, FrameReader, Layout, Options, check_names, reading
from celosia.tables.text import text_of

__all__ = ["FORMATS", "ExcelSink", "read_excel"]

_MOST_ROWS, _MOST_COLUMNS, _MOST_CHARACTERS = 1_048_576, 16_384, 32_767
_FIRST_DAY = datetime.date(1900, 3, 1)  # before it, spreadsheets count a day that never was


def read_excel(path: Path, options: Options) -> FrameReader:
    """The first sheet of a workbook."""
    import fastexcel

    # It logs, where the caller can do nothing, that a column without values has no type.
    logging.getLogger("fastexcel").setLevel(logging.ERROR)
    where = str(path)
    with reading(where, "an XLSX file"):
        book = fastexcel.read_excel(path)
        if not book.sheet_names:
            raise TableError("the file is empty", where=where, remedy="check that it was saved")
        top = book.load_sheet(0, header_row=None, n_rows=1, dtypes="string").to_polars()
        sheet = book.load_sheet(0, header_row=0 if options.header else None, schema_sample_rows=None)
        frame = sheet.to_polars()
    if not top.width:
        raise TableError("the file is empty", where=where, remedy="check that it was saved")
    if options.header:
        names = check_names([name or "" for name in top.row(0)], where=where)
    else:
        names = options.number_columns(frame.width)
    if not frame.height:
        raise TableError("the sheet has a header but no rows", where=where, remedy="check that it was saved")
    return FrameReader(
        pl.DataFrame([_whole(frame.to_series(i).alias("")).alias(name) for i, name in enumerate(names)]),
        options,
    )


def _whole(values: pl.Series) -> pl.Series:
    """Numbers as integers and moments as dates where all of them are: a sheet knows real numbers and moments only."""
    if values.dtype == pl.Float64 and ((values == values.round()) & (values.abs() < 2**53)).all():
        return values.cast(pl.Int64)
    if isinstance(values.dtype, pl.Datetime) and (values == values.dt.truncate("1d")).all():
        return values.cast(pl.Date)
    return values


class ExcelSink:
    """A workbook with one sheet; its rows are kept until the end."""

    def __init__(self, file: IO[bytes], layout: Layout) -> None:
        self._file, self._header = file, layout.options.header
        self._parts: list[pl.DataFrame] = []

    def append(self, part: pl.DataFrame) -> None:
        """Add rows."""
        self._parts.append(part)

    def close(self) -> None:
        """Write the workbook; nothing of it goes through a temporary file."""
        import xlsxwriter

        frame = pl.concat(self._parts)
        if frame.height + self._header > _MOST_ROWS or frame.width > _MOST_COLUMNS:
            raise TableError(
                f"a sheet holds {_MOST_ROWS:,} rows and {_MOST_COLUMNS:,} columns at most",
                remedy="write CSV or Parquet",
            )
        book = xlsxwriter.Workbook(self._file, {"in_memory": True})
        sheet = book.add_worksheet()
        for place, name in enumerate(frame.columns):
            if self._header:
                sheet.write_string(0, place, name)
            self._write_column(book, sheet, place, frame.to_series(place).alias(""), name)
        book.close()

    def abandon(self) -> None:
        """Forget the rows."""
        self._parts = []

    def _write_column(self, book: Any, sheet: Any, place: int, values: pl.Series, name: str) -> None:
        values, kind, format = _cells(values, name)
        write = getattr(sheet, f"write_{kind}")
        extra = (book.add_format({"num_format": format}),) if format else ()
        for row, value in enumerate(values.to_list(), start=int(self._header)):
            if value is None:
                continue
            if kind == "string" and len(value) > _MOST_CHARACTERS:
                raise TableError(
                    f"a cell holds {_MOST_CHARACTERS:,} characters at most, and column {name!r} has more",
                    remedy="write CSV or Parquet",
                )
            write(row, place, value, *extra)


def _cells(values: pl.Series, name: str) -> tuple[pl.Series, str, str]:
    """Values as cells can hold them, the kind of cell and its format: what a cell would change stays text."""
    dtype = values.dtype
    if dtype == pl.Boolean:
        return values, "boolean", ""
    if dtype.is_integer() and not (values.cast(pl.Float64).abs() >= 1e15).any():
        return values, "number", ""
    if dtype.is_float() and values.fill_nan(None).is_finite().all():
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


FORMATS = (Format(name="xlsx", suffixes=(".xlsx",), read=read_excel, create=ExcelSink),)
