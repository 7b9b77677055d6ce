"""Releases under every privacy model: enforced by the search, verified by other code, withdrawn where broken."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import celosia
from celosia.errors import (
    CelosiaError,
    HierarchyError,
    NoSolutionError,
    ProjectError,
    ReleaseError,
    TableError,
)
from celosia.hierarchies import Hierarchy
from celosia.privacy import MODELS
from celosia.project import make_project
from celosia.recode.techniques import full_domain
from celosia.release.population_fit import Labels
from celosia.release.verify import verify
from celosia.tables import open_table

AGES = Hierarchy.from_rows("age", [(str(age), f"{age // 10}0s", "*") for age in range(20, 60)])
SEXES = Hierarchy.from_rows("sex", [("f", "*"), ("m", "*")])
HIERARCHIES = {"age": AGES, "sex": SEXES}
QI = ["age", "sex"]
ASKED = {
    "alpha-k-anonymity": {"column": "ill", "alpha": 0.6, "k": 3},
    "attacker": {"who": "neighbour", "knows": ["age"], "k": 4},
    "average-risk": {"risk": 0.2},
    "beta-likeness": {"column": "ill", "beta": 1, "kind": "basic"},
    "delta-disclosure": {"column": "ill", "delta": 1.5},
    "delta-presence": {"high": 0.45},
    "distinct-l-diversity": {"column": "ill", "l": 2},
    "entropy-l-diversity": {"column": "ill", "l": 1.5},
    "k-anonymity": {"k": 3},
    "k-map": {"k": 8},
    "km-anonymity": {"k": 3, "known": 2},
    "lkc-privacy": {"column": "ill", "k": 3, "known": 2, "confidence": 0.8},
    "maximum-risk": {"risk": 0.2},
    "no-attack": {"gain": 10, "cost": 2},
    "population-uniqueness": {"share": 0.01, "fraction": 0.3},
    "profitability": {"benefit": 10, "loss": 12, "gain": 10, "cost": 2},
    "recursive-l-diversity": {"column": "ill", "c": 3, "l": 2},
    "rows-at-risk": {"risk": 0.2, "share": 0.3},
    "t-closeness": {"column": "ill", "t": 0.4},
}
every_model = pytest.mark.parametrize("name", ASKED)


def everybody() -> pl.DataFrame:
    """300 people, of whom the table holds the first 90."""
    random = np.random.default_rng(8)
    return pl.DataFrame(
        {
            "age": random.integers(20, 60, 300),
            "sex": random.choice(["f", "m"], 300),
            "ill": random.choice(["flu", "gout", "asthma"], 300, p=[0.5, 0.3, 0.2]),
        }
    )


def some() -> pl.DataFrame:
    return everybody().head(90)


def released(*names: str, **options: object) -> "celosia.run.Release":
    given = {
        "quasi_identifiers": QI,
        "sensitive": ["ill"],
        "hierarchies": HIERARCHIES,
        "models": [MODELS[name](**ASKED[name]) for name in names],
        "population": everybody(),
        "seed": 1,
    }
    return celosia.anonymize(some(), **({"technique": "full-domain"} | given | options))


def test_every_model_is_asked_for_here() -> None:
    assert set(ASKED) == set(MODELS)


@every_model
def test_a_release_under_a_model_is_verified_and_the_table_as_it_is_would_not_be(name: str) -> None:
    release = released(name, suppression=0.2)
    assert release.verification.passed
    assert name in {finding.name for finding in release.verification.findings}
    assert release.technique_plan.details["node"] != {"age": 0, "sex": 0}
    model = MODELS[name](**ASKED[name])
    how = {"quasi_identifiers": QI, "models": [model], "hierarchies": HIERARCHIES}
    assert celosia.verify(release.table, population=everybody(), **how).passed
    assert not celosia.verify(some(), population=everybody(), **how).passed


@every_model
def test_a_release_that_breaks_a_model_is_withdrawn(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = full_domain.full_domain_recoding

    def careless(*arguments: object, **options: object) -> object:
        return replace(honest(*arguments, **options), maps={})

    monkeypatch.setattr(full_domain, "full_domain_recoding", careless)
    with pytest.raises(ReleaseError, match=f"failed its verification and was withdrawn: {name}.*asked"):
        released(name)


def test_a_release_with_too_few_people_in_the_population_is_withdrawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from celosia.recode.population import PopulationCounts

    honest = PopulationCounts.of
    monkeypatch.setattr(
        PopulationCounts, "of", lambda *given: (honest(*given)[0] * 10, 0)
    )  # a search that believes in ten times as many
    with pytest.raises(ReleaseError, match="k-map: asked 8, reached"):
        released("k-map")


def test_people_of_the_population_count_though_their_values_are_not_in_the_table() -> None:
    table = pl.DataFrame({"age": [21, 35], "sex": ["f", "m"]})
    population = pl.DataFrame(
        {"age": [21, 22, 23, 35, 36, 37, 51], "sex": ["f", "f", "f", "m", "m", "m", "m"]}
    )
    release = celosia.anonymize(
        table,
        quasi_identifiers=QI,
        hierarchies=HIERARCHIES,
        models=[celosia.KMap(k=3)],
        population=population,
    )
    assert sorted(release.table["age"].to_list()) == ["20s", "30s"]
    assert release.verification.findings[0].reached == 3


def test_proposed_hierarchies_cover_the_population_too() -> None:
    release = released("k-map", hierarchies=None)
    assert release.verification.passed


def test_a_project_names_the_population_and_the_share_that_its_table_holds(tmp_path) -> None:
    some().write_csv(tmp_path / "some.csv")
    everybody().write_csv(tmp_path / "everybody.csv")
    table = {
        "source": str(tmp_path / "some.csv"),
        "destination": str(tmp_path / "safe.csv"),
        "population": {"source": str(tmp_path / "everybody.csv"), "fraction": 0.3},
        "columns": {"age": "quasi-identifier", "sex": "quasi-identifier", "ill": "sensitive"},
    }
    models = [{"model": "k-map", "k": 5}, {"model": "population-uniqueness", "share": 0.01}]
    project = make_project(models=models, tables={"people": table}, seed=1)
    assert project.plan().models[1].model_dump()["fraction"] == 0.3
    found = celosia.run_project(project)["people"].verification
    assert found.passed
    assert [finding.name for finding in found.findings][-3:-1] == ["k-map", "population-uniqueness"]


@pytest.mark.parametrize("model", ["k-map", "delta-presence"])
def test_a_model_of_the_population_says_that_there_is_none(model: str) -> None:
    with pytest.raises(ProjectError, match=f"{model} looks at the population, and none is named"):
        released(model, population=None)
    asked = [MODELS[model](**ASKED[model])]
    with pytest.raises(ProjectError, match=f"{model} cannot be verified without the population"):
        celosia.verify(some(), quasi_identifiers=QI, models=asked)


def test_an_estimate_says_that_it_does_not_know_the_fraction() -> None:
    with pytest.raises(ProjectError, match="must know the share of the population"):
        released("population-uniqueness", models=[celosia.PopulationUniqueness(share=0.1)])
    settled = released(models=[celosia.PopulationUniqueness(share=0.01)], population_fraction=0.3)
    assert settled.verification.passed


def test_a_population_without_a_column_or_with_values_that_no_hierarchy_knows_is_a_mistake() -> None:
    with pytest.raises(TableError, match="the population has no column 'sex'"):
        released("k-map", population=everybody().drop("sex"))
    strange = everybody().with_columns(sex=pl.lit("x"))
    with pytest.raises(HierarchyError, match="population: the hierarchy of 'sex' does not cover 'x'"):
        released("k-map", population=strange)
    # Left out, nobody fits any class.
    with pytest.raises(NoSolutionError):
        released("k-map", population=strange, unknown="suppress")


def test_a_column_that_an_operation_changes_cannot_be_compared_with_the_population() -> None:
    columns = {
        "age": {"role": "quasi-identifier", "operation": {"name": "round", "to": 10}},
        "sex": "quasi-identifier",
    }
    project = make_project(
        models=[{"model": "k-map", "k": 5}], tables={"people": {"columns": columns, "population": "no.csv"}}
    )
    with pytest.raises(ProjectError, match="compares 'age' with the population, and an operation changes it"):
        celosia.run_project(project, sources={"people": some()})


def test_a_lower_bound_of_presence_allows_no_suppression() -> None:
    bounds = celosia.DeltaPresence(low=0.1, high=0.6)
    release = released(models=[bounds], suppression=0.5)
    assert release.verification.passed
    assert release.written.suppressed == 0


# --- techniques


@pytest.mark.parametrize("technique", ["mondrian", "local"])
@pytest.mark.parametrize(
    "model", ["k-map", "delta-presence", "average-risk", "rows-at-risk", "profitability"]
)
def test_techniques_that_make_classes_one_by_one_refuse_models_of_more_than_one(
    technique: str, model: str
) -> None:
    with pytest.raises(
        ProjectError, match=f"{model} .* {technique} makes its classes one by one; use technique full-domain"
    ):
        released(model, technique=technique)


@pytest.mark.parametrize("technique", ["mondrian", "local", "top-down", "two-phase"])
@pytest.mark.parametrize("model", ["alpha-k-anonymity", "beta-likeness", "maximum-risk", "no-attack"])
def test_models_of_single_classes_are_enforced_by_every_technique(technique: str, model: str) -> None:
    assert released(model, technique=technique).verification.passed


@pytest.mark.parametrize("technique", ["top-down", "two-phase"])
@pytest.mark.parametrize("model", ["k-map", "delta-presence", "average-risk", "rows-at-risk"])
def test_specialization_enforces_models_of_the_whole_and_of_the_population(
    technique: str, model: str
) -> None:
    assert released(model, technique=technique).verification.passed


@pytest.mark.parametrize("technique", ["top-down", "two-phase"])
@pytest.mark.parametrize("model", ["population-uniqueness", "profitability"])
def test_specialization_refuses_models_that_may_hold_only_below_the_root(technique: str, model: str) -> None:
    with pytest.raises(
        ProjectError, match=f"{technique} goes down from the root .* {model} may hold only below"
    ):
        released(model, technique=technique)


def test_samarati_refuses_models_that_are_never_monotone() -> None:
    with pytest.raises(
        ProjectError, match=r"needs monotone models, and profitability may fail .*; use --search optimal$"
    ):
        released("profitability", search="samarati")


def test_a_chain_refuses_to_compare_labels_with_what_they_were_two_steps_ago() -> None:
    table = {"columns": dict.fromkeys(QI, "quasi-identifier")}
    project = make_project(
        models=[{"model": "k-map", "k": 5}],
        technique=[{"name": "full-domain", "columns": ["age"]}, "full-domain"],
        tables={"people": table},
    )
    with pytest.raises(ProjectError, match=r"k-map compares labels .* a chain recodes"):
        celosia.run_project(project, sources={"people": some()})


def test_people_with_several_rows_can_be_under_models_of_sizes_and_not_of_the_population() -> None:
    visits = pl.concat([some().with_row_index("who")] * 2)
    table = {"person": "who", "columns": {"who": "identifier", **dict.fromkeys(QI, "quasi-identifier")}}
    average = make_project(models=[{"model": "average-risk", "risk": 0.2}], tables={"visits": table})
    assert celosia.run_project(average, sources={"visits": visits})["visits"].verification.passed
    mapped = make_project(models=[{"model": "k-map", "k": 5}], tables={"visits": table})
    with pytest.raises(CelosiaError, match="k-map is about rows, and people are compared"):
        celosia.run_project(mapped, sources={"visits": visits})


# --- where releases lie


@pytest.mark.parametrize(
    "name", ["k-map", "delta-presence", "profitability", "beta-likeness", "average-risk"]
)
def test_a_release_is_verified_out_of_core_as_in_memory(name: str, tmp_path) -> None:
    table = open_table(released("k-map").table)
    model = MODELS[name](**ASKED[name])
    labels = Labels(("age", "sex"), HIERARCHIES, open_table(everybody()))
    how = {"quasi_identifiers": QI, "models": [model], "labels": labels}
    assert verify(table, **how) == verify(table, **how, memory=1 << 28, folder=tmp_path)


def test_a_release_in_a_database_is_verified_against_a_population_in_another_table(tmp_path) -> None:
    address = f"sqlite:///{tmp_path}/people.db"
    for name, frame in (("some", some()), ("everybody", everybody())):
        frame.write_csv(tmp_path / f"{name}.csv")
        celosia.import_table(tmp_path / f"{name}.csv", out=address, out_table=name)
    table = {
        "source": {"path": address, "table": "some"},
        "destination": {"path": address, "table": "safe"},
        "population": {"source": {"path": address, "table": "everybody"}},
        "columns": {"age": "quasi-identifier", "sex": "quasi-identifier", "ill": "sensitive"},
    }
    project = make_project(models=[{"model": "k-map", "k": 5}], tables={"people": table})
    found = celosia.run_project(project)["people"].verification
    assert found.passed
    assert found.findings[0].name == "k-map"


def test_labels_without_a_hierarchy_are_read_as_intervals_and_patterns() -> None:
    population = open_table(pl.DataFrame({"age": [31, 38, 47], "zip": ["111", "112", "121"]}))
    safe = open_table(pl.DataFrame({"age": ["[30-39]", "[40-49]"], "zip": ["11*", "*"]}))
    found = verify(
        safe,
        quasi_identifiers=["age", "zip"],
        models=[celosia.KMap(k=2)],
        labels=Labels(("age", "zip"), {}, population),
    )
    assert found.findings[0].text == "k-map: asked 2, reached 1; 1 class violates it"


def test_what_labels_take_away_cannot_be_told_without_hierarchies() -> None:
    with pytest.raises(ProjectError, match="profitability cannot be verified without the hierarchy of 'age'"):
        celosia.verify(
            some(), quasi_identifiers=QI, models=[MODELS["profitability"](**ASKED["profitability"])]
        )


@pytest.mark.parametrize(
    "model", ["k-map", "delta-presence", "average-risk", "population-uniqueness", "profitability"]
)
def test_combinations_that_stay_on_a_cluster_are_not_judged_together(model: str) -> None:
    from celosia.recode.cluster_evaluator import ClusterEvaluator
    from celosia.recode.domain import build_domain

    domain = build_domain(open_table(some()).count_by(QI), HIERARCHIES, quasi_identifiers=QI)
    asked = [MODELS[model](**ASKED[model])]
    with pytest.raises(ProjectError, match=f"{model} looks at more than one class by itself"):
        ClusterEvaluator(domain, asked, combinations=None, whole={}, most=1, measures=[])


@pytest.mark.parametrize("distance", ["ordered", "hierarchical"])
def test_a_missing_value_has_the_same_place_in_every_format(tmp_path, distance):
    people = pl.DataFrame({"town": ["x"] * 4 + ["y"] * 4, "paid": [9, 10, None, None, 9, 10, 100, 100]})
    levels = [("9", "low", "*"), ("10", "low", "*"), ("100", "high", "*")]
    reached = {}
    for ending in ("csv", "parquet", "json", "xlsx", "arff"):
        release = celosia.anonymize(
            people,
            out=tmp_path / f"safe-{ending}.{ending}",
            quasi_identifiers=["town"],
            sensitive=["paid"],
            hierarchies={"paid": levels} if distance == "hierarchical" else {},
            models=[celosia.TCloseness(column="paid", t=0.6, distance=distance)],
        )
        assert release.levels == {"town": 0}
        reached[ending] = release.verification.findings[0].reached
    assert len(set(reached.values())) == 1
