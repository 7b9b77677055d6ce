"""The rows that operations leave, every column as the table has it: the people whom a release is about.

Whoever was dropped on purpose is not lost: what a release costs is measured against those who were to be in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from celosia.mask.masking import Masking, MaskingPass, MaskTally
from celosia.tables.layer import apply_layer
from celosia.tables.table import Table

__all__ = ["RemainingRows", "remaining_rows"]


def remaining_rows(table: Table, masking: Masking | None) -> Table:
    """A table without the rows that its operations drop.

    >>> from celosia.mask import make_operation
    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"age": [12, 31, 47]}))
    >>> adults = Masking(people, {}, (make_operation("drop-rows", where="age < 18"),))
    >>> remaining_rows(people, adults).count_by(["age"]).values[0].to_list()
    [31, 47]
    """
    return table if masking is None or not masking.drops_rows else apply_layer(table, RemainingRows(masking))


@dataclass(frozen=True)
class RemainingRows:
    """A layer, see :mod:`celosia.tables.layer`, that leaves out rows as ``masking`` does and changes none."""

    masking: Masking

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that come out: all of the table."""
        return tuple(self.masking.before)

    @property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """The types of the columns, which are not changed."""
        return tuple(self.masking.before.values())

    @property
    def touched(self) -> frozenset[str]:
        """The columns whose values change: none."""
        return frozenset()

    @property
    def drops_rows(self) -> bool:
        """Whether fewer rows may come through."""
        return self.masking.drops_rows

    def needs(self, columns: Sequence[str]) -> tuple[str, ...]:
        """The columns asked for, and those by which rows are dropped."""
        wanted = {*columns, *self.masking.needs(())}
        return tuple(name for name in self.names if name in wanted)

    def begin(self, columns: Sequence[str]) -> "_RowsPass":
        """A pass over all rows."""
        # With a tally of its own: what the operations themselves dropped still counts.
        return _RowsPass(MaskingPass(self.masking, (), MaskTally()), tuple(columns))


@dataclass(frozen=True)
class _RowsPass:
    rows: MaskingPass
    columns: tuple[str, ...]

    def begin_at(self, row: int) -> None:
        """Say which number the first row has, where many passes go over a part of the rows each."""
        self.rows.begin_at(row)

    def __call__(self, batch: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series | None]:
        """The rows that stay, and which they are."""
        kept = self.rows(batch)[1]
        left = batch if kept is None else batch.filter(kept)
        return pl.DataFrame([left.get_column(name) for name in self.columns]), kept
