"""What is said of a project before it runs."""

from dataclasses import dataclass
from typing import Literal

from celosia.errors import CelosiaError
from celosia.say import join_texts, say

__all__ = ["Remark", "mistake"]


@dataclass(frozen=True)
class Remark:
    """One thing about a project: a mistake stops a run, a warning does not, a note is for information.

    >>> print(Remark("warning", "column 'age' is gone", table="people"))
    people: column 'age' is gone
    """

    kind: Literal["mistake", "warning", "note"]
    what: str
    table: str = ""
    where: str = ""
    remedy: str = ""

    def __str__(self) -> str:
        places = dict.fromkeys(place for place in (self.table, self.where) if place)
        return CelosiaError(self.what, where=join_texts(", ", places), remedy=self.remedy).text


def mistake(table: str, error: CelosiaError, *, column: str = "") -> Remark:
    """An error as a remark about a table, or a column of it."""
    place = say("column {column!r}", column=column) if column else ""
    location = join_texts(", ", [part for part in (place, error.where) if part])
    return Remark("mistake", error.what, table, location, error.remedy)
