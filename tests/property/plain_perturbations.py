"""The compiled loops of perturbations in plain Python: looking at all rows, step by step."""

from itertools import combinations

import numpy as np


def plain_mdav(points: np.ndarray, k: int) -> np.ndarray:
    """MDAV as it is published."""
    groups, left, made = np.full(len(points), -1), np.arange(len(points)), 0
    total = np.zeros(points.shape[1])
    for point in points:
        total = total + point

    def distances(point):
        found = np.zeros(len(left))
        for c in range(points.shape[1]):
            found = found + (points[left, c] - point[c]) ** 2
        return found

    def take(row):
        nonlocal left, made, total
        far = distances(points[row])
        far[left == row] = -1
        taken = left[np.lexsort((left, far))[:k]]
        groups[taken] = made
        for each in taken:
            total = total - points[each]
        left, made = left[groups[left] < 0], made + 1

    while len(left) >= 2 * k:
        is_pair = len(left) >= 3 * k
        first = left[np.argmax(distances(total / len(left)))]
        take(first)
        if is_pair:
            take(left[np.argmax(distances(points[first]))])
    groups[left] = made
    return groups


def plain_mixed(numbers: np.ndarray, codes: np.ndarray, k: int) -> np.ndarray:
    """The same with differences added up, and categories that are the same or not."""
    groups, left, made = np.full(len(numbers), -1), np.arange(len(numbers)), 0

    def distances(centre, modes):
        return np.abs(numbers[left] - centre).sum(axis=1) + (codes[left] != modes).sum(axis=1)

    def take(row):
        nonlocal left, made
        far = distances(numbers[row], codes[row])
        far[left == row] = -1
        groups[left[np.lexsort((left, far))[:k]]] = made
        left, made = left[groups[left] < 0], made + 1

    while len(left) >= 2 * k:
        is_pair = len(left) >= 3 * k
        modes = [np.argmax(np.bincount(codes[left, c])) for c in range(codes.shape[1])]
        first = left[np.argmax(distances(numbers[left].mean(axis=0), modes))]
        take(first)
        if is_pair:
            take(left[np.argmax(distances(numbers[first], codes[first]))])
    groups[left] = made
    return groups


def squares(values: np.ndarray, groups: np.ndarray) -> float:
    """Squares about the means of groups, added up."""
    return float(
        sum(((values[groups == g] - values[groups == g].mean()) ** 2).sum() for g in set(groups.tolist()))
    )


def least_squares(ordered: np.ndarray, k: int) -> float:
    """The least that any groups of k or more neighbours add up to, all of them tried."""
    size = len(ordered)
    best = np.inf
    for count in range(max(1, size // k)):
        for cuts in combinations(range(1, size), count):
            ends = [0, *cuts, size]
            lengths = np.diff(ends)
            if len(lengths) == 1 or lengths.min() >= k:
                best = min(best, squares(ordered, np.repeat(np.arange(len(lengths)), lengths)))
    return best


def plain_matches(cells: np.ndarray) -> np.ndarray:
    """``matches[row]``: how many rows it can be, where -1 may be anything."""
    one, other = cells[:, None, :], cells[None, :, :]
    return ((one == other) | (one < 0) | (other < 0)).all(axis=2).sum(axis=1)


def plain_partners(size: int, reach: int, chances: np.ndarray) -> np.ndarray:
    """Each free rank, from the lowest on, with one of the free ranks next to it."""
    partners, free = list(range(size)), set(range(size))
    for rank in range(size):
        if rank in free:
            window = [other for other in range(rank + 1, rank + reach + 1) if other in free]
            if window:
                other = window[int(chances[rank] * len(window))]
                partners[rank], partners[other] = other, rank
                free -= {other}
            free -= {rank}
    return np.array(partners, dtype=np.int64)
