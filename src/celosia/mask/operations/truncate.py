"""Texts cut short."""

from typing import ClassVar

import polars as pl
from pydantic import Field, model_validator

from celosia.mask.distinct import PerDistinct
from celosia.mask.operation import ColumnOperation, Mask, OperationSubject
from celosia.say import say

__all__ = ["Truncate"]


class Truncate(ColumnOperation):
    """Keep the first or the last characters of a text: with first 2, the postcode 28013 becomes 28.

    Texts that are not longer stay as they are. An ``ellipsis`` can show where something was cut. Use it for codes whose
    beginning is the more general part: postcodes, diagnoses, occupations. Where places differ in size, a hierarchy does
    it better: see generalize.
    """

    name: ClassVar[str] = "truncate"
    leaks: ClassVar[str] = say("the characters that stay, and short texts as a whole")

    first: int | None = Field(default=None, ge=0, description="keep this many characters from the beginning")
    last: int | None = Field(default=None, ge=0, description="keep this many characters from the end")
    ellipsis: str = Field(
        default="", description="what shows that something was cut off: …; nothing unless given"
    )

    @model_validator(mode="after")
    def _one_end(self) -> "Truncate":
        if (self.first is None) == (self.last is None):
            raise ValueError(say("give either first or last"))
        return self

    def describe(self) -> str:
        """Such as: cut to the first 2 characters."""
        if self.last is None:
            return say("cut to the first {count} characters", count=self.first)
        return say("cut to the last {count} characters", count=self.last)

    def start(self, subject: OperationSubject) -> Mask:
        """Cut the texts of a batch."""
        cut = PerDistinct(self.cut, location=subject.where)
        # Measured: cutting a text takes less time than finding out which one it is.
        return lambda values, _: self.cut(values) if values.dtype == pl.String else cut(values)

    def cut(self, texts: pl.Series) -> pl.Series:
        """Texts without what is beyond the limit.

        >>> Truncate(first=2, ellipsis="…").cut(pl.Series(["28013", "28"])).to_list()
        ['28…', '28']
        """
        count = self.last if self.first is None else self.first
        short = texts.str.tail(count or 0) if self.first is None else texts.str.head(count or 0)
        if not self.ellipsis:
            return short
        marked = self.ellipsis + short if self.first is None else short + self.ellipsis
        return marked.zip_with(texts.str.len_chars() > count, texts).alias(texts.name)

    def broken(self, values: pl.Series) -> int:
        """Texts that are too long."""
        most = (self.first if self.last is None else self.last) or 0
        return int((values.cast(pl.String).str.len_chars() > most + len(self.ellipsis)).sum())
