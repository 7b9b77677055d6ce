"""Candidates in words: what becomes of every column, and what that costs."""

from collections.abc import Mapping
from types import MappingProxyType

from celosia.server.work.results import CandidateResult, CandidatesResult
from celosia.words import Words, phrase

__all__ = ["column_sentence", "level_word", "measure_word", "node_text", "risk_word"]

SHAPES: Mapping[str, str] = MappingProxyType(
    {
        "interval": phrase("{column} becomes intervals of {size}, such as {sample}"),
        "prefix": phrase("{column} keeps its first {size} characters, such as {sample}"),
        "month": phrase("{column} becomes months, such as {sample}"),
        "quarter": phrase("{column} becomes quarters of a year, such as {sample}"),
        "year": phrase("{column} becomes years, such as {sample}"),
        "decade": phrase("{column} becomes decades, such as {sample}"),
        "group": phrase("{column} becomes one of {size} groups, such as {sample}"),
    }
)
SHARES = ("loss", "entropy", "precision")
"""Measures that are shares of one."""
LEAST = 0.0001


def column_sentence(words: Words, explored: CandidatesResult, column: str, level: int) -> str:
    """What a level makes of a column; ``explored`` is what the job of the candidates found.

    >>> found = {"shapes": {"age": [{"kind": "interval", "size": 10}]}, "samples": {"age": ["34", "[30-39]"]}}
    >>> column_sentence(Words(), found, "age", 1), column_sentence(Words(), found, "age", 0)
    ('age becomes intervals of 10, such as [30-39]', 'age stays as it is')
    """
    if level == 0:
        return words("{column} stays as it is", column=column)
    shape = explored["shapes"][column][level - 1]
    if shape["kind"] == "one":
        return words("{column} is left out: every value becomes the same", column=column)
    size, sample = words.number(shape["size"]), explored["samples"][column][level]
    return words(SHAPES[shape["kind"]], column=column, size=size, sample=sample)


def level_word(words: Words, explored: CandidatesResult, column: str, level: int) -> str:
    """A level in a word: a label of it.

    >>> found = {"shapes": {"age": [{"kind": "interval", "size": 10}]}, "samples": {"age": ["34", "[30-39]"]}}
    >>> level_word(Words(), found, "age", 1), level_word(Words(), found, "age", 0)
    ('[30-39]', 'as it is')
    """
    if level == 0:
        return words("as it is")
    if explored["shapes"][column][level - 1]["kind"] == "one":
        return words("left out")
    return str(explored["samples"][column][level])


def measure_word(words: Words, name: str, value: float) -> str:
    """The value of a measure.

    >>> measure_word(Words(), "loss", 0.234), measure_word(Words(), "discernibility", 123456.0)
    ('23.4%', '123,456')
    """
    return words.percent(value) if name in SHARES else words.number(value)


def risk_word(words: Words, risk: float) -> str:
    """A chance in percent; a very small one is not nothing.

    >>> risk_word(Words(), 0.0094), risk_word(Words(), 0.00003)
    ('0.94%', '< 0.01%')
    """
    if 0 < risk < LEAST:
        return f"< {words.percent(LEAST, 2)}"
    return words.percent(risk, 2)


def node_text(words: Words, explored: CandidatesResult, candidate: CandidateResult) -> str:
    """A candidate in a few lines: a level of every column, then what it costs.

    >>> found = {"columns": ["age"], "measure": "loss", "rows": 100, "samples": {"age": ["34", "[30-39]"]},
    ...          "shapes": {"age": [{"kind": "interval", "size": 10}]}}
    >>> candidate = {"node": [1], "valid": True, "risk": 0.05, "suppressed": 2, "measures": {"loss": 0.25}}
    >>> print(node_text(Words(), found, candidate))
    age: [30-39]
    loses 25%, average risk 5%, 2 rows left out
    """
    lines = [
        f"{column}: {level_word(words, explored, column, level)}"
        for column, level in zip(explored["columns"], candidate["node"], strict=True)
    ]
    lines.append(
        words(
            "loses {loss}, average risk {risk}, {rows} rows left out",
            loss=measure_word(words, explored["measure"], candidate["measures"][explored["measure"]]),
            risk=risk_word(words, candidate["risk"]),
            rows=words.number(candidate["suppressed"]),
        )
    )
    if not candidate["valid"]:
        lines.append(words("does not keep your promises"))
    return "\n".join(lines)
