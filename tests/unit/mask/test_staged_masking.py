"""Operations in stages, with a table in memory that deals out values as a cluster would."""

from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.mask import make_operation
from celosia.mask.masking import Masking
from celosia.mask.masking_stage import MaskingStage
from celosia.tables import open_table

SHUFFLE = make_operation("shuffle")
TEN, HUNDRED = make_operation("round", to=10), make_operation("round", to=100)


def dealt(stage: MaskingStage, frame: pl.DataFrame, order: Any, cut: int) -> pl.DataFrame:
    """What a cluster makes of a stage: its rows in two parts, values by their numbers in another order."""
    change = stage.begin(stage.names)
    needed = stage.needs(stage.names)
    parts = []
    for part in (frame.head(cut), frame.slice(cut)):
        made, kept = change(part.select(needed))
        passed = part if kept is None else part.filter(kept)
        parts.append(pl.concat([passed.select(set(stage.names) - set(made.columns)), made], how="horizontal"))
    found = pl.concat(parts).select(stage.names)
    assert tuple(found.dtypes) == stage.dtypes
    for one in stage.shuffled:
        values, numbers = found[one.values].drop_nulls(), found[one.numbers]
        assert numbers.drop_nulls().to_list() == list(range(len(values)))
        assert numbers.is_null().equals(found[one.values].is_null())
        found = found.with_columns(order(values).gather(numbers).alias(one.values)).drop(one.numbers)
    return found


def staged(masking: Masking, frame: pl.DataFrame, order: Any, cut: int = 0) -> pl.DataFrame:
    """A table as its operations leave it, stage by stage."""
    while (stage := masking.stage()) is not None:
        frame, masking = dealt(stage, frame, order, cut), stage.rest
    return masking.begin(masking.names)(frame.select(masking.needs(masking.names)))[0]


def kept_order(values: pl.Series) -> pl.Series:
    return values


@settings(max_examples=40)
@given(
    rows=st.lists(
        st.tuples(st.none() | st.integers(0, 5000), st.none() | st.sampled_from(["NA", "a", "b"])),
        max_size=20,
    ),
    cut=st.integers(0, 20),
    missing=st.sampled_from([{}, {"missing": "drop"}, {"missing": "replace", "replacement": "7"}]),
    chain=st.lists(st.sampled_from(["shuffle", "round", "code", "suppress"]), min_size=1, max_size=5),
)
def test_stages_do_what_one_pass_does_but_for_the_order(
    rows: list[Any], cut: int, missing: dict[str, str], chain: list[str]
) -> None:
    fields: dict[str, Any] = {
        "round": {"to": 10},
        "code": {"top": 2000},
        "suppress": {"where": "paid > 1000"},
    }
    frame = pl.DataFrame(rows, schema={"paid": pl.Int64, "ward": pl.String}, orient="row")
    operations = [make_operation(name, **fields.get(name, {}), **missing) for name in chain]
    kept = make_operation("keep", **missing)
    same = [kept if operation.name == "shuffle" else operation for operation in operations]
    ward = (make_operation("truncate", first=1), SHUFFLE)
    by = (make_operation("drop-rows", where="ward = 'b'"),)
    found = staged(
        Masking(open_table(frame), {"paid": (*operations,), "ward": ward}, by), frame, kept_order, cut
    )
    chains = {"paid": (*same,), "ward": (ward[0],)}
    expected = Masking(open_table(frame), chains, by).begin(("paid", "ward"))(frame)[0]
    assert found.equals(expected)


def test_every_shuffle_of_a_chain_is_done_with_what_comes_to_it() -> None:
    frame = pl.DataFrame({"paid": [1234, None, 987, 55], "paid shuffled": ["a", "b", "c", "d"]})
    chain = (TEN, SHUFFLE, HUNDRED, SHUFFLE)
    masking = Masking(open_table(frame), {"paid": chain}, seed=3)
    first = masking.stage()
    assert first is not None
    second = first.rest.stage()
    assert second is not None
    assert second.rest.stage() is None
    assert first.shuffled[0].seed != second.shuffled[0].seed
    assert staged(masking, frame, pl.Series.reverse).rows() == [
        (1200, "a"),
        (None, "b"),
        (1000, "c"),
        (100, "d"),
    ]
    assert staged(masking, frame, lambda values: values.sort()).rows()[0] == (100, "a")


def test_columns_that_nobody_shuffles_or_that_are_gone_make_no_stage() -> None:
    source = open_table(pl.DataFrame({"paid": [1, 2]}))
    assert Masking(source, {"paid": (TEN,)}).stage() is None
    assert Masking(source, {"paid": (SHUFFLE, make_operation("suppress"))}).stage() is None
