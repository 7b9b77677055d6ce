"""From a table to its release: what goes in comes out, less precise or not at all, and nothing else happens."""

import json
import os
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import celosia
from celosia.errors import CelosiaError, NoSolutionError, ProjectError, ReleaseError
from celosia.recode.techniques import full_domain
from celosia.tables import FrameTable
from celosia.tables.table import Written

QIS = ["age", "sex", "zip"]


def people(rows=400, seed=0):
    random = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "index": range(rows),
            "name": [f"person {i}" for i in range(rows)],
            "age": random.integers(20, 60, rows),
            "sex": random.choice(["f", "m"], rows),
            "zip": random.choice(["47001", "47002", "47011", "34001", "34004"], rows),
            "disease": random.choice(["flu", "asthma", "gout", "angina"], rows),
            "cost": random.random(rows).round(2),
        }
    )


def anonymized(frame=None, **options):
    options = {"quasi_identifiers": QIS, "sensitive": ["disease"], "identifiers": ["name"], "k": 5, **options}
    options.setdefault("common", ["index", "cost"])
    return celosia.anonymize(people() if frame is None else frame, **{"technique": "full-domain"} | options)


def test_five_lines_of_python_release_a_verified_table():
    release = anonymized()
    classes = release.table.group_by(QIS).len()["len"]
    assert classes.min() >= 5
    assert release.verification.passed
    assert release.risk_before.uniques > 0
    assert release.risk_after.k == classes.min()


def test_identifiers_never_reach_a_release_and_other_columns_keep_their_types():
    frame = people()
    table = anonymized(frame).table
    assert table.columns == ["index", "age", "sex", "zip", "disease", "cost"]
    for name in ("index", "disease", "cost"):
        assert table.schema[name] == frame.schema[name]
        assert sorted(table[name]) == sorted(frame[name])


def test_rows_that_belong_together_stay_together():
    frame = people()
    table = anonymized(frame, node=(0, 1, 1), suppression=1.0).table
    both = table.join(frame, on="index", suffix="_before")
    assert (both["age"] == both["age_before"]).all()
    assert (both["disease"] == both["disease_before"]).all()


def test_the_callers_frame_is_not_changed():
    frame = people()
    before = frame.clone()
    anonymized(frame)
    assert frame.equals(before)


def test_a_sorted_table_is_released_in_random_order():
    table = anonymized().table
    assert table["index"].to_list() != sorted(table["index"])


def test_a_seed_makes_a_run_repeatable_and_another_seed_another_order():
    one, same, other = (anonymized(seed=seed).table for seed in (1, 1, 2))
    assert one.equals(same)
    assert not one.equals(other)


def test_missing_values_of_a_quasi_identifier_are_a_category_of_their_own():
    frame = people().with_columns(sex=pl.when(pl.col("index") < 60).then(None).otherwise("sex"))
    release = anonymized(frame, node=(2, 0, 2), suppression=1.0)
    assert release.table["sex"].null_count() + release.written.suppressed == 60


def test_texts_that_mean_missing_are_one_value_in_the_release_too(tmp_path):
    frame = pl.DataFrame({"zip": ["NA", "?", "", None, "?", "1", "1", "1", "1", "1"], "n": range(10)})
    release = celosia.anonymize(frame, quasi_identifiers=["zip"], k=5, node=(0,))
    assert release.table.group_by("zip").len()["len"].to_list() == [5, 5]
    (tmp_path / "people.csv").write_text("zip,n\nNA,1\n?,2\n,3\n?,4\n?,5\n1,6\n1,7\n1,8\n1,9\n1,10\n")
    celosia.anonymize(
        tmp_path / "people.csv", quasi_identifiers=["zip"], k=5, node=(0,), out=tmp_path / "safe.csv"
    )
    written = pl.read_csv(tmp_path / "safe.csv", infer_schema=False)
    assert written.group_by("zip").len()["len"].to_list() == [5, 5]
    floats = pl.DataFrame({"x": [float("nan"), None, None, 1.0, 1.0, 1.0]})
    release = celosia.anonymize(floats, quasi_identifiers=["x"], k=3, node=(0,))
    assert release.table["x"].null_count() == 3


def test_missing_values_can_be_dropped_and_are_reported():
    frame = people().with_columns(sex=pl.when(pl.col("index") < 60).then(None).otherwise("sex"))
    release = anonymized(frame, missing="drop")
    assert release.written.excluded == 60
    assert len(release.table) + release.written.suppressed == 340


def test_missing_values_can_become_the_most_frequent_value():
    frame = people().with_columns(
        sex=pl.when(pl.col("index") < 60)
        .then(None)
        .when(pl.col("index") < 300)
        .then(pl.lit("f"))
        .otherwise(pl.lit("m"))
    )
    release = anonymized(frame, missing="mode", node=(2, 0, 2), suppression=1.0)
    assert release.table.filter(pl.col("sex") == "f").height >= 300 - release.written.suppressed
    assert release.table["sex"].null_count() == 0


