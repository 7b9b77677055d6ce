"""The table of a comparison: its rows in memory, the types of its columns, and the class that models predict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from celosia.errors import ProjectError, TableError
from celosia.say import say
from celosia.tables import open_table
from celosia.tables.table import Table
from celosia.types import MISSING_MARKERS, NUMBERS, ColumnType, TableLike, nearest
from celosia.values.text import column_type, missing_to_null

__all__ = ["InputTable", "read_input", "read_rows"]


@dataclass(frozen=True)
class InputTable:
    """Rows whose numbers are numbers; ``target`` is the class, ``types`` what columns are."""

    name: str
    frame: pl.DataFrame
    types: Mapping[str, ColumnType]
    target: str

    @property
    def predictors(self) -> tuple[str, ...]:
        """All columns but the class."""
        return tuple(name for name in self.frame.columns if name != self.target)

    def without(self, columns: Sequence[str]) -> "InputTable":
        """The table without some columns, which the class cannot be among.

        >>> given = read_input(pl.DataFrame({"name": ["Eva"], "age": [31], "ill": ["no"]}))
        >>> given.without(["name"]).frame.columns
        ['age', 'ill']
        """
        for name in columns:
            if name not in self.frame.columns:
                raise ProjectError(
                    say("column {name!r} does not exist", name=name),
                    where=self.name,
                    remedy=nearest(name, tuple(self.frame.columns)),
                )
            if name == self.target:
                raise ProjectError(
                    say("class {name!r} cannot be left out", name=name),
                    where=self.name,
                    remedy=say("choose another class"),
                )
        if not set(self.predictors) - set(columns):
            raise ProjectError(
                say("the table has only the class"),
                where=self.name,
                remedy=say("give columns to predict it from"),
            )
        types = {name: kind for name, kind in self.types.items() if name not in columns}
        kept = [name for name in self.frame.columns if name not in columns]
        return replace(self, frame=self.frame[kept], types=types)


def read_input(
    source: TableLike | Table,
    target: str | None = None,
    *,
    missing: Sequence[str] = MISSING_MARKERS,
    name: str | None = None,
    **reading: Any,
) -> InputTable:
    """A table from a file, a frame or wherever tables are; the last column is the class unless said.

    ``name`` is that of the table or its path; ``reading`` are options of ``celosia.tables.open_table``.

    >>> given = read_input(pl.DataFrame({"age": [31, 47], "ill": ["no", "?"]}))
    >>> given.frame.rows(), given.target
    ([(31, 'no'), (47, None)], 'ill')
    """
    table = source if isinstance(source, Table) else open_table(source, missing=missing, **reading)
    frame, types = read_rows(table, missing=missing)
    location = table.name
    if target is None:
        target = frame.columns[-1]
    if target not in frame.columns:
        raise ProjectError(
            say("class {target!r} does not exist", target=target),
            where=location,
            remedy=nearest(target, tuple(frame.columns)),
        )
    if frame.width < 2:
        raise ProjectError(
            say("the table has only the class"), where=location, remedy=say("give columns to predict it from")
        )
    if frame.height == frame[target].alias("").null_count():
        raise ProjectError(
            say("class {target!r} has no value in any row", target=target),
            where=location,
            remedy=say("choose another class"),
        )
    path = source if isinstance(source, str | Path) else name or "table"
    return InputTable(Path(path).stem, frame, types, target)


def read_rows(
    table: Table, *, missing: Sequence[str] = MISSING_MARKERS
) -> tuple[pl.DataFrame, dict[str, ColumnType]]:
    """All rows of a table with its numbers as numbers, and what its columns are."""
    types = {column.name: column.type for column in table.schema()}
    batches = list(table.scan())
    if not batches:
        raise TableError(
            say("the table has no rows"), where=table.name, remedy=say("check that it was saved")
        )
    frame = pl.concat(batches, how="vertical_relaxed").rechunk()
    return frame.with_columns(_typed(frame[name], types[name], missing) for name in frame.columns), types


def _typed(values: pl.Series, kind: ColumnType, missing: Sequence[str]) -> pl.Series:
    """Texts of numbers as numbers, if all of them are; a missing value is null."""
    if column_type(values.dtype) is not ColumnType.TEXT:
        return values.alias("").fill_nan(None).alias(values.name) if values.dtype.is_float() else values
    texts = values.to_frame().select(missing_to_null(pl.nth(0), missing)).to_series().alias("")
    if kind not in NUMBERS:
        return texts.alias(values.name)
    numbers = texts.cast(pl.Int64 if kind is ColumnType.INTEGER else pl.Float64, strict=False)
    return (numbers if numbers.null_count() == texts.null_count() else texts).alias(values.name)
