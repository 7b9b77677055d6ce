"""What a comparison leaves behind: its tables for papers and programs, and every anonymized table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path

import polars as pl

from celosia.compare.comparison import ORIGINAL, Comparison
from celosia.errors import ProjectError
from celosia.say import say
from celosia.tables import open_table
from celosia.tables.copy import copy_to_file

__all__ = ["TABLE_FORMATS", "as_csv", "as_latex", "as_markdown", "result_tables", "write_tables"]


LONGEST = 200
"""Bytes of a file name; most systems take 255."""


def result_tables(comparison: Comparison) -> dict[str, pl.DataFrame]:
    """The tables of a comparison by the name of their file: tested on rows of each table, and on the original's."""
    return {
        "details": comparison.details(),
        "details-on-original": comparison.details(tested_on="original"),
        "summary": comparison.summary(),
        "summary-on-original": comparison.summary(tested_on="original"),
        "classes": comparison.by_class(),
        "risks": comparison.risks(),
    }


def as_csv(frame: pl.DataFrame) -> str:
    """All digits, commas between them."""
    return frame.write_csv()


def as_markdown(frame: pl.DataFrame) -> str:
    """A table of Markdown, numbers to the right.

    >>> print(as_markdown(pl.DataFrame({"table": ["a|b"], "accuracy": [0.98765]})), end="")
    | table | accuracy |
    | --- | ---: |
    | a\\|b | 0.9877 |
    """
    head, rows = _texts(frame)
    lines = [head, ["---:" if dtype.is_numeric() else "---" for dtype in frame.dtypes]]
    lines += [[text.replace("\\", "\\\\").replace("|", "\\|") for text in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def as_latex(frame: pl.DataFrame) -> str:
    """A table of LaTeX, for the package booktabs.

    >>> print(as_latex(pl.DataFrame({"table": ["a_b"], "rows": [3]})), end="")
    \\begin{tabular}{lr}
    \\toprule
    table & rows \\\\
    \\midrule
    a\\_b & 3 \\\\
    \\bottomrule
    \\end{tabular}
    """
    head, rows = _texts(frame)
    columns = "".join("r" if dtype.is_numeric() else "l" for dtype in frame.dtypes)
    lines = [_guarded(" & ".join(map(_escaped, row))) + r" \\" for row in (head, *rows)]
    inside = "\n".join([r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"])
    return f"\\begin{{tabular}}{{{columns}}}\n{inside}\n\\end{{tabular}}\n"


TABLE_FORMATS: Mapping[str, Callable[[pl.DataFrame], str]] = {
    "csv": as_csv,
    "tex": as_latex,
    "md": as_markdown,
}
"""How tables are written, by the ending of the file."""


def write_tables(
    comparison: Comparison, folder: Path, *, ending: str = "arff", overwrite: bool = False
) -> Iterator[Path]:
    """Write every anonymized table into a folder under its own name; yields where each is.

    Only their owner may read them: anonymized is what they are meant to be, not what is proven.
    """
    if ending not in ("arff", "csv"):
        raise ProjectError(
            say("there is no format {ending!r}", ending=ending),
            where="--table-format",
            remedy=say("choose arff or csv"),
        )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    names = [name for name in comparison.tables if name != ORIGINAL]
    for name, spelt in zip(names, _spellings(names), strict=True):
        candidate, path = comparison.tables[name], folder / f"{spelt}.{ending}"
        copy_to_file(open_table(candidate.frame), path, overwrite=overwrite)
        yield path


def _spelt(name: str) -> str:
    """A name as a file can have it.

    >>> _spelt("mdav(k=3) + noise")
    'mdav(k=3) + noise'
    >>> _spelt("../a/b")
    '__a_b'
    """
    return "".join(
        "_" if letter in '/\\:*?"<>|' or not letter.isprintable() else letter for letter in name
    ).replace("..", "_")


def _spellings(names: Sequence[str]) -> list[str]:
    """The names of files for tables, short enough and each another, also where capitals do not tell them apart.

    >>> _spellings(["a/b", "a:b", "A_b", "mdav"])
    ['a_b', 'a_b (2)', 'A_b (3)', 'mdav']
    """
    spellings: list[str] = []
    taken: set[str] = set()
    for name in names:
        short, number = _shortened(_spelt(name)), 1
        spelt = short
        while spelt.casefold() in taken:
            number += 1
            spelt = f"{short} ({number})"
        taken.add(spelt.casefold())
        spellings.append(spelt)
    return spellings


def _shortened(name: str) -> str:
    """At most so many bytes of a name that an ending and a number have room too."""
    return name.encode()[:LONGEST].decode(errors="ignore").strip() or "table"


def _texts(frame: pl.DataFrame) -> tuple[list[str], list[list[str]]]:
    return frame.columns, [[_text(value) for value in row] for row in frame.rows()]


def _text(value: object) -> str:
    """Four digits of a share, all of a count; a text in one line.

    >>> _text(0.98765), _text(25612.0), _text(1234.5), _text("two\\nlines")
    ('0.9877', '25612', '1234.5', 'two lines')
    """
    if value is None:
        return ""
    if not isinstance(value, float):
        return " ".join(str(value).split("\n"))
    if abs(value) < 1000 or not isfinite(value):
        return f"{value:.4g}"
    return f"{value:.2f}".rstrip("0").rstrip(".")


SPELT = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}


def _escaped(text: str) -> str:
    """A text as LaTeX takes it, whatever is in it.

    >>> print(_escaped("x^2_a{~}"))
    x\\textasciicircum{}2\\_a\\{\\textasciitilde{}\\}
    """
    return "".join(SPELT.get(letter, f"\\{letter}" if letter in "&%$#_{}" else letter) for letter in text)


def _guarded(line: str) -> str:
    """A line that does not begin with a bracket, which would belong to the end of the line before."""
    return "{}" + line if line.startswith(("[", "*")) else line
