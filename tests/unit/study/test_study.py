"""Studies: what is tried, what comes out, what is kept for the next time, and what the figures show."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from celosia.errors import ProjectError
from celosia.mask import make_operation
from celosia.project import StudyPlan, make_project
from celosia.study import run_study
from celosia.study.cache import AnswerCache, digest_of_frame
from celosia.study.figures import figures
from celosia.study.grid import StudyCell, cell_project, cells
from celosia.study.people import gather_people
from celosia.study.summary import overview, summary_sentences
from celosia.types import Role

COLUMNS = {
    "id": "identifier",
    "age": "quasi-identifier",
    "town": "quasi-identifier",
    "sex": "quasi-identifier",
    "job": "sensitive",
    "paid": "common",
}


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four hundred people: who is paid depends on age, whose job on the town."""
    rng = np.random.default_rng(3)
    rows = 400
    age, town = rng.integers(20, 70, rows), rng.integers(0, 4, rows)
    frame = pl.DataFrame(
        {
            "id": np.arange(rows),
            "age": age,
            "town": [f"t{one}" for one in town],
            "sex": rng.choice(["f", "m"], rows),
            "job": np.where(rng.random(rows) < 0.8, town % 2, 1 - town % 2).astype(str),
            "paid": np.where(age + rng.normal(0, 4, rows) > 45, "yes", "no"),
        }
    )
    path = tmp_path_factory.mktemp("study") / "people.csv"
    frame.write_csv(path)
    return path


def project_of(path: Path, **study):
    told = {"k": [2, 30], "quasi_identifiers": [1, 3], "models": ["decision-tree"], "folds": 2, **study}
    return make_project(
        technique="mondrian",
        seed=5,
        tables={"people": {"source": str(path), "targets": ["paid"], "columns": COLUMNS}},
        study=told,
    )


@pytest.fixture(scope="module")
def found(people: Path):
    return run_study(project_of(people), jobs=1)


def test_every_k_is_tried_with_every_choice_of_quasi_identifiers(found):
    tried = [(one.k, len(one.quasi_identifiers)) for one in found.results]
    assert tried == [(2, 1), (30, 1), (2, 3), (30, 3)]
    assert (found.people, found.control) == (300, 100)
    assert all(one.why_not is None for one in found.results)


def test_columns_that_are_no_quasi_identifiers_in_a_cell_are_common_there(people):
    project = cell_project(project_of(people), "people", StudyCell(7, ("age",)))
    plan = project.plan("people")
    assert plan.quasi_identifiers == ("age",)
    assert plan.columns["town"].role is Role.COMMON
    assert [model.k for model in plan.models] == [7]


def test_more_is_lost_at_a_larger_k_and_every_release_keeps_its_k(found):
    for choice in found.choices:
        losses = [one.measures["loss"] for one in found.of(choice)]
        assert losses == sorted(losses)
        assert all(one.measures["k"] >= one.k for one in found.of(choice))


def test_what_depends_on_a_column_that_is_hardly_changed_is_learnt_from_the_release(found):
    gentle = found.of(("age",))[0].find("decision-tree", "paid", "release", "control")
    before = found.baseline.find("decision-tree", "paid", "release", "control")
    assert gentle.value > 0.8
    assert gentle.beyond(before).is_noise


def test_a_study_is_the_same_each_time_and_on_any_number_of_cores(people, found):
    again = run_study(project_of(people, k=[30], quasi_identifiers=[1]), jobs=2)
    same = found.of(("age",))[1]
    assert again.results[0].learnt == same.learnt
    assert again.results[0].measures == same.measures


def test_what_was_computed_before_is_taken_from_the_cache_and_nothing_else(people, tmp_path, monkeypatch):
    asked = {"k": [2], "quasi_identifiers": [1]}
    first = run_study(project_of(people, **asked), cache=tmp_path / "cache", jobs=1)
    kept = sorted(path.name for path in (tmp_path / "cache").iterdir())
    assert len(kept) == 2  # the table as it is, and one release

    def refuse(*_):
        raise AssertionError("computed again")

    monkeypatch.setattr("celosia.study.study.run_cell", refuse)
    again = run_study(project_of(people, **asked), cache=tmp_path / "cache", jobs=1)
    assert again.to_dict() == first.to_dict()
    with pytest.raises(AssertionError, match="computed again"):
        run_study(project_of(people, **asked, folds=3), cache=tmp_path / "cache", jobs=1)


def test_a_cache_that_was_damaged_is_not_believed(tmp_path):
    cache = AnswerCache(tmp_path)
    cache.keep({"k": 2}, {"answer": 1})
    assert cache.find({"k": 2}) == {"answer": 1}
    assert cache.find({"k": 3}) is None
    next(tmp_path.iterdir()).write_text("{")
    assert cache.find({"k": 2}) is None


