"""Every mistake a user can make, as one tree.

    CelosiaError
    ├── TableError        a file or frame cannot be read, or a column is not what was said
    ├── HierarchyError    a hierarchy is malformed or does not fit its column
    ├── ProjectError      what was asked for contradicts itself or the table
    ├── NoSolutionError   no recoding satisfies what was asked for
    └── ReleaseError      the release could not be written, or failed its verification

Each says what is wrong, where, and what to do; the command line shows the three and exits with 2.
"""

from typing import NoReturn

from celosia.say import join_texts

__all__ = [
    "CelosiaError",
    "HierarchyError",
    "InvalidValueError",
    "NoSolutionError",
    "ProjectError",
    "ReleaseError",
    "TableError",
    "raise_it",
]


class CelosiaError(Exception):
    """A mistake that the user can mend.

    >>> print(TableError("column 'agee' does not exist", where="people.csv", remedy="did you mean 'age'?"))
    people.csv: column 'agee' does not exist; did you mean 'age'?
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(str(self))

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f"; {self.remedy}" if self.remedy else ""
        return f"{place}{self.what}{advice}"

    @property
    def text(self) -> str:
        """The three in a row, as a text that can still be shown in another language."""
        told = join_texts("; ", [self.what, self.remedy]) if self.remedy else self.what
        return join_texts(": ", [self.where, told]) if self.where else told


class TableError(CelosiaError):
    """A file or frame cannot be read, or a column is not what was said."""


class HierarchyError(CelosiaError):
    """A hierarchy is malformed or does not fit its column."""


class ProjectError(CelosiaError):
    """What was asked for contradicts itself or the table."""


class NoSolutionError(CelosiaError):
    """No recoding satisfies what was asked for."""


class ReleaseError(CelosiaError):
    """The release could not be written, or failed its verification."""


class InvalidValueError(ValueError):
    """What a validator of Pydantic says of a value: what is wrong with it, and what to do.

    Pydantic tells its field, and keeps it whole; of other mistakes that are no ``ValueError`` it tells nothing.

    >>> print(InvalidValueError("a chain cannot be a step of a chain", remedy="write its steps"))
    a chain cannot be a step of a chain; write its steps
    """

    def __init__(self, what: str, *, remedy: str = "") -> None:
        self.what = what
        self.remedy = remedy
        super().__init__(join_texts("; ", [what, remedy]) if remedy else what)


def raise_it(error: CelosiaError) -> NoReturn:
    """What becomes of a mistake where nobody gathers them.

    >>> raise_it(ProjectError("no quasi-identifier is declared"))
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: no quasi-identifier is declared
    """
    raise error
