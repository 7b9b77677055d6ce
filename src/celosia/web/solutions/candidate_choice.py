"""The candidate that somebody looks at: in words, with its figures, and the buttons that release it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from nicegui import ui

from celosia.concepts import ConceptKind, concept
from celosia.server.work.results import CandidateResult, CandidatesResult
from celosia.web.goals.goals import technique_of
from celosia.web.page_context import PageContext
from celosia.web.solutions.candidate_texts import column_sentence, measure_word, risk_word
from celosia.web.solutions.release_panel import ReleasePanel

__all__ = ["CandidateChoice", "chosen_panel"]

PROVEN = ("optimal", "incognito")
"""Searches that find what the whole lattice has as its best."""


@dataclass
class CandidateChoice:
    """The candidate that is looked at, and whoever wants to know of another."""

    explored: CandidatesResult
    number: int
    follow: list[Callable[[int], None]] = field(default_factory=list)

    @property
    def candidate(self) -> CandidateResult:
        """The candidate itself."""
        return self.explored["candidates"][self.number]

    @property
    def is_best(self) -> bool:
        """Whether it is the one that loses least."""
        return bool(self.candidate["node"] == self.explored["best"])

    def pick(self, number: int) -> None:
        """Look at another."""
        self.number = number
        for follower in self.follow:
            follower(number)


def chosen_panel(context: PageContext, table: str, choice: CandidateChoice, *, is_stale: bool) -> None:
    """The candidate in words, and the way to its release."""
    words, explored = context.words, choice.explored
    with ui.element("section").classes("panel chosen") as panel:
        panel.props["aria-label"] = words("The solution you look at")
        told = ui.element("div").props("aria-live=polite")
        releasing = ReleasePanel(
            context, lambda releasing: _buttons(context, table, choice, releasing, is_stale=is_stale)
        )

    def show(_: int) -> None:
        candidate = choice.candidate
        told.clear()
        with told:
            with ui.element("h2"):
                ui.label(words("The best solution") if choice.is_best else words("The solution you look at"))
            with ui.element("ul").classes("columns"):
                for column, level in zip(explored["columns"], candidate["node"], strict=True):
                    with ui.element("li"):
                        ui.label(column_sentence(words, explored, column, level))
            _facts(context, choice)
            if not candidate["valid"]:
                ui.label(
                    words(
                        "It does not keep your promises: more rows would have to be left out than you allow."
                    )
                ).classes("mistake")
        releasing.draw()

    show(choice.number)
    choice.follow.append(show)


def _facts(context: PageContext, choice: CandidateChoice) -> None:
    from html import escape

    words, explored, candidate = context.words, choice.explored, choice.candidate
    rows = candidate["suppressed"]
    facts = (
        (
            concept(ConceptKind.MEASURE, explored["measure"], words).title,
            measure_word(words, explored["measure"], candidate["measures"][explored["measure"]]),
        ),
        (words("Average risk"), risk_word(words, candidate["risk"])),
        (
            words("Rows left out"),
            f"{words.number(rows)} ({words.percent(rows / explored['rows'] if explored['rows'] else 0)})",
        ),
        (words("Groups of people"), words.number(candidate["classes"])),
    )
    items = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    ui.html(f'<dl class="facts">{items}</dl>', sanitize=False)


def _buttons(
    context: PageContext, table: str, choice: CandidateChoice, releasing: ReleasePanel, *, is_stale: bool
) -> None:
    words = context.words
    several = {"table": table} if len(context.project.document["tables"]) > 1 else {}
    search = technique_of(context.project.document, table).get("search", "optimal")
    has_node = technique_of(context.project.document, table).get("node") is not None
    # A search that proves its answer proves it again for the record; others may miss the best.
    is_proven = search in PROVEN and not has_node
    best = (
        {} if is_proven or choice.explored["best"] is None else {"node": choice.explored["best"], **several}
    )
    look = "outline" if is_stale else "unelevated"
    if choice.explored["best"] is None:
        return
    if choice.is_best:
        ui.button(words("Release the best"), on_click=lambda: releasing.begin(**best)).props(
            f"{look} no-caps"
        )
        return
    if choice.candidate["valid"]:
        node = choice.candidate["node"]
        ui.button(words("Release this one"), on_click=lambda: releasing.begin(node=node, **several)).props(
            f"{look} no-caps"
        )
    ui.button(words("Release the best"), on_click=lambda: releasing.begin(**best)).props("flat no-caps")
