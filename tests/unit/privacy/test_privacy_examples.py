"""Literal cases of every privacy model, most of them small enough to check by hand or printed in a paper."""

from collections import Counter

import numpy as np
import pytest
from pydantic import ValidationError

from celosia.errors import HierarchyError, ProjectError
from celosia.hierarchies import Hierarchy
from celosia.privacy import (
    MODELS,
    Classes,
    DistinctLDiversity,
    EntropyLDiversity,
    Histogram,
    KAnonymity,
    RecursiveCLDiversity,
    TCloseness,
    rank_values,
)

# Li, Li and Venkatasubramanian 2007, figure 1 and tables 3 and 5.
DISEASES = Hierarchy.from_rows(
    "disease",
    [
        ("flu", "respiratory infection", "respiratory", "any"),
        ("pneumonia", "respiratory infection", "respiratory", "any"),
        ("bronchitis", "respiratory infection", "respiratory", "any"),
        ("pulmonary edema", "vascular lung", "respiratory", "any"),
        ("pulmonary embolism", "vascular lung", "respiratory", "any"),
        ("gastric ulcer", "stomach", "digestive", "any"),
        ("stomach cancer", "stomach", "digestive", "any"),
        ("gastritis", "stomach", "digestive", "any"),
        ("colitis", "colon", "digestive", "any"),
        ("colon cancer", "colon", "digestive", "any"),
    ],
)


def classes_of(*groups: list[str | None], hierarchy: Hierarchy | None = None) -> Classes:
    values = tuple(dict.fromkeys(value for group in groups for value in group))
    entries = [
        (number, values.index(value), rows)
        for number, group in enumerate(groups)
        for value, rows in Counter(group).items()
    ]
    owner, codes, counts = np.array(entries, dtype=np.int64).reshape(-1, 3).T
    histogram = Histogram(owner, codes, counts, values, rank_values(values), hierarchy)
    return Classes(np.array([len(group) for group in groups], dtype=np.int64), {"s": histogram})


def distances(distance: str, *groups: list[str | None], hierarchy: Hierarchy | None = None) -> list[float]:
    model = TCloseness(column="s", t=0.5, distance=distance)
    return model.distances(classes_of(*groups, hierarchy=hierarchy)).tolist()


@pytest.mark.parametrize(
    ("model", "counts", "violates"),
    [
        (KAnonymity(k=2), ["a", "a"], False),
        (KAnonymity(k=3), ["a", "a"], True),
        (DistinctLDiversity(column="s", l=2), ["a", "a", "a"], True),
        (DistinctLDiversity(column="s", l=2), ["a", "a", None], False),
        (EntropyLDiversity(column="s", l=3), ["a", "b", "c"], False),
        (EntropyLDiversity(column="s", l=3), ["a", "b", "c", "c"], True),
        (EntropyLDiversity(column="s", l=2.8), ["a", "b", "c", "c"], False),
        (EntropyLDiversity(column="s", l=1), ["a"], False),
        (RecursiveCLDiversity(column="s", c=1, l=2), ["a", "b"], True),
        (RecursiveCLDiversity(column="s", c=1.01, l=2), ["a", "b"], False),
        (RecursiveCLDiversity(column="s", c=3, l=3), ["a", "a", "b", "b", "c"], False),
        (RecursiveCLDiversity(column="s", c=2, l=3), ["a", "a", "b", "b", "c"], True),
        (RecursiveCLDiversity(column="s", c=100, l=3), ["a", "b"], True),
    ],
)
def test_a_class_is_judged_as_by_hand(model, counts, violates) -> None:
    assert model.violations(classes_of(counts)).tolist() == [violates]


@pytest.mark.parametrize("values", [2, 3, 5, 6, 7, 10, 49, 1000])
@pytest.mark.parametrize("rows", [1, 3, 7, 1000003])
def test_equally_frequent_values_have_the_entropy_asked_for_despite_rounding(values: int, rows: int) -> None:
    codes = np.arange(values)
    histogram = Histogram(
        codes * 0, codes, np.full(values, rows), tuple(map(str, range(values))), np.arange(values)
    )
    classes = Classes(np.array([values * rows]), {"s": histogram})
    assert not EntropyLDiversity(column="s", l=values).violations(classes)[0]
    assert EntropyLDiversity(column="s", l=values + 1e-5).violations(classes)[0]


