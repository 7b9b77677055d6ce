"""Loops over frequency sets. Everything here has a plain twin in ``celosia.recode.plain``.

Keys are rows of 64-bit words in which every quasi-identifier owns a field of bits, so a digit is read with a shift and
a mask. Compiled code is cached on disk by Numba beside this file.
"""

import numba
import numpy as np
import numpy.typing as npt

from celosia.kernels.arrays import Codes, Flags, Floats, Integers, Unsigned

__all__ = ["regroup", "tally"]

_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: Fibonacci hashing
_HALF = np.uint64(32)
_ONE = np.uint64(1)


@numba.njit(cache=True, nogil=True)
def _regroup_short(
    keys: Unsigned,
    counts: Integers,
    fields: Unsigned,
    starts: Unsigned,
    maps: Unsigned,
    slots: Codes,
    new_keys: Unsigned,
    new_counts: Integers,
    inverse: Integers,
) -> int:
    """``_regroup`` for keys of one word: a third of the time, and nearly all tables have them."""
    wanted = inverse.shape[0] > 0
    last = np.uint64(slots.shape[0] - 1)
    groups = 0
    for i in range(keys.shape[0]):
        key = keys[i, 0]
        for f in range(fields.shape[0]):
            shift, mask = fields[f, 1], fields[f, 2]
            key = (key & ~(mask << shift)) | (maps[starts[f] + ((key >> shift) & mask)] << shift)
        mix = key * _SPREAD
        slot = (mix ^ (mix >> _HALF)) & last
        while True:
            group = slots[slot]
            if group < 0:
                slots[slot] = groups
                new_keys[groups, 0] = key
                new_counts[groups] = counts[i]
                group = groups
                groups += 1
                break
            if new_keys[group, 0] == key:
                new_counts[group] += counts[i]
                break
            slot = (slot + _ONE) & last
        if wanted:
            inverse[i] = group
    return groups


@numba.njit(cache=True, nogil=True)
def _regroup(
    keys: Unsigned,
    counts: Integers,
    fields: Unsigned,
    starts: Unsigned,
    maps: Unsigned,
    slots: Codes,
    new_keys: Unsigned,
    new_counts: Integers,
    inverse: Integers,
) -> int:
    words = keys.shape[1]
    wanted = inverse.shape[0] > 0
    last = np.uint64(slots.shape[0] - 1)
    key = np.empty(words, np.uint64)
    groups = 0
    if words == 1:
        return int(_regroup_short(keys, counts, fields, starts, maps, slots, new_keys, new_counts, inverse))
    for i in range(keys.shape[0]):
        for w in range(words):
            key[w] = keys[i, w]
        for f in range(fields.shape[0]):
            word, shift, mask = fields[f, 0], fields[f, 1], fields[f, 2]
            digit = (key[word] >> shift) & mask
            key[word] = (key[word] & ~(mask << shift)) | (maps[starts[f] + digit] << shift)
        mix = key[0] * _SPREAD
        for w in range(1, words):
            mix = (mix ^ key[w]) * _SPREAD
        slot = (mix ^ (mix >> _HALF)) & last
        while True:
            group = slots[slot]
            if group < 0:
                slots[slot] = groups
                for w in range(words):
                    new_keys[groups, w] = key[w]
                new_counts[groups] = counts[i]
                group = groups
                groups += 1
                break
            same = True
            for w in range(words):
                if new_keys[group, w] != key[w]:
                    same = False
            if same:
                new_counts[group] += counts[i]
                break
            slot = (slot + _ONE) & last
        if wanted:
            inverse[i] = group
    return groups


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

    ``fields[change]`` is (word, shift, mask) of a digit, ``maps[starts[change] + digit]`` its new value. Returns the
    distinct keys, their counts and, on request, the group of every key given.
    """
    size = len(keys)
    slots = np.full(max(64, 1 << (2 * size - 1).bit_length()), -1, np.int64 if size >= 1 << 31 else np.int32)
    new_keys = np.empty_like(keys)
    new_counts = np.empty(size, np.int64)
    inverse = np.empty(size if wants_inverse else 0, np.int64)
    groups = _regroup(keys, counts, fields, starts, maps, slots, new_keys, new_counts, inverse)
    if groups < size // 2:  # do not keep the larger buffers alive
        return new_keys[:groups].copy(), new_counts[:groups].copy(), inverse
    return new_keys[:groups], new_counts[:groups], inverse


@numba.njit(cache=True, nogil=True)
def _tally(
    keys: Unsigned,
    counts: Integers,
    bad: Flags,
    fields: Unsigned,
    starts: Unsigned,
    costs: Floats,
    sums: Floats,
) -> tuple[int, int, int, int]:
    suppressed = kept = squares = kept_squares = 0
    for i in range(counts.shape[0]):
        square = counts[i] * counts[i]
        squares += square
        if bad[i]:
            suppressed += counts[i]
        else:
            kept += 1
            kept_squares += square
    # The costs of the classes kept say as much as those of the others, and often there are fewer of them.
    over_bad = 2 * kept >= counts.shape[0]
    if costs.shape[1] == 0:
        return suppressed, kept, squares, kept_squares
    for i in range(counts.shape[0]):
        if bad[i] != over_bad:
            continue
        for c in range(fields.shape[0]):
            place = starts[c] + ((keys[i, fields[c, 0]] >> fields[c, 1]) & fields[c, 2])
            for m in range(costs.shape[1]):
                sums[m] += counts[i] * costs[place, m]
    return suppressed, kept, squares, kept_squares


def tally(
    keys: npt.NDArray[np.uint64],
    counts: npt.NDArray[np.int64],
    bad: npt.NDArray[np.bool_],
    *,
    fields: npt.NDArray[np.uint64],
    starts: npt.NDArray[np.uint64],
    costs: npt.NDArray[np.float64],
) -> tuple[tuple[int, int, int, int], npt.NDArray[np.float64], bool]:
    """Counts over the classes, and the costs of some of them.

    The counts are rows in bad classes, classes kept, squared sizes of all, squared sizes of those kept. The sums are,
    per measure, over the bad classes if the flag returned is True, else over the others, of their rows times
    ``costs[starts[column] + digit, measure]`` for each column.
    """
    sums = np.zeros(costs.shape[1])
    numbers = _tally(keys, counts, bad, fields, starts, costs, sums)
    return numbers, sums, 2 * numbers[1] >= len(counts)
