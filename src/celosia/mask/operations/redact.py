"""What tells who somebody is in free text, replaced by what kind of thing it was."""

from typing import ClassVar, Literal

import polars as pl
from pydantic import Field, field_validator

from celosia.mask.keys import DEFAULT
from celosia.mask.operation import ColumnFacts, ColumnOperation, Mask, OperationSubject
from celosia.mask.redacting import Redaction
from celosia.mask.redaction_check import count_remains
from celosia.mask.values import texts_of
from celosia.profile.passages.kinds import PassageKind
from celosia.profile.passages.numbers import COUNTRIES
from celosia.say import say

__all__ = ["Redact"]


class Redact(ColumnOperation):
    """Replace what tells who somebody is in sentences: "call Ana Gil, 612 34 56 78" becomes "call [person], [phone]".

    It looks for e-mail and web addresses, devices, telephones, identity numbers, accounts and cards with their check
    digits, dates, postcodes, other long numbers, and names of people and places, English and Spanish. Names are found
    by lists and by the words around them, and some are missed. ``words`` and ``columns`` name what has to go besides: a
    list, or the column of the same row that holds the patient's name.

    With ``tags: row`` the same name has the same number within a text ([person 1], [person 2]); with ``tags: table`` it
    has the same tag in all of them, which follows from the key.

    Use it where sentences must leave and somebody reads a part of them first. Finding is not proof: who wrote "the
    mayor's youngest daughter" named her, and no list holds that. Leave the column out wherever you can.
    """

    name: ClassVar[str] = "redact"
    leaks: ClassVar[str] = say(
        "whatever was not recognized, such as rare names, nicknames and events; finding is not proof"
    )

    kinds: tuple[PassageKind, ...] = Field(
        default=(), description="what is replaced, such as phone or person; everything if nothing is named"
    )
    language: Literal["en", "es"] = Field(default="en", description="the language of what is written instead")
    countries: tuple[str, ...] = Field(
        default=(),
        description="countries, such as ES or MX, whose telephones and identity numbers are recognized; many if "
        "none is named",
    )
    tags: Literal["none", "row", "table"] = Field(
        default="none",
        description="whether what is the same gets the same tag: within a row, in the whole table",
    )
    words: tuple[str, ...] = Field(default=(), description="further words that are replaced")
    columns: tuple[str, ...] = Field(
        default=(), description="columns of the same row whose words are replaced, such as that of the name"
    )
    key: str | None = Field(
        default=None, description="the name of the key for tags; the default key if there is none"
    )

    @field_validator("countries")
    @classmethod
    def _known(cls, countries: tuple[str, ...]) -> tuple[str, ...]:
        from phonenumbers import SUPPORTED_REGIONS

        for country in countries:
            if country not in SUPPORTED_REGIONS:
                raise ValueError(
                    say("{country!r} is no country; write its two letters, as in ES or MX", country=country)
                )
        return countries

    @property
    def key_name(self) -> str | None:
        """The key it needs, for tags over a whole table."""
        return (self.key or DEFAULT) if self.tags == "table" else None

    @property
    def goes_by_value(self) -> bool:
        """With the words of other columns, it depends on the row."""
        return not self.columns

    def needs(self, subject_person: str | None = None) -> tuple[str, ...]:
        """The columns whose words are replaced."""
        return self.columns

    def describe(self) -> str:
        """Such as: redacted; or: redacted: phone, email."""
        if not self.kinds:
            return say("redacted")
        return say("redacted: {kinds}", kinds=", ".join(self.kinds))

    def weaknesses(self, facts: ColumnFacts) -> tuple[str, ...]:
        """Why it is weak: nobody knows what was missed."""
        weaknesses = [
            say(
                "free text leaves, with whatever was not recognized in it: read a part of it, or leave the column out"
            )
        ]
        if self.tags == "table":
            weaknesses.append(say("tags tell which texts name the same person, and how often"))
        return tuple(weaknesses)

    def start(self, subject: OperationSubject) -> Mask:
        """Replace the passages of a batch."""
        digest = None
        if self.tags == "table":
            from celosia.mask.digests import hmac_of

            digest = hmac_of(subject.keys.current(self.key).derive("redact", 32))
        redaction = Redaction(
            kinds=self.kinds or tuple(PassageKind),
            countries=self.countries or COUNTRIES,
            language=self.language,
            tags=self.tags,
            words=self.words,
            digest=digest,
        )

        def apply(values: pl.Series, rows: pl.DataFrame) -> pl.Series:
            beside = [texts_of(rows.get_column(name), location=subject.where) for name in self.columns]
            return redaction.apply(texts_of(values, location=subject.where), beside)

        return apply

    def broken(self, values: pl.Series) -> int:
        """Texts in which addresses, telephones or long numbers are left."""
        return count_remains(
            texts_of(values), kinds=self.kinds or tuple(PassageKind), countries=self.countries or COUNTRIES
        )
