"""The command line, the service and the pages call the api, and nothing behind it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import celosia

SOURCE = Path(celosia.__file__).parent
GROUND = {"say", "words", "errors", "types", "registered", "validation", "machine"}
DOOR = {"api", "concepts"}
"""The api with its lists of what there is, and the list of concepts that explain themselves."""
REACHED = {
    "cli": {*DOOR, *GROUND, "server", "web"},
    "server": {*DOOR, *GROUND},
    "web": {*DOOR, *GROUND, "server"},
}


def imported_rooms(path: Path) -> Iterator[str]:
    """The rooms that a module imports, wherever in its code."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "celosia":
            names = [f"celosia.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith("celosia."))


@pytest.mark.parametrize("front", REACHED)
def test_a_front_end_goes_through_the_door(front):
    allowed = REACHED[front] | {front}
    past = {
        (str(path.relative_to(SOURCE)), room)
        for path in (SOURCE / front).rglob("*.py")
        for room in imported_rooms(path)
        if room not in allowed
    }
    assert past == set()


def test_only_the_list_of_concepts_is_read_beside_the_api():
    modules = {
        node.module
        for front in REACHED
        for path in (SOURCE / front).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("celosia.concepts")
    }
    assert modules == {"celosia.concepts"}


def test_every_type_that_results_are_made_of_can_be_loaded():
    from celosia.api import results

    for name in results.__all__:
        assert getattr(results, name) is not None
    with pytest.raises(AttributeError):
        results.Nothing  # noqa: B018


@pytest.mark.parametrize("path", sorted((SOURCE / "api").glob("*.py")), ids=lambda path: path.stem)
def test_a_module_of_the_api_loads_no_room_before_it_is_called(path):
    loaded = {
        node.module
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("celosia")
    }
    assert {module.split(".")[1] for module in loaded} <= {"api", *GROUND}
