"""What a candidate really is: patterns propose, check digits, calendars and word lists decide."""

import re
from functools import cache

from celosia.profile.passages.kinds import PassageKind
from celosia.profile.passages.names import find_names
from celosia.profile.passages.numbers import kind_of_number, split_numbers
from celosia.profile.passages.patterns import (
    CUED_DAY,
    CUED_NUMBER,
    DATES,
    DEVICE,
    EMAIL,
    POSTCODES,
    STREETS,
    URL,
)

__all__ = ["Found", "judge_numbered"]

Found = tuple[int, int, PassageKind]
AT_END = re.compile(r"[ -]?[A-Za-z]$")
"""A letter at the end of a number that goes on as a word is the beginning of that."""
CALLED = (PassageKind.PHONE, PassageKind.ACCOUNT, PassageKind.IDENTITY, PassageKind.RECORD)
"""What a number can be by the word before it."""


@cache
def _compiled() -> dict[str, re.Pattern[str]]:
    """Expressions of Python, made when first needed."""
    return {
        "url": re.compile(URL),
        "email": re.compile(EMAIL),
        "device": re.compile(DEVICE),
        "date": re.compile("|".join(DATES)),
        "day": re.compile(CUED_DAY),
        "number": re.compile(CUED_NUMBER),
        "street": re.compile("|".join(STREETS)),
        "postcode": re.compile("|".join(POSTCODES)),
    }


def judge_numbered(text: str, left: bool, right: bool, countries: tuple[str, ...]) -> list[Found]:
    """The passages in a candidate with digits or signs.

    ``left`` and ``right`` say that it has a letter or digit at its side.

    >>> judge_numbered("tel. 600 11 22 33", False, False, ("ES",))
    [(5, 17, <PassageKind.PHONE: 'phone'>)]
    >>> judge_numbered("99/99/2024", False, False, ("ES",))
    []
    """
    known = _compiled()
    if "@" in text and known["email"].fullmatch(text):
        return [(0, len(text), PassageKind.EMAIL)]
    if known["url"].fullmatch(text):
        return [(0, len(text.rstrip(".,;:)")), PassageKind.URL)]
    return _judge_numbered(text, left, right, countries)


def _judge_numbered(text: str, left: bool, right: bool, countries: tuple[str, ...]) -> list[Found]:
    known = _compiled()
    whole = (0, len(text))
    stands_alone = not (left or right)
    if stands_alone and known["device"].fullmatch(text):
        return [(*whole, PassageKind.DEVICE)]
    if stands_alone and (day := _day_in(text)):
        return [day]
    if not left and (found := known["number"].fullmatch(text)):
        return _judge_cued(found, right, countries)
    if not left and known["street"].fullmatch(text):
        return [(*whole, PassageKind.PLACE)]
    if not left and known["postcode"].fullmatch(text):
        return _judge_postcode(text, right)
    return _judge_number(text, right, countries)


def _day_in(text: str) -> Found | None:
    """The date that a candidate is, maybe behind a word that says so."""
    known = _compiled()
    if known["date"].fullmatch(text) and _is_date(text):
        return 0, len(text), PassageKind.DATE
    if known["day"].fullmatch(text):
        return text.rindex(" ") + 1, len(text), PassageKind.DATE
    return None


def _judge_postcode(text: str, right: bool) -> list[Found]:
    """A postcode; one that only stands before a capitalized word, only if that is a place."""
    begins = re.match(r"[0-9]{5} (?=[^0-9])", text)
    if not begins:
        return [(0, len(text), PassageKind.POSTCODE)]
    further = find_names(text[begins.end() :], is_left_free=True, is_right_free=not right)
    if not further or further[0][2] is not PassageKind.PLACE:
        return []
    moved = [(low + begins.end(), high + begins.end(), kind) for low, high, kind in further]
    return [(0, 5, PassageKind.POSTCODE), *moved]


def _judge_cued(found: re.Match[str], right: bool, countries: tuple[str, ...]) -> list[Found]:
    """A number behind a word that says what it is; without its check digit it still is what it is called."""
    text, begin = found["number"], found.start("number")
    if right:
        text = AT_END.sub("", text)
    end = begin + len(text.rstrip(" .,/-"))
    called = next(kind for kind in CALLED if found[kind.value])
    kind = kind_of_number(text, countries)
    is_plainer = called is PassageKind.RECORD or kind is PassageKind.ACCOUNT
    return [(begin, end, kind if kind and is_plainer else called)]


def _judge_number(text: str, right: bool, countries: tuple[str, ...]) -> list[Found]:
    """Numbers in a stretch of digits: the longest that are something, then what is long by itself."""
    if right:
        text = AT_END.sub("", text)
    found: list[Found] = []
    for wanted_records in (False, True):
        for low, high in split_numbers(text):
            if any(low < other_high and other_low < high for other_low, other_high, _ in found):
                continue
            part = text[low:high].rstrip(".-/( ")
            kind = _kind_of_part(part, countries)
            is_record = kind is PassageKind.RECORD
            if kind and is_record == wanted_records and not (is_record and " " in part):
                found.append((low, low + len(part), kind))
    return sorted(found)


def _kind_of_part(part: str, countries: tuple[str, ...]) -> PassageKind | None:
    if _compiled()["date"].fullmatch(part) and _is_date(part):
        return PassageKind.DATE
    return kind_of_number(part, countries)


def _is_date(text: str) -> bool:
    """Whether the numbers of something that is written as a date can be one."""
    numbers = [int(number) for number in re.findall(r"[0-9]+", text.split("T", maxsplit=1)[0])][:3]
    if any(character.isalpha() for character in re.sub(r"[0-9](?:st|nd|rd|th)", "", text)):
        return all(1 <= number <= 31 or number >= 1000 or number < 100 for number in numbers)
    if len(numbers) < 3:
        return False
    day, month = (numbers[2], numbers[1]) if numbers[0] >= 1000 else (numbers[0], numbers[1])
    return 1 <= min(day, month) <= 12 and 1 <= max(day, month) <= 31
