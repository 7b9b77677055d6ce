"""Texts have no order: whoever asks for an ordered distance of them is told so everywhere, or gives their order."""

import polars as pl
import pytest

import celosia
from celosia.check import check_project
from celosia.errors import ProjectError
from celosia.privacy import PrivacyModel
from celosia.project import make_project

LEVELS = ("low", "middle", "high")
WHY = "the values of 'pain' are texts, and an ordered distance needs an order other than the alphabet"


def people() -> pl.DataFrame:
    """Everybody of a group of ages is in more pain than those of the group before."""
    rows = [(20 + 10 * (n % 3), LEVELS[(n % 3 + (n // 3) % 2) % 3]) for n in range(60)]
    return pl.DataFrame(rows, schema=["age", "pain"], orient="row")


def asked(order: tuple[str, ...] | None = None, t: float = 0.5) -> list[PrivacyModel]:
    return [celosia.KAnonymity(k=5), celosia.TCloseness(column="pain", t=t, distance="ordered", order=order)]


@pytest.mark.parametrize("technique", ["full-domain", "mondrian", "local", "top-down", "two-phase"])
def test_a_release_needs_the_order_of_texts(technique: str) -> None:
    how = {"quasi_identifiers": ["age"], "sensitive": ["pain"], "technique": technique}
    with pytest.raises(ProjectError, match=WHY):
        celosia.anonymize(people(), models=asked(), **how)
    release = celosia.anonymize(people(), models=asked(LEVELS), **how)
    assert release.verification.passed


def test_people_with_several_rows_need_it_too() -> None:
    visits = pl.concat([people().with_row_index("who")] * 2)
    columns = {"who": "identifier", "age": "quasi-identifier", "pain": "sensitive"}

    def run(**more: object) -> bool:
        close = {"model": "t-closeness", "column": "pain", "t": 0.5, "distance": "ordered", **more}
        models = [{"model": "k-anonymity", "k": 5}, close]
        project = make_project(models=models, tables={"visits": {"person": "who", "columns": columns}})
        return celosia.run_project(project, sources={"visits": visits})["visits"].verification.passed

    with pytest.raises(ProjectError, match=WHY):
        run()
    assert run(order=LEVELS)


def test_a_release_is_verified_in_the_order_given() -> None:
    released = people()
    with pytest.raises(
        ProjectError, match="'pain' cannot be verified: its values are texts without an order"
    ):
        celosia.verify(released, quasi_identifiers=["age"], models=asked())
    with pytest.raises(ProjectError, match="the order given does not name 'middle'; name every value"):
        celosia.verify(released, quasi_identifiers=["age"], models=asked(("low", "high")))
    # A class of low and high beside one of middle alone: from a quarter, half and a quarter of all it is a quarter
    # away on both sides of the middle; where the middle comes last, it is a quarter ahead and then a half.
    table = pl.DataFrame({"age": [20, 20, 30, 30], "pain": ["low", "high", "middle", "middle"]})
    for order, distance in {LEVELS: 0.25, ("low", "high", "middle"): 0.375}.items():
        found = celosia.verify(table, quasi_identifiers=["age"], models=asked(order))
        assert found.findings[1].reached == pytest.approx(distance)


@pytest.mark.parametrize(
    "column",
    [pl.Series("pain", range(60)), pl.Series("pain", [f"2024-01-{1 + n % 28:02}" for n in range(60)])],
    ids=["numbers", "dates"],
)
def test_numbers_and_dates_have_their_own_order(column: pl.Series) -> None:
    table = people().with_columns(column)
    release = celosia.anonymize(table, quasi_identifiers=["age"], sensitive=["pain"], models=asked(t=0.2))
    assert release.verification.passed


def test_a_check_says_what_a_run_would(tmp_path) -> None:
    people().write_csv(tmp_path / "people.csv")

    def remarks(**more: object) -> list[str]:
        close = {"model": "t-closeness", "column": "pain", "t": 0.5, "distance": "ordered", **more}
        table = {
            "source": str(tmp_path / "people.csv"),
            "destination": str(tmp_path / "safe.csv"),
            "columns": {"age": "quasi-identifier", "pain": "sensitive"},
        }
        project = make_project(models=[{"model": "k-anonymity", "k": 5}, close], tables={"people": table})
        return [remark.what for remark in check_project(project) if remark.kind == "mistake"]

    assert remarks() == [WHY]
    assert remarks(order=LEVELS[:2]) == [
        "the order of the values of 'pain' does not name 1 of them, the first 'high'"
    ]
    assert remarks(order=LEVELS) == []


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("pains", "order"),
    [
        (["low", "Low", "high"], ("low", "HIGH")),
        (["TRUE", "FALSE", "TRUE"], None),
        ([" True", "false", "TRUE "], None),
        ([" 100", "20", "3 "], None),
        ([" 2024-05-01", "2023-01-01", "2022-01-01 "], None),
    ],
    ids=["order", "truth", "truth with blanks", "numbers", "dates"],
)
def test_what_has_an_order_when_it_is_planned_has_it_when_it_is_verified(tmp_path, kind, pains, order):
    frame = pl.DataFrame({"age": [20 + n % 10 for n in range(60)], "pain": [pains[n % 3] for n in range(60)]})
    path = tmp_path / f"people.{kind}"
    frame.write_csv(path) if kind == "csv" else frame.write_parquet(path)
    models = [
        celosia.KAnonymity(k=5),
        celosia.TCloseness(column="pain", t=0.5, distance="ordered", order=order),
    ]
    out = tmp_path / f"safe.{kind}"
    release = celosia.anonymize(
        str(path), quasi_identifiers=["age"], sensitive=["pain"], models=models, out=out
    )
    assert release.verification.passed


def test_a_value_that_the_order_lacks_is_named_and_not_another_spelling():
    table = pl.DataFrame({"age": [20] * 3, "pain": ["Low", "HIGH", "middle"]})
    with pytest.raises(ProjectError, match="the order given does not name 'middle'; name every value"):
        celosia.verify(table, quasi_identifiers=["age"], models=asked(("low", "high")))
