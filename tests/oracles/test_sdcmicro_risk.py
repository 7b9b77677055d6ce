"""Frequencies, individual risk and diversity as sdcMicro 5.8.1 tells them (the shared README has its calls)."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from celosia.measure.registry import release_measures
from celosia.measure.risk.individual import individual_risk
from celosia.measure.risk.population import population_of
from celosia.measure.risk.rows import row_risks
from celosia.measure.subject import MeasureSubject, Population

SEVEN = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
FOUR = ["urbrur", "roof", "sex", "age"]
FIVE = ["urbrur", "roof", "walls", "water", "sex"]
KEYS = ["Key1", "Key2", "Key3", "Key4"]

TABLES = [
    ("francdat", KEYS, "w", "freq_francdat_k2456_w8"),
    ("francdat", KEYS, None, "freq_francdat_k2456_now"),
    ("testdata", SEVEN, "sampling_weight", "freq_testdata_7keys_w"),
    ("testdata", FOUR, "sampling_weight", "freq_testdata_4keys_w"),
    ("testdata2", SEVEN, "sampling_weight", "freq_testdata2_7keys_w"),
]


def read(shared: Path, table: str) -> pl.DataFrame:
    return pl.read_csv(shared / "data" / "sdcmicro" / f"{table}.csv")


def told(shared: Path, answers: str) -> pl.DataFrame:
    return pl.read_csv(shared / "oracles" / "sdcmicro" / f"{answers}.csv", null_values="NA")


def places_of(subject: MeasureSubject, frame: pl.DataFrame) -> list[int]:
    """The class of every row."""
    counts = subject.class_counts
    labels = zip(
        *(values.gather(codes) for values, codes in zip(counts.texts, counts.codes, strict=True)),
        strict=True,
    )
    number = {label: place for place, label in enumerate(labels)}
    return [number[row] for row in frame.select(pl.col(counts.columns).cast(pl.String)).rows()]


@pytest.mark.parametrize(("table", "columns", "weight", "answers"), TABLES)
def test_frequencies_and_individual_risks_are_those_of_sdcmicro(
    shared: Path, table: str, columns: list[str], weight: str | None, answers: str
) -> None:
    frame, expected = read(shared, table), told(shared, answers)
    population = Population(fraction=1.0) if weight is None else Population(weight=weight)
    subject = MeasureSubject.of(None, frame, quasi_identifiers=columns, population=population)
    rows = pl.concat(row_risks(subject))
    assert rows["class_rows"].to_list() == expected["fk"].to_list()

    found = population_of(subject)
    approximate = individual_risk(found.sizes, found.people, is_approximate=True)
    place = places_of(subject, frame)
    assert found.people[place].tolist() == expected["Fk"].to_list()
    # Closed forms and a series, both to the last digits that a double keeps.
    np.testing.assert_allclose(approximate[place], expected["rk_approx"], rtol=1e-12)
    is_known = expected["rk_exact"].is_not_null()
    np.testing.assert_allclose(
        rows["population_risk"].filter(is_known), expected["rk_exact"].filter(is_known), rtol=1e-9
    )


def test_an_exact_risk_that_sdcmicro_does_not_find_lies_where_its_neighbours_do(shared: Path) -> None:
    # Of the class of 176 rows it says NA: p^f underflows before the series overflows. p / f 2F1(1, 1; f + 1; 1 - p)
    # does neither, and lies just under the approximation as all others of the table do.
    expected = told(shared, "freq_testdata_7keys_w")
    lost = expected.filter(pl.col("rk_exact").is_null())
    assert set(lost["fk"]) == {176}
    exact = individual_risk(lost["fk"].to_numpy(), lost["Fk"].to_numpy().astype(float))
    assert np.all(exact < lost["rk_approx"].to_numpy())
    np.testing.assert_allclose(exact, lost["rk_approx"], rtol=1e-6)


def test_diversity_of_testdata2_is_that_of_sdcmicro(shared: Path) -> None:
    # Its five columns leave every row alone, so that all it can say is 1; it says so row by row, we of the worst.
    expected = told(shared, "ldiversity_testdata2")
    subject = MeasureSubject.of(
        None, read(shared, "testdata2"), quasi_identifiers=FIVE, sensitive=["electcon", "relat"]
    )
    words = {"distinct-l": "Distinct", "entropy-l": "Entropy", "recursive-l": "Recursive"}
    for name, word in words.items():
        for answer in release_measures()[name].answers(subject):
            assert answer.value == expected[f"{answer.about}_{word}_Ldiversity"].min()
    assert release_measures()["uniques"].answers(subject)[0].value == expected.height


@pytest.mark.parametrize(
    ("table", "columns", "k", "people"),
    [
        ("francdat", KEYS, 2, 2),
        ("francdat", KEYS, 3, 1),
        ("testdata2", SEVEN, 2, 40),
        ("testdata2", SEVEN, 3, 32),
    ],
)
def test_classes_with_suppressed_cells_are_not_as_large_as_sdcmicro_counts_them(
    shared: Path, table: str, columns: list[str], k: int, people: int
) -> None:
    # sdcMicro lets a missing value match every value: (1, 2) and (1, NA) are two rows of each other's class, and by
    # that count its local suppression reaches k. It promises less than it seems: whoever looks for a person with (1, 3)
    # finds one row that can be hers. So classes here take an empty cell for a value of its own, and matching is by what
    # labels allow the people of the original: 40 of 93 are singled out in its release of testdata2 with k = 2.
    release = told(shared, f"localsupp_{table}_k{k}")
    before = read(shared, table).select(columns)
    subject = MeasureSubject.of(before, release, quasi_identifiers=columns)
    rows = release.rows()

    def matches(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
        return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))

    assert min(sum(matches(one, other) for other in rows) for one in rows) >= k
    found = release_measures()["singled-out"].answers(subject)[0]
    assert found.details["people"] == sum(
        sum(matches(one, row) for row in rows) == 1 for one in before.rows()
    )
    assert found.details["people"] == people
    assert release_measures()["k"].answers(subject)[0].value == 1
