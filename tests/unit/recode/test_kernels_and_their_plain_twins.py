"""The compiled loops and their plain twins give the same answers, with keys of one word and of several."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.kernels import frequency as kernels
from celosia.recode import plain
from celosia.recode.frequency import _pack_fields

SOME = settings(max_examples=150, deadline=None)


@st.composite
def keyed(draw):
    """Random columns with packed keys, counts, and a map for some of the columns."""
    sizes = draw(st.lists(st.sampled_from([1, 2, 5, 300, 70_000, 2**31]), min_size=1, max_size=6))
    rows = draw(st.integers(0, 60))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    fields, words = _pack_fields(sizes)
    keys = np.zeros((rows, words), np.uint64)
    for (word, shift, _), size in zip(fields, sizes, strict=True):
        keys[:, word] |= random.integers(0, min(size, 4), rows).astype(np.uint64) << shift
    changed = [column for column in range(len(sizes)) if draw(st.booleans())]
    maps = [random.integers(0, min(sizes[column], 4), 4).astype(np.uint64) for column in changed]
    starts = np.arange(len(changed)).astype(np.uint64) * np.uint64(4)
    return {
        "keys": keys,
        "counts": random.integers(1, 9, rows),
        "fields": fields[changed],
        "starts": starts,
        "maps": np.concatenate([np.zeros(0, np.uint64), *maps]),
        "all_fields": fields,
        "random": random,
    }


def as_dict(keys, counts):
    return {tuple(key): int(count) for key, count in zip(keys.tolist(), counts, strict=True)}


@given(keyed())
@SOME
def test_regrouping(case):
    change = {name: case[name] for name in ("fields", "starts", "maps")}
    results = []
    for engine in (plain, kernels):
        keys, counts, inverse = engine.regroup(case["keys"], case["counts"], **change, wants_inverse=True)
        assert counts.sum() == case["counts"].sum()
        assert np.array_equal(np.bincount(inverse, weights=case["counts"], minlength=len(counts)), counts)
        results.append(as_dict(keys, counts))
        assert len(results[-1]) == len(counts)
    assert results[0] == results[1]


@given(keyed())
@SOME
def test_tallying(case):
    keys, counts, fields = case["keys"], case["counts"], case["all_fields"]
    starts = np.arange(len(fields)).astype(np.uint64) * np.uint64(4)
    bad = case["random"].random(len(counts)) < 0.5
    costs = case["random"].random((4 * len(fields), 3))
    one = plain.tally(keys, counts, bad, fields=fields, starts=starts, costs=costs)
    two = kernels.tally(keys, counts, bad, fields=fields, starts=starts, costs=costs)
    assert one[0] == two[0]
    assert one[2] == two[2]
    assert one[1] == pytest.approx(two[1])


def test_fields_never_straddle_a_word():
    fields, words = _pack_fields([2**40, 2**30, 2, 2**63])
    assert words == 3
    assert fields.tolist() == [[0, 0, 2**40 - 1], [1, 0, 2**30 - 1], [1, 30, 1], [2, 0, 2**63 - 1]]
