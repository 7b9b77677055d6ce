"""A column gets the hierarchy its type, name and values suggest, with the reason, never too tall."""

import random
import time

import pytest

from celosia.hierarchies import check, propose
from celosia.types import ColumnType


def test_dates_are_proposed_periods_whatever_their_type():
    values = [
        f"{day:02d}/{month:02d}/{year}" for day in (1, 2) for month in (1, 3, 7) for year in (1999, 2003)
    ]
    proposal = propose("born", values, type=ColumnType.TEXT)
    assert proposal.reason == "dates from 1999-01-01 to 2003-07-02: longer and longer periods"
    assert proposal.hierarchy.level(1)["01/01/1999"] == "1999-01"


@pytest.mark.parametrize("name", ["zip", "ZIP code", "cod_postal", "código postal", "cp", "home.postcode"])
def test_postcodes_are_known_by_their_name_and_masked(name):
    proposal = propose(name, ["28001", "28004", "8001", "8101"], type=ColumnType.INTEGER)
    assert proposal.hierarchy.rows()[-1] == ("28004", "2800*", "28***", "*")
    assert "names a postcode" in proposal.reason


def test_codes_with_leading_zeros_are_masked():
    proposal = propose("branch", ["0001", "0002", "1234"], type=ColumnType.TEXT)
    assert (
        proposal.reason == "all values have 4 digits and some begin with 0: its digits are masked one by one"
    )
    assert proposal.hierarchy.rows()[0] == ("0001", "000*", "*")


def test_long_codes_are_masked_in_larger_steps():
    values = [f"{n:012d}" for n in range(0, 10**12, 10**10 + 12345)]
    proposal = propose("account", values, type=ColumnType.TEXT)
    assert proposal.hierarchy.height <= 6
    assert "masked 2 at a time" in proposal.reason


def test_other_numbers_get_round_intervals():
    proposal = propose("visits", [str(n) for n in range(17, 91)], type=ColumnType.INTEGER)
    assert proposal.reason == "numbers from 17 to 90: intervals with round bounds"
    assert proposal.hierarchy.rows()[0] == ("17", "[15-19]", "[10-19]", "[0-49]", "*")
    weights = propose("weight", [f"{n / 8:.3f}" for n in range(400, 801)], type=ColumnType.REAL)
    assert weights.hierarchy.rows()[0][1] == "[50.0, 50.5["


def test_numbers_that_mostly_coincide_get_intervals_of_equal_frequency():
    values = [str(n * n * n) for n in range(100)]
    counts = [10_000] + [3] * 99
    proposal = propose("gain", values, type=ColumnType.INTEGER, counts=counts)
    assert "about equally many rows" in proposal.reason
    assert proposal.hierarchy.level(1)["0"] == "0"
    assert "round bounds" in propose("gain", values, type=ColumnType.INTEGER).reason


def test_codes_of_one_shape_lose_their_ends():
    values = [f"{letter}Q{n:02d}.{k}" for letter in "JK" for n in (18, 21, 45) for k in (0, 1)]
    proposal = propose("part", values, type=ColumnType.TEXT)
    assert proposal.hierarchy.rows()[0] == ("JQ18.0", "JQ18*", "JQ*", "*")
    assert proposal.reason == "codes such as 'JQ18.0': shorter and shorter beginnings"


def test_diagnoses_become_blocks_and_chapters():
    values = [f"{letter}{n:02d}.{k}" for letter in "JK" for n in (18, 45, 46) for k in (0, 1)] + ["J18"]
    proposal = propose("dx", values, type=ColumnType.TEXT, language="es")
    assert proposal.hierarchy.rows()[0] == ("J18", "J18", "Gripe y neumonía", "Respiración", "*")
    assert proposal.hierarchy.level(3)["K45.1"] == "Digestión"
    assert proposal.reason == "diagnoses by ICD-10: grouped as they are known"


def test_few_categories_are_kept_or_suppressed():
    assert propose("sex", ["F", "M", None], type=ColumnType.TEXT).hierarchy.rows() == [("F", "*"), ("M", "*")]
    assert propose("smokes", ["true", "false"], type=ColumnType.BOOLEAN).hierarchy.height == 1


def test_free_texts_are_kept_or_suppressed_and_a_taxonomy_suggested():
    proposal = propose("job", [f"job of {word}" for word in "abcdefghijkl"], type=ColumnType.TEXT)
    assert proposal.hierarchy.height == 1
    assert "write a taxonomy?" in proposal.reason


@pytest.mark.parametrize("values", [[None, None], []])
@pytest.mark.parametrize("kind", ColumnType)
def test_a_column_without_values_is_suppressed_from_the_start(values, kind):
    proposal = propose("empty", values, type=kind, counts=[7] * len(values))
    assert proposal.hierarchy.rows() == [("*",)]
    assert (proposal.hierarchy.height, proposal.reason) == (0, "no values")


def test_values_may_come_as_an_iterator():
    assert propose("n", (str(n) for n in range(30)), type=ColumnType.INTEGER).hierarchy.height == 3


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda n: str(7 * n), ColumnType.INTEGER),
        (lambda n: repr(random.Random(n).random() * 1000), ColumnType.REAL),
        (lambda n: f"{n:06d}", ColumnType.TEXT),
        (
            lambda n: f"20{n % 90 + 10}-{n % 12 + 1:02d}-{n % 28 + 1:02d}T10:00:00.{n:06d}",
            ColumnType.DATETIME,
        ),
        (lambda n: f"A{n:06d}.B", ColumnType.TEXT),
        (lambda n: f"text number {n}", ColumnType.TEXT),
    ],
    ids=["integers", "reals", "zeros", "datetimes", "codes", "texts"],
)
def test_a_hundred_thousand_values_are_quick_and_sound(make, kind):
    values = [make(n) for n in range(100_000)]
    started = time.process_time()
    hierarchy = propose("x", values, type=kind).hierarchy
    # About 0.4 s alone on one core; wide of it because machines that run tests are busy.
    assert time.process_time() - started < 5
    assert hierarchy.height <= 6
    assert hierarchy.labels[-1] == ("*",)
    assert check(hierarchy.rows(), values) == []
