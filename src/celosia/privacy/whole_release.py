"""For models of the release as a whole: the fewest rows, in whole classes, without which the rest satisfies one.

Of classes of one size such a model does not mind which leave: the first of them do, in the order in which they are
given. Whoever asks gives them in an order that follows from their labels alone, so that the same classes leave whenever
it is asked again.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

__all__ = ["fullest", "least_number", "leave_of_sizes", "leave_smallest"]

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def leave_smallest(counts: Integers, number: int) -> Flags:
    """``leaves[class]``: the ``number`` smallest classes, of equal ones the first.

    >>> leave_smallest(np.array([2, 3, 1, 2]), 2).tolist()
    [True, False, True, False]
    """
    leaves = np.zeros(len(counts), np.bool_)
    leaves[np.argsort(counts, kind="stable")[:number]] = True
    return leaves


def leave_of_sizes(counts: Integers, leaving: Integers) -> Flags:
    """``leaves[class]``: of the classes of each size, from the smallest size on, as many as ``leaving`` says.

    >>> leave_of_sizes(np.array([2, 3, 2, 2]), np.array([2, 0])).tolist()
    [True, False, True, False]
    """
    _, times = np.unique(counts, return_counts=True)
    place = np.arange(len(counts)) - np.repeat(np.cumsum(times) - times, times)
    leaves = np.zeros(len(counts), np.bool_)
    leaves[np.argsort(counts, kind="stable")] = place < np.repeat(leaving, times)
    return leaves


def least_number(most: int, excess: Callable[[int], float]) -> int:
    """The least number of which ``excess`` is not above 0, where it falls with the number and ``most`` is enough.

    What is too much at either end tells where between them it vanishes; every other step halves what is left.

    >>> least_number(1000, lambda number: 0.3 - (number / 1000) ** 2)
    548
    """
    low, high = 0, most
    above, below = excess(0), 0.0
    if above <= 0:
        return 0
    is_halved = False
    while high - low > 1:
        share = 0.5 if is_halved else above / (above - below)
        middle = min(max(low + round((high - low) * share), low + 1), high - 1)
        value = excess(middle)
        if value > 0:
            low, above = middle, value
        else:
            high, below = middle, value
        is_halved = not is_halved
    return high


def fullest(sizes: Integers, times: Integers, room: int) -> Integers:
    """``stay[size]``: how many of the classes of each size stay so that as many rows as possible fill the room.

    There are ``times[size]`` of them. The largest that fit are taken first, which mostly fills it. Where it does not,
    some of those leave again for others: never more than twice the largest size, for of so many changes, put into an
    order in which their sum stays between minus and plus that size, some in a row would come to nothing. So all that
    changes can add up to are the bits of a number, and adding classes of a size is a shift.

    >>> fullest(np.array([2, 3]), np.array([2, 1]), 4).tolist()  # not 3 and nothing beside it
    [2, 0]
    """
    stay = _largest_first(sizes, times, room)
    gap = room - int(stay @ sizes)
    if not gap or (stay == times).all():
        return stay
    changes = 2 * int(sizes[-1])
    # ``reached`` has the bit ``zero + rows`` where changes make so many rows more (or less).
    reach = changes * int(sizes[-1])
    zero = min(reach, int(stay @ sizes))
    reached, stages, inside = 1 << zero, [], (2 << (zero + reach)) - 1
    for size, here, there in zip(sizes.tolist(), stay.tolist(), times.tolist(), strict=True):
        out, more = min(here, changes), min(there - here, changes)
        stages.append((reached, size, out, more))
        reached = (_repeated(reached, size, more) | _repeated(reached, -size, out)) & inside
        if reached >> (zero + gap) & 1:
            break
    place = (reached & ((2 << (zero + gap)) - 1)).bit_length() - 1
    for number, (before, size, out, more) in reversed(list(enumerate(stages))):
        change = _last_change(before, place, size, out, more)
        stay[number] += change
        place -= change * size
    return stay


def _largest_first(sizes: Integers, times: Integers, room: int) -> Integers:
    stay = np.zeros(len(sizes), np.int64)
    for number in range(len(sizes) - 1, -1, -1):
        stay[number] = min(int(times[number]), room // int(sizes[number]))
        room -= int(stay[number] * sizes[number])
    return stay


def _repeated(reached: int, size: int, most: int) -> int:
    """What is reached with up to ``most`` more steps of a size, which go down if it is negative."""
    step = 1
    while most > 0:
        taken = min(step, most)
        moved = taken * size
        reached |= reached << moved if moved > 0 else reached >> -moved
        most, step = most - taken, 2 * step
    return reached


def _last_change(before: int, place: int, size: int, out: int, more: int) -> int:
    """By how many classes of a size, as few as possible, a place is reached from what was reached before."""
    nearest = sorted(range(-out, more + 1), key=abs)
    return next(
        change for change in nearest if place >= change * size and before >> (place - change * size) & 1
    )
