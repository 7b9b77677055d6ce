"""How far the sensitive values of each class are from those of all classes together: earth mover's distances.

The least work that turns one distribution into the other, when moving a share s over a ground distance d
costs s x d. All three work on the entries that exist: nothing here is as large as classes times values.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import HierarchyError, ProjectError
from celosia.hierarchies import Hierarchy
from celosia.privacy.classes import Histogram
from celosia.say import say

__all__ = ["equal_distance", "hierarchical_distance", "ordered_distance"]

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


def equal_distance(histogram: Histogram, classes: int) -> Reals:
    """``distances[class]`` when any two values are 1 apart: half the sum of the differences of shares.

    >>> flu_only = Histogram(classes=np.array([0, 1]), codes=np.array([0, 1]), counts=np.array([1, 3]),
    ...                      values=("flu", "gout"), rank=np.array([0, 1]))
    >>> equal_distance(flu_only, 2).tolist()
    [0.75, 0.25]
    """
    overall = _overall(histogram)
    return _total_variation(histogram.classes, histogram.codes, histogram.counts, classes, overall)


def ordered_distance(histogram: Histogram, classes: int) -> Reals:
    """``distances[class]`` when the i-th and the j-th of m values are |i - j| / (m - 1) apart.

    The values are those that occur, in the order of ``rank``. The distance is the sum over i of |P(i) - Q(i)|
    / (m - 1) with P and Q the cumulative shares of the class and of all classes.

    >>> salary = Histogram(classes=np.array([0, 1, 1]), codes=np.array([0, 1, 2]), counts=np.array([1, 1, 1]),
    ...                    values=("3000", "4000", "5000"), rank=np.array([0, 1, 2]))
    >>> ordered_distance(salary, 2).round(6).tolist()
    [0.5, 0.25]
    """
    if histogram.rank is None:
        raise ProjectError(
            say("the values of the sensitive column have no order"),
            remedy=say("give one or use the equal distance"),
        )
    ranks = histogram.rank[histogram.codes]
    whole = _overall(histogram)
    rows = np.bincount(histogram.rank[: len(whole)], weights=whole)
    places = np.cumsum(rows > 0)  # counted from 1, only those that occur
    last = int(places[-1]) - 1 if len(places) else 0
    if last < 1:
        return np.zeros(classes)
    place = places[ranks] - 1
    overall = np.cumsum(rows[rows > 0]) / whole.sum()
    # area[i]: sum of overall[0..i-1]; with it the sum over a stretch of places takes two look-ups.
    area = np.concatenate(([0.0], np.cumsum(overall)))
    order = np.argsort(histogram.classes.astype(np.int64) * (last + 1) + place)
    owner, start = histogram.classes[order], place[order]
    first = np.ones(len(owner), dtype=np.bool_)
    first[1:] = owner[1:] != owner[:-1]
    stop = np.append(start[1:], 0)
    stop[np.append(first[1:], True)] = last
    share = _cumulative_shares(histogram.counts[order], first)
    # Between two of its values the cumulative share of a class is constant and the overall one rises: left of
    # where they cross the class is ahead, right of it behind.
    cross = np.clip(np.searchsorted(overall, share), start, stop)
    work = share * (2 * cross - start - stop) - (2 * area[cross] - area[start] - area[stop])
    work[first] += area[start[first]]
    return np.bincount(owner, weights=work, minlength=classes) / last


def hierarchical_distance(histogram: Histogram, classes: int) -> Reals:
    """``distances[class]`` when two values are as far apart as the lowest level at which they agree.

    With one root that is the distance on a tree whose edges all measure 1 / (2 height), so the least work is
    the mean, over the levels below the root, of the equal distance between the labels of that level.

    >>> hierarchical_distance(Histogram(classes=np.array([0]), codes=np.array([0]), counts=np.array([1]),
    ...                                 values=("flu",), rank=np.array([0])), 1)
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: the hierarchical distance needs a hierarchy of the sensitive column;
    give one or use the equal or the ordered distance
    """
    if histogram.hierarchy is None:
        raise ProjectError(
            say("the hierarchical distance needs a hierarchy of the sensitive column"),
            remedy=say("give one or use the equal or the ordered distance"),
        )
    branches = _branches(histogram.hierarchy, tuple(histogram.values))
    distances = np.zeros(classes, dtype=np.float64)
    for branch in branches:
        owner, codes, counts = _merge_entries(histogram, branch)
        whole = _overall(histogram)
        overall = np.bincount(branch[: len(whole)], weights=whole).astype(np.float64)
        distances += _total_variation(owner, codes, counts, classes, overall)
    return distances / len(branches)


def _overall(histogram: Histogram) -> Reals:
    """Rows of every value in all that is released."""
    if histogram.whole is not None:
        return histogram.whole.astype(np.float64)
    return np.bincount(histogram.codes, weights=histogram.counts).astype(np.float64)


def _total_variation(
    owner: Integers, codes: Integers, counts: Integers, classes: int, overall: Reals
) -> Reals:
    rows = np.bincount(owner, weights=counts, minlength=classes)
    # What a class has too much of equals what it lacks, and only values that it has can be too many.
    surplus: Reals = np.maximum(counts / rows[owner] - overall[codes] / overall.sum(), 0.0)
    return np.bincount(owner, weights=surplus, minlength=classes).astype(np.float64, copy=False)


def _cumulative_shares(counts: Integers, first: npt.NDArray[np.bool_]) -> Reals:
    """Share of each class up to and including each entry; ``first`` marks where a class begins."""
    running = np.cumsum(counts)
    begin = np.flatnonzero(first)
    before = running[begin] - counts[begin]
    rows = np.diff(np.append(before, running[-1]))
    member = np.cumsum(first) - 1
    shares: Reals = (running - before[member]) / rows[member]
    return shares


def _merge_entries(histogram: Histogram, branch: Integers) -> tuple[Integers, Integers, Integers]:
    """Entries after each value became ``branch[code]``: class, branch and count, no pair twice."""
    width = int(branch.max(initial=0)) + 1
    pairs, entry = np.unique(
        histogram.classes.astype(np.int64) * width + branch[histogram.codes], return_inverse=True
    )
    counts = np.bincount(entry, weights=histogram.counts).astype(np.int64)
    return pairs // width, pairs % width, counts


@lru_cache(maxsize=8)  # a search asks thousands of times for the same column
def _branches(hierarchy: Hierarchy, values: tuple[object, ...]) -> tuple[Integers, ...]:
    """``branches[level][code]``: the label of each value at every level below the root, as an integer.

    A missing value is a branch of its own. Where the last level has several labels the root is thought above
    it.
    """
    place = hierarchy.find(pl.Series(values))
    missing = np.array([value is None for value in values], dtype=np.bool_)
    unknown = [str(values[code]) for code in np.flatnonzero((place < 0) & ~missing)]
    if unknown:
        raise HierarchyError(
            say("{count} values are not in it, the first {value!r}", count=len(unknown), value=unknown[0]),
            where=say("hierarchy of {column!r}", column=hierarchy.column),
            remedy=say("add a row for each"),
        )
    rooted = len(hierarchy.labels[-1]) == 1 and hierarchy.height > 0
    levels = range(hierarchy.height if rooted else hierarchy.height + 1)
    branches = [hierarchy.codes[level][np.where(missing, 0, place)].astype(np.int64) for level in levels]
    for level, branch in enumerate(branches):
        branch[missing] = len(hierarchy.labels[level])
        branch.setflags(write=False)
    return tuple(branches)
