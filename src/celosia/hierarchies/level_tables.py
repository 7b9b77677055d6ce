"""Level tables as text: one line per value, its labels up to the root, any separator between them."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from itertools import islice

from celosia.errors import HierarchyError
from celosia.say import say

__all__ = ["parse_levels", "sniff_separator", "spell_levels"]

SEPARATORS = (";", "\t", "|", ",", "||", "::", ";;")
SAMPLE = 2000


def parse_levels(text: str, separator: str | None = None, *, where: str = "") -> list[tuple[str, ...]]:
    """The paths in a level table; without a ``separator`` the one that fits is taken.

    Blank lines, empty cells at the end of a line and a first line ``level0;level1;...`` are passed over.

    >>> parse_levels("level0,level1\\nF,*\\nM,*")
    [('F', '*'), ('M', '*')]
    >>> parse_levels("Single::*\\nWidowed::Was married::*")
    [('Single', '*'), ('Widowed', 'Was married', '*')]
    """
    if separator is None:
        separator = sniff_separator(text)
    if not separator or set(separator) & set('"\r\n'):
        raise HierarchyError(
            say("{separator!r} cannot separate labels", separator=separator),
            where=where,
            remedy=say("use ; for example"),
        )
    try:
        rows = [_trim(cells) for cells in _cells(text, separator) if cells]
    except csv.Error as error:
        raise HierarchyError(
            say("it is no level table: {cause}", cause=error), where=where, remedy=say("is it a text file?")
        ) from None
    return rows[1:] if rows and _is_header(rows[0]) else rows


def sniff_separator(text: str) -> str:
    """The separator that best explains a level table.

    In this order: it splits every line and leaves no label empty, last labels agree, lines are equally long.

    >>> sniff_separator("31;[30, 40[;*\\n44;[40, 50[;*")
    ';'
    """
    best, best_fit = SEPARATORS[0], (False, False, False)
    for separator in SEPARATORS:
        fit = _fit(text, separator)
        if fit > best_fit:
            best, best_fit = separator, fit
    return best


def spell_levels(rows: Sequence[Sequence[str]], separator: str = ";") -> str:
    """The level table of these paths, without a header.

    >>> spell_levels([("31", "[30, 40[", "*")])
    '31;"[30, 40[";*\\n'
    """
    # Whatever another separator could split is quoted, so that sniffing cannot go wrong on our own files.
    special = re.compile(f'[{re.escape("".join((*SEPARATORS, separator)))}"\r\n\ufeff]|^\\s|\\s$|^$')
    lines = [[f"level{level}" for level in range(len(rows[0]))]] if rows and _is_header(rows[0]) else []
    quoted = ([_quote(cell) if special.search(cell) else cell for cell in path] for path in (*lines, *rows))
    return "".join(separator.join(cells) + "\n" for cells in quoted)


def _quote(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def _cells(text: str, separator: str, *, strict: bool = False) -> Iterable[list[str]]:
    if len(separator) == 1:
        return csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=strict)
    # The reader takes one character: lend it one that the text does not use, and put the separator back where
    # a quoted cell contained it.
    lent = next(chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in text)
    reader = csv.reader(io.StringIO(text.replace(separator, lent), newline=""), delimiter=lent, strict=strict)
    return ([cell.replace(lent, separator) for cell in cells] for cells in reader)


def _trim(cells: Sequence[str]) -> tuple[str, ...]:
    """Without the empty cells at the end that spreadsheets add to shorter lines; the value stays."""
    if cells[-1]:
        return tuple(cells)
    last = max((place for place, cell in enumerate(cells) if cell), default=0)
    return tuple(cells[: last + 1])


def _is_header(cells: Sequence[str]) -> bool:
    names = [re.fullmatch(r"(level|nivel)[ _-]?([0-9]+)", cell.strip(), re.IGNORECASE) for cell in cells]
    numbers = [int(name[2]) if name else -1 for name in names]
    return numbers[0] in {0, 1} and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _fit(text: str, separator: str) -> tuple[bool, bool, bool]:
    try:
        rows = [_trim(cells) for cells in islice(_cells(text, separator, strict=True), SAMPLE) if cells]
    except csv.Error:
        return (False, False, False)
    if rows and _is_header(rows[0]) and len(rows[0]) > 1:
        return (True, True, True)
    splits = bool(rows) and all(len(cells) > 1 and all(cells[1:]) for cells in rows)
    return (
        splits,
        splits and len({cells[-1] for cells in rows}) == 1,
        splits and len(set(map(len, rows))) == 1,
    )
