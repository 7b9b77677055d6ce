"""Where names stand beside their points, so that none lies on another or on a point."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = ["LabelPosition", "place_labels"]

Anchor = Literal["start", "middle", "end"]
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class LabelPosition:
    """How far right and up from its point a name begins, and which part of it does."""

    right: float
    up: float
    anchor: Anchor


def place_labels(
    places: Sequence[tuple[float, float]],
    names: Sequence[str],
    *,
    within: tuple[float, float],
    letter: float = 6.0,
    height: float = 12.0,
) -> list[LabelPosition | None]:
    """Beside, above or below each point, in the order given; None for a name that finds no room.

    ``places`` are from the left and from the bottom of a field that is ``within`` so wide and high.

    >>> [placed.anchor for placed in place_labels([(10, 10), (95, 50)], ["first", "second"], within=(100, 100))]
    ['start', 'end']
    """
    taken: list[Box] = [(x - 4, y - 4, x + 4, y + 4) for x, y in places]
    positions: list[LabelPosition | None] = []
    for own, ((x, y), name) in enumerate(zip(places, names, strict=True)):
        width = letter * len(name)
        middle = -height / 3
        options = [
            (LabelPosition(8, middle, "start"), (x + 8, y - height / 2)),
            (LabelPosition(-8, middle, "end"), (x - 8 - width, y - height / 2)),
            (LabelPosition(0, 8, "middle"), (x - width / 2, y + 7)),
            (LabelPosition(0, -8 - height * 2 / 3, "middle"), (x - width / 2, y - 7 - height)),
            (LabelPosition(6, 6, "start"), (x + 6, y + 5)),
            (LabelPosition(-6, 6, "end"), (x - 6 - width, y + 5)),
            (LabelPosition(6, -6 - height * 2 / 3, "start"), (x + 6, y - 5 - height)),
            (LabelPosition(-6, -6 - height * 2 / 3, "end"), (x - 6 - width, y - 5 - height)),
        ]
        placed = None
        for option, (left, bottom) in options:
            box = (left, bottom, left + width, bottom + height)
            is_inside = left >= 0 and box[2] <= within[0] and bottom >= 0 and box[3] <= within[1]
            if is_inside and not any(
                _overlap(box, other) for number, other in enumerate(taken) if number != own
            ):
                placed = option
                taken.append(box)
                break
        positions.append(placed)
    return positions


def _overlap(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
