"""The loops of ``celosia.kernels.frequency`` in plain NumPy: the same answers without the half second of loading.

Small tables are searched with these alone; tests hold the two against each other.
"""

import numpy as np
import numpy.typing as npt

__all__ = ["regroup", "tally"]


def regroup(
    keys: npt.NDArray[np.uint64],
    counts: npt.NDArray[np.int64],
    *,
    fields: npt.NDArray[np.uint64],
    starts: npt.NDArray[np.uint64],
    maps: npt.NDArray[np.uint64],
    wants_inverse: bool,
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Re-map some digits of every key, then add up the counts of equal keys.

    >>> keys, ones = np.array([[0], [1], [2]], np.uint64), np.ones(3, np.int64)
    >>> change = dict(fields=np.array([[0, 0, 3]], np.uint64), starts=np.zeros(1, np.uint64))
    >>> regroup(keys, ones, **change, maps=np.array([0, 0, 1], np.uint64), wants_inverse=False)[1]
    array([2, 1])
    """
    keys = keys.copy()
    for (word, shift, mask), start in zip(fields, starts, strict=True):
        column = keys[:, word]
        digits = (column >> shift) & mask
        column &= ~(mask << shift)
        column |= maps[start + digits] << shift
    order = _sorting_order(keys)
    ordered = keys[order]
    first = np.ones(len(keys), bool)
    if keys.shape[1] == 1:  # the common case, without the reduction over words
        np.not_equal(ordered[1:, 0], ordered[:-1, 0], out=first[1:])
    else:
        np.any(ordered[1:] != ordered[:-1], axis=1, out=first[1:])
    places = np.flatnonzero(first)
    sums = np.add.reduceat(counts[order], places) if len(places) else counts[:0]
    inverse = np.empty(len(keys) if wants_inverse else 0, np.int64)
    if wants_inverse:
        inverse[order] = np.cumsum(first) - 1
    return ordered[places], sums, inverse


def _sorting_order(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """An order that brings equal keys together.

    Sorting numbers is several times faster in NumPy than sorting their places, so where key and place fit one word
    together they are sorted as one number.
    """
    if keys.shape[1] > 1:
        return np.lexsort(keys.T)
    size = len(keys)
    if size == 0:
        return np.zeros(0, np.int64)
    place_bits = np.uint64(size.bit_length())
    if int(keys.max()).bit_length() + int(place_bits) > 64:
        return np.argsort(keys[:, 0], kind="stable")
    packed = (keys[:, 0] << place_bits) | np.arange(size, dtype=np.uint64)
    packed.sort()
    return (packed & ((np.uint64(1) << place_bits) - np.uint64(1))).astype(np.int64)


def tally(
    keys: npt.NDArray[np.uint64],
    counts: npt.NDArray[np.int64],
    bad: npt.NDArray[np.bool_],
    *,
    fields: npt.NDArray[np.uint64],
    starts: npt.NDArray[np.uint64],
    costs: npt.NDArray[np.float64],
) -> tuple[tuple[int, int, int, int], npt.NDArray[np.float64], bool]:
    """Counts over the classes, and the costs of some of them; see ``celosia.kernels.frequency.tally``.

    >>> tally(np.array([[0], [1]], np.uint64), np.array([2, 3]), np.array([True, False]),
    ...       fields=np.array([[0, 0, 1]], np.uint64), starts=np.zeros(1, np.uint64), costs=np.array([[0.5], [1.0]]))
    ((2, 1, 13, 9), array([1.]), True)
    """
    places = np.flatnonzero(bad)
    small = counts[places]
    kept = len(counts) - len(places)
    squares = int(counts @ counts)
    numbers = (int(small.sum()), kept, squares, squares - int(small @ small))
    over_bad = 2 * kept >= len(counts)
    if not over_bad:
        places = np.flatnonzero(~bad)
    some_keys, some_counts = keys[places], counts[places]
    sums = np.zeros(costs.shape[1])
    if len(places) and len(sums):
        for (word, shift, mask), start in zip(fields, starts, strict=True):
            cells = start + ((some_keys[:, word] >> shift) & mask)
            sums += some_counts @ costs[cells]
    return numbers, sums, over_bad
