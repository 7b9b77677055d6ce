"""Top-down specialization: the published worked example, its rules one by one, and releases from end to end."""

import polars as pl
import pytest

import celosia
from celosia.errors import NoSolutionError, ProjectError
from celosia.privacy import DistinctLDiversity, TCloseness
from celosia.recode.scores import SCORES, get_score
from celosia.recode.techniques.top_down import TopDownSpecialization
from celosia.recode.top_down import NodeState, top_down

IGPL = get_score("gain-per-privacy")

AGES = ["20", "24", "26", "29", "45", "40", "50", "30", "35", "39"]
CODES = ["12500", "12700", "12600", "12900", "11100", "11300", "11500", "11800", "11700", "11200"]
PATIENTS = pl.DataFrame({"age": AGES, "postcode": CODES, "diagnosis": list("DIICDCCDCI")})
TREES = {
    "age": {
        "value": "[20-50]",
        "children": [
            {"value": "[20-29]", "children": [{"value": age} for age in AGES if age < "30"]},
            {"value": "[30-39]", "children": [{"value": age} for age in AGES if "30" <= age < "40"]},
            {"value": "[40-50]", "children": [{"value": age} for age in AGES if age >= "40"]},
        ],
    },
    "postcode": {
        "value": "1****",
        "children": [
            {"value": start + "***", "children": [{"value": code} for code in CODES if code[:2] == start]}
            for start in ("11", "12")
        ],
    },
}
HIERARCHIES = {name: celosia.Hierarchy.from_tree(name, tree) for name, tree in TREES.items()}


def released(frame=PATIENTS, **asked):
    settled = {"quasi_identifiers": ["age", "postcode"], "sensitive": ["diagnosis"], "k": 3, "seed": 0}
    return celosia.anonymize(
        frame, **{"technique": "top-down", "hierarchies": HIERARCHIES, **settled, **asked}
    )


# --- the worked example


def test_the_worked_example_specializes_age_first_then_the_postcode():
    steps = released().record["steps"]
    assert [(step["column"], step["level"]) for step in steps] == [("age", 1), ("postcode", 1)]
    assert steps[0]["score"] == pytest.approx(0.02750, abs=5e-6)
    assert steps[0]["benefit"] == pytest.approx(0.2200, abs=5e-5)
    assert steps[0]["smallest class"] == 3


def test_in_the_worked_example_the_postcode_would_have_been_worth_less():
    only = released(
        quasi_identifiers=["postcode"], common=["age"], hierarchies={"postcode": HIERARCHIES["postcode"]}
    )
    step = only.record["steps"][0]
    assert step["score"] == pytest.approx(0.01364, abs=5e-6)
    assert step["benefit"] == pytest.approx(0.0955, abs=5e-5)


def test_the_classes_of_the_worked_example_are_those_published():
    # The diagnosis of a row does not name it, but with its class the ten rows can be told apart enough.
    table = released().table
    classes = table.group_by("age", "postcode").agg(pl.col("diagnosis").sort()).sort("age").rows()
    assert classes == [
        ("[20-29]", "12***", ["C", "D", "I", "I"]),
        ("[30-39]", "11***", ["C", "D", "I"]),
        ("[40-50]", "11***", ["C", "C", "D"]),
    ]


# --- the rules


def looks(sizes, k=2):
    return lambda node: NodeState(sizes[node] >= k, sizes[node])


def test_of_equally_good_steps_the_column_that_stands_first_is_made():
    sizes = {(1, 1): 9, (0, 1): 4, (1, 0): 4, (0, 0): 1}
    benefits = [[0.0, 0.1 + 0.2], [0.0, 0.3]]
    assert top_down((1, 1), benefits, looks(sizes), IGPL).node == (0, 1)
    # The difference of the two is rounding and decides nothing, whichever column has it.
    assert top_down((1, 1), benefits[::-1], looks(sizes), IGPL).node == (0, 1)


def test_a_step_that_brings_nothing_is_made_while_it_is_valid():
    sizes = {(2,): 8, (1,): 8, (0,): 3}
    found = top_down((2,), [[0.0, 0.7, 0.0]], looks(sizes), IGPL)
    assert found.node == (0,)
    assert [step.score for step in found.steps] == [0.0, pytest.approx(0.7 / 6)]