def test_as_often_as_c_times_is_not_less_often_despite_rounding() -> None:
    # 1.1 x 50 is 55.00000000000001 in binary, but 55 is not less than 55.
    classes = classes_of(["a"] * 55 + ["b"] * 50)
    assert RecursiveCLDiversity(column="s", c=1.1, l=2).violations(classes)[0]
    assert not RecursiveCLDiversity(column="s", c=1.11, l=2).violations(classes)[0]


def test_the_published_salaries_are_as_far_away_as_published() -> None:
    found = distances(
        "ordered", ["3000", "4000", "5000"], ["6000", "8000", "11000"], ["7000", "9000", "10000"]
    )
    assert found[:2] == pytest.approx([0.375, 1 / 6])


def test_the_published_grouping_is_0167_close_in_salary() -> None:
    found = distances(
        "ordered", ["3000", "5000", "9000"], ["6000", "11000", "8000"], ["4000", "7000", "10000"]
    )
    assert max(found) == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("flu", "bronchitis", 1 / 3),
        ("flu", "pulmonary embolism", 2 / 3),
        ("flu", "stomach cancer", 1.0),
        ("flu", None, 1.0),
    ],
)
def test_diseases_are_as_far_apart_as_published(one: str, other: str | None, apart: float) -> None:
    # Half of the whole is the other value: half of the class has to move.
    assert distances("hierarchical", [one], [other], hierarchy=DISEASES) == pytest.approx([apart / 2] * 2)


def test_the_published_grouping_by_disease() -> None:
    found = distances(
        "hierarchical",
        ["gastric ulcer", "stomach cancer", "pneumonia"],
        ["gastritis", "flu", "bronchitis"],
        ["gastritis", "bronchitis", "stomach cancer"],
        hierarchy=DISEASES,
    )
    # By hand: the mean over three levels of the differences of shares, in ninths (5,1,1), (4,2,2) and
    # (3,1,1).
    assert found == pytest.approx([7 / 27, 8 / 27, 5 / 27])


def test_a_value_that_repeats_itself_is_as_far_from_others_as_the_level_where_they_meet() -> None:
    unbalanced = Hierarchy.from_rows(
        "s", [("a", "a", "x", "*"), ("b", "b", "x", "*"), ("c", "y", "y", "*"), ("d", "y", "y", "*")]
    )
    assert distances("hierarchical", ["a"], ["b"], hierarchy=unbalanced) == pytest.approx([1 / 3] * 2)
    assert distances("hierarchical", ["c"], ["d"], hierarchy=unbalanced) == pytest.approx([1 / 6] * 2)
    assert distances("hierarchical", ["a"], ["c"], hierarchy=unbalanced) == pytest.approx([1 / 2] * 2)


def test_a_hierarchy_without_root_is_measured_as_if_it_had_one() -> None:
    rows = [("a", "x"), ("b", "x"), ("c", "y")]
    rootless = Hierarchy.from_rows("s", rows)
    groups = (["a", "a", "b"], ["c", "b"], ["c", None])
    assert distances("hierarchical", *groups, hierarchy=rootless) == pytest.approx(
        distances("hierarchical", *groups, hierarchy=rootless.with_root())
    )


def test_a_hierarchy_of_one_level_gives_the_equal_distance() -> None:
    flat = Hierarchy.from_rows("s", [("a",), ("b",), ("c",)])
    groups = (["a", "a", "b"], ["c", "b"], ["c", None])
    assert distances("hierarchical", *groups, hierarchy=flat) == pytest.approx(distances("equal", *groups))


def test_the_order_of_numbers_is_that_of_their_size_and_a_missing_value_is_last() -> None:
    # In the order of texts 10 stands before 9, and the ends would be others.
    assert distances("ordered", ["9"], ["10"], [None])[0] == pytest.approx(0.5)
    assert distances("ordered", ["9"], ["10"], [None])[1] == pytest.approx(1 / 3)


def test_values_that_no_class_given_has_do_not_stretch_the_order() -> None:
    histogram = Histogram(
        np.array([0, 1]), np.array([0, 2]), np.array([1, 1]), ("1", "2", "3", "4"), np.arange(4)
    )
    classes = Classes(np.array([1, 1]), {"s": histogram})
    assert TCloseness(column="s", t=0.5, distance="ordered").distances(classes).tolist() == [0.5, 0.5]


