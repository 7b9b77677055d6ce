"""What comparisons rest on, over random tables: where rows come from, and texts cut outside of brackets."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from celosia.compare.chain import parse_call, split_outside
from celosia.compare.rows import rows_taken

CELL = st.one_of(st.none(), st.integers(0, 2))
ROWS = st.lists(st.tuples(CELL, CELL), min_size=1, max_size=12)


def frame_of(rows) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"a": pl.Int64, "b": pl.Int64}, orient="row")


@given(ROWS, st.data())
def test_rows_that_were_taken_are_found_and_each_is_used_before_it_is_used_again(rows, data):
    taken = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=15))
    before, after = frame_of(rows), frame_of([rows[place] for place in taken])
    found = rows_taken(before, after).tolist()
    assert [rows[place] for place in found] == [rows[place] for place in taken]
    for row in set(rows):
        times = [found.count(place) for place in range(len(rows)) if rows[place] == row]
        assert max(times) - min(times) <= 1


@given(ROWS, ROWS)
def test_a_table_is_made_of_rows_of_another_or_nobody_can_tell(rows, others):
    found = rows_taken(frame_of(rows), frame_of(others))
    assert (found is not None) == (set(others) <= set(rows))


@given(st.lists(st.text("abc,+;([{}])'", max_size=8), min_size=1, max_size=4))
def test_parts_put_together_again_are_the_text(parts):
    text = "+".join(parts)
    assert "+".join(split_outside(text, "+")) == text


@given(st.dictionaries(st.from_regex(r"[a-z]{1,6}", fullmatch=True), st.integers(-9, 99), max_size=4))
def test_parameters_are_read_as_they_were_written(parameters):
    written = ", ".join(f"{name}={value}" for name, value in parameters.items())
    assert parse_call(f"mdav({written})") == ("mdav", parameters)
