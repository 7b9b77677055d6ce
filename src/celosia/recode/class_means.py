"""Numbers microaggregated within classes: every row shows the mean of its class, once classes are known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from celosia.tables.layer import apply_layer
from celosia.tables.table import Table
from celosia.values.text import missing_to_null

__all__ = ["ClassMeansLayer", "show_class_means"]

SEED = 7
"""For the numbers of classes: the same in every pass and on every machine."""
MOST_DIGITS = 6
"""Digits after the point that a mean has at most: it has as many as the values."""


def show_class_means(table: Table, quasi_identifiers: Sequence[str], columns: Sequence[str]) -> Table:
    """A table that was recoded, with numbers as the means of its classes; it is read once for that.

    Rows that miss a number show the mean of the others, so that missing it tells nobody apart; where the whole class
    misses it, it stays missing.

    >>> from celosia.tables import open_table
    >>> stays = open_table(pl.DataFrame({"age": ["3*", "3*", "4*"], "cost": [100, 301, 50]}))
    >>> shown = show_class_means(stays, ["age"], ["cost"])
    >>> pl.concat(shown.scan()).rows()
    [('3*', 200), ('3*', 200), ('4*', 50)]
    """
    numbers = _NumbersOf(table, tuple(columns))
    parts: list[pl.DataFrame] = []
    digits = [0] * len(columns)
    for batch in table.scan([*quasi_identifiers, *columns]):
        values = [numbers.of(batch, name) for name in columns]
        digits = [max(known, _digits(one)) for known, one in zip(digits, values, strict=True)]
        frame = pl.DataFrame({"class": _classes(batch, quasi_identifiers), **_named(values)})
        parts.append(frame.group_by("class").agg(*_sums(len(columns))))
    whole = pl.concat(parts) if parts else pl.DataFrame({"class": []}, schema={"class": pl.UInt64})
    means = whole.group_by("class").agg(
        *[
            (pl.col(f"sum{n}").sum() / pl.col(f"count{n}").sum())
            .fill_nan(None)
            .round(digits[n])
            .alias(f"{n}")
            for n in range(len(columns) if parts else 0)
        ]
    )
    layer = ClassMeansLayer(table, tuple(quasi_identifiers), tuple(columns), means, tuple(digits))
    return apply_layer(table, layer)


def _named(values: Sequence[pl.Series]) -> dict[str, pl.Series]:
    return {f"{number}": one for number, one in enumerate(values)}


def _sums(columns: int) -> Iterator[pl.Expr]:
    for number in range(columns):
        yield pl.col(f"{number}").sum().alias(f"sum{number}")
        yield pl.col(f"{number}").count().alias(f"count{number}")


def _classes(batch: pl.DataFrame, quasi_identifiers: Sequence[str]) -> pl.Series:
    """A number for what every row shows of the quasi-identifiers."""
    labels = [
        batch.get_column(name).cast(pl.String).alias(str(n)) for n, name in enumerate(quasi_identifiers)
    ]
    return (
        pl.DataFrame(labels).hash_rows(SEED)
        if labels
        else pl.repeat(0, batch.height, dtype=pl.UInt64, eager=True)
    )


def _digits(values: pl.Series) -> int:
    """How many digits after the point numbers have."""
    numbers = values.drop_nulls().to_numpy()
    fits = (number for number in range(MOST_DIGITS) if np.array_equal(np.round(numbers, number), numbers))
    return next(fits, MOST_DIGITS)


@dataclass(frozen=True)
class _NumbersOf:
    """The numbers of some columns of a table, whatever it holds them as; null for a missing one."""

    table: Any
    columns: tuple[str, ...]

    @cached_property
    def _parsers(self) -> Any:
        return self.table.parsers_of(self.columns)

    def of(self, batch: pl.DataFrame, name: str) -> pl.Series:
        """Those of a batch."""
        values = batch.get_column(name).alias("")
        if values.dtype == pl.String:
            missing = self.table.reader.options.missing
            values = values.to_frame().select(missing_to_null(pl.nth(0), missing)).to_series()
            parser = self._parsers.get(name)
            if parser is not None and not parser.is_text:
                values = parser.parse(values, column=name, where=self.table.name)
        return values.cast(pl.Float64).fill_nan(None)


@dataclass(frozen=True)
class ClassMeansLayer:
    """What shows every row the ``means`` of its class, by ``columns``: see :mod:`celosia.tables.layer`."""

    source: Any
    quasi_identifiers: tuple[str, ...]
    columns: tuple[str, ...]
    means: pl.DataFrame
    digits: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All columns."""
        return tuple(self.source.columns())

    @cached_property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Their types, which stay."""
        before = dict(zip(self.source.reader.names, self.source.reader.dtypes, strict=True))
        return tuple(before[name] for name in self.names)

    @property
    def touched(self) -> frozenset[str]:
        """The columns with means."""
        return frozenset(self.columns)

    @property
    def drops_rows(self) -> bool:
        """None is left out."""
        return False

    def needs(self, columns: Sequence[str]) -> tuple[str, ...]:
        """The columns asked for, and those that tell a row's class."""
        wanted = {*columns, *(self.quasi_identifiers if set(columns) & self.touched else ())}
        return tuple(name for name in self.names if name in wanted)

    def begin(self, columns: Sequence[str]) -> "ClassMeansPass":
        """A pass over the rows."""
        return ClassMeansPass(self, tuple(columns))


@dataclass(frozen=True)
class ClassMeansPass:
    """One pass: every batch looks up the means of its classes."""

    layer: ClassMeansLayer
    columns: tuple[str, ...]

    def __call__(self, batch: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series | None]:
        """The rows, with means."""
        layer = self.layer
        if not layer.touched & set(self.columns):
            return batch.select(self.columns), None
        classes = pl.DataFrame({"class": _classes(batch, layer.quasi_identifiers)})
        means = classes.join(layer.means, on="class", how="left", maintain_order="left")
        shown = {}
        for number, name in enumerate(layer.columns):
            column = means.get_column(f"{number}")
            if layer.digits[number] == 0:
                column = column.cast(pl.Int64)
            shown[name] = column.cast(batch.schema[name]).alias(name) if name in batch.columns else column
        return pl.DataFrame(
            [shown[name] if name in shown else batch.get_column(name) for name in self.columns]
        ), None
