"""A release as others read it: its raw text, and pandas, Polars and DuckDB as they come, without any option."""

import json
import re
import warnings
import zipfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from fuzz_values import sharp

__all__ = ["View", "read_release", "split_delimited"]


@dataclass(frozen=True)
class View:
    """What one reader makes of a release: ``columns[place][row]``, each cell as a sharp key and a value."""

    reader: str
    names: list[str]
    keys: list[list[str]]
    values: list[list[Any]]

    @property
    def rows(self) -> int:
        """How many rows it sees."""
        return len(self.keys[0]) if self.keys else 0


def read_release(
    released: Any, *, names: Sequence[str], days: Collection[str] = ()
) -> tuple[list[View], list[str]]:
    """The raw view first, then every other; and who could not read it, with the reason.

    ``days`` are the columns whose dates have the day first; everybody knows it, and sees the same day.
    """
    is_file = isinstance(released, str | Path)
    readers = _file_readers(Path(released), names) if is_file else _frame_readers(released)
    views, failed = [], []
    for place, (name, read) in enumerate(readers):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                views.append(read())
        except Exception as error:
            if place == 0:
                raise
            failed.append(f"{name}: {type(error).__name__}: {str(error)[:120]}")
    return [_with_days(view, days) for view in views] if days else views, failed


def _with_days(view: View, days: Collection[str]) -> View:
    """The same with dates that have the day first as ISO writes them; keys are what stands there."""

    def day(value: Any) -> Any:
        found = re.fullmatch("([0-9]{2})/([0-9]{2})/([0-9]{4})", value) if isinstance(value, str) else None
        return value if found is None else f"{found[3]}-{found[2]}-{found[1]}"

    named = zip(view.names, view.values, strict=True)
    values = [[day(value) for value in column] if name in days else column for name, column in named]
    return replace(view, values=values)


Readers = list[tuple[str, Callable[[], View]]]


def _view(reader: str, names: Sequence[str], columns: Sequence[Sequence[Any]]) -> View:
    values = [list(column) for column in columns]
    return View(reader, list(names), [[sharp(value) for value in column] for column in values], values)


# --- frames


def _of_pandas(frame: pd.DataFrame) -> View:
    columns = [frame.iloc[:, place].astype(object).tolist() for place in range(frame.shape[1])]
    return _view("pandas", list(frame.columns), columns)


def _of_polars(frame: pl.DataFrame) -> View:
    return _view("polars", frame.columns, [column.to_list() for column in frame.iter_columns()])


def _of_arrow(table: pa.Table, reader: str = "raw") -> View:
    return _view(reader, table.column_names, [column.to_pylist() for column in table.columns])


def _of_duckdb(relation: Any) -> View:
    if any("TIME ZONE" in str(kind) for kind in relation.types):  # else it asks for a package of its own
        return _renamed(_of_arrow(relation.to_arrow_table()), "duckdb")
    rows = relation.fetchall()
    columns = [[row[place] for row in rows] for place in range(len(relation.columns))]
    return _view("duckdb", relation.columns, columns)


def _renamed(view: View, reader: str) -> View:
    return View(reader, view.names, view.keys, view.values)


def _frame_readers(frame: Any) -> Readers:
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, pl.DataFrame):
        return [
            ("raw", lambda: _renamed(_of_polars(frame), "raw")),
            ("pandas", lambda: _of_pandas(frame.to_pandas())),
            ("duckdb", lambda: _query(frame)),
        ]
    if isinstance(frame, pd.DataFrame):
        return [
            ("raw", lambda: _renamed(_of_pandas(frame), "raw")),
            ("polars", lambda: _of_polars(pl.from_pandas(frame))),
            ("duckdb", lambda: _query(frame)),
        ]
    if isinstance(frame, pa.Table):
        return [
            ("raw", lambda: _of_arrow(frame)),
            ("pandas", lambda: _of_pandas(frame.to_pandas())),
            ("polars", lambda: _of_polars(pl.from_arrow(frame))),
            ("duckdb", lambda: _query(frame)),
        ]
    table = frame.to_arrow_table()
    return [("raw", lambda: _of_arrow(table)), *_frame_readers(table)[1:]]


def _query(frame: Any) -> View:
    connection = duckdb.connect()
    try:
        connection.register("handed_over", frame)
        return _of_duckdb(connection.sql("SELECT * FROM handed_over"))
    finally:
        connection.close()


# --- files


