"""Docstrings as people read them on a page: plain paragraphs, without the marks, the sources and the code."""

import inspect
import re
from dataclasses import dataclass

__all__ = ["ParsedDocstring", "parse_docstring", "plain_paragraph", "shorten"]

AUTHOR = re.compile(r"^(?:After |The )?[A-ZÁÉÍÓÚ]\.(?:[ -]?[A-ZÁÉÍÓÚ]\.)*[ -][A-ZÁÉÍÓÚ]")
"""A paragraph that begins so names the paper: ``P. Samarati, L. Sweeney: ...``."""

SHOWN = re.compile(r"^([^:]+): ((?:with|without|at level|keeping|[0-9]+ stays|[A-Z]\w+ [A-Z]\w+) .*)$")
"""A summary that ends in an example: ``Keep the first characters: with first 2, 28013 becomes 28.``"""

SENTENCE = re.compile(r"(?<=[.?!]) (?=[A-ZÁÉÍÓÚ(])")

ROLE_MARK = re.compile(r":\w+:`~?(?:[\w.]*\.)?(\w+)`")
NAME = re.compile(r"[a-z]\w*")
CODE_MARK = re.compile(r"``(.+?)``")


@dataclass(frozen=True)
class ParsedDocstring:
    """A docstring taken apart: its summary, what explains it further, and its example."""

    summary: str
    more: tuple[str, ...]
    example: str

    @property
    def title(self) -> str:
        """What the summary calls it, in front of a colon; "" if it does not."""
        head, colon, _ = self.summary.partition(": ")
        return head if colon else ""


def parse_docstring(documented: object) -> ParsedDocstring:
    """The docstring of a class or a function.

    What follows the source is the worked example; where there is no source it is what the summary ends in, or the
    first further paragraph in which something becomes something else.

    >>> from celosia.privacy import MODELS
    >>> found = parse_docstring(MODELS["k-anonymity"])
    >>> found.title, found.example
    ('k-anonymity', 'Classes of 5, 2 and 3 rows, k = 3: only the second is too small.')
    """
    text = inspect.cleandoc(getattr(documented, "__doc__", None) or "").partition(">>>")[0]
    paragraphs = [plain_paragraph(part) for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    if not paragraphs:
        return ParsedDocstring("", (), "")
    summary, further = paragraphs[0], paragraphs[1:]
    if match := SHOWN.match(summary):
        example = match[2][0].upper() + match[2][1:]
        return ParsedDocstring(f"{match[1]}.", tuple(further), example)
    source = next((place for place, part in enumerate(further) if AUTHOR.match(part)), None)
    if source is not None:
        return ParsedDocstring(
            summary, tuple(further[:source]), _without_code(" ".join(further[source + 1 :]))
        )
    example = next((part for part in further if re.search(r"\bbecomes?\b|^With ", part)), "")
    return ParsedDocstring(summary, tuple(part for part in further if part != example), example)


def _without_code(example: str) -> str:
    """An example, unless it only announces the code that follows."""
    return "" if example.endswith(":") else example


def plain_paragraph(paragraph: str) -> str:
    """A paragraph on one line, without the marks of code and references; names of parameters between quotes.

    >>> plain_paragraph("``19**`` stands for what\\n:func:`celosia.hierarchies.digits` makes with ``step``")
    "19** stands for what digits makes with 'step'"
    """
    text = ROLE_MARK.sub(r"\1", " ".join(paragraph.split()))
    return CODE_MARK.sub(lambda match: f"'{match[1]}'" if NAME.fullmatch(match[1]) else match[1], text)


def shorten(text: str, longest: int) -> str:
    """Whole sentences of a text, as many as fit, but always the first.

    >>> shorten("Noise is added. Means stay. Extremes are still extreme.", 30)
    'Noise is added. Means stay.'
    """
    first, *others = SENTENCE.split(text)
    for sentence in others:
        if len(first) + len(sentence) >= longest:
            break
        first = f"{first} {sentence}"
    return first
