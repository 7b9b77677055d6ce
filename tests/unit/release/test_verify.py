"""A release is recomputed from what was written, and fails when it breaks a promise."""

import ast
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

import celosia
import celosia.release.checks
import celosia.release.group_checks
import celosia.release.population_fit
import celosia.release.transport
import celosia.release.uniques
import celosia.release.verify
from celosia.errors import HierarchyError, ProjectError, TableError
from celosia.hierarchies import Hierarchy
from celosia.privacy import (
    MODELS,
    AlphaKAnonymity,
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveCLDiversity,
    TCloseness,
)
from celosia.release.group_checks import GROUP_CHECKS
from celosia.release.verify import CHECKS, verify
from celosia.tables.format import FrameReader, Options
from celosia.tables.location import Location
from celosia.tables.table import Counts


class Released:
    """A release in memory that remembers what it was asked to count."""

    location = Location.FRAME
    name = "safe.csv"

    def __init__(self, **columns: Sequence[str | None]) -> None:
        self.frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
        self.asked: list[tuple[str, ...]] = []

    def columns(self) -> tuple[str, ...]:
        return tuple(self.frame.columns)

    @property
    def reader(self) -> FrameReader:
        return FrameReader(self.frame, Options())

    def unparsed(self) -> "Released":
        return self

    def count_by(self, columns: Sequence[str]) -> Counts:
        self.asked.append(tuple(columns))
        grouped = self.frame.group_by(columns).len()
        values = tuple(grouped[name].unique() for name in columns)
        codes = tuple(
            np.array([series.to_list().index(value) for value in grouped[name].to_list()], dtype=np.int32)
            for name, series in zip(columns, values, strict=True)
        )
        return Counts(tuple(columns), values, codes, grouped["len"].to_numpy().astype(np.int64))


@pytest.fixture
def released() -> Released:
    """Three classes: 30s F (3 rows), 30s M (2 rows) and age missing F (2 rows)."""
    return Released(
        age=["30-39", "30-39", "30-39", "30-39", "30-39", None, None],
        sex=["F", "F", "F", "M", "M", "F", "F"],
        disease=["flu", "flu", "gout", "flu", "asthma", None, "flu"],
        salary=["9", "10", "11", "9", "10", "10", "11"],
    )


def test_a_release_that_keeps_its_promises_passes(released: Released) -> None:
    result = verify(
        released,
        quasi_identifiers=["age", "sex"],
        models=[KAnonymity(k=2), DistinctLDiversity(column="disease", l=2)],
        identifiers=["name"],
    )
    assert result.passed
    assert (result.rows, result.classes, result.smallest) == (7, 3, 2)
    assert [finding.text for finding in result.findings] == [
        "no identifier is in the release",
        "k-anonymity: asked 2, reached 2; 0 classes violate it",
        "distinct-l-diversity of 'disease': asked 2, reached 2; 0 classes violate it",
    ]


def test_a_class_that_is_too_small_fails_the_release(released: Released) -> None:
    result = verify(released, quasi_identifiers=["age", "sex"], models=[KAnonymity(k=3)])
    assert not result.passed
    finding = result.findings[0]
    assert (finding.name, finding.asked, finding.reached, finding.violating) == ("k-anonymity", 3, 2, 2)
    assert finding.text == "k-anonymity: asked 3, reached 2; 2 classes violate it"


@pytest.mark.parametrize(
    ("model", "reached", "violating"),
    [
        (DistinctLDiversity(column="disease", l=3), 2, 3),
        (EntropyLDiversity(column="disease", l=2), 3 / 4 ** (1 / 3), 1),
        (EntropyLDiversity(column="disease", l=1.8), 3 / 4 ** (1 / 3), 0),
        (RecursiveCLDiversity(column="disease", c=2, l=2), 2, 1),
        (RecursiveCLDiversity(column="disease", c=2.5, l=2), 2, 0),
        (RecursiveCLDiversity(column="disease", c=2, l=3), None, 3),
        # Of the seven: flu 4, gout 1, asthma 1, missing 1; the class {flu, missing} is 1/2 - 1/7 away.
        (TCloseness(column="disease", t=0.35), 5 / 14, 2),
        # Of the seven: 9 twice, 10 three times, 11 twice; the class {9, 10} is 3/14 + 4/14 steps of two away.
        (TCloseness(column="salary", t=0.2, distance="ordered"), 1 / 4, 2),
        (TCloseness(column="salary", t=0.25, distance="ordered"), 1 / 4, 0),
    ],
)
def test_what_was_reached_is_what_a_person_computes(released, model, reached, violating) -> None:
    result = verify(released, quasi_identifiers=["age", "sex"], models=[model])
    finding = result.findings[0]
    assert finding.reached == (None if reached is None else pytest.approx(reached))
    assert (finding.violating, result.passed) == (violating, violating == 0)


