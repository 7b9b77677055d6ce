"""Lists of the world: files with a line per value or group, each group indented less than what is in it.

A file begins with lines that say what it is (``words``, ``title``, ``source``) up to a line of dashes. Then every
line is ``codes | English | Spanish | further names; ...``; a group needs no code. What is indented by one blank more
is inside the line above it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path as FilePath

from celosia.hierarchies.world.domain import Path, fold_name
from celosia.say import Text

__all__ = ["LISTS", "ListEntry", "ListedDomain", "read_head", "read_list"]

LISTS = FilePath(__file__).parent / "lists"
LANGUAGES = ("en", "es")


@dataclass(frozen=True)
class ListEntry:
    """A line of a list: its codes, its label in each language, its further names, and the number of its group."""

    codes: tuple[str, ...]
    labels: tuple[str, str]
    names: tuple[str, ...]
    group: int | None
    depth: int

    def label(self, language: str) -> str:
        """What it is called."""
        return self.labels[LANGUAGES.index(language)]


@dataclass(frozen=True)
class ListedDomain:
    """A list of the world, whose values are found by name or by code.

    >>> countries = read_list("countries")
    >>> countries.paths(["Spain", "ESP", "españolas", "Narnia"], "es")[:2]
    [('España', 'Europa meridional', 'Europa'), ('España', 'Europa meridional', 'Europa')]
    >>> countries.paths(["Narnia"], "en")
    [None]
    """

    name: str
    source: str
    words: tuple[str, ...]
    title: str
    entries: tuple[ListEntry, ...]
    needs_name: bool = False

    @cached_property
    def depth(self) -> int:
        """How many groups of groups there are above a value."""
        return max(entry.depth for entry in self.entries)

    @cached_property
    def by_code(self) -> dict[str, int]:
        """The number of every entry that has a code."""
        return {fold_name(code): place for place, entry in enumerate(self.entries) for code in entry.codes}

    @cached_property
    def by_name(self) -> dict[str, int]:
        """The number of every entry by everything that it is called; values come before groups of that name."""
        found: dict[str, int] = {}
        for place, entry in sorted(enumerate(self.entries), key=lambda pair: -pair[1].depth):
            for name in (*entry.labels, *entry.names, *entry.codes):
                found.setdefault(fold_name(name), place)
        return found

    def paths(self, values: Sequence[str], language: str) -> list[Path | None]:
        """The labels above every value: its own name, its group, the group of that."""
        places = [self.by_name.get(fold_name(value)) for value in values]
        return [None if place is None else self.path(place, language) for place in places]

    def path(self, place: int, language: str) -> Path:
        """The labels of an entry; a group that stands as a value is its own label below."""
        lineage = list(self._lineage(place))
        labels = [self.entries[number].label(language) for number in lineage]
        return (*[labels[0]] * (self.depth - self.entries[place].depth), *labels)

    def _lineage(self, place: int) -> Iterator[int]:
        number: int | None = place
        while number is not None:
            yield number
            number = self.entries[number].group


def read_list(name: str) -> ListedDomain:
    """A list of the world by the name of its file."""
    said = read_head(name)
    _, _, body = _read_file(name).partition("\n---\n")
    return ListedDomain(
        name=name,
        source=said["source"],
        words=tuple(word.strip() for word in said["words"].split("|")),
        title=Text(said["title"], {}),
        entries=tuple(_entries(body.splitlines())),
        needs_name=said.get("needs") == "name",
    )


def read_head(name: str) -> dict[str, str]:
    """What the file of a list says of it, before its lines."""
    head, _, _ = _read_file(name).partition("\n---\n")
    return {key.strip(): text.strip() for key, _, text in (line.partition(":") for line in head.splitlines())}


@cache
def _read_file(name: str) -> str:
    return (LISTS / f"{name}.txt").read_text(encoding="utf-8")


def _entries(lines: Sequence[str]) -> Iterator[ListEntry]:
    above: list[int] = []
    for place, line in enumerate(line for line in lines if line.strip()):
        depth = len(line) - len(line.lstrip(" "))
        fields = [field.strip() for field in line.split("|")]
        # A group has no code in most lists: its line begins with its name.
        codes = fields.pop(0).split() if _begins_with_codes(fields) else []
        names = fields[2].split(";") if len(fields) > 2 else []
        del above[depth:]
        yield ListEntry(
            tuple(codes),
            (fields[0], fields[1] if len(fields) > 1 else fields[0]),
            tuple(name.strip() for name in names),
            above[-1] if above else None,
            depth,
        )
        above.append(place)


def _begins_with_codes(fields: Sequence[str]) -> bool:
    """Codes have capitals and digits only, so that a name is never taken for one."""
    return len(fields) > 1 and all(word.isupper() or word[:1].isdigit() for word in fields[0].split())
