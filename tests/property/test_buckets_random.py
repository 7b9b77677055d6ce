"""Buckets of one-rule models against the same written row by row."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from celosia.kernels.buckets import fill_buckets


def plainly(rows, least):
    """Buckets as lists of places, each with its class."""
    buckets, place = [], 0
    while place < len(rows):
        inside = [place]
        while max(sum(rows[one][each] for one in inside) for each in range(len(rows[0]))) < least:
            if inside[-1] + 1 == len(rows):
                break
            inside.append(inside[-1] + 1)
        counts = [sum(rows[one][each] for one in inside) for each in range(len(rows[0]))]
        best = counts.index(max(counts))
        while inside[-1] + 1 < len(rows) and sum(rows[inside[-1] + 1]) == rows[inside[-1] + 1][best]:
            inside.append(inside[-1] + 1)
            counts[best] += rows[inside[-1]][best]
        if buckets and counts[buckets[-1][1]] == counts[best]:
            best = buckets[-1][1]
        if buckets and buckets[-1][1] == best:
            buckets[-1][0].extend(inside)
        else:
            buckets.append((inside, best))
        place = inside[-1] + 1
    return buckets


@given(
    st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any), min_size=1, max_size=30),
    st.integers(1, 8),
)
def test_buckets_are_those_of_the_plain_algorithm(rows, least):
    buckets, chosen = fill_buckets(np.array(rows, np.float64), float(least))
    expected = plainly(rows, least)
    assert chosen.tolist() == [best for _, best in expected]
    assert buckets.tolist() == [number for number, (inside, _) in enumerate(expected) for _ in inside]
