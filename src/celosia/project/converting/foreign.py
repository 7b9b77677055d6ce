"""What the readers of other systems' projects share: fields with their places, and notes about what is left behind."""

from collections.abc import Iterator
from typing import Any

from celosia.errors import ProjectError
from celosia.hierarchies.files import words_of
from celosia.project.document import Document
from celosia.project.nodes import FieldPath, spell
from celosia.say import join_texts, say

__all__ = ["ConversionNotes", "ForeignFields", "fold", "free_name"]


class ConversionNotes(list[str]):
    """What could not be carried over as it was, each said once."""

    def add(self, text: str) -> None:
        """Note something that a person should know of a converted project, once."""
        if text not in self:
            self.append(text)


def fold(text: str) -> str:
    """A word without accents, case and hyphens.

    >>> fold("Cuasi-identificador"), fold("NUMÉRICO")
    ('cuasiidentificador', 'numerico')
    """
    return "".join(words_of(text))


def free_name(wanted: str, taken: Any) -> str:
    """A name that is not taken, without the dots that part a table from its column.

    >>> free_name("people", {"people"}), free_name("a.b", ())
    ('people_2', 'a_b')
    """
    name = wanted.replace(".", "_") or "table"
    number = 2
    free = name
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free


class ForeignFields:
    """A mapping of a foreign document; it knows its place and which of its fields nobody asked for."""

    def __init__(self, document: Document, path: FieldPath = (), value: object = None) -> None:
        self._document = document
        self.path = path
        fields = document.data if value is None else value
        if not isinstance(fields, dict):
            raise self.error(say("it should be an object with fields"), say("write {{ ... }} there"))
        self._value = fields
        self._asked: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return self._value.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        self._asked.update(self._value)
        return iter(self._value)

    def get(self, *names: str) -> Any:
        """The first of these fields that says anything; None if none does."""
        self._asked.update(names)
        return next((self._value[name] for name in names if self._value.get(name) is not None), None)

    def text(self, *names: str) -> str:
        """A field that is a text or a number, as a text; empty if it says nothing."""
        value = self.get(*names)
        if value is None:
            return ""
        if isinstance(value, bool):
            return "true" if value else "false"
        if not isinstance(value, str | int | float):
            raise self.error(say("it should be a text"), say("write it in quotes"), names[0])
        return str(value)

    def texts(self, *names: str) -> list[str]:
        """A field that is a list of texts."""
        value = self.get(*names)
        listed = [value] if isinstance(value, str) else value or []
        if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
            raise self.error(say("it should be a list of texts"), say("write [ ... ] there"), names[0])
        return listed

    def flag(self, *names: str) -> bool | None:
        """A field that is true or false, however it is written; None if it says nothing."""
        text = fold(self.text(*names))
        if text in ("true", "si", "verdadero", "yes", "1"):
            return True
        if text in ("false", "no", "falso", "0"):
            return False
        if text:
            raise self.error(say("it should be true or false"), say("correct it"), names[0])
        return None

    def items(self, *names: str) -> list["ForeignFields"]:
        """A field that is a list of objects; empty ones are left out."""
        value = self.get(*names)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.error(say("it should be a list"), say("write [ ... ] there"), names[0])
        name = next(known for known in names if known in self)
        return [
            ForeignFields(self._document, (*self.path, name, place), item)
            for place, item in enumerate(value)
            if item not in ({}, None)
        ]

    def part(self, name: str, *, short: str | None = None) -> "ForeignFields | None":
        """A field that is an object itself; a text alone may stand for its field ``short``."""
        value = self.get(name)
        if short is not None and isinstance(value, str):
            value = {short: value}
        return None if value is None else ForeignFields(self._document, (*self.path, name), value)

    def choice(self, names: tuple[str, ...], meanings: dict[str, str]) -> str | None:
        """What a field means, by its word without accents; None if it says nothing."""
        text = self.text(*names)
        if not text:
            return None
        if fold(text) not in meanings:
            known = ", ".join(meanings)
            raise self.error(
                say("{word!r} means nothing here", word=text),
                say("choose one of {names}", names=known),
                names[0],
            )
        return meanings[fold(text)]

    def say_unread(self, notes: ConversionNotes) -> None:
        """Note the fields that nobody asked for, once for every kind of place."""
        place = spell(tuple(part for part in self.path if not isinstance(part, int)))
        for name in self._value:
            if name not in self._asked:
                text = say("the field {name!r} is not known and was not carried over", name=name)
                notes.add(join_texts(": ", [place, text]) if place else text)

    def error(self, problem: str, remedy: str, *names: str) -> ProjectError:
        """An error with the place of this object, or of a field in it."""
        path = (*self.path, *(name for name in names if name))
        field = spell(path)
        place = str(self._document.place(path))
        return ProjectError(
            problem,
            where=say("{place}, {field}", place=place, field=field) if field else place,
            remedy=remedy,
        )
