"""What separates the fields of a text file, told from its first lines."""

import csv
import io

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.records import mark_lines

__all__ = ["check_separator", "sniff_separator", "split_records"]

_CANDIDATES = (",", ";", "\t", "|")


def split_records(text: str, separator: str) -> tuple[list[list[str]], list[int]]:
    """The records of a text with the number of the line that each ends in; blank lines are left out.

    >>> split_records('a||b\\n"c||d"||e\\n', "||")
    ([['a', 'b'], ['c||d', 'e']], [1, 2])
    """
    lines, mark = mark_lines(iter(io.StringIO(text, newline="\n")), separator)
    rows = csv.reader(lines, delimiter=mark)
    records, ends = [], []
    for row in rows:
        if row:
            records.append([field.replace(mark, separator) for field in row])
            ends.append(rows.line_num)
    return records, ends


def sniff_separator(text: str) -> str:
    """The separator of the first lines of a file: the one that cuts most lines into as many fields as the first.

    >>> sniff_separator("name;age\\nAna;31,5\\n"), sniff_separator("39, Private\\n50, Private\\n")
    (';', ', ')
    """
    best, best_score = "", (0.0, 0)
    for candidate in _CANDIDATES:
        try:
            widths = [len(row) for row in split_records(text, candidate)[0]]
        except csv.Error:
            continue
        if widths and widths[0] > 1:
            score = (sum(width == widths[0] for width in widths) / len(widths), widths[0])
            best, best_score = max((best, best_score), (candidate, score), key=lambda pair: pair[1])
    if not best:
        return next((candidate for candidate in _CANDIDATES if candidate not in text), ",")
    spaced = best + " "
    if best == "," and '"' not in text and text.count(spaced) == text.count(best):
        return spaced
    return best


def check_separator(separator: str, *, where: str = "") -> str:
    """The separator, if fields can be told apart with it.

    >>> check_separator('"')
    Traceback (most recent call last):
    ...
    celosia.errors.TableError: '"' cannot separate fields; choose for example ',' or ';' or '||'
    """
    if not separator or set(separator) & set('"\r\n'):
        raise TableError(
            say("{separator!r} cannot separate fields", separator=separator),
            where=where,
            remedy=say("choose for example ',' or ';' or '||'"),
        )
    return separator