def test_a_step_that_costs_less_privacy_wins_over_one_that_tells_more():
    sizes = {(1, 1): 10, (0, 1): 2, (1, 0): 9, (0, 0): 1}
    assert top_down((1, 1), [[0.0, 0.9], [0.0, 0.5]], looks(sizes), IGPL).node == (1, 0)
    assert top_down((1, 1), [[0.0, 0.9], [0.0, 0.5]], looks(sizes), get_score("gain")).node == (0, 1)


def test_a_smallest_class_that_grows_because_others_are_suppressed_is_no_privacy_gained():
    sizes = {(1, 1): 4, (0, 1): 30, (1, 0): 4, (0, 0): 1}
    found = top_down((1, 1), [[0.0, 0.2], [0.0, 0.3]], looks(sizes), IGPL)
    assert found.steps[0].column == 1
    assert found.steps[0].score == pytest.approx(0.3)


def test_a_node_that_cannot_win_is_not_looked_at():
    sizes = {(1, 1): 9, (0, 1): 9, (1, 0): 9, (0, 0): 1}
    looked_at = []

    def look(node):
        looked_at.append(node)
        return NodeState(sizes[node] >= 2, sizes[node])

    found = top_down((1, 1), [[0.0, 0.9], [0.0, 0.5]], look, IGPL)
    assert looked_at == [(1, 1), (0, 1), (0, 0)]
    assert found.checks == 3


def test_a_column_that_could_not_go_down_is_not_asked_again_where_that_is_proof():
    sizes = {(1, 2): 9, (0, 2): 1, (1, 1): 9, (0, 1): 1, (1, 0): 9, (0, 0): 1}
    benefits = [[0.0, 0.9], [0.0, 0.5, 0.5]]
    assert top_down((1, 2), benefits, looks(sizes), IGPL, is_monotone=True).checks == 4
    assert top_down((1, 2), benefits, looks(sizes), IGPL, is_monotone=False).checks == 6


def test_a_start_that_is_not_valid_is_where_it_ends():
    found = top_down((1,), [[0.0, 0.5]], lambda node: NodeState(False, 0), IGPL)
    assert (found.is_valid, found.node, found.steps) == (False, (1,), ())


@pytest.mark.parametrize("score", SCORES.values())
def test_no_score_rises_with_the_privacy_lost(score):
    worth = [score.worth(0.5, lost) for lost in range(10)]
    assert worth == sorted(worth, reverse=True)


def test_every_score_can_be_asked_for():
    options = TopDownSpecialization.model_json_schema()["properties"]["score"]["anyOf"][0]["enum"]
    assert options == list(SCORES)


def test_a_score_that_does_not_exist_is_named_with_those_that_do():
    with pytest.raises(ProjectError, match=r"'gane'.*did you mean 'gain'"):
        get_score("gane")


# --- releases


def test_without_a_sensitive_column_the_loss_leads_and_the_note_says_so():
    release = released(sensitive=[], common=["diagnosis"])
    assert release.record["score"] == "loss-per-privacy"
    assert "no sensitive column and no target: led by loss-per-privacy" in release.plan.note
    assert release.record["steps"]


def test_the_targets_are_the_tuple_of_the_columns_named():
    frame = PATIENTS.with_columns(ward=pl.Series(list("ABABABABAB")))
    both = released(frame, target=["diagnosis", "ward"], common=["ward"])
    assert both.record["target"] == ["diagnosis", "ward"]
    assert both.record["steps"][0]["benefit"] > released().record["steps"][0]["benefit"]
    joined = frame.with_columns(diagnosis=pl.col("diagnosis") + pl.col("ward")).drop("ward")
    assert [step["benefit"] for step in both.record["steps"]] == pytest.approx(
        [step["benefit"] for step in released(joined).record["steps"]]
    )


