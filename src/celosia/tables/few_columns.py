"""Pairs and triples of columns, and those of them that single out most."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from celosia.tables.group_sizes import GroupSizes

__all__ = ["LISTED", "LikelySets", "best_sets", "count_few", "few_columns"]

LISTED = 2
"""Pairs, and triples, that are told."""


@dataclass(frozen=True)
class LikelySets:
    """The pairs and triples that single out most, and whether all of them were counted to find these."""

    sets: tuple[tuple[str, ...], ...] = ()
    are_all_counted: bool = True


def few_columns(columns: Sequence[str], further: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All pairs and triples with one of the columns.

    >>> list(few_columns(["a"], ["b", "c"]))
    [('a', 'b'), ('a', 'c'), ('a', 'b', 'c')]
    """
    own = set(columns)
    names = list(dict.fromkeys([*columns, *further]))
    for size in (2, 3):
        yield from (some for some in combinations(names, size) if own & set(some))


def count_few(columns: Sequence[str], further: Sequence[str]) -> int:
    """How many these are.

    >>> count_few(["a"], ["b", "c"])
    3
    """
    both, others = len({*columns, *further}), len({*further} - {*columns})
    return comb(both, 2) + comb(both, 3) - comb(others, 2) - comb(others, 3)


def best_sets(counted: Mapping[tuple[str, ...], GroupSizes], left: int = LISTED) -> list[tuple[str, ...]]:
    """The pairs, and the triples, that put the most people into small groups.

    >>> sizes = {("a", "b"): GroupSizes(9, 3, 0, 4), ("a", "c"): GroupSizes(9, 5, 1, 7)}
    >>> best_sets(sizes, left=1)
    [('a', 'c')]
    """
    found: list[tuple[str, ...]] = []
    for size in (2, 3):
        of_size = [columns for columns in counted if len(columns) == size]
        of_size.sort(key=lambda columns: (-counted[columns].small, -counted[columns].groups))
        found += of_size[:left]
    return found
