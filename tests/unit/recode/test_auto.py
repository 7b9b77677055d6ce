"""The technique that takes what keeps most, and what can be said of what matters."""

from unittest import mock

import numpy as np
import polars as pl
import pytest

import celosia
from celosia.errors import CelosiaError, ProjectError
from celosia.privacy import KAnonymity
from celosia.recode.dense_part import dense_part
from celosia.recode.space import build_space
from celosia.recode.task import RecodingTask
from celosia.recode.techniques import TECHNIQUES, contest, make_technique
from celosia.tables import open_table
from celosia.tables.frame_table import FrameTable
from celosia.types import ColumnType

QI = ["age", "town", "sex"]
TOWNS = [
    ["Lugo", "Galicia", "*"],
    ["Vigo", "Galicia", "*"],
    ["Soria", "Castilla", "*"],
    ["Ávila", "Castilla", "*"],
]


def people(rows=300, seed=0):
    random = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": random.integers(18, 90, rows),
            "town": random.choice(["Lugo", "Vigo", "Soria", "Ávila"], rows, p=[0.6, 0.2, 0.15, 0.05]),
            "sex": random.choice(["f", "m"], rows),
            "ill": random.choice(["flu", "asthma", "none"], rows),
        }
    )


def released(frame=None, **options):
    given = {"quasi_identifiers": QI, "sensitive": ["ill"], "k": 5, "seed": 1} | options
    return celosia.anonymize(people() if frame is None else frame, **given)


def task(frame=None, **options):
    table = open_table(people() if frame is None else frame)
    return RecodingTask(
        table=table, quasi_identifiers=tuple(QI), models=(KAnonymity(k=5),), **{"seed": 1} | options
    )


def values(release):
    return {name: set(release.table[name].cast(pl.String).to_list()) for name in QI}


# --- what is taken
# ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suppression", [0.0, 0.1])
@pytest.mark.parametrize("measure", ["loss", "precision", "discernibility"])
@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_taken_keeps_as_much_as_any_technique_asked_for_by_its_name(measure, suppression, seed):
    asked = task(people(200, seed), measure=measure, suppression=suppression)
    best = {}
    for name in ("full-domain", *contest.LOCAL):
        if name in TECHNIQUES:
            contender = contest.Contender(make_technique(name), suppression)
            given = contender.fit(asked)
            if given is not None:
                value = contender.technique.plan(given).value(measure)
                best |= {} if value is None else {name: value}
    plan = make_technique("auto").plan(task(people(200, seed), measure=measure, suppression=suppression))
    assert plan.value(measure) == pytest.approx(min(best.values()))
    assert best[plan.choice.technique.name] == pytest.approx(min(best.values()))


def test_the_plan_is_the_one_that_the_technique_makes_where_it_is_asked_for_by_its_name():
    release = released()
    taken = release.record["auto"]["technique"]
    again = released(technique=taken.pop("name"), **taken)
    assert release.table.equals(again.table)
    assert release.record["technique"]["name"] == again.record["technique"]["name"] != "auto"


def test_the_table_is_counted_once_for_all_contenders():
    with mock.patch.object(FrameTable, "count_by", autospec=True, side_effect=FrameTable.count_by) as counted:
        make_technique("auto").plan(task())
    assert counted.call_count == 1


def test_nobody_is_left_out_unless_rows_may_go_and_what_that_would_bring_is_told():
    release = released()
    assert release.written.suppressed == 0
    first, second = release.record["auto"]["lines"]
    assert "nobody is left out" in first
    assert "if 5% of the rows may go" in second
    told = {(other["technique"]["name"], other["suppression"]) for other in release.record["auto"]["others"]}
    assert {("full-domain", 0.0), ("full-domain", 0.01), ("full-domain", 0.05)} <= told
    allowed = released(suppression=0.02)
    assert allowed.written.suppressed <= 0.02 * 300


def test_many_combinations_are_tried_on_a_part_and_confirmed_on_the_whole():
    with mock.patch.multiple(contest, WHOLE=50, PART=60):
        release = released(people(2000))
    assert release.verification.passed
    others = release.record["auto"]["others"]
    assert any(other["estimated"] for other in others)
    assert not any(other["estimated"] for other in others if other["technique"]["name"] == "full-domain")
    assert "about" in release.record["auto"]["lines"][1]
    name = release.record["technique"]["name"]
    assert release.record["auto"]["value"] == pytest.approx(
        make_technique(name).plan(task(people(2000))).value("loss")
    )


def test_a_technique_that_would_keep_a_person_waiting_is_told_and_not_taken():
    taken = make_technique("auto").plan(task()).choice.technique
    with mock.patch.object(type(taken), "pace", 1.0):
        choice = make_technique("auto").plan(task()).choice
    assert choice.technique.name != taken.name
    assert taken.name in {other["technique"]["name"] for other in choice.details["others"]}


def test_a_model_that_only_full_domain_can_keep_is_kept_by_it():
    release = released(models=[{"model": "average-risk", "risk": 0.2}], k=None)
    assert release.record["technique"]["name"] == "full-domain"
    assert {other["technique"]["name"] for other in release.record["auto"]["others"]} == {"full-domain"}


def test_what_no_technique_finds_is_said_as_full_domain_says_it():
    frame = pl.DataFrame({"sex": ["f", "m", "f", "m"], "ill": ["a", "a", "a", "a"]})
    model = {"model": "distinct-l-diversity", "column": "ill", "l": 2}
    with pytest.raises(CelosiaError) as auto:
        celosia.anonymize(frame, quasi_identifiers=["sex"], sensitive=["ill"], models=[model])
    with pytest.raises(CelosiaError) as named:
        celosia.anonymize(
            frame, quasi_identifiers=["sex"], sensitive=["ill"], models=[model], technique="full-domain"
        )
    assert str(auto.value) == str(named.value)


