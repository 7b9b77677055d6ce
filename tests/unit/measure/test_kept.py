"""What a release keeps of its original, and what is said where that cannot be told."""

import json

import polars as pl
import pytest

import celosia
from celosia.hierarchies import Hierarchy
from celosia.measure.kept import queries
from celosia.measure.kept.histogram import MOST_BINS, MOST_LABELS
from celosia.measure.registry import release_measures
from celosia.measure.release_measure import MeasureFamily
from celosia.measure.subject import MeasureSubject
from celosia.measure.utility import utility_measures
from celosia.sample import discharges
from celosia.tables import open_table

MINE = [
    *("variation", "text-variation", "ks", "wasserstein", "correlation-change", "information-change"),
    *("rows-kept", "columns-kept", "cells-suppressed", "missing-added", "query-error"),
    *utility_measures(),
]
PEOPLE = pl.DataFrame(
    {"age": [31, 32, 38, 47, 47, 55], "paid": [10, 12, 9, 20, 22, 25], "job": ["cook", "nurse"] * 3}
)


def subject_of(release, original=PEOPLE, **known):
    return MeasureSubject.of(
        original, release, quasi_identifiers=known.pop("quasi_identifiers", ["age", "job"]), **known
    )


def answers(name, subject):
    return {one.about: one for one in release_measures()[name].answers(subject)}


def value(name, subject, about=None):
    return answers(name, subject)[about].value


@pytest.mark.parametrize("name", MINE)
def test_every_measure_is_registered_with_all_its_words(name):
    measure = release_measures()[name]
    assert measure.family is MeasureFamily.UTILITY
    assert measure.meaning
    assert measure.reference


@pytest.mark.parametrize("name", MINE)
def test_without_the_original_a_measure_says_so(name):
    (only,) = release_measures()[name].answers(subject_of(PEOPLE, original=None))
    assert (only.value, only.why_not) == (None, "the original table was not given")


@pytest.mark.parametrize("name", MINE)
def test_an_original_without_rows_has_nothing_to_keep_but_its_columns(name):
    (only,) = release_measures()[name].answers(subject_of(PEOPLE.clear(), original=PEOPLE.clear()))
    assert only.value == 1 if name == "columns-kept" else only.why_not == "the original has no rows"


@pytest.mark.parametrize("name", MINE)
def test_values_lie_in_the_range_and_details_are_json(name):
    release = PEOPLE.with_columns(pl.Series("age", ["[30-39]"] * 3 + ["*"] * 3))[:5]
    measure = release_measures()[name]
    for one in measure.answers(subject_of(release, sensitive=["paid"])):
        json.dumps(one.details)
        assert one.value is None or measure.low <= one.value <= measure.high


@pytest.mark.parametrize("name", MINE)
def test_tables_of_missing_values_are_measured_or_refused_with_a_reason(name):
    empty = PEOPLE.with_columns(
        pl.lit(None).cast(pl.Int64).alias("age"), pl.lit(None).cast(pl.String).alias("job")
    )
    for original, release in ((empty, empty), (PEOPLE, empty), (empty, PEOPLE)):
        for one in release_measures()[name].answers(subject_of(release, original)):
            assert (one.value is None) == bool(one.why_not)


def test_only_counts_are_asked_of_a_table(monkeypatch):
    subject = subject_of(PEOPLE)
    for table in (subject.original, subject.release):
        monkeypatch.setattr(type(table), "scan", lambda *_: pytest.fail("rows were read"))
    for name in MINE:
        assert all(one.why_not is None for one in release_measures()[name].answers(subject))


# Labels that are not understood


def test_strange_labels_stop_their_column_and_no_other():
    release = PEOPLE.with_columns(pl.Series("job", ["kitchen", "ward"] * 3))
    found = answers("variation", subject_of(release))
    assert found["job"].why_not is not None
    assert "'kitchen'" in found["job"].why_not or "'ward'" in found["job"].why_not
    assert found["job"].why_not.endswith("give the hierarchy they come from")
    assert found["age"].value == 0
    assert found[None].details["columns"] == 2
    assert value("text-variation", subject_of(release), "job") == 1


