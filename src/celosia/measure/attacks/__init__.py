"""Attacks that are run against a release, one per module."""

from celosia.measure.attacks.attacker import Attacker, Knowledge

__all__ = ["Attacker", "Knowledge"]