def _file_readers(path: Path, names: Sequence[str]) -> Readers:
    kind = path.suffix[1:].lower()
    if kind in ("csv", "txt", "tsv"):
        return _delimited_readers(path, names)
    if kind == "parquet":
        return [
            ("raw", lambda: _of_arrow(pq.read_table(path))),
            ("pandas", lambda: _of_pandas(pd.read_parquet(path))),
            ("polars", lambda: _of_polars(pl.read_parquet(path))),
            ("duckdb", lambda: _asked("read_parquet", path)),
        ]
    if kind in ("json", "ndjson"):
        lines = kind == "ndjson"
        read = pl.read_ndjson if lines else pl.read_json
        return [
            ("raw", lambda: _raw_json(path, lines=lines)),
            ("pandas", lambda: _of_pandas(pd.read_json(path, lines=lines))),
            ("polars", lambda: _of_polars(read(path))),
            ("duckdb", lambda: _asked("read_json", path)),
        ]
    if kind == "xlsx":  # pandas has no reader of its own for these, and that of DuckDB comes from the network
        return [
            ("raw", lambda: _raw_xlsx(path, len(names))),
            ("polars", lambda: _of_polars(pl.read_excel(path, engine="calamine"))),
        ]
    return [("raw", lambda: _raw_arff(path))]


def _asked(function: str, path: Path) -> View:
    with duckdb.connect() as connection:
        quoted = str(path).replace("'", "''")
        return _of_duckdb(connection.sql(f"SELECT * FROM {function}('{quoted}')"))


def _delimited_readers(path: Path, names: Sequence[str]) -> Readers:
    text = path.read_bytes().decode("utf-8")
    separator = next((one for one in ",;\t|" if _header(text, one) == list(names)), ",")
    usual = separator == ","

    def raw() -> View:
        records = split_delimited(text, separator)
        names, rows = [cell for cell, _ in records[0]], records[1:]
        keys = [[f"{'quoted ' * row[i][1]}{row[i][0]!r}" for row in rows] for i in range(len(names))]
        return View("raw", names, keys, [[row[i][0] for row in rows] for i in range(len(names))])

    def by_pandas() -> View:
        return _of_pandas(pd.read_csv(path) if usual else pd.read_csv(path, sep=separator))

    def by_polars() -> View:
        return _of_polars(pl.read_csv(path) if usual else pl.read_csv(path, separator=separator))

    return [
        ("raw", raw),
        ("pandas", by_pandas),
        ("polars", by_polars),
        ("duckdb", lambda: _asked("read_csv", path)),
    ]


def _header(text: str, separator: str) -> list[str]:
    try:
        return [cell for cell, _ in split_delimited(text, separator)[0]]
    except IndexError:  # a quote within a field that has none around it
        return []


def split_delimited(text: str, separator: str) -> list[list[tuple[str, bool]]]:
    """The records of a text table; of every field its text and whether it stood in quotes.

    >>> split_delimited('a,b\\n"x,y",\\n', ",")
    [[('a', False), ('b', False)], [('x,y', True), ('', False)]]
    """
    records: list[list[tuple[str, bool]]] = []
    fields: list[tuple[str, bool]] = []
    here = 0
    while here < len(text):
        if text[here] == '"':
            end = here + 1
            while text[end] != '"' or text[end + 1 : end + 2] == '"':
                end += 2 if text[end] == '"' else 1
            fields.append((text[here + 1 : end].replace('""', '"'), True))
            here = end + 1
        else:
            end = here
            while end < len(text) and text[end] != "\n" and not text.startswith(separator, end):
                end += 1
            fields.append((text[here:end].removesuffix("\r"), False))
            here = end
        if text.startswith(separator, here):
            here += len(separator)
            if here == len(text) or text[here] == "\n":
                fields.append(("", False))
            else:
                continue
        here += 2 if text.startswith("\r\n", here) else 1
        records.append(fields)
        fields = []
    return records


class _Number(str):
    """The digits of a number as JSON has them."""

    __slots__ = ()


def _raw_json(path: Path, *, lines: bool) -> View:
    text = path.read_text("utf-8")
    how: dict[str, Any] = {"parse_float": _Number, "parse_int": _Number, "parse_constant": _Number}
    rows = (
        [json.loads(line, **how) for line in text.split("\n") if line.strip()]
        if lines
        else json.loads(text, **how)
    )
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = [[row.get(name) for row in rows] for name in names]
    keys = [[_json_key(value) for value in column] for column in columns]
    return View("raw", names, keys, columns)


def _json_key(value: Any) -> str:
    return f"number {value}" if isinstance(value, _Number) else sharp(value)


SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def _raw_xlsx(path: Path, width: int) -> View:
    with zipfile.ZipFile(path) as book:
        shared = []
        if "xl/sharedStrings.xml" in book.namelist():
            root = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
            shared = ["".join(part.text or "" for part in item.iter(f"{SHEET}t")) for item in root]
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
        dated = _date_styles(ElementTree.fromstring(book.read("xl/styles.xml")))
    rows: list[list[tuple[str, Any]]] = []
    for row in sheet.iter(f"{SHEET}row"):
        while len(rows) < int(row.get("r", "0")):  # a row without any cell is not written
            rows.append([("NoneType", None)] * width)
        cells = rows[-1]
        for cell in row:
            letters = re.sub("[0-9]", "", cell.get("r", ""))
            place = sum((ord(one) - 64) * 26**power for power, one in enumerate(reversed(letters))) - 1
            cells[place] = _xlsx_cell(cell, shared, dated)
    header, rows = rows[0], rows[1:]
    keys = [[row[i][0] for row in rows] for i in range(width)]
    return View(
        "raw", [str(one[1]) for one in header], keys, [[row[i][1] for row in rows] for i in range(width)]
    )


def _date_styles(styles: Any) -> set[str]:
    """Which styles show a number as a date."""
    formats = {one.get("numFmtId"): one.get("formatCode", "") for one in styles.iter(f"{SHEET}numFmt")}
    cells = styles.find(f"{SHEET}cellXfs")
    return {str(place) for place, one in enumerate(cells) if "yy" in formats.get(one.get("numFmtId"), "")}


def _xlsx_cell(cell: Any, shared: Sequence[str], dated: Collection[str]) -> tuple[str, Any]:
    kind, value = cell.get("t", "n"), cell.find(f"{SHEET}v")
    text = "" if value is None else value.text or ""
    if kind == "s":
        return f"text {shared[int(text)]!r}", shared[int(text)]
    if kind == "inlineStr":
        text = "".join(part.text or "" for part in cell.iter(f"{SHEET}t"))
        return f"text {text!r}", text
    if kind == "b":
        return f"bool {text}", text == "1"
    if not text:
        return ("NoneType", None)
    key = f"{kind} {text} style {cell.get('s')}"
    if cell.get("s") not in dated:
        return key, text
    shown = datetime(1899, 12, 30) + timedelta(milliseconds=round(float(text) * 86_400_000))
    return key, shown.date() if shown.time() == time() else shown


def _raw_arff(path: Path) -> View:
    names, rows, in_data = [], [], False
    for line in path.read_text("utf-8").split("\n"):
        if in_data and line.strip():
            rows.append(_arff_fields(line))
        elif line.lower().startswith("@attribute"):
            names.append(_arff_name(line[len("@attribute") :].strip()))
        elif line.lower().startswith("@data"):
            in_data = True
    keys = [[row[i][0] for row in rows] for i in range(len(names))]
    return View("raw", names, keys, [[row[i][1] for row in rows] for i in range(len(names))])


def _arff_name(declared: str) -> str:
    """The name at the beginning of what follows ``@attribute``."""
    if declared[0] not in "'\"":
        return declared.split(maxsplit=1)[0]
    end = 1
    while declared[end] != declared[0]:
        end += 2 if declared[end] == "\\" else 1
    return str(_arff_fields(declared[: end + 1])[0][1])


def _arff_fields(line: str) -> list[tuple[str, Any]]:
    """Fields of a line, quoted by either mark, with a backslash before what is meant as it stands."""
    fields: list[tuple[str, Any]] = []
    text, here, was_quoted = "", 0, False
    while here < len(line):
        one = line[here]
        if one in "'\"" and not text:
            end, was_quoted = here + 1, True
            while line[end] != one:
                step = 2 if line[end] == "\\" else 1
                text += _arff_escape(line[end : end + step])
                end += step
            here = end + 1
            continue
        if one == ",":
            fields.append(_arff_cell(text, was_quoted))
            text, was_quoted = "", False
        else:
            text += one
        here += 1
    return [*fields, _arff_cell(text, was_quoted)]


def _arff_escape(text: str) -> str:
    return text if len(text) == 1 else {"n": "\n", "r": "\r", "t": "\t"}.get(text[1], text[1])


def _arff_cell(text: str, was_quoted: bool) -> tuple[str, Any]:
    if not was_quoted and text.strip() == "?":
        return ("NoneType", None)
    return (f"{'quoted ' * was_quoted}{text!r}", text if was_quoted else text.strip())
