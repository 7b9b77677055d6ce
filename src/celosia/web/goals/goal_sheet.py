"""The goals of a project while somebody sets them: every change is kept at once, and checked against the others."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nicegui import ui

from celosia.api.checking import contradictions
from celosia.errors import CelosiaError
from celosia.server.projects import StoredProject, parsed
from celosia.web.goals.goals import models_of, set_model
from celosia.web.page_context import PageContext, show_error

__all__ = ["GoalSheet", "empty_page"]

PROPOSED = {"model": "k-anonymity", "k": 5}
"""What a project begins with where nobody has asked for anything."""


@dataclass
class GoalSheet:
    """What is asked of one table or of all (None); ``held`` is the project as it was kept last."""

    context: PageContext
    table: str | None
    held: StoredProject
    follow: list[Callable[[], None]] = field(default_factory=list)
    """Called after every change."""
    places: dict[str, Any] = field(default_factory=dict)
    """Where a card says what contradicts something else, by its name."""
    is_proposed: bool = False
    """Whether the first promise is a proposal of ours: it is kept with the first change."""

    @property
    def document(self) -> dict[str, Any]:
        """The document with what is proposed."""
        document = {**self.held.document}
        if self.is_proposed:
            set_model(document, self.table, PROPOSED)
        return document

    @property
    def models(self) -> list[dict[str, Any]]:
        """What is promised."""
        return models_of(self.document, self.table)

    def mistakes(self) -> list[CelosiaError]:
        """What contradicts itself."""
        try:
            return contradictions(parsed(self.document))
        except CelosiaError as error:
            return [error]

    def keep(
        self, change: Callable[[dict[str, Any]], None], remark: str, place: ui.element | None = None
    ) -> bool:
        """Keep a change; what is wrong with it is said at its place."""
        if place is not None:
            place.clear()

        def changed(document: dict[str, Any]) -> None:
            if self.is_proposed:
                set_model(document, self.table, PROPOSED)
            change(document)

        try:
            self.held = self.context.change(changed, remark)
            self.is_proposed = False
        except CelosiaError as error:
            if place is None:
                ui.notify(str(self.context.words.error(error)), type="negative")
            else:
                with place:
                    show_error(error, self.context.words)
            return False
        for follower in self.follow:
            follower()
        return True


def empty_page(title: str, text: str, action: str = "", target: str = "") -> None:
    """A page with nothing on it yet: why, and what to do next."""
    with ui.element("section").classes("empty"):
        ui.label(title).classes("empty-title")
        ui.label(text)
        if action:
            ui.link(action, target).classes("empty-action")
