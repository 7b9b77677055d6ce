"""Names of people and places in a run of capitalized words: by lists, by cues and by their neighbours."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from celosia.profile.passages.kinds import PassageKind
from celosia.profile.passages.patterns import KIN, NAME_CUE, PARTICLE, PLACE_CUE, TITLES, WEAK_CUE, WORD
from celosia.profile.passages.word_lists import AMBIGUOUS, FIRST_NAMES, LAST_NAMES, NO_NAMES, PLACES

__all__ = ["find_names"]

FACILITY = frozenset(
    {"ambulatorio", "centro", "clinic", "clinica", "colegio", "hospital", "instituto", "residencia"}
    | {"school", "universidad", "university"}
)
CUE = re.compile(
    rf"(?:(?P<place>{PLACE_CUE}) |(?P<name>{NAME_CUE}+)|(?P<weak>{WEAK_CUE}) )"
    rf"(?:{PARTICLE} ){{0,2}}(?=[A-ZÀ-Þ])"
)
WORDS = re.compile(WORD)
TITLE = re.compile(rf"{KIN}|{TITLES[:-2]}", re.IGNORECASE)
LONGEST_PLACE = 4

Found = tuple[int, int, PassageKind]


@dataclass(frozen=True)
class NameWord:
    """A capitalized word of a run: where it stands, and what it is without accents, in lower case."""

    start: int
    end: int
    plain: str
    is_initial: bool
    is_after_comma: bool

    @property
    def is_first(self) -> bool:
        """Whether it is a frequent first name."""
        return self.plain in FIRST_NAMES

    @property
    def is_last(self) -> bool:
        """Whether it is a frequent surname."""
        return self.plain in LAST_NAMES

    @property
    def is_known(self) -> bool:
        """Whether it is a frequent name."""
        return self.is_first or self.is_last

    @property
    def can_be_name(self) -> bool:
        """Whether it may be a name at all."""
        return self.is_known or self.plain not in NO_NAMES


def find_names(text: str, *, is_left_free: bool, is_right_free: bool) -> list[Found]:
    """Names of people and places in a run of capitalized words, maybe with a cue before it.

    >>> find_names("paciente Zuleika Otamendi", is_left_free=True, is_right_free=True)
    [(9, 25, <PassageKind.PERSON: 'person'>)]
    >>> find_names("Refiere Ana Gil", is_left_free=True, is_right_free=True)
    [(8, 15, <PassageKind.PERSON: 'person'>)]
    >>> find_names("Fractura Radial", is_left_free=True, is_right_free=True)
    []
    """
    cue = CUE.match(text) if is_left_free else None
    begin = cue.end() if cue else 0
    words = _words_of(text, begin)
    if not is_right_free:
        words = words[:-1]
    if not is_left_free and text[:1].isupper():
        words = words[1:]
    kind = cue.lastgroup if cue else None
    if kind == "place" and words and words[0].can_be_name:
        return [(words[0].start, words[-1].end, PassageKind.PLACE)]
    is_loud = len(words) > 2 and text[begin:].isupper()
    return _people_and_places(words, kind, is_loud=is_loud)


def _words_of(text: str, begin: int) -> list[NameWord]:
    words = []
    for found in WORDS.finditer(text, begin):
        word = found.group()
        before = text[begin : found.start()].rstrip()
        words.append(
            NameWord(found.start(), found.end(), _plain(word), word.endswith("."), before.endswith(","))
        )
    return words


@cache
def _accents() -> dict[int, int | None]:
    """From letters with accents to those without."""
    return {
        code: ord(unicodedata.normalize("NFKD", chr(code))[0])
        for code in range(0xC0, 0x180)
        if unicodedata.decomposition(chr(code)) and unicodedata.normalize("NFKD", chr(code))[0].isascii()
    }


def _plain(word: str) -> str:
    return word.translate(_accents()).lower().strip(".'’ª")


def _people_and_places(words: list[NameWord], cue: str | None, *, is_loud: bool) -> list[Found]:
    """What stands in a run, from left to right."""
    found: list[Found] = []
    place = 0
    while place < len(words):
        if TITLE.fullmatch(words[place].plain) and place + 1 < len(words):
            place, cue = place + 1, "name"
            continue
        length, kind = _next_name(words, place, cue, is_loud)
        cue = cue if cue == "weak" and kind is None else None
        if kind is not None:
            found.append((words[place].start, words[place + length - 1].end, kind))
        place += length
    return found


def _next_name(
    words: list[NameWord], place: int, cue: str | None, is_loud: bool
) -> tuple[int, PassageKind | None]:
    """How many words from ``place`` on belong together, and what they are."""
    first = words[place]
    if first.plain in FACILITY and place + 1 < len(words) and not is_loud:
        return len(words) - place, PassageKind.PLACE
    person = _length_of_person(words, place, cue, is_loud)
    listed = _length_of_place(words, place)
    if cue == "name" and person:
        return person, PassageKind.PERSON
    if listed and listed >= person:
        return listed, PassageKind.PLACE
    if person:
        return person, PassageKind.PERSON
    return 1, None


def _length_of_place(words: list[NameWord], place: int) -> int:
    for length in range(min(LONGEST_PLACE, len(words) - place), 0, -1):
        joined = " ".join(word.plain for word in words[place : place + length])
        if joined in _places_without_particles():
            return length
    return 0


@cache
def _places_without_particles() -> frozenset[str]:
    """Places as the words of a run tell them: particles are no words of it."""
    return PLACES | {" ".join(word for word in each.split() if word not in ("de", "del")) for each in PLACES}


def _length_of_person(words: list[NameWord], place: int, cue: str | None, is_loud: bool) -> int:
    """How many words from ``place`` on are the name of a person; 0 if they are none."""
    length = 0
    for word in words[place:]:
        ends = word.is_after_comma and not (
            length and word.is_first and _are_surnames(words[place : place + length])
        )
        if (
            not word.can_be_name
            or (length and ends)
            or (is_loud and not word.is_known and not word.is_initial)
        ):
            break
        length += 1
    run = words[place : place + length]
    known = sum(word.is_known for word in run)
    if cue == "name" and length:
        return length
    tells = run[0].is_known or run[0].is_initial if run else False
    if length >= 2 and known and (tells or any(word.is_last and word.plain not in AMBIGUOUS for word in run)):
        return length
    is_telling = bool(run) and run[0].is_first and run[0].plain not in AMBIGUOUS
    return 1 if is_telling and cue == "weak" and not is_loud else 0


def _are_surnames(words: list[NameWord]) -> bool:
    return all(word.is_last for word in words)
