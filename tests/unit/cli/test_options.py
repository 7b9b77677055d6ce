"""The same option has the same name and form in every command."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from celosia.cli.app import app

PLACES = {"FILE", "FOLDER", "PLACE", "ADDRESS"}
"""What is written goes to a place; which kind of place depends on the command."""


def commands(command: Any, path: str = "celosia") -> Iterator[tuple[str, Any]]:
    """Every command below one, with what to type for it."""
    inner = getattr(command, "commands", None)
    if not inner:
        yield path, command
        return
    for name, sub in inner.items():
        yield from commands(sub, f"{path} {name}")


def options() -> Iterator[tuple[str, str, Any]]:
    """Every option of every command: command, name, and what Typer knows of it."""
    for path, command in commands(get_command(app)):
        for parameter in command.params:
            for name in parameter.opts if parameter.param_type_name == "option" else ():
                yield path, name, parameter


def form(parameter: Any) -> tuple[object, ...]:
    """What a person writes after an option: what kind of thing, and whether several times."""
    kind = parameter.type_descriptor.annotation
    if parameter.metavar in PLACES:  # a path, or a text where it may be the address of a database
        return "place", parameter.multiple
    return parameter.metavar, kind, parameter.multiple, parameter.is_flag


def test_an_option_has_one_form_in_all_commands():
    forms: dict[str, dict[tuple[object, ...], list[str]]] = defaultdict(lambda: defaultdict(list))
    for path, name, parameter in options():
        forms[name][form(parameter)].append(path)
    assert {name: dict(found) for name, found in forms.items() if len(found) > 1} == {}


@pytest.mark.parametrize("metavar", ["COLUMNS", "NAMES", "NUMBERS", "TECHNIQUES", "TEXTS"])
def test_what_may_be_several_is_parted_by_commas_or_repeated(metavar):
    found = [(path, name) for path, name, each in options() if each.metavar == metavar and not each.multiple]
    assert found == []


def test_shares_are_written_alike():
    found = [(path, name, each) for path, name, each in options() if each.metavar == "SHARE"]
    assert found
    assert [(path, name) for path, name, each in found if each.type_descriptor.annotation is not str] == []


def test_roles_have_the_same_short_names_everywhere():
    names = {name for _, name, _ in options()}
    assert names.isdisjoint({"--quasi-identifiers", "--identifiers", "--quasi-identifier"})
    assert {"--qi", "--sensitive", "--identifier", "--common"} <= names
