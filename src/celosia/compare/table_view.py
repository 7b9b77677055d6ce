"""Looking at a table before anything is done to it: summary, columns, statistics, values against the class, rows.

All answers are as JSON takes them.
"""

from itertools import pairwise
from math import isfinite
from typing import NotRequired, TypedDict

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.compare.input_table import InputTable
from celosia.errors import ProjectError
from celosia.measure.learning.target import FEW_NUMBERS
from celosia.say import say
from celosia.types import nearest
from celosia.values.named import named

__all__ = [
    "BrowsedRows",
    "ClassDistribution",
    "ClassTableSummary",
    "ColumnStatistics",
    "ListedColumn",
    "browse_rows",
    "column_distribution",
    "column_statistics",
    "list_columns",
    "summarize_table",
]

ClassTableSummary = TypedDict(
    "ClassTableSummary",
    {
        "name": str,
        "rows": int,
        "columns": int,
        "class": str,
        "classes": dict[str, int],
        "complete_rows": int,
    },
)
"""A table in a few numbers, and the rows of every class."""


class ListedColumn(TypedDict):
    """A column in the order of the table."""

    number: int
    name: str
    type: str
    is_numeric: bool
    is_class: bool


class ColumnStatistics(TypedDict):
    """What the values of a column are: counts of texts, range and moments of numbers."""

    name: str
    type: str
    missing: int
    distinct: int
    unique: int
    values: NotRequired[dict[str, int]]
    minimum: NotRequired[float | None]
    maximum: NotRequired[float | None]
    mean: NotRequired[float | None]
    deviation: NotRequired[float | None]
    median: NotRequired[float | None]


ClassDistribution = TypedDict(
    "ClassDistribution",
    {
        "name": str,
        "class": str,
        "values": list[str],
        "edges": list[float] | None,
        "classes": dict[str, list[int]],
        "not_shown": int,
    },
)
"""The rows of every class that have each value of a column, or that fall into each bin."""


class BrowsedRows(TypedDict):
    """Rows of a table from ``start`` on, ``of`` so many."""

    columns: list[str]
    start: int
    of: int
    rows: list[list[str | float | None]]


MOST_VALUES = 100
"""Values of a column that are listed, the most frequent first."""


def summarize_table(table: InputTable) -> ClassTableSummary:
    """Name, rows, columns, the class with its values, and rows without any missing value.

    >>> from celosia.compare.input_table import read_input
    >>> given = read_input(pl.DataFrame({"age": [31, None], "ill": ["no", "yes"]}))
    >>> summarize_table(given)["rows"], summarize_table(given)["complete_rows"]
    (2, 1)
    """
    frame = table.frame
    return {
        "name": table.name,
        "rows": frame.height,
        "columns": frame.width,
        "class": table.target,
        "classes": _counted(_column(table, table.target)),
        "complete_rows": frame.drop_nulls().height,
    }


def list_columns(table: InputTable) -> list[ListedColumn]:
    """Number, name and type of every column, and whether it is the class."""
    return [
        {
            "number": number,
            "name": name,
            "type": str(table.types[name]),
            "is_numeric": bool(table.frame[name].dtype.is_numeric()),
            "is_class": name == table.target,
        }
        for number, name in enumerate(table.frame.columns, 1)
    ]


def column_statistics(table: InputTable, column: str) -> ColumnStatistics:
    """What the values of a column are: how many are missing, distinct and unique; range and moments, or counts.

    The deviation is that of a sample, as Weka gives it.

    >>> from celosia.compare.input_table import read_input
    >>> given = read_input(pl.DataFrame({"age": [31, 47, 47], "ill": ["no", "yes", "yes"]}))
    >>> found = column_statistics(given, "age")
    >>> found["minimum"], found["maximum"], round(found["mean"], 2), found["unique"]
    (31, 47, 41.67, 1)
    """
    values = _column(table, column)
    known = values.drop_nulls()
    counts = known.value_counts().to_series(1)
    statistics: ColumnStatistics = {
        "name": column,
        "type": str(table.types[column]),
        "missing": values.null_count(),
        "distinct": len(counts),
        "unique": int((counts == 1).sum()),
    }
    if not values.dtype.is_numeric():
        return {**statistics, "values": _counted(values)}
    numbers = known.cast(pl.Float64)
    return {
        **statistics,
        "minimum": _bound(known.min()),
        "maximum": _bound(known.max()),
        "mean": _finite(numbers.mean()),
        "deviation": _finite(numbers.std()),
        "median": _finite(numbers.median()),
    }


