"""What makes pages quick to build where NiceGUI does the same work again for every element."""

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

__all__ = ["remember_signatures"]


def remember_signatures() -> None:
    """Let NiceGUI look at the signature of a method once, not three times for every element.

    It asks whether a handler of its own takes arguments, which is the same for all elements of a class: a third of the
    time in which a page is built.
    """
    from nicegui import helpers

    asked: Callable[[Any], bool] = helpers.expects_arguments
    if hasattr(asked, "known"):
        return
    known: dict[FunctionType, bool] = {}

    def expects_arguments(handler: Any) -> bool:
        if not isinstance(handler, MethodType) or not isinstance(handler.__func__, FunctionType):
            return asked(handler)
        if handler.__func__ not in known:
            known[handler.__func__] = asked(handler)
        return known[handler.__func__]

    expects_arguments.known = known  # type: ignore[attr-defined]
    helpers.expects_arguments = expects_arguments  # type: ignore[assignment]
