"""Degrees of latitude or longitude in coarser and coarser cells."""

import re
from collections.abc import Sequence
from decimal import ROUND_FLOOR, Decimal

from celosia.hierarchies.world.domain import Path
from celosia.say import say

__all__ = ["CoordinateDomain"]

DEGREES = re.compile(r"-?[0-9]{1,3}\.[0-9]+")
STEPS = ("0.01", "0.1", "1", "10")
"""About 1, 11, 111 and 1,110 kilometres from north to south."""


class CoordinateDomain:
    """Degrees: cells of a hundredth of a degree, a tenth, one and ten.

    >>> CoordinateDomain().paths(["40.41678", "-3.7", "far"], "en")[0]
    ('[40.41, 40.42[', '[40.4, 40.5[', '[40, 41[', '[40, 50[')
    """

    name = "coordinates"
    title = say("degrees of coordinates")
    words = (
        "latitude",
        "longitude",
        "latitud",
        "longitud",
        "lat",
        "lon",
        "lng",
        "coord",
        "coordenada",
        "gps",
    )
    needs_name = True

    def paths(self, values: Sequence[str], language: str) -> list[Path | None]:
        """The cells that every number of degrees is in."""
        return [_cells(value.strip()) for value in values]


def _cells(text: str) -> Path | None:
    if DEGREES.fullmatch(text) is None or abs(Decimal(text)) > 180:
        return None
    return tuple(_cell(Decimal(text), Decimal(step)) for step in STEPS)


def _cell(degrees: Decimal, step: Decimal) -> str:
    low = (degrees / step).to_integral_value(ROUND_FLOOR) * step
    return f"[{low}, {low + step}["
