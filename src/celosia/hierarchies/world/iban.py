"""Numbers of bank accounts (IBAN) by bank and country."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from celosia.hierarchies.world.domain import Path, fold_name
from celosia.hierarchies.world.listed import ListedDomain
from celosia.say import say

__all__ = ["IbanDomain"]

IBAN = re.compile(r"([A-Z]{2})[0-9]{2}([A-Z0-9]{11,30})")


@dataclass(frozen=True)
class IbanDomain:
    """IBANs: the country with the first four characters of the bank, then the country.

    >>> from celosia.hierarchies.world.registry import known_domains
    >>> known_domains()["ibans"].paths(["ES91 2100 0418 4502 0005 1332", "ES91"], "es")
    [('ES 2100', 'España'), None]
    """

    countries: ListedDomain
    name = "ibans"
    title = say("bank accounts (IBAN)")
    words = (
        "iban",
        "cuenta",
        "cuenta bancaria",
        "bank account",
        "account number",
        "numero cuenta",
        "account",
    )
    needs_name = False

    def paths(self, values: Sequence[str], language: str) -> list[Path | None]:
        """The bank and the country of every account."""
        matches = (IBAN.fullmatch("".join(value.split()).upper()) for value in values)
        return [None if match is None else self._bank(match[1], match[2], language) for match in matches]

    def _bank(self, country: str, rest: str, language: str) -> Path | None:
        place = self.countries.by_code.get(fold_name(country))
        if place is None:
            return None
        return f"{country} {rest[:4]}", self.countries.entries[place].label(language)
