"""Pages are built quickly, and only where NiceGUI is what it was when that was made."""

import pytest
from nicegui import helpers
from nicegui.helpers.functions import expects_arguments as plain

from celosia.web.nicegui_speed import remember_signatures


class Element:
    def plain(self) -> None: ...

    def with_event(self, event: object) -> None: ...

    def with_default(self, event: object = None) -> None: ...


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What NiceGUI's own function was asked, from now on."""
    calls: list[object] = []

    def counted(func: object) -> bool:
        calls.append(func)
        return plain(func)

    monkeypatch.setattr(helpers, "expects_arguments", counted)
    return calls


def test_a_method_is_looked_at_once_for_all_elements(asked):
    remember_signatures()
    for _ in range(5):
        one = Element()
        assert not helpers.expects_arguments(one.plain)
        assert helpers.expects_arguments(one.with_event)
        assert not helpers.expects_arguments(one.with_default)
    assert len(asked) == 3


def test_functions_are_looked_at_each_time(asked):
    remember_signatures()
    assert [helpers.expects_arguments(one) for one in (lambda: 0, lambda x: x, lambda x=1: x)] == [
        False,
        True,
        False,
    ]
    assert len(asked) == 3


def test_nicegui_still_asks_there(asked):
    """If this fails, NiceGUI has changed: see whether web/nicegui_speed.py still makes pages quicker, or remove it."""
    from nicegui.observables import ObservableList

    remember_signatures()
    ObservableList([], on_change=Element().plain)
    ObservableList([], on_change=Element().plain)
    assert len(asked) == 1


@pytest.mark.parametrize("other", [lambda func, event: True, lambda handler: True])
def test_another_function_of_that_name_is_left_alone(monkeypatch, other):
    monkeypatch.setattr(helpers, "expects_arguments", other)
    remember_signatures()
    assert helpers.expects_arguments is other
    monkeypatch.delattr(helpers, "expects_arguments")
    remember_signatures()
    assert not hasattr(helpers, "expects_arguments")