def test_rows_whose_values_the_hierarchy_does_not_know_are_named_or_counted():
    known = [(str(age), "*") for age in range(20, 59)]
    with pytest.raises(CelosiaError, match=r"hierarchy of 'age' does not cover '59'"):
        anonymized(hierarchies={"age": known})
    strange = (people()["age"] == 59).sum()
    release = anonymized(hierarchies={"age": known}, unknown="suppress", suppression=0.2)
    assert release.written.excluded == strange
    assert release.written.source == 400


def test_suppressed_rows_are_counted_and_stay_within_the_limit():
    release = anonymized(node=(1, 0, 1), suppression=0.5)
    assert 0 < release.written.suppressed <= 200
    assert len(release.table) == 400 - release.written.suppressed


def test_several_sensitive_columns_each_have_their_own_model():
    frame = people(2_000).with_columns(
        ward=pl.Series(np.random.default_rng(1).choice(["a", "b", "c"], 2_000))
    )
    models = [
        celosia.DistinctLDiversity(column="disease", l=3),
        celosia.TCloseness(column="ward", t=0.3),
    ]
    release = anonymized(frame, sensitive=["disease", "ward"], models=models, suppression=0.1)
    assert {finding.name: finding.passed for finding in release.verification.findings} == dict.fromkeys(
        ["identifiers", "k-anonymity", "distinct-l-diversity", "t-closeness", "level"], True
    )
    classes = release.table.group_by(QIS).agg(pl.col("disease").n_unique())
    assert classes["disease"].min() >= 3


def test_a_column_that_looks_like_an_identifier_leaves_only_if_the_person_says_so():
    with pytest.raises(
        ProjectError, match=r"'name' is not declared .*the name says 'name'.*--identifier .*--common"
    ):
        anonymized(identifiers=[])
    assert "name" in anonymized(identifiers=[], common=["name", "index", "cost"]).table.columns
    mails = people().with_columns(contact=pl.format("p{}@example.org", "index"))
    with pytest.raises(ProjectError, match=r"'contact' is not declared .*e-mail"):
        anonymized(mails)


def test_a_table_of_which_everything_would_be_suppressed_is_generalized_instead():
    frame = pl.DataFrame({"sex": ["a", "b", "c", "d"]})
    for measure in ("loss", "precision", "entropy", "discernibility", "class-size", "height"):
        release = celosia.anonymize(
            frame, quasi_identifiers=["sex"], k=3, suppression=1.0, measure=measure, technique="full-domain"
        )
        assert release.table["sex"].to_list() == ["*"] * 4


def test_a_hierarchy_for_no_column_and_a_single_name_are_understood():
    with pytest.raises(ProjectError, match=r"hierarchy is given for 'aeg'.*did you mean 'age'"):
        anonymized(hierarchies={"aeg": [("1", "*")]})
    assert set(anonymized(people().drop("age", "zip"), quasi_identifiers="sex").levels) == {"sex"}


def test_verifying_without_a_model_is_a_mistake_not_a_pass():
    with pytest.raises(ProjectError, match="no privacy model"):
        celosia.verify(people(), quasi_identifiers=["age"])
    with pytest.raises(ProjectError, match="greater than or equal to 2"):
        celosia.verify(people(), quasi_identifiers=["age"], k=1)


@pytest.mark.parametrize("missing", ["category", "drop", "mode"])
def test_a_column_without_any_value_is_one_category(missing):
    frame = people().with_columns(sex=pl.lit(None, pl.String))
    if missing == "drop":
        with pytest.raises(CelosiaError):
            anonymized(frame, missing=missing)
    else:
        assert anonymized(frame, missing=missing).table["sex"].null_count() == 400


def test_a_weight_moves_generalization_to_other_columns():
    cheap = anonymized(weights={"sex": 0.01}).levels
    dear = anonymized(weights={"sex": 100.0}).levels
    assert dear["sex"] < cheap["sex"]


@pytest.mark.parametrize("search", ["optimal", "incognito", "datafly", "samarati"])
def test_every_search_leads_to_a_verified_release_and_says_whether_it_is_the_best(search):
    release = anonymized(search=search, suppression=0.05)
    best = anonymized(suppression=0.05).candidate.measures["loss"]
    assert release.result.search == search
    assert release.verification.passed
    assert release.candidate.measures["loss"] >= best - 1e-12
    if release.result.is_proven:
        assert release.candidate.measures["loss"] == pytest.approx(best)


def test_of_equally_good_nodes_the_less_general_one_is_released():
    frame = pl.DataFrame({"zip": ["28001", "28002", "28003", "28004"]})
    levels = [(code, code[:3] + "**", "*") for code in frame["zip"]]
    release = celosia.anonymize(frame, quasi_identifiers=["zip"], hierarchies={"zip": levels}, k=2)
    assert release.table["zip"].unique().to_list() == ["280**"]


