"""ODS, the spreadsheet of LibreOffice and of public administrations: a sheet, read as one of XLSX is."""

import re
import zipfile
from typing import IO

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import FileLayout, Format
from celosia.tables.formats.excel import as_cells, end_with_values, read_excel

__all__ = ["FORMATS", "OdsSink"]

_KIND = "application/vnd.oasis.opendocument.spreadsheet"
_MANIFEST = f"""<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">
<manifest:file-entry manifest:full-path="/" manifest:version="1.2" manifest:media-type="{_KIND}"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
</manifest:manifest>
"""
_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)
_START = f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document-content {_NAMES} office:version="1.2"><office:body><office:spreadsheet>
<table:table table:name="Sheet1">
"""
_END = "</table:table></office:spreadsheet></office:body></office:document-content>\n"
_NOT_IN_XML = re.compile("[\x00-\x09\x0b-\x1f\ufffe\uffff]").pattern
_MOST_ROWS, _MOST_COLUMNS = 1_048_576, 16_384
_ROWS = 1 << 14


class OdsSink:
    """A spreadsheet with one sheet; its rows are kept until the end."""

    def __init__(self, file: IO[bytes], layout: FileLayout) -> None:
        self._file, self._header = file, layout.options.has_names
        self._parts: list[pl.DataFrame] = []

    def append(self, part: pl.DataFrame) -> None:
        """Add rows."""
        self._parts.append(part)

    def abandon(self) -> None:
        """Forget the rows."""
        self._parts = []

    def close(self) -> None:
        """Write the spreadsheet."""
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
        names = pl.DataFrame([pl.Series(str(place), [name]) for place, name in enumerate(frame.columns)])
        cells = pl.DataFrame([_cells(frame.to_series(place), place) for place in range(frame.width)])
        with zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED) as archive:
            # Readers look for the kind at the beginning, as it is.
            archive.writestr(zipfile.ZipInfo("mimetype"), _KIND)
            archive.writestr(_entry("META-INF/manifest.xml"), _MANIFEST)
            with archive.open(_entry("content.xml"), "w", force_zip64=True) as content:
                content.write(_START.encode())
                if self._header:
                    heading = [_cells(names.to_series(place), place) for place in range(names.width)]
                    content.write(_rows(pl.DataFrame(heading)))
                for part in cells.iter_slices(_ROWS):
                    content.write(_rows(part))
                content.write(_END.encode())


def _entry(name: str) -> zipfile.ZipInfo:
    """A file of the archive, with a date that says nothing."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _rows(cells: pl.DataFrame) -> bytes:
    lines = cells.select(
        pl.concat_str([pl.lit("<table:table-row>"), pl.all(), pl.lit("</table:table-row>\n")]).alias("row")
    )
    return "".join(lines.to_series().to_list()).encode()


def _cells(column: pl.Series, place: int) -> pl.Series:
    """The cells of a column as the file writes them."""
    values, kind, format = as_cells(column.alias(""), column.name)
    value = pl.nth(0)
    match kind:
        case "number":
            cell = pl.format(
                '<table:table-cell office:value-type="float" office:value="{}"/>', value.cast(pl.String)
            )
        case "boolean":
            cell = pl.format(
                '<table:table-cell office:value-type="boolean" office:boolean-value="{}"/>',
                value.cast(pl.String),
            )
        case "datetime":
            written = "%Y-%m-%d" if format == "yyyy-mm-dd" else "%Y-%m-%dT%H:%M:%S%.3f"
            cell = pl.format(
                '<table:table-cell office:value-type="date" office:date-value="{}"/>',
                value.dt.to_string(written),
            )
        case _:
            _check_characters(values, column.name)
            cell = pl.format(
                '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>',
                _text(value),
            )
    return values.to_frame().select(cell.fill_null("<table:table-cell/>").alias(str(place))).to_series()


def _text(value: pl.Expr) -> pl.Expr:
    """Text as ODS writes it: several spaces, and those at the ends, are elements of their own."""
    for character, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        value = value.str.replace_all(character, written, literal=True)
    value = value.str.replace_all("\n", "</text:p><text:p>", literal=True)
    value = value.str.replace_all("  ", " <text:s/>", literal=True)
    value = value.str.replace_all("^ |( )$", "<text:s/>")
    return value.str.replace_all("<text:p> ", "<text:p><text:s/>", literal=True)


def _check_characters(values: pl.Series, name: str) -> None:
    if values.str.contains(_NOT_IN_XML).any():
        raise TableError(
            say("column {name!r} holds tabs or control characters, which are lost in ODS", name=name),
            remedy=say("write CSV or Parquet"),
        )


FORMATS = (Format(name="ods", suffixes=(".ods",), read=read_excel, create=OdsSink, has_sheets=True),)
