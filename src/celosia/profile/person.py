"""Does one person have several rows? An identifier that repeats tells people apart, and says who has more than one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from celosia.say import Text, say
from celosia.tables.location import is_on_cluster
from celosia.tables.table import Table
from celosia.types import Role
from celosia.values.same import fold_people

if TYPE_CHECKING:
    from celosia.profile.columns import ColumnProfile, Profile

__all__ = ["PersonProposal", "propose_person"]

ENOUGH = 20
"""In fewer rows than this, a number that stands there twice may be a mistake."""
SEVERAL = 0.01
"""Where fewer rows than this share are of people with several, a number is more likely mistyped than repeated."""
TELLING = (
    "a patient's or client's number",
    "a national identity number",
    "identity-number",
    "uuid",
    "an account or device",
    "e-mail",
    "people",
)
"""What names of columns mean that tell people apart, and the codes of what their values are: the likeliest first."""
SURE = 3
"""So many of them are given to one person each. Families share devices and addresses, and homonyms names: these count
only where no other identifier has a value of its own in every row."""


@dataclass(frozen=True)
class PersonProposal:
    """The column that tells people apart: ``people`` have ``rows``, ``several`` of which are of people with several."""

    column: str
    people: int
    rows: int
    several: int

    @property
    def sentence(self) -> Text:
        """Why it is proposed."""
        return say(
            "{several:,} of {rows:,} rows are of people with several, by {column!r}",
            several=self.several,
            rows=self.rows,
            column=self.column,
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON wants it."""
        return {"column": self.column, "people": self.people, "rows": self.rows, "several": self.several}


def propose_person(table: Table, profile: "Profile") -> PersonProposal | None:
    """The identifier by which one person has several rows; None if there is none.

    >>> import polars as pl
    >>> from celosia.profile import profile_table
    >>> from celosia.tables import open_table
    >>> visits = pl.DataFrame({"patient_id": [f"P{i % 15}" for i in range(24)], "year": [2024] * 24})
    >>> profile = profile_table(open_table(visits))
    >>> str(profile.person.sentence)
    "18 of 24 rows are of people with several, by 'patient_id'"
    """
    likely = [column for column in profile if _rank(column) is not None and column.rows >= ENOUGH]
    has_one_each = any(
        column.role is Role.IDENTIFIER and column.distinct == column.rows for column in profile
    )
    if has_one_each:
        likely = [column for column in likely if (_rank(column) or 0) < SURE]
    for column in sorted(likely, key=lambda column: _rank(column) or 0):
        if column.missing or column.distinct in (1, column.rows):
            continue
        people, several = _count(table, column.name)
        if several >= SEVERAL * column.rows:
            return PersonProposal(column.name, people, column.rows, several)
    return None


def _rank(column: "ColumnProfile") -> int | None:
    """How likely a column tells people apart, by its name and its values: the lower the likelier."""
    if column.role is not Role.IDENTIFIER:
        return None
    if any(reason.code == "people" for reason in column.reasons):
        return TELLING.index("people")  # a column of names is that, whatever it is called
    told = [str(reason.facts.get("meaning", reason.code)) for reason in column.reasons]
    return min((TELLING.index(each) for each in told if each in TELLING), default=None)


def _count(table: Table, name: str) -> tuple[int, int]:
    """How many people there are, and how many rows of people who have several."""
    if is_on_cluster(table):  # they may be too many to bring them here
        sizes, times = np.array(table.sizes((name,)), np.int64).reshape(-1, 2).T
        return int(times.sum()), int((sizes * times)[sizes > 1].sum())
    counts = table.count_by([name])
    people = fold_people(counts.values[0])
    rows = np.bincount(people.codes[counts.codes[0]], counts.counts, len(people.values)).astype(np.int64)
    return len(people.values), int(rows[rows > 1].sum())
