"""Codes of the world: their beginnings, or ranges of them, say what is above them.

The file of a list says ``pattern``, what a whole code looks like; ``key``, how many of its first characters are looked
up; ``keep``, the lengths of its beginnings that are levels of their own; and ``list``, if the groups are those of
another list. Its lines then have ranges of keys, as ``A00-A09``, for codes.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from celosia.hierarchies.world.domain import Path, fold_name
from celosia.hierarchies.world.listed import ListedDomain

__all__ = ["CodedDomain"]

MARKS = str.maketrans("", "", ". -")
WIDEST = 5
"""What is behind the fifth digit, as in ZIP+4, is not shown by stars: beginnings that are equal look equal."""


@dataclass(frozen=True)
class CodedDomain:
    """Codes whose groups are found by what they begin with.

    >>> from celosia.hierarchies.world.registry import known_domains
    >>> known_domains()["icd10"].paths(["J45.1", "j45", "x"], "en")
    [('J45', 'Chronic diseases of the lower airways', 'Breathing'), ('J45', 'Chronic diseases of the lower airways', \
'Breathing'), None]
    >>> known_domains()["spain_postcodes"].paths(["28001"], "es")
    [('280**', 'Madrid', 'Comunidad de Madrid')]
    """

    listed: ListedDomain
    groups: ListedDomain
    pattern: re.Pattern[str]
    key: int
    keep: tuple[int, ...]
    long: Mapping[str, int]
    targets: Mapping[str, str]

    @property
    def name(self) -> str:
        """What projects call it."""
        return self.listed.name

    @property
    def words(self) -> Sequence[str]:
        """What columns with such codes are called."""
        return self.listed.words

    @property
    def needs_name(self) -> bool:
        """Whether the name of a column has to say so, too."""
        return self.listed.needs_name

    @property
    def title(self) -> str:
        """What the codes are, for people."""
        return self.listed.title

    def paths(self, values: Sequence[str], language: str) -> list[Path | None]:
        """The labels above every code: its beginnings, then the groups."""
        above: dict[str, Path | None] = {}
        found: list[Path | None] = []
        for value in values:
            code = value.strip().upper()
            if self.pattern.fullmatch(code) is None:
                found.append(None)
                continue
            plain = code.translate(MARKS)
            key = plain[: self._length(plain, self.key)]
            if key not in above:
                above[key] = self._groups_of(key, language)
            groups = above[key]
            found.append(None if groups is None else (*self._beginnings(plain, language), *groups))
        return found

    def _length(self, code: str, length: int) -> int:
        return self.long.get(code[:1], length)

    def _beginnings(self, code: str, language: str) -> Path:
        """The labels of the beginnings."""
        labels = []
        for length in self.keep:
            kept = code[: self._length(code, length)]
            named = self.groups.by_code.get(fold_name(kept))
            if named is not None:
                labels.append(f"{kept} {self.groups.entries[named].label(language)}")
            else:
                labels.append(kept.ljust(min(len(code), WIDEST), "*") if self._is_masked else kept)
        return tuple(labels)

    @property
    def _is_masked(self) -> bool:
        """Whether beginnings are no codes themselves, as those of postcodes, whose groups another list has."""
        return self.groups is not self.listed

    def _groups_of(self, key: str, language: str) -> Path | None:
        target = self.targets.get(key, key) if self.targets else key
        place = self.groups.by_code.get(fold_name(target)) if not self._ranges else self._find(key)
        return None if place is None else self.groups.path(place, language)

    def _find(self, key: str) -> int | None:
        """The innermost line whose range holds a key."""
        held = [place for place, low, high in self._ranges if low <= key <= high]
        return max(held, key=lambda place: self.groups.entries[place].depth, default=None)

    @cached_property
    def _ranges(self) -> list[tuple[int, str, str]]:
        if self.groups is not self.listed:
            return []
        spans = (
            (place, *code.partition("-")[::2])
            for place, entry in enumerate(self.groups.entries)
            for code in entry.codes
            if "-" in code
        )
        return [(place, low, high) for place, low, high in spans]