def test_any_candidate_can_be_picked_and_an_invalid_one_says_why_not():
    frame = people()
    explored = celosia.explore(frame, quasi_identifiers=QIS, k=5)
    node = explored.valid_nodes()[-1]
    assert anonymized(frame, node=node).candidate.node == node
    with pytest.raises(NoSolutionError, match=r"node 0,0,0 would suppress \d+ rows, and 0 are allowed"):
        anonymized(frame, node=(0, 0, 0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quasi_identifiers": ["agee"]}, "column 'agee' does not exist; did you mean 'age'?"),
        ({"quasi_identifiers": []}, "no quasi-identifier is declared"),
        ({"sensitive": ["age"]}, "column 'age' is declared quasi-identifier and sensitive"),
        ({"k": 1}, "greater than or equal to 2"),
        ({"k": 401}, "k = 401 is more than the 400 rows"),
        ({"k": None}, "no privacy model is asked for"),
        ({"suppression": 1.5}, "suppression: it should be less than or equal to 1"),
        ({"measure": "beauty"}, "there is no measure 'beauty'"),
        ({"node": (0, 0)}, r"is not a node; give one level per column: age 0 to"),
        ({"node": (0, 0, 99)}, "is not a node"),
        ({"weights": {"disease": 2}}, "a weight is given for 'disease'"),
        (
            {"models": [celosia.DistinctLDiversity(column="cost", l=2)]},
            "'cost', which is not a sensitive column",
        ),
        ({"missing": "ignore"}, "missing: "),
        (
            {"search": "incognito", "seconds": 2},
            "the time limit is for the optimal search, not for incognito",
        ),
    ],
)
def test_mistakes_are_said_in_one_sentence(options, message):
    with pytest.raises(ProjectError) as caught:
        anonymized(**options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_had_is_said_with_what_to_do():
    frame = pl.DataFrame({"sex": ["f", "m"] * 5, "ill": ["a"] * 10})
    model = celosia.DistinctLDiversity(column="ill", l=2)
    with pytest.raises(
        NoSolutionError, match="no generalization satisfies what was asked for; allow more suppression"
    ):
        celosia.anonymize(frame, quasi_identifiers=["sex"], sensitive=["ill"], models=[model])


def test_a_release_that_fails_verification_is_withdrawn(tmp_path, monkeypatch):
    source = tmp_path / "people.csv"
    people().write_csv(source)
    honest = full_domain.full_domain_recoding
    monkeypatch.setattr(
        full_domain,
        "full_domain_recoding",
        lambda *args, **options: replace(honest(*args, **options), maps={}),
    )
    with pytest.raises(ReleaseError, match="failed its verification and was withdrawn"):
        anonymized(source, out=tmp_path / "safe.csv")
    assert os.listdir(tmp_path) == ["people.csv"]


def test_rows_that_vanish_on_the_way_are_noticed(monkeypatch):
    honest = FrameTable.recode

    def careless(self, recoding, *, seed):
        frame, written = honest(self, recoding, seed=seed)
        return frame.head(len(frame) - 5), Written(written.source, written.written, 0, 0)

    monkeypatch.setattr(FrameTable, "recode", careless)
    with pytest.raises(ReleaseError, match="rows were written and"):
        anonymized(node=(2, 1, 2))


def test_the_record_beside_a_release_says_how_it_was_made_and_betrays_nobody(tmp_path):
    source = tmp_path / "people.csv"
    people().write_csv(source)
    release = anonymized(source, out=tmp_path / "safe.csv")
    text = (tmp_path / "safe.record.json").read_text()
    record = json.loads(text)
    assert record["node"] == release.levels
    assert record["project"]["models"] == [{"model": "k-anonymity", "k": 5}]
    assert record["search"]["proven"] is True
    assert record["verification"]["passed"] is True
    assert set(record["measures"]) == {
        "loss",
        "precision",
        "entropy",
        "height",
        "discernibility",
        "class-size",
        "sum-of-heights",
    }
    assert record["order"] == "random, not recorded"
    assert "person 1" not in text
    assert "angina" not in text


def test_a_lattice_of_20_columns_is_searched_within_the_time_and_nothing_is_claimed():
    random = np.random.default_rng(4)
    frame = pl.DataFrame({f"c{i}": random.integers(0, 40, 500) for i in range(20)})
    release = celosia.anonymize(
        frame, quasi_identifiers=frame.columns, k=5, suppression=0.1, seconds=1, seed=1
    )
    assert release.result.nodes > 10**9
    assert not release.result.is_proven
    assert "a better node may exist" in release.result.note
    assert release.table.group_by(frame.columns).len()["len"].min() >= 5
