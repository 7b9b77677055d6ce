"""Techniques in a row: the promises hold on all quasi-identifiers, and all steps together keep to the limit."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.errors import CelosiaError, ProjectError
from celosia.hierarchies import Hierarchy
from celosia.project import make_project
from celosia.recode import parts_plan
from celosia.recode.rothko import MemoryNeed
from celosia.run import anonymize
from celosia.tables import write_frame

QIS = ["age", "hours", "job"]


def people(rows=200, seed=0):
    random = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": random.integers(18, 60, rows),
            "hours": random.integers(10, 40, rows),
            "job": random.choice(["cook", "clerk", "smith", "nurse"], rows),
            "ill": random.choice(["flu", "gout", "asthma"], rows),
        }
    )


def released(technique, frame=None, *, k=4, columns=None, source=None, models=(), hierarchies=None, **fields):
    columns = {
        **dict.fromkeys(QIS, "quasi-identifier"),
        "ill": "sensitive",
        **(columns or {}),
    }
    project = make_project(
        models=[{"model": "k-anonymity", "k": k}, *models],
        technique=technique,
        tables={"people": {"columns": columns, **fields}},
    )
    frame = people() if frame is None else frame
    return anonymize(project, source=frame if source is None else source, hierarchies=hierarchies)


NUMBERS = {"name": "mondrian", "columns": ["age", "hours"]}
CHAINS = [
    [NUMBERS, "full-domain"],
    [NUMBERS, "local"],
    [{"name": "distribution-mondrian", "columns": ["age", "hours"]}, "full-domain"],
    [{"name": "distribution-mondrian", "columns": ["age", "hours"]}, "mondrian"],
    [{"name": "full-domain", "columns": ["job"]}, "mondrian"],
    [
        {"name": "local", "columns": ["job", "age"]},
        {"name": "full-domain", "columns": ["hours"]},
        "mondrian",
    ],
    ["full-domain"],
]


def suppresses(chain):
    return not any("mondrian" in str(step if isinstance(step, str) else step["name"]) for step in chain)


@pytest.mark.parametrize("chain", CHAINS, ids=str)
def test_k_holds_on_all_quasi_identifiers_whatever_the_steps(chain):
    release = released(chain)
    assert release.table.group_by(QIS).len()["len"].min() >= 4
    assert release.verification.passed
    assert release.table.height == 200
    assert len(release.record["chain"]) == len(chain)
    assert sorted(release.table["ill"]) == sorted(people()["ill"])


@pytest.mark.parametrize("chain", CHAINS[:4], ids=str)
def test_other_models_hold_too(chain):
    model = {"model": "distinct-l-diversity", "column": "ill", "l": 2}
    table = released(chain, models=[model]).table
    assert table.group_by(QIS).agg(pl.col("ill").n_unique())["ill"].min() >= 2


STEPS = [
    {"name": "full-domain", "columns": ["age"]},
    {"name": "local", "columns": ["hours"]},
    "full-domain",
]


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 1000), rows=st.integers(20, 60), share=st.sampled_from([0.0, 0.03, 0.1, 0.25, 0.5])
)
def test_all_steps_together_leave_out_no_more_than_allowed(seed, rows, share):
    frame = people(rows, seed)
    release = released(STEPS, frame, k=3, suppression=share)
    assert release.table.height >= rows - int(share * rows + 1e-9)
    gone = sum(step["suppressed"] for step in release.record["chain"])
    assert release.table.height == rows - gone
    assert release.table.group_by(QIS).len()["len"].min() >= 3


def test_rows_that_the_first_step_leaves_out_are_gone_for_the_next():
    frame = pl.DataFrame(
        {
            "age": [*([30] * 9), 99],
            "hours": [20] * 10,
            "job": ["cook"] * 10,
            "ill": ["flu"] * 10,
        }
    )
    first = {"name": "full-domain", "columns": ["age"]}
    release = released([first, "full-domain"], frame, k=3, suppression=0.1)
    assert [step["suppressed"] for step in release.record["chain"]] == [1, 0]
    assert release.table["age"].to_list() == [30] * 9


def test_a_hierarchy_is_not_used_again_for_a_column_that_was_recoded():
    ages = Hierarchy.from_rows("age", [(str(age), f"{age // 10}0s", "*") for age in range(18, 60)])
    first = {"name": "full-domain", "columns": ["age"], "node": [1]}
    table = released([first, "mondrian"], hierarchies={"age": ages}).table
    assert table.group_by(QIS).len()["len"].min() >= 4
    # What the second step shows is made of labels of the first: no age is left, and no label is looked up as an age.
    assert not set(table["age"].cast(pl.String)) & {str(age) for age in range(18, 60)}


@pytest.mark.parametrize("last", ["full-domain", "mondrian", "local"])
def test_a_declared_type_is_not_that_of_labels(tmp_path, last):
    write_frame(people(), tmp_path / "people.csv")
    columns = {name: {"role": "quasi-identifier", "type": "integer"} for name in ("age", "hours")}
    first = {"name": "mondrian", "columns": ["age"], "represent": "range"}
    release = released(
        [first, last],
        columns=columns,
        source=tmp_path / "people.csv",
        destination=str(tmp_path / "safe.csv"),
    )
    table = pl.read_csv(tmp_path / "safe.csv", infer_schema=False)
    assert table.group_by(QIS).len()["len"].min() >= 4
    assert release.verification.passed


def test_the_risk_before_is_that_of_the_table_not_of_what_the_first_step_leaves():
    release = released([NUMBERS, "full-domain"])
    uniques = people().group_by(QIS).len().filter(pl.col("len") == 1).height
    assert release.risk_before.uniques == uniques > 0


def test_numbers_kept_by_the_first_step_are_numbers_in_the_release():
    first = {"name": "distribution-mondrian", "columns": ["age", "hours"]}
    table = released([first, "full-domain"], suppression=0.5).table
    assert table["job"].n_unique() >= 1
    assert table.group_by(QIS).len()["len"].min() >= 4


def test_a_step_in_parts_for_want_of_memory_can_only_be_the_last(tmp_path, monkeypatch):
    # Rows so heavy that a few thousand of them do not fit in the least memory that a run may be given.
    monkeypatch.setattr(MemoryNeed, "ROW", 1_000_000)
    monkeypatch.setattr(parts_plan, "SURELY_FITS", 1_000_000)
    write_frame(people(3000), tmp_path / "people.csv")
    where = {"source": tmp_path / "people.csv", "destination": str(tmp_path / "safe.csv")}
    in_parts = {"name": "mondrian", "memory": 700_000_000}
    with pytest.raises(ProjectError, match="can only be the last of a chain"):
        released([in_parts, "full-domain"], **where)
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


@pytest.mark.parametrize(
    ("chain", "words"),
    [
        ([{"name": "mondrian", "columns": ["agee"]}, "full-domain"], "'agee' is not a quasi-identifier"),
        (
            ["full-domain", {"name": "mondrian", "columns": ["age"]}],
            "the last step works on all quasi-identifiers",
        ),
        ([], "a chain has no steps; name a technique"),
        ([["full-domain"], "mondrian"], "write its steps"),
        ([{"name": "nothing"}, "mondrian"], "there is no technique 'nothing'"),
    ],
)
def test_mistakes_are_said_in_one_sentence(chain, words):
    with pytest.raises(CelosiaError) as error:
        released(chain)
    assert words in str(error.value)


def test_the_same_chain_with_the_same_seed_gives_the_same_release():
    one, same = (released([NUMBERS, "full-domain"], seed=7).table for _ in range(2))
    assert one.equals(same)


@pytest.mark.parametrize("out", ["parquet", "xlsx", "json"])
def test_numbers_that_a_step_leaves_in_a_table_of_text_go_into_files_with_types(tmp_path, out):
    dated = people(60).with_columns(born=pl.date(2000, 1, 1) + pl.duration(days=pl.col("age")))
    write_frame(dated, tmp_path / "people.csv")
    first = {"name": "mondrian", "represent": "mode", "columns": ["age", "born"]}
    released(
        [first, "mondrian"],
        source=tmp_path / "people.csv",
        columns={"born": "quasi-identifier"},
        destination=str(tmp_path / f"safe.{out}"),
    )
    assert (tmp_path / f"safe.{out}").exists()
