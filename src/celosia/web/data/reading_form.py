"""How a file of text is read, with what was found out: separator, encoding, header, numbers, dates, missing values."""

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui

from celosia.api.opening import TextLayout
from celosia.errors import CelosiaError
from celosia.server.reading import ENCODINGS, layout_of_file
from celosia.server.workspace import DATA
from celosia.types import MISSING_MARKERS
from celosia.web.error_boundary import ErrorBoundary
from celosia.web.page_context import PageContext
from celosia.words import phrase

__all__ = ["show_reading", "source_of"]

SEPARATORS = {
    ",": phrase("comma"),
    ";": phrase("semicolon"),
    "\t": phrase("tabulator"),
    "|": phrase("vertical bar"),
    ", ": phrase("comma and blank"),
}


FOUND = "found"
DECIMALS = {",": phrase("comma"), ".": phrase("point")}
THOUSANDS = {".": phrase("point"), ",": phrase("comma"), " ": phrase("blank"), "'": phrase("apostrophe")}
DATES = {
    "day-first": phrase("day first"),
    "month-first": phrase("month first"),
    "year-first": phrase("year first"),
}
HEADERS = {"yes": phrase("yes"), "no": phrase("no")}


def source_of(path: str, chosen: Mapping[str, Any]) -> str | dict[str, Any]:
    """What a document says of a file; what a reader is to find out by itself is left out.

    >>> source_of("a.csv", {"separator": FOUND, "header": FOUND, "missing": ""})
    'a.csv'
    >>> source_of("a.csv", {"separator": ";", "header": "no", "date_format": "day-first", "missing": "-"})
    {'path': 'a.csv', 'separator': ';', 'header': False, 'date_format': 'day-first', 'missing': ['', '-']}
    """
    said: dict[str, Any] = {"path": path}
    for name, value in chosen.items():
        if name == "missing":
            markers = ["", *(part.strip() for part in str(value).split(";") if part.strip())]
            if markers not in ([""], list(MISSING_MARKERS)):
                said["missing"] = markers
        elif value != FOUND:
            said[name] = value == "yes" if name == "header" else value
    return path if set(said) == {"path"} else said


def show_reading(
    context: PageContext,
    table: str,
    source: Any,
    changed: Callable[[], Any],
    reading: Mapping[str, Any] | None = None,
) -> None:
    """The form, folded up, for a file of text; nothing for any other table.

    ``reading`` is what a look at the whole file found out; where that leaves something open, the form is not folded.
    """
    said = source if isinstance(source, Mapping) else {"path": source}
    path = str(said.get("path") or "")
    if not path.startswith(f"{DATA}/"):
        return
    try:
        found = layout_of_file(
            context.service, context.user, context.project.id, path.removeprefix(f"{DATA}/")
        )
    except CelosiaError:
        return
    if found is not None:
        doubts = (reading or {}).get("doubts") or []
        with ui.expansion(context.words("How the file is read"), value=bool(doubts)).classes("reading"):
            _tell(context, found, reading)
            _form(context, table, path, said, changed)


def _tell(context: PageContext, found: TextLayout, reading: Mapping[str, Any] | None) -> None:
    """What was found out, and what is left open."""
    words = context.words
    if reading is None:
        mark = words(SEPARATORS[found.separator]) if found.separator in SEPARATORS else found.separator
        text = words(
            "Found out: separator {separator}, encoding {encoding}.", separator=mark, encoding=found.encoding
        )
        ui.label(text).classes("quiet")
        return
    ui.label(words.render(reading["sentence"])).classes("quiet")
    for doubt in reading["doubts"]:
        ui.label(words.render(doubt["what"])).classes("warning")


def _form(
    context: PageContext,
    table: str,
    path: str,
    said: Mapping[str, Any],
    changed: Callable[[], Any],
) -> None:
    words = context.words
    given = said.get("missing", MISSING_MARKERS)
    markers = "; ".join(each for each in ([given] if isinstance(given, str) else given) if each)
    header = said.get("header")
    fields: dict[str, Any] = {}
    with ui.element("div").classes("form-grid"):
        for name, title, choices in (
            ("separator", words("Separator"), SEPARATORS),
            ("encoding", words("Encoding"), dict(zip(ENCODINGS, ENCODINGS, strict=True))),
            ("header", words("The first row names the columns"), HEADERS),
            ("decimal", words("Before decimals"), DECIMALS),
            ("thousands", words("Between thousands"), THOUSANDS),
            ("date_format", words("Dates"), DATES),
        ):
            now = str(said.get(name) or FOUND)
            if name == "header":
                now = FOUND if header is None else "yes" if header else "no"
            shown = {FOUND: words("found out"), **{key: words(text) for key, text in choices.items()}}
            shown.setdefault(now, now)
            fields[name] = ui.select(shown, value=now, label=title).props("outlined dense")
        fields["missing"] = ui.input(words("Missing values"), value=markers).props("outlined dense")
    ui.label(
        words("Several marks of missing values are parted by semicolons; an empty field is always missing.")
    ).classes("quiet")
    place = ui.element("div")

    def keep() -> None:
        with ErrorBoundary(context, place) as attempt:
            made = source_of(path, {name: field.value or "" for name, field in fields.items()})
            context.change(
                lambda document: document["tables"][table].update(source=made), f"how {table} is read"
            )
            attempt.result = True
        if attempt.result:
            changed()

    ui.button(words("Read it so"), on_click=keep).props("outline no-caps")
