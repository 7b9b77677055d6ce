"""How a file of text is read: separator, encoding, header and marks of missing values, with what was found out."""

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui

from celosia.errors import CelosiaError
from celosia.server.reading import ENCODINGS, TextFileReading, detect_file
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


def source_of(
    path: str, reading: TextFileReading, *, separator: str, encoding: str, header: bool, missing: str
) -> str | dict[str, Any]:
    r"""What a document says of a file; what a reader finds out by itself is left out.

    >>> source_of("a.csv", TextFileReading(), separator=",", encoding="utf-8", header=True, missing="?; NA")
    'a.csv'
    >>> source_of("a.csv", TextFileReading(), separator=";", encoding="utf-8", header=False, missing="-")
    {'path': 'a.csv', 'separator': ';', 'header': False, 'missing': ['', '-']}
    """
    markers = ["", *(part.strip() for part in missing.split(";") if part.strip())]
    said: dict[str, Any] = {"path": path}
    if separator != reading.separator:
        said["separator"] = separator
    if encoding != "utf-8":
        said["encoding"] = encoding
    if not header:
        said["header"] = False
    if markers != list(MISSING_MARKERS):
        said["missing"] = markers
    return path if set(said) == {"path"} else said


def show_reading(context: PageContext, table: str, source: Any, changed: Callable[[], Any]) -> None:
    """The form, folded up, for a file of text; nothing for any other table."""
    said = source if isinstance(source, Mapping) else {"path": source}
    path = str(said.get("path") or "")
    if not path.startswith(f"{DATA}/"):
        return
    try:
        reading = detect_file(
            context.service, context.user, context.project.id, path.removeprefix(f"{DATA}/")
        )
    except CelosiaError:
        return
    if reading is not None:
        with ui.expansion(context.words("How the file is read")).classes("reading"):
            _form(context, table, path, said, reading, changed)


def _form(
    context: PageContext,
    table: str,
    path: str,
    said: Mapping[str, Any],
    reading: TextFileReading,
    changed: Callable[[], Any],
) -> None:
    words = context.words
    now = str(said.get("separator") or reading.separator)
    separators = {mark: words(title) for mark, title in SEPARATORS.items()}
    separators.setdefault(now, now)
    encodings = dict.fromkeys((*ENCODINGS, str(said.get("encoding", "utf-8"))))
    declared = said.get("missing", MISSING_MARKERS)
    markers = "; ".join(
        marker for marker in ([declared] if isinstance(declared, str) else declared) if marker
    )
    with ui.element("div").classes("form-grid"):
        separator = ui.select(separators, value=now, label=words("Separator"))
        encoding = ui.select(list(encodings), value=said.get("encoding", "utf-8"), label=words("Encoding"))
        missing = ui.input(words("Missing values"), value=markers)
        for field in (separator, encoding, missing):
            field.props("outlined dense")
        header = ui.checkbox(words("The first row names the columns"), value=bool(said.get("header", True)))
    mark = words(SEPARATORS[reading.separator]) if reading.separator in SEPARATORS else reading.separator
    ui.label(
        words(
            "Found out: separator {separator}, encoding {encoding}.",
            separator=mark,
            encoding=reading.encoding,
        )
        + " "
        + words("Several marks of missing values are parted by semicolons; an empty field is always missing.")
    ).classes("quiet")
    place = ui.element("div")

    def keep() -> None:
        with ErrorBoundary(context, place) as attempt:
            source = source_of(
                path,
                reading,
                separator=str(separator.value),
                encoding=str(encoding.value),
                header=bool(header.value),
                missing=str(missing.value or ""),
            )
            context.change(
                lambda document: document["tables"][table].update(source=source), f"how {table} is read"
            )
            attempt.result = True
        if attempt.result:
            changed()

    ui.button(words("Read it so"), on_click=keep).props("outline no-caps")
