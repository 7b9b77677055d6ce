"""What can be faked, and how the name of a column tells which of it."""

from enum import StrEnum

__all__ = ["SHAPED", "FakeKind", "guess_kind", "guess_locale"]


class FakeKind(StrEnum):
    """What can be faked."""

    NAME = "name"
    FIRST_NAME = "first name"
    LAST_NAME = "last name"
    ADDRESS = "address"
    STREET = "street"
    CITY = "city"
    COUNTRY = "country"
    COMPANY = "company"
    JOB = "job"
    EMAIL = "email"
    USER_NAME = "user name"
    PHONE = "phone"
    POSTCODE = "postcode"
    NUMBER = "number"


SHAPED = frozenset([FakeKind.PHONE, FakeKind.POSTCODE, FakeKind.NUMBER])
"""Kinds that are made of the characters of the original, and no words."""

BY_WORD = {
    "first name|given name|forename|fname|middle name|nombre pila": FakeKind.FIRST_NAME,
    "last name|surname|family name|lname|maiden name|apellido|primer apellido|segundo apellido": FakeKind.LAST_NAME,
    "street|calle": FakeKind.STREET,
    "country|pais|native country": FakeKind.COUNTRY,
    "razon social|employer|empleador|company|empresa|compania|organization|organizacion": FakeKind.COMPANY,
    "username|user name|login|usuario|nombre usuario": FakeKind.USER_NAME,
    "city|ciudad|town|municipality|municipio|localidad|poblacion": FakeKind.CITY,
    "birth place|place birth|lugar nacimiento": FakeKind.CITY,
}
BY_MEANING = {
    "a person's name": FakeKind.NAME,
    "a postal address": FakeKind.ADDRESS,
    "an e-mail address": FakeKind.EMAIL,
    "a telephone number": FakeKind.PHONE,
    "a postcode": FakeKind.POSTCODE,
    "occupation": FakeKind.JOB,
    "a national identity number": FakeKind.NUMBER,
    "a passport or licence number": FakeKind.NUMBER,
    "a patient's or client's number": FakeKind.NUMBER,
    "a bank account or card": FakeKind.NUMBER,
    "a vehicle": FakeKind.NUMBER,
}
_SPANISH = """
    nombre nombres apellido apellidos direccion domicilio calle ciudad municipio localidad poblacion telefono movil
    celular correo electronico empresa compania empleador razon pais provincia ocupacion profesion trabajo puesto
    oficio codigo cp usuario documento cedula dni nif nie paciente cliente persona"""
SPANISH = frozenset(_SPANISH.split())
"""Words by which a column speaks Spanish."""


def guess_kind(column: str) -> FakeKind | None:
    """What the name of a column says its values are.

    >>> guess_kind("apellido_1").value, guess_kind("PatientName").value, guess_kind("amount")
    ('last name', 'name', None)
    """
    from celosia.profile.names import match_name, spellings, split_name

    words = split_name(column)
    for phrases, kind in BY_WORD.items():
        known = phrases.split("|")
        spans = [words[a:b] for a in range(len(words)) for b in range(len(words), a, -1)]
        if any(spelling in known for span in spans for spelling in spellings(span)):
            return kind
    match = match_name(column)
    return None if match is None else BY_MEANING.get(str(match.reason.facts["meaning"]))


def guess_locale(column: str) -> str:
    """The language of the name of a column, as a locale.

    >>> guess_locale("telefono"), guess_locale("phone")
    ('es_ES', 'en_US')
    """
    from celosia.profile.names import split_name

    return "es_ES" if SPANISH.intersection(split_name(column)) else "en_US"
