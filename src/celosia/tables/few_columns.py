"""Pairs and triples of columns, and those of them that single out most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

__all__ = ["LikelySets", "count_few", "few_columns"]


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
