"""The eighteen identifiers of HIPAA Safe Harbor: for each, a release that breaks the rule and one that keeps it."""

from datetime import date
from typing import Any

import polars as pl
import pytest

from celosia.measure.rules import RuleFinding, check_rules, rule_sets
from celosia.measure.subject import MeasureSubject

SOCIAL = [f"536-90-43{n:02}" for n in range(10, 22)]
IDENTITY = [
    "99000001C",
    "99000002K",
    "99000003E",
    "99000004T",
    "99000005R",
    "99000006W",
    "99000007A",
    "99000008G",
]
BORN_OLD, BORN_YOUNG = str(date.today().year - 95), str(date.today().year - 40)

BROKEN: list[tuple[str, dict[str, list[Any]]]] = [
    ("names", {"apellido": ["Gil", "Paz"]}),
    ("places", {"city": ["Bogotá", "Cali"]}),
    ("places", {"street": ["Calle 3"]}),
    ("places", {"zip": ["90210", "10001"]}),
    ("places", {"zip": ["036", "902"]}),
    ("dates", {"admission_date": ["2021-03-04", "2021-05-06"]}),
    ("dates", {"seen": [date(2021, 3, 4), date(2022, 3, 4)]}),
    ("dates", {"fecha_ingreso": ["2021-03", "2021-04"]}),
    ("dates", {"discharge date": ["2021-Q1"]}),
    ("dates", {"age": ["93", "41"]}),
    ("dates", {"age": ["[90-94]", "[95-99]"]}),
    ("dates", {"birth_year": [BORN_OLD, BORN_YOUNG]}),
    ("telephones", {"contact": [f"+34 612 34 56 {n}" for n in range(70, 82)]}),
    ("faxes", {"fax": ["555-1234"]}),
    ("e-mails", {"contact": [f"person{n}@example.org" for n in range(10)]}),
    ("social-security", {"number": SOCIAL}),
    ("social-security", {"ssn": ["1"]}),
    ("medical-records", {"MRN": ["1"]}),
    ("medical-records", {"historia_clinica": ["1"]}),
    ("health-plans", {"beneficiary_number": ["1"]}),
    ("accounts", {"IBAN": ["x"]}),
    ("licences", {"drivers_license": ["x"]}),
    ("licences", {"certificate number": ["x"]}),
    ("vehicles", {"license_plate": ["x"]}),
    ("devices", {"device_serial": ["x"]}),
    ("devices", {"hardware": [f"00:1b:44:11:3a:{n}" for n in range(10, 20)]}),
    ("urls", {"link": [f"https://example.org/people/{n}" for n in range(10)]}),
    ("ip-addresses", {"origin": [f"10.0.0.{n}" for n in range(10)]}),
    ("biometrics", {"fingerprint": ["x"]}),
    ("biometrics", {"voice_print": ["x"]}),
    ("photographs", {"photo": ["x"]}),
    ("photographs", {"scan": ["a.jpg", "b.PNG"]}),
    ("other-numbers", {"number": IDENTITY}),
    ("other-numbers", {"cedula": ["x"]}),
]

KEPT: list[tuple[str, dict[str, list[Any]]]] = [
    ("names", {"drug_name": ["aspirin"]}),
    ("names", {"apellido": ["*", None]}),
    ("places", {"state": ["OH", "NY"], "country": ["US", "US"]}),
    ("places", {"zip": ["000", "9****"]}),
    ("dates", {"admission_date": ["2021", "2022"]}),
    ("dates", {"age": ["41", "89"]}),
    ("dates", {"age": ["[40-49]", "90+"]}),
    ("dates", {"age": ["[40-49]", ">=85"]}),
    ("dates", {"birth_year": [BORN_YOUNG]}),
    ("dates", {"birth_year": [BORN_YOUNG, "<=1930"]}),
    ("dates", {"birth_year": ["[1900, 1939]", "[1970, 1989]"]}),
    ("telephones", {"calls": ["3", "4"]}),
    ("faxes", {"phone": ["x"]}),
    ("e-mails", {"contact": ["yes", "no"]}),
    ("social-security", {"cedula": ["x"]}),
    ("medical-records", {"records": ["3"]}),
    ("health-plans", {"plan": ["gold"]}),
    ("accounts", {"income": ["low"]}),
    ("licences", {"licensed": ["yes"]}),
    ("vehicles", {"vehicle": ["car"]}),
    ("devices", {"device": ["pump"]}),
    ("urls", {"source": ["web"]}),
    ("ip-addresses", {"mac_address": [f"00:1b:44:11:3a:{n}" for n in range(10, 20)]}),
    ("biometrics", {"height": ["tall"]}),
    ("photographs", {"smoker": ["yes"]}),
    ("other-numbers", {"job": ["cook", "nurse"]}),
]

