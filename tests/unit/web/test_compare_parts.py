"""What the compare page is made of: techniques as text, tables of results, values of k."""

import pytest

from celosia.compare.chain import parse_chain
from celosia.concepts import ConceptKind
from celosia.say import say
from celosia.web.compare.chains import FIRST, StepText, kind_of, read_chain, technique_names, write_chain
from celosia.web.compare.comparison_form import target_of
from celosia.web.compare.comparison_view import details_rows
from celosia.web.compare.study_panel import read_ks
from celosia.web.compare.table_view import statistics_rows
from celosia.words import Words


@pytest.mark.parametrize("text", FIRST)
def test_every_proposed_technique_is_understood(text: str) -> None:
    assert len(parse_chain(text).steps) == 1


@pytest.mark.parametrize("column", ["age", "it's", 'say "k"', "a, b", "x=1 + (y", "[z]", "yes", "3"])
def test_a_technique_reads_back_as_it_was_written(column: str) -> None:
    steps = [StepText("mdav", {"k": 3, "columns": [column]}), StepText("noise", {"percent": 20.5})]
    assert read_chain(write_chain("", steps)) == ("", steps)


def test_a_name_cannot_break_the_text_of_a_technique() -> None:
    name, steps = read_chain(write_chain("a = b (c) 'd'", [StepText("noise")]))
    assert name == "a  b c d"
    assert [step.name for step in steps] == ["noise"]


def test_flags_are_written_as_flags() -> None:
    assert write_chain("", [StepText("mondrian", {"relaxed": True})]) == "mondrian(relaxed=true)"


def test_every_technique_has_a_kind() -> None:
    assert all(kind_of(name) is kind for kind, names in technique_names().items() for name in names)
    assert kind_of("mondrain") is None
    assert "chain" not in technique_names()[ConceptKind.TECHNIQUE]


def test_risks_stand_beside_what_models_make_of_a_table() -> None:
    rows = [
        {
            "table": "original",
            "model": "majority",
            "rows": 10,
            "accuracy": 0.5,
            "linkage": 0.9,
            "why not": None,
        },
        {
            "table": "pram",
            "model": "majority",
            "rows": 0,
            "accuracy": None,
            "linkage": None,
            "why not": say("no row is left"),
        },
    ]
    heads, cells, right = details_rows(rows, Words("es"))
    assert heads[:3] == ["Tabla", "Modelo", "Por qué no hay nada"]
    assert heads[3] == "Exactitud"
    assert len(heads) == 6
    assert cells[1][2] == "no queda ninguna fila"
    assert cells[0][3] == "0,5"
    assert right == [3, 4, 5]


def test_the_class_is_the_first_target_or_the_last_column() -> None:
    assert target_of({"tables": {"people": {"targets": ["b", "a"]}}}, ["a", "b", "c"]) == "b"
    assert target_of({}, ["a", "c"]) == "c"
    assert target_of({}, []) is None


def test_statistics_of_texts_have_no_mean() -> None:
    one = {"job": {"type": "text", "missing": 1, "distinct": 2, "unique": 0, "values": {"cook": 3}}}
    assert statistics_rows(one, Words("en")) == [["job", "text", "1", "2", "0", "", "", "", "", ""]]


@pytest.mark.parametrize(
    ("text", "found"), [("2,5,10", (2, 5, 10)), ("10 5 5", (5, 10)), ("1, 0, x", ()), ("", ())]
)
def test_values_of_k_are_read_from_what_people_write(text: str, found: tuple[int, ...]) -> None:
    assert read_ks(text) == found
