"""What every kind of table can do, and what passes between a table and the rest.

A table lives in a file, in the caller's memory, in a database or on a cluster. It answers few verbs, each where the
data is; no algorithm knows which kind it has. Values cross this border with the type of their column, null for a
missing one; :mod:`celosia.values.same` says when two of them are the same. Texts are for labels and for people.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.tables.location import Location
from celosia.types import Schema
from celosia.values.parse import ValueParser
from celosia.values.text import texts_of

if TYPE_CHECKING:
    from celosia.tables.parted_table import PartedTable

__all__ = ["Assignment", "Counts", "Progress", "Recoding", "Table", "Written", "close_table", "no_progress"]

Progress = Callable[[str, float], None]
"""Called with what is being done and the share done so far, 0 to 1."""


def no_progress(stage: str, share: float) -> None:
    """Report nothing."""


@dataclass(frozen=True)
class Counts:
    """The distinct combinations of some columns and how many rows have each, dictionary-encoded.

    ``values[column]`` holds the distinct values of a column with its type (null for missing),
    ``codes[column][combination]`` points into it, ``counts[combination]`` is the number of rows. ``spellings`` are the
    texts by which a file of text writes the values, one each; ``respelled[column]`` is how many texts more than values
    there are in a column that writes some values in several ways. ``places[row]`` is the combination of every row, in
    the order of the table, where somebody asked for it, and ``stamp`` tells the file that was counted from a later one.
    """

    columns: tuple[str, ...]
    values: tuple[pl.Series, ...]
    codes: tuple[npt.NDArray[np.int32], ...]
    counts: npt.NDArray[np.int64]
    spellings: Mapping[str, pl.Series] = field(default_factory=dict)
    respelled: Mapping[str, int] = field(default_factory=dict)
    places: npt.NDArray[np.int32] | None = None
    stamp: tuple[int, int] | None = None
    remembered: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False, compare=False)
    """What was worked out of the values of a column, by what it is and its name: parts have the same values."""

    @cached_property
    def texts(self) -> tuple[pl.Series, ...]:
        """``texts[column]``: the text of every distinct value, null for missing."""
        return tuple(
            self.spellings[name] if name in self.spellings else texts_of(values, column=name)
            for name, values in zip(self.columns, self.values, strict=True)
        )

    @property
    def rows(self) -> int:
        """Rows of the table that was counted."""
        return int(self.counts.sum())

    def rows_of(self, place: int) -> npt.NDArray[np.int64]:
        """Rows per distinct value of the column at ``place``, as ``values[place]`` lists them."""
        weights = np.bincount(self.codes[place], weights=self.counts, minlength=len(self.values[place]))
        return weights.astype(np.int64)

    def sizes(self, columns: Sequence[str]) -> npt.NDArray[np.int64]:
        """Rows of every combination of some of the columns that were counted."""
        if tuple(columns) == self.columns:
            return self.counts
        codes = [self.codes[self.columns.index(name)] for name in columns]
        keys = {f"c{number}": column for number, column in enumerate(codes)}
        groups = pl.DataFrame({**keys, "rows": self.counts}).group_by(list(keys)).agg(pl.col("rows").sum())
        return groups.get_column("rows").to_numpy()

    def without(self, column: str) -> "Counts":
        """The combinations of the other columns.

        >>> ages, sexes = pl.Series([5, 6]), pl.Series(["f"])
        >>> counted = Counts(("age", "sex"), (ages, sexes), (np.arange(2), np.zeros(2)), np.ones(2))
        >>> counted.without("age").counts.tolist()
        [2]
        """
        place = self.columns.index(column)
        keys = {f"c{number}": codes for number, codes in enumerate(self.codes) if number != place}
        grouped = (
            pl.DataFrame({**keys, "rows": self.counts})
            .group_by(list(keys))
            .agg(pl.col("rows").sum())
            .sort(list(keys))
        )
        return replace(
            self,
            columns=tuple(name for name in self.columns if name != column),
            values=tuple(values for number, values in enumerate(self.values) if number != place),
            codes=tuple(grouped.get_column(key).to_numpy().astype(np.int32) for key in keys),
            counts=grouped.get_column("rows").to_numpy().astype(np.int64),
            places=None,
        )

    def part(self, combinations: npt.NDArray[np.int64]) -> "Counts":
        """Some of the combinations; values that none of them has stay known."""
        return replace(
            self,
            codes=tuple(codes[combinations] for codes in self.codes),
            counts=self.counts[combinations],
            places=None,
        )

    def __len__(self) -> int:
        return len(self.counts)


@dataclass(frozen=True)
class Assignment:
    """A local recoding: the class of every row, by the combination of values it has, and what each class shows.

    ``rows[entry]`` rows of ``combinations[owners[entry]]`` go to class ``classes[entry]``, and -1 suppresses them.
    Entries come by owner and give away all its rows; where a combination has one entry, all its rows are together.
    ``released`` has one row per class and, for some of the columns counted, what all its rows show there; a
    column may have any type.
    """

    combinations: Counts
    owners: npt.NDArray[np.int64]
    classes: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    released: pl.DataFrame

    @property
    def is_whole(self) -> bool:
        """Whether all rows of every combination go to one class."""
        return np.array_equal(self.owners, np.arange(len(self.combinations)))

    def without(self, column: str) -> "Assignment":
        """The same by the other columns, where no class depends on this one and combinations stay together."""
        counts = self.combinations
        kept = [place for place, name in enumerate(counts.columns) if name != column]
        names = [str(place) for place in kept]
        frame = pl.DataFrame({str(place): counts.codes[place] for place in kept})
        frame = frame.with_columns(combination=np.arange(len(counts)))
        groups = frame.group_by(names).agg("combination").sort(names).with_row_index("group")
        owned = groups.explode("combination").sort("combination").get_column("group").to_numpy()
        first = np.unique(owned, return_index=True)[1]
        rows = np.bincount(owned, counts.counts, len(first)).astype(np.int64)
        classes = np.full(len(first), -1, np.int64)
        classes[owned[self.owners]] = self.classes
        fewer = replace(
            counts,
            columns=tuple(counts.columns[place] for place in kept),
            values=tuple(counts.values[place] for place in kept),
            codes=tuple(counts.codes[place][first] for place in kept),
            counts=rows,
            places=None if counts.places is None else owned[counts.places].astype(counts.places.dtype),
        )
        entries = np.unique(owned[self.owners])
        return Assignment(fewer, entries, classes[entries], rows[entries], self.released)


@dataclass(frozen=True)
class Recoding:
    """A recoding as any engine can apply it with joins: a global one by ``maps``, a local one by ``assignment``.

    Or one that is found part by part because the whole does not fit in memory: then all but ``dropped`` is up to the
    recodings of ``parts``.

    In this order: columns in ``dropped`` are left out; in columns of ``unified`` everything that means a missing value
    becomes one, and zero has no sign, for to some reader they would be several values; what a column in
    ``quasi_identifiers`` keeps leaves as it was counted, for the same reason, from a database and a frame of objects
    (files write it in one way, or have a map); a missing value of a column in ``filled`` becomes the value given; rows
    with a value listed in ``excluded[column]`` are left out; every value of a column in ``maps`` becomes its label (a
    column that is not in ``maps`` keeps values and type); rows whose released labels stand in ``suppressed`` (String
    columns, null for missing, null matches null; the label of a value that is kept is its text) are left out; every
    other row shows what its class in ``assignment`` does. Rows are written in random order unless ``keeps_order``.
    Values have the types of their columns.
    """

    dropped: tuple[str, ...] = ()
    unified: tuple[str, ...] = ()
    quasi_identifiers: tuple[str, ...] = ()
    filled: Mapping[str, Any] = field(default_factory=dict)
    excluded: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    maps: Mapping[str, Mapping[Any, str | None]] = field(default_factory=dict)
    suppressed: pl.DataFrame = field(default_factory=pl.DataFrame)
    assignment: Assignment | None = None
    parts: "PartedTable | None" = None
    keeps_order: bool = False

    @property
    def looked_at(self) -> tuple[str, ...]:
        """Columns whose values matter, each once."""
        assigned = () if self.assignment is None else self.assignment.combinations.columns
        named = [*self.unified, *self.filled, *self.excluded, *self.maps, *self.suppressed.columns, *assigned]
        return tuple(name for name in dict.fromkeys(named) if name not in set(self.dropped))


@dataclass(frozen=True)
class Written:
    """What a write did: rows of the source, written, excluded (value unknown or missing) and suppressed.

    ``formulas`` are the cells of a text file that a spreadsheet would take for a formula.
    """

    source: int
    written: int
    excluded: int
    suppressed: int
    formulas: int = 0


@runtime_checkable
class Table(Protocol):
    """The verbs that a table of any kind answers."""

    location: ClassVar[Location]

    @property
    def name(self) -> str:
        """How messages call this table."""
        ...

    def columns(self) -> tuple[str, ...]:
        """Names of the columns in order; costs no look at the rows."""
        ...

    def schema(self) -> Schema:
        """Columns with their types."""
        ...

    def count_by(
        self, columns: Sequence[str], *, places: bool = False, progress: Progress = no_progress
    ) -> Counts:
        """The distinct combinations of ``columns`` and their counts; one group-by where the data is.

        With ``places`` the combination of every row may be told, too: not by a table that is elsewhere.
        """
        ...

    def parsers_of(self, columns: Sequence[str]) -> Mapping[str, ValueParser]:
        """How the texts of some columns are read as values; none of columns whose values are what they are."""
        ...

    def unparsed(self) -> "Table":
        """The same table with texts as they are written, for whom every spelling is a value of its own."""
        ...

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows in batches, values as the table holds them."""
        ...

    def write(
        self,
        recoding: Recoding,
        destination: Any,
        *,
        seed: int | None = None,
        progress: Progress = no_progress,
    ) -> Written:
        """Apply ``recoding`` and write the rows in random order; ``seed`` None draws from the system."""
        ...


def close_table(table: Table) -> None:
    """Let go of a table that holds a connection; one in a file or in memory holds none."""
    getattr(table, "close", lambda: None)()