def test_a_cost_over_all_columns_is_not_told_where_one_is_not_known():
    release = PEOPLE.with_columns(pl.Series("job", ["kitchen", "ward"] * 3))
    found = answers("loss", subject_of(release))
    assert found[None].value is None
    assert found[None].why_not == found["job"].why_not
    assert found["age"].value == 0


def test_pairs_leave_out_what_they_do_not_understand_and_say_so():
    release = PEOPLE.with_columns(pl.Series("job", ["kitchen", "ward"] * 3))
    found = answers("information-change", subject_of(release))[None]
    assert found.details["columns"] == ["age", "paid"]
    assert list(found.details["left_out"]) == ["job"]


def test_levels_are_not_guessed_without_a_hierarchy():
    release = PEOPLE.with_columns(pl.Series("age", ["[30-39]"] * 3 + ["[40-60]"] * 3))
    found = answers("precision", subject_of(release))
    assert found["age"].why_not == "labels of 'age' are at no level of a hierarchy"
    assert found["job"].value == 0
    assert value("loss", subject_of(release), "age") == pytest.approx((8 / 24 + 15 / 24) / 2)


# What is gone


def test_a_quasi_identifier_that_is_not_released_is_lost_as_a_whole():
    subject = subject_of(PEOPLE.drop("job"))
    assert value("loss", subject, "job") == 1
    assert value("loss", subject) == 0.5
    assert answers("variation", subject)["job"].why_not == "the release has no column 'job'"
    assert answers("columns-kept", subject)[None].details == {"dropped": ["job"], "added": []}


def test_emptied_cells_are_suppressed_ones_and_cells_that_were_empty_are_not():
    before = PEOPLE.with_columns(pl.Series("job", [None, "cook", "nurse", "cook", "nurse", "cook"]))
    after = PEOPLE.with_columns(pl.Series("job", [None, None, None, "cook", "nurse", "cook"]))
    subject = subject_of(after, before)
    assert value("cells-suppressed", subject, "job") == pytest.approx(2 / 6)
    assert value("loss", subject, "job") == pytest.approx(2 / 6)
    assert value("missing-added", subject, "job") == pytest.approx(2 / 6)
    # Of two of six rows the release tells nothing.
    assert value("variation", subject, "job") == pytest.approx(2 / 6)


def test_rows_that_are_left_out_cost_what_a_search_would_say():
    subject = subject_of(PEOPLE[:4])
    assert value("rows-kept", subject) == pytest.approx(4 / 6)
    assert value("loss", subject) == pytest.approx(2 / 6)
    assert value("discernibility", subject) == 4 + 6 * 2
    assert value("class-size", subject) == 6 / 5


def test_a_release_with_more_rows_than_its_original_has_suppressed_none():
    subject = subject_of(pl.concat([PEOPLE, PEOPLE]))
    assert value("rows-kept", subject) == 2
    assert value("loss", subject) == value("entropy", subject) == pytest.approx(0)
    assert value("discernibility", subject) == 6 * 2**2


@pytest.mark.parametrize(
    ("technique", "names"),
    [
        ("full-domain", ["age", "sex", "postcode"]),
        ("local", ["age", "sex", "postcode"]),
        ("mondrian", ["age", "paid"]),
    ],
)
def test_a_release_of_ours_costs_what_its_plan_says(technique, names):
    people = discharges(300).select("age", "sex", "postcode", "diagnosis")
    people = people.with_columns((pl.col("age") * 37 % 101).alias("paid"))
    release = celosia.anonymize(
        people.select(*names, "diagnosis"),
        quasi_identifiers=names,
        sensitive=["diagnosis"],
        k=5,
        technique=technique,
        seed=1,
    )
    subject = subject_of(release.table, people, quasi_identifiers=names, hierarchies=release.plan.hierarchies)
    assert len(release.plan.measures) >= 3
    for name, expected in release.plan.measures.items():
        assert value(name, subject) == pytest.approx(expected), name


# Charts


def test_a_histogram_shows_labels_of_the_release_and_no_other_value():
    before = pl.DataFrame({"job": ["cook"] * 5 + ["nurse"] * 4 + ["bishop"]})
    after = pl.DataFrame({"job": ["cook"] * 5 + ["nurse"] * 4})
    bars = answers("variation", subject_of(after, before))["job"].details["histogram"]
    assert bars == {
        "groups": ["cook", "nurse", "(others)"],
        "before": [0.5, 0.4, 0.1],
        "after": [5 / 9, 4 / 9, 0],
    }


