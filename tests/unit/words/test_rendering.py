"""Mistakes and sentences that the library really makes come out in Spanish as a whole."""

import copy
import json
import pickle
import re
from collections.abc import Callable

import polars as pl
import pytest

import celosia
from celosia.errors import CelosiaError
from celosia.hierarchies import check, propose, taxonomy
from celosia.mask import make_operation
from celosia.mask.registry import operations
from celosia.perturb.registry import make_perturbation, perturbations
from celosia.privacy import TCloseness, parse_model
from celosia.project import make_project
from celosia.sample import discharges
from celosia.say import Text, join_texts, keep_texts, restore_texts, say, say_count
from celosia.types import ColumnType
from celosia.words import Words

SPANISH = Words("es")
PEOPLE = pl.DataFrame(
    {"age": [34, 36, 38, 52], "zip": ["28001", "28004", "28013", "28101"], "ill": list("abab")}
)
ENGLISH = re.compile(
    r"(?<![-\w])(the|and|of|is|are|not|with|from|that|which|it|has|have|been?|for|at|by|leave|write|should|valid)(?![-\w])"
)
"""Words that no Spanish sentence has, but for what stands between quotes."""


def words_left(text: str) -> list[str]:
    """The English words of a text that are not quoted, nor an option, nor a command."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|--\S+|«[^»]*»", "", text)
    return ENGLISH.findall(plain)


def project(**fields: object) -> dict[str, object]:
    return {"version": 2, "tables": {"people": {"source": "people.csv"}}, **fields}


def release(**asked: object) -> object:
    return celosia.anonymize(PEOPLE, quasi_identifiers=["age", "zip"], **asked)


MISTAKES: list[Callable[[], object]] = [
    lambda: celosia.profile_table("nowhere.csv"),
    lambda: release(k=9),
    lambda: release(k=2, sensitive=["age"]),
    lambda: release(k=2, technique="mondrain"),
    lambda: release(k=2, technique="mondrian", suppression=0.5),
    lambda: release(k=2, technique="mondrian", node=(0, 1)),
    lambda: release(k=2, measure="los"),
    lambda: release(k=2, weights={"ill": 2}),
    lambda: release(k=2, hierarchies={"age": [("34", "*")]}),
    release,
    lambda: celosia.anonymize(PEOPLE, quasi_identifiers=["agee"], k=2),
    lambda: celosia.anonymize(PEOPLE, quasi_identifiers=[], k=2),
    lambda: make_operation("rund"),
    lambda: make_operation("round", too=10),
    lambda: make_operation("round", to=0),
    lambda: make_operation("round", to="ten"),
    lambda: make_operation("code"),
    lambda: make_operation("pseudonymize", length=500),
    lambda: make_perturbation("mdav", k=1),
    lambda: make_perturbation("rank-swaping"),
    lambda: parse_model("k", "1"),
    lambda: parse_model("k", "five"),
    lambda: parse_model("t", "0.2", ["disease", "salary"]),
    lambda: taxonomy("place", {"Spain": {"Galicia": ["Lugo"]}, "Andorra": ["Lugo"]}),
    lambda: celosia.mask_columns(PEOPLE, {"age": {"name": "generalize", "level": 1}}),
    lambda: celosia.mask_columns(PEOPLE, {"agee": "suppress"}),
    lambda: make_project(**project(k=5)),
    lambda: make_project(**project(version=99)),
    lambda: make_project(**project(models=[{"model": "k-anonymity", "k": "many"}])),
    lambda: make_project(**project(models=[{"model": "k-anonymity", "kk": 5}])),
    lambda: make_project(**project(suppression=2)),
    lambda: make_project(**project(tables={"people": {"source": "a.csv", "columns": {"age": "quasi"}}})),
    lambda: make_project(**project(tables=[])),
]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_comes_out_in_spanish_as_a_whole(mistake):
    with pytest.raises(CelosiaError) as raised:
        mistake()
    told = SPANISH.error(raised.value)
    assert told.what != raised.value.what
    assert not words_left(told.what), (raised.value.what, told.what)
    assert not words_left(told.remedy), (raised.value.remedy, told.remedy)
    assert not words_left(told.where), told.where


def test_what_is_found_about_columns_comes_out_in_spanish():
    for column in celosia.profile_table(discharges(200)).columns:
        for reason in column.reasons:
            assert not words_left(SPANISH.render(str(reason))), str(reason)


@pytest.mark.parametrize(
    ("column", "values", "kind"),
    [
        ("zip", ["28001", "28004", "08001"], ColumnType.TEXT),
        ("sex", ["F", "M"], ColumnType.TEXT),
        ("age", [str(age) for age in range(20, 60)], ColumnType.INTEGER),
        ("born", ["2021-03-04", "2022-11-30"], ColumnType.DATE),
        ("code", [f"J{n}.1" for n in range(10, 40)], ColumnType.TEXT),
        ("note", [f"some text {n}" for n in range(30)], ColumnType.TEXT),
    ],
)
def test_why_a_hierarchy_is_proposed_comes_out_in_spanish(column, values, kind):
    reason = propose(column, values, type=kind).reason
    assert SPANISH.render(reason) != reason
    assert not words_left(SPANISH.render(reason))


def test_what_is_wrong_with_a_hierarchy_comes_out_in_spanish():
    rows = [("Ávila", "León", "x"), ("Soria", "", "x"), ("Lugo", "Galicia", "y"), ("Vigo", "Galicia", "z")]
    problems = check(rows, ["Ávila", "Soria", "Lugo", "Teruel", "Ejea"])
    assert len(problems) > 2
    for problem in problems:
        for text in (problem.what, problem.remedy):
            assert not words_left(SPANISH.render(text)), (text, SPANISH.render(text))


@pytest.mark.parametrize("technique", ["full-domain", "local", "mondrian", "top-down", "two-phase"])
def test_what_a_release_says_of_itself_comes_out_in_spanish(technique):
    people = discharges(150).select("age", "sex", "postcode", "diagnosis")
    made = celosia.anonymize(
        people,
        quasi_identifiers=["age", "sex", "postcode"],
        sensitive=["diagnosis"],
        k=3,
        technique=technique,
        models=[celosia.DistinctLDiversity(column="diagnosis", l=2)],
    )
    plan = made.technique_plan
    texts = [finding.text for finding in made.verification.findings]
    texts += [*plan.shown.values(), *plan.reasons.values(), plan.note, made.record["order"]]
    for text in filter(None, texts):
        assert SPANISH.render(text) != text
        assert not words_left(SPANISH.render(text)), (text, SPANISH.render(text))


def test_what_operations_and_perturbations_say_of_themselves_comes_out_in_spanish():
    for one in operations().values():
        assert not words_left(SPANISH.render(one.leaks)), one.leaks
        assert not words_left(SPANISH.render(one.reversible)), one.reversible
    for each in perturbations().values():
        for text in (each.keeps, each.missing, each.caution):
            assert not words_left(SPANISH.render(text)), text


def test_names_and_values_stay_as_they_are():
    text = say("column {name!r} does not exist", name="male or female")
    assert SPANISH.render(text) == "la columna 'male or female' no existe"
    assert SPANISH.render("male or female") == "male or female"


def test_braces_in_a_value_are_no_places():
    text = say("column {name!r} does not exist", name="{0}")
    assert SPANISH.render(text) == "la columna '{0}' no existe"


def test_a_sentence_of_another_system_stays_as_it_is():
    text = "Connection refused: the peer at 10.0.0.1 and its friends do not answer"
    assert SPANISH.render(text) == text
    assert Words("en").render(text) == text


def test_numbers_are_written_in_the_way_of_the_reader():
    text = Text(
        "{rows:,} rows, {share:.1%}, {loss:.2f}, {few:,}",
        {"rows": 12345, "share": 0.5, "loss": 1.5, "few": 9999},
    )
    assert text == "12,345 rows, 50.0%, 1.50, 9,999"
    assert SPANISH.render(text) == "12.345 rows, 50,0\N{NO-BREAK SPACE}%, 1,50, 9999"


def test_texts_in_texts_and_in_a_row_are_rendered_too():
    inner = say("column {name!r} does not exist", name="a")
    outer = join_texts("; ", [inner, "b.csv"])
    assert outer == "column 'a' does not exist; b.csv"
    assert SPANISH.render(outer) == "la columna 'a' no existe; b.csv"
    assert SPANISH.render(Text("({inner})", {"inner": inner})) == "(la columna 'a' no existe)"


def test_a_text_remembers_itself_through_pickle_and_json():
    for text in (
        say("column {name!r} does not exist", name="a"),
        say_count("{count} row", "{count} rows", 2),
        join_texts(", ", [say("a text"), "b"]),
    ):
        again = pickle.loads(pickle.dumps(text))
        kept = restore_texts(json.loads(json.dumps(keep_texts({"deep": [{"text": text}], "own": "a"}))))
        for other in (again, copy.deepcopy(text), kept["deep"][0]["text"]):
            assert other == text
            assert SPANISH.render(other) == SPANISH.render(text)
        assert type(kept["own"]) is str


@pytest.mark.parametrize(
    ("template", "values", "shown"),
    [
        (
            "as in -t {column}=ordered:{t:g}:low,high",
            {"column": "pay", "t": 0.2},
            "as in -t pay=ordered:0.2:low,high",
        ),
        ("try -t {t}, {rows:,} rows", {"t": 0.25, "rows": 12345}, "try -t 0.25, 12.345 rows"),
        ("use --memory {size}", {"size": 1.5}, "use --memory 1.5"),
        ("step={step}", {"step": 0.5}, "step=0.5"),
        ("distance: {far:g}", {"far": 0.2}, "distance: 0,2"),
    ],
)
def test_a_number_to_paste_is_written_as_programs_read_it(template, values, shown):
    assert SPANISH.render(say(template, **values)) == shown


def test_what_spanish_readers_are_told_to_write_can_be_pasted():
    model = TCloseness(column="pay", t=0.2, distance="ordered")
    with pytest.raises(CelosiaError) as error:
        model.check_values(["much", "little"])
    assert "-t pay=ordered:0.2:low,middle,high" in str(SPANISH.error(error.value))
