"""Attacks over random small tables, held against what they mean, person by person and row by row."""

from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.kernels import nearest as kernels
from celosia.measure.attacks import Attacker, Knowledge
from celosia.measure.attacks.distance_linkage import match_numbers
from celosia.measure.attacks.inference import GuessedColumn, guess
from celosia.measure.attacks.linkability import link_sides
from celosia.measure.attacks.linkage import link
from celosia.measure.attacks.membership import auc
from celosia.measure.attacks.release_boxes import read_boxes
from celosia.measure.attacks.search import find_nearest
from celosia.measure.attacks.singling_out import Predicates, single_out
from celosia.measure.subject import MeasureSubject

AGES = list(range(20, 41, 4))
SHOWN = {"[20-29]": (20, 29), "[30-39]": (30, 39), "[20-44]": (20, 44), "*": (-99, 999)}
SEXES = {"f": "f", "m": "m", "{f, m}": "fm", "*": "fm"}
UNHURRIED = settings(deadline=None, max_examples=20)

person = st.tuples(st.sampled_from(AGES), st.sampled_from("fm"), st.sampled_from("abc"))
shown = st.tuples(
    st.sampled_from([*SHOWN, *map(str, AGES), "31", "52"]),
    st.sampled_from(list(SEXES)),
    st.sampled_from("abc"),
)
tables = st.tuples(
    # Both sexes are there: a label that nobody has says nothing.
    st.lists(person, max_size=10).map(lambda rows: [(20, "f", "a"), (40, "m", "b"), *rows]),
    # An interval is there: numbers alone could be read as rounded or coded.
    st.lists(shown, max_size=11).map(lambda rows: [("[20-44]", "{f, m}", "a"), *rows]),
    st.lists(person, min_size=1, max_size=6),
)