ASKED: list[tuple[str, dict[str, list[Any]]]] = [
    ("places", {"zip": ["902", "000"]}),
    ("places", {"region": ["north"]}),
    ("dates", {"birth_date": ["long ago"]}),
    ("dates", {"age": ["90", "41"]}),
    ("photographs", {"scan": [b"x"]}),
    ("other-numbers", {"id": ["1"]}),
    ("other-numbers", {"code": [f"x{n}" for n in range(30)]}),
    ("other-numbers", {"note": [f"the patient says that she fell {n} times at home" for n in range(30)]}),
]


def finding(columns: dict[str, list[Any]], rule: str) -> RuleFinding:
    (result,) = check_rules(MeasureSubject.of(None, pl.DataFrame(columns)), {}, names=["hipaa"])
    return next(one for one in result.findings if one.rule == rule)


@pytest.mark.parametrize(("rule", "columns"), BROKEN, ids=str)
def test_a_release_that_breaks_a_rule_is_told_so_with_the_column(
    rule: str, columns: dict[str, list[Any]]
) -> None:
    found = finding(columns, rule)
    assert found.outcome == "not met"
    assert [one.column for one in found.evidence] == list(columns)
    assert found.remedy is not None


@pytest.mark.parametrize(("rule", "columns"), KEPT, ids=str)
def test_a_release_that_keeps_a_rule_is_left_in_peace(rule: str, columns: dict[str, list[Any]]) -> None:
    found = finding(columns, rule)
    assert found.outcome == "met"
    assert found.remedy is None


@pytest.mark.parametrize(("rule", "columns"), ASKED, ids=str)
def test_what_a_program_cannot_decide_needs_a_person(rule: str, columns: dict[str, list[Any]]) -> None:
    assert finding(columns, rule).outcome == "needs a person"


def test_every_one_of_the_eighteen_is_broken_and_kept_once() -> None:
    rules = rule_sets()["hipaa"].rules
    eighteen = {rule.name for rule in rules if "(b)(2)(i)(" in rule.source}
    assert len(eighteen) == 18
    assert [rule.source[-2] for rule in rules[:18]] == list("ABCDEFGHIJKLMNOPQR")
    assert {rule for rule, _ in BROKEN} == {rule for rule, _ in KEPT} == eighteen


def test_a_column_breaks_only_the_rules_it_is_about() -> None:
    release = pl.DataFrame({"correo": [f"person{n}@example.org" for n in range(10)]})
    (result,) = check_rules(MeasureSubject.of(None, release), {}, names=["hipaa"])
    broken = [one.rule for one in result.findings if one.outcome == "not met"]
    assert broken == ["e-mails"]


def test_dates_that_the_original_had_are_dates_in_the_release() -> None:
    original = pl.DataFrame({"seen": [date(2021, 3, 4)]})
    subject = MeasureSubject.of(original, pl.DataFrame({"seen": ["[2021-03-01 - 2021-03-31]"]}))
    (result,) = check_rules(subject, {}, names=["hipaa"])
    assert next(one for one in result.findings if one.rule == "dates").outcome == "not met"


def test_actual_knowledge_always_needs_a_person() -> None:
    assert finding({"x": ["1"]}, "actual-knowledge").outcome == "needs a person"


def test_evidence_shows_no_value_of_the_column() -> None:
    (result,) = check_rules(
        MeasureSubject.of(None, pl.DataFrame({"apellido": ["Gil"], "dni": ["99000001C"]})),
        {},
        names=["hipaa"],
    )
    assert "Gil" not in str(result)
    assert "99000001C" not in str(result)
