"""Rules of laws, with and without evidence, in both languages."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import polars as pl
import pytest

from celosia.errors import ProjectError
from celosia.measure.release_measure import MeasuredValue
from celosia.measure.rules import Outcome, RuleResult, check_rules, rule_sets
from celosia.measure.subject import MeasureSubject
from celosia.say import Text
from celosia.words import Words

SAFE = pl.DataFrame({"age": ["[30-39]", "[40-49]"] * 10, "grade": ["a", "a", "b", "b"] * 5})
RISKY = pl.DataFrame(
    {"nombre": ["Eva", "Leo"], "edad": ["8", "34"], "diagnostico": ["gripe", "asma"], "raza": ["x", "y"]}
)
GOOD = {
    "k": [MeasuredValue(7)],
    "uniques": [MeasuredValue(0)],
    "singling-out": [MeasuredValue(0.01, interval=(0.0, 0.03))],
    "linkability": [MeasuredValue(0.0)],
    "linkage": [MeasuredValue(0.02)],
    "inference": [
        MeasuredValue(0.03, about="grade"),
        MeasuredValue(None, about="age", why_not="nothing to infer"),
    ],
}
BAD = {
    "k": [MeasuredValue(1)],
    "uniques": [MeasuredValue(3)],
    "singling-out": [MeasuredValue(0.6, interval=(0.5, 0.7))],
    "linkability": [MeasuredValue(0.4)],
    "inference": [MeasuredValue(0.01, about="grade"), MeasuredValue(0.8, about="age")],
}
MEASURED = {
    "gdpr": ["singling-out", "linkability", "inference"],
    "lopdgdd": ["singling-out", "linkability", "inference"],
    "ley-1581": ["identifiable", "suppression-of-identity"],
    "ley-18331": ["dissociation", "health-data"],
}


def check(
    release: pl.DataFrame, answers: dict[str, list[MeasuredValue]], name: str, **known: Any
) -> dict[str, Any]:
    (result,) = check_rules(MeasureSubject.of(None, release, **known), answers, names=[name])
    return {one.rule: one for one in result.findings}


@pytest.mark.parametrize("name", MEASURED)
def test_measures_that_find_little_risk_meet_a_checklist(name: str) -> None:
    found = check(SAFE, GOOD, name)
    for rule in MEASURED[name]:
        assert found[rule].outcome == "met"
        assert any(one.measure for one in found[rule].evidence)


@pytest.mark.parametrize("name", MEASURED)
def test_measures_that_find_people_do_not(name: str) -> None:
    found = check(SAFE, BAD, name)
    assert [found[rule].outcome for rule in MEASURED[name]] == ["not met"] * len(MEASURED[name])
    assert all(found[rule].remedy for rule in MEASURED[name])


@pytest.mark.parametrize("name", MEASURED)
def test_without_measures_it_cannot_be_told_and_the_remedy_is_to_measure(name: str) -> None:
    found = check(SAFE, {}, name)
    for rule in MEASURED[name]:
        assert found[rule].outcome == "cannot be told"
        assert "compute the measures" in found[rule].remedy


def test_a_measure_that_could_not_be_computed_says_why() -> None:
    found = check(SAFE, {"inference": [MeasuredValue(None, why_not="no sensitive column")]}, "gdpr")
    assert found["inference"].outcome == "cannot be told"
    assert "no sensitive column" in found["inference"].evidence[0].why


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ({"k": [MeasuredValue(5)]}, "met"),
        ({"k": [MeasuredValue(4)]}, "needs a person"),
        ({"uniques": [MeasuredValue(0)]}, "needs a person"),
        ({"prosecutor-highest": [MeasuredValue(0.2)]}, "met"),
        ({"prosecutor-highest": [MeasuredValue(0.25)]}, "needs a person"),
        ({"prosecutor-highest": [MeasuredValue(1.0)]}, "not met"),
        (
            {"k": [MeasuredValue(5)], "singling-out": [MeasuredValue(0.1, interval=(0.05, 0.2))]},
            "needs a person",
        ),
        (
            {"k": [MeasuredValue(5)], "singling-out-univariate": [MeasuredValue(0.3, interval=(0.2, 0.4))]},
            "not met",
        ),
    ],
    ids=str,
)
def test_how_singling_out_is_judged(answers: dict[str, list[MeasuredValue]], outcome: str) -> None:
    assert check(SAFE, answers, "gdpr")["singling-out"].outcome == outcome


def test_the_threshold_of_the_subject_says_how_large_classes_must_be() -> None:
    assert check(SAFE, {"k": [MeasuredValue(4)]}, "gdpr", threshold=3)["singling-out"].outcome == "met"


def test_evidence_names_the_measure_its_value_and_its_column() -> None:
    (worst,) = check(SAFE, BAD, "gdpr")["inference"].evidence
    assert (worst.measure, worst.value, worst.why) == ("inference", 0.8, "inference is 0.8 (age)")
    assert Words("es").render(worst.why) == "inference es 0,8 (age)"


@pytest.mark.parametrize(
    ("name", "rule", "columns"),
    [
        ("gdpr", "identifiers", ["nombre"]),
        ("lopdgdd", "identifiers", ["nombre"]),
        ("ley-1581", "identified", ["nombre"]),
        ("ley-18331", "identified", ["nombre"]),
        ("gdpr", "special-categories", ["diagnostico", "raza"]),
        ("lopdgdd", "special-categories", ["diagnostico", "raza"]),
        ("ley-1581", "sensitive-data", ["diagnostico", "raza"]),
        ("ley-18331", "sensitive-data", ["diagnostico", "raza"]),
        ("ley-1581", "children", ["edad"]),
        ("lopdgdd", "minors", ["edad"]),
    ],
)
def test_columns_are_judged_by_what_they_show(name: str, rule: str, columns: list[str]) -> None:
    found = check(RISKY, GOOD, name)[rule]
    assert found.outcome == ("not met" if columns == ["nombre"] else "needs a person")
    assert [one.column for one in found.evidence] == columns
    kept = check(SAFE, GOOD, name)[rule]
    assert kept.outcome == "met"


def test_whoever_is_named_is_identifiable_whatever_the_measures_say() -> None:
    assert check(RISKY, GOOD, "ley-1581")["identifiable"].outcome == "not met"
    assert check(RISKY, GOOD, "ley-18331")["dissociation"].outcome == "not met"


def test_ages_that_are_not_shown_tell_nothing_about_children() -> None:
    assert check(SAFE.select("grade"), {}, "ley-1581")["children"].outcome == "cannot be told"


def test_a_declared_sensitive_column_counts_whatever_its_name() -> None:
    found = check(SAFE, {}, "gdpr", sensitive=["grade"])["special-categories"]
    assert (found.outcome, found.evidence[0].column) == ("needs a person", "grade")


@pytest.mark.parametrize(("name", "rule"), [("gdpr", "pseudonyms"), ("lopdgdd", "health-research")])
def test_a_column_that_hardly_repeats_may_be_a_pseudonym(name: str, rule: str) -> None:
    tokens = pl.DataFrame({"token": [f"t{n}" for n in range(30)]})
    assert check(tokens, {}, name)[rule].outcome == "needs a person"
    assert check(SAFE, {}, name)[rule].outcome == "met"


def test_in_spain_whole_identity_numbers_do_not_stand_beside_names() -> None:
    numbers = [
        "99000001C",
        "99000002K",
        "99000003E",
        "99000004T",
        "99000005R",
        "99000006W",
        "99000007A",
        "99000008G",
    ]
    alone = pl.DataFrame({"numero": numbers})
    both = alone.with_columns(pl.lit("Eva").alias("nombre"))
    outcomes = [check(one, {}, "lopdgdd")["identity-documents"].outcome for one in (both, alone, SAFE)]
    assert outcomes == ["not met", "needs a person", "met"]


# What all results have in common


def results() -> tuple[RuleResult, ...]:
    found: list[RuleResult] = []
    for release in (SAFE, RISKY):
        for answers in ({}, GOOD, BAD, {"k": [MeasuredValue(None, why_not="no rows")]}):
            found += check_rules(MeasureSubject.of(None, release), answers)
    return tuple(found)


def test_every_result_says_that_it_is_no_legal_advice() -> None:
    for result in results():
        shown = result.to_dict()
        assert "not legal advice" in shown["notice"]
        assert "no es asesoramiento jurídico" in Words("es").render(shown["notice"])


def said_in(thing: object) -> Iterator[Text]:
    """Every text of rules and results, however deep."""
    if isinstance(thing, Text):
        yield thing
    elif is_dataclass(thing) and not isinstance(thing, type):
        for field in fields(thing):
            yield from said_in(getattr(thing, field.name))
    elif isinstance(thing, tuple | list):
        for one in thing:
            yield from said_in(one)


def test_everything_is_said_in_both_languages() -> None:
    texts = [*said_in(list(rule_sets().values())), *said_in(results()), *(one.text for one in Outcome)]
    assert len(texts) > 500
    for text in texts:
        spanish = Words("es").render(text)
        assert text.strip()
        assert spanish.strip()
        assert not re.search(r"[{}]", text + spanish), text
        assert text != spanish, f"not translated: {text}"


def test_every_rule_cites_an_article_and_asks_a_question() -> None:
    for rules in rule_sets().values():
        assert len({rule.name for rule in rules.rules}) == len(rules.rules)
        for rule in rules.rules:
            assert re.search(r"\d", rule.source)
            assert rule.question.endswith("?")
            assert re.search(r"¿.*\?$", Words("es").render(rule.question))


def test_results_can_be_written_as_json() -> None:
    (result,) = check_rules(MeasureSubject.of(None, RISKY), BAD, names=["gdpr"])
    shown = json.loads(json.dumps(result.to_dict()))
    assert shown["outcome"] == "not met"
    assert {"rule", "source", "question", "outcome", "evidence", "remedy"} <= set(shown["findings"][0])
    assert shown["findings"][0]["evidence"][0]["column"] == "nombre"


def test_all_rules_are_checked_unless_some_are_named() -> None:
    names = [result.name for result in check_rules(MeasureSubject.of(None, SAFE), {})]
    assert names == ["gdpr", "hipaa", "ley-1581", "ley-18331", "lopdgdd"]
    with pytest.raises(ProjectError, match="there are no rules 'hippa'"):
        check_rules(MeasureSubject.of(None, SAFE), {}, names=["hippa"])