def frame(rows, *, is_released=False):
    schema = {"age": pl.String if is_released else pl.Int64, "sex": pl.String, "ill": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def subject_of(original, release, control=None, **known):
    return MeasureSubject.of(
        frame(original),
        frame(release, is_released=True),
        quasi_identifiers=["age", "sex"],
        sensitive=["ill"],
        control=None if control is None else frame(control),
        **known,
    )


# What the attacks mean, in plain words of Python


def bounds(label):
    return SHOWN.get(label) or (int(label), int(label))


def age_gap(age, label, scale, within=0):
    if label == "*":
        return np.float32(0)
    low, high = bounds(label)
    gap = max(low - (age + within), (age - within) - high, 0)
    return np.float32(min(gap / scale, 1.0))


def gap(one, row, scale, columns, within=0):
    """How far a person is from a released row by some columns."""
    parts = {
        "age": lambda: age_gap(one[0], row[0], scale, within),
        "sex": lambda: np.float32(one[1] not in SEXES[row[1]]),
        "ill": lambda: np.float32(one[2] != row[2]),
    }
    return sum((parts[name]() for name in columns), np.float32(0))


def scale_of(*groups):
    ages = [one[0] for group in groups for one in group]
    return max(ages) - min(ages) or 1


def plain_nearest(one, release, scale, columns, within=0):
    """The distance to the nearest rows, and these by their numbers."""
    all_gaps = [gap(one, row, scale, columns, within) for row in release]
    least = min(all_gaps)
    return least, {place for place, each in enumerate(all_gaps) if each == least}


def codes_of(boxes, people):
    """People as places in the values of the boxes."""
    texts = [[str(cell) for cell in one] for one in people]
    order = ["age", "sex", "ill"]
    columns = [
        [one.values.to_list().index(text[order.index(name)]) for text in texts]
        for name, one in zip(boxes.columns, boxes.decoded, strict=True)
    ]
    return np.array(columns, np.int32).T.copy()


# Each attack


@UNHURRIED
@given(tables, st.sampled_from([0, 3]))
def test_the_nearest_rows_are_those_at_the_least_distance(made, within) -> None:
    original, release, control = made
    boxes, _, _ = read_boxes(subject_of(original, release, control), ["age", "sex"])
    found = find_nearest(codes_of(boxes, original), boxes, {"age": Knowledge(within=within)})
    for place, one in enumerate(original):
        least, rows = plain_nearest(one, release, scale_of(original, control), ["age", "sex"], within)
        assert found.distance[place] == pytest.approx(least, abs=1e-6)
        assert found.rows[place] == len(rows)


@UNHURRIED
@given(tables, st.sampled_from([0, 3]))
def test_people_whose_rows_are_known_are_found_as_often_as_by_hand(made, within) -> None:
    original, release, _ = made
    size = min(len(original), len(release))
    original, release = original[:size], release[:size]
    attacker = Attacker(knows={"age": Knowledge(within=within), "sex": Knowledge()})
    found, _ = link(subject_of(original, release, same_order=True, attacker=attacker))
    unique = expected = 0.0
    for place, one in enumerate(original):
        _, rows = plain_nearest(one, release, scale_of(original), ["age", "sex"], within)
        unique += rows == {place}
        expected += (place in rows) / len(rows)
    assert found.unique == pytest.approx(unique / size)
    assert found.expected == pytest.approx(expected / size)


@UNHURRIED
@given(st.lists(person, min_size=1, max_size=12), st.integers(1, 4))
def test_in_a_truthful_release_the_chance_is_one_over_the_rows_that_allow_a_person(original, width) -> None:
    release = [
        (
            f"[{age // (10 * width) * 10 * width}-{age // (10 * width) * 10 * width + 10 * width - 1}]",
            sex,
            ill,
        )
        for age, sex, ill in original
    ]
    ranges = [tuple(map(int, row[0].strip("[]").split("-"))) for row in release]
    found, said = link(subject_of(original, release))
    candidates = [
        sum(low <= age <= high and sex == row[1] for (low, high), row in zip(ranges, release, strict=True))
        for age, sex, _ in original
    ]
    assert said["truth"] == "counted"
    assert sorted(found.candidates.tolist()) == sorted(candidates)
    assert found.expected == pytest.approx(sum(1 / each for each in candidates) / len(original))
    assert found.unique == pytest.approx(sum(each == 1 for each in candidates) / len(original))


@UNHURRIED
@given(tables)
def test_two_sources_are_linked_by_the_rows_that_are_nearest_to_both(made) -> None:
    original, release, control = made
    boxes, _, _ = read_boxes(subject_of(original, release, control), ["age", "sex"])
    found = link_sides(codes_of(boxes, original), boxes, 1, {})
    for place, one in enumerate(original):
        scale = scale_of(original, control)
        by_age = plain_nearest(one, release, scale, ["age"])[1]
        by_sex = plain_nearest(one, release, scale, ["sex"])[1]
        assert found[place] == pytest.approx(len(by_age & by_sex) / (len(by_age) * len(by_sex)))


@UNHURRIED
@given(tables)
def test_a_guess_is_the_value_of_most_of_the_nearest_rows(made) -> None:
    original, release, control = made
    boxes, group, _ = read_boxes(subject_of(original, release, control), ["age", "sex", "ill"])
    codes = codes_of(boxes, original)
    found = guess(codes[:, :2].copy(), codes[:, 2], boxes, GuessedColumn(boxes.decoded[-1], group, 2), {})
    known = {one[2] for one in original + control}
    for place, one in enumerate(original):
        _, rows = plain_nearest(one, release, scale_of(original, control), ["age", "sex"])
        votes = {value: Fraction(0) for value in known}
        for row in rows:
            ill = release[row][2]
            for value in [ill] if ill in known else known:  # what nobody has says nothing
                votes[value] += Fraction(1, 1 if ill in known else len(known))
        top = [value for value in votes if votes[value] == max(votes.values())]
        assert found[place] == pytest.approx((one[2] in top) / len(top))


@UNHURRIED
@given(tables)
def test_a_number_is_guessed_as_the_median_of_the_nearest_rows(made) -> None:
    original, release, control = made
    boxes, group, _ = read_boxes(subject_of(original, release, control), ["sex", "age"])
    codes, secret = codes_of(boxes, original), GuessedColumn(boxes.decoded[-1], group, 1)
    found = guess(codes[:, :1].copy(), codes[:, 1], boxes, secret, {})
    least, most = (end(one[0] for one in original) for end in (min, max))
    for place, one in enumerate(original):
        _, rows = plain_nearest(one, release, 1, ["sex"])
        ends = [bounds(release[row][0]) for row in rows]
        middles = sorted((max(low, least) + min(high, most)) / 2 for low, high in ends)
        median = middles[(len(middles) - 1) // 2]
        assert found[place] == (abs(median - one[0]) <= secret.tolerance)


@UNHURRIED
@given(tables)
def test_a_predicate_singles_out_if_one_person_is_in_its_box(made) -> None:
    original, release, control = made
    boxes, group, _ = read_boxes(subject_of(original, release, control), ["age", "sex"])
    predicates = Predicates(boxes)
    nothing = predicates.sizes
    for labels in product(range(nothing[0] + 1), range(nothing[1] + 1)):
        inside = 0
        for age, sex, _ in original:
            shown_age = boxes.decoded[0].labels[labels[0]] if labels[0] < nothing[0] else "*"
            shown_sex = boxes.decoded[1].labels[labels[1]] if labels[1] < nothing[1] else "*"
            inside += age_gap(age, shown_age, 1) == 0 and sex in SEXES[shown_sex]
        found = single_out(np.array([labels], np.int32), predicates.boxes, group)
        assert found.tolist() == [inside == 1]


@UNHURRIED
@given(tables, st.integers(0, 5))
def test_every_predicate_that_is_taken_from_the_release_can_be_said(made, seed) -> None:
    original, release, control = made
    predicates = Predicates(read_boxes(subject_of(original, release, control), ["age", "sex", "ill"])[0])
    for _, said, naive in predicates.ways(7, np.random.default_rng(seed)):
        for labels in (said, naive):
            assert (labels >= 0).all()
            assert (labels <= 3 * predicates.sizes).all()


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=9), st.lists(st.integers(0, 4), min_size=1, max_size=9)
)
def test_the_area_is_the_share_of_pairs_in_which_the_member_is_nearer(members, others) -> None:
    pairs = [(a < b) + (a == b) / 2 for a in members for b in others]
    value, (low, high) = auc(members, others)
    assert value == pytest.approx(sum(pairs) / len(pairs))
    assert low <= value <= high


