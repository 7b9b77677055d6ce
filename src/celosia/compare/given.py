"""The table of a comparison: its rows in memory, the types of its columns, and the class that models predict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from celosia.errors import ProjectError, TableError
from celosia.tables import open_table
from celosia.tables.table import Table
from celosia.tables.text import column_type, missing_to_null
from celosia.types import MISSING_MARKERS, NUMBERS, ColumnType, nearest

__all__ = ["GivenTable", "read_given", "read_rows"]


@dataclass(frozen=True)
class GivenTable:
    """Rows whose numbers are numbers; ``target`` is the class, ``types`` what columns are."""

    name: str
    frame: pl.DataFrame
    types: Mapping[str, ColumnType]
    target: str

    @property
    def predictors(self) -> tuple[str, ...]:
        """All columns but the class."""
        return tuple(name for name in self.frame.columns if name != self.target)


def read_given(
    source: Any, target: str | None = None, *, missing: Sequence[str] = MISSING_MARKERS, **reading: Any
) -> GivenTable:
    """A table from a file, a frame or wherever tables are; the last column is the class unless said.

    ``reading`` are options of ``celosia.tables.open_table``.

    >>> given = read_given(pl.DataFrame({"age": [31, 47], "ill": ["no", "?"]}))
    >>> given.frame.rows(), given.target
    ([(31, 'no'), (47, None)], 'ill')
    """
    table = source if isinstance(source, Table) else open_table(source, missing=missing, **reading)
    frame, types = read_rows(table, missing=missing)
    where = table.name
    if target is None:
        target = frame.columns[-1]
    if target not in frame.columns:
        raise ProjectError(
            f"class {target!r} does not exist", where=where, remedy=nearest(target, tuple(frame.columns))
        )
    if frame.width < 2:
        raise ProjectError(
            "the table has only the class", where=where, remedy="give columns to predict it from"
        )
    if frame.height == frame[target].null_count():
        raise ProjectError(
            f"class {target!r} has no value in any row", where=where, remedy="choose another class"
        )
    name = Path(source).stem if isinstance(source, str | Path) else "table"
    return GivenTable(name, frame, types, target)


def read_rows(
    table: Table, *, missing: Sequence[str] = MISSING_MARKERS
) -> tuple[pl.DataFrame, dict[str, ColumnType]]:
    """All rows of a table with its numbers as numbers, and what its columns are."""
    types = {column.name: column.type for column in table.schema()}
    batches = list(table.scan())
    if not batches:
        raise TableError("the table has no rows", where=table.name, remedy="check that it was saved")
    frame = pl.concat(batches, how="vertical_relaxed").rechunk()
    return frame.with_columns(_typed(frame[name], types[name], missing) for name in frame.columns), types


def _typed(values: pl.Series, kind: ColumnType, missing: Sequence[str]) -> pl.Series:
    """Texts of numbers as numbers, if all of them are; a missing value is null."""
    if column_type(values.dtype) is not ColumnType.TEXT:
        return values.fill_nan(None) if values.dtype.is_float() else values
    texts = values.to_frame().select(missing_to_null(pl.nth(0), missing)).to_series().alias(values.name)
    if kind not in NUMBERS:
        return texts
    numbers = texts.cast(pl.Int64 if kind is ColumnType.INTEGER else pl.Float64, strict=False)
    return numbers if numbers.null_count() == texts.null_count() else texts