def test_people_of_a_histogram_stand_under_the_label_that_they_have_now():
    jobs = Hierarchy.from_rows("job", [("cook", "work", "*"), ("nurse", "work", "*"), ("none", "rest", "*")])
    before = pl.DataFrame({"job": ["cook"] * 3 + ["nurse"] * 3 + ["none"] * 4})
    after = pl.DataFrame({"job": ["work"] * 6 + ["rest"] * 2})
    subject = subject_of(after, before, hierarchies={"job": jobs})
    bars = answers("variation", subject)["job"].details["histogram"]
    assert bars["groups"] == ["work", "rest"]
    assert bars["before"] == pytest.approx([0.6, 0.4])
    assert bars["after"] == pytest.approx([0.75, 0.25])


def test_a_histogram_of_numbers_has_round_ends_and_hides_who_is_alone():
    ages = [*range(20, 60)] * 3 + [97]
    bars = answers("variation", subject_of(pl.DataFrame({"age": ages}), pl.DataFrame({"age": ages})))["age"]
    found = bars.details["histogram"]
    assert len(found["groups"]) <= MOST_BINS
    assert found["groups"][0] == "20-21"
    assert found["groups"][-1] == ">=58"
    assert min(found["before"]) * len(ages) >= 5
    assert sum(found["after"]) == pytest.approx(1)


def test_long_lists_of_categories_end_in_a_rest():
    many = pl.DataFrame({"town": [f"town {number}" for number in range(100)]})
    bars = answers("variation", subject_of(many, many))["town"].details["histogram"]
    assert len(bars["groups"]) == MOST_LABELS + 1
    assert bars["before"][-1] == pytest.approx(0.7)


def test_bins_of_dates_are_dates():
    days = pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 3, 1), eager=True).alias("day")
    bars = answers("variation", subject_of(days.to_frame(), days.to_frame()))["day"].details["histogram"]
    assert bars["groups"][:2] == ["<2020-01-07", "2020-01-07 - 2020-01-12"]


# Pairs and queries


def test_the_largest_change_names_its_columns():
    release = PEOPLE.with_columns(pl.Series("paid", [25, 9, 22, 10, 20, 12]))
    found = answers("correlation-change", subject_of(release))
    assert found["largest change"].details == {"columns": ["age", "paid"]}
    assert found["largest change"].value == found[None].value > 0.5


def test_wholly_suppressed_columns_have_nothing_in_common_any_more():
    stars = PEOPLE.with_columns(pl.lit("*").alias("age"), pl.lit("*").alias("paid"), pl.lit("*").alias("job"))
    subject = subject_of(stars)
    found = answers("information-change", subject)[None]
    assert found.details["after"][0][1] == pytest.approx(0, abs=1e-9)
    assert answers("correlation-change", subject)[None].details["after"][0][1] == 0
    assert value("cells-suppressed", subject) == 1
    assert value("loss", subject) == 1


def test_the_same_seed_asks_the_same_queries():
    one, same, other = (queries.ask_queries(subject_of(PEOPLE, seed=seed)) for seed in (1, 1, 2))
    assert one.true.tolist() == same.true.tolist() != other.true.tolist()


def test_all_releases_of_one_original_are_asked_the_same_queries():
    coarse = PEOPLE.with_columns(pl.lit("*").alias("age"))[:3]
    one, other = (queries.ask_queries(subject_of(release)) for release in (PEOPLE, coarse))
    assert one.true.tolist() == other.true.tolist()


def test_queries_reach_the_share_of_rows_they_must():
    found = queries.ask_queries(subject_of(PEOPLE), queries=50, least=0.5)
    assert len(found.true) == 50
    assert found.true.min() >= 3
    assert set(queries.ask_queries(subject_of(PEOPLE), most_columns=1).columns.tolist()) == {1}


