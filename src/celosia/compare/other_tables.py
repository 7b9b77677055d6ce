"""Tables anonymized elsewhere, put beside those made here: columns aligned by name, rows where they can be."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from celosia.compare.input_table import InputTable, read_rows
from celosia.compare.rows import Rows, rows_taken
from celosia.errors import TableError
from celosia.say import say
from celosia.tables import open_table
from celosia.tables.table import Table
from celosia.types import TableLike, nearest

__all__ = ["align_table"]


def align_table(
    original: InputTable, other: TableLike, *, name: str, left_out: Sequence[str] = (), **reading: Any
) -> tuple[pl.DataFrame, Rows | None]:
    """A table made elsewhere with its columns in the order of the given one, and which of its rows each row is.

    It may lack columns, but not the class, and has no others but those ``left_out``. Rows are taken to be the same
    people's one by one where there are as many and the class says nothing else; a class that was suppressed says
    nothing.

    >>> from celosia.compare.input_table import read_input
    >>> given = read_input(pl.DataFrame({"age": [31, 47], "ill": ["no", "yes"]}))
    >>> frame, rows = align_table(given, pl.DataFrame({"ill": ["no", None], "age": [30, 50]}), name="R")
    >>> frame.columns, rows.tolist()
    (['age', 'ill'], [0, 1])
    >>> align_table(given, pl.DataFrame({"agee": [30, 50], "ill": ["no", "yes"]}), name="R")
    Traceback (most recent call last):
    ...
    celosia.errors.TableError: R: the original has no column 'agee'; did you mean 'age'?
    """
    table = other if isinstance(other, Table) else open_table(other, **reading)
    frame, _ = read_rows(table)
    frame = frame.drop([column for column in left_out if column in frame.columns])
    known = tuple(original.frame.columns)
    for column in frame.columns:
        if column not in known:
            raise TableError(
                say("the original has no column {column!r}", column=column),
                where=name,
                remedy=nearest(column, known),
            )
    if original.target not in frame.columns:
        raise TableError(
            say("the class {target!r} is not in it", target=original.target),
            where=name,
            remedy=say("add it, so that models have something to learn"),
        )
    frame = frame[[column for column in known if column in frame.columns]]
    return frame, _rows(original, frame)


def _rows(original: InputTable, frame: pl.DataFrame) -> Rows | None:
    before, after = (table[original.target].alias("") for table in (original.frame, frame))
    if frame.height == original.frame.height:
        kind = pl.Float64 if before.dtype.is_numeric() and after.dtype.is_numeric() else pl.String
        is_same = (before.cast(kind) == after.cast(kind)).fill_null(True)  # 1 elsewhere may be 1.0
        if is_same.all():
            return np.arange(frame.height)
    return rows_taken(original.frame, frame)
