"""Values of a release that are not on the level that was chosen for their column are found, and it is withdrawn."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import celosia
from celosia.errors import ReleaseError
from celosia.recode.techniques import full_domain
from celosia.release.level_check import check_cut, check_level
from celosia.tables import FrameTable

CITIES = celosia.Hierarchy.from_rows(
    "city", [("Soria", "Castilla", "*"), ("Ávila", "Castilla", "*"), ("Lugo", "Galicia", "*")]
)


@pytest.mark.parametrize(
    ("values", "level", "strange"),
    [
        (["Castilla", "Galicia"], 1, 0),
        (["Castilla", None], 1, 0),
        (["Castilla", "?"], 1, 0),
        (["Castilla", "NA"], 1, 1),
        (["Castilla", "Lugo"], 1, 1),
        (["Castilla", "*"], 1, 1),
        (["*"], 2, 0),
        (["*", None], 2, 1),
        (["*", "?"], 2, 1),
        (["Soria", "Lugo", "*"], 2, 2),
    ],
)
def test_a_value_of_another_level_is_counted_and_not_quoted(values, level, strange):
    finding = check_level("home", values, CITIES, level, missing=("?",))
    assert finding.passed is (strange == 0)
    assert "'home'" in finding.text
    assert not any(str(value) in finding.text for value in values)
    if strange:
        assert finding.text.startswith(f"{strange} different value")


def test_columns_that_break_the_rule_are_named_and_the_others_are_not():
    shown = {"home": ["Castilla"], "work": ["Castilla", "Lugo"], "birth": ["Soria"]}
    hierarchies = dict.fromkeys(shown, CITIES)
    found = check_cut(shown.__getitem__, {"home": 1, "work": 1, "birth": 0}, hierarchies)
    assert [(finding.column, finding.passed) for finding in found] == [("work", False)]
    (whole,) = check_cut(shown.__getitem__, {"home": 1}, hierarchies)
    assert (whole.column, whole.passed) == (None, True)


def test_a_column_that_was_not_generalized_is_not_even_asked_for():
    assert check_cut({}.__getitem__, {"home": 0}, {"home": CITIES}) == ()


@pytest.fixture
def people():
    random = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "age": random.integers(18, 70, 200),
            "city": random.choice(["Soria", "Ávila", "Lugo", None], 200),
            "ill": random.choice(["yes", "no"], 200),
        }
    )


def levels_found(release):
    return [finding.text for finding in release.verification.findings if finding.name == "level"]


@pytest.mark.parametrize("technique", ["top-down", "two-phase", "full-domain"])
def test_the_verification_of_a_release_looks_at_levels(people, technique):
    release = celosia.anonymize(
        people,
        quasi_identifiers=["age", "city"],
        sensitive=["ill"],
        k=8,
        technique=technique,
        hierarchies={"city": CITIES},
    )
    assert any(release.levels.values())
    assert levels_found(release) == ["every generalized value is on the level that was chosen for its column"]


def test_where_nothing_was_generalized_or_no_node_was_chosen_there_is_nothing_to_say(people):
    given = {"quasi_identifiers": ["city"], "k": 8, "hierarchies": {"city": CITIES}, "common": ["age", "ill"]}
    assert levels_found(celosia.anonymize(people, **given)) == []
    assert levels_found(celosia.anonymize(people, technique="mondrian", **given)) == []


FILES = ["safe.csv", "safe.parquet", "safe.json", "safe.xlsx", "safe.arff"]


def released_to(place, people, folder, **more):
    if place == "safe.db":
        more |= {"out": f"sqlite:///{folder / place}", "out_table": "safe"}
    elif place is not None:
        more["out"] = folder / place
    return celosia.anonymize(
        people,
        quasi_identifiers=["city"],
        k=8,
        hierarchies={"city": CITIES},
        node=(1,),
        common=["age", "ill"],
        **more,
    )


@pytest.mark.parametrize("place", [None, *FILES, "safe.db"])
@pytest.mark.parametrize("markers", [(), ("?", ""), ("", "?")])
def test_missing_values_may_stand_on_a_level_however_they_are_written(people, tmp_path, place, markers):
    release = released_to(place, people, tmp_path, markers=markers)
    assert release.verification.classes == 3
    assert len(levels_found(release)) == 1


@pytest.mark.parametrize("place", [None, "safe.csv", "safe.parquet", "safe.db"])
def test_a_release_with_a_value_of_another_level_is_withdrawn(people, tmp_path, monkeypatch, place):
    honest = full_domain.full_domain_recoding

    def lying(*given, **more):
        recoding = honest(*given, **more)
        cities = {**recoding.maps["city"], "Lugo": "Lugo"}  # as many classes as planned, all large enough
        return replace(recoding, maps={"city": cities})

    monkeypatch.setattr(full_domain, "full_domain_recoding", lying)
    with pytest.raises(ReleaseError, match="1 different value of 'city' is not on level 1 of its hierarchy"):
        released_to(place, people, tmp_path)
    assert not list(tmp_path.glob("safe.[cp]*"))


def test_classes_in_memory_are_counted_once_for_sizes_and_levels(people, monkeypatch):
    asked = []
    count_by = FrameTable.count_by

    def counting(table, columns, **more):
        asked.append(tuple(columns))
        return count_by(table, columns, **more)

    monkeypatch.setattr(FrameTable, "count_by", counting)
    released_to(None, people, None)
    assert asked.count(("city",)) == 2  # for the search, and of what was written
