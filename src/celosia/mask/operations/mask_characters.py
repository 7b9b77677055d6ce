"""Characters of a text made unreadable."""

import re
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from celosia.mask.characters import mask_ascii
from celosia.mask.distinct import PerDistinct
from celosia.mask.operation import ColumnFacts, ColumnOperation, Mask, OperationSubject
from celosia.say import say

__all__ = ["MaskCharacters"]

READABLE = r"[\p{L}\p{M}\p{N}]"
"""Letters, with their accents, and digits; all else separates."""


class MaskCharacters(ColumnOperation):
    """Replace characters by ``*``: keeping the last 4, 4111-1111-1111-1234 becomes ***************1234.

    With ``keep_separators`` the hyphens stay: ****-****-****-1234. With ``length: 6`` six are written however many were
    there: ******1234. A text that is not longer than what would be kept is masked as a whole: nothing of it stays.

    Use it for what people must recognize and nobody else may read, as the end of a card number on a receipt.
    """

    name: ClassVar[str] = "mask-characters"
    leaks: ClassVar[str] = say("the characters kept and, without a fixed length, how long the text was")

    keep_first: int = Field(default=0, ge=0, description="characters at the beginning that stay")
    keep_last: int = Field(default=0, ge=0, description="characters at the end that stay")
    character: str = Field(default="*", min_length=1, max_length=1, description="what is written instead")
    keep_separators: bool = Field(default=False, description="whether all but letters and digits stays")
    length: int | None = Field(
        default=None, ge=1, le=1000, description="how many are written, whatever the length of the text"
    )

    @model_validator(mode="after")
    def _one_shape(self) -> "MaskCharacters":
        if self.keep_separators and self.length is not None:
            raise ValueError(say("separators cannot be kept in a fixed length: choose one of the two"))
        return self

    def describe(self) -> str:
        """Such as: masked but for the last 4 characters."""
        first, last = self.keep_first, self.keep_last
        if first and last:
            return say(
                "masked but for the first {first} and the last {last} characters", first=first, last=last
            )
        if first:
            return say("masked but for the first {first} characters", first=first)
        if last:
            return say("masked but for the last {last} characters", last=last)
        return say("masked")

    def weaknesses(self, facts: ColumnFacts) -> tuple[str, ...]:
        """A few values can be told apart by their length."""
        if not facts.is_small or self.length is not None:
            return ()
        return (say("only few values exist, and their lengths can tell them apart: give a length"),)

    def start(self, subject: OperationSubject) -> Mask:
        """Mask the texts of a batch."""
        mask = PerDistinct(self.mask, location=subject.where)
        return lambda values, _: mask(values)

    def mask(self, texts: pl.Series) -> pl.Series:
        """Texts with their characters replaced.

        >>> MaskCharacters(keep_last=2, keep_separators=True).mask(pl.Series(["12-34", "7"])).to_list()
        ['**-34', '*']
        """
        if self.length is None and self.character.isascii():
            is_plain = texts.str.len_bytes() == texts.str.len_chars()
            if is_plain.all():
                return self._mask_ascii(texts)
        return self._mask_any(texts)

    def _mask_ascii(self, texts: pl.Series) -> pl.Series:
        """Texts of bytes that are characters: ten times as fast, and most numbers are such."""
        hidden = np.array([chr(code).isalnum() or not self.keep_separators for code in range(128)])
        masked = mask_ascii(
            texts, first=self.keep_first, last=self.keep_last, character=self.character, hidden=hidden
        )
        return masked.alias(texts.name)

    def _mask_any(self, texts: pl.Series) -> pl.Series:
        lengths = texts.str.len_chars().cast(pl.Int64)
        kept = self.keep_first + self.keep_last
        shows = lengths > kept
        hidden = (lengths - kept).zip_with(shows, lengths)
        if self.keep_separators:
            frame = pl.DataFrame({"text": texts.alias("text"), "hidden": hidden.alias("hidden")})
            middle = frame.select(pl.col("text").str.slice(self.keep_first, pl.col("hidden"))).to_series()
            masked = middle.zip_with(shows, texts).str.replace_all(
                READABLE, self.character.replace("$", "$$")
            )
        elif self.length is not None:
            masked = pl.Series([self.character * self.length]).new_from_index(0, len(texts))
        else:
            masked = _repeat(self.character, hidden)
        if not kept:
            return masked.alias(texts.name)
        around = texts.str.head(self.keep_first) + masked + texts.str.tail(self.keep_last)
        return around.zip_with(shows, masked).alias(texts.name)

    def broken(self, values: pl.Series) -> int:
        """Texts that show more than they may."""
        sign = "[" + re.escape(self.character) + (r"[^\p{L}\p{M}\p{N}]" if self.keep_separators else "") + "]"
        many = f"{{{self.length}}}" if self.length is not None else "+"
        alone = f"{{{self.length}}}" if self.length is not None else "*"
        pattern = rf"(?s)^(?:.{{{self.keep_first}}}{sign}{many}.{{{self.keep_last}}}|{sign}{alone})$"
        return int((~values.cast(pl.String).str.contains(pattern)).sum())


def _repeat(character: str, lengths: pl.Series) -> pl.Series:
    """As many of a character as each length says."""
    most = int(lengths.max() or 0)  # type: ignore[arg-type]
    if most > 4096:
        return pl.Series([character * length for length in lengths.to_list()], dtype=pl.String)
    return pl.Series([character * length for length in range(most + 1)], dtype=pl.String).gather(lengths)
