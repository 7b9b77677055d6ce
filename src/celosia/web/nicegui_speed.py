"""What makes pages quick to build where NiceGUI does the same work again for every element."""

from collections.abc import Callable
from inspect import signature
from types import FunctionType, MethodType
from typing import Any

__all__ = ["remember_signatures"]


def remember_signatures() -> None:
    """Let NiceGUI look at the signature of a method once, not three times for every element.

    It asks whether a handler of its own takes arguments, which is the same for all elements of a class: a third of the
    time in which a page is built. That function is a part of NiceGUI that may change: where it is no longer what it was
    in version 3 (see pyproject.toml), it is left alone.
    """
    from nicegui import helpers

    asked: Callable[[Any], bool] | None = getattr(helpers, "expects_arguments", None)
    if asked is None or hasattr(asked, "known") or list(signature(asked).parameters) != ["func"]:
        return
    known: dict[FunctionType, bool] = {}

    def expects_arguments(func: Any) -> bool:
        if not isinstance(func, MethodType) or not isinstance(func.__func__, FunctionType):
            return asked(func)
        if func.__func__ not in known:
            known[func.__func__] = asked(func)
        return known[func.__func__]

    expects_arguments.known = known  # type: ignore[attr-defined]
    helpers.expects_arguments = expects_arguments