def test_parameters_without_a_technique_are_of_the_one_that_has_them():
    assert released(node=(1, 2, 1), hierarchies={"town": TOWNS}).record["technique"]["name"] == "full-domain"
    assert released(split="median").record["technique"]["name"] == "mondrian"


# --- neighbourhoods
# -----------------------------------------------------------------------------------------------------


def test_a_part_holds_neighbours_and_all_rows_of_the_values_it_cuts_between():
    frame = people(5000)
    counts = open_table(frame).count_by(QI)
    types = {"age": ColumnType.INTEGER, "town": ColumnType.TEXT, "sex": ColumnType.TEXT}
    space = build_space(counts, quasi_identifiers=QI, types=types, hierarchies={})
    part = dense_part(space, 80, seed=3)
    assert 20 <= len(part) <= 160
    assert len(set(part.tolist())) == len(part)
    assert part.tolist() == dense_part(space, 80, seed=3).tolist()
    everything = dense_part(space, 10**9, seed=3)
    assert everything.tolist() == list(range(len(space.weights)))


# --- what matters
# -------------------------------------------------------------------------------------------------------


def test_labels_that_have_to_be_the_same_in_the_whole_table_leave_global_techniques_only():
    release = released(same_labels=True)
    assert release.record["technique"]["name"] == "full-domain"
    with pytest.raises(ProjectError, match="labels have to be the same in the whole table, and by mondrian"):
        released(same_labels=True, technique="mondrian")


def test_numbers_that_have_to_stay_numbers_do():
    release = released(keep_numbers=True)
    assert release.table["age"].dtype.is_integer()
    assert release.verification.passed
    with pytest.raises(ProjectError, match="full-domain shows labels"):
        released(keep_numbers=True, technique="full-domain")


def test_a_column_that_is_important_keeps_more_than_one_that_may_go():
    def kept(**weights):
        release = released(weights=weights, technique="full-domain", hierarchies={"town": TOWNS})
        return release.levels

    detailed, coarse = kept(town="important", age="may go"), kept(town="may go", age="important")
    assert detailed["town"] <= coarse["town"]
    assert detailed["age"] >= coarse["age"]
    assert detailed != coarse


@pytest.mark.parametrize("technique", [None, "full-domain", "local"])
def test_a_column_is_released_at_no_finer_and_no_coarser_level_than_allowed(technique):
    named = {} if technique is None else {"technique": technique}
    bound = {"finest": {"town": 1}, "coarsest": {"town": 1}, "hierarchies": {"town": TOWNS}}
    release = released(**bound, **named)
    assert values(release)["town"] == {"Galicia", "Castilla"}
    assert released(finest={"town": 2}, hierarchies={"town": TOWNS}, **named).table[
        "town"
    ].unique().to_list() == ["*"]


@pytest.mark.parametrize("search", ["incognito", "samarati"])
def test_searches_and_techniques_that_do_not_keep_to_levels_say_so(search):
    with pytest.raises(ProjectError, match=f"{search} does not keep to levels of 'town'"):
        released(finest={"town": 1}, hierarchies={"town": TOWNS}, search=search)
    with pytest.raises(ProjectError, match="mondrian does not keep to levels of 'town'"):
        released(finest={"town": 1}, hierarchies={"town": TOWNS}, technique="mondrian")


def test_a_level_that_a_hierarchy_lacks_is_a_mistake():
    with pytest.raises(ProjectError, match="'town' has levels 0 to 2, not 3"):
        released(finest={"town": 3}, hierarchies={"town": TOWNS})
    with pytest.raises(ProjectError, match="the finest level 2 is above the coarsest 1"):
        released(finest={"town": 2}, coarsest={"town": 1}, hierarchies={"town": TOWNS})
    with pytest.raises(ProjectError, match="'ill', which is not a quasi-identifier"):
        released(finest={"ill": 1})


# --- one step less or more
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("technique", ["full-domain", "local", "mondrian"])
def test_what_one_step_would_have_changed_is_what_asking_for_it_gives(technique):
    frame = people(400)
    release = released(frame, technique=technique)
    told = {(step["what"], step["to"]): step["value"] for step in release.record["one_step"]["steps"]}
    measured = {
        ("k", 4): released(frame, technique=technique, k=4),
        ("k", 6): released(frame, technique=technique, k=6),
        ("without", "age"): released(
            frame, technique=technique, quasi_identifiers=["town", "sex"], common=["age"]
        ),
    }
    if technique != "mondrian":
        measured["suppression", 0.01] = released(frame, technique=technique, suppression=0.01)
    for step, other in measured.items():
        assert told[step] == pytest.approx(other.plan.value("loss")), step
    assert ("suppression", 0.01) in told or technique == "mondrian"
    assert {to for what, to in told if what == "without"} == set(QI)


def test_steps_of_many_combinations_are_estimated_on_a_part_and_read_nothing_again():
    from celosia.recode.techniques import steps

    table = FrameTable
    with (
        mock.patch.object(steps, "SOME", 60),
        mock.patch.object(table, "count_by", autospec=True, side_effect=table.count_by) as counted,
    ):
        asked = task(people(2000))
        plan = make_technique("mondrian").plan(asked)
        found = steps.find_steps(asked, make_technique("mondrian"), plan)
    assert counted.call_count == 1
    assert all(step.is_estimate for step in found)
    by_k = {step.to: step.value for step in found if step.what == "k"}
    assert by_k[4] < by_k[6]


def test_a_release_that_is_to_have_no_measures_has_no_steps():
    assert "one_step" not in released(evaluate=("risk",)).record
