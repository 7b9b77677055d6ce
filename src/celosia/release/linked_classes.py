"""Tables that tell of the same people, as whoever joins them sees them: with the classes of people in the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from celosia.tables import FrameTable, open_table
from celosia.tables.layer import apply_layer
from celosia.tables.table import Table

__all__ = ["LinkedClassesLayer", "LinkedTable", "see_linked"]

NAME = "classes in other tables"
SEED = 11
"""For the numbers of people and of what is shown of them."""


@dataclass(frozen=True)
class LinkedTable:
    """A released table, the column with pseudonyms by which it is joined, and its quasi-identifiers."""

    table: Table
    person: str
    quasi_identifiers: tuple[str, ...]


def see_linked(own: LinkedTable, others: Sequence[LinkedTable]) -> tuple[Table, str]:
    """A table with a column more, and its name: what others show of the person of every row, as a number.

    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"id": ["a", "b"], "sex": ["f", "m"]}))
    >>> stays = open_table(pl.DataFrame({"who": ["a", "a", "b"], "cost": [1, 2, 3]}))
    >>> seen, name = see_linked(LinkedTable(stays, "who", ()), [LinkedTable(people, "id", ("sex",))])
    >>> pl.concat(seen.scan([name])).get_column(name).n_unique()
    2
    """
    known = [_classes_of(other) for other in others]
    classes = pl.concat(known).group_by("person").agg(pl.col("class").sum())
    name = NAME
    while name in own.table.columns():
        name += "'"
    layer = LinkedClassesLayer(own.table, own.person, classes, name)
    if not isinstance(own.table, FrameTable):
        return apply_layer(own.table, layer), name
    change = layer.begin(layer.names)  # a frame of the caller's kind gets no new columns through a layer
    frames = [change(batch)[0] for batch in own.table.scan()]
    empty = pl.DataFrame(schema=dict(zip(layer.names, layer.dtypes, strict=True)))
    return open_table(pl.concat(frames) if frames else empty, missing=own.table.options.missing), name


def _classes_of(other: LinkedTable) -> pl.DataFrame:
    """For every person a number of the set of what her rows show."""
    parts = [
        pl.DataFrame(
            {"person": _people(batch, other.person), "class": _shown(batch, other.quasi_identifiers)}
        )
        for batch in other.table.scan([other.person, *other.quasi_identifiers])
    ]
    empty = pl.DataFrame(schema={"person": pl.UInt64, "class": pl.UInt64})
    # A sum of hashes is the same in whatever order rows come, and each that is shown twice counts once.
    return pl.concat([empty, *parts]).unique().group_by("person").agg(pl.col("class").sum())


def _people(batch: pl.DataFrame, person: str) -> pl.Series:
    return batch.get_column(person).cast(pl.String).hash(SEED)


def _shown(batch: pl.DataFrame, columns: Sequence[str]) -> pl.Series:
    labels = [
        batch.get_column(name).cast(pl.String).alias(str(number)) for number, name in enumerate(columns)
    ]
    return (
        pl.DataFrame(labels).hash_rows(SEED)
        if labels
        else pl.repeat(0, batch.height, dtype=pl.UInt64, eager=True)
    )


@dataclass(frozen=True)
class LinkedClassesLayer:
    """The rows of ``source`` with the ``classes`` of their people as a column more: see :mod:`celosia.tables.layer`."""

    source: Any
    person: str
    classes: pl.DataFrame
    name: str

    @property
    def names(self) -> tuple[str, ...]:
        """All columns, and the new one."""
        return (*self.source.columns(), self.name)

    @cached_property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Their types."""
        before = dict(zip(self.source.reader.names, self.source.reader.dtypes, strict=True))
        return (*(before[name] for name in self.source.columns()), pl.UInt64())

    @property
    def touched(self) -> frozenset[str]:
        """The new one."""
        return frozenset([self.name])

    @property
    def drops_rows(self) -> bool:
        """None is left out."""
        return False

    def needs(self, columns: Sequence[str]) -> tuple[str, ...]:
        """The columns asked for, and the people."""
        wanted = {*columns, *([self.person] if self.name in columns else [])}
        return tuple(name for name in self.source.columns() if name in wanted)

    def begin(self, columns: Sequence[str]) -> "LinkedClassesPass":
        """A pass over the rows."""
        return LinkedClassesPass(self, tuple(columns))


@dataclass(frozen=True)
class LinkedClassesPass:
    """One pass: every row looks its person up."""

    layer: LinkedClassesLayer
    columns: tuple[str, ...]

    def __call__(self, batch: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series | None]:
        """The rows with the new column, where it is asked for."""
        layer = self.layer
        if layer.name not in self.columns:
            return batch.select(self.columns), None
        people = pl.DataFrame({"person": _people(batch, layer.person)})
        found = people.join(layer.classes, on="person", how="left", maintain_order="left")
        classes = found.get_column("class").fill_null(0).alias(layer.name)
        return batch.with_columns(classes).select(self.columns), None
