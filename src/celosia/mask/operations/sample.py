"""Some of the rows, drawn at random."""

from collections.abc import Callable
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.mask.characters import draw_by_text, mix
from celosia.mask.distinct import PerDistinct
from celosia.mask.operation import ColumnFacts, OperationSubject, RowOperation
from celosia.say import say

__all__ = ["Sample"]


class Sample(RowOperation):
    """Release a random share of the rows: with share 0.1 about one row in ten, each with the same chance.

    With ``by``, all rows with the same value in that column stay or go together, in every table of the project: a
    person is in the sample with all of their visits or not at all. The seed of the project decides, so that a run can
    be repeated; the order or the size of the file does not matter with ``by``.

    Use it so that nobody can be sure that a person they know is in the release. It does not help those who are in it:
    combine it with operations on the columns.
    """

    name: ClassVar[str] = "sample"
    goes_by_seed: ClassVar[bool] = True
    leaks: ClassVar[str] = say(
        "everything about the rows that stay, but not whether a person was in the table"
    )

    share: float = Field(gt=0, le=1, description="the share of the rows that stays: 0.1 for one in ten")
    by: str | None = Field(
        default=None, description="a column whose equal values stay or go together: the person"
    )

    def describe(self) -> str:
        """Such as: a sample of 10 %."""
        if self.by is not None:
            return say("a sample of {percent:g} %, by {column}", percent=100 * self.share, column=self.by)
        return say("a sample of {percent:g} %", percent=100 * self.share)

    @property
    def goes_by_order(self) -> bool:
        """Rows are drawn by their numbers unless a column is named."""
        return self.by is None

    def needs(self, subject_person: str | None = None) -> tuple[str, ...]:
        """The column whose values stay together."""
        return () if self.by is None else (self.by,)

    def weaknesses(self, facts: ColumnFacts) -> tuple[str, ...]:
        """A large share protects hardly anybody."""
        if self.share < 0.5:
            return ()
        return (
            say(
                "a share of {percent:g} % leaves little doubt about who is in the table",
                percent=100 * self.share,
            ),
        )

    def start_rows(self, subject: OperationSubject) -> Callable[[pl.DataFrame, int], pl.Series]:
        """Which rows of a batch stay."""
        most = min(int(self.share * 2**64), 2**64 - 1)
        draw = PerDistinct(lambda texts: pl.Series(draw_by_text(texts, subject.seed)), location=subject.where)

        def apply(rows: pl.DataFrame, first: int) -> pl.Series:
            numbers = np.arange(first, first + rows.height, dtype=np.uint64)
            drawn = pl.Series(mix(numbers, subject.seed))
            if self.by is not None:
                # Rows without a value belong to nobody: they stay or go by themselves.
                drawn = draw(rows.get_column(self.by)).alias("").fill_null(drawn)
            return drawn <= most

        return apply