def test_the_digest_of_rows_tells_any_value_and_their_order():
    one = pl.DataFrame({"age": [1, 2], "job": ["a", None]})
    assert digest_of_frame(one) == digest_of_frame(one.clone())
    for other in (one.reverse(), one.fill_null("a"), one.rename({"job": "work"})):
        assert digest_of_frame(one) != digest_of_frame(other)


def test_the_control_group_is_in_no_release_and_drawn_by_the_seed(people):
    drawn = gather_people(project_of(people), "people", share=0.25, seed=5)
    assert not set(drawn.released["id"]) & set(drawn.control["id"])
    assert drawn.released.height + drawn.control.height == 400
    same, other = (gather_people(project_of(people), "people", share=0.25, seed=seed) for seed in (5, 6))
    assert same.control.equals(drawn.control)
    assert not other.control.equals(drawn.control)


def test_a_cell_that_cannot_be_released_says_why_and_the_others_go_on(people):
    found = run_study(project_of(people, k=[2, 301], quasi_identifiers=[1]), jobs=1)
    assert found.results[0].why_not is None
    assert "301 is more than the 300 rows" in found.results[1].why_not


def test_figures_are_those_published_with_intervals_and_the_frontier(found):
    drawn = figures(found)
    assert list(drawn) == ["accuracy-decision-tree", "loss", "intervals-paid", "intervals-job", "frontier"]
    assert [line.name for line in drawn["loss"].lines] == ["1 quasi-identifier", "3 quasi-identifiers"]
    assert len(drawn["frontier"].points) == 5
    assert drawn["intervals-paid"].groups == ("original", "k = 2", "k = 30")


def test_a_person_reads_what_is_noise_and_what_is_betrayed(found):
    rows, heads = overview(found, ("age", "town", "sex"))
    assert heads == ["k", "loss", "paid, decision-tree", "job betrayed, decision-tree"]
    assert [row[0] for row in rows] == ["original", "2", "30"]
    assert any("models predict it as well as" in text for text in summary_sentences(found))


def test_the_table_has_a_row_for_every_way_of_testing(found):
    table = found.table()
    assert set(table["tested on"]) == {"release", "control", "members"}
    assert table.filter(pl.col("k").is_null())["trained on"].unique().to_list() == ["original"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"study": {"quasi_identifiers": [4]}}, "4 quasi-identifiers are asked for, and 3 declared"),
        ({"study": {"quasi_identifiers": [["agee"]]}}, "'agee' is no quasi-identifier of the project"),
        ({"study": {"models": ["forest"]}}, "there is no model 'forest'"),
        ({"study": {"measures": ["riks"]}}, "there is no measure 'riks'"),
        ({"targets": ["age"]}, "target 'age' is a quasi-identifier"),
        ({"targets": [], "columns": {**COLUMNS, "job": "common"}}, "there is nothing to predict"),
    ],
)
def test_mistakes_are_told_before_anything_is_released(people, change, message):
    project = project_of(people)
    table = {"source": str(people), "targets": ["paid"], "columns": COLUMNS}
    table |= {name: value for name, value in change.items() if name != "study"}
    study = {**project.study.model_dump(), **change.get("study", {})}
    asked = make_project(technique="mondrian", tables={"people": table}, study=study)
    with pytest.raises(ProjectError, match=message):
        run_study(asked, jobs=1)


def test_choices_may_name_columns():
    plan = make_project(tables={"people": {"source": "p.csv", "columns": COLUMNS}}).plan()
    found = cells(plan, StudyPlan(k=(5, 2), quasi_identifiers=(("town", "sex"),)))
    assert found == (StudyCell(2, ("town", "sex")), StudyCell(5, ("town", "sex")))


def test_rows_that_operations_drop_are_not_lost_and_nobody_of_the_study(people, tmp_path):
    asked = {"k": [5], "quasi_identifiers": [3]}
    project = project_of(people, **asked)
    dropping = {"name": "drop-rows", "where": "age < 40"}
    table = project.tables["people"].model_copy(update={"rows": (make_operation(**dropping),)})
    found = run_study(project.model_copy(update={"tables": {"people": table}}), jobs=1)
    pl.read_csv(people).filter(pl.col("age") >= 40).write_csv(tmp_path / "older.csv")
    same = run_study(project_of(tmp_path / "older.csv", **asked), jobs=1)
    older = pl.read_csv(tmp_path / "older.csv").height
    assert found.people + found.control == older
    assert (found.people, found.control) == (same.people, same.control)
    assert found.results[0].measures == same.results[0].measures
    assert found.results[0].learnt == same.results[0].learnt
