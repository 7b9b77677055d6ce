"""The order of values: that of numbers and dates, or one that is given; texts have none."""

import datetime

import polars as pl
import pytest

from celosia.errors import ProjectError
from celosia.privacy import Classes, Histogram, TCloseness, rank_values
from celosia.release.transport import order_values


@pytest.mark.parametrize("rank", [rank_values, order_values])
@pytest.mark.parametrize(
    ("values", "ranks"),
    [
        ([], []),
        ([None], [0]),
        (["10", "9", "-1", "0.5"], [3, 2, 0, 1]),
        (["10", "9", None], [1, 0, 2]),
        (["1e3", "999", "1001"], [1, 0, 2]),
        (["inf", "NaN", "-inf", "0"], [2, 3, 0, 1]),
        (["1.0", "1", "0"], [2, 1, 0]),
        (["10000000000000000001", "10000000000000000000", "9"], [2, 1, 0]),
        (["-10000000000000000001", "-10000000000000000000"], [0, 1]),
        (["1e999999999", "1e99999999", "2"], [2, 1, 0]),
        (["2024-10-01", "2024-09-30", "1999-12-31"], [2, 1, 0]),
        (["2024-10-01T09:00:00", "2024-10-01 10:30", "2024-10-01", None], [1, 2, 0, 3]),
        (["2024-10-01T09:00:00+02:00", "2024-10-01T08:30:00Z"], [0, 1]),
        (["true", "false"], [1, 0]),
        (["TRUE", "FALSE", None], [1, 0, 2]),
        ([" True", "false "], [1, 0]),
        ([" 100", "20 ", "3"], [2, 1, 0]),
        ([" 2024-05-01", "2023-01-01"], [1, 0]),
    ],
)
def test_values_have_the_place_that_a_person_expects(rank, values, ranks) -> None:
    assert list(rank(values)) == ranks


@pytest.mark.parametrize("rank", [rank_values, order_values])
@pytest.mark.parametrize(
    "values",
    [
        ["10", "9", "x"],
        ["1234,56", "987,00"],
        ["1 000", "200"],
        ["1e9999999999", "2"],
        ["2024-10-01", "2024-13-01"],
        ["2024-10-01", "30/09/2024"],
        ["2024-10-01T09:00:00Z", "2024-10-01T09:00:00"],
        ["2024-10-01", "unknown"],
        ["2024-10-01", "1"],
        ["b", "a", None],
        ["true", "false", "maybe"],
        [""],
    ],
)
def test_texts_have_no_order(rank, values) -> None:
    assert rank(values) is None


@pytest.mark.parametrize("rank", [lambda values, order: rank_values(values, order=order), order_values])
def test_an_order_that_is_given_decides(rank) -> None:
    order = ["mild", "moderate", "severe"]
    assert list(rank(["severe", None, "mild"], order)) == [1, 2, 0]
    assert list(rank(["1", "10", "9"], ["10", "9", "1"])) == [2, 0, 1]
    assert list(rank([" Severe", None, "MILD"], order)) == [1, 2, 0]
    assert list(rank(["1.10", "2"], ["2", "1.1"])) == [1, 0]


def test_an_order_names_every_value() -> None:
    assert rank_values(["mild", "dead"], order=["mild", "severe"]) is None
    assert order_values(["mild", "dead"], ["mild", "severe"]) is None


@pytest.mark.parametrize(
    ("values", "ranks"),
    [
        (pl.Series([10, 9, None]), [1, 0, 2]),
        (pl.Series([0.5, float("nan"), None, -1.0]), [1, 2, 3, 0]),
        (pl.Series([datetime.date(2024, 5, 1), None, datetime.date(1999, 1, 1)]), [1, 2, 0]),
        (pl.Series([True, False]), [1, 0]),
        (pl.Series(["10", "9", None]), [1, 0, 2]),
        (pl.Series([None, None]), [0, 1]),
        (pl.Series(["mild", "severe"]), None),
        (pl.Series(["b", "a"], dtype=pl.Enum(["b", "a"])), None),
        (pl.Series([[1], [2]]), None),
    ],
)
def test_a_series_has_the_order_of_its_type(values, ranks) -> None:
    found = rank_values(values)
    assert (None if found is None else found.tolist()) == ranks


def test_numbers_can_be_given_another_order() -> None:
    assert rank_values(pl.Series([1, 2, 3]), order=["3", "1", "2"]).tolist() == [1, 2, 0]


# --- t-closeness


def classes_of(*groups: list[str]) -> Classes:
    frame = pl.DataFrame({"class": range(len(groups)), "value": groups}).explode("value", empty_as_null=False)
    counted = frame.group_by("class", "value", maintain_order=True).len()
    values = tuple(counted["value"].unique(maintain_order=True).to_list())
    histogram = Histogram(
        counted["class"].to_numpy(),
        counted["value"].replace_strict(values, range(len(values))).to_numpy(),
        counted["len"].cast(pl.Int64).to_numpy(),
        values,
        rank_values(values),
    )
    return Classes(frame.group_by("class", maintain_order=True).len()["len"].to_numpy(), {"pain": histogram})


def test_an_ordered_distance_of_texts_needs_their_order() -> None:
    classes = classes_of(["mild", "severe"], ["none", "none"])
    with pytest.raises(ProjectError) as caught:
        TCloseness(column="pain", t=0.2, distance="ordered").violations(classes)
    assert str(caught.value) == (
        "models: the values of 'pain' are texts, and an ordered distance needs an order other than the alphabet; "
        "write them as numbers (1234.56) or dates (2024-05-31) if they are, give their order, as in "
        "-t pain=ordered:0.2:low,middle,high (in a project: order), or use the equal distance"
    )
    assert TCloseness(column="pain", t=0.2).violations(classes).all()
    ordered = TCloseness(column="pain", t=0.2, distance="ordered", order=("none", "mild", "severe"))
    # Mild and severe are 1 and 2 steps of 2 from where half of all are; by the alphabet they would be 1/2 each.
    assert ordered.distances(classes).tolist() == [0.375, 0.375]
    other = ordered.model_copy(update={"order": ("mild", "none", "severe")})
    assert other.distances(classes).tolist() == [0.25, 0.25]


def test_an_order_belongs_to_the_ordered_distance_and_names_nothing_twice() -> None:
    with pytest.raises(ValueError, match="is for the ordered distance, not the equal one"):
        TCloseness(column="pain", t=0.2, order=("mild", "severe"))
    with pytest.raises(ValueError, match="the order names 'mild' twice"):
        TCloseness(column="pain", t=0.2, distance="ordered", order=("mild", "severe", "mild"))
    with pytest.raises(
        ProjectError,
        match=r"order of the values of 'pain' does not name 1 of them, the first 'none'; name every value",
    ):
        TCloseness(column="pain", t=0.2, distance="ordered", order=("mild", "severe")).violations(
            classes_of(["mild", "severe"], ["none"])
        )


def test_integers_of_any_size_are_ordered_whichever_comes_first():
    assert rank_values([1, 2**64 + 1, None, 2**63, 2**64]).tolist() == [0, 3, 4, 1, 2]
