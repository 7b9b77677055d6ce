"""What takes longer than a page may wait is done apart, in a thread of its own."""

from collections.abc import Callable
from typing import TypeVar, cast

from nicegui import run

__all__ = ["in_thread"]

Found = TypeVar("Found")


async def in_thread(call: Callable[..., Found], *arguments: object) -> Found:
    """What a call answers, while others are served."""
    # Nothing comes back only when the service stops, and then nobody is left to see it.
    return cast("Found", await run.io_bound(call, *arguments))
