"""Operations in two stages, where a table shuffles columns by itself: what comes before that, and the rest."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from celosia.mask.masking import Masking, MaskingPass, MaskTally, ShuffledValues
from celosia.tables.layer import ShuffledColumn

__all__ = ["MaskingStage", "stage_of_masking"]


@dataclass(frozen=True)
class MaskingStage:
    """A layer to the rows that stay, with the values that come to the next shuffle of every column that has one.

    The columns of the source come through as they are, as far as ``rest`` looks at them: conditions of operations speak
    of values before any operation. See :class:`celosia.tables.layer.Stage`.
    """

    masking: Masking
    rest: Masking
    upto: Mapping[str, int]
    shuffled: tuple[ShuffledColumn, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Columns of the source, and two for every column that is shuffled."""
        rest, names = (
            self.rest,
            [name for column in self.shuffled for name in (column.values, column.numbers)],
        )
        needed = rest.needs([name for name in rest.names if name in rest.touched])
        passed = {*needed, *(name for name in rest.names if name not in rest.touched)}
        return (*(name for name in self.masking.before if name in passed), *names)

    @property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Types of values as the rest expects them; numbers are whole ones."""
        return tuple({**self.rest.before, **self._numbers}[name] for name in self.names)

    @property
    def _numbers(self) -> dict[str, pl.DataType]:
        return {column.numbers: pl.Int64() for column in self.shuffled}

    @property
    def touched(self) -> frozenset[str]:
        """The columns that are made here."""
        return frozenset(name for column in self.shuffled for name in (column.values, column.numbers))

    @property
    def drops_rows(self) -> bool:
        """Whether rows may be left out: later none is."""
        return self.masking.drops_rows

    def needs(self, columns: Sequence[str]) -> tuple[str, ...]:
        """What the chains up to the shuffles look at."""
        return self.masking.needs(tuple(self.upto))

    def begin(self, columns: Sequence[str]) -> "StagePass":
        """A pass over the rows."""
        change = MaskingPass(self.masking, tuple(self.upto), MaskTally(), self.upto).prepared()
        return StagePass(change, self.shuffled)


class StagePass:
    """One pass up to the shuffles, over one part of the table; values are numbered on the way."""

    def __init__(self, change: MaskingPass, shuffled: Sequence[ShuffledColumn]) -> None:
        self._change, self._shuffled = change, tuple(shuffled)
        self._next = [0] * len(self._shuffled)

    def begin_at(self, row: int) -> None:
        """Say which number the first row has, and the first value of every column."""
        self._change.begin_at(row)
        self._next = [row] * len(self._shuffled)

    def __call__(self, batch: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series | None]:
        """The values that come to the shuffles and their numbers, of the rows that stay."""
        frame, kept = self._change(batch)
        columns = []
        for place, (values, column) in enumerate(zip(frame.iter_columns(), self._shuffled, strict=True)):
            present = values.is_not_null()
            numbers = present.cum_sum().cast(pl.Int64) + (self._next[place] - 1)
            self._next[place] += int(present.sum())
            nothing = pl.Series([None], dtype=pl.Int64)
            columns += [values.alias(column.values), numbers.zip_with(present, nothing).alias(column.numbers)]
        return pl.DataFrame(columns), kept


def stage_of_masking(masking: Masking) -> MaskingStage | None:
    """What comes before the next shuffle of every column that has one; None if none is left.

    >>> from celosia.mask import make_operation
    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"paid": [1234, None, 987]}))
    >>> chain = (make_operation("round", to=10), make_operation("shuffle"), make_operation("round", to=100))
    >>> stage = stage_of_masking(Masking(people, {"paid": chain}))
    >>> stage.begin(stage.names)(pl.DataFrame({"paid": [1234, None, 987]}))[0].rows()
    [(1230, 0), (None, None), (990, 1)]
    >>> stage.rest.begin(("paid",))(pl.DataFrame({"paid shuffled": [990, None, 1230]}))[0].rows()
    [(1000,), (None,), (1200,)]
    """
    upto = {
        name: position for name in masking.names if (position := _next_shuffle(masking, name)) is not None
    }
    if not upto:
        return None
    taken = set(masking.before)
    shuffled = tuple(
        ShuffledColumn(
            _free(f"{name} shuffled", taken),
            _free(f"{name} number", taken),
            _seed(masking.seed, name, position),
        )
        for name, position in upto.items()
    )
    dtypes = masking.dtypes_of(tuple(upto), upto)
    drawn = {
        name: ShuffledValues(column.values, upto[name], dtype)
        for name, column, dtype in zip(upto, shuffled, dtypes, strict=True)
    }
    # Rows are left out once: one by its number would not be the same when others are gone.
    rest = replace(masking, rows=(), drawn={**masking.drawn, **drawn})
    return MaskingStage(masking, rest, upto, shuffled)


def _next_shuffle(masking: Masking, name: str) -> int | None:
    """Where the next operation of a chain stands that deals the values out anew."""
    done = masking.drawn[name].position if name in masking.drawn else -1
    chain = masking.chains.get(name, ())
    return next((place for place, operation in enumerate(chain) if place > done and operation.reorders), None)


def _free(name: str, taken: set[str]) -> str:
    """A name that no column has."""
    while name in taken:
        name += "'"
    taken.add(name)
    return name


def _seed(seed: int, column: str, position: int) -> int:
    """As many bits as Spark takes, other ones for every shuffle of a project."""
    text = f"{seed} {column} {position}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8, person=b"celosia shuffle").digest()) >> 1
