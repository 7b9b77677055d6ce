"""Values of a release that are not on the level that was chosen for their column are found."""

import numpy as np
import polars as pl
import pytest

import celosia
from celosia.release.cut import check_cut
from celosia.tables import open_table

CITIES = celosia.Hierarchy.from_rows(
    "city", [("Soria", "Castilla", "*"), ("Ávila", "Castilla", "*"), ("Lugo", "Galicia", "*")]
)


def findings(values, level):
    return check_cut(
        open_table(pl.DataFrame({"city": values}), missing=()).count_by(["city"]),
        {"city": level},
        {"city": CITIES},
    )


@pytest.mark.parametrize(
    ("values", "level", "strange"),
    [
        (["Castilla", "Galicia"], 1, 0),
        (["Castilla", None], 1, 0),
        (["Castilla", "Lugo"], 1, 1),
        (["Castilla", "*"], 1, 1),
        (["*", "*"], 2, 0),
        (["*", None], 2, 1),
        (["Soria", "Lugo", "*"], 2, 2),
    ],
)
def test_a_value_of_another_level_is_counted(values, level, strange):
    (finding,) = findings(values, level)
    assert finding.passed is (strange == 0)
    if strange:
        assert finding.text.startswith(f"{strange} different value")
        assert not any(str(value) in finding.text for value in values)


def test_a_column_that_was_not_generalized_has_nothing_to_check():
    assert findings(["Soria", "Lugo"], 0) == ()


@pytest.mark.parametrize("method", ["top-down", "two-phase", "full-domain"])
def test_real_releases_are_on_their_levels(method):
    random = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "age": random.integers(18, 70, 200),
            "city": random.choice(["Soria", "Ávila", "Lugo", None], 200),
            "ill": random.choice(["yes", "no"], 200),
        }
    )
    release = celosia.anonymize(
        frame,
        quasi_identifiers=["age", "city"],
        sensitive=["ill"],
        k=8,
        method=method,
        hierarchies={"city": CITIES},
    )
    counted = open_table(release.table, missing=()).count_by(["age", "city"])
    found = check_cut(counted, release.levels, release.plan.hierarchies)
    assert len(found) == sum(level > 0 for level in release.levels.values()) > 0
    assert all(finding.passed for finding in found)
