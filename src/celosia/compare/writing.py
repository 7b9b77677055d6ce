"""What a comparison leaves behind: its tables for papers and programs, and every anonymized table."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import polars as pl

from celosia.compare.comparison import ORIGINAL, Comparison
from celosia.errors import ProjectError
from celosia.tables import open_table
from celosia.tables.copy import copy_to_file

__all__ = ["TABLE_FORMATS", "as_csv", "as_latex", "as_markdown", "result_tables", "write_tables"]


def result_tables(found: Comparison) -> dict[str, pl.DataFrame]:
    """The tables of a comparison by the name of their file: tested on rows of each table, and on the original's."""
    return {
        "details": found.details(),
        "details-on-original": found.details(tested_on="original"),
        "summary": found.summary(),
        "summary-on-original": found.summary(tested_on="original"),
        "classes": found.by_class(),
        "risks": found.risks(),
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
    lines += [[text.replace("|", "\\|") for text in row] for row in rows]
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
    lines = [" & ".join(map(_escaped, row)) + r" \\" for row in (head, *rows)]
    inside = "\n".join([r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"])
    return f"\\begin{{tabular}}{{{columns}}}\n{inside}\n\\end{{tabular}}\n"


TABLE_FORMATS: Mapping[str, Callable[[pl.DataFrame], str]] = {
    "csv": as_csv,
    "tex": as_latex,
    "md": as_markdown,
}
"""How tables are written, by the ending of the file."""


def write_tables(
    found: Comparison, folder: Path, *, ending: str = "arff", overwrite: bool = False
) -> Iterator[Path]:
    """Write every anonymized table into a folder under its own name; yields where each is.

    Only their owner may read them: anonymized is what they are meant to be, not what is proven.
    """
    if ending not in ("arff", "csv"):
        raise ProjectError(
            f"there is no format {ending!r}", where="--table-format", remedy="choose arff or csv"
        )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, candidate in found.tables.items():
        if name == ORIGINAL:
            continue
        path = folder / f"{_spelt(name)}.{ending}"
        copy_to_file(open_table(candidate.frame), path, overwrite=overwrite)
        yield path


def _spelt(name: str) -> str:
    """A name as a file can have it.

    >>> _spelt("mdav(k=3) + noise")
    'mdav(k=3) + noise'
    >>> _spelt("../a/b")
    '__a_b'
    """
    return "".join("_" if one in '/\\:*?"<>|' or not one.isprintable() else one for one in name).replace(
        "..", "_"
    )


def _texts(frame: pl.DataFrame) -> tuple[list[str], list[list[str]]]:
    return frame.columns, [[_text(value) for value in row] for row in frame.rows()]


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _escaped(text: str) -> str:
    for character in "\\&%$#_{}":
        text = text.replace(character, f"\\{character}" if character != "\\" else r"\textbackslash ")
    return text
