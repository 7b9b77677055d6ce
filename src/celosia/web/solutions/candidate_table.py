"""Every candidate in a table that sorts and turns its pages; also the way to them without a mouse."""

from collections.abc import Callable, Sequence
from html import escape

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from celosia.concepts import ConceptKind, concept
from celosia.server.work.results import CandidateResult, CandidatesResult
from celosia.web.solutions.candidate_texts import level_word, measure_word, risk_word
from celosia.web.solutions.candidates import in_order
from celosia.words import Words, phrase

__all__ = ["CandidateTable", "table_html"]

PAGE = 20
FILTERS = {
    "valid": phrase("that keep your promises"),
    "frontier": phrase("on the frontier"),
    "all": phrase("all, also those that do not keep them"),
}
CLICK = """(event) => {
    const found = event.target.closest('button[data-do]');
    if (found) emit(found.dataset.do);
}"""


class CandidateTable:
    """The table; ``chosen`` is told the number of a candidate that somebody picks."""

    def __init__(self, words: Words, explored: CandidatesResult, chosen: Callable[[int], None]) -> None:
        self._words, self._found, self._chosen = words, explored, chosen
        self._numbers = {
            tuple(candidate["node"]): number for number, candidate in enumerate(explored["candidates"])
        }
        self._by, self._is_falling, self._page, self._picked = f"measure {explored['measure']}", False, 0, -1
        self._filter, self._all_measures = "valid" if explored["valid"] else "all", False
        self._build()

    def _build(self) -> None:
        words = self._words
        with ui.element("div").classes("table-tools"):
            options = {name: words(text) for name, text in FILTERS.items()}
            filtered = ui.select(
                options, label=words("Solutions"), value=self._filter, on_change=self._filtered
            )
            filtered.props("outlined dense").classes("choice")
            ui.switch(words("All measures"), on_change=self._widened)
        self._body = ui.html("", sanitize=False).classes("table-scroll")
        self._body.props("tabindex=0 role=region")
        self._body.props["aria-label"] = words("All solutions")
        self._body.on("click", lambda event: self._do(str(event.args)), js_handler=CLICK)
        with ui.element("nav").classes("pager") as pager:
            pager.props["aria-label"] = words("Pages of the table")
            self._back = ui.button(words("Previous"), on_click=lambda: self._turn(-1))
            self._where = ui.label("").props("aria-live=polite")
            self._next = ui.button(words("Next"), on_click=lambda: self._turn(1))
            for button in (self._back, self._next):
                button.props("flat dense no-caps color=secondary")
        self.show()

    def pick(self, number: int) -> None:
        """Mark a candidate that was picked elsewhere, on the page on which it stands."""
        self._picked = number
        rows = self._rows()
        node = self._found["candidates"][number]["node"]
        place = next((place for place, row in enumerate(rows) if row["node"] == node), None)
        if place is not None:
            self._page = place // PAGE
        self.show()

    def show(self) -> None:
        """Fill the page that is open."""
        rows = self._rows()
        pages = max(1, -(-len(rows) // PAGE))
        self._page = min(max(self._page, 0), pages - 1)
        first = self._page * PAGE
        shown = [(self._numbers[tuple(row["node"])], row) for row in rows[first : first + PAGE]]
        self._body.set_content(
            table_html(
                self._words,
                self._found,
                shown,
                measures=self._measures(),
                by=self._by,
                is_falling=self._is_falling,
                picked=self._picked,
                first=first + 1,
                has_validity=self._filter == "all",
            )
        )
        words, number = self._words, self._words.number
        self._where.set_text(
            words(
                "{first} to {last} of {all}",
                first=number(min(first + 1, len(rows))),
                last=number(min(first + PAGE, len(rows))),
                all=number(len(rows)),
            )
        )
        self._back.set_enabled(self._page > 0)
        self._next.set_enabled(self._page < pages - 1)

    def _measures(self) -> list[str]:
        own = self._found["measure"]
        others = [name for name in self._found["candidates"][0]["measures"] if name != own]
        return [own, *others] if self._all_measures else [own]

    def _rows(self) -> list[CandidateResult]:
        rows: Sequence[CandidateResult] = self._found["candidates"]
        if self._filter == "valid":
            rows = [row for row in rows if row["valid"]]
        elif self._filter == "frontier":
            front = {tuple(node) for node in self._found["frontier"]}
            rows = [row for row in rows if tuple(row["node"]) in front]
        return in_order(rows, self._by, is_falling=self._is_falling)

    def _do(self, action: str) -> None:
        kind, _, value = action.partition(":")
        if kind == "pick" and value.isdigit() and int(value) < len(self._found["candidates"]):
            self._picked = int(value)
            self.show()
            self._focus(action)
            self._chosen(int(value))
        elif kind == "sort" and value in self._sortable():
            self._is_falling = not self._is_falling if value == self._by else False
            self._by, self._page = value, 0
            self.show()
            self._focus(action)

    def _sortable(self) -> list[str]:
        levels = [f"level {place}" for place in range(len(self._found["columns"]))]
        return [*levels, "valid", "suppressed", "risk", *(f"measure {name}" for name in self._measures())]

    def _focus(self, control: str) -> None:
        """The button that was pressed was drawn anew: whoever uses the keyboard goes on from there."""
        ui.run_javascript(f"document.querySelector('.table-scroll button[data-do=\"{control}\"]')?.focus()")

    def _turn(self, by: int) -> None:
        self._page += by
        self.show()

    def _filtered(self, event: ValueChangeEventArguments[str]) -> None:
        self._filter, self._page = event.value, 0
        self.show()

    def _widened(self, event: ValueChangeEventArguments[bool | None]) -> None:
        self._all_measures = bool(event.value)
        self.show()


def table_html(
    words: Words,
    explored: CandidatesResult,
    rows: Sequence[tuple[int, CandidateResult]],
    *,
    measures: Sequence[str],
    by: str,
    is_falling: bool,
    picked: int,
    first: int = 1,
    has_validity: bool = True,
) -> str:
    """The table as HTML; whatever comes from a table of people is escaped."""
    titles = {name: concept(ConceptKind.MEASURE, name, words).title for name in measures}
    heads = [
        *((f"measure {name}", titles[name]) for name in measures),
        ("risk", words("Average risk")),
        ("suppressed", words("Rows left out")),
        *([("valid", words("Promises"))] if has_validity else []),
        *((f"level {place}", column) for place, column in enumerate(explored["columns"])),
    ]
    numeric = len(measures) + 2
    head = "".join(
        _head(words, key, title, by=by, is_falling=is_falling, is_number=place < numeric)
        for place, (key, title) in enumerate(heads)
    )
    body = "".join(
        _row(
            words,
            explored,
            number,
            candidate,
            place=place,
            measures=measures,
            is_picked=number == picked,
            has_validity=has_validity,
        )
        for place, (number, candidate) in enumerate(rows, first)
    )
    show = escape(words("Show"))
    return (
        f'<table class="candidates"><thead><tr><th scope="col">{show}</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _head(words: Words, key: str, title: str, *, by: str, is_falling: bool, is_number: bool) -> str:
    is_sorted = key == by
    order = ("descending" if is_falling else "ascending") if is_sorted else "none"
    mark = ("▼" if is_falling else "▲") if is_sorted else ""
    side = ' class="number"' if is_number else ""
    label = escape(words("Sort by {column}", column=title), quote=True)
    return (
        f'<th scope="col" aria-sort="{order}"{side}><button type="button" data-do="sort:{key}" '
        f'aria-label="{label}">{escape(title)}<span aria-hidden="true"> {mark}</span></button></th>'
    )


def _row(
    words: Words,
    explored: CandidatesResult,
    number: int,
    candidate: CandidateResult,
    *,
    place: int,
    measures: Sequence[str],
    is_picked: bool,
    has_validity: bool,
) -> str:
    levels = "".join(
        f"<td{_quiet(level)}>{escape(level_word(words, explored, column, level))}</td>"
        for column, level in zip(explored["columns"], candidate["node"], strict=True)
    )
    kept = words("all kept") if candidate["valid"] else words("not all kept")
    is_best = candidate["node"] == explored["best"]
    star = f'<span class="star">★ {escape(words("best"))}</span>' if is_best else ""
    figures = [
        *(measure_word(words, name, candidate["measures"][name]) for name in measures),
        risk_word(words, candidate["risk"]),
        words.number(candidate["suppressed"]),
    ]
    numbers = "".join(f'<td class="number">{escape(figure)}</td>' for figure in figures)
    validity = f"<td>{escape(kept)}</td>" if has_validity else ""
    label = escape(words("Show solution {number}", number=place), quote=True)
    picked = ' class="picked"' if is_picked else ""
    pressed = "true" if is_picked else "false"
    return (
        f'<tr{picked}><th scope="row"><button type="button" data-do="pick:{number}" aria-label="{label}" '
        f'aria-pressed="{pressed}">{words.number(place)}</button>{star}</th>{numbers}{validity}{levels}</tr>'
    )


def _quiet(level: int) -> str:
    return ' class="quiet"' if level == 0 else ""
