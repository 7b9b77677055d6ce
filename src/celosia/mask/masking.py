"""The operations of a project at work on one table, as a layer through which the table is seen."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from celosia.errors import TableError
from celosia.machine import usable_cores
from celosia.mask.keys import Keys
from celosia.mask.operation import (
    ColumnOperation,
    Mask,
    MissingValues,
    OperationSubject,
    PreparedMask,
    RowOperation,
)
from celosia.mask.values import by_plain_name, texts_of
from celosia.mask.worker_resources import WorkerHierarchies, WorkerKeys
from celosia.say import say
from celosia.tables.layer import apply_layer
from celosia.tables.table import Table
from celosia.types import ColumnType, nearest
from celosia.values.text import missing_to_null

if TYPE_CHECKING:
    from celosia.hierarchies import Hierarchy
    from celosia.mask.masking_stage import MaskingStage

__all__ = ["MaskTally", "Masking", "MaskingPass", "ShuffledValues", "mask_table", "plain_values"]

Chain = tuple[ColumnOperation, ...]


@dataclass
class MaskTally:
    """Rows that the last pass read, and those it dropped."""

    read: int = 0
    dropped: int = 0


@dataclass(frozen=True)
class ShuffledValues:
    """Values that were shuffled where the table is: the column they are in, and the operation that this was."""

    place: str
    position: int
    dtype: pl.DataType


@dataclass(frozen=True)
class Masking:
    """What is done to the columns and rows of a table: a layer, see :mod:`celosia.tables.layer`.

    Rows are dropped first, by what the source says; then every column goes through its chain. ``source`` is the table
    underneath; ``holds_text`` says that it holds texts whatever its values are, so that texts must come out of it.
    ``drawn`` are columns that were shuffled where the table is: their chains go on from there.
    """

    source: Any
    chains: Mapping[str, Chain]
    rows: tuple[RowOperation, ...] = ()
    keys: Keys = field(default_factory=lambda: Keys({}))
    seed: int = 0
    person: str | None = None
    hierarchies: "Callable[[str], Hierarchy] | None" = None
    folder: Path = field(default_factory=Path.cwd)
    tally: "MaskTally" = field(default_factory=MaskTally)
    drawn: Mapping[str, ShuffledValues] = field(default_factory=dict)

    @cached_property
    def holds_text(self) -> bool:
        """Whether the source holds texts, whatever its values are."""
        format = self.source.format
        return format is not None and bool(format.holds_text)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Columns that are not removed."""
        gone = {
            name
            for name, chain in self.chains.items()
            if any(operation.removes_column for operation in chain)
        }
        return tuple(name for name in self.source.columns() if name not in gone)

    @cached_property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Types as they come out of the chains."""
        return self.dtypes_of(self.names)

    def dtypes_of(
        self, columns: Sequence[str], upto: Mapping[str, int] | None = None
    ) -> tuple[pl.DataType, ...]:
        """Types of some columns as they come out of their chains, or to the operations at some positions."""
        # With a tally of its own: rows that the last pass dropped still count.
        begun = MaskingPass(self, tuple(columns), MaskTally(), upto)
        empty = pl.DataFrame(schema={name: self.before[name] for name in self.needs(columns)})
        return tuple(begun(empty)[0].dtypes)

    @cached_property
    def before(self) -> dict[str, pl.DataType]:
        """Types of the columns of the source, and of those that were drawn."""
        reader = self.source.reader
        drawn = {shuffled.place: shuffled.dtype for shuffled in self.drawn.values()}
        return {**dict(zip(reader.names, reader.dtypes, strict=True)), **drawn}

    @property
    def touched(self) -> frozenset[str]:
        """Columns that have a chain."""
        return frozenset(self.chains)

    @property
    def drops_rows(self) -> bool:
        """Whether rows may be left out."""
        return bool(self.rows) or any(
            operation.missing is MissingValues.DROP for chain in self.chains.values() for operation in chain
        )

    def needs(self, columns: Sequence[str]) -> tuple[str, ...]:
        """The columns asked for, and those that operations look at besides."""
        further = [name for operation in self.rows for name in operation.needs(self.person)]
        dropping = [
            name
            for name, chain in self.chains.items()
            if any(operation.missing is MissingValues.DROP for operation in chain)
        ]
        for column in dict.fromkeys([*columns, *dropping]):
            further += [
                name for operation in self.chains.get(column, ()) for name in operation.needs(self.person)
            ]
        wanted = {self.place_of(name) for name in columns} | set(further) | set(dropping)
        for name in wanted:
            if name not in self.before:
                raise TableError(
                    say("column {name!r} does not exist", name=name),
                    where=self.source.name,
                    remedy=nearest(name, tuple(self.before)),
                )
        return tuple(name for name in self.before if name in wanted)

    def place_of(self, column: str) -> str:
        """The column that the values of a column are read from."""
        return self.drawn[column].place if column in self.drawn else column

    def stage(self) -> "MaskingStage | None":
        """What comes before columns are shuffled; None where none is left to be."""
        from celosia.mask.masking_stage import stage_of_masking

        return stage_of_masking(self)

    def begin(self, columns: Sequence[str]) -> "MaskingPass":
        """A pass over the rows, for some of the columns; what it drops is counted afresh."""
        self.tally.read = self.tally.dropped = 0
        return MaskingPass(self, tuple(columns), self.tally).prepared()

    def subject(self, column: str, position: int = 0, dtype: pl.DataType | None = None) -> OperationSubject:
        """A column, as the operation at a position of its chain gets to know it."""
        return OperationSubject(
            column=column,
            dtype=self.before.get(column, pl.String()) if dtype is None else dtype,
            keys=self.keys,
            seed=self.seed,
            where=self.source.name,
            person=self.person,
            find_type=lambda: self.type_of(column),
            type_of=self.type_of,
            values=lambda: self._values(column, position),
            hierarchies=self.hierarchies,
            folder=self.folder,
        )

    def type_of(self, column: str) -> ColumnType:
        """What the values of a column are."""
        return self._types[column]

    @cached_property
    def _types(self) -> dict[str, ColumnType]:
        return {column.name: column.type for column in self.source.schema()}

    def _values(self, column: str, position: int) -> Iterator[pl.Series]:
        """The values of a column as they come to an operation of its chain, of the rows that stay."""
        change = MaskingPass(self, (column,), MaskTally(), {column: position}).prepared()
        for batch in self.source.reader.batches(self.needs((column,))):
            yield plain_values(change(batch)[0].get_column(column), self.source.reader.options.missing)


class MaskingPass:
    """One pass: every chain is started once and keeps what it learns."""

    def __init__(
        self,
        masking: Masking,
        columns: tuple[str, ...],
        tally: MaskTally,
        upto: Mapping[str, int] | None = None,
    ) -> None:
        self._masking, self._columns, self._tally, self._upto = masking, columns, tally, upto
        # What comes to an operation of a chain is as the one before it made it.
        self._to_text = masking.holds_text and upto is None
        self._first = 0
        self._pool = ThreadPoolExecutor(max_workers=usable_cores())
        self._missing = masking.source.reader.options.missing
        self._nothing = pl.DataFrame(schema=masking.before)
        self._filters = [operation.start_rows(masking.subject("")) for operation in masking.rows]
        self._chains = {name: self._start(name) for name in columns if name in masking.chains}
        self._refusing = [
            (name, operation.missing)
            for name, chain in masking.chains.items()
            for operation in chain
            if operation.missing in (MissingValues.DROP, MissingValues.REFUSE)
        ]

    def prepared(self) -> "MaskingPass":
        """The pass over the table, once its masks have read what they want to know before the first row comes.

        A connection to a database hands over the rows of one query at a time.
        """
        for chain in self._chains.values():
            for _, mask in chain:
                if isinstance(mask, PreparedMask):
                    mask.prepare()
        return self

    def begin_at(self, row: int) -> None:
        """Say which number the first row has: on a cluster, many passes go over a part of the rows each."""
        self._first = row

    def __reduce__(self) -> tuple[Any, ...]:
        """For other machines, where it is begun anew with what operations asked for here."""
        masking, hierarchies = self._masking, self._masking.hierarchies
        lent = replace(
            masking,
            keys=WorkerKeys(masking.keys),
            hierarchies=None if hierarchies is None else WorkerHierarchies(hierarchies),
            tally=MaskTally(),
        )
        MaskingPass(lent, self._columns, MaskTally(), self._upto)
        return MaskingPass, (lent, self._columns, MaskTally(), self._upto)

    def _start(self, name: str) -> list[tuple[ColumnOperation, Mask]]:
        """The masks of a column, all or those before a position; each is told what the one before gives."""
        masking, drawn = self._masking, self._masking.drawn.get(name)
        dtype = masking.before[masking.place_of(name)]
        started: list[tuple[ColumnOperation, Mask]] = []
        for position, operation in enumerate(masking.chains[name]):
            if drawn is not None and position < drawn.position:
                continue
            if self._upto is not None and position >= self._upto[name]:
                break
            if started:
                no_values = by_plain_name(pl.Series(name, [], dtype=dtype))
                dtype = started[-1][1](no_values, self._nothing).dtype
            is_done = drawn is not None and position == drawn.position
            mask = _same if is_done else operation.start(masking.subject(name, position, dtype))
            started.append((operation, mask))
        return started

    def __call__(self, batch: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series | None]:
        """The rows that stay, with the columns asked for as they come out of their chains."""
        plain = batch.with_columns(
            plain_values(batch.get_column(name), self._missing) for name in self._looked_at(batch)
        )
        kept = self._kept(plain)
        self._first += batch.height
        self._tally.read += batch.height
        self._tally.dropped += 0 if kept is None else batch.height - int(kept.sum())
        if kept is not None:
            batch, plain = batch.filter(kept), plain.filter(kept)
        touched = [name for name in self._columns if name in self._chains]
        series = self._pool.map(lambda name: self._mask(name, plain), touched) if touched else ()
        masked = dict(zip(touched, series, strict=True))
        columns = [masked[name] if name in masked else batch.get_column(name) for name in self._columns]
        return pl.DataFrame(columns), kept

    def _looked_at(self, batch: pl.DataFrame) -> list[str]:
        """Columns of texts that operations see, in which some mean a missing value."""
        masking = self._masking
        seen = set(self._chains) | {name for name, _ in self._refusing}
        for chain in self._chains.values():
            seen.update(name for operation, _ in chain for name in operation.needs(masking.person))
        seen.update(name for operation in masking.rows for name in operation.needs(masking.person))
        return [name for name, dtype in batch.schema.items() if name in seen and dtype == pl.String]

    def _kept(self, plain: pl.DataFrame) -> pl.Series | None:
        """Which rows stay; None where no operation leaves any out."""
        kept: pl.Series | None = None
        columns = set(plain.columns)
        for keep in self._filters:
            stays = keep(plain, self._first)
            kept = stays if kept is None else kept & stays
        for name, policy in self._refusing:
            if policy is MissingValues.DROP:
                stays = by_plain_name(plain.get_column(name)).is_not_null()
                kept = stays if kept is None else kept & stays
            elif name in columns and (missing := plain.get_column(name).null_count()):
                raise TableError(
                    say(
                        "column {name!r} misses {missing} values, and the project refuses missing ones there",
                        name=name,
                        missing=missing,
                    ),
                    where=self._masking.source.name,
                    remedy=say("fill them, or choose another policy: missing: keep, replace or drop"),
                )
        return kept

    def _mask(self, name: str, plain: pl.DataFrame) -> pl.Series:
        values = by_plain_name(plain.get_column(self._masking.place_of(name)).alias(name))
        if name in self._masking.drawn:  # elsewhere some types are others
            values = values.cast(self._masking.drawn[name].dtype)
        for operation, mask in self._chains[name]:
            was_missing = values.is_null() if operation.missing is MissingValues.REPLACE else None
            values = mask(values, plain)
            if was_missing is not None:
                values = _replaced(values, was_missing, str(operation.replacement), self._masking.source.name)
        if values.dtype == pl.Categorical:
            values = values.cast(pl.String)
        if self._to_text and not isinstance(values.dtype, pl.Enum):
            values = texts_of(values, location=self._masking.source.name)
        return values.alias(name)


def _same(values: pl.Series, _: pl.DataFrame) -> pl.Series:
    """What was done elsewhere."""
    return values


def plain_values(values: pl.Series, missing: Sequence[str]) -> pl.Series:
    """Values with null for every text that means a missing one."""
    if values.dtype != pl.String or not missing:
        return values
    expression = missing_to_null(pl.nth(0), missing).alias(values.name)
    return values.alias("").to_frame().select(expression).to_series()


def _replaced(values: pl.Series, at: pl.Series, replacement: str, table: str) -> pl.Series:
    """Values with a replacement where they were missing before the operation."""
    if values.dtype != pl.String and not values.dtype.is_numeric():
        values = texts_of(values, location=table)
    filler = pl.Series([replacement]).cast(values.dtype, strict=False)
    if filler.null_count():
        raise TableError(
            say(
                "{replacement!r} cannot replace a missing value of column {name!r}, which holds numbers",
                replacement=replacement,
                name=values.name,
            ),
            where=table,
            remedy=say("replace it by a number"),
        )
    return values.zip_with(~at, pl.repeat(filler[0], len(values), dtype=values.dtype, eager=True))


def mask_table(table: Table, chains: Mapping[str, Sequence[ColumnOperation]], **options: Any) -> Table:
    """A table as its operations leave it; ``options`` are the further fields of :class:`Masking`.

    >>> from celosia.mask import make_operation
    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"name": ["Ana", "Eva"], "paid": [1234, 987]}))
    >>> masked = mask_table(people, {"paid": [make_operation("round", to=100)]})
    >>> masked.count_by(["paid"]).values[0].to_list()
    [1000, 1200]
    """
    for name in chains:
        if name not in table.columns():
            raise TableError(
                say("column {name!r} does not exist", name=name),
                where=table.name,
                remedy=nearest(name, table.columns()),
            )
    return apply_layer(
        table, Masking(table, {name: tuple(chain) for name, chain in chains.items()}, **options)
    )
