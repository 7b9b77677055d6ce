"""Random tables released again and again: attacks on what was written never get below what the ledger claims."""

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.hierarchies import Hierarchy
from celosia.ledger.assessment import assess_release
from celosia.ledger.extend import extend_rows
from celosia.ledger.join import join_members
from celosia.ledger.join_by_values import PublishedTable, members_by_values
from celosia.ledger.members import Digests, Members, members_of
from celosia.privacy import DistinctLDiversity, KAnonymity
from celosia.tables import open_table

AGES = [(str(n), f"{n // 2 * 2}+", f"{n // 4 * 4}++", "*") for n in range(8)]
HIERARCHIES = {
    "age": Hierarchy.from_rows("age", AGES),
    "sex": Hierarchy.from_rows("sex", [("f", "*"), ("m", "*")]),
}
QUASI = ("age", "sex")
Row = tuple[int, str, str]
rows = st.lists(
    st.tuples(st.integers(0, 7), st.sampled_from("fm"), st.sampled_from(["flu", "gout", "rash"])),
    min_size=1,
    max_size=14,
)
nodes = st.tuples(st.integers(0, 3), st.integers(0, 1))


def table(found: list[Row], who: list[int], first: int = 0) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": [f"p{first + n}" for n in who],
            "age": [str(found[n][0]) for n in who],
            "sex": [found[n][1] for n in who],
            "disease": [found[n][2] for n in who],
        },
        schema=dict.fromkeys(("id", "age", "sex", "disease"), pl.String),
    )


def recoded(frame: pl.DataFrame, node: tuple[int, int]) -> pl.DataFrame:
    levels = {name: HIERARCHIES[name].level(level) for name, level in zip(QUASI, node, strict=True)}
    return frame.with_columns(
        [pl.col(name).replace_strict(labels, return_dtype=pl.String) for name, labels in levels.items()]
    )


def members(frame: pl.DataFrame) -> Members:
    counts = open_table(frame, missing=()).count_by(["id", *QUASI, "disease"])
    return members_of(counts, person="id", classes=QUASI, sensitive=["disease"], digests=Digests())


sequences = rows.flatmap(
    lambda found: st.lists(
        st.tuples(nodes, st.sets(st.integers(0, len(found) - 1), min_size=1)), min_size=2, max_size=3
    ).map(lambda releases: (found, releases))
)


@given(sequences)
@settings(max_examples=60)
def test_the_rows_that_any_two_releases_leave_for_somebody_are_as_many_as_claimed(
    sequence: tuple[list[Row], list[tuple[tuple[int, int], set[int]]]],
) -> None:
    """The attacker finds the class of her target in two releases, and links rows by the disease that both show."""
    found, releases = sequence
    frames = [recoded(table(found, sorted(who)), node) for node, who in releases]
    claimed = join_members([members(frame) for frame in frames]).k
    for one in frames:
        for two in frames:
            shared = set(one.get_column("id")) & set(two.get_column("id"))
            for target in shared:
                left, right = (
                    frame.join(frame.filter(pl.col("id") == target).select(QUASI), on=QUASI)
                    for frame in (one, two)
                )
                linked = right.filter(pl.col("disease").is_in(left.get_column("disease").implode()))
                assert linked.height >= claimed


@given(sequences)
@settings(max_examples=60)
def test_what_a_group_shows_is_told_exactly(
    sequence: tuple[list[Row], list[tuple[tuple[int, int], set[int]]]],
) -> None:
    """Models of sensitive values, on people who look alike in all releases."""
    found, releases = sequence
    frames = [recoded(table(found, sorted(who)), node) for node, who in releases]
    *earlier, last = [members(frame) for frame in frames]
    model = DistinctLDiversity(l=2, column="disease")
    looks = [{row["id"]: (row["age"], row["sex"]) for row in frame.iter_rows(named=True)} for frame in frames]
    groups: dict[object, set[str]] = {}
    for row in frames[-1].iter_rows(named=True):
        groups.setdefault(tuple(one.get(row["id"]) for one in looks), set()).add(row["disease"])
    expected = sum(len(values) < 2 for values in groups.values())
    told = assess_release(earlier, last, models=[model]).violations
    assert told == {"distinct-l-diversity of disease": expected}


@given(rows, nodes, nodes)
@settings(max_examples=60)
def test_people_who_are_all_in_both_are_found_by_values_as_by_their_key(
    found: list[Row], one: tuple[int, int], two: tuple[int, int]
) -> None:
    frame = table(found, list(range(len(found))))
    frames = [recoded(frame, node) for node in (one, two)]
    by_key = join_members([members(each) for each in frames])
    releases = [PublishedTable(open_table(each), QUASI, ("disease",), HIERARCHIES) for each in frames]
    looked_for, _ = members_by_values(open_table(frame), releases)
    by_values = [each for each in looked_for if each is not None]
    assert join_members(by_values).k == by_key.k
    assert sorted(join_members(by_values).sizes.tolist()) == sorted(by_key.sizes.tolist())


@given(rows, rows, nodes, st.integers(2, 3))
@settings(max_examples=60)
def test_rows_that_are_added_hide_among_each_other_and_break_nothing(
    old: list[Row], new: list[Row], node: tuple[int, int], k: int
) -> None:
    before = recoded(table(old, list(range(len(old)))), node)
    more = table(new, list(range(len(new))), first=100)
    release = PublishedTable(open_table(before.drop("id")), QUASI, ("disease",), HIERARCHIES)
    levels = dict(zip(QUASI, node, strict=True))
    found = extend_rows(release, open_table(more), models=[KAnonymity(k=k)], node=levels)
    added = recoded(more, node).filter(pl.Series(found.added))
    assert found.rows.sort(pl.all()).equals(added.drop("id").sort(pl.all()))
    after = pl.concat([before, added])
    if found.added.any():
        assert min(added.group_by(QUASI).len().get_column("len")) >= k
    result = assess_release([members(before)], members(after), k=k)
    assert result.passed or min(before.group_by(QUASI).len().get_column("len")) < k
    # Nobody waits in vain: of those who wait, no class has enough.
    waiting = recoded(more, node).filter(pl.Series(~found.added))
    assert not waiting.height or max(waiting.group_by(QUASI).len().get_column("len")) < k
    assert np.count_nonzero(found.added) == added.height
