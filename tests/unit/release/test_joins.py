"""A join that a release broke is found, and one that it kept is not taken for broken."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.release.joins import check_joins
from celosia.tables import open_table

GROUP = [("visits", "person"), ("people", "id")]
IDS = [1, 2, 3, 4, 5]
PERSONS = [1, 1, 2, 2, 3, 9, None]
"""Three people have visits, two have none, one visit is of a stranger and one of nobody."""


def tables(ids: Any, persons: Any) -> dict[str, Any]:
    return {
        "people": open_table(pl.DataFrame({"id": ids})),
        "visits": open_table(pl.DataFrame({"person": persons})),
    }


def check(ids: Any, persons: Any, *, exact: bool = True) -> Any:
    [found] = check_joins(tables(IDS, PERSONS), tables(ids, persons), [GROUP], exact=exact)
    return found


def mapped(values: Any, change: Any) -> list[Any]:
    return [None if value is None else change(value) for value in values]


def test_other_names_in_another_order_keep_a_join():
    found = check(mapped(IDS[::-1], "p{}".format), mapped(PERSONS[::-1], "p{}".format))
    assert found.passed
    assert (found.name, found.column, found.asked, found.reached, found.violating) == (
        "joins",
        "visits.person = people.id",
        3,
        3,
        0,
    )
    assert found.text == "the join of visits.person and people.id: 3 values matched, 3 match"


def test_two_keys_break_it():
    found = check(mapped(IDS, "p{}".format), mapped(PERSONS, "q{}".format))
    assert not found.passed
    assert (found.asked, found.reached) == (3, 0)
    assert found.text == (
        "the join of visits.person and people.id: 3 values matched, 0 match; there are 9 values in both, and there "
        "were 6; 4 values of visits.person have no partner, and 1 had none; 5 values of people.id have no partner, "
        "and 2 had none"
    )


def test_a_table_that_was_left_as_it_is_breaks_it():
    assert not check(IDS, mapped(PERSONS, "q{}".format)).passed


def test_no_value_is_told():
    text = check(mapped(IDS, "secret{}".format), mapped(PERSONS, "hidden{}".format)).text
    assert "secret" not in text
    assert "hidden" not in text


def test_operations_that_merge_values_keep_a_join():
    assert check(mapped(IDS, lambda n: n // 2), mapped(PERSONS, lambda n: n // 2)).passed


def test_merging_in_one_table_only_breaks_it():
    found = check(mapped(IDS, lambda n: f"{n // 2}*"), mapped(PERSONS, str))
    assert not found.passed


def test_values_that_change_places_in_one_table_are_found_by_their_rows():
    swapped = {1: 4, 4: 1, 2: 5, 5: 2, 3: 3, 9: 9}
    found = check(IDS, mapped(PERSONS, swapped.get))
    assert found.passed  # every person has one row, so nobody could tell the difference from two new names
    before = tables([1, 1, 1, 2], [1, 2, 2])
    [found] = check_joins(before, tables([2, 2, 2, 1], [1, 2, 2]), [GROUP])
    assert not found.passed
    assert found.text.endswith("the rows of the values are not those that they had")


def test_rows_that_are_missing_fail_where_none_was_left_out():
    found = check(IDS, PERSONS[:-1])
    assert found.text.endswith("; visits.person had 7 rows and has 6")
    assert not found.passed
    assert check(IDS, PERSONS[:-1], exact=False).passed


def test_people_left_out_may_take_partners_away():
    assert check(mapped([1, 5], "p{}".format), mapped(PERSONS, "p{}".format), exact=False).passed


def test_as_long_as_all_people_are_left_visits_keep_their_partners():
    # Two might be the stranger, and nobody with a name.
    assert check(mapped(IDS, "p{}".format), ["q1", "q9"], exact=False).passed
    found = check(mapped(IDS, "p{}".format), ["q1", "q2", "q9"], exact=False)
    assert not found.passed
    assert "3 values of visits.person have no partner, and 2 had none" in found.text


def test_a_missing_value_may_be_given_a_text_or_a_value_taken_away():
    filled = ["nobody" if value is None else f"p{value}" for value in PERSONS]
    assert check(mapped(IDS, "p{}".format), filled).passed
    taken = [None if value == 2 else value for value in PERSONS]
    assert check([None if value == 2 else value for value in IDS], taken).passed


def test_a_column_that_only_one_table_lost_fails():
    after = tables(IDS, PERSONS) | {"people": open_table(pl.DataFrame({"age": [1]}))}
    [found] = check_joins(tables(IDS, PERSONS), after, [GROUP])
    assert not found.passed
    assert found.text.endswith("people.id is not in the release, and the other is")
    nowhere = {name: open_table(pl.DataFrame({"age": [1]})) for name in ("people", "visits")}
    assert check_joins(tables(IDS, PERSONS), nowhere, [GROUP]) == ()


def test_every_two_places_of_a_group_are_looked_at():
    before = tables(IDS, PERSONS) | {"bills": open_table(pl.DataFrame({"payer": [1, 2]}))}
    after = tables(IDS, PERSONS) | {"bills": open_table(pl.DataFrame({"payer": ["x", "y"]}))}
    found = check_joins(before, after, [[*GROUP, ("bills", "payer")]])
    assert [(one.column, one.passed) for one in found] == [
        ("visits.person = people.id", True),
        ("visits.person = bills.payer", False),
        ("people.id = bills.payer", False),
    ]


def test_tables_without_rows_pass():
    empty = tables(pl.Series([], dtype=pl.Int64), pl.Series([], dtype=pl.String))
    [found] = check_joins(empty, empty, [GROUP])
    assert found.passed
    assert found.asked == 0


values = st.lists(st.one_of(st.none(), st.integers(0, 12)), max_size=25)


def frame_of(column: list[Any]) -> pl.Series:
    return pl.Series([None if value is None else str(value) for value in column], dtype=pl.String)


@settings(max_examples=100, deadline=None)
@given(
    values,
    values,
    st.lists(st.one_of(st.none(), st.integers(0, 8)), min_size=14, max_size=14),
    st.integers(0, 2**32),
    st.sampled_from(["no row", "people", "visits", "both", "cells"]),
)
def test_one_function_for_both_columns_never_fails(ids, persons, images, seed, left_out):
    """Whatever it merges, takes away or fills, and whichever rows are left out: the check is always right."""
    generator = np.random.default_rng(seed)

    def release(column: list[Any], name: str) -> list[Any]:
        changed = [images[13 if value is None else value] for value in column]
        kept = generator.random(len(changed)) < 0.6
        if left_out in (name, "both"):
            changed = [value for value, is_kept in zip(changed, kept, strict=True) if is_kept]
        if left_out == "cells":
            changed = [value if is_kept else None for value, is_kept in zip(changed, kept, strict=True)]
        return list(generator.permutation(np.array(changed, dtype=object)))

    after = tables(frame_of(release(ids, "people")), frame_of(release(persons, "visits")))
    before = tables(frame_of(ids), frame_of(persons))
    [found] = check_joins(before, after, [GROUP], exact=left_out in ("no row", "cells"))
    assert found.passed, found.text


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 12), min_size=1, max_size=25), st.lists(st.integers(0, 12), min_size=1))
def test_two_names_for_a_value_that_matched_never_pass(ids, persons):
    before = tables(frame_of(ids), frame_of(persons))
    after = tables(frame_of(ids), frame_of([f"x{value}" for value in persons]))
    [found] = check_joins(before, after, [GROUP])
    assert found.passed == set(ids).isdisjoint(persons)


@pytest.mark.parametrize("exact", [True, False])
def test_whole_numbers_and_texts_of_them_match(exact):
    [found] = check_joins(
        tables([1, 2], ["1", "1", "2"]), tables(["a", "b"], ["a", "a", "b"]), [GROUP], exact=exact
    )
    assert (found.asked, found.reached, found.passed) == (2, 2, True)
