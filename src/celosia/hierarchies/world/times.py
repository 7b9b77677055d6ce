"""Times of day by hour and by part of the day."""

import re
from collections.abc import Sequence

from celosia.hierarchies.world.domain import Path
from celosia.say import say

__all__ = ["TimeDomain"]

TIME = re.compile(r"([01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?")
PARTS = (
    {"en": "night", "es": "madrugada"},
    {"en": "morning", "es": "mañana"},
    {"en": "afternoon", "es": "tarde"},
    {"en": "evening", "es": "noche"},
)
"""Of six hours each, from midnight on."""


class TimeDomain:
    """Times of day: the hour, then the part of the day.

    >>> TimeDomain().paths(["8:15", "23:40:05", "25:00"], "es")
    [('08:00-08:59', 'mañana'), ('23:00-23:59', 'noche'), None]
    """

    name = "times"
    title = say("times of day")
    words = (
        "time",
        "hora",
        "hour",
        "hora ingreso",
        "time day",
        "hora entrada",
        "hora llamada",
        "admission time",
    )
    needs_name = False

    def paths(self, values: Sequence[str], language: str) -> list[Path | None]:
        """The hour and the part of the day of every time."""
        matches = (TIME.fullmatch(value.strip()) for value in values)
        return [None if match is None else _parts(int(match[1]), language) for match in matches]


def _parts(hour: int, language: str) -> Path:
    return f"{hour:02}:00-{hour:02}:59", PARTS[hour // 6][language]
