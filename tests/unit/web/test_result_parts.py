"""What the result page is made of: sentences, rows side by side, charts, choices of measures."""

import json

from celosia.report.evidence import ReleaseEvidence
from celosia.say import say
from celosia.web.charts import bar_options, point_options
from celosia.web.plain_table import plain_table
from celosia.web.result.before_after import before_after_table, changed_columns
from celosia.web.result.measure_cards import answers_shown, measures_asked
from celosia.web.result.verdict import facts_of, verdict_of
from celosia.words import Words

HOSTILE = '<script>alert("x")</script>'
RECORD = {
    "table": "people",
    "kind": "complete",
    "project": {"tables": {"people": {}}},
    "rows": {"source": 1000, "written": 950, "suppressed": 50},
    "risk": {
        "before": {"highest": 1.0, "average": 0.4, "uniques": 120},
        "after": {"highest": 0.2, "average": 0.02, "uniques": 0},
    },
    "measures": {"loss": 0.25},
    "verification": {"passed": True, "smallest": 5, "findings": []},
}


VERDICT = {
    "kind": "protected-as-declared",
    "sentence": say("nothing is promised about people"),
    "exposed": [{"column": HOSTILE, "reason": "by its values 3 people are alone"}],
    "accepted": [{"column": "cost", "by": "Ana Gil", "on": "2026-11-18", "why": "nobody knows it"}],
}


def test_a_protected_release_has_a_shield() -> None:
    protected = {"kind": "protected", "sentence": say("nothing is promised about people")}
    verdict = verdict_of(ReleaseEvidence({**RECORD, "verdict": protected}, words=Words("es")))
    assert verdict.icon == "verified_user"
    assert verdict.title == "No se promete nada sobre las personas."


def test_what_stands_against_a_release_is_told_without_a_shield() -> None:
    verdict = verdict_of(ReleaseEvidence({**RECORD, "verdict": VERDICT}))
    assert verdict.icon == "gpp_maybe"
    assert verdict.notes == (
        f"{HOSTILE}: by its values 3 people are alone",
        "cost: accepted by Ana Gil on 2026-11-18: nobody knows it",
    )


def test_a_release_of_which_only_declared_columns_were_looked_at_has_no_shield() -> None:
    assert verdict_of(ReleaseEvidence(RECORD)).icon == "gpp_maybe"


def test_a_light_release_promises_nothing() -> None:
    verdict = verdict_of(ReleaseEvidence({**RECORD, "kind": "light"}))
    assert verdict.icon == "gpp_maybe"
    assert verdict.title == "Nothing is promised about people."


def test_a_record_that_failed_is_broken() -> None:
    failed = {**RECORD, "verification": {"passed": False, "smallest": 1, "findings": []}}
    assert verdict_of(ReleaseEvidence(failed)).kind == "broken"


def test_facts_tell_rows_left_out_and_risks_before() -> None:
    facts = {title: (value, more) for title, value, more in facts_of(ReleaseEvidence(RECORD))}
    assert facts["Rows released"] == ("950", "of 1,000; 50 left out")
    assert facts["Highest risk of a person"] == ("20%", "before: 100%")
    assert facts["Detail lost"][0] == "25%"


def test_facts_of_a_light_release_have_no_risk() -> None:
    light = {name: part for name, part in RECORD.items() if name not in ("risk", "measures")}
    assert len(facts_of(ReleaseEvidence(light))) == 1


ROWS = {
    "columns": ["id", "age", HOSTILE],
    "released": ["age", HOSTILE],
    "before": [["1", "31", "a"], ["2", "90", HOSTILE], ["3", "33", "b"]],
    "after": [["[30-39]", "a"], None, ["[30-39]", "b"]],
}


def test_only_columns_that_change_are_shown_first() -> None:
    assert changed_columns(ROWS) == ["id", "age"]


def test_rows_that_were_suppressed_are_shown_as_left_out() -> None:
    page = before_after_table(ROWS, ROWS["columns"], Words("en"))
    assert page.count("left out") == 1
    assert page.count("changed") == 2


def test_values_and_names_never_become_html() -> None:
    for page in (
        before_after_table(ROWS, ROWS["columns"], Words("en")),
        plain_table([HOSTILE, "rows"], [[HOSTILE, None]], caption=HOSTILE),
    ):
        assert "<script" not in page
        assert 'alert("x")' not in page


def test_names_in_charts_are_drawn_as_text() -> None:
    made = bar_options([HOSTILE], {HOSTILE: [0.5]})
    assert made["tooltip"]["renderMode"] == "richText"
    json.dumps(made)


def test_points_that_none_beats_are_joined_from_left_to_right() -> None:
    places = {"b": (0.3, 0.9), "a": (0.1, 0.5), "c": (0.4, 0.4)}
    made = point_options(places, ["b", "a"], titles=("risk", "use"), names=("best", "others"))
    assert [one["name"] for one in made["series"][0]["data"]] == ["a", "b"]
    assert [one["name"] for one in made["series"][1]["data"]] == ["c"]


def test_models_are_trained_only_if_asked_for() -> None:
    quick, slow = (set(measures_asked(["attack", "utility"], with_models=one)) for one in (False, True))
    assert quick < slow
    assert "model-inference" in slow - quick
    assert "k" not in slow  # a risk, and risks were not asked for


def test_of_several_columns_the_worst_is_shown() -> None:
    measured = {
        "measures": {
            "inference": {
                "family": "attack",
                "meaning": "",
                "range": [0, 1],
                "better": "lower",
                "answers": [
                    {"about": "a", "value": 0.1},
                    {"about": "b", "value": 0.7},
                    {"about": "c", "value": None},
                ],
            }
        }
    }
    first, others = answers_shown(ReleaseEvidence(RECORD, measured=measured), "attack")
    assert [one.about for one in first] == ["b"]
    assert not others