def column_distribution(table: InputTable, column: str, *, bins: int = 10) -> ClassDistribution:
    """How the values of a column are distributed in every class: rows per value, or per bin of equal width.

    Where a number with many values is predicted, four ranges of equal width are its classes.

    >>> from celosia.compare.input_table import read_input
    >>> given = read_input(pl.DataFrame({"age": [30, 40, 50], "ill": ["no", "yes", "yes"]}))
    >>> column_distribution(given, "age", bins=2)["classes"]
    {'yes': [0, 2], 'no': [1, 0]}
    """
    values, target = _column(table, column), _column(table, table.target)
    if values.dtype.is_numeric() and values.n_unique() > bins:
        places, texts, edges = _binned(values, bins)
        is_shown = places >= 0
    else:
        kept = [value for value in _counted(values) if value != ""]
        if values.dtype.is_numeric():
            kept.sort(key=float)
        place = {text: number for number, text in enumerate(kept)}
        places = np.array([place.get(text, -1) for text in values.cast(pl.String).to_list()])
        texts, is_shown, edges = kept, places >= 0, None
    if target.dtype.is_numeric() and target.n_unique() > FEW_NUMBERS:
        ranges, named, _ = _binned(target, 4)
        target = pl.Series([*named, ""]).gather(pl.Series(ranges).replace(-1, len(named)))
    classes = {}
    for name in _counted(target):
        of_class = target.cast(pl.String).fill_null("").eq(name).to_numpy() & is_shown
        classes[name] = np.bincount(places[of_class], minlength=len(texts)).tolist()
    return {
        "name": column,
        "class": table.target,
        "values": texts,
        "edges": None if edges is None else edges.tolist(),
        "classes": classes,
        "not_shown": int((~is_shown).sum()),
    }


def browse_rows(table: InputTable, *, start: int = 0, rows: int = 100) -> BrowsedRows:
    """Some rows as they are.

    >>> from celosia.compare.input_table import read_input
    >>> browse_rows(read_input(pl.DataFrame({"age": [30, 40], "ill": ["no", "yes"]})), start=1)["rows"]
    [[40, 'yes']]
    """
    shown = table.frame.slice(start, rows)
    plain = shown.select(
        named(name) if dtype.is_numeric() else named(name).cast(pl.String)
        for name, dtype in shown.schema.items()
    )
    return {
        "columns": plain.columns,
        "start": start,
        "of": table.frame.height,
        "rows": [list(row) for row in plain.rows()],
    }


def _column(table: InputTable, column: str) -> pl.Series:
    if column not in table.frame.columns:
        raise ProjectError(
            say("column {column!r} does not exist", column=column),
            where=table.name,
            remedy=nearest(column, tuple(table.frame.columns)),
        )
    return table.frame[column].alias("")  # Polars takes a name such as ^a$ for a pattern


def _binned(values: pl.Series, bins: int) -> tuple[npt.NDArray[np.int64], list[str], npt.NDArray[np.float64]]:
    """``places[row]`` in bins of equal width, -1 where no number is; what each is called, and the edges."""
    numbers = values.cast(pl.Float64).to_numpy()
    is_number = np.isfinite(numbers)
    edges = np.histogram_bin_edges(numbers[is_number], bins)
    places = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, bins - 1)
    texts: list[str] = [
        say("{low:g} to {high:g}", low=low, high=high) for low, high in pairwise(edges.tolist())
    ]
    return np.where(is_number, places, -1), texts, edges


def _counted(values: pl.Series) -> dict[str, int]:
    """The most frequent values as texts, a missing one as nothing."""
    texts = values.cast(pl.String).fill_null("").alias("value")
    counts = texts.value_counts(name="rows").sort(["rows", "value"], descending=[True, False])
    return dict(counts.head(MOST_VALUES).rows())


def _bound(value: object) -> float | None:
    """The least or greatest number, as the column holds it."""
    return value if isinstance(value, int | float) else None


def _finite(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and isfinite(value) else None
