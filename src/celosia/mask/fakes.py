"""People, places and numbers that do not exist, drawn for originals that do.

What is drawn follows from a key and the original alone, so that an original has one fake in every table and run, as
long as the lists that fakes are taken from stay the same: a new version of Faker may bring others.
"""

import base64
import unicodedata
from collections.abc import Callable
from functools import lru_cache

import polars as pl

from celosia.errors import ProjectError
from celosia.mask.fake_kinds import SHAPED, FakeKind
from celosia.say import say

__all__ = ["DOMAINS", "Fakes"]

POOL = 10_000
"""Fakes of a kind that are drawn beforehand; fewer where a locale has not as many."""
PATIENCE = 2_000
"""Draws in a row that bring nothing new before a list counts as exhausted."""
DOMAINS = ("example.com", "example.net", "example.org")
"""Kept free for examples (RFC 2606): mail to them reaches nobody."""
SCRATCH = 9
"""Digits of a number that is made from scratch."""
TAG = 12
"""Characters of 5 bits that tell fakes apart."""


PROVIDERS = {
    FakeKind.FIRST_NAME: "first_name",
    FakeKind.LAST_NAME: "last_name",
    FakeKind.ADDRESS: "address",
    FakeKind.STREET: "street_address",
    FakeKind.CITY: "city",
    FakeKind.COUNTRY: "country",
    FakeKind.COMPANY: "company",
    FakeKind.JOB: "job",
    FakeKind.EMAIL: "user_name",
    FakeKind.USER_NAME: "user_name",
}


class Fakes:
    """Fakes of one kind for originals; ``digest`` is the keyed function that chooses them.

    >>> from celosia.mask.digests import hmac_of
    >>> fakes = Fakes(FakeKind.PHONE, "en_US", hmac_of(b"a key"))
    >>> fake = fakes.fake("+34 600 111 222")
    >>> fake[:4], len(fake), fake == "+34 600 111 222"
    ('+34 ', 15, False)
    """

    def __init__(
        self, kind: FakeKind, locale: str, digest: Callable[[bytes], bytes], *, unique: bool = False
    ) -> None:
        self._kind, self._unique, self._digest = kind, unique, digest
        self._locale = locale
        seed = int.from_bytes(digest(b"pool"))
        if kind is FakeKind.NAME:
            self._first = pool(locale, FakeKind.FIRST_NAME, seed)
            self._last = pool(locale, FakeKind.LAST_NAME, seed)
        elif kind not in SHAPED:
            self._pool = pool(locale, kind, seed)

    def __call__(self, texts: pl.Series) -> pl.Series:
        """The fakes of texts."""
        return pl.Series([self.fake(text) for text in texts.to_list()], dtype=pl.String)

    def fake(self, original: str) -> str:
        """The fake of an original, never the original itself where that can be avoided."""
        plain = _plain(original, self._kind)
        for attempt in range(8):
            drawn = self._digest(f"{self._kind}\0{attempt}\0{plain}".encode())
            if self._kind in SHAPED:
                fake = _reshape(original, self._kind, self._stream(drawn))
            else:
                fake = _in_case_of(original, self._choose(original, drawn))
            if fake.casefold() != original.strip().casefold():
                break
        return fake

    def _choose(self, original: str, drawn: bytes) -> str:
        draw, other, third = (int.from_bytes(drawn[at : at + 8]) for at in (0, 8, 16))
        tag = base64.b32encode(drawn[24:32])[:TAG].decode() if self._unique else ""
        if self._kind is FakeKind.EMAIL:
            user = self._pool[draw % len(self._pool)]
            domain = DOMAINS[other % len(DOMAINS)]
            return f"{user}.{tag.lower()}@{domain}" if tag else f"{user}@{domain}"
        if self._kind is FakeKind.NAME:
            first, last = self._first[draw % len(self._first)], self._last[other % len(self._last)]
            # Spanish names have two surnames; so has the fake, if the original may have.
            if self._locale.startswith("es") and len(original.split()) > 2:
                last = f"{last} {self._last[third % len(self._last)]}"
            chosen = f"{last}, {first}" if "," in original else f"{first} {last}"
        else:
            chosen = self._pool[draw % len(self._pool)]
        return f"{chosen} {tag}" if tag else chosen

    def _stream(self, drawn: bytes) -> Callable[[int], int]:
        """A function that draws numbers below a limit, as many as needed."""
        left, block = [int.from_bytes(drawn), 256], [0]

        def draw(below: int) -> int:
            if left[1] < 64:  # the remainders of what is left would no longer be evenly spread
                block[0] += 1
                left[:] = [int.from_bytes(self._digest(drawn + bytes([block[0] % 256]))), 256]
            left[0], number = divmod(left[0], below)
            left[1] -= below.bit_length()
            return number

        return draw


