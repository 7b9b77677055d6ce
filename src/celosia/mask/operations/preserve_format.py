"""Ids, card and account numbers encrypted so that they still look like such numbers."""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import ClassVar

import polars as pl
from pydantic import Field, field_validator, model_validator

from celosia.errors import TableError
from celosia.mask.checksums import CHECKS, Checksum
from celosia.mask.distinct import PerDistinct
from celosia.mask.ff1 import FF1, shortest
from celosia.mask.keys import DEFAULT, SecretKey
from celosia.mask.operation import ColumnFacts, ColumnOperation, Mask, OperationSubject
from celosia.mask.repeats import frequency_leak, per_distinct_value
from celosia.mask.shapes import ALPHABETS, LONGEST, TextShape, shape_texts
from celosia.mask.values import texts_of
from celosia.say import say

__all__ = ["PreserveFormat", "UnfitValues"]


class UnfitValues(StrEnum):
    """What becomes of a value that cannot be encrypted in its shape."""

    REFUSE = "refuse"
    SUPPRESS = "suppress"


class PreserveFormat(ColumnOperation):
    """Encrypt ids so that they keep their shape: with some key, 4111-1111-1111-1111 becomes 7309-4421-9052-6608.

    The letters and digits of a value become others of the ``alphabet`` (FF1 of NIST SP 800-38G): ``digits``,
    ``letters`` (small ones stay small), ``alphanumeric`` (digits and capitals), or the characters of a text. Spaces,
    dashes and dots stay in place, and leading zeros are kept: the result is text, for integers too. With a ``checksum``
    the check digits at the end are made anew: a valid number becomes a valid one, an invalid one stays invalid. Kinds:
    luhn (cards), verhoeff, mod11-10 and mod97 (ISO 7064), dni (Spain), nit (Colombia). ``keep_first`` and ``keep_last``
    letters or digits stay in clear; check digits are not counted among the last.

    Equal values stay equal, so tables with the same key, ``domain`` and parameters can be joined; ``celosia decrypt``
    reverses it. Nothing tells a wrong key: what comes out then is another number of the same shape. Use it where a
    system insists on the shape; ``encrypt`` hides more. A value must be one of a million or more: 6 digits, 5
    letters, 4 of both.
    """

    name: ClassVar[str] = "preserve-format"
    hides_identity: ClassVar[bool] = True
    reversible: ClassVar[str] = say("with the key")
    leaks: ClassVar[str] = say(
        "the length and separators of every value, what is kept in clear, whether its "
        "checksum holds, and which rows have the same value"
    )

    alphabet: str = Field(
        default="digits", description="digits, letters, alphanumeric, or the characters themselves"
    )
    checksum: Checksum = Field(
        default=Checksum.NONE,
        description="none, luhn, verhoeff, mod11-10, mod97, dni or nit: check digits at the end",
    )
    keep_first: int = Field(
        default=0, ge=0, description="letters or digits at the beginning that stay in clear"
    )
    keep_last: int = Field(default=0, ge=0, description="letters or digits at the end that stay in clear")
    unfit: UnfitValues = Field(
        default=UnfitValues.REFUSE,
        description="what becomes of values that are too short, too long, or hold other letters or digits: "
        "refuse or suppress",
    )
    key: str | None = Field(default=None, description="the name of the key; the default key if there is none")
    domain: str = Field(default="", description="columns of different domains cannot be linked")

    @field_validator("alphabet")
    @classmethod
    def _is_alphabet(cls, alphabet: str) -> str:
        if alphabet in ALPHABETS:
            return alphabet
        if len(set(alphabet)) != len(alphabet) or len(alphabet) < 2 or not alphabet.isalnum():
            raise ValueError(
                say(
                    "an alphabet is {names}, or two or more letters and digits, each of them once",
                    names=", ".join(ALPHABETS),
                )
            )
        return alphabet

    @model_validator(mode="after")
    def _checks(self) -> "PreserveFormat":
        check = CHECKS.get(self.checksum)
        if check is not None and check.before and not set(self.shape.characters) <= set(check.before):
            raise ValueError(
                say("the checksum {checksum} is not for numbers with that alphabet", checksum=self.checksum)
            )
        return self

    @property
    def shape(self) -> TextShape:
        """What of a value is encrypted."""
        return TextShape(self.alphabet, self.keep_first, self.keep_last, self.checksum)

    @property
    def key_name(self) -> str | None:
        """The key it needs."""
        return self.key or DEFAULT

    def describe(self) -> str:
        """Such as: encrypted in their format."""
        if self.keep_first or self.keep_last:
            return say(
                "encrypted in their format, {first} first and {last} last kept",
                first=self.keep_first,
                last=self.keep_last,
            )
        return say("encrypted in their format")

    def weaknesses(self, facts: ColumnFacts) -> tuple[str, ...]:
        """Why it is weak: values which repeat can be told by how common they are."""
        return (frequency_leak(facts),) if facts.is_skewed else ()

    def start(self, subject: OperationSubject) -> Mask:
        """Encrypt the distinct texts of a batch."""
        work = self._work(subject.keys.current(self.key), subject.column, subject.where, decrypt=False)
        distinct = PerDistinct(per_distinct_value(work), location=subject.where)
        return lambda values, _: distinct(values)

    def reverse(
        self, keys: Sequence[SecretKey], *, column: str = "", location: str = "", strict: bool = False
    ) -> Callable[[pl.Series], pl.Series]:
        """What takes values back, with the first of the keys: they do not tell which one made them."""
        return PerDistinct(
            per_distinct_value(self._work(keys[0], column, location, decrypt=True)), location=location
        )

    def _work(
        self, key: SecretKey, column: str, location: str, *, decrypt: bool
    ) -> Callable[[pl.Series], pl.Series]:
        shape = self.shape
        secret = key.derive("preserve-format", 32)
        cipher = FF1(secret, radix=len(shape.characters), tweak=self.domain.encode())

        def work(texts: pl.Series) -> pl.Series:
            shaped = shape_texts(texts, shape, cipher, decrypt=decrypt)
            if self.unfit is UnfitValues.REFUSE and (wrong := shaped.null_count()):
                raise TableError(
                    say(
                        "{count:,} different values of column {column!r} cannot be encrypted in their format",
                        count=wrong,
                        column=column,
                    ),
                    where=location,
                    remedy=say(
                        "they need {fewest} letters or digits, at most {longest:,} characters, and all that "
                        "is not kept from the alphabet {alphabet}: choose another alphabet, or suppress them "
                        "with unfit: suppress",
                        fewest=shape.fewest,
                        longest=LONGEST,
                        alphabet=self.alphabet,
                    ),
                )
            return shaped

        return work

    def broken(self, values: pl.Series) -> int:
        """Values that are too short, or have letters or digits that the alphabet has not."""
        letters = re.escape(self.shape.characters)
        body = f"[{letters}{letters.lower() if self.shape.keeps_case else ''}]"
        pattern = (
            f"^.{{{self.keep_first}}}{body}{{{shortest(len(self.shape.characters))},}}"
            f".{{{self.keep_last + self.shape.check_width}}}$"
        )
        plain = texts_of(values).str.replace_all(r"[^\p{L}\p{N}]", "")
        return len(values) - int(plain.str.contains(pattern).sum())