def test_the_error_of_queries_has_an_interval_and_a_median():
    release = PEOPLE.with_columns(pl.Series("age", ["[30-39]"] * 3 + ["[40-60]"] * 3))
    found = answers("query-error", subject_of(release))
    for one in found.values():
        low, high = one.interval
        assert low <= one.value <= high
    assert list(found) == [None, "median query"]
    assert found[None].value > 0


# Tables of other kinds


def test_a_database_gives_the_answers_of_the_frames_in_it(tmp_path):
    import sqlite3
    from contextlib import closing

    from celosia.tables import open_table
    from celosia.tables.table import close_table

    release = PEOPLE.with_columns(
        pl.Series("age", ["[30-39]"] * 3 + ["[40-60]"] * 3), pl.Series("job", [None] * 6)
    )
    place = tmp_path / "people.db"
    with closing(sqlite3.connect(place)) as database:
        for name, table, kind in (("people", PEOPLE, "integer"), ("release", release, "text")):
            database.execute(f"create table {name} (age {kind}, paid integer, job text)")
            database.executemany(f"insert into {name} values (?, ?, ?)", table.rows())
        database.commit()
    tables = [open_table(f"sqlite:///{place}", table=name) for name in ("people", "release")]
    try:
        for name in MINE:
            there, here = answers(name, subject_of(tables[1], tables[0])), answers(name, subject_of(release))
            assert {about: one.why_not for about, one in there.items()} == {
                about: one.why_not for about, one in here.items()
            }
            values = {about: one.value for about, one in here.items()}
            assert {about: one.value for about, one in there.items()} == pytest.approx(values)
    finally:
        for table in tables:
            close_table(table)


@pytest.mark.parametrize(
    "values",
    [[31, 38, 47, 50, 55, 60], ["cook", "nurse"] * 3, [True, False] * 3],
    ids=["number", "text", "truth"],
)
def test_a_column_that_became_stars_has_lost_everything(values):
    before, after = pl.DataFrame({"a": values}), pl.DataFrame({"a": ["*"] * 6})
    subject = MeasureSubject.of(before, after, quasi_identifiers=["a"])
    for name in ("variation", "loss", "cells-suppressed", "text-variation"):
        assert value(name, subject, "a") == 1, name
    if values[0] == 31:
        assert value("ks", subject, "a") == 1
        (moved,) = (one for one in release_measures()["wasserstein"].answers(subject) if one.about == "a")
        assert (moved.value, moved.why_not) == (None, "every value of 'a' is hidden")
    drawn = next(one for one in release_measures()["variation"].answers(subject) if one.about == "a")
    bars = drawn.details["histogram"]
    hidden = bars["groups"].index("(hidden)" if values[0] == 31 else "*")
    assert (bars["before"][hidden], bars["after"][hidden]) == (0, 1)
    assert sum(bars["before"]) == pytest.approx(1)
    assert sum(bars["after"]) == pytest.approx(1)


def test_stars_among_values_are_drawn_apart():
    before = pl.DataFrame({"a": [10, 10, 20, 20]})
    after = pl.DataFrame({"a": ["10", "10", "*", "*"]})
    subject = MeasureSubject.of(before, after)
    assert value("variation", subject, "a") == 0.5
    assert value("ks", subject, "a") == 0.5
    drawn = next(one for one in release_measures()["variation"].answers(subject) if one.about == "a")
    bars = drawn.details["histogram"]
    assert (bars["groups"][-1], bars["before"][-1], bars["after"][-1]) == ("(hidden)", 0, 0.5)


def test_a_value_is_the_same_however_it_is_spelt():
    days = ["2020-01-01", "2020-01-01", "2020-01-02", "2020-01-02"]
    before = pl.DataFrame({"dose": ["1.10", "2", "-0", "0"], "day": days, "paid": ["TRUE", "False"] * 2})
    after = pl.DataFrame(
        {"dose": [1.1, 2.0, -0.0, 0.0], "day": [f" {day}" for day in days], "paid": [True, False] * 2}
    )
    types = {"dose": "real", "day": "date", "paid": "boolean"}
    subject = MeasureSubject.of(open_table(before, types=types), after, quasi_identifiers=list(types))
    for name in ("variation", "text-variation", "ks", "loss"):
        assert {one.value for one in release_measures()[name].answers(subject)} == {0}, name
