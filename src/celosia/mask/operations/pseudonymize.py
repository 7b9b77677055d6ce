"""Values replaced by pseudonyms that only whoever has the key can make again."""

import math
from typing import ClassVar

import polars as pl
from pydantic import Field, model_validator

from celosia.mask.digests import ALPHABETS, DigestForm, bits_of, hmac_of, show_digests
from celosia.mask.distinct import PerDistinct
from celosia.mask.keys import DEFAULT, SecretKey
from celosia.mask.operation import ColumnFacts, ColumnOperation, Mask, OperationSubject
from celosia.mask.repeats import frequency_leak, per_distinct_value
from celosia.mask.values import texts_of
from celosia.say import say

__all__ = ["Pseudonymize"]

MOST_BITS = 128
"""Longer pseudonyms protect nobody better."""
TOLERATED = 1e-6
"""How probable it may be that any two values share a pseudonym."""


class Pseudonymize(ColumnOperation):
    """Replace every value by a pseudonym: the same value gets the same one in every table and run with the same key.

    With some key, 12345678Z becomes K5QWC7TNZ4LXH2RE; nobody without the key can tell which value it was, or try values
    out. Nobody can undo it, the owner of the key can only make the pseudonyms of known values again. A pseudonym
    is the start of HMAC-SHA256 of the text of the value, so that the number 7 and the text 7 are one. Use it
    for identifiers by which tables are joined. Columns with another ``domain`` get pseudonyms that cannot be
    linked: give every recipient a domain of their own.

    Two of n values share a pseudonym of b bits with a probability of about n²/2^(b+1). The default, 16 characters of
    base32, has 80 bits: for 100 million values, one in 240 million.
    """

    name: ClassVar[str] = "pseudonymize"
    hides_identity: ClassVar[bool] = True
    leaks: ClassVar[str] = say("which rows have the same value, and so how common each is")

    key: str | None = Field(default=None, description="the name of the key; the default key if there is none")
    domain: str = Field(default="", description="columns of different domains cannot be linked")
    form: DigestForm = Field(default=DigestForm.BASE32, description="characters: base32, hex or digits")
    length: int = Field(default=16, ge=4, description="how many characters")

    @model_validator(mode="after")
    def _fits(self) -> "Pseudonymize":
        longest = int(MOST_BITS / bits_of(self.form, 1))
        if self.length > longest:
            raise ValueError(
                say("a pseudonym of {form} has {longest} characters at most", form=self.form, longest=longest)
            )
        return self

    @property
    def key_name(self) -> str | None:
        """The key it needs."""
        return self.key or DEFAULT

    def describe(self) -> str:
        """Such as: replaced by pseudonyms of 16 characters."""
        return say("replaced by pseudonyms of {length} characters", length=self.length)

    def weaknesses(self, facts: ColumnFacts) -> tuple[str, ...]:
        """Pseudonyms that are too short for the values, and values that can be told by how common they are."""
        weaknesses: list[str] = []
        bits = bits_of(self.form, self.length)
        shared = facts.distinct**2 / 2 ** (bits + 1)
        if shared > TOLERATED:
            needed = math.ceil(math.log2(max(2, facts.distinct) ** 2 / 2 / TOLERATED) / bits_of(self.form, 1))
            weaknesses.append(self._too_short(facts.distinct, shared, needed))
        if facts.is_skewed:
            weaknesses.append(
                say(
                    "{frequencies}; suppress the column unless tables are joined by it",
                    frequencies=frequency_leak(facts),
                )
            )
        return tuple(weaknesses)

    def _too_short(self, distinct: int, odds: float, needed: int) -> str:
        if odds >= 1:
            return say(
                "that two of {distinct:,} values share a pseudonym of {length} characters is certain: "
                "take a length of {needed} or more",
                distinct=distinct,
                length=self.length,
                needed=needed,
            )
        return say(
            "that two of {distinct:,} values share a pseudonym of {length} characters has a probability of {odds:.2g}: "
            "take a length of {needed} or more",
            distinct=distinct,
            length=self.length,
            odds=odds,
            needed=needed,
        )

    def start(self, subject: OperationSubject) -> Mask:
        """Replace the distinct texts of a batch."""
        work = PerDistinct(
            per_distinct_value(self.pseudonyms(subject.keys.current(self.key))), location=subject.where
        )
        return lambda values, _: work(values)

    def pseudonyms(self, key: SecretKey) -> "PseudonymsOf":
        """The function from texts to their pseudonyms."""
        return PseudonymsOf(self, key)

    def broken(self, values: pl.Series) -> int:
        """Values that are no pseudonyms of this form and length."""
        pattern = f"^[{ALPHABETS[self.form]}]{{{self.length}}}$"
        return len(values) - int(texts_of(values).str.contains(pattern).sum())


class PseudonymsOf:
    """From texts to pseudonyms, with a key that is derived for a domain."""

    def __init__(self, operation: Pseudonymize, key: SecretKey) -> None:
        self._digest = hmac_of(key.derive(f"pseudonymize: {operation.domain}", 32))
        self._form, self._length = operation.form, operation.length

    def __call__(self, texts: pl.Series) -> pl.Series:
        """The pseudonyms of texts, none of them missing."""
        return show_digests(map(self._digest, texts.cast(pl.Binary).to_list()), self._form, self._length)
