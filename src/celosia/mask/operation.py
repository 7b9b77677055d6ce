"""What every operation is: something done to the values of one column, or to rows, without a privacy model.

An operation is a typed document (its fields are its parameters) that starts a mask: a function of batches. A mask sees
values as the table holds them, null for a missing one, and leaves missing ones missing: what becomes of those is said
once for all operations, by ``missing``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, model_validator

from celosia.say import say
from celosia.types import ColumnType

if TYPE_CHECKING:
    from celosia.hierarchies import Hierarchy
    from celosia.mask.keys import Keys

__all__ = [
    "ColumnFacts",
    "ColumnOperation",
    "Mask",
    "MissingValues",
    "Operation",
    "OperationSubject",
    "PreparedMask",
    "RowOperation",
]

Mask = Callable[[pl.Series, pl.DataFrame], pl.Series]
"""From the values of a batch, and the columns of the same rows that the operation ``needs``, to what they become."""


@runtime_checkable
class PreparedMask(Protocol):
    """A mask that reads the column before the rows are read."""

    def prepare(self) -> None:
        """Read what the mask wants to know before the first row comes."""
        ...


class MissingValues(StrEnum):
    """What becomes of a missing value under an operation."""

    KEEP = "keep"
    REPLACE = "replace"
    DROP = "drop"
    REFUSE = "refuse"


@dataclass(frozen=True)
class OperationSubject:
    """The column that an operation is started for, and what it may ask for.

    ``dtype`` is what the batches hold: String for a table of texts, whatever the values are; ``type`` is what they are,
    as declared or inferred, found out when asked for, and so ``type_of`` any column of the table. ``values`` begins a
    pass over the column, with the rows that stay; ``seed`` is the same for every pass of a run. ``person`` is the
    column that tells people apart, if declared.
    """

    column: str
    dtype: pl.DataType
    keys: "Keys"
    seed: int
    where: str = ""
    person: str | None = None
    find_type: Callable[[], ColumnType] = lambda: ColumnType.TEXT
    type_of: Callable[[str], ColumnType] = lambda _: ColumnType.TEXT
    values: Callable[[], Iterator[pl.Series]] = lambda: iter(())
    hierarchies: Callable[[str], "Hierarchy"] | None = None
    folder: Path = field(default_factory=Path.cwd)

    @property
    def type(self) -> ColumnType:
        """What the values are."""
        return self.find_type()


@dataclass(frozen=True)
class ColumnFacts:
    """What the first rows tell of a column: how many have a value, how many values differ, how common the commonest is.

    >>> ColumnFacts(rows=100, distinct=2, largest=90).is_skewed
    True
    """

    rows: int
    distinct: int
    largest: int
    is_sample: bool = False

    @property
    def is_small(self) -> bool:
        """Whether so few values exist that all can be tried: rows repeat them."""
        return self.rows > 0 and self.distinct <= max(1, self.rows // 2)

    @property
    def is_skewed(self) -> bool:
        """Whether the commonest value can be told by how common it is."""
        is_common = self.largest > 2 and 20 * self.largest >= self.rows
        return is_common and self.distinct > 1 and 2 * self.largest * self.distinct >= 3 * self.rows


class Operation(BaseModel, ABC):
    """Something done without a privacy model; a module of ``operations/`` with a subclass that has a ``name`` adds one.

    Its fields are its parameters: the project language, the command line and the help know them by these names. The
    docstring is the help: what it does, a worked example, when to use it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    name: ClassVar[str]
    reversible: ClassVar[str] = say("no")
    """``no``, ``with the key``, or who else can undo it."""
    leaks: ClassVar[str]
    """What a reader of the release still learns, in one sentence."""

    def __eq__(self, other: object) -> bool:
        """Whether another does the same: its parameters count, not what either has read or found out so far."""
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    @abstractmethod
    def describe(self) -> str:
        """What it does with these parameters, in a few words that follow the name of a column: ``rounded to 10``."""

    def needs(self, subject_person: str | None = None) -> tuple[str, ...]:
        """Further columns of the table that it looks at, as the source has them."""
        return ()

    def weaknesses(self, facts: ColumnFacts) -> tuple[str, ...]:
        """Why these parameters protect this column less than one might think; nothing if there is no reason."""
        return ()

    @property
    def looks_at_facts(self) -> bool:
        """Whether ``weaknesses`` depends on the column, so that it is worth a look at its first rows."""
        return type(self).weaknesses is not Operation.weaknesses

    @property
    def goes_by_order(self) -> bool:
        """Whether what becomes of a row depends on where it stands among the others."""
        return False

    @property
    def key_name(self) -> str | None:
        """The key it needs, by the name it has in the project."""
        return None


class ColumnOperation(Operation):
    """An operation on the values of one column."""

    missing: MissingValues = Field(
        default=MissingValues.KEEP,
        description="what becomes of missing values: keep them, replace them, drop their rows, or refuse the table",
    )
    replacement: str | None = Field(default=None, description="what replaces a missing value")

    hides_identity: ClassVar[bool] = False
    """Whether no released value tells by itself what it was: only then may an identifier leave a complete release."""
    reorders: ClassVar[bool] = False
    """Whether it deals the values out anew, missing ones staying where they are: a cluster does that by itself."""

    within_classes: ClassVar[bool] = False
    """Whether it is carried out with the recoding, once classes are known: then it is the last of its chain."""
    counts_column: ClassVar[bool] = False
    """Whether it has to read the whole column before the first row: the machines of a cluster cannot."""

    @property
    def removes_column(self) -> bool:
        """Whether the column is not in the release at all."""
        return False

    @property
    def goes_by_value(self) -> bool:
        """Whether the same value becomes the same wherever it stands, so that tables can still be joined by it."""
        return True

    @property
    def is_repeatable(self) -> bool:
        """Whether another pass over the same rows gives the same values: only then can anything be promised of them."""
        return True

    @abstractmethod
    def start(self, subject: OperationSubject) -> Mask:
        """A mask for one pass over the column; it may keep what it learns from batch to batch.

        It is called once with no rows, to tell the type of its values: that may not depend on the rows.
        """

    def broken(self, values: pl.Series) -> int:
        """How many released values, none of them missing, cannot come from this operation.

        The verification asks it of what was written: the formula should not be the one that made the values.
        """
        return 0

    @model_validator(mode="after")
    def _replaces(self) -> "ColumnOperation":
        if (self.missing is MissingValues.REPLACE) != (self.replacement is not None):
            raise ValueError(say("missing: replace and a replacement go together"))
        return self


class RowOperation(Operation):
    """An operation that decides which rows stay."""

    goes_by_seed: ClassVar[bool] = False
    """Whether chance decides, so that only the seed of a run tells which rows they were."""

    @abstractmethod
    def start_rows(self, subject: OperationSubject) -> Callable[[pl.DataFrame, int], pl.Series]:
        """A function of a batch, with the columns it ``needs``, and the number of its first row: which rows stay."""
