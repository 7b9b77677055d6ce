"""Techniques compared on small tables: what is made, measured, learnt, kept for the next time, and said."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import celosia
from celosia.compare import compare_techniques
from celosia.compare.chain import make_chains, parse_chain
from celosia.compare.figures import figures
from celosia.compare.input_table import read_input
from celosia.compare.other_tables import align_table
from celosia.compare.result_files import as_latex, result_tables, write_tables
from celosia.compare.rows import rows_taken
from celosia.compare.step import StepContext
from celosia.compare.table_view import (
    browse_rows,
    column_distribution,
    column_statistics,
    list_columns,
    summarize_table,
)
from celosia.errors import CelosiaError, ProjectError, TableError
from celosia.tables import open_table

MODELS = ("majority", "one-rule", "libsvm")


def people(rows: int = 120) -> pl.DataFrame:
    """Who is ill depends on a sum in the thousands, and on the town; the age tells nothing."""
    random = np.random.default_rng(4)
    income = random.integers(6_000, 9_900, rows)
    town = random.choice(["Lugo", "Vigo"], rows)
    ill = (income + 300 * (town == "Vigo") + random.normal(0, 150, rows)) > 8_000
    return pl.DataFrame(
        {
            "age": random.integers(20, 90, rows),
            "income": income,
            "town": town,
            "ill": np.where(ill, "yes", "no"),
        }
    )


PEOPLE = people()


def emptied(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.clear()


def only_ill(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(pl.col("ill") == "yes")


def without_class(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.drop("ill")


@pytest.fixture(scope="module")
def found():
    techniques = {
        "coarse": "cpda-generalization",
        "shift": "cpda-noise",
        "half": "sample(share=0.5)",
        "both": ["cpda-generalization", "cpda-noise"],
        "mondrian": "mondrian(k=5)",
        "emptied": emptied,
        "one class": only_ill,
        "no class": without_class,
        "text": "noise(columns=[town])",
    }
    return compare_techniques(PEOPLE, "ill", techniques, MODELS, folds=4, jobs=1, seed=3)


def test_every_technique_is_compared_with_the_original_and_with_the_original_on_one_scale(found):
    names = [table.name for table in found.results]
    assert names[:4] == ["original", "original, scaled", "coarse", "shift"]
    assert found.details().height == len(MODELS) * len(names)
    assert 40 < found["half"].rows < 80
    assert found["coarse"].rows == 120


def test_what_generalization_wins_for_unscaled_models_the_scaled_original_wins_too(found):
    plain, scaled, coarse = (
        found.find(name, "libsvm").value for name in ("original", "original, scaled", "coarse")
    )
    assert plain < 0.7
    assert min(scaled, coarse) > 0.8
    assert not found.difference("original, scaled", "libsvm").is_noise
    assert found.difference("shift", "libsvm").is_noise


def test_counts_rates_and_errors_agree_with_each_other(found):
    details, summary = found.details(), found.summary()
    known = details.filter(pl.col("why not").is_null())
    assert ((known["correct"] + known["incorrect"]) == known["rows"]).all()
    assert (known["correct"] / known["rows"]).to_list() == pytest.approx(known["accuracy"].to_list())
    assert summary.filter(pl.col("why not").is_null())["TP rate"].to_list() == pytest.approx(
        known["accuracy"].to_list()
    )
    rule = known.filter(pl.col("model") == "one-rule")  # sure of what it says: every error is a whole one
    assert rule["mean absolute error"].to_list() == pytest.approx((1 - rule["accuracy"]).to_list())
    assert set(found.by_class()["class"]) == {"yes", "no"}


def test_models_are_also_asked_about_people_as_the_original_has_them(found):
    shifted = found.details(tested_on="original").filter(model="one-rule", table="coarse")
    assert shifted["tested on"].to_list() == ["the original"]
    # Numbers of ranges say nothing about incomes in the thousands.
    assert shifted["accuracy"][0] < found.find("coarse", "one-rule").value - 0.2
    half = found.find("half", "one-rule", tested_on="original")
    assert half.tested_on == "original"
    assert sum(half.tested_rows) == 120


def test_the_risk_of_a_table_stands_beside_its_use(found):
    assert found.original.risks["linkage"].value == 1.0
    assert found["mondrian"].risks["linkage"].value == 0.0
    assert found["half"].risks["singled-out"].value == found["half"].rows / 120
    row = found.details().filter(table="mondrian", model="libsvm")
    assert row["linkage"].to_list() == [0.0]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("emptied", "no row is left"),
        ("one class", "all rows of the release have the same value of 'ill'"),
        ("no class", "the release has no column 'ill'"),
        ("text", "noise: column 'town' is text, which noise cannot change"),
    ],
)
def test_a_table_from_which_nothing_can_be_learnt_says_why_instead_of_zeros(found, table, message):
    rows = found.details().filter(table=table)
    assert rows.height == len(MODELS)
    assert all(message in text for text in rows["why not"])
    assert rows["accuracy"].null_count() == rows.height


def test_folds_that_are_more_than_the_rows_of_a_class_are_said_in_a_sentence():
    found = compare_techniques(
        PEOPLE, "ill", {"few": lambda frame: pl.concat([frame.filter(ill="no"), frame.filter(ill="yes")[:3]])},
        ["majority"], folds=5, jobs=1, measures=(), scaled=False,
    )  # fmt: skip
    assert "fewer than the 5 folds" in found.details()["why not"][1]


def test_statistics_are_taken_from_the_table_that_a_step_receives():
    chain = parse_chain("cpda-generalization + cpda-generalization(ranges=2)")
    frame, rows = chain.apply(PEOPLE, StepContext("ill", ("age",), 0))
    assert sorted(frame["age"].unique()) == [1, 2]
    assert rows.tolist() == list(range(120))
    assert frame["ill"].equals(PEOPLE["ill"])


def test_a_class_of_numbers_is_not_perturbed_unless_it_is_named():
    coded = PEOPLE.with_columns(ill=(pl.col("ill") == "yes").cast(pl.Int64))
    kept, _ = parse_chain("noise").apply(coded, StepContext("ill", ("age",), 0))
    named, _ = parse_chain("noise(columns=[ill])").apply(coded, StepContext("ill", ("age",), 0))
    assert kept["ill"].equals(coded["ill"])
    assert not kept["age"].equals(coded["age"])
    assert not named["ill"].equals(coded["ill"])


def test_rows_that_a_technique_keeps_are_known_by_what_they_say():
    repeated = pl.DataFrame({"a": [1, 1, 2, None], "b": ["x", "x", "y", None]})
    assert rows_taken(repeated, repeated[[3, 0, 2, 1, 0]]).tolist() == [3, 0, 2, 1, 0]
    assert rows_taken(repeated, repeated.with_columns(a=pl.lit(7))) is None
    frame, rows = parse_chain("mondrian(k=5)").apply(PEOPLE, StepContext("ill", ("age", "income"), 1))
    assert PEOPLE["ill"].gather(rows).equals(frame["ill"])
    assert rows.tolist() != sorted(rows.tolist())


def test_the_same_seed_makes_the_same_tables_and_another_makes_others():
    def noise(seed):
        return parse_chain("noise").apply(PEOPLE, StepContext("ill", (), seed))[0]

    assert noise(1).equals(noise(1))
    assert not noise(1).equals(noise(2))


def test_numbers_are_predicted_where_the_target_is_a_number():
    found = compare_techniques(
        PEOPLE, "income", ["mdav(k=3, columns=[age])"], ["majority", "k-nearest-neighbours", "one-rule"],
        folds=3, jobs=1, measures=(), scaled=False,
    )  # fmt: skip
    assert not found.is_classification
    rows = found.details().filter(table="original")
    assert rows["R2"][0] < 0.05 < rows["R2"][1]
    assert rows["why not"][2] == "one-rule predicts no numbers"
    assert "R2" in figures(found)


def test_what_was_found_once_is_not_computed_again(tmp_path, monkeypatch):
    from celosia.compare import tasks

    def compare(models):
        return compare_techniques(
            PEOPLE, "ill", ["cpda-noise"], models, folds=3, jobs=1, measures=("k",), cache=tmp_path
        )

    first = compare(["majority"])
    monkeypatch.setattr(tasks, "measure_table", None)
    again = compare(["majority", "one-rule"])
    assert again.find("cpda-noise", "majority") == first.find("cpda-noise", "majority")
    assert again.find("cpda-noise", "one-rule") is not None
    monkeypatch.setattr(tasks, "train_on_table", None)
    assert compare(["one-rule"]).details().equals(again.details().filter(model="one-rule"))


def test_processes_find_what_one_alone_finds():
    one, several = (
        compare_techniques(
            PEOPLE, "ill", ["cpda-noise"], ["one-rule"], folds=3, jobs=jobs, measures=(), scaled=False
        )
        for jobs in (1, 2)
    )
    assert one.details().equals(several.details())


def test_models_with_other_parameters_stand_beside_each_other():
    models = ["k-nearest-neighbours(neighbours=1)", "k-nearest-neighbours(neighbours=9)"]
    found = compare_techniques(
        PEOPLE, "ill", ["cpda-noise"], models, folds=3, jobs=1, measures=(), repeats=2, scaled=False
    )
    assert found.find("original", models[0]).value != found.find("original", models[1]).value
    assert sum(found.correct("original", models[0])) == 120
    assert len(found.find("original", models[0]).folds) == 6


def test_tables_anonymized_elsewhere_are_aligned_by_name(tmp_path):
    given = read_input(PEOPLE, "ill")
    path = tmp_path / "noisy.csv"
    PEOPLE.select("ill", "town", pl.col("age") + 1, "income").write_csv(path)
    frame, rows = align_table(given, path, name="R")
    assert frame.columns == PEOPLE.columns
    assert rows.tolist() == list(range(120))
    shuffled, rows = align_table(given, PEOPLE[::-1], name="R")
    assert rows.tolist() == list(range(120))[::-1]
    assert shuffled.height == 120
    found = compare_techniques(
        PEOPLE, "ill", (), ["majority"], others={"R": path}, folds=3, jobs=1, measures=("linkage",)
    )
    assert found.details().filter(table="R")["linkage"][0] < 1


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            lambda frame: frame.rename({"age": "agee"}),
            "R: the original has no column 'agee'; did you mean 'age'?",
        ),
        (lambda frame: frame.drop("ill"), "R: the class 'ill' is not in it"),
    ],
)
def test_a_table_of_other_columns_is_refused_in_a_sentence(changed, message):
    with pytest.raises(TableError, match="R: ") as refused:
        align_table(read_input(PEOPLE, "ill"), changed(PEOPLE), name="R")
    assert message in str(refused.value)


def test_a_column_that_is_lacking_elsewhere_is_not_learnt_from():
    frame, rows = align_table(read_input(PEOPLE, "ill"), PEOPLE.drop("age"), name="R")
    assert frame.columns == ["income", "town", "ill"]
    assert rows is not None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "il"}, "class 'il' does not exist"),
        ({"techniques": ["mdavv"]}, "there is no technique 'mdavv'; did you mean 'mdav'?"),
        ({"techniques": ["mdav(kk=3)"]}, "it has no parameter 'kk'"),
        ({"techniques": ["mdav(k)"]}, "'k' is no parameter"),
        ({"techniques": ["a = b = mdav"]}, "has more than one name"),
        ({"techniques": ["mdav", "mdav"]}, "two tables are called 'mdav'"),
        ({"techniques": ["(k=3)"]}, "is not understood"),
        ({"techniques": [3]}, "a int is no technique"),
        ({"techniques": [[]]}, "has no steps"),
        ({"techniques": ["round(to=10)"]}, "it is not said which columns"),
        ({"techniques": ["mondrian(k=1)"]}, "1 is no k"),
        ({"models": ["one-rul"]}, "did you mean 'one-rule'?"),
        ({"models": []}, "there is no model"),
        ({"models": ["majority", "majority"]}, "there twice"),
        ({"measures": ["linkag"]}, "linkag"),
        ({"folds": 1}, "cannot be made"),
        ({"folds": 121}, "120 rows cannot be dealt into 121 folds"),
        ({"quasi_identifiers": ["agee"]}, "column 'agee' does not exist"),
        ({"others": {"original": PEOPLE}}, "two tables are called 'original'"),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_a_sentence_before_anything_is_learnt(arguments, message):
    told = {"target": "ill", "techniques": ["cpda-noise"], "models": ["majority"], **arguments}
    with pytest.raises(CelosiaError) as refused:
        compare_techniques(
            PEOPLE, told.pop("target"), told.pop("techniques"), told.pop("models"), jobs=1, **told
        )
    assert message in str(refused.value)


def test_a_table_without_values_of_its_class_is_refused():
    with pytest.raises(ProjectError, match="has no value in any row"):
        read_input(PEOPLE.with_columns(ill=pl.lit(None, pl.String)), "ill")
    with pytest.raises(ProjectError, match="only the class"):
        read_input(PEOPLE.select("ill"))


def test_a_technique_that_changes_nothing_of_the_table_says_so():
    found = compare_techniques(
        PEOPLE.select("town", "ill"), "ill", ["noise"], ["majority"], folds=3, jobs=1, measures=()
    )
    assert "no column but the class" in found["noise"].why_not


def test_chains_keep_their_names_and_texts_tell_their_parameters():
    chains = make_chains(["mdav(k=3) + cpda-noise", "c = local-suppression(k=2, columns=[age, town])"])
    assert [chain.name for chain in chains] == ["mdav(k=3) + cpda-noise", "c"]
    assert chains[1].steps[0].technique.columns == ("age", "town")
    assert any("not protection" in text for text in chains[0].cautions)


def test_operations_and_functions_are_steps_too():
    def renamed(frame):
        return frame.with_columns(age=pl.lit(1))

    frame, rows = make_chains([["round(to=1000, columns=income)", renamed]])[0].apply(
        PEOPLE, StepContext("ill", ("age",), 0)
    )
    assert (frame["income"].cast(pl.Int64) % 1000 == 0).all()
    assert frame["age"].unique().to_list() == [1]
    assert rows.tolist() == list(range(120))


def test_a_table_is_looked_at_before_anything_is_done(tmp_path):
    given = read_input(PEOPLE.with_columns(age=pl.when(pl.col("age") > 30).then("age")), "ill")
    summary = summarize_table(given)
    assert (summary["rows"], summary["columns"], summary["class"]) == (120, 4, "ill")
    assert sum(summary["classes"].values()) == 120
    assert [one["name"] for one in list_columns(given) if one["is_class"]] == ["ill"]
    told = column_statistics(given, "income")
    assert told["mean"] == pytest.approx(PEOPLE["income"].mean())
    assert told["deviation"] == pytest.approx(PEOPLE["income"].std())
    assert column_statistics(given, "town")["values"] == dict(PEOPLE["town"].value_counts(sort=True).rows())
    for column in given.frame.columns:
        spread = column_distribution(given, column)
        shown = sum(map(sum, spread["classes"].values()))
        assert shown + spread["not_shown"] == 120
        assert spread["not_shown"] == given.frame[column].null_count()
        json.dumps([spread, column_statistics(given, column)])
    page = browse_rows(given, start=100, rows=50)
    assert (len(page["rows"]), page["of"]) == (20, 120)
    with pytest.raises(ProjectError, match="did you mean 'town'"):
        column_statistics(given, "twon")


def test_results_are_written_for_papers_and_every_table_under_its_name(found, tmp_path):
    tables = result_tables(found)
    assert {"details", "summary", "risks", "classes"} <= set(tables)
    assert as_latex(tables["summary"]).count("\\\\") == tables["summary"].height + 1
    written = {path.name: path for path in write_tables(found, tmp_path / "tables")}
    assert {"coarse.arff", "half.arff"} <= set(written)
    assert "original.arff" not in written
    assert "emptied.arff" not in written
    again = read_input(written["half.arff"], "ill")
    assert again.frame.equals(found.tables["half"].frame)
    assert open_table(next(write_tables(found, tmp_path / "csv", ending="csv"))).columns() == tuple(
        PEOPLE.columns
    )


def test_figures_show_bars_for_every_metric_and_a_frontier_for_every_risk(found):
    drawn = figures(found)
    assert {"accuracy", "precision", "recall", "F-measure", "frontier-linkage"} <= set(drawn)
    assert drawn["accuracy"].groups[:2] == ("original", "original, scaled")
    assert "emptied" not in drawn["accuracy"].groups
    assert {point.name for point in drawn["frontier-linkage"].points} >= {"original", "coarse", "half"}


def test_the_package_offers_it_and_its_answers_are_a_document(found):
    assert celosia.compare_techniques is compare_techniques
    document = json.loads(json.dumps(found.to_dict()))
    assert document["class"] == "ill"
    assert document["tables"][0]["name"] == "original"
    assert Path(found.given.name).name == "table"


def test_weka_models_are_asked_for_by_name_with_options_in_quotes():
    from celosia.compare.compare import choose

    model = choose("weka:J48(options='-C 0.1, -M 3', seed=7)")
    assert (model.classifier, model.options, model.seed) == ("J48", "-C 0.1, -M 3", 7)
    with pytest.raises(ProjectError, match="did you mean 'J48'"):
        choose("weka:J47")
    with pytest.raises(ProjectError, match="weka:J48, sed"):
        choose("weka:J48(sed=1)")
