"""Random sequences of releases: no attack by joining finds a group smaller than the ledger claims."""

from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from celosia.ledger.assessment import assess_release
from celosia.ledger.join import candidate_values, join_members, join_next
from celosia.ledger.members import Members
from celosia.ledger.proposals import propose, suppressed_people

# A release as a person thinks of it: who is in which class, and what the classes show.
Release = dict[int, int]
releases = st.lists(
    st.dictionaries(st.integers(1, 12), st.integers(0, 3), min_size=1, max_size=12), min_size=1, max_size=4
)


def members(release: Release, values: dict[int, set[int]] | None = None) -> Members:
    people = sorted(release)
    pairs = sorted((one, value) for one, found in (values or {}).items() for value in found)
    return Members(
        np.array(people, np.uint64),
        np.array([release[one] for one in people], np.int32),
        4,
        np.arange(4, dtype=np.uint64),
        values={}
        if values is None
        else {
            "disease": (
                np.array([one for one, _ in pairs], np.int64),
                np.array([value for _, value in pairs], np.uint64),
            )
        },
    )


def smallest_by_attack(found: list[Release]) -> int:
    """The smallest set of people that any attacker gets who joins some of the releases.

    She knows of her target which of them the target is in, and in which class; and subtracts: those who are in a class
    of one release but in none of another.
    """
    everybody = {one for release in found for one in release}
    best = len(everybody)
    for size in range(1, len(found) + 1):
        for held in combinations(found, size):
            for target in {one for release in held for one in release}:
                alike = {
                    one
                    for one in everybody
                    if all(release.get(one) == release.get(target) for release in held)
                }
                best = min(best, len(alike))
    return best


@given(releases)
def test_no_join_of_any_of_the_releases_finds_fewer_people_than_the_ledger_claims(
    found: list[Release],
) -> None:
    claimed = join_members([members(one) for one in found]).k
    assert smallest_by_attack(found) >= claimed
    # The claim is not merely safe: the attacker who holds all of them gets there.
    everybody = {one for release in found for one in release}
    alike = Counter(tuple(release.get(one) for release in found) for one in everybody)
    assert min(alike.values()) == claimed


@given(releases, st.integers(1, 4))
def test_a_release_passes_exactly_if_no_group_becomes_too_small_through_it(
    found: list[Release], k: int
) -> None:
    *earlier, last = [members(one) for one in found]
    before = defaultdict(set)
    after = defaultdict(set)
    for one in {one for release in found for one in release}:
        looks = tuple(release.get(one) for release in found)
        after[looks].add(one)
        if any(place is not None for place in looks[:-1]):
            before[looks[:-1]].add(one)
    harmed = [group for looks, group in after.items() if len(group) < k and before.get(looks[:-1]) != group]
    result = assess_release(earlier, last, k=k)
    assert sum(one.people for one in result.damage) == sum(map(len, harmed))
    assert result.passed is (not harmed)


@given(releases, st.integers(1, 4))
def test_leaving_out_those_proposed_harms_nobody(found: list[Release], k: int) -> None:
    *earlier, last = [members(one) for one in found]
    before = join_members(earlier)
    out = suppressed_people(before, last, k=k)
    rest = Members(last.people[~out], last.classes[~out], 4, last.labels)
    assert assess_release(earlier, rest, k=k).passed
    # Nor is a class of the release itself left with too few, if it had enough.
    left, rows = (Counter(one.classes.tolist()) for one in (rest, last))
    assert all(size >= k or size == rows[own] for own, size in left.items())


@given(releases, st.integers(1, 4))
def test_a_proposal_that_is_said_to_keep_the_promise_does(found: list[Release], k: int) -> None:
    *earlier, last = [members(one) for one in found]
    proposals = propose(join_members(earlier), last, k=k, latest=earlier[-1] if earlier else None)
    assert [one.name for one in proposals if one.name == "suppress" and one.keeps] == ["suppress"]
    if assess_release(earlier, last, k=k).passed:
        kept = {one.name: one for one in proposals}
        assert kept["suppress"].left_out == 0
        assert kept["counterfeits"].counterfeits == 0
        assert kept["counterfeits"].keeps


@given(
    releases,
    st.lists(st.sets(st.integers(1, 5), min_size=1), min_size=4, max_size=4).flatmap(st.permutations),
)
def test_candidates_are_the_values_that_all_classes_of_a_person_show(
    found: list[Release], sets: list[set[int]]
) -> None:
    # Every release shows its own values: those of another class each time.
    shown = [{own: sets[(own + turn) % 4] for own in set(one.values())} for turn, one in enumerate(found)]
    both = [members(one, values) for one, values in zip(found, shown, strict=True)]
    joined = join_members(both)
    counts = candidate_values(joined, both, "disease")
    for person in {one for release in found for one in release}:
        expected = set.intersection(
            *(
                values[release[person]]
                for release, values in zip(found, shown, strict=True)
                if person in release
            )
        )
        group = joined.groups[np.searchsorted(joined.people, np.uint64(person))]
        assert counts[group] == len(expected)


@given(releases)
def test_joining_one_by_one_is_joining_at_once(found: list[Release]) -> None:
    *earlier, last = [members(one) for one in found]
    assert join_next(join_members(earlier), last).k == join_members([*earlier, last]).k
