"""The values of a column in another order."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import polars as pl

from celosia.errors import TableError
from celosia.mask.operation import ColumnOperation, Mask, OperationSubject
from celosia.say import say

__all__ = ["Shuffle"]

FEW_BYTES = 1 << 25
"""As much as is put into order at once; more goes through many buckets."""


class Shuffle(ColumnOperation):
    """Give the values of a column back in random order: every value stays, and any row may get it.

    The salaries 900, 1200 and 3000 of Ana, Eva and Leo may become 3000, 900 and 1200. Mean, median and everything else
    that is said of this column alone stay exactly the same; what it has to do with other columns is lost. Missing
    values stay where they are. The seed of the project decides on the order. All orders are equally likely, so that on
    average one row gets its own value back, whatever the size of the table; where there is one value only, it stays.

    Use it for columns that are described but not related to others. A value that can only be one person's, as the
    salary of the director, is still there.
    """

    name: ClassVar[str] = "shuffle"
    reversible: ClassVar[str] = say("with the seed, if the project gives one, and the rows in their order")
    leaks: ClassVar[str] = say(
        "all values of the column and where any is missing; whose they are only by chance, "
        "or where all are alike"
    )
    reorders: ClassVar[bool] = True

    @property
    def goes_by_value(self) -> bool:
        """A row gets that of any other."""
        return False

    def describe(self) -> str:
        """Such as: shuffled."""
        return say("shuffled")

    @property
    def goes_by_order(self) -> bool:
        """The first row gets the first of the values drawn."""
        return True

    def start(self, subject: OperationSubject) -> Mask:
        """Replace the values of a batch by the next ones in random order."""
        return _Drawn(subject)


class _Drawn:
    """The values of a column in random order, taken a few at a time."""

    def __init__(self, subject: OperationSubject) -> None:
        self._subject = subject
        self._parts = _in_random_order(subject)
        self._left = pl.Series([], dtype=subject.dtype)

    def prepare(self) -> None:
        """Read the column before the rows are: a connection to a database hands over one of them at a time."""
        self._left = next(self._parts, self._left)

    def __call__(self, values: pl.Series, _: pl.DataFrame) -> pl.Series:
        """The next values where there are any, and none where there is none."""
        present = values.is_not_null()
        count = int(present.sum())
        if not count:
            return values
        taken = self._take(count)
        if count == len(values):
            return taken.alias(values.name)
        places = (present.cum_sum().cast(pl.Int64) - 1).zip_with(present, pl.Series([None], dtype=pl.Int64))
        return taken.gather(places).alias(values.name)

    def _take(self, count: int) -> pl.Series:
        while len(self._left) < count:
            part = next(self._parts, None)
            if part is None:
                raise TableError(
                    say(
                        "column {column!r} has fewer values than it had when it was shuffled",
                        column=self._subject.column,
                    ),
                    where=self._subject.where,
                    remedy=say(
                        "shuffle a column before any other operation on it, and while nobody changes the "
                        "table"
                    ),
                )
            self._left = pl.concat([self._left, part], rechunk=True) if len(self._left) else part
        taken, self._left = self._left.head(count), self._left.slice(count)
        return taken


def _in_random_order(subject: OperationSubject) -> Iterator[pl.Series]:
    from celosia.tables.shuffle import RowShuffle as Buckets
    from celosia.tables.shuffle import memory_budget

    digest = hashlib.blake2b(
        f"{subject.seed} {subject.column}".encode(), digest_size=16, person=b"celosia shuffle"
    )
    seed = int.from_bytes(digest.digest())
    batches = (values.alias("value").drop_nulls() for values in subject.values())
    first: list[pl.Series] = []
    for values in batches:
        if values.dtype != subject.dtype:
            raise TableError(
                say("column {column!r} was changed before it is shuffled", column=subject.column),
                where=subject.where,
                remedy=say("shuffle it first, before any other operation on it"),
            )
        first.append(values)
        if sum(part.estimated_size() for part in first) > FEW_BYTES:
            break
    # How many buckets there are depends on the values alone, so that a seed gives one order on every machine.
    size = FEW_BYTES * (256 if sum(part.estimated_size() for part in first) > FEW_BYTES else 1)
    with Buckets(Path(subject.folder), size=size, memory=memory_budget(), seed=seed) as buckets:
        for values in first:
            buckets.add(values.to_frame())
        first.clear()
        for values in batches:
            buckets.add(values.to_frame())
        for part in buckets.parts():
            yield part.get_column("value")
