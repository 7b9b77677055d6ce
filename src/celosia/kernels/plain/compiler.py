"""The decorators of the loops where they are left as they are."""

from collections.abc import Callable
from typing import TypeVar

__all__ = ["inner", "outer"]

Loop = TypeVar("Loop", bound=Callable[..., object])


def inner(loop: Loop) -> Loop:
    """A loop that only other loops call."""
    return loop


def outer(loop: Loop) -> Loop:
    """A loop that Python calls."""
    return loop
