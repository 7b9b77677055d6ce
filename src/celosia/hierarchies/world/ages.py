"""Ages in the bands of statistics offices, and the stages of life."""

from collections.abc import Sequence

from celosia.hierarchies.world.domain import Path
from celosia.say import say

__all__ = ["AgeDomain"]

OLDEST = 120
OPEN = 90
"""From here on people are few: one open band, as the HIPAA rule and most statistics offices have it."""
STAGES = (
    (10, {"en": "child", "es": "infancia"}),
    (20, {"en": "adolescent", "es": "adolescencia"}),
    (40, {"en": "young adult", "es": "juventud adulta"}),
    (60, {"en": "middle-aged", "es": "mediana edad"}),
    (OLDEST + 1, {"en": "older", "es": "mayores"}),
)
"""Where each ends, so that bands of ten years lie inside; adolescence as the World Health Organization counts it."""


class AgeDomain:
    """Ages in years: bands of five and ten years up to 90 or more, and stages of life.

    >>> AgeDomain().paths(["38", "93", "tall"], "en")
    [('[35-39]', '[30-39]', 'young adult'), ('>=90', '>=90', 'older'), None]
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
        return [_bands(value.strip(), language) for value in values]


def _bands(text: str, language: str) -> Path | None:
    if not text.isdecimal() or not text.isascii() or int(text) > OLDEST:
        return None
    age = int(text)
    stage = next(names[language] for end, names in STAGES if age < end)
    return _band(age, 5), _band(age, 10), stage


def _band(age: int, width: int) -> str:
    if age >= OPEN:
        return f">={OPEN}"
    low = age - age % width
    return f"[{low}-{low + width - 1}]"
