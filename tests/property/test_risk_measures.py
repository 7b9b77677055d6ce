"""Every risk measure of a release against its definition, row by row in plain Python."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.hierarchies import Hierarchy
from celosia.measure.registry import release_measures
from celosia.measure.release_measure import MeasuredValue
from celosia.measure.risk.individual import individual_risk
from celosia.measure.risk.matching import match_classes
from celosia.measure.risk.population import population_of
from celosia.measure.risk.rows import row_risks
from celosia.measure.subject import MeasureSubject, Population
from celosia.tables import open_table

Row = tuple[int | None, str | None]
AGES = (None, 1, 2, 3, 4, 5)
JOBS = (None, "cook", "nurse", "clerk")
LABELS_OF_AGE = {
    None: (None,),
    "*": AGES,
    "[1-2]": (1, 2),
    "[2-4]": (2, 3, 4),
    "[3-5]": (3, 4, 5),
} | {str(age): (age,) for age in AGES[1:]}
LABELS_OF_JOB = {
    None: (None,),
    "*": JOBS,
    "{cook, nurse}": ("cook", "nurse"),
    "{clerk, nurse}": ("clerk", "nurse"),
} | {job: (job,) for job in JOBS[1:]}
VALUES = ("flu", "gout", "acne", None)

FEW = settings(max_examples=50, deadline=None)
people = st.tuples(st.sampled_from(AGES), st.sampled_from(JOBS))


@st.composite
def releases(draw: st.DrawFn) -> tuple[list[Row], list[tuple[str | None, str | None]]]:
    """People and what each shows: any label that allows her, so that classes may overlap.

    Every value is somebody's: a label means what it says only among values that are known.
    """
    shown = [("1", "cook"), ("2", "nurse"), ("3", "clerk"), ("4", "cook"), ("5", "cook")]
    known: list[Row] = [(int(age), job) for age, job in shown]
    rows = draw(st.lists(people, min_size=1, max_size=10))
    for age, job in rows:
        ages = sorted(
            str(label) for label, some in LABELS_OF_AGE.items() if age in some and label is not None
        )
        jobs = sorted(
            str(label) for label, some in LABELS_OF_JOB.items() if job in some and label is not None
        )
        shown.append((draw(st.sampled_from(ages or [None])), draw(st.sampled_from(jobs or [None]))))
    return known + rows, shown


def frame_of(rows: Iterable[tuple[object, object]]) -> pl.DataFrame:
    ages, jobs = zip(*rows, strict=True)
    kind = pl.String if any(isinstance(age, str) for age in ages) else pl.Int64
    return pl.DataFrame({"age": pl.Series(ages, dtype=kind), "job": pl.Series(jobs, dtype=pl.String)})


def subject_of(rows, shown, **known) -> MeasureSubject:
    return MeasureSubject.of(frame_of(rows), frame_of(shown), quasi_identifiers=["age", "job"], **known)


def measured(subject: MeasureSubject, name: str) -> MeasuredValue:
    (found,) = release_measures()[name].answers(subject)
    assert found.why_not is None
    return found


def is_allowed(person: Row, label: tuple[str | None, str | None]) -> bool:
    return person[0] in LABELS_OF_AGE[label[0]] and person[1] in LABELS_OF_JOB[label[1]]


# --- classes and population


@FEW
@given(releases(), st.integers(1, 6))
def test_the_risks_of_classes_are_those_of_rows(release, threshold: int) -> None:
    rows, shown = release
    size = Counter(shown)
    subject = subject_of(rows, shown, threshold=threshold)
    risks = [1 / size[label] for label in shown]
    assert measured(subject, "k").value == min(size.values())
    assert measured(subject, "uniques").value == sum(size[label] == 1 for label in shown)
    assert measured(subject, "average-class").value == pytest.approx(len(shown) / len(size))
    assert measured(subject, "prosecutor-highest").value == max(risks)
    assert measured(subject, "prosecutor-mean").value == pytest.approx(sum(risks) / len(risks))
    above = sum(risk > 1 / threshold for risk in risks) / len(risks)
    assert measured(subject, "prosecutor-above").value == pytest.approx(above)
    assert measured(subject, "marketer").value == pytest.approx(sum(risks) / len(risks))


@FEW
@given(releases())
def test_the_smallest_classes_are_listed_as_the_release_shows_them(release) -> None:
    rows, shown = release
    listed = measured(subject_of(rows, shown), "k").details["smallest"]
    size = Counter(shown)
    assert [one["rows"] for one in listed] == sorted(size.values())[:10]
    assert all(size[tuple(one["labels"].values())] == one["rows"] for one in listed)


@FEW
@given(releases(), st.lists(people, max_size=12))
def test_a_class_matches_whom_all_its_labels_allow(release, others) -> None:
    rows, shown = release
    subject = subject_of(rows, shown)
    counts = open_table(frame_of(rows + others)).count_by(["age", "job"])
    classes = subject.class_counts
    read = [
        [values.to_list()[code] for values, code in zip(counted.values, codes, strict=True)]
        for counted in (counts, classes)
        for codes in zip(*counted.codes, strict=True)
    ]
    found = {
        (a, b)
        for part in match_classes(subject, counts)
        for a, b in zip(*map(np.ndarray.tolist, part), strict=True)
    }
    expected = {
        (person, label)
        for person, (age, job) in enumerate(read[: len(counts)])
        for label, labels in enumerate(read[len(counts) :])
        if is_allowed((None if age is None else int(age), job), tuple(labels))
    }
    assert found == expected


@FEW
@given(releases(), st.lists(people, max_size=12), st.integers(1, 6))
def test_the_risks_against_a_population_are_those_of_its_people(release, others, threshold: int) -> None:
    rows, shown = release
    everybody = rows + others
    subject = subject_of(
        rows, shown, threshold=threshold, population=Population(table=open_table(frame_of(everybody)))
    )
    size = Counter(shown)
    # Labels were drawn to allow the person: the population has the rows of every class at least.
    allowed = {label: sum(is_allowed(one, label) for one in everybody) for label in size}
    allowed = {label: max(count, size[label]) for label, count in allowed.items()}
    risks = [1 / allowed[label] for label in shown]
    marketer = sum(risks) / len(risks)
    assert measured(subject, "k-map").value == min(allowed.values())
    assert measured(subject, "journalist-highest").value == pytest.approx(max(risks))
    assert measured(subject, "marketer").value == pytest.approx(marketer)
    other = len(size) / sum(allowed.values())
    assert measured(subject, "journalist-mean").value == pytest.approx(max(marketer, other))
    above = sum(allowed[label] < threshold for label in shown) / len(shown)
    assert measured(subject, "journalist-above").value == pytest.approx(above)
    chances = [
        min(1.0, sum(size[label] / allowed[label] for label in size if is_allowed(one, label)))
        for one in everybody
    ]
    presence = measured(subject, "presence")
    assert presence.value == pytest.approx(max(chances))
    assert presence.details["lowest"] == pytest.approx(min(chances))
    assert presence.details["mean"] == pytest.approx(sum(chances) / len(chances))
    assert presence.details["surely_absent"] == chances.count(0)
    assert presence.details["surely_present"] == sum(chance > 1 - 1e-9 for chance in chances)


@FEW
@given(releases())
def test_people_are_singled_out_whom_one_row_allows(release) -> None:
    rows, shown = release
    allowing = [sum(is_allowed(person, label) for label in shown) for person in rows]
    found = measured(subject_of(rows, shown), "singled-out")
    assert found.value == pytest.approx(allowing.count(1) / len(rows))
    assert found.details["people"] == allowing.count(1)


@FEW
@given(releases(), st.data())
def test_weights_add_up_wherever_they_stand(release, data: st.DataObject) -> None:
    rows, shown = release
    weights = data.draw(st.lists(st.integers(1, 99), min_size=len(rows), max_size=len(rows)))
    before = frame_of(rows).with_columns(pl.Series("weight", weights))
    after = frame_of(shown)
    known = {"quasi_identifiers": ["age", "job"], "population": Population(weight="weight")}
    size = Counter(shown)
    within = population_of(MeasureSubject.of(None, after.with_columns(before["weight"]), **known))
    of_class: dict[object, int] = defaultdict(int)
    for label, weight in zip(shown, weights, strict=True):
        of_class[label] += weight
    assert sorted(within.people.tolist()) == sorted(of_class.values())
    outside = population_of(MeasureSubject.of(before, after, **known))
    of_class = {
        label: sum(weight for one, weight in zip(rows, weights, strict=True) if is_allowed(one, label))
        for label in size
    }
    assert sorted(outside.people.tolist()) == sorted(
        max(people, size[one]) for one, people in of_class.items()
    )


@FEW
@given(st.integers(1, 12), st.floats(0.02, 1))
def test_the_individual_risk_is_the_mean_of_one_in_the_size_of_the_class(rows: int, share: float) -> None:
    # The definition: F - f is negative binomial; summed until what is left is nothing.
    size, chance, mean = rows, share**rows, 0.0
    left = 1.0
    while left > 1e-12 and size < 20_000:
        mean += chance / size
        left -= chance
        chance *= (1 - share) * size / (size + 1 - rows)
        size += 1
    assert float(individual_risk(np.array([rows]), np.array([rows / share]))[0]) == pytest.approx(
        mean, rel=1e-7
    )


@FEW
@given(releases(), st.sampled_from([0.05, 0.3, 1.0]))
def test_individual_risks_of_a_release_are_those_of_its_rows(release, fraction: float) -> None:
    rows, shown = release
    subject = subject_of(rows, shown, population=Population(fraction=fraction))
    size = Counter(shown)
    risks = [
        float(individual_risk(np.array([size[one]]), np.array([size[one] / fraction]))[0]) for one in shown
    ]
    assert measured(subject, "individual-highest").value == pytest.approx(max(risks))
    mean = measured(subject, "individual-mean")
    assert mean.value == pytest.approx(sum(risks) / len(risks))
    assert mean.details["expected_reidentifications"] == pytest.approx(sum(risks))
    column = pl.concat(row_risks(subject))
    assert column.select("age", "job").rows() == shown
    assert column["class_rows"].to_list() == [size[one] for one in shown]
    assert column["row_risk"].to_list() == pytest.approx([1 / size[one] for one in shown])
    assert column["population_risk"].to_list() == pytest.approx(risks)


# --- sensitive columns

tables = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(VALUES)), min_size=1, max_size=14)
TREE = Hierarchy.from_rows("s", [("flu", "short", "*"), ("acne", "short", "*"), ("gout", "long", "*")])


def sensitive_answers(table, *names: str, values=None, **known) -> list[float]:
    groups, column = zip(*table, strict=True)
    frame = pl.DataFrame({"q": groups, "s": pl.Series(column, dtype=pl.String)})
    if values is not None:
        frame = frame.with_columns(pl.Series("s", [values[value] for value in column], dtype=pl.Int64))
    subject = MeasureSubject.of(None, frame, quasi_identifiers=["q"], sensitive=["s"], **known)
    found = []
    for name in names:
        answer = measured(subject, name)
        assert answer.about == "s"
        assert answer.value is not None
        found.append(answer.value)
    return found


def by_class(table) -> list[list[str | None]]:
    return [
        [value for group, value in table if group == one] for one in sorted({group for group, _ in table})
    ]


@FEW
@given(tables)
def test_diversity_is_that_of_the_least_diverse_class(table) -> None:
    classes = [sorted(Counter(values).values(), reverse=True) for values in by_class(table)]
    distinct, entropy, recursive = sensitive_answers(table, "distinct-l", "entropy-l", "recursive-l")
    assert distinct == min(map(len, classes))
    expected = min(
        math.exp(-sum(n / sum(counts) * math.log(n / sum(counts)) for n in counts)) for counts in classes
    )
    assert entropy == pytest.approx(expected)
    held = [
        max(place + 1 for place in range(len(counts)) if counts[0] < 2 * sum(counts[place:]))
        for counts in classes
    ]
    assert recursive == min(held)


@FEW
@given(tables)
def test_recursive_c_is_what_every_class_needs_at_the_distinct_l(table) -> None:
    classes = [sorted(Counter(values).values(), reverse=True) for values in by_class(table)]
    reached = min(map(len, classes))
    if reached > 1:
        (found,) = sensitive_answers(table, "recursive-c")
        assert found == pytest.approx(max(counts[0] / sum(counts[reached - 1 :]) for counts in classes))


@FEW
@given(tables)
def test_likeness_is_that_of_the_value_that_stands_out_most(table) -> None:
    whole = {value: rows / len(table) for value, rows in Counter(value for _, value in table).items()}
    shares = [
        (rows / len(values), whole[value])
        for values in by_class(table)
        for value, rows in Counter(values).items()
    ]
    alpha, beta, delta, skewness, homogeneity = sensitive_answers(
        table, "alpha", "beta-likeness", "delta-disclosure", "skewness", "homogeneity"
    )
    assert alpha == max(here for here, _ in shares)
    assert beta == pytest.approx(max(0.0, *((here - all_) / all_ for here, all_ in shares), 0.0))
    assert delta == pytest.approx(max(abs(math.log(here / all_)) for here, all_ in shares))
    assert skewness == pytest.approx(max(0.0, *(here - all_ for here, all_ in shares), 0.0))
    alike = sum(len(values) for values in by_class(table) if len(set(values)) == 1)
    assert homogeneity == pytest.approx(alike / len(table))


@FEW
@given(tables)
def test_closeness_is_that_of_the_farthest_class(table) -> None:
    whole = Counter(value for _, value in table)

    def half(of, group) -> float:
        mine, all_ = Counter(map(of, group)), Counter(of(value) for _, value in table)
        return sum(abs(mine[one] / len(group) - all_[one] / len(table)) for one in all_) / 2

    branch = {"flu": "short", "acne": "short", "gout": "long", None: None}
    equal, hierarchical = sensitive_answers(table, "t-equal", "t-hierarchical", hierarchies={"s": TREE})
    assert equal == pytest.approx(max(half(lambda value: value, group) for group in by_class(table)))
    # Two levels below the root, an edge of 1/2 each: the mean of the distances on both.
    two = [(half(lambda value: value, group) + half(branch.get, group)) / 2 for group in by_class(table)]
    assert hierarchical == pytest.approx(max(two))

    numbers = {"flu": 30, "gout": 4, "acne": 100, None: None}
    order = sorted(whole, key=lambda value: math.inf if value is None else numbers[value])
    (ordered,) = sensitive_answers(table, "t-ordered", values=numbers)
    farthest = 0.0
    for group in by_class(table):
        ahead = [
            abs(sum((group.count(one) / len(group)) - whole[one] / len(table) for one in order[: i + 1]))
            for i in range(len(order))
        ]
        farthest = max(farthest, sum(ahead) / max(1, len(order) - 1))
    assert ordered == pytest.approx(farthest)
