"""Something that may be a mistake, at a place of a page where it is then said."""

from types import TracebackType
from typing import Any

from nicegui import ui

from celosia.errors import CelosiaError
from celosia.web.page_context import PageContext, show_error

__all__ = ["ErrorBoundary"]


class ErrorBoundary:
    """Mistakes within are shown at a place of the page, which is empty otherwise; ``result`` is what came out."""

    def __init__(self, context: PageContext, place: ui.element) -> None:
        self._visit, self._place = context, place
        self.result: Any = None

    def __enter__(self) -> "ErrorBoundary":
        self._place.clear()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, CelosiaError):
            self.result = None
            with self._place:
                show_error(error, self._visit.words)
            return True
        return False
