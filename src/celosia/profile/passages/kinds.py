"""The kinds of passages that tell who somebody is, and what they are called."""

from collections.abc import Mapping
from enum import StrEnum

from celosia.say import Text, join_texts, say_count

__all__ = ["LABELS", "PassageKind", "count_passages"]


class PassageKind(StrEnum):
    """What a passage of a text is."""

    EMAIL = "email"
    URL = "url"
    DEVICE = "device"
    PHONE = "phone"
    IDENTITY = "identity"
    ACCOUNT = "account"
    DATE = "date"
    POSTCODE = "postcode"
    RECORD = "record"
    PERSON = "person"
    PLACE = "place"


LABELS: dict[str, dict[PassageKind | None, str]] = {
    "en": {
        PassageKind.EMAIL: "e-mail",
        PassageKind.URL: "web address",
        PassageKind.DEVICE: "device",
        PassageKind.PHONE: "phone",
        PassageKind.IDENTITY: "identity number",
        PassageKind.ACCOUNT: "account",
        PassageKind.DATE: "date",
        PassageKind.POSTCODE: "postcode",
        PassageKind.RECORD: "number",
        PassageKind.PERSON: "person",
        PassageKind.PLACE: "place",
        None: "removed",
    },
    "es": {
        PassageKind.EMAIL: "correo",
        PassageKind.URL: "dirección web",
        PassageKind.DEVICE: "dispositivo",
        PassageKind.PHONE: "teléfono",
        PassageKind.IDENTITY: "documento",
        PassageKind.ACCOUNT: "cuenta",
        PassageKind.DATE: "fecha",
        PassageKind.POSTCODE: "código postal",
        PassageKind.RECORD: "número",
        PassageKind.PERSON: "persona",
        PassageKind.PLACE: "lugar",
        None: "eliminado",
    },
}
"""What stands in place of a passage, in the language of the texts; None is for words that somebody listed."""


def count_passages(found: Mapping[PassageKind, int]) -> Text:
    """How many passages of each kind there are, the most frequent first.

    >>> count_passages({PassageKind.DATE: 1, PassageKind.PHONE: 3193})
    '3,193 telephone numbers, 1 date'
    """
    ordered = sorted(((kind, n) for kind, n in found.items() if n), key=lambda pair: -pair[1])
    return join_texts(", ", [_counted(kind, n) for kind, n in ordered])


def _counted(kind: PassageKind, n: int) -> Text:
    said = {
        PassageKind.EMAIL: say_count("{count:,} e-mail address", "{count:,} e-mail addresses", n),
        PassageKind.URL: say_count("{count:,} web address", "{count:,} web addresses", n),
        PassageKind.DEVICE: say_count("{count:,} address of a device", "{count:,} addresses of devices", n),
        PassageKind.PHONE: say_count("{count:,} telephone number", "{count:,} telephone numbers", n),
        PassageKind.IDENTITY: say_count("{count:,} identity number", "{count:,} identity numbers", n),
        PassageKind.ACCOUNT: say_count(
            "{count:,} bank account or card", "{count:,} bank accounts or cards", n
        ),
        PassageKind.DATE: say_count("{count:,} date", "{count:,} dates", n),
        PassageKind.POSTCODE: say_count("{count:,} postcode", "{count:,} postcodes", n),
        PassageKind.RECORD: say_count("{count:,} long number or code", "{count:,} long numbers or codes", n),
        PassageKind.PERSON: say_count("{count:,} name of a person", "{count:,} names of people", n),
        PassageKind.PLACE: say_count("{count:,} name of a place", "{count:,} names of places", n),
    }
    return said[kind]
