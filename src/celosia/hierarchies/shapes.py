"""What the labels of a level look like, so that a person can be told in words what a column becomes."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

__all__ = ["HierarchyShape", "level_shape"]

ShapeKind = Literal["interval", "prefix", "month", "quarter", "year", "decade", "group", "one"]
NUMBER = r"-?\d+(?:\.\d+)?"
CLOSED = re.compile(rf"\[?({NUMBER})\s*-\s*({NUMBER})\]?")
HALF_OPEN = re.compile(rf"\[({NUMBER}), ?({NUMBER})[\[)]")
PREFIX = re.compile(r"([^*]+)(\*+)")
PERIODS: tuple[tuple[ShapeKind, re.Pattern[str]], ...] = (
    ("month", re.compile(r"\d{4}-(0[1-9]|1[0-2])")),
    ("quarter", re.compile(r"\d{4}-Q[1-4]")),
    ("decade", re.compile(r"\d{3}0s")),
    ("year", re.compile(r"(1[5-9]|20|21)\d{2}")),
)
MOST = 0.8
"""The share of labels that have to look alike: the first and last interval are often open or cut."""


class HierarchyShape(NamedTuple):
    """The kind of labels, and their size: the width of intervals, the characters of a prefix, the number of groups."""

    kind: ShapeKind
    size: float


def level_shape(labels: Sequence[str]) -> HierarchyShape:
    """What the labels of a level above the values look like.

    >>> level_shape(["[20-29]", "[30-39]"]), level_shape(["280**", "281**"])
    (HierarchyShape(kind='interval', size=10.0), HierarchyShape(kind='prefix', size=3))
    >>> level_shape(["*"])
    HierarchyShape(kind='one', size=1)
    >>> level_shape(["2020-01", "2020-02"]).kind, level_shape(["North", "South"])
    ('month', HierarchyShape(kind='group', size=2))
    """
    if len(labels) == 1:
        return HierarchyShape("one", 1)
    for kind, pattern in PERIODS:
        if _share(pattern, labels) >= MOST:
            return HierarchyShape(kind, 1)
    widths = [width for width in map(_width, labels) if width is not None]
    if widths:
        width, count = Counter(widths).most_common(1)[0]
        if count >= MOST * len(labels) or (len(widths) == len(labels) and count * 2 > len(labels)):
            return HierarchyShape("interval", width)
    heads = {len(found[1]) for found in map(PREFIX.fullmatch, labels) if found}
    if len(heads) == 1 and _share(PREFIX, labels) >= MOST:
        return HierarchyShape("prefix", heads.pop())
    return HierarchyShape("group", len(labels))


def _share(pattern: re.Pattern[str], labels: Sequence[str]) -> float:
    return sum(pattern.fullmatch(label) is not None for label in labels) / len(labels)


def _width(label: str) -> float | None:
    """How wide an interval is; both ends of one that is closed belong to it."""
    if found := HALF_OPEN.fullmatch(label):
        return round(float(found[2]) - float(found[1]), 9)
    if found := CLOSED.fullmatch(label):
        whole = "." not in label
        return round(float(found[2]) - float(found[1]) + (1 if whole else 0), 9)
    return None