numbers = st.tuples(st.integers(0, 6), st.integers(0, 6))


@UNHURRIED
@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=12))
def test_numbers_are_matched_with_the_nearest_released_ones(pairs) -> None:
    people, own = (np.array(side, float) for side in zip(*pairs, strict=True))
    found = match_numbers(people, own, own)
    for place, one in enumerate(people):
        squares = ((own - one) ** 2).sum(axis=1)
        tied = np.flatnonzero(squares == squares.min())
        assert found[place] == pytest.approx((place in tied) / len(tied))


# The compiled loops and their plain twins


@UNHURRIED
@given(st.data())
def test_compiled_loops_do_what_their_plain_twins_do(data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 10_000)))
    columns, boxes, people, split = 3, 9, 5, data.draw(st.integers(1, 2))
    sides = rng.integers(1, 4, columns)
    parts = [rng.integers(0, 3, (people, side)).astype(np.float32) / 2 for side in sides]
    tables = (
        np.tile(np.arange(people)[:, None], (1, columns)),
        np.concatenate([part.ravel() for part in parts]),
        np.concatenate(([0], np.cumsum([part.size for part in parts])[:-1])),
        sides.astype(np.int64),
    )
    labels = np.column_stack([rng.integers(0, side, boxes) for side in sides]).astype(np.int32)
    weights = rng.integers(1, 4, boxes)
    gaps = np.array(
        [[[parts[c][p, row[c]] for c in range(columns)] for row in labels] for p in range(people)]
    )
    total = gaps.sum(axis=2)
    best, rows = kernels.nearest(tables, labels, weights)
    assert best.tolist() == total.min(axis=1).tolist()
    is_near = total == best[:, None]
    assert rows.tolist() == (is_near * weights).sum(axis=1).tolist()
    groups = rng.integers(0, 2, boxes)
    votes = np.zeros((people, 2), np.int64)
    kernels.tally(tables, labels, weights, best, groups, votes)
    assert votes.tolist() == [[int((near * weights)[groups == g].sum()) for g in (0, 1)] for near in is_near]
    one, other = gaps[:, :, :split].sum(axis=2), gaps[:, :, split:].sum(axis=2)
    bests = one.min(axis=1), other.min(axis=1)
    shared = (one == bests[0][:, None]) & (other == bests[1][:, None])
    found = kernels.common(tables, labels, weights, split, bests)
    assert found.tolist() == (shared * weights).sum(axis=1).tolist()
    inside = ((total == 0) * weights).sum(axis=1)
    assert kernels.inside(tables, labels, weights, 10**6).tolist() == inside.tolist()
    assert (kernels.inside(tables, labels, weights, 1) > 1).tolist() == (inside > 1).tolist()
