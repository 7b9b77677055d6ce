"""What pyCANON 1.3.6 says of public tables, and where its definitions differ from the papers'.

The numbers are those of ``pycanon.anonymity``: k_anonymity, l_diversity, alpha_k_anonymity, t_closeness (equal distance
for texts, ordered for numbers), basic_beta_likeness and delta_disclosure, each called as f(table, quasi-identifiers,
[sensitive column]) on Adult (adult_arx) and testdata as pandas reads them.
"""

from pathlib import Path

import polars as pl
import pytest

from celosia.measure.registry import release_measures
from celosia.measure.risk.diversity import recursive_c
from celosia.measure.risk.shares import shares_of
from celosia.measure.subject import MeasureSubject

# table, quasi-identifiers, sensitive column; then k, l, alpha, t, beta, delta; then its entropy l
ADULT = [
    ("occupation", 87, 10, 0.2789115646258503, 0.3249624441807344, 17.722532588454378, 3.132721992807618, 7),
    (
        "salary-class",
        87,
        2,
        0.9540229885057471,
        0.20294547375208355,
        0.38366751560398815,
        1.6890000223204622,
        1,
    ),
    ("age", 87, 33, 0.08045977011494253, 0.09193571485872032, 16.61799065420561, 2.868920576218943, 27),
]
TESTDATA = [
    (("urbrur", "roof"), "electcon", 4, 1, 1.0, 0.4313486731609002, 1.35029004908523, 1.5163741159174222, 1),
    (("urbrur", "sex"), "relat", 310, 5, 0.5986908358509567, 0.031274651359346387, 5.361111111111111,
     5.162118664355505, 2),
    (("urbrur", "sex"), "age", 310, 70, 0.04516129032258064, 0.022692365607589225, 13.774193548387098,
     2.6928819796290386, 55),
    (("urbrur", "walls"), "hhcivil", 6, 2, 2 / 3, 0.05853954391072295, 3.5914786967418553, 1.5242021283442122, 1),
]  # fmt: skip
CASES = [("adult", ("sex", "race"), *case) for case in ADULT] + [("testdata", *case) for case in TESTDATA]


def subject_of(shared: Path, table: str, columns: tuple[str, ...], sensitive: str) -> MeasureSubject:
    files = {"adult": ("adult_arx/adult.csv", ";"), "testdata": ("sdcmicro/testdata.csv", ",")}
    file, separator = files[table]
    frame = pl.read_csv(shared / "data" / file, separator=separator, columns=[*columns, sensitive])
    return MeasureSubject.of(None, frame, quasi_identifiers=columns, sensitive=[sensitive])


def value(subject: MeasureSubject, name: str) -> float:
    (found,) = release_measures()[name].answers(subject)
    assert found.value is not None
    return found.value


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[2]}")
def test_what_pycanon_finds_is_found(shared: Path, case) -> None:
    table, columns, sensitive, k, distinct, alpha, t, beta, delta, entropy = case
    subject = subject_of(shared, table, columns, sensitive)
    assert value(subject, "k") == k
    assert value(subject, "distinct-l") == distinct
    assert value(subject, "alpha") == pytest.approx(alpha, rel=1e-12)
    is_number = table == "testdata" or sensitive == "age"
    assert value(subject, "t-ordered" if is_number else "t-equal") == pytest.approx(t, rel=1e-9)
    assert value(subject, "beta-likeness") == pytest.approx(beta, rel=1e-12)
    # Over values that a class has, as it does; as published, a class that lacks one has an infinite delta.
    assert value(subject, "delta-disclosure") == pytest.approx(delta, rel=1e-12)
    # It cuts the decimals off. The definition takes any real l: 1.9 is more than 1.
    assert int(value(subject, "entropy-l") + 1e-9) == entropy


def test_recursive_c_of_pycanon_is_not_that_of_the_definition(shared: Path) -> None:
    # recursive_c_l_diversity(adult, ["sex", "race"], ["salary-class"]) is (1, 2): it sorts the counts of a class upward
    # and so divides the rarest value by the most frequent ones. Definition 4.2 asks for the most frequent over the rare
    # ones: 83 : 4 in the class of 87, which no c of 1 holds.
    subject = subject_of(shared, "adult", ("sex", "race"), "salary-class")
    shares = shares_of(subject, "salary-class")
    assert recursive_c(shares, l=2) == value(subject, "recursive-c") == 83 / 4
    # Its enhanced beta, the largest of min(beta, -log p), is no threshold that the table satisfies either: enhanced
    # likeness bounds every value by its own -log p, so that there is a beta, the basic one, or there is none.
    (found,) = release_measures()["beta-likeness"].answers(
        subject_of(shared, "adult", ("sex", "race"), "occupation")
    )
    assert found.details["is_enhanced"] is False