def test_the_whole_is_that_of_the_classes_given() -> None:
    model = TCloseness(column="s", t=0.2)
    assert model.violations(classes_of(["a", "b"], ["a", "b"], ["b"] * 20)).tolist() == [True, True, False]
    assert model.violations(classes_of(["a", "b"], ["a", "b"])).tolist() == [False, False]


@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
def test_a_distance_of_exactly_t_satisfies(distance: str) -> None:
    hierarchy = Hierarchy.from_rows("s", [("1", "*"), ("2", "*")])
    classes = classes_of(["1", "1", "1"], ["1"] * 4 + ["2"] * 3, hierarchy=hierarchy)
    assert not TCloseness(column="s", t=0.3, distance=distance).violations(classes)[0]
    assert TCloseness(column="s", t=0.2999, distance=distance).violations(classes)[0]


@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
def test_one_value_everywhere_is_no_distance(distance: str) -> None:
    hierarchy = Hierarchy.from_rows("s", [("1", "*")])
    assert distances(distance, ["1"], ["1", "1"], hierarchy=hierarchy) == [0.0, 0.0]


@pytest.mark.parametrize(
    "model",
    [
        KAnonymity(k=2),
        DistinctLDiversity(column="s", l=2),
        EntropyLDiversity(column="s", l=2),
        RecursiveCLDiversity(column="s", c=2, l=2),
        *(TCloseness(column="s", t=0.2, distance=kind) for kind in ("equal", "ordered", "hierarchical")),
    ],
    ids=str,
)
def test_no_classes_have_no_violations(model) -> None:
    none = np.array([], dtype=np.int64)
    hierarchy = Hierarchy.from_rows("s", [("1", "*")])
    classes = Classes(none, {"s": Histogram(none, none, none, (), none, hierarchy)})
    assert model.violations(classes).tolist() == []
    assert model.violations(classes).dtype == np.bool_


def test_many_classes_and_values_need_no_memory_for_their_product() -> None:
    # Classes times values would be 10^10 numbers.
    many = 100_000
    places = np.arange(many)
    histogram = Histogram(places, places, np.ones(many, dtype=np.int64), tuple(map(str, range(many))), places)
    found = TCloseness(column="s", t=0.4, distance="ordered").violations(
        Classes(places * 0 + 1, {"s": histogram})
    )
    # A class at the end is half of the order away from all others on average, one in the middle a quarter.
    assert found[[0, many // 2, many - 1]].tolist() == [True, False, True]


def test_the_hierarchical_distance_names_a_value_that_the_hierarchy_does_not_know() -> None:
    with pytest.raises(HierarchyError, match="'plague'"):
        distances("hierarchical", ["flu"], ["plague"], hierarchy=DISEASES)


def test_a_model_of_a_column_that_was_not_counted_says_which() -> None:
    with pytest.raises(ProjectError, match="'income'"):
        DistinctLDiversity(column="income", l=2).violations(classes_of(["a"]))


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("k-anonymity", {"k": 1}),
        ("k-anonymity", {"k": 2.5}),
        ("k-anonymity", {"k": 2, "column": "s"}),
        ("k-anonymity", {}),
        ("distinct-l-diversity", {"column": "s", "l": 0}),
        ("distinct-l-diversity", {"l": 2}),
        ("entropy-l-diversity", {"column": "s", "l": 0.9}),
        ("entropy-l-diversity", {"column": "s", "l": float("inf")}),
        ("recursive-l-diversity", {"column": "s", "c": 0, "l": 2}),
        ("recursive-l-diversity", {"column": "s", "c": 1, "l": 1.5}),
        ("t-closeness", {"column": "s", "t": 0}),
        ("t-closeness", {"column": "s", "t": 1.01}),
        ("t-closeness", {"column": "s", "t": float("nan")}),
        ("t-closeness", {"column": "s", "t": 0.2, "distance": "near"}),
        ("t-closeness", {"column": "s", "t": 0.2, "k": 2}),
    ],
)
def test_parameters_out_of_range_are_not_taken(name: str, parameters: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        MODELS[name].model_validate(parameters)


def test_a_model_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        KAnonymity(k=5).k = 1
