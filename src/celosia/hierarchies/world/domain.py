"""What every domain of the world answers: the labels above a value, in the language of the reader."""

import unicodedata
from collections.abc import Sequence
from typing import Protocol

__all__ = ["KnownDomain", "Path", "fold_name"]

Path = tuple[str, ...]
"""The labels of a value, the finest first; all paths of a domain have the same number of labels."""


class KnownDomain(Protocol):
    """Values of one kind, such as countries: how to know them, and what is above them.

    ``words`` are phrases of names of columns, as in the vocabulary of profiles: small letters, no accents.
    ``needs_name`` says that values alone do not suffice: whole numbers may be ages or anything.
    """

    @property
    def name(self) -> str:
        """What projects call it."""

    @property
    def words(self) -> Sequence[str]:
        """What columns with such values are called."""

    @property
    def needs_name(self) -> bool:
        """Whether the name of a column has to say so, too."""

    @property
    def title(self) -> str:
        """What the values are, for people."""

    def paths(self, values: Sequence[str], language: str) -> list[Path | None]:
        """The labels above every value; None for one that is not known."""


def fold_name(text: str) -> str:
    """A name as it is looked up: small letters, no accents, single blanks instead of marks.

    >>> fold_name(" Castilla-La  Mancha "), fold_name("CÔTE D'IVOIRE"), fold_name("Bogotá, D.C.")
    ('castilla la mancha', 'cote d ivoire', 'bogota d c')
    """
    letters = unicodedata.normalize("NFKD", text.casefold())
    kept = (letter if letter.isalnum() else " " for letter in letters if not unicodedata.combining(letter))
    return " ".join("".join(kept).split())
