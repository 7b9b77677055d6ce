"""Columns, or some of their cells, taken away."""

from typing import ClassVar

import polars as pl
from pydantic import Field, field_validator

from celosia.mask.operation import ColumnOperation, Mask, OperationSubject
from celosia.mask.row_condition import RowCondition, check_rule
from celosia.mask.values import texts_of
from celosia.say import say

__all__ = ["Suppress"]


class Suppress(ColumnOperation):
    """Take a column out of the release or, with a rule, only the cells of rows that match it.

    With ``where: "status in ('Widowed', 'Married')"`` and ``label: withheld``, the status of those rows becomes
    withheld and that of all others stays; without a label these cells are missing, and so they are with a label that
    means a missing value in that table, as ``?`` and ``NA`` often do. With a label and no rule, every value becomes the
    label and the column stays, for programs that expect it.

    Use it for names and other identifiers that nobody needs, and for the few values of a column that are so rare that
    they tell somebody apart.
    """

    name: ClassVar[str] = "suppress"
    leaks: ClassVar[str] = say("nothing of what is taken away; with a rule, that the cell matched it")

    where: str | None = Field(
        default=None, description="which rows, a condition as in SQL: age > 90; all without it"
    )
    label: str | None = Field(
        default=None, description="what takes the place of a cell; it is missing without one"
    )

    @field_validator("where")
    @classmethod
    def _readable(cls, condition: str | None) -> str | None:
        return None if condition is None else check_rule(condition)

    @property
    def removes_column(self) -> bool:
        """Without a rule and a label nothing of the column stays."""
        return self.where is None and self.label is None

    @property
    def goes_by_value(self) -> bool:
        """Not with a rule, which looks at the row."""
        return self.where is None

    def describe(self) -> str:
        """Such as: removed; or: 'withheld' where age > 90."""
        if self.removes_column:
            return say("removed")
        if self.where is None:
            return repr(self.label)
        if self.label is None:
            return say("missing where {condition}", condition=self.where)
        return say("{label!r} where {condition}", label=self.label, condition=self.where)

    def needs(self, subject_person: str | None = None) -> tuple[str, ...]:
        """The columns of the rule."""
        return () if self.where is None else RowCondition(self.where).columns

    def start(self, subject: OperationSubject) -> Mask:
        """Suppress the cells of a batch."""
        if self.where is None:
            dtype = None if self.label is None else pl.Enum([self.label])
            return lambda values, _: _all_become(values, self.label, dtype)
        pick = RowCondition(self.where).start(subject.type_of)
        label = self.label

        def apply(values: pl.Series, rows: pl.DataFrame) -> pl.Series:
            kept = ~pick(rows)
            if label is None:
                return values.zip_with(kept, pl.Series([None], dtype=values.dtype))
            texts = texts_of(values, location=subject.where)
            return texts.zip_with(kept | texts.is_null(), pl.Series([label]))

        return apply

    def broken(self, values: pl.Series) -> int:
        """Values of a column that should hold nothing but the label."""
        if self.where is not None:
            return 0
        return len(values) if self.label is None else int((values.cast(pl.String) != self.label).sum())


def _all_become(values: pl.Series, label: str | None, dtype: pl.DataType | None) -> pl.Series:
    if dtype is None:
        return pl.Series([None], dtype=values.dtype).new_from_index(0, len(values)).alias(values.name)
    labels = pl.Series([label], dtype=dtype).new_from_index(0, len(values))
    return labels.zip_with(values.is_not_null(), pl.Series([None], dtype=dtype)).alias(values.name)
