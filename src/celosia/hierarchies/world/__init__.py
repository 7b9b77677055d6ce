"""Hierarchies that know the world: countries, provinces, diagnoses, occupations, ages, by content and by name.

A list of the world is a text file in ``lists``; adding a file adds it. What cannot be listed is a function.
"""

from celosia.hierarchies.world.build import build_known, known_domain, recognize
from celosia.hierarchies.world.domain import KnownDomain
from celosia.hierarchies.world.registry import known_domains

__all__ = ["KnownDomain", "build_known", "known_domain", "known_domains", "recognize"]