@pytest.mark.parametrize("values", range(2, 12))
def test_equally_frequent_values_have_the_entropy_asked_for_despite_rounding(values: int) -> None:
    release = Released(age=["30-39"] * values, disease=[str(value) for value in range(values)])
    model = EntropyLDiversity(column="disease", l=values)
    assert verify(release, quasi_identifiers=["age"], models=[model]).passed


@pytest.mark.parametrize("twos", range(1, 25))
def test_a_distance_of_exactly_t_passes_despite_rounding(twos: int) -> None:
    # One row with the value 1, and 25 - twos such rows of 25: for some, 1 minus that share is a bit too much.
    release = Released(age=["30-39"] + ["40-49"] * 24, disease=["1"] * (25 - twos) + ["2"] * twos)
    models = [
        TCloseness(column="disease", t=twos / 25, distance=distance) for distance in ("equal", "ordered")
    ]
    assert verify(release, quasi_identifiers=["age"], models=models).passed


def test_as_often_as_c_times_is_not_less_often_despite_rounding() -> None:
    release = Released(age=["30-39"] * 105, disease=["flu"] * 55 + ["gout"] * 50)
    model = RecursiveCLDiversity(column="disease", c=1.1, l=2)
    assert verify(release, quasi_identifiers=["age"], models=[model]).findings[0].violating == 1


def test_the_hierarchical_distance_follows_the_hierarchy_given(released: Released) -> None:
    tree = Hierarchy.from_rows(
        "disease", [("flu", "lungs", "*"), ("asthma", "lungs", "*"), ("gout", "joints", "*")]
    )
    model = TCloseness(column="disease", t=0.3, distance="hierarchical")
    result = verify(released, quasi_identifiers=["age", "sex"], models=[model], hierarchies={"disease": tree})
    # {flu, missing}: 5/14 of values and of branches. {flu, asthma}: 5/14 of values, 2/7 of branches.
    assert result.findings[0].reached == pytest.approx(5 / 14)
    assert result.findings[0].violating == 2


def test_the_hierarchical_distance_cannot_be_verified_without_hierarchy(released: Released) -> None:
    model = TCloseness(column="disease", t=0.3, distance="hierarchical")
    with pytest.raises(ProjectError, match=r"--hierarchy disease=file\.csv"):
        verify(released, quasi_identifiers=["age"], models=[model])


def test_a_released_value_that_the_hierarchy_does_not_know_is_named(released: Released) -> None:
    model = TCloseness(column="disease", t=0.3, distance="hierarchical")
    tree = Hierarchy.from_rows("disease", [("flu", "*"), ("gout", "*")])
    with pytest.raises(HierarchyError, match="'asthma'"):
        verify(released, quasi_identifiers=["age"], models=[model], hierarchies={"disease": tree})


def test_an_identifier_in_the_release_fails_it(released: Released) -> None:
    result = verify(
        released, quasi_identifiers=["age"], models=[KAnonymity(k=2)], identifiers=["name", "salary", "sex"]
    )
    assert not result.passed
    assert result.findings[0].text == "identifiers in the release: 'salary', 'sex'"
    assert result.findings[0].reached == 2


def test_an_empty_release_fails_unless_that_is_allowed() -> None:
    empty = Released(age=[], disease=[])
    models = [KAnonymity(k=2), TCloseness(column="disease", t=0.2, distance="ordered")]
    result = verify(empty, quasi_identifiers=["age"], models=models)
    assert not result.passed
    assert (result.rows, result.classes, result.smallest) == (0, 0, 0)
    assert result.findings[0].text == "the release is empty"
    assert verify(empty, quasi_identifiers=["age"], models=models, allow_empty=True).passed


