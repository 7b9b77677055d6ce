"""What the name of a column says about its role."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from celosia.profile.reasons import Reason
from celosia.profile.vocabulary import OF_A_THING, VOCABULARY
from celosia.say import say
from celosia.types import Role

__all__ = ["NameMatch", "match_name", "split_name"]

STOP_WORDS = frozenset(
    {"a", "an", "and", "at", "de", "del", "el", "en", "la", "las", "los", "of", "the", "y"}
)
THINGS = frozenset(OF_A_THING.replace("|", " ").split())
PRIORITY = (Role.IDENTIFIER, Role.SENSITIVE, Role.QUASI_IDENTIFIER)


@dataclass(frozen=True)
class NameMatch:
    """A role that the name of a column suggests, and why."""

    role: Role
    reason: Reason


@dataclass(frozen=True)
class NamePhrase:
    """A phrase at ``tokens[start:end]`` of a name."""

    role: Role
    meaning: str
    start: int
    end: int


def split_name(name: str) -> tuple[str, ...]:
    """The words of a column's name: lower case, no accents, no articles.

    >>> split_name("FechaDeNacimiento"), split_name("e-mail"), split_name("DNIPaciente2"), split_name("Año")
    (('fecha', 'nacimiento'), ('e', 'mail'), ('dni', 'paciente', '2'), ('ano',))
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", plain)
    return tuple(word.lower() for word in words if word.lower() not in STOP_WORDS)


def match_name(name: str) -> NameMatch | None:
    """The strongest role that the words of ``name`` suggest; whole words only.

    >>> match_name("apellido_1").role.value, match_name("Edad").role.value, match_name("package")
    ('identifier', 'quasi-identifier', None)
    >>> print(match_name("fecha_ingreso").reason)
    the name says 'fecha ingreso', a date of care
    """
    tokens = split_name(name)
    found = [match for match in find_phrases(tokens) if not speaks_of_a_thing(match, tokens)]
    # "fecha ingreso" is a date and no income: what lies within a longer phrase does not count.
    longest = [match for match in found if not any(contains(other, match) for other in found)]
    if not longest:
        return None
    best = min(longest, key=lambda match: (PRIORITY.index(match.role), match.start - match.end, match.start))
    words = " ".join(tokens[best.start : best.end])
    sentence = (
        say("the name says {words!r}", words=words)
        if words == best.meaning
        else say("the name says {words!r}, {meaning}", words=words, meaning=best.meaning)
    )
    # In the facts the meaning is a code.
    return NameMatch(best.role, Reason("name", sentence, {"words": words, "meaning": str(best.meaning)}))


def find_phrases(tokens: tuple[str, ...]) -> list[NamePhrase]:
    """Every phrase of the vocabulary that stands in ``tokens``."""
    found = []
    for start in range(len(tokens)):
        for end in range(start + 1, len(tokens) + 1):
            for spelling in spellings(tokens[start:end]):
                known = phrases().get(spelling)
                if known is None:
                    continue
                role, meaning, whole = known
                if not whole or end - start == len(tokens):
                    found.append(NamePhrase(role, meaning, start, end))
                    break
    return found


def spellings(words: tuple[str, ...]) -> list[str]:
    """How ``words`` may stand in the vocabulary: as they are, in the singular, or as one word with digits in it.

    >>> spellings(("apellidos",)), spellings(("birth", "dates")), spellings(("hba", "1", "c"))
    (['apellidos', 'apellido'], ['birth dates', 'birth date', 'birth dat'], ['hba 1 c', 'hba1c'])
    """
    joined = " ".join(words)
    singular = [joined[: -len(ending)] for ending in ("s", "es") if joined.endswith(ending)]
    glued = ["".join(words)] if len(words) > 1 and any(map(str.isdigit, words)) else []
    return [joined, *singular, *glued]


@cache
def phrases() -> dict[str, tuple[Role, str, bool]]:
    """Every phrase, also glued together, with role, meaning and whether it must be the whole name."""
    known: dict[str, tuple[Role, str, bool]] = {}
    for role in reversed(PRIORITY):  # a phrase listed twice counts for the stronger role
        for meaning, listed in VOCABULARY[role].items():
            for phrase in listed.split("|"):
                words = phrase.strip()
                entry = (role, meaning, words.endswith("!"))
                known[words.rstrip("!")] = known[words.rstrip("!").replace(" ", "")] = entry
    return known


def speaks_of_a_thing(match: NamePhrase, tokens: tuple[str, ...]) -> bool:
    """Whether a single word that would identify a person stands beside a thing, as in ``drug_name``."""
    beside = tokens[: match.start] + tokens[match.end :]
    return match.role is Role.IDENTIFIER and match.end - match.start == 1 and not THINGS.isdisjoint(beside)


def contains(outer: NamePhrase, inner: NamePhrase) -> bool:
    """Whether ``inner`` is a proper part of ``outer``."""
    return (
        outer.start <= inner.start
        and inner.end <= outer.end
        and outer.end - outer.start > inner.end - inner.start
    )
