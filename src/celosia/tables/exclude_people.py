"""A table without the rows of some people."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from celosia.values.same import people_keys
from celosia.values.text import missing_to_null, text_of

__all__ = ["ExcludePeople"]


@dataclass(frozen=True)
class ExcludePeople:
    """A layer that lets through all rows but those of some ``people``, however the ``column`` spells them."""

    source: Any
    column: str
    people: pl.Series

    @cached_property
    def keys(self) -> pl.Series:
        """What tells these people from others."""
        return people_keys(self.people)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns."""
        return tuple(self.source.columns())

    @cached_property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Types as they were."""
        return tuple(self.source.reader.dtypes)

    @property
    def touched(self) -> frozenset[str]:
        """None."""
        return frozenset()

    @property
    def drops_rows(self) -> bool:
        """Rows are left out."""
        return True

    def needs(self, columns: Sequence[str]) -> tuple[str, ...]:
        """The columns asked for, and the one that tells people apart."""
        return tuple(name for name in self.names if name in columns or name == self.column)

    def begin(self, columns: Sequence[str]) -> "ExcludePeoplePass":
        """A pass over the rows."""
        return ExcludePeoplePass(self, tuple(columns))


@dataclass(frozen=True)
class ExcludePeoplePass:
    """One pass: nothing is learnt on the way."""

    layer: ExcludePeople
    columns: tuple[str, ...]

    def __call__(self, batch: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series | None]:
        """The rows of everybody else."""
        layer = self.layer
        values = batch.get_column(layer.column).alias("")
        text = text_of(pl.nth(0), values.dtype, column=layer.column, where=layer.source.name)
        markers = layer.source.reader.options.missing
        texts = values.to_frame().select(missing_to_null(text, markers)).to_series()
        kept = ~people_keys(texts).is_in(layer.keys.implode(), nulls_equal=False).fill_null(value=False)
        return batch.select(pl.nth(batch.columns.index(name)) for name in self.columns).filter(kept), kept
