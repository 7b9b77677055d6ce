"""The lines of COPY, as columns."""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import polars as pl

from celosia.tables.sql.columns import SqlColumn
from celosia.tables.sql.dialect import BATCH, unreadable
from celosia.types import ColumnType

__all__ = ["read_blocks", "read_columns", "read_texts"]

BLOCK = 1 << 26
"""Bytes that are read at once, unless one row is longer."""


def read_blocks(copy: Iterable[Any]) -> Iterator[bytes]:
    """Rows as they come, together by a bounded number of rows and of bytes."""
    rows: list[bytes] = []
    size = 0
    for row in copy:
        rows.append(bytes(row))
        size += len(row)
        if len(rows) == BATCH or size > BLOCK:
            yield b"".join(rows)
            rows, size = [], 0
    if rows:
        yield b"".join(rows)


def read_texts(block: bytes, width: int, mark: str) -> pl.DataFrame:
    """Lines of COPY as columns of text; an empty text is one, ``mark`` is none."""
    from pyarrow import csv, string

    names = [f"c{i}" for i in range(width)]
    table = csv.read_csv(
        io.BytesIO(block),
        # In one piece: a row that reaches over two pieces is an error.
        read_options=csv.ReadOptions(
            column_names=[*names, "end"], use_threads=False, block_size=len(block) + 1
        ),
        parse_options=csv.ParseOptions(newlines_in_values=True),
        convert_options=csv.ConvertOptions(
            column_types=dict.fromkeys([*names, "end"], string()),
            null_values=[mark],
            strings_can_be_null=True,
            include_columns=names,
        ),
    )
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame


def read_columns(texts: pl.DataFrame, columns: Sequence[SqlColumn]) -> pl.DataFrame:
    """Columns of their types from the texts of COPY."""
    return pl.DataFrame(
        [_typed(texts.get_column(f"c{i}"), column).alias(column.name) for i, column in enumerate(columns)]
    )


def _typed(texts: pl.Series, column: SqlColumn) -> pl.Series:
    dtype = column.dtype
    try:
        if dtype == pl.Boolean:
            return texts == "t"
        if column.type is ColumnType.DECIMAL:
            texts = texts.replace("NaN", None)
        if dtype == pl.Date:
            return texts.str.to_date("%Y-%m-%d")
        if isinstance(dtype, pl.Datetime):
            found = texts.str.strip_suffix("+00").str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us")
            return found if dtype.time_zone is None else found.dt.replace_time_zone("UTC")
        return texts.cast(dtype)
    except pl.exceptions.PolarsError:
        raise unreadable(column) from None
