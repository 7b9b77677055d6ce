"""Ages in the bands of statistics offices, and the stages of life."""

from bisect import bisect_right
from collections.abc import Sequence

from celosia.hierarchies.world.domain import Path
from celosia.say import say

__all__ = ["AgeDomain"]

OLDEST = 120
OPEN = 90
"""From here on people are few: one open band, as the HIPAA rule and most statistics offices have it."""
STAGES = (0, 10, 20, 40, 60)
"""Where childhood, adolescence (as the World Health Organization counts it), young, middle and older age begin: bands
of ten years lie inside. Their labels are numbers, so that whoever measures or extends a release understands them."""


class AgeDomain:
    """Ages in years: bands of five and ten years up to 90 or more, and stages of life.

    >>> AgeDomain().paths(["38", "93", "tall"], "en")
    [('[35-39]', '[30-39]', '[20-39]'), ('>=90', '>=90', '>=60'), None]
    """

    name = "ages"
    title = say("ages")
    words = (
        "age",
        "edad",
        "edad anos",
        "age years",
        "years old",
        "age at admission",
        "edad ingreso",
        "patient age",
    )
    needs_name = True

    def paths(self, values: Sequence[str], language: str) -> list[Path | None]:
        """The bands above every age."""
        return [_bands(value.strip()) for value in values]


def _bands(text: str) -> Path | None:
    if not text.isdecimal() or not text.isascii() or int(text) > OLDEST:
        return None
    age = int(text)
    return _band(age, 5), _band(age, 10), _stage(age)


def _band(age: int, width: int) -> str:
    if age >= OPEN:
        return f">={OPEN}"
    low = age - age % width
    return f"[{low}-{low + width - 1}]"


def _stage(age: int) -> str:
    place = bisect_right(STAGES, age)
    return f"[{STAGES[place - 1]}-{STAGES[place] - 1}]" if place < len(STAGES) else f">={STAGES[-1]}"