def test_a_single_target_may_be_a_plain_name():
    assert released(target="diagnosis").record["target"] == ["diagnosis"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"target": "age"}, ["'age'", "quasi-identifier"]),
        ({"score": "gain", "sensitive": [], "common": ["diagnosis"]}, ["gain", "target", "loss-per-privacy"]),
        ({"measure": "precision"}, ["gain-per-privacy", "precision"]),
        ({"score": "loss", "measure": "class-size"}, ["class-size", "loss or precision"]),
        ({"keep_type": ["age"]}, ["top-down", "keep its type"]),
        ({"k": 11}, ["k = 11", "10 rows"]),
    ],
)
def test_what_does_not_go_together_is_said(asked, words):
    with pytest.raises(ProjectError) as error:
        released(**asked)
    assert all(word in str(error.value) for word in words)


def test_a_measure_leads_where_the_score_is_what_it_falls_by():
    assert released(score="loss", measure="precision").record["steps"]


def test_weights_count_in_the_gain():
    # The postcode tells less than the age, unless it is said to count ten times as much.
    assert released(weights={"postcode": 10.0}).record["steps"][0]["column"] == "postcode"


def test_models_of_the_sensitive_column_stop_it_too():
    diverse = released(k=2, models=[DistinctLDiversity(column="diagnosis", l=3)])
    assert (
        diverse.table.group_by("age", "postcode").agg(pl.col("diagnosis").n_unique())["diagnosis"].min() >= 3
    )
    close = released(k=2, models=[TCloseness(column="diagnosis", t=0.01, distance="equal")])
    assert close.plan.candidate.node == (2, 2)


def test_where_not_even_the_root_is_valid_nothing_is_released():
    with pytest.raises(NoSolutionError, match="most general node"):
        released(k=2, models=[DistinctLDiversity(column="diagnosis", l=4)])


def test_rows_may_be_suppressed_within_the_limit():
    strict, lenient = released(k=5), released(k=5, suppression=0.4)
    assert strict.plan.suppressed == 0
    assert lenient.plan.suppressed == 4
    assert sum(lenient.plan.candidate.node) < sum(strict.plan.candidate.node)


def test_numbers_without_a_hierarchy_get_intervals_that_tell_most_about_the_target():
    frame = pl.DataFrame(
        {"age": list(range(20, 60)) * 3, "ill": [int(age >= 47) for age in range(20, 60)] * 3}
    )
    asked = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "hierarchies": {}, "k": 30}
    release = released(frame, **asked)
    assert release.plan.reasons["age"] == "proposed: intervals that tell most about ill"
    assert set(release.table["age"]) == {"[0-46]", "[47-99]"}
    proposed = released(frame, numbers="proposed", **asked)
    assert proposed.plan.reasons["age"] == "proposed: ages: grouped as they are known"


def test_a_postcode_is_no_number_though_it_looks_like_one():
    release = released(hierarchies={"age": HIERARCHIES["age"]})
    assert "masked" in release.plan.reasons["postcode"]


def test_a_tree_whose_leaves_lie_at_different_depths_is_taken_as_it_is():
    tree = {
        "value": "*",
        "children": [
            {"value": "retired"},
            {
                "value": "working",
                "children": [
                    {"value": "employed", "children": [{"value": "public"}, {"value": "private"}]},
                    {"value": "self-employed"},
                ],
            },
        ],
    }
    work = [*["retired"] * 6, *["public"] * 5, *["private"] * 4, *["self-employed"] * 3]
    frame = pl.DataFrame({"work": work, "ill": [1, 0] * 9})
    asked = {
        "quasi_identifiers": ["work"],
        "sensitive": ["ill"],
        "hierarchies": {"work": celosia.Hierarchy.from_tree("work", tree)},
    }
    nodes = {k: released(frame, k=k, **asked).plan.candidate.node for k in (3, 4, 6, 7)}
    # With k = 4 self-employed is too few at every level below working; retired stays itself up to the root.
    assert nodes == {3: (0,), 4: (2,), 6: (2,), 7: (3,)}
    table = released(frame, k=4, **asked).table
    assert dict(table["work"].value_counts().rows()) == {"retired": 6, "working": 12}


def test_missing_values_take_part_like_any_other():
    frame = PATIENTS.with_columns(age=pl.when(pl.col("age") == "45").then(None).otherwise("age"))
    release = released(frame, k=2)
    assert release.written.written == 10
    assert release.verification.passed
