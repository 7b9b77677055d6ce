"""What every kind of table can do, and what passes between a table and the rest.

A table lives in a file, in the caller's memory, in a database or on a cluster. It answers few verbs, each where the
data is; no algorithm knows which kind it has. Values cross this border as text, with ``None`` for a missing one:
the text of an integer is its digits, of a date its ISO form, of a boolean ``true`` or ``false``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.types import Schema

if TYPE_CHECKING:
    from celosia.tables.parted import PartedTable

__all__ = ["Assignment", "Counts", "Progress", "Recoding", "Table", "Written", "close_table", "no_progress"]

Progress = Callable[[str, float], None]
"""Called with what is being done and the share done so far, 0 to 1."""


def no_progress(stage: str, share: float) -> None:
    """Report nothing."""


@dataclass(frozen=True)
class Counts:
    """The distinct combinations of some columns and how many rows have each, dictionary-encoded.

    ``values[column]`` holds the distinct texts of a column (null for missing), ``codes[column][combination]``
    points into it, ``counts[combination]`` is the number of rows.
    """

    columns: tuple[str, ...]
    values: tuple[pl.Series, ...]
    codes: tuple[npt.NDArray[np.int32], ...]
    counts: npt.NDArray[np.int64]

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
        keys = [pl.Series(name, self.codes[self.columns.index(name)]) for name in columns]
        rows = pl.Series("rows of the class", self.counts)
        groups = pl.DataFrame([*keys, rows]).group_by(list(columns)).agg(pl.col(rows.name).sum())
        return groups.get_column(rows.name).to_numpy()

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


@dataclass(frozen=True)
class Recoding:
    """A recoding as any engine can apply it with joins: a global one by ``maps``, a local one by ``assignment``.

    Or one that is found part by part because the whole does not fit in memory: then all but ``dropped`` is up to the
    recodings of ``parts``.

    In this order: columns in ``dropped`` are left out; in columns of ``unified`` all texts that mean a missing value
    become one, for to a reader they would be several values; a missing value of a column in ``filled`` becomes the text
    given; rows with a value listed in ``excluded[column]`` are left out; every value of a column in ``maps`` becomes
    its label (a column that is not in ``maps`` keeps values and type); rows whose released labels stand in
    ``suppressed`` (String columns, null for missing, null matches null) are left out; every other row shows what its
    class in ``assignment`` does. Rows are written in random order unless ``keeps_order``.
    """

    dropped: tuple[str, ...] = ()
    unified: tuple[str, ...] = ()
    filled: Mapping[str, str] = field(default_factory=dict)
    excluded: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    maps: Mapping[str, Mapping[str | None, str | None]] = field(default_factory=dict)
    suppressed: pl.DataFrame = field(default_factory=pl.DataFrame)
    assignment: Assignment | None = None
    parts: "PartedTable | None" = None
    keeps_order: bool = False


@dataclass(frozen=True)
class Written:
    """What a write did: rows of the source, written, excluded (value unknown or missing) and suppressed."""

    source: int
    written: int
    excluded: int
    suppressed: int


@runtime_checkable
class Table(Protocol):
    """The verbs that a table of any kind answers."""

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

    def count_by(self, columns: Sequence[str], *, progress: Progress = no_progress) -> Counts:
        """The distinct combinations of ``columns`` and their counts; one group-by where the data is."""
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
