"""Numbers in a text: telephones, identity numbers with their check digits, accounts, and whatever is long."""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

from celosia.profile.numbers import checker, is_card
from celosia.profile.passages.kinds import PassageKind

__all__ = ["COUNTRIES", "kind_of_number", "split_numbers"]

COUNTRIES = (
    "ES",
    "MX",
    "CO",
    "AR",
    "CL",
    "PE",
    "UY",
    "EC",
    "VE",
    "BO",
    "US",
    "GB",
    "FR",
    "IT",
    "PT",
    "BR",
    "DE",
)
"""Countries whose telephones are recognized without their prefix, and whose identity numbers are looked for."""

FURTHER = (("AR", "0?[1-9][0-9]{1,3}15[0-9]{6,8}"),)
"""Forms that differ from the number with its prefix: in Argentina a mobile is dialled with a 15 in its middle."""

LONG = 7
"""So many digits in a row, whatever they are, are looked at as a number that somebody gave to somebody."""

WITH_LETTERS = (
    (r"[0-9]{8}[A-Z]", "es.dni"),
    (r"[XYZ][0-9]{7}[A-Z]", "es.nie"),
    (r"[A-Z]{4}[0-9]{6}[A-Z]{6}[A-Z0-9][0-9]", "mx.curp"),
    (r"[A-Z]{6}[0-9]{2}[A-Z][0-9]{2}[A-Z][0-9]{3}[A-Z]", "it.codicefiscale"),
    (r"[0-9]{7,8}K", "cl.rut"),
    (r"[VEJPG][0-9]{9}", "ve.rif"),
    (r"[0-9]{9}[A-Z]{2}[0-9]", "pt.cc"),
)
DIGITS_ONLY = (
    (r"[0-9]{8,9}", "cl.rut"),
    (r"[0-9]{11}", "ar.cuit"),
    (r"[0-9]{11}", "br.cpf"),
    (r"[0-9]{10}", "ec.ci"),
    (r"[0-9]{11}", "do.cedula"),
    (r"[0-9]{9,10}", "co.nit"),
    (r"[0-9]{7,8}", "uy.ci"),
    (r"[0-9]{10}", "gb.nhs"),
    (r"[0-9]{15}", "fr.nir"),
    (r"[0-9]{9}", "pt.nif"),
    (r"[0-9]{11}", "de.idnr"),
)
NINO = re.compile(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][0-9]{6}[A-D]")
SSN = re.compile(r"(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}")
IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
"""With so many digits it is one even if a digit was mistyped."""


@lru_cache(maxsize=1 << 16)
def kind_of_number(text: str, countries: tuple[str, ...]) -> PassageKind | None:
    """What a number is, written in whatever way; None if it says nothing of anybody.

    >>> [kind_of_number(text, COUNTRIES).value for text in ("612 34 56 78", "99000001-C", "4111 1111 1111 1111")]
    ['phone', 'identity', 'account']
    >>> kind_of_number("120 80", COUNTRIES) is None, kind_of_number("0012345", COUNTRIES).value
    (True, 'record')
    """
    plain = re.sub(r"[^0-9A-Za-z]", "", text).upper()
    digits = sum(character.isdigit() for character in plain)
    if IBAN.fullmatch(plain) and (digits >= 16 or checker("iban")(plain)):
        return PassageKind.ACCOUNT
    if _is_identity(plain, WITH_LETTERS, countries) or NINO.fullmatch(plain) or SSN.fullmatch(text):
        return PassageKind.IDENTITY
    if is_card(plain):
        return PassageKind.ACCOUNT
    if plain.isdigit():
        return _kind_of_digits(text, plain, countries)
    return PassageKind.RECORD if digits >= LONG or (digits >= 5 and " " not in text) else None


def _kind_of_digits(text: str, plain: str, countries: tuple[str, ...]) -> PassageKind | None:
    dialled = text.lstrip("(").startswith(("+", "00")) and 8 <= len(plain) <= 17
    is_phone = dialled or (
        8 <= len(plain) <= 13 and _is_grouped(text) and bool(_phone_pattern(countries).fullmatch(plain))
    )
    is_identity = _is_identity(plain, DIGITS_ONLY, countries)
    if is_identity and (not is_phone or ("." in text and "-" in text)):
        return PassageKind.IDENTITY
    if is_phone:
        return PassageKind.PHONE
    is_long = re.search(rf"[0-9]{{{LONG},}}", text) or re.fullmatch(r"[0-9]+(?:[.-][0-9]+)+", text)
    return PassageKind.RECORD if is_long and len(plain) >= LONG else None


def _is_grouped(text: str) -> bool:
    """Whether digits are put together as in a telephone number: values in a row are pairs and have slashes."""
    groups = re.findall(r"[0-9]+", text)
    is_german = len(groups) == 2 and text.startswith("0")
    return ("/" not in text or is_german) and (text.startswith("0") or max(map(len, groups)) >= 3)


def _is_identity(plain: str, formats: Iterable[tuple[str, str]], countries: tuple[str, ...]) -> bool:
    return any(
        check(plain)
        for country, shape, check in _checkers(tuple(formats))
        if country in countries and shape.fullmatch(plain)
    )


@cache
def _checkers(
    formats: tuple[tuple[str, str], ...],
) -> list[tuple[str, re.Pattern[str], Callable[[str], bool]]]:
    return [(code[:2].upper(), re.compile(shape), checker(code)) for shape, code in formats]


@cache
def _phone_pattern(countries: tuple[str, ...]) -> re.Pattern[str]:
    """Every telephone number of some countries as one expression, from the patterns that phonenumbers goes by.

    Asking it number by number and country by country takes a hundred times as long.
    """
    from phonenumbers import PhoneMetadata

    parts = []
    for country in countries:
        known = PhoneMetadata.metadata_for_region(country)
        if known is None:
            continue
        kinds = [known.fixed_line, known.mobile, known.toll_free, known.premium_rate, known.shared_cost]
        kinds += [known.personal_number, known.voip, known.uan]
        numbers = "|".join(
            kind.national_number_pattern for kind in kinds if kind and kind.national_number_pattern
        )
        prefix = f"(?:{known.national_prefix})?" if known.national_prefix else ""
        parts.append(f"{prefix}(?:{numbers})")
        parts.append(f"{known.country_code}(?:{numbers})")
        parts += [pattern for code, pattern in FURTHER if code == country]
    return re.compile("|".join(parts) or r"(?!)")


def split_numbers(text: str) -> Iterable[tuple[int, int]]:
    """Stretches between blanks of a text of digits, the longest first: two numbers may stand side by side.

    >>> [("12 345")[low:high] for low, high in split_numbers("12 345")]
    ['12 345', '12', '345']
    """
    groups = [(found.start(), found.end()) for found in re.finditer(r"[^ ]+", text)][:12]
    for size in range(len(groups), 0, -1):
        for first in range(len(groups) - size + 1):
            yield groups[first][0], groups[first + size - 1][1]
