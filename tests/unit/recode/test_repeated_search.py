"""Local recoding by repeated search, on tables small enough to follow by hand."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

from celosia.errors import NoSolutionError, ProjectError
from celosia.hierarchies import Hierarchy
from celosia.measure.utility import get_measure
from celosia.privacy import EntropyLDiversity, KAnonymity, TCloseness
from celosia.recode.domain import MissingPolicy, UnknownPolicy, build_domain
from celosia.recode.evaluate import Evaluator
from celosia.recode.repeated import ReleasedAtNode, assign_classes, repeated_search
from celosia.tables.table import Counts

LOSS = get_measure("loss")
ZIP = [("11", "1*", "**"), ("12", "1*", "**"), ("21", "2*", "**"), ("22", "2*", "**")]
SEX = [("f", "*"), ("m", "*")]


def counted(names, rows):
    """What a table of these rows counts, each row given as often as it occurs."""
    combinations = Counter(rows)
    columns = list(zip(*combinations, strict=True))
    values = [
        pl.Series(name, list(dict.fromkeys(column)), dtype=pl.String)
        for name, column in zip(names, columns, strict=True)
    ]
    codes = [
        np.array([distinct.to_list().index(cell) for cell in column], np.int32)
        for distinct, column in zip(values, columns, strict=True)
    ]
    return Counts(tuple(names), tuple(values), tuple(codes), np.array(list(combinations.values()), np.int64))


def evaluator_of(names, rows, models, *, paths, limit=0.0, **policies):
    hierarchies = {name: Hierarchy.from_rows(name, one) for name, one in paths.items()}
    domain = build_domain(counted(names, rows), hierarchies, quasi_identifiers=list(paths), **policies)
    return Evaluator(domain, models, measures=[], limit=limit)


def shown(evaluator, result):
    """Combination -> the labels of its class, None where it is suppressed."""
    recoding = assign_classes(evaluator.domain, result)
    labels = recoding.released.rows()
    texts = [column.to_list() for column in recoding.combinations.values]
    return {
        tuple(column[code] for column, code in zip(texts, codes, strict=True)): labels[number]
        if number >= 0
        else None
        for codes, number in zip(
            zip(*recoding.combinations.codes, strict=True), recoding.classes, strict=True
        )
    }


def search_zips(counts, *, k=3, **options):
    rows = [(value,) for value, count in counts.items() for _ in range(count)]
    evaluator = evaluator_of(["zip"], rows, [KAnonymity(k=k)], paths={"zip": ZIP})
    result = repeated_search(evaluator, LOSS, **options)
    return {value: label for (value,), (label,) in shown(evaluator, result).items()}, result


def test_every_row_keeps_the_finest_level_it_can_have():
    labels, result = search_zips({"11": 3, "12": 3, "21": 1, "22": 2})
    assert labels == {"11": "11", "12": "12", "21": "2*", "22": "2*"}
    assert result.steps == (ReleasedAtNode((0,), 6, 2), ReleasedAtNode((1,), 3, 1))
    assert result.suppressed == 0
    assert result.measures["loss"] == pytest.approx(3 / 9 * 2 / 4)


def test_where_one_node_for_all_rows_is_better_it_is_taken():
    """After 11 is released, the two rows of 12 have nobody but those of 2*, and five rows would show the root."""
    labels, result = search_zips({"11": 3, "12": 2, "21": 1, "22": 2})
    assert labels == {"11": "1*", "12": "1*", "21": "2*", "22": "2*"}
    assert result.measures["loss"] == pytest.approx(2 / 4)


def test_a_class_stays_behind_where_the_others_would_be_too_few():
    labels, _ = search_zips({"11": 9, "21": 4, "22": 1})
    assert labels == {"11": "11", "21": "2*", "22": "2*"}
    labels, _ = search_zips({"11": 4, "12": 9, "21": 1})
    assert labels == {"11": "**", "12": "12", "21": "**"}


def test_without_any_node_tried_the_classes_are_split_from_the_root():
    labels, _ = search_zips({"11": 3, "12": 3, "21": 1, "22": 2}, nodes=0)
    assert labels == {"11": "11", "12": "12", "21": "2*", "22": "2*"}


def test_more_nodes_find_what_fewer_miss():
    random = np.random.default_rng(1)
    names = ["zip", "sex", "town"]
    rows = [(ZIP[a][0], SEX[b][0], ZIP[c][0]) for a, b, c in random.integers(0, (4, 2, 4), (60, 3))]
    evaluator = evaluator_of(names, rows, [KAnonymity(k=3)], paths={"zip": ZIP, "sex": SEX, "town": ZIP})
    few, many = (repeated_search(evaluator, LOSS, nodes=nodes).measures["loss"] for nodes in (0, 100))
    assert many < few


def test_labels_that_read_the_same_at_two_levels_are_one_class():
    paths = [("north", "north", "*"), ("east", "north", "*"), ("west", "north", "*"), ("south", "south", "*")]
    rows = [("north",)] * 3 + [("east",), ("west",)] + [("south",)] * 4
    evaluator = evaluator_of(["side"], rows, [KAnonymity(k=2)], paths={"side": paths})
    result = repeated_search(evaluator, LOSS)
    assert set(shown(evaluator, result).values()) == {("north",), ("south",)}
    assert result.steps == (ReleasedAtNode((0,), 7, 2), ReleasedAtNode((1,), 2, 1))
    assert result.classes == 2
    assert result.measures["discernibility"] == 5 * 5 + 4 * 4


def test_closeness_is_to_the_whole_release_not_to_the_rows_of_a_step():
    """The rest has one disease alone, so it is close to itself, but far from the release."""
    rows = [("11", "flu"), ("11", "gout")] * 4 + [
        ("12", "flu"),
        ("12", "gout"),
        ("21", "gout"),
        ("22", "gout"),
    ]
    model = TCloseness(column="disease", t=0.2)
    evaluator = evaluator_of(["zip", "disease"], rows, [model], paths={"zip": ZIP})
    result = repeated_search(evaluator, LOSS)
    assert shown(evaluator, result) == {
        ("11",): ("11",),
        ("12",): ("**",),
        ("21",): ("**",),
        ("22",): ("**",),
    }


def test_rows_are_suppressed_only_where_generalizing_is_not_enough():
    rows = [("11", "flu"), ("12", "gout")] * 2 + [("21", "flu")] * 2
    model = EntropyLDiversity(column="disease", l=2)
    options = {"paths": {"zip": ZIP}}
    with pytest.raises(NoSolutionError, match="no generalization satisfies"):
        repeated_search(evaluator_of(["zip", "disease"], rows, [model], **options), LOSS)
    evaluator = evaluator_of(["zip", "disease"], rows, [model], **options, limit=0.4)
    result = repeated_search(evaluator, LOSS)
    assert result.suppressed == 2
    assert shown(evaluator, result) == {("11",): ("1*",), ("12",): ("1*",), ("21",): None}


def test_fewer_rows_than_a_class_needs_have_no_solution():
    with pytest.raises(NoSolutionError):
        search_zips({"11": 2})


def test_a_table_of_which_every_row_is_left_out_has_no_solution():
    options = {"paths": {"zip": ZIP}, "unknown": UnknownPolicy.SUPPRESS}
    with pytest.raises(NoSolutionError):
        repeated_search(evaluator_of(["zip"], [("99",)] * 3, [KAnonymity(k=3)], **options), LOSS)


@pytest.mark.parametrize("missing", ["category", "mode", "drop"])
def test_missing_values_are_a_category_are_filled_or_leave(missing):
    rows = [("11",)] * 4 + [("12",)] * 3 + [(None,)] * 3
    evaluator = evaluator_of(
        ["zip"], rows, [KAnonymity(k=3)], paths={"zip": ZIP}, missing=MissingPolicy(missing)
    )
    result = repeated_search(evaluator, LOSS)
    expected = {("11",): ("11",), ("12",): ("12",)}
    if missing == "category":
        expected[None,] = (None,)
    assert shown(evaluator, result) == expected
    combinations = assign_classes(evaluator.domain, result).combinations
    assert combinations.rows == len(rows) - 3 * (missing == "drop")
    assert sorted(combinations.counts.tolist())[-1] == (7 if missing == "mode" else 4)


def test_rows_with_unknown_values_are_no_part_of_the_recoding():
    rows = [("11",)] * 3 + [("99",)] * 2
    evaluator = evaluator_of(
        ["zip"], rows, [KAnonymity(k=3)], paths={"zip": ZIP}, unknown=UnknownPolicy.SUPPRESS
    )
    result = repeated_search(evaluator, LOSS)
    assert shown(evaluator, result) == {("11",): ("11",)}
    assert result.suppressed == 0


@pytest.mark.parametrize("name", ["entropy", "height"])
def test_measures_of_a_single_node_are_refused(name):
    evaluator = evaluator_of(["sex"], [("f",)] * 3, [KAnonymity(k=3)], paths={"sex": SEX})
    with pytest.raises(ProjectError, match="use loss or precision"):
        repeated_search(evaluator, get_measure(name))
    assert name not in repeated_search(evaluator, LOSS).measures


def test_progress_goes_from_nothing_to_everything():
    shares = []
    search_zips({"11": 3, "12": 2, "21": 1, "22": 2}, progress=lambda stage, share: shares.append(share))
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert shares[-1] == 1.0


def test_the_search_ends_when_nothing_more_can_be_spared():
    shares = []
    search_zips({"11": 4, "12": 1}, progress=lambda stage, share: shares.append(share))
    assert shares == [0.0, 1.0]
