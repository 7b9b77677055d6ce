"""What the commands print: headings, aligned columns, numbers and JSON.

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

__all__ = [
    "count",
    "explanation",
    "heading",
    "per_cent",
    "print_columns",
    "print_json",
    "print_line",
    "print_wrapped",
]

NARROWEST = 24
"""The last column is wrapped at the edge of the terminal, but never to less than this."""


def explanation(described: type) -> str:
    """The docstring of a class without its examples for programs."""
    return inspect.cleandoc(described.__doc__ or "").partition(">>>")[0].strip()


def print_json(document: Any) -> None:
    """Print a document for programs."""
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False, default=str))


def print_line(text: str = "", *, colour: str | None = None, bold: bool = False) -> None:
    """Print a line, in colour where the terminal has it."""
    typer.echo(typer.style(text, fg=colour, bold=bold) if colour or bold else text)


def heading(text: str) -> None:
    """Print what the lines that follow are about, after an empty line."""
    print_line()
    print_line(text, bold=True)


def print_wrapped(text: str, *, indent: str = "") -> None:
    """Print a paragraph within the terminal's width.

    >>> print_wrapped("one two", indent="  ")
      one two
    """
    width = _width()
    if width is None:
        typer.echo(indent + text)
    else:
        typer.echo(textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent))


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
    every = [list(heads), *rows] if heads else list(rows)
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


def count(number: int, noun: str, nouns: str | None = None) -> str:
    """A number with its noun.

    >>> count(1, "row"), count(30162, "row"), count(2, "class", "classes")
    ('1 row', '30,162 rows', '2 classes')
    """
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def per_cent(share: float) -> str:
    """A share as people read it, never rounded to nothing or to all.

    >>> per_cent(0.2), per_cent(0.01234), per_cent(1), per_cent(0), per_cent(0.00001), per_cent(0.99999)
    ('20 %', '1.23 %', '100 %', '0 %', '< 0.01 %', '> 99.99 %')
    """
    shown = f"{100 * share:.2f}".rstrip("0").rstrip(".")
    if shown == "0" and share > 0:
        return "< 0.01 %"
    if shown == "100" and share < 1:
        return "> 99.99 %"
    return f"{shown} %"
