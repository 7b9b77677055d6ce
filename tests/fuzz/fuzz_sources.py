"""The table of a case as a file of any format or a frame of any kind, made without the product."""

import json
import math
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from fuzz_cases import TEXTS, Case, Column

__all__ = ["as_frame", "as_source", "held", "write_file"]

CONNECTION = duckdb.connect()
"""Relations need one that stays open."""


def as_source(case: Case, folder: Path) -> Any:
    """What the case is about: a path in the folder, or a frame."""
    if case.source in ("pandas", "polars", "arrow", "duckdb"):
        return as_frame(case)
    path = folder / f"source.{case.source}"
    write_file(case, path)
    return path


def held(case: Case, value: Any) -> Any:
    """A value as the source can hold it at all: some formats have no infinite numbers."""
    is_infinite = isinstance(value, float) and math.isinf(value)
    return None if is_infinite and case.source in ("json", "ndjson", "arff", "xlsx") else value


def as_text(value: Any) -> str:
    """A value as people write it into a text file."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date | datetime):
        return value.isoformat()
    return value if isinstance(value, str) else str(value)


def as_office_text(value: Any) -> str:
    """The same in a Spanish office: a comma before decimals, the day first."""
    if isinstance(value, float | Decimal):
        return as_text(value).replace(".", ",")
    if isinstance(value, date) and not isinstance(value, datetime):
        return f"{value.day:02}/{value.month:02}/{value.year:04}"
    return as_text(value)


# --- files


def write_file(case: Case, path: Path) -> None:
    """Write the table of a case."""
    writers = {
        "csv": _delimited,
        "txt": _delimited,
        "json": _json,
        "ndjson": _json,
        "xlsx": _xlsx,
        "arff": _arff,
    }
    if path.suffix == ".parquet":
        pq.write_table(_arrow(case), path)
    else:
        writers[path.suffix[1:]](case, path)


def _delimited(case: Case, path: Path) -> None:
    separator = case.separator if path.suffix == ".txt" else ","

    def field(text: str) -> str:
        needs = any(mark in text for mark in (separator, '"', "\n", "\r")) or (
            text == "" and len(case.columns) == 1
        )
        return '"' + text.replace('"', '""') + '"' if needs else text

    write = as_office_text if case.is_of_office else as_text
    lines = [separator.join(field(column.name) for column in case.columns)]
    for row in range(case.rows):
        lines.append(separator.join(field(write(column.values[row])) for column in case.columns))
    path.write_bytes(("\n".join(lines) + "\n").encode("utf-8", "surrogatepass"))


def _json(case: Case, path: Path) -> None:
    def literal(column: Column, value: Any) -> str:
        if value is None or (isinstance(value, float) and not math.isfinite(value)):
            return "null"
        if column.kind == "spelt" and not value.startswith("+"):
            return value  # a number with more digits than it needs is still one
        if isinstance(value, bool | int | float):
            return json.dumps(value)
        return str(value) if isinstance(value, Decimal) else json.dumps(as_text(value))

    rows = [
        "{"
        + ", ".join(f"{json.dumps(one.name)}: {literal(one, one.values[row])}" for one in case.columns)
        + "}"
        for row in range(case.rows)
    ]
    text = "\n".join(rows) + "\n" if path.suffix == ".ndjson" else "[" + ",\n".join(rows) + "]"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))


def _xlsx(case: Case, path: Path) -> None:
    import xlsxwriter

    book = xlsxwriter.Workbook(str(path), {"in_memory": True})
    sheet = book.add_worksheet()
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    for place, column in enumerate(case.columns):
        sheet.write_string(0, place, column.name)
        for row, value in enumerate(column.values, start=1):
            if value is None or (isinstance(value, float) and not math.isfinite(value)):
                continue
            if isinstance(value, bool):
                sheet.write_boolean(row, place, value)
            elif isinstance(value, int | float) and abs(value) < 1e15:
                sheet.write_number(row, place, value)
            elif isinstance(value, date) and not isinstance(value, datetime) and value.year > 1900:
                sheet.write_datetime(row, place, value, day)
            else:
                sheet.write_string(row, place, as_text(value).encode("utf-8", "replace").decode())
    book.close()


def _arff(case: Case, path: Path) -> None:
    def quoted(text: str) -> str:
        for mark, escape in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
            text = text.replace(mark, escape)
        return f"'{text}'"

    numeric = ("integer", "real", "large", "decimal", "spelt")
    lines = ["@relation people"]
    for column in case.columns:
        lines.append(f"@attribute {quoted(column.name)} {'numeric' if column.kind in numeric else 'string'}")
    lines.append("@data")
    for row in range(case.rows):
        fields = []
        for column in case.columns:
            value = column.values[row]
            text = as_text(value)
            gone = value is None or (isinstance(value, float) and not math.isfinite(value))
            fields.append("?" if gone else text if column.kind in numeric else quoted(text))
        lines.append(",".join(fields))
    path.write_bytes(("\n".join(lines) + "\n").encode("utf-8", "surrogatepass"))


# --- frames


def as_frame(case: Case) -> Any:
    """The table of a case as a frame of its kind."""
    if case.source == "pandas":
        return pd.DataFrame({column.name: _pandas_column(column, case.shape) for column in case.columns})
    if case.source == "polars":
        frame = pl.DataFrame({column.name: _polars_column(column, case.shape) for column in case.columns})
        return frame.lazy() if case.shape == 3 else frame
    if case.source == "arrow":
        return _arrow(case)
    return CONNECTION.from_arrow(_arrow(case))


def _pandas_column(column: Column, shape: int) -> pd.Series:
    """Of the types that pandas has for a kind of value, one by shape; the last shape holds objects of Python."""
    values = pd.Series(list(column.values), dtype=object)
    if shape == 3 and column.kind != "category":
        return values
    if column.kind == "datetime":
        return pd.to_datetime(values)
    if column.kind == "zoned":
        return pd.to_datetime(values, utc=True).dt.tz_convert("Europe/Madrid" if shape else "UTC")
    if column.kind == "integer" and shape == 0:
        return values.astype("float64" if None in column.values else "int64")
    plain = column.kind in TEXTS and shape == 1
    types = {
        "integer": "Int64",
        "real": "float64",
        "infinite": "float64",
        "boolean": "boolean",
        "category": "category",
    }
    return values.astype("str" if plain else types.get(column.kind, "object"))


def _polars_column(column: Column, shape: int) -> pl.Series:
    values = [
        value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for value in column.values
    ]
    types: dict[str, Any] = {
        "integer": (pl.Int64, pl.Int8, pl.Float64, pl.Int128)[shape],
        "real": pl.Float64,
        "infinite": pl.Float64,
        "large": pl.Int128,
        "decimal": pl.Decimal(38, 10),
        "date": pl.Date,
        "datetime": pl.Datetime("us" if shape else "ns"),
        "zoned": pl.Datetime("us", "Europe/Madrid" if shape else "UTC"),
        "boolean": pl.Boolean,
        "category": pl.Enum(["low", "mid", "high", "Low", "high "]) if shape else pl.Categorical,
    }
    if column.kind == "integer" and shape == 2:
        values = [None if value is None else float(value) for value in values]
    return pl.Series(values, dtype=types.get(column.kind, pl.String), strict=False)


def _arrow(case: Case) -> pa.Table:
    arrays = [_arrow_column(column, case.shape) for column in case.columns]
    return pa.Table.from_arrays(arrays, names=[column.name for column in case.columns])


def _arrow_column(column: Column, shape: int) -> pa.Array:
    values: Sequence[Any] = column.values
    types: dict[str, pa.DataType] = {
        "integer": (pa.int64(), pa.int16(), pa.float64(), pa.decimal128(38, 0))[shape],
        "real": pa.float64(),
        "infinite": pa.float64(),
        "large": pa.decimal128(38, 0),
        "decimal": pa.decimal128(38, 10),
        "date": pa.date32(),
        "datetime": pa.timestamp("us"),
        "zoned": pa.timestamp("us", "Europe/Madrid" if shape else "UTC"),
        "boolean": pa.bool_(),
    }
    if column.kind == "integer" and shape == 2:
        values = [None if value is None else float(value) for value in values]
    if column.kind == "large" or (column.kind == "integer" and shape == 3):
        values = [None if value is None else Decimal(value) for value in values]
    if column.kind not in types:
        values = [
            as_text(value).encode("utf-8", "replace").decode() if value is not None else None
            for value in values
        ]
        plain = pa.array(values, type=pa.string() if shape else pa.large_string())
        return plain.dictionary_encode() if column.kind == "category" else plain
    return pa.array(values, type=types[column.kind])
