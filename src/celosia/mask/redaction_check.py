"""What may not be left in a redacted text, looked for by other means than those that redacted it."""

from collections.abc import Collection

import polars as pl

from celosia.profile.passages.kinds import LABELS, PassageKind

__all__ = ["count_remains"]

LISTED = "|".join(sorted({label for labels in LABELS.values() for label in labels.values()}))
LABEL = rf"\[(?:{LISTED})(?: [A-Z0-9]+)?\]"
LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"

SHORTEST = 9
"""Some countries have numbers of four digits: those could be anything."""

MOST = 2_000
"""Texts with many digits of a batch that are gone through number by number."""


def count_remains(texts: pl.Series, *, kinds: Collection[PassageKind], countries: tuple[str, ...]) -> int:
    """How many texts still hold addresses, telephones, or long numbers of the kinds that were to be replaced.

    >>> texts = pl.Series(["call [phone]", "call 612345678", "a@b.org"])
    >>> count_remains(texts, kinds=tuple(PassageKind), countries=("ES",))
    2
    """
    plain = texts.alias("text").str.replace_all(LABEL, "")
    wrong = pl.repeat(False, len(plain), dtype=pl.Boolean, eager=True)
    if PassageKind.EMAIL in kinds:
        wrong |= plain.str.contains(r"\w@\w[\w-]*\.\w")
    if PassageKind.URL in kinds:
        wrong |= plain.str.contains(r"(?i)\bhttps?://\w")
    if PassageKind.RECORD in kinds:
        wrong |= plain.str.contains(r"[0-9]{7}")
    if PassageKind.IDENTITY in kinds:
        wrong |= _has_spanish_number(plain)
    left = plain.filter(~wrong)
    return int(wrong.sum()) + (_with_telephones(left, countries) if PassageKind.PHONE in kinds else 0)


def _has_spanish_number(texts: pl.Series) -> pl.Series:
    """Whether a text holds eight digits and the letter that belongs to them: the rest by 23."""
    parts = texts.str.replace_all(r"[.\-]", "").str.extract(
        r"(?:^|[^\p{L}\p{N}])([0-9]{8}[A-Za-z])(?:[^\p{L}\p{N}]|$)"
    )
    rest = parts.str.head(8).cast(pl.Int64, strict=False) % 23
    letters = pl.Series(list(LETTERS)).gather(rest)
    return (letters == parts.str.tail(1).str.to_uppercase()).fill_null(False)


def _with_telephones(texts: pl.Series, countries: tuple[str, ...]) -> int:
    """How many texts hold a number that phonenumbers itself finds, grouped as its country does or with its prefix."""
    many = texts.filter(texts.str.contains(r"[0-9](?:[ ().-]{0,3}[0-9]){8}")).head(MOST)
    return sum(_has_telephone(text, countries) for text in many)


def _has_telephone(text: str, countries: tuple[str, ...]) -> bool:
    from phonenumbers import Leniency, PhoneNumberMatcher

    prefixed = PhoneNumberMatcher(text, None, leniency=Leniency.VALID) if "+" in text else ()
    grouped = (
        match
        for country in countries
        for match in PhoneNumberMatcher(text, country, leniency=Leniency.EXACT_GROUPING)
    )
    return any(True for _ in prefixed) or any(_digits(match.raw_string) >= SHORTEST for match in grouped)


def _digits(text: str) -> int:
    return sum(character.isdigit() for character in text)
