"""Finished sentences in another language, recognized by the template that they were made from.

What stands in a place of the template is told in turn, so that a reason inside a sentence is translated as well. Names
and values of a table stand between quotes, or are single words: these are left as they are.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from celosia.words.further import KINDS

__all__ = ["Teller"]

PLACE = re.compile(r"\{(\d*)\}")
"""Templates have numbered places; texts with named ones are filled where they are shown."""

DEEPEST = 5
"""Sentences inside sentences."""

WEAK = 7
"""Letters of a template below which anything could fit: then what stands in its places must make sense too."""

VALUE = re.compile(r"'.*'|\".*\"|\S+(?:, \S+)*", re.DOTALL)
"""What a place may hold that is not told: something between quotes, a word, or words in a list."""


@dataclass(frozen=True)
class _Template:
    pattern: re.Pattern[str]
    names: tuple[str, ...]
    target: str
    first: str
    last: str
    letters: int

    def match(self, sentence: str) -> re.Match[str] | None:
        # Most are told apart by how they begin and end: a sentence takes a tenth of the time.
        if not sentence.startswith(self.first) or not sentence.endswith(self.last):
            return None
        return self.pattern.fullmatch(sentence)


class Teller:
    """The sentences of one language, from a catalogue of templates.

    >>> teller = Teller({"column {0} does not exist": "la columna {0} no existe", "{0} or {1}": "{0} o {1}"})
    >>> teller.tell("column 'agee' does not exist"), teller.tell("age or sex")
    ("la columna 'agee' no existe", 'age o sex')
    >>> teller.tell("nobody knows it or cares about it")
    'nobody knows it or cares about it'
    """

    def __init__(self, catalogue: Mapping[str, str]) -> None:
        self._catalogue = catalogue
        found = [_template(text, target) for text, target in catalogue.items() if PLACE.search(text)]
        # Those that say most by themselves first: "there is no column {0}" before "there is no {0} {1}".
        self._templates = sorted(found, key=lambda template: -template.letters)

    def tell(self, sentence: str) -> str:
        """A sentence in the language, or as it is where no template fits."""
        return self._told(sentence, {}, 0)

    def _told(self, sentence: str, known: dict[str, str], depth: int) -> str:
        if sentence in self._catalogue:
            return self._catalogue[sentence]
        if depth > DEEPEST or not sentence.strip():
            return sentence
        if sentence not in known:
            known[sentence] = self._found(sentence, known, depth + 1)
        return known[sentence]

    def _found(self, sentence: str, known: dict[str, str], depth: int) -> str:
        """By the template of which every part makes sense, or piece by piece, or at least as a whole."""
        fallback = ""
        for template in self._templates:
            if match := template.match(sentence):
                parts = match.groups("")
                told = [self._part(part, known, depth) for part in parts]
                filled = _filled(template.target, dict(zip(template.names, told, strict=True)))
                if all(map(_makes_sense, parts, told)):
                    return filled
                if not fallback and template.letters >= WEAK:
                    fallback = filled
        return self._in_pieces(sentence, known, depth) or fallback or sentence

    def _part(self, part: str, known: dict[str, str], depth: int) -> str:
        """What stands in a place; a single word is a name, unless it is one of ours."""
        return self._told(part, known, depth) if " " in part.strip() or part in KINDS else part

    def _in_pieces(self, sentence: str, known: dict[str, str], depth: int) -> str:
        """Several sentences that were put into one, each by itself, or a name in front of one; "" if it is neither."""
        for mark in ("; ", ". ", ": ", ", "):
            pieces = sentence.split(mark) if mark != ": " else sentence.split(mark, 1)
            if len(pieces) > 1:
                told = [self._part(piece, known, depth) for piece in pieces]
                if told != pieces and all(map(_makes_sense, pieces, told)):
                    return mark.join(told)
        return ""


def _makes_sense(part: str, told: str) -> bool:
    """Whether a part of a sentence is known, or a value."""
    return told != part or VALUE.fullmatch(part) is not None or not part


def _template(text: str, target: str) -> _Template:
    literals = PLACE.split(text)[::2]
    pattern = re.compile("(.*?)".join(map(re.escape, literals)), re.DOTALL)
    letters = sum(character.isalpha() for character in "".join(literals))
    return _Template(pattern, tuple(PLACE.findall(text)), target, literals[0], literals[-1], letters)


def _filled(target: str, values: Mapping[str, str]) -> str:
    # Not str.format: what stands in a place may have braces of its own.
    return PLACE.sub(lambda found: values.get(found[1], found[0]), target)
