"""Numbers issued to one person: identity, tax and insurance numbers, bank accounts and cards.

Only formats with a check digit (or an unmistakable shape) are listed: one ordinary integer in ten passes a
check digit by chance, but never eight out of ten in a sample.
"""

from collections.abc import Callable, Sequence
from importlib import import_module

from celosia.say import say

__all__ = ["best_number_format", "valid_share"]

FORMATS = {
    "iban": say("IBAN bank account numbers"),
    "card": say("payment card numbers"),
    "es.dni": say("Spanish DNI numbers"),
    "es.nie": say("Spanish NIE numbers"),
    "es.nif": say("Spanish NIF numbers"),
    "co.nit": say("Colombian NIT or cédula numbers"),
    "cl.rut": say("Chilean RUT numbers"),
    "ar.cuit": say("Argentine CUIT or CUIL numbers"),
    "br.cpf": say("Brazilian CPF numbers"),
    "mx.curp": say("Mexican CURP codes"),
    "ec.ci": say("Ecuadorian cédula numbers"),
    "do.cedula": say("Dominican cédula numbers"),
    "ve.rif": say("Venezuelan RIF numbers"),
    "us.ssn": say("US Social Security numbers"),
    "ca.sin": say("Canadian Social Insurance numbers"),
    "gb.nhs": say("British NHS numbers"),
    "ie.pps": say("Irish PPS numbers"),
    "fr.nir": say("French NIR numbers"),
    "it.codicefiscale": say("Italian codici fiscali"),
    "pt.cc": say("Portuguese citizen card numbers"),
    "pt.nif": say("Portuguese NIF numbers"),
    "de.idnr": say("German tax identification numbers"),
    "at.vnr": say("Austrian social insurance numbers"),
    "ch.ssn": say("Swiss AHV numbers"),
    "nl.bsn": say("Dutch BSN numbers"),
    "be.nn": say("Belgian national numbers"),
    "se.personnummer": say("Swedish personal identity numbers"),
    "no.fodselsnummer": say("Norwegian birth numbers"),
    "dk.cpr": say("Danish CPR numbers"),
    "fi.hetu": say("Finnish personal identity codes"),
    "pl.pesel": say("Polish PESEL numbers"),
    "ro.cnp": say("Romanian CNP numbers"),
    "bg.egn": say("Bulgarian EGN numbers"),
    "tr.tckimlik": say("Turkish identity numbers"),
    "in_.aadhaar": say("Indian Aadhaar numbers"),
    "cn.ric": say("Chinese resident identity numbers"),
    "kr.rrn": say("Korean resident registration numbers"),
    "za.idnr": say("South African identity numbers"),
    "uy.ci": say("Uruguayan cédula numbers"),
}
"""Formats by the name of their checker and what to call their numbers; the first of equals wins."""

FIRST = 20
"""A format that fits fewer than half of this many values is not tried on the rest."""


def best_number_format(values: Sequence[str]) -> tuple[str, str, float]:
    """The format that fits most of ``values``: its code, what its numbers are called, the valid share.

    >>> best_number_format(["99000001C", "99000002K", "99000003E"])
    ('es.dni', 'Spanish DNI numbers', 1.0)
    >>> best_number_format(["10000001", "10000002"])[2] < 0.8
    True
    """
    shares = {code: share_of_format(code, values) for code in FORMATS}
    best = max(shares, key=shares.__getitem__)
    return best, FORMATS[best], shares[best]


def share_of_format(code: str, values: Sequence[str]) -> float:
    """The share of ``values`` that are valid in one format, or 0 if the first few are not."""
    is_valid = checker(code)
    if valid_share(values[:FIRST], is_valid) < 0.5:
        return 0.0
    return valid_share(values, is_valid)


def valid_share(values: Sequence[str], is_valid: Callable[[str], bool]) -> float:
    """The share of ``values`` that pass.

    >>> valid_share(["1", "a"], str.isdigit)
    0.5
    """
    return sum(map(is_valid, values)) / len(values) if values else 0.0


def checker(code: str) -> Callable[[str], bool]:
    """The function that says whether a text is a valid number of a format."""
    own = {
        "us.ssn": is_social_security,
        "pt.cc": is_citizen_card,
        "uy.ci": is_uruguayan_cedula,
        "card": is_card,
    }
    if code in own:
        return own[code]
    check: Callable[[str], bool] = import_module(f"stdnum.{code}").is_valid
    return lambda text: check(text) or check(without_separators(text))


def without_separators(text: str) -> str:
    """Only the letters and digits: people write numbers in every way.

    >>> without_separators("12.345.678-Z")
    '12345678Z'
    """
    return "".join(character for character in text if character.isalnum())


def is_citizen_card(text: str) -> bool:
    """Nine digits, two letters and a check digit; a check digit alone would take in payment cards.

    >>> is_citizen_card("00000000 0 ZZ4"), is_citizen_card("4111111111111111")
    (True, False)
    """
    from stdnum.pt import cc

    plain = without_separators(text)
    return len(plain) == 12 and plain[9:11].isalpha() and bool(cc.is_valid(plain))


def is_social_security(text: str) -> bool:
    """A US number has no check digit, so only its dashed form counts; nine bare digits could be anything.

    >>> is_social_security("536-90-4399"), is_social_security("536904399")
    (True, False)
    """
    from stdnum.us import ssn

    return len(text) == 11 and text[3] == text[6] == "-" and bool(ssn.is_valid(text))


def is_uruguayan_cedula(text: str) -> bool:
    """Six or seven digits and a check digit.

    >>> is_uruguayan_cedula("1.234.567-2"), is_uruguayan_cedula("12345671")
    (True, False)
    """
    digits = without_separators(text).zfill(8)
    if not (digits.isascii() and digits.isdigit() and len(digits) == 8 and digits[:2] != "00"):
        return False
    weighted = sum(int(digit) * weight for digit, weight in zip(digits, (2, 9, 8, 7, 6, 3, 4), strict=False))
    return (weighted + int(digits[7])) % 10 == 0


def is_card(text: str) -> bool:
    """Thirteen to nineteen digits that start as cards do and pass the Luhn check.

    >>> is_card("4111 1111 1111 1111"), is_card("4111 1111 1111 1112")
    (True, False)
    """
    from stdnum import luhn

    digits = without_separators(text)
    return 13 <= len(digits) <= 19 and digits[0] in "23456" and bool(luhn.is_valid(digits))
