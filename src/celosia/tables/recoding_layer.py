"""A recoding as a layer: a table as a technique leaves it, for the next one to work on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import polars as pl

from celosia.errors import ProjectError
from celosia.say import say
from celosia.tables.recoder import Recoder
from celosia.tables.table import Recoding
from celosia.values.parse import ValueParser

__all__ = ["RecodingLayer"]


@dataclass(frozen=True)
class RecodingLayer:
    """What a recoding makes of the rows of ``source``: see :mod:`celosia.tables.layer`."""

    source: Any
    recoding: Recoding

    def __post_init__(self) -> None:
        if self.recoding.parts is not None:
            raise ProjectError(
                say("a step that recodes part by part for want of memory can only be the last of a chain"),
                where="technique",
                remedy=say("give it more memory, or put it last"),
            )

    @property
    def names(self) -> tuple[str, ...]:
        """Columns that are not dropped."""
        return tuple(name for name in self.source.columns() if name not in self.recoding.dropped)

    @cached_property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Types of the columns; recoded ones have that of what they show."""
        changed = {name: _plain(dtype) for name, dtype in self._whole.changed.items()}
        return tuple(changed.get(name, self._before[name]) for name in self.names)

    @property
    def touched(self) -> frozenset[str]:
        """Columns that are recoded, or in which several texts of a missing value become one."""
        return frozenset(self._whole.changed) | frozenset(self.recoding.unified)

    @property
    def drops_rows(self) -> bool:
        """Rows may be suppressed."""
        return True

    def needs(self, columns: Sequence[str]) -> tuple[str, ...]:
        """The columns asked for, and those that tell a row's class."""
        wanted = {*columns, *self._whole.used}
        return tuple(name for name in self.names if name in wanted)

    def begin(self, columns: Sequence[str]) -> "RecodingPass":
        """A pass over the rows."""
        return RecodingPass(self._recoder(self.needs(columns)), tuple(columns))

    @cached_property
    def _before(self) -> dict[str, pl.DataType]:
        reader = self.source.reader
        return dict(zip(reader.names, reader.dtypes, strict=True))

    @cached_property
    def _parsers(self) -> dict[str, ValueParser]:
        return dict(self.source.parsers_of(self.recoding.looked_at))

    @cached_property
    def _whole(self) -> Recoder:
        return self._recoder(self.names)

    def _recoder(self, names: tuple[str, ...]) -> Recoder:
        return Recoder(
            replace(self.recoding, dropped=()),
            names,
            missing=self.source.reader.options.missing,
            dtypes=self._before,
            parsers=self._parsers,
            where=self.source.name,
        )


@dataclass(frozen=True)
class RecodingPass:
    """One pass: the recoder learns the values of columns as they come."""

    recoder: Recoder
    columns: tuple[str, ...]

    def __call__(self, batch: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series | None]:
        """The rows that stay, recoded."""
        recoded, changed = self.recoder.apply(batch), self.recoder.changed
        columns = (recoded.frame.get_column(name) for name in self.columns)
        # What is not recoded keeps the caller's categories.
        frame = pl.DataFrame(
            [column.cast(_plain(column.dtype)) if column.name in changed else column for column in columns]
        )
        if recoded.kept is None:
            return frame, None
        kept = pl.Series(recoded.kept)
        return frame.filter(kept), kept


def _plain(dtype: pl.DataType) -> pl.DataType:
    """Labels differ from batch to batch: as texts they are of one type."""
    return pl.String() if isinstance(dtype, pl.Enum) else dtype
