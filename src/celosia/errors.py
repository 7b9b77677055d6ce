"""Every mistake a user can make, as one tree.

    CelosiaError
    ├── TableError        a file or frame cannot be read, or a column is not what was said
    ├── HierarchyError    a hierarchy is malformed or does not fit its column
    ├── ProjectError      what was asked for contradicts itself or the table
    ├── NoSolutionError   no recoding satisfies what was asked for
    └── ReleaseError      the release could not be written, or failed its verification

Each says what is wrong, where, and what to do; the command line shows the three and exits with 2.
"""

__all__ = ["CelosiaError", "HierarchyError", "NoSolutionError", "ProjectError", "ReleaseError", "TableError"]


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