@lru_cache(maxsize=32)
def pool(locale: str, kind: FakeKind, seed: int) -> tuple[str, ...]:
    """Different fakes of a kind, in an order that only the seed tells."""
    try:
        from faker import Faker
    except ImportError:
        raise ProjectError(
            say("Faker is not installed"), where="operation fake", remedy='pip install "celosia[fakes]"'
        ) from None
    try:
        faker = Faker(locale, use_weighting=False)  # measured: weighing names takes ten times as long
        faker.seed_instance(seed)
        draw = getattr(faker, PROVIDERS[kind])
        names: dict[str, None] = {}
        idle = 0
        while len(names) < POOL and idle < PATIENCE:
            before = len(names)
            names[" ".join(str(draw()).replace("\n", ", ").split())] = None
            idle = 0 if len(names) > before else idle + 1
    except AttributeError:
        raise ProjectError(
            say(
                "there are no fakes of kind {kind!r} for the locale {locale!r}",
                kind=kind.value,
                locale=locale,
            ),
            where=say("operation fake"),
            remedy=say("choose a locale such as es_ES, es_MX, en_US, en_GB, fr_FR, de_DE or pt_BR"),
        ) from None
    return tuple(names)


def _plain(original: str, kind: FakeKind) -> str:
    """What two spellings of one original have in common."""
    text = unicodedata.normalize("NFC", original).casefold()
    if kind in SHAPED:
        return "".join(character for character in text if character.isalnum())
    return " ".join(text.split())


def _in_case_of(original: str, fake: str) -> str:
    if original.isupper():
        return fake.upper()
    return fake.lower() if original.islower() else fake


def _reshape(original: str, kind: FakeKind, draw: Callable[[int], int]) -> str:
    """Other digits and letters in the places of those there are; the prefix of a country stays.

    What is no number of the kind, as a remark instead of a telephone number, gets one from scratch: its words would
    leave otherwise, or their lengths.
    """
    text = unicodedata.normalize("NFC", original)
    prefix = _prefix_length(text)
    changes = [not _is_separator(character) for character in text[prefix:]]
    if not any(changes) or (kind is FakeKind.PHONE and any(character.isalpha() for character in text)):
        return str(1 + draw(9)) + "".join(str(draw(10)) for _ in range(SCRATCH - 1))
    shown = [text[:prefix]]
    is_first = True
    for character, is_changed in zip(text[prefix:], changes, strict=True):
        if not is_changed:
            shown.append(character)
            continue
        if not character.isdecimal():
            letter = chr(ord("a") + draw(26)) if kind is not FakeKind.PHONE else str(draw(10))
            shown.append(letter.upper() if character.isupper() else letter)
        elif is_first:
            # Numbers seldom begin with 0; where the original does, it is a prefix, unless that is all there is.
            is_prefix = character == "0" and sum(changes) > 1
            shown.append("0" if is_prefix else str(1 + draw(9)))
        else:
            shown.append(str(draw(10)))
        is_first = False
    return "".join(shown)


def _is_separator(character: str) -> bool:
    """Whether a character says nothing by itself: spaces and punctuation, and no other signs than those of ASCII."""
    if character.isascii():
        return not character.isalnum()
    return unicodedata.category(character)[0] in "PZ"


def _prefix_length(original: str) -> int:
    """Characters up to the end of +34 or the like, if more follows; without a separator after it, of the plus alone."""
    text = original.lstrip()
    if not text.startswith("+"):
        return 0
    digits = 1
    while digits < len(text) and text[digits].isdecimal():
        digits += 1
    is_prefix = digits <= 4 and any(character.isdecimal() for character in text[digits:])
    return len(original) - len(text) + (digits if is_prefix else 1)
