"""Rare values of a column as one."""

from typing import ClassVar

import polars as pl
from pydantic import Field

from celosia.mask.operation import ColumnOperation, Mask, OperationSubject
from celosia.mask.values import texts_of
from celosia.say import say

__all__ = ["Merge"]


class Merge(ColumnOperation):
    """Make one of all values that few rows have: with ``least: 10``, diagnoses of fewer than ten rows become other.

    Of flu 40, asthma 25, gout 3 and lupus 1 the last two become other; as that would still be four rows only, asthma
    does, too. Values that many rows share stay as they are; missing ones stay missing and are not counted.

    Use it for categories with a few rare values, which would tell somebody apart. It counts rows of the table, not
    people, and not yet those that a privacy model leaves out: ask for twice as many as a group should have.
    """

    name: ClassVar[str] = "merge"
    counts_column: ClassVar[bool] = True
    leaks: ClassVar[str] = say("all values that many rows share; of the others, that few rows have them")

    least: int = Field(default=10, ge=2, description="rows that have a value which stays")
    label: str = Field(default="other", min_length=1, description="what rare values become")

    def describe(self) -> str:
        """Such as: 'other' where fewer than 10 rows have the value."""
        return say(
            "{label!r} where fewer than {least} rows have the value", label=self.label, least=self.least
        )

    def start(self, subject: OperationSubject) -> Mask:
        """Count the column, and replace what is rare."""
        return _MergedValues(self, subject)


class _MergedValues:
    """The values of a column that stay, known once it was counted."""

    def __init__(self, operation: Merge, subject: OperationSubject) -> None:
        self._operation, self._subject = operation, subject
        self._kept: pl.Series | None = None

    def prepare(self) -> None:
        """Count the column before the rows are read."""
        parts = [
            texts_of(values, location=self._subject.where)
            .alias("value")
            .drop_nulls()
            .value_counts(name="rows")
            for values in self._subject.values()
        ]
        empty = pl.DataFrame(schema={"value": pl.String, "rows": pl.UInt32})
        counted = pl.concat([empty, *parts]).group_by("value").agg(pl.col("rows").sum()).sort("rows", "value")
        self._kept = frequent_values(counted, self._operation.least)

    def __call__(self, values: pl.Series, _: pl.DataFrame) -> pl.Series:
        texts = texts_of(values, location=self._subject.where)
        if not len(texts):
            return texts
        if self._kept is None:
            self.prepare()
        assert self._kept is not None
        stays = texts.is_null() | texts.is_in(self._kept.implode())
        return texts.zip_with(stays, pl.Series([self._operation.label])).alias(values.name)


def frequent_values(counted: pl.DataFrame, least: int) -> pl.Series:
    """Values that ``least`` rows have or more; some of these go with the rare ones where those are few together.

    >>> counted = pl.DataFrame({"value": ["lupus", "gout", "asthma", "flu"], "rows": [1, 3, 25, 40]})
    >>> frequent_values(counted, 5).to_list(), frequent_values(counted, 4).to_list()
    (['flu'], ['asthma', 'flu'])
    """
    rows = counted.get_column("rows").to_list()
    rare = sum(count < least for count in rows)
    merged = sum(rows[:rare])
    while 0 < merged < least and rare < len(rows):
        merged += rows[rare]
        rare += 1
    return counted.get_column("value").slice(rare)
