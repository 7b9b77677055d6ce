"""Steps of techniques under comparison: which columns they take, whose their rows are, and what they refuse."""

import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from celosia.compare import compare_techniques
from celosia.compare.chain import parse_chain
from celosia.compare.figures import figures
from celosia.compare.input_table import read_input
from celosia.compare.other_tables import align_table
from celosia.compare.result_files import as_latex, as_markdown, write_tables
from celosia.compare.step import StepContext
from celosia.errors import CelosiaError

ROWS = 80
PEOPLE = pl.DataFrame(
    {
        "age": np.random.default_rng(1).integers(20, 90, ROWS),
        "pay": np.random.default_rng(2).normal(2_000, 500, ROWS),
        "town": ["Lugo", "Vigo", "Vigo", "Jaca"] * (ROWS // 4),
        "ill": ["yes", "no"] * (ROWS // 2),
    }
)
SETTING = StepContext("ill", ("age", "pay", "town"), 3)


def compared(frame, techniques, **told):
    asked = {"folds": 2, "jobs": 1, "measures": (), "scaled": False, **told}
    return compare_techniques(frame, "ill", techniques, ["majority"], **asked)


def test_private_noise_goes_to_the_columns_that_have_bounds():
    for technique in (
        "laplace(epsilon=1, bounds={age: [0, 100]})",
        "gaussian(epsilon=1, delta=0.01, bounds={age: [0, 100]})",
    ):
        frame, rows = parse_chain(technique).apply(PEOPLE, SETTING)
        assert not frame["age"].equals(PEOPLE["age"])
        assert frame["pay"].equals(PEOPLE["pay"])
        assert rows.tolist() == list(range(ROWS))


def test_synthetic_rows_are_nobodys_even_if_all_of_them_are_also_in_the_table():
    frame = PEOPLE.select("town", "ill")
    made, rows = parse_chain("synthetic").apply(frame, SETTING)
    assert made.join(frame, on=frame.columns, how="semi").height == ROWS
    assert rows is None
    found = compared(frame, ["synthetic"], measures=("distance-linkage",))
    assert found.find("synthetic", "majority", tested_on="original").tested_on == "seen"
    assert "nothing tells which released row is whose" in found["synthetic"].risks["distance-linkage"].why_not


def test_deletion_does_not_look_at_a_class_of_numbers():
    frame = PEOPLE.with_columns(
        age=pl.lit(40), pay=pl.lit(1.0), ill=pl.Series(np.arange(float(ROWS)))
    )  # every value of the class is unique
    assert parse_chain("cpda-deletion").apply(frame, SETTING)[0].height == ROWS
    assert parse_chain("cpda-deletion(columns=[ill])").apply(frame, SETTING)[0].height == 0


def test_operations_are_done_whatever_columns_are_called():
    named = PEOPLE.with_columns(name=pl.Series([f"P{row}" for row in range(ROWS)])).select(
        "name", *PEOPLE.columns
    )
    frame, _ = parse_chain("round(to=10, columns=[age]) + mdav(k=3, columns=[age])").apply(named, SETTING)
    assert frame["age"].value_counts()["count"].min() >= 3


@pytest.mark.parametrize(
    ("technique", "message"),
    [
        ("mondrian(k=2, columns=3)", "3 names no columns"),
        ("mondrian(k=2, suppression=much)", "'much' is no suppression"),
        ("mondrian(k=2, suppression=2)", "2 is no suppression"),
        ("sample(share=0.5, columns=[age])", "it is done to rows"),
        ("original, scaled = noise", "two tables are called 'original, scaled'"),
        ("private-marginals(epsilon=1, domains={town: [a, a]})", "each of them once"),
        ("private-marginals(epsilon=1, domains={town: []})", "each of them once"),
    ],
)
def test_what_is_wrong_with_a_technique_is_said_before_anything_is_made(technique, message):
    with pytest.raises(CelosiaError) as refused:
        compared(PEOPLE, [technique])
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("domains", "message"),
    [
        ("{age: [young, old]}", "the domain of column 'age' has values that it cannot hold"),
        ("{age: ['30', '40'], twon: [Lugo]}", "column 'twon' does not exist; did you mean 'town'?"),
    ],
)
def test_domains_that_do_not_fit_the_table_are_said_in_its_row(domains, message):
    found = compared(PEOPLE, [f"private-marginals(epsilon=1, domains={domains}, columns=[age])"])
    assert message in found.results[1].why_not


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"jobs": 0}, "0 cores cannot be used"),
        ({"seed": -1}, "-1 is no seed"),
        ({"identifiers": ["nam"]}, "column 'nam' does not exist"),
        ({"identifiers": ["ill"]}, "class 'ill' cannot be left out"),
        ({"identifiers": ["age", "pay", "town"]}, "only the class"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_a_sentence(told, message):
    with pytest.raises(CelosiaError) as refused:
        compared(PEOPLE, ["cpda-noise"], **told)
    assert message in str(refused.value)


def test_identifiers_are_in_no_table_and_what_looks_like_one_is_said():
    named = PEOPLE.with_columns(name=pl.Series([f"P{row}" for row in range(ROWS)])).select(
        "name", *PEOPLE.columns
    )
    kept = compared(named, ["cpda-noise"])
    assert any("column 'name' looks like an identifier" in text for text in kept.original.cautions)
    left_out = compared(named, ["cpda-noise"], others={"R": named}, identifiers=["name"])
    assert all("name" not in table.frame.columns for table in left_out.tables.values())
    assert not left_out.original.cautions


def test_a_class_written_as_whole_numbers_here_and_as_reals_elsewhere_is_the_same():
    coded = PEOPLE.with_columns(ill=(pl.col("ill") == "yes").cast(pl.Int64))
    elsewhere = coded.with_columns(pl.col("ill").cast(pl.Float64), age=pl.col("age") + 1)
    assert align_table(read_input(coded), elsewhere, name="R")[1].tolist() == list(range(ROWS))


def test_the_frontier_knows_whether_more_of_a_measure_is_better():
    found = compared(PEOPLE, ["all = cpda-generalization(ranges=1, columns=[age, pay])"], measures=("k",))
    points = {point.name: point for point in figures(found)["frontier-k"].points}
    assert points["all"].x > points["original"].x
    assert points["original"].is_dominated
    assert not points["all"].is_dominated


def test_a_script_need_not_know_that_processes_are_started(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        """
import gc
from celosia.machine import start_pool
with start_pool(1, gc.collect, ()) as pool:
    print(pool.map(abs, [-1]))
"""
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "[1]\n", done.stderr


def test_whatever_tables_are_called_papers_and_files_can_have_it(tmp_path):
    names = ["x^2 ~", "[half]", "a/b", "a:b", "long " * 80]
    found = compared(PEOPLE, dict.fromkeys(names, "cpda-noise"))
    latex = as_latex(found.details())
    assert r"x\textasciicircum{}2 \textasciitilde{} &" in latex
    assert "\n{}[half] &" in latex  # a bracket after the end of a line would belong to it
    assert latex.count(r" \\") == found.details().height + 1
    written = [path.stem for path in write_tables(found, tmp_path)]
    assert len(set(written)) == len(names)
    assert {"a_b", "a_b (2)", "[half]"} <= set(written)


def test_counts_are_written_out_and_texts_stay_in_their_line():
    many = pl.DataFrame({"table": ["two\nlines"], "correct": [25_612.0], "accuracy": [0.849148]})
    assert as_markdown(many).splitlines()[2] == "| two lines | 25612 | 0.8491 |"
    assert r"two lines & 25612 & 0.8491 \\" in as_latex(many)


def test_people_who_were_seen_in_training_are_no_test_against_the_original():
    random = np.random.default_rng(3)
    frame = PEOPLE.with_columns(ill=pl.Series(random.choice(["yes", "no"], ROWS)))  # nothing to be learnt
    elsewhere = frame.sample(fraction=1, shuffle=True, seed=1).with_columns(pl.col("pay") + 0.01)
    model = "k-nearest-neighbours(neighbours=1)"
    found = compare_techniques(
        frame, "ill", (), [model], others={"R": elsewhere}, folds=4, jobs=1, measures=("k",), scaled=False
    )
    by_heart = found.find("R", model, tested_on="original")
    assert by_heart.tested_on == "seen"
    assert by_heart.value > found.find("original", model).value + 0.1
    assert found.difference("R", model, tested_on="original") is None
    assert found.details(tested_on="original").filter(table="R")["p"].to_list() == [None]
    assert {one.name for one in figures(found)["frontier-k"].points} == {
        "original",
        "R (seen)",
    }


def test_tables_in_which_people_are_twice_are_still_measured():
    twice = pl.concat([PEOPLE, PEOPLE[:10]])
    found = compared(PEOPLE, (), others={"twice": twice}, measures=("linkage", "singled-out"))
    assert found["twice"].risks["singled-out"].value == pytest.approx(1 - 10 / ROWS)
    assert "nothing tells which released row is whose" in found["twice"].risks["linkage"].why_not
    assert found.find("twice", "majority", tested_on="original").tested_on == "original"
