"""What there is to translate is found wherever the code says it."""

import ast

import pytest

from celosia.words import error_templates, library_texts, progress_texts
from celosia.words.expressions import assigned, texts_of


def texts(code: str) -> list[str]:
    """The texts that the argument of ``say`` may be, in a function with this body."""
    function = ast.parse("def f(given):\n" + "\n".join(f"    {line}" for line in code.splitlines()))
    call = next(
        node for node in ast.walk(function) if isinstance(node, ast.Call) and ast.unparse(node.func) == "say"
    )
    return list(texts_of(call.args[0], assigned(function)))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("say('plain')", ["plain"]),
        ("say(f'{given} exists')", ["{0} exists"]),
        ("say(f'{given!r} of {given:,}')", ["{0} of {1}"]),
        ("say('one' if given else 'two')", ["one", "two"]),
        ("say(f'a {given}' + (' more' if given else ''))", ["a {0} more", "a {0}"]),
        ("what = f'no {given}'\nsay(what)", ["no {0}"]),
        ("noun = 'row' if given == 1 else 'rows'\nsay(f'{given} {noun}')", ["{0} row", "{0} rows"]),
        ("say(given or 'nothing')", ["nothing"]),
        ("say(given)", []),
    ],
)
def test_an_expression_is_all_the_texts_it_may_become(code, expected):
    assert texts(code) == expected


def test_a_name_that_a_caller_may_give_is_a_place():
    assert texts("given = 'known' if given else given\nsay(f'it is {given}')") == ["it is {0}"]


def test_mistakes_are_found_with_what_to_do():
    found = error_templates()
    assert "column {0} does not exist" in found
    assert "give one level per column: {0}" in found


def test_mistakes_are_found_that_another_function_makes():
    assert "a second document begins here" in error_templates()


def test_stages_are_found_by_the_constants_that_name_them():
    assert {"searching", "trying values of k", "profile {0}"} <= progress_texts()


@pytest.mark.parametrize(
    "text",
    [
        "the name says {0}, {1}",
        "a date of birth",
        "Spanish DNI numbers",
        "dates from {0} to {1}: longer and longer periods",
        "keep one row per value ({0} has {1})",
        "rounded to {0}",
        "which rows have the same value, and so how common each is",
        "{0}: asked {1}, reached {2}; {3} classes violate it",
        "each person hides among at least {0} rows",
        "hierarchy of {0}",
    ],
)
def test_reasons_problems_findings_and_facts_are_found(text):
    assert text in library_texts()
