"""Addresses of people on networks: electronic mail by domain and kind, IP addresses by network."""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from celosia.hierarchies.world.domain import Path
from celosia.say import say

__all__ = ["EmailDomain", "NetworkDomain"]

ADDRESS = re.compile(r"[^@\s]+@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)")
MAILBOXES = re.compile(
    r"(gmail|googlemail|hotmail|outlook|live|msn|yahoo|ymail|icloud|me|aol|gmx|proton|protonmail|telefonica|terra|yandex"
    r"|mail|zoho|fastmail)\."
)
"""Where anybody may have an address: what the domain begins with."""
KINDS = {
    "personal": {"en": "personal mailbox", "es": "buzón personal"},
    "school": {"en": "education", "es": "educación"},
    "state": {"en": "public administration", "es": "administración pública"},
    "other": {"en": "company or other", "es": "empresa u otros"},
}


class EmailDomain:
    """Addresses of electronic mail: the domain, then the kind of it.

    >>> EmailDomain().paths(["ana@gmail.com", "j.b@uni.edu.co", "x"], "en")
    [('gmail.com', 'personal mailbox'), ('uni.edu.co', 'education'), None]
    """

    name = "emails"
    title = say("e-mail addresses")
    words = ("email", "mail", "correo", "correo electronico", "e mail")
    needs_name = False

    def paths(self, values: Sequence[str], language: str) -> list[Path | None]:
        """The domain of every address, and its kind."""
        matches = (ADDRESS.fullmatch(value.strip()) for value in values)
        return [None if match is None else _domain(match[1].lower(), language) for match in matches]


def _domain(domain: str, language: str) -> Path:
    names = domain.split(".")
    if MAILBOXES.match(domain):
        kind = "personal"
    elif {"edu", "ac"} & set(names[1:]):
        kind = "school"
    elif {"gov", "gob", "gub", "mil"} & set(names[1:]):
        kind = "state"
    else:
        kind = "other"
    return domain, KINDS[kind][language]


class NetworkDomain:
    """IP addresses: smaller and smaller beginnings of them, as networks.

    >>> NetworkDomain().paths(["192.0.2.17", "no"], "en")
    [('192.0.2.0/24', '192.0.0.0/16', 'IPv4'), None]
    >>> NetworkDomain().paths(["2001:db8:1:2::5"], "en")
    [('2001:db8:1::/48', '2001:db8::/32', 'IPv6')]
    """

    name = "networks"
    title = say("IP addresses")
    words = ("ip", "ip address", "direccion ip", "client ip", "host")
    needs_name = False

    def paths(self, values: Sequence[str], language: str) -> list[Path | None]:
        """The networks that every address is in."""
        return [_networks(value.strip()) for value in values]


def _networks(text: str) -> Path | None:
    try:
        address: IPv4Address | IPv6Address = ip_address(text)
    except ValueError:
        return None
    lengths = (24, 16) if address.version == 4 else (48, 32)
    inner, outer = (str(ip_network((address, length), strict=False)) for length in lengths)
    return inner, outer, f"IPv{address.version}"
