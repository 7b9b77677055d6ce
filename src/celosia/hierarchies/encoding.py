"""Paths of labels, one per value, turned into equal-length paths and into integers."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from celosia.errors import HierarchyError
from celosia.say import say

__all__ = ["MOST_LEVELS", "Encoded", "encode", "pad", "split_children"]

Encoded = tuple[tuple[str, ...], npt.NDArray[np.int32]]
"""One level: ``labels[code]`` and, for every path, its code."""

MOST_LEVELS = 256
"""More levels than this are a mistake in a file, not a hierarchy; it bounds what a stray line can cost."""


def encode(labels: Sequence[str]) -> Encoded:
    """The distinct labels in order of appearance and, for each label given, its place among them.

    >>> encode(["b", "a", "b"])
    (('b', 'a'), array([0, 1, 0], dtype=int32))
    """
    distinct = tuple(dict.fromkeys(labels))
    place = {label: code for code, label in enumerate(distinct)}
    return distinct, np.fromiter(map(place.__getitem__, labels), dtype=np.int32, count=len(labels))


def pad(rows: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """The distinct paths made equally long: a value is repeated at the lower levels, so that roots align.

    >>> pad([("Never-married", "*"), ("Divorced", "Alone", "*"), ("Divorced", "Alone", "*")])
    [('Never-married', 'Never-married', '*'), ('Divorced', 'Alone', '*')]
    """
    paths = [path for path in dict.fromkeys(map(tuple, rows)) if path]
    longest = max(map(len, paths), default=0)
    if longest > MOST_LEVELS:
        raise HierarchyError(
            say(
                "a path of {count} labels begins with {value!r}",
                count=longest,
                value=next(p for p in paths if len(p) == longest)[0],
            ),
            remedy=say(
                "a hierarchy has at most {most} levels: is the separator right?",
                most=MOST_LEVELS,
            ),
        )
    return list(dict.fromkeys((path[0],) * (longest - len(path)) + path for path in paths))


def split_children(lower: npt.NDArray[np.int32], upper: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The codes of one level that stand under more than one code of the next, per path given.

    >>> split_children(np.array([0, 0, 1], np.int32), np.array([0, 1, 1], np.int32))
    array([0], dtype=int32)
    """
    above = np.empty(int(lower.max(initial=-1)) + 1, dtype=np.int32)
    above[lower] = upper
    return np.unique(lower[above[lower] != upper])
