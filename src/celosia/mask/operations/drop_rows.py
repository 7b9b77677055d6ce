"""Rows left out by a rule."""

from collections.abc import Callable
from typing import ClassVar

import polars as pl
from pydantic import Field, field_validator

from celosia.mask.operation import OperationSubject, RowOperation
from celosia.mask.row_condition import RowCondition, check_rule
from celosia.say import say

__all__ = ["DropRows"]


class DropRows(RowOperation):
    """Leave out the rows that match a rule: with ``where: "age < 18"``, no minors are in the release.

    A row stays if the rule is false for it or cannot be told because a value is missing; say ``age < 18 or age is
    null`` to leave those out too. Use it for people who may not be released at all, and for rows that are no people.
    """

    name: ClassVar[str] = "drop-rows"
    leaks: ClassVar[str] = say(
        "nothing of the rows left out; of those that stay, that they do not match the rule"
    )

    where: str = Field(description="which rows go, a condition as in SQL: age < 18 and city = 'Soria'")

    @field_validator("where")
    @classmethod
    def _readable(cls, condition: str) -> str:
        return check_rule(condition)

    def describe(self) -> str:
        """Such as: without rows where age < 18."""
        return say("without rows where {condition}", condition=self.where)

    def needs(self, subject_person: str | None = None) -> tuple[str, ...]:
        """The columns of the rule."""
        return RowCondition(self.where).columns

    def start_rows(self, subject: OperationSubject) -> Callable[[pl.DataFrame, int], pl.Series]:
        """Which rows of a batch do not match."""
        pick = RowCondition(self.where).start(subject.type_of)
        return lambda rows, _: ~pick(rows)