def test_every_group_by_is_asked_for_once(released: Released) -> None:
    models = [
        KAnonymity(k=2),
        DistinctLDiversity(column="disease", l=2),
        EntropyLDiversity(column="disease", l=1.5),
        TCloseness(column="salary", t=0.5),
    ]
    verify(released, quasi_identifiers=["age", "sex", "age"], models=models)
    assert released.asked == [("age", "sex"), ("age", "sex", "disease"), ("age", "sex", "salary")]


def test_columns_that_the_release_does_not_have_are_named(released: Released) -> None:
    with pytest.raises(TableError, match=r"safe\.csv: column 'agee' does not exist; did you mean 'age'"):
        verify(released, quasi_identifiers=["agee"], models=[KAnonymity(k=2)])
    with pytest.raises(TableError, match="'income' does not exist"):
        verify(released, quasi_identifiers=["age"], models=[DistinctLDiversity(column="income", l=2)])


def test_a_release_is_not_verified_without_quasi_identifiers(released: Released) -> None:
    with pytest.raises(ProjectError, match="no quasi-identifier was given"):
        verify(released, quasi_identifiers=[], models=[KAnonymity(k=2)])


def test_a_column_is_not_quasi_identifier_and_sensitive_at_once(released: Released) -> None:
    with pytest.raises(ProjectError, match="'sex' is a quasi-identifier, and sensitive"):
        verify(released, quasi_identifiers=["age", "sex"], models=[DistinctLDiversity(column="sex", l=2)])


def test_a_model_that_nobody_can_check_fails_the_release(released: Released) -> None:
    class Hope(KAnonymity):
        name: ClassVar[str] = "hope"

    result = verify(released, quasi_identifiers=["age"], models=[Hope(k=2)])
    assert not result.passed
    assert result.findings[0].text == "hope: there is no independent check of it"


def test_every_model_has_an_independent_check() -> None:
    assert {*CHECKS, *GROUP_CHECKS} == set(MODELS)


VERIFYING = [
    celosia.release.checks,
    celosia.release.group_checks,
    celosia.release.population_fit,
    celosia.release.transport,
    celosia.release.uniques,
    celosia.release.verify,
]


@pytest.mark.parametrize("module", VERIFYING)
def test_the_verifier_shares_no_code_with_the_search(module) -> None:
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    # What is only imported for the types never runs.
    running = [node for node in tree.body if not isinstance(node, ast.If)]
    imported = {
        name
        for statement in running
        for node in ast.walk(statement)
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else []
        )
    }
    assert not {name for name in imported if name.startswith(("celosia.privacy", "celosia.recode"))}


def test_what_was_found_can_be_written_as_json(released: Released) -> None:
    models: list[PrivacyModel] = [
        KAnonymity(k=3),
        RecursiveCLDiversity(column="disease", c=2, l=9),
        TCloseness(column="disease", t=0.2),
    ]
    found = asdict(verify(released, quasi_identifiers=["age", "sex"], models=models))
    assert json.loads(json.dumps(found, allow_nan=False))["findings"][1]["reached"] is None


@pytest.mark.parametrize("value", ["2020-02-01", "01/02/2020", "2020-2-1", "unknown", "gout"])
def test_a_guarded_value_is_guarded_in_all_that_some_reader_takes_for_it(value: str) -> None:
    days = ["01/02/2020", "2020-02-01", "2020-02-01", "gout", "2021-05-01", "gout", "2021-05-01", "x"]
    table = Released(age=["30"] * 4 + ["40"] * 4, seen=days)
    model = AlphaKAnonymity(column="seen", alpha=0.6, k=2, value=value)
    found = verify(table, quasi_identifiers=["age"], models=[model]).passed
    planned = celosia.anonymize(
        table.frame,
        quasi_identifiers=["age"],
        sensitive=["seen"],
        models=[model],
        hierarchies={"age": [("30", "*"), ("40", "*")]},
    )
    is_guarded = value in ("2020-02-01", "01/02/2020", "2020-2-1")
    assert found != is_guarded
    assert (set(planned.table["age"]) == {"*"}) == is_guarded
