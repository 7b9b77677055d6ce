"""All domains of the world, by name: the lists and codes of ``lists``, and the functions."""

import re
from functools import cache

from celosia.hierarchies.world.ages import AgeDomain
from celosia.hierarchies.world.coded import CodedDomain
from celosia.hierarchies.world.contacts import EmailDomain, NetworkDomain
from celosia.hierarchies.world.coordinates import CoordinateDomain
from celosia.hierarchies.world.domain import KnownDomain
from celosia.hierarchies.world.iban import IbanDomain
from celosia.hierarchies.world.listed import LISTS, ListedDomain, read_head, read_list
from celosia.hierarchies.world.times import TimeDomain

__all__ = ["known_domains"]


@cache
def known_domains() -> dict[str, KnownDomain]:
    """Every domain by its name.

    >>> {"countries", "spain", "icd10", "ages"} <= set(known_domains())
    True
    """
    listed = {path.stem: read_list(path.stem) for path in sorted(LISTS.glob("*.txt"))}
    domains: dict[str, KnownDomain] = {name: _coded(one, listed) or one for name, one in listed.items()}
    functions: tuple[KnownDomain, ...] = (
        AgeDomain(),
        TimeDomain(),
        EmailDomain(),
        NetworkDomain(),
        IbanDomain(listed["countries"]),
        CoordinateDomain(),
    )
    return domains | {function.name: function for function in functions}


def _coded(listed: ListedDomain, lists: dict[str, ListedDomain]) -> CodedDomain | None:
    """The codes that a list is about, if its file has a pattern for them."""
    head = read_head(listed.name)
    if "pattern" not in head:
        return None
    groups = lists[head["list"]] if "list" in head else listed
    long = head.get("long", "").split()
    return CodedDomain(
        listed=listed,
        groups=groups,
        pattern=re.compile(head["pattern"]),
        key=int(head["key"]),
        keep=tuple(int(length) for length in head.get("keep", "").split()),
        long={long[0]: int(long[1])} if long else {},
        targets=_targets(listed) if "list" in head else {},
    )


def _targets(listed: ListedDomain) -> dict[str, str]:
    """The code in the other list of every key that the ranges of this one hold."""
    found: dict[str, str] = {}
    for entry in listed.entries:
        low, _, high = entry.codes[0].partition("-")
        for number in range(int(low), int(high or low) + 1):
            found[str(number).zfill(len(low))] = entry.labels[0]
    return found
