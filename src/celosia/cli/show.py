"""What the commands print: headings, aligned columns, numbers and JSON.

Whatever other rooms said is shown here in the language of the process; documents for programs stay English.

Drawn here and not with rich, whose tables take a second and a half per thousand rows and another 60 ms to import.
"""

import inspect
import json
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import typer

from celosia.cli.language import current_words, figure, render, tr, tr_count
from celosia.words import phrase

__all__ = [
    "docstring",
    "explanation",
    "first_line",
    "heading",
    "per_cent",
    "print_columns",
    "print_json",
    "print_line",
    "print_note",
    "print_wrapped",
    "table_size",
]

NARROWEST = 24
"""The last column is wrapped at the edge of the terminal, but never to less than this."""


TYPES = (phrase("real"), phrase("decimal"), phrase("boolean"), phrase("datetime"))
"""Words for types of columns that are said nowhere else."""


def docstring(described: object) -> str:
    """The docstring of a class without its examples for programs."""
    return inspect.cleandoc(described.__doc__ or "").partition(">>>")[0].strip()


def explanation(described: Any, kind: str) -> str:
    """What a registered class is: its docstring without its examples for programs; its concept in other languages."""
    if current_words().language == "en":
        return docstring(described)
    from celosia.concepts import concept

    text = concept(kind, described.name, current_words())
    return "\n\n".join(filter(None, (text.text, text.example)))


def first_line(described: object, kind: str) -> str:
    """The first line of its explanation: a sentence.

    >>> from celosia.api.registries import privacy_models
    >>> first_line(privacy_models()["k-anonymity"], "privacy model")
    'k-anonymity: every class has at least k rows.'
    """
    line = explanation(described, kind).partition("\n")[0]
    if current_words().language == "en":
        return line
    from celosia.concepts import shorten

    return shorten(line, 0)


def print_json(document: object) -> None:
    """Print a document for programs."""
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False, default=str))


def print_line(text: str = "", *, colour: str | None = None, bold: bool = False) -> None:
    """Print a line, in colour where the terminal has it."""
    shown = render(text)
    typer.echo(typer.style(shown, fg=colour, bold=bold) if colour or bold else shown)


def print_note(text: str) -> None:
    """Print what should be known of an answer to the standard error stream, where programs do not look for answers."""
    typer.echo(tr("note: {note}", note=text), err=True)


def heading(text: str) -> None:
    """Print what the lines that follow are about, after an empty line."""
    print_line()
    print_line(text, bold=True)


def print_wrapped(text: str, *, indent: str = "") -> None:
    """Print a paragraph within the terminal's width.

    >>> print_wrapped("one two", indent="  ")
      one two
    """
    width, shown = _width(), render(text)
    if width is None:
        typer.echo(indent + shown)
    else:
        typer.echo(textwrap.fill(shown, width, initial_indent=indent, subsequent_indent=indent))


def print_columns(
    rows: Sequence[Sequence[str]],
    heads: Sequence[str] = (),
    *,
    right: Iterable[int] = (),
    marked: Iterable[int] = (),
) -> None:
    """Print rows as aligned columns: those in ``right`` to the right, rows in ``marked`` in colour.

    >>> print_columns([("age", "2"), ("zip", "10")], ["column", "level"], right=[1])
      column  level
      age         2
      zip        10
    """
    heads, rows = list(map(render, heads)), [list(map(render, row)) for row in rows]
    every = [heads, *rows] if heads else rows
    if not every:
        return
    widths = [max(map(_cells, column)) for column in zip(*every, strict=True)]
    to_right, coloured = set(right), set(marked)
    if heads:
        typer.echo(typer.style("\n".join(_lines(heads, widths, to_right)), bold=True))
    for number, row in enumerate(rows):
        text = "\n".join(_lines(row, widths, to_right))
        typer.echo(typer.style(text, fg="green", bold=True) if number in coloured else text)


def _lines(row: Sequence[str], widths: Sequence[int], to_right: set[int]) -> list[str]:
    """One row, its last column wrapped where the terminal ends."""
    padded = [
        _pad(text, width, place in to_right)
        for place, (text, width) in enumerate(zip(row, widths, strict=True))
    ]
    before = "  " + "".join(f"{text}  " for text in padded[:-1])
    room = _width()
    if room is None or len(row[-1]) <= max(NARROWEST, room - _cells(before)):
        return [(before + padded[-1]).rstrip()]
    wrapped = textwrap.wrap(row[-1], max(NARROWEST, room - _cells(before))) or [""]
    return [(before if number == 0 else " " * _cells(before)) + line for number, line in enumerate(wrapped)]


def _pad(text: str, width: int, is_right: bool) -> str:
    space = " " * (width - _cells(text))
    return space + text if is_right else text + space


def _cells(text: str) -> int:
    """How many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _width() -> int | None:
    """The width of the terminal; None where the output goes elsewhere and nothing need be wrapped."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def table_size(rows: int, columns: int) -> str:
    """How large a table is.

    >>> table_size(30162, 1)
    '30,162 rows, 1 column'
    """
    tall = tr_count("{count:,} row", "{count:,} rows", rows)
    wide = tr_count("{count:,} column", "{count:,} columns", columns)
    return f"{tall}, {wide}"


def per_cent(share: float) -> str:
    """A share as people read it, never rounded to nothing or to all.

    >>> per_cent(0.2), per_cent(0.01234), per_cent(1), per_cent(0), per_cent(0.00001), per_cent(0.99999)
    ('20 %', '1.23 %', '100 %', '0 %', '< 0.01 %', '> 99.99 %')
    """
    shown = f"{100 * share:.2f}".rstrip("0").rstrip(".")
    if shown == "0" and share > 0:
        return f"< {figure(0.01, '.2f')} %"
    if shown == "100" and share < 1:
        return f"> {figure(99.99, '.2f')} %"
    return f"{figure(float(shown), 'g')} %"
