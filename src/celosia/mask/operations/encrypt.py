"""Values encrypted, so that whoever has the key can read them again."""

from collections.abc import Callable, Sequence
from typing import ClassVar

import polars as pl
from pydantic import Field

from celosia.mask.distinct import PerDistinct
from celosia.mask.keys import DEFAULT, SecretKey
from celosia.mask.operation import ColumnFacts, ColumnOperation, Mask, OperationSubject
from celosia.mask.repeats import frequency_leak, per_distinct_value
from celosia.mask.tokens import HEADER, EncryptionMode, TokenSealer, decode_tokens, open_tokens
from celosia.mask.values import texts_of
from celosia.say import say

__all__ = ["Encrypt", "decrypt_values"]


class Encrypt(ColumnOperation):
    """Encrypt values so that whoever has the key can read them again, and nobody can alter them unnoticed.

    With mode ``siv`` (AES-SIV, the default) equal values become equal tokens, so that tables can still be joined:
    12345678Z becomes AfKlZ3k..., 50 characters, wherever it stands. With mode ``gcm`` (AES-GCM) every row gets another
    token, and nobody sees which were equal: use it wherever rows need not be joined by the column, and change the key
    before it has encrypted four thousand million values. Texts are filled up to a multiple of ``pad`` bytes. Integers,
    dates and other values are encrypted as their text, and come back as text.

    Columns that are to be joined need the same key and ``domain``; a column with a domain of its own cannot be linked
    to others. ``celosia decrypt`` reverses it, and ``celosia rotate`` takes a release to a new key.
    """

    name: ClassVar[str] = "encrypt"
    hides_identity: ClassVar[bool] = True
    reversible: ClassVar[str] = say("with the key")
    leaks: ClassVar[str] = say(
        "roughly how long each value is; with mode siv, which rows have the same value, and "
        "so how common each is"
    )

    mode: EncryptionMode = Field(
        default=EncryptionMode.SIV, description="siv: equal values stay equal; gcm: none do"
    )
    key: str | None = Field(default=None, description="the name of the key; the default key if there is none")
    domain: str = Field(default="", description="columns of different domains cannot be linked")
    pad: int = Field(
        default=16, ge=1, le=4096, description="texts are filled up to a multiple of so many bytes"
    )

    @property
    def key_name(self) -> str | None:
        """The key it needs."""
        return self.key or DEFAULT

    @property
    def goes_by_value(self) -> bool:
        """With gcm every row gets another token."""
        return self.mode is EncryptionMode.SIV

    @property
    def is_repeatable(self) -> bool:
        """With gcm every token is drawn anew."""
        return self.mode is EncryptionMode.SIV

    def describe(self) -> str:
        """Such as: encrypted with AES-SIV."""
        return say("encrypted with AES-{mode}", mode=self.mode.upper())

    def weaknesses(self, facts: ColumnFacts) -> tuple[str, ...]:
        """Why it is weak: values which repeat can be told by how common they are."""
        if self.mode is EncryptionMode.GCM or not (facts.is_skewed or facts.is_small):
            return ()
        return (
            say(
                "{frequencies}; unless tables are joined by it, take mode: gcm",
                frequencies=frequency_leak(facts),
            ),
        )

    def start(self, subject: OperationSubject) -> Mask:
        """Encrypt the distinct texts of a batch, or with gcm every one."""
        seal = TokenSealer(subject.keys.current(self.key), self.mode, domain=self.domain, pad=self.pad)
        if self.mode is EncryptionMode.SIV:
            distinct = PerDistinct(per_distinct_value(seal), location=subject.where)
            return lambda values, _: distinct(values)
        return lambda values, _: _present(texts_of(values, location=subject.where), seal)

    def reverse(
        self, keys: Sequence[SecretKey], *, column: str = "", location: str = "", strict: bool = False
    ) -> Callable[[pl.Series], pl.Series]:
        """What takes tokens back to texts, with whichever of the keys; ``strict`` refuses tokens of another mode."""
        mode = self.mode if strict else None

        def opened(texts: pl.Series) -> pl.Series:
            return open_tokens(texts.alias(column), keys, domain=self.domain, mode=mode, location=location)

        return PerDistinct(per_distinct_value(opened), location=location)

    def broken(self, values: pl.Series) -> int:
        """Values that are no tokens, or such whose ciphertext is not filled up as it should be."""
        raw = decode_tokens(texts_of(values))
        extra = 16 if self.mode is EncryptionMode.SIV else 12 + 16
        version = b"\x01" if self.mode is EncryptionMode.SIV else b"\x02"
        filled = raw.bin.size().cast(pl.Int64) - HEADER - extra
        fits = raw.bin.starts_with(version) & (filled > 0) & (filled % self.pad == 0)
        return len(values) - int(fits.fill_null(False).sum())


def decrypt_values(
    values: pl.Series, keys: Sequence[SecretKey], *, domain: str = "", location: str = ""
) -> pl.Series:
    """The texts that were encrypted, with whichever of the keys; missing values stay missing.

    >>> from celosia.mask.operation import OperationSubject
    >>> from celosia.mask.keys import Keys, KeySource
    >>> import os
    >>> os.environ["CLINIC_KEY"] = "00112233445566778899aabbccddeeff" * 2
    >>> keys = Keys({"default": KeySource(environment="CLINIC_KEY")})
    >>> mask = Encrypt().start(OperationSubject("age", pl.Int64(), keys, seed=1))
    >>> tokens = mask(pl.Series([31, None, 31]), pl.DataFrame())
    >>> tokens[0] == tokens[2]
    True
    >>> decrypt_values(tokens, keys.all()).to_list()
    ['31', None, '31']
    """
    return Encrypt(domain=domain).reverse(keys, column=values.name, location=location)(values)


def _present(texts: pl.Series, work: Callable[[pl.Series], pl.Series]) -> pl.Series:
    """Work on the texts that are not missing, every row by itself."""
    if not texts.null_count():
        return work(texts).alias(texts.name)
    present = texts.is_not_null()
    places = (present.cum_sum().cast(pl.Int64) - 1).set(~present, None)
    return work(texts.drop_nulls()).gather(places).alias(texts.name)
