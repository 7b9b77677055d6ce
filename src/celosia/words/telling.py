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

QUOTED = r"(?:'[^']*'|\"[^\"]*\")"
VALUE = re.compile(rf"(?:{QUOTED}|\S+)(?:, (?:{QUOTED}|\S+))*")
"""What a place may hold that is not told: something between quotes, a word, or a list of these."""


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
        return self._told(sentence, {}, 0).text

    def _told(self, sentence: str, known: dict[str, "_Told"], depth: int) -> "_Told":
        if sentence in self._catalogue:
            return _Told(self._catalogue[sentence], True)
        if depth > DEEPEST or not sentence.strip():
            return _Told(sentence, not sentence.strip())
        if sentence not in known:
            known[sentence] = self._found(sentence, known, depth + 1)
        return known[sentence]

    def _found(self, sentence: str, known: dict[str, "_Told"], depth: int) -> "_Told":
        """By the template of which every part is known, or piece by piece, or at least as far as possible."""
        fallback = _Told(sentence, False)
        for template in self._templates:
            if match := template.match(sentence):
                parts = [self._part(part, known, depth) for part in match.groups("")]
                values = dict(zip(template.names, (part.text for part in parts), strict=True))
                filled = _Told(_filled(template.target, values), all(part.is_whole for part in parts))
                if filled.is_whole:
                    return filled
                if fallback.text == sentence and template.letters >= WEAK:
                    fallback = filled
        return self._in_pieces(sentence, known, depth) or self._in_part(sentence, known, depth) or fallback

    def _part(self, part: str, known: dict[str, "_Told"], depth: int) -> "_Told":
        """What stands in a place: a value stays as it is; a single word is a name, unless it is one of ours."""
        if part in KINDS or " " in part.strip():
            told = self._told(part, known, depth)
            return told if told.is_whole else _Told(told.text, VALUE.fullmatch(part) is not None)
        return _Told(part, True)

    def _in_pieces(self, sentence: str, known: dict[str, "_Told"], depth: int) -> "_Told | None":
        """Several sentences that were put into one, or a name in front of one; None where a piece is not known."""
        for mark in ("; ", ". ", ": ", ", "):
            pieces = sentence.split(mark, 1 if mark == ": " else -1)
            if len(pieces) > 1:
                told = self._in_a_row(pieces, mark, known, depth)
                if told and mark.join(told) != sentence:
                    return _Told(mark.join(told), True)
        return None

    def _in_part(self, sentence: str, known: dict[str, "_Told"], depth: int) -> "_Told | None":
        """What is known of several sentences; a driver or a parser may have had its say in one of them."""
        for mark, times in (("; ", -1), (": ", 1)):
            pieces = sentence.split(mark, times)
            told = [self._part(piece, known, depth) for piece in pieces] if len(pieces) > 1 else []
            changed = sum(one.text != piece for one, piece in zip(told, pieces, strict=False))
            if changed == len(pieces) > 1:
                return _Told(mark.join(one.text for one in told), False)
        return None

    def _in_a_row(self, pieces: list[str], mark: str, known: dict[str, "_Told"], depth: int) -> list[str]:
        """Each sentence is as few pieces as make sense: one may have the mark inside. Nothing if some make none."""
        found, begun = [], 0
        for end in range(1, len(pieces) + 1):
            piece = mark.join(pieces[begun:end])
            if end - begun == len(pieces):  # all of them were looked at already
                return []
            told = self._part(piece, known, depth)
            if told.is_whole:
                found.append(told.text)
                begun = end
        return found if begun == len(pieces) else []


@dataclass(frozen=True)
class _Told:
    """A text in the language, and whether all of it is."""

    text: str
    is_whole: bool


def _template(text: str, target: str) -> _Template:
    literals = PLACE.split(text)[::2]
    pattern = re.compile("(.*?)".join(map(re.escape, literals)), re.DOTALL)
    letters = sum(character.isalpha() for character in "".join(literals))
    return _Template(pattern, tuple(PLACE.findall(text)), target, literals[0], literals[-1], letters)


def _filled(target: str, values: Mapping[str, str]) -> str:
    # Not str.format: what stands in a place may have braces of its own.
    return PLACE.sub(lambda found: values.get(found[1], found[0]), target)
