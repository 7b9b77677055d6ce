"""The rows of a table as numbers of 64 bits, one for each value, which are counted column by column.

A number comes from a hash with a key drawn for this run, so that what is kept on disk tells nothing, and nobody can
make two values look alike. Those of several columns are added: each was multiplied by an odd number of its own. Two
different groups get the same number by chance, and then look like one larger group, with a probability of at most
n^2 / 2^64 for n groups: one in 180,000 for ten million, one in 18 million for a million.
"""

import secrets
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.machine import usable_cores
from celosia.tables.few_columns import LISTED, LikelySets, best_sets, count_few, few_columns
from celosia.tables.group_sizes import GroupSizes
from celosia.tables.private import private_folder
from celosia.tables.table import Table
from celosia.values.same import as_values, people_keys

__all__ = ["HashedRows", "hashed_rows"]

Keys = npt.NDArray[np.uint64]

IN_MEMORY = 256 << 20
"""Bytes of numbers that are kept in memory unless less is given; more go to a private folder."""
AT_ONCE = 1 << 24
"""Rows that are sorted at once: groups of larger tables are dealt out by the first bits of their numbers."""
SAMPLE = 4_000
"""Rows on which sets of columns are tried before the best are counted on all."""
WIDEST = 12
"""Columns of which all pairs and triples are tried: those with the most values."""
KINDS = 2
"""Pairs and triples."""
COUNTED_ON_ALL = 30_000_000
"""Rows times sets up to which every pair and every triple is counted on all rows."""
_MIX = np.uint64(0x9FB21C651E98DF25)


@contextmanager
def hashed_rows(
    table: Table,
    columns: Sequence[str],
    *,
    classes: Sequence[str] = (),
    person: str | None = None,
    memory: int | None = None,
    folder: Path | None = None,
    look: Callable[[pl.DataFrame], None] | None = None,
) -> Iterator["HashedRows"]:
    """Read some columns once; ``classes`` are those of them that are often looked at together.

    ``look`` is shown every batch on the way. What does not fit in memory lies in a private folder of ``folder``
    meanwhile.
    """
    most = IN_MEMORY if memory is None else min(IN_MEMORY, memory // 4)
    with ExitStack() as stack:

        def make_file() -> Path:
            return stack.enter_context(private_folder(folder or Path(tempfile.gettempdir()))) / "numbers"

        rows = HashedRows(columns, classes=classes, person=person)
        for batch in table.scan(list(dict.fromkeys([*columns, *([] if person is None else [person])]))):
            rows.add(batch)
            if look is not None:
                look(batch)
            if rows.held > most:
                rows.move_to(make_file)
        yield rows


class HashedRows:
    """Columns as numbers, in blocks of rows: in memory, or in a file as soon as they are too many."""

    def __init__(
        self, columns: Sequence[str], *, classes: Sequence[str] = (), person: str | None = None
    ) -> None:
        self._places = {name: place for place, name in enumerate(columns)}
        self._classes = frozenset(classes)
        self._person = person
        self._seed = secrets.randbits(63)
        self._odd = np.array([secrets.randbits(64) | 1 for _ in range(len(columns) + 1)], np.uint64)
        self._blocks: list[list[Keys]] = []
        self._filed: list[tuple[int, int]] = []
        self._file: Path | None = None
        self.rows = 0
        self._people: int | None = None

    @property
    def held(self) -> int:
        """Bytes that are in memory."""
        return sum(keys.nbytes for block in self._blocks for keys in block)

    @property
    def people(self) -> int:
        """How many people there are: rows, unless a column tells people apart."""
        if self._person is None:
            return self.rows
        if self._people is None:
            self._people = len(np.unique(self._keys((self._last,))))
        return self._people

    @property
    def _last(self) -> int:
        """Where the people stand in a block."""
        return len(self._places)

    @property
    def _class(self) -> int:
        """Where the sums over the columns of classes stand."""
        return len(self._places) + (self._person is not None)

    def _places_of(self, columns: Sequence[str]) -> tuple[int, ...]:
        """What is added up for some columns."""
        if len(self._classes) < 2 or not self._classes <= set(columns):
            return tuple(self._places[name] for name in columns)
        return (self._class, *(self._places[name] for name in columns if name not in self._classes))

    def add(self, batch: pl.DataFrame) -> None:
        """Take in some rows."""
        block = []
        for name, place in self._places.items():
            values = batch.get_column(name)
            is_as_counted = values.dtype == pl.String or values.dtype.is_integer()
            block.append(self._numbers(values.alias("") if is_as_counted else as_values(values), place))
        if self._person is not None:
            block.append(self._numbers(people_keys(batch.get_column(self._person)), self._last))
        if len(self._classes) > 1:
            block.append(
                np.sum([block[self._places[name]] for name in self._classes], axis=0, dtype=np.uint64)
            )
        self.rows += batch.height
        if block:
            self._blocks.append(block)

    def _numbers(self, values: pl.Series, place: int) -> Keys:
        numbers = values.hash(self._seed).to_numpy(writable=True)
        numbers ^= numbers >> np.uint64(32)
        numbers *= _MIX
        numbers ^= numbers >> np.uint64(29)
        numbers *= self._odd[place]
        return np.asarray(numbers, np.uint64)

    def move_to(self, make_file: Callable[[], Path]) -> None:
        """Put what is in memory into the file, which is made the first time."""
        if self._file is None:
            self._file = make_file()
        with self._file.open("ab") as file:
            for block in self._blocks:
                self._filed.append((file.tell(), len(block[0])))
                for keys in block:
                    keys.tofile(file)
        self._blocks.clear()

    def count(self, sets: Sequence[tuple[str, ...]], k: int) -> list[GroupSizes]:
        """The groups of each of some sets of columns, on all cores."""
        with ThreadPoolExecutor(max_workers=usable_cores()) as pool:
            return list(pool.map(lambda columns: self._count(columns, k), sets))

    def _count(self, columns: tuple[str, ...], k: int) -> GroupSizes:
        places = self._places_of(columns)
        if self._person is not None:
            return self._count_people(places, k)
        bits = max(0, (self.rows - 1) // AT_ONCE).bit_length()
        sizes = GroupSizes(0, 0, 0, 0)
        for part in range(1 << bits):
            keys = self._keys(places, part=part, bits=bits)
            keys.sort()
            sizes += GroupSizes.of_sorted(keys, k)
        return sizes

    def _count_people(self, places: tuple[int, ...], k: int) -> GroupSizes:
        """Groups by the people in them: one who is in several groups counts once, by the smallest."""
        frame = pl.DataFrame({"group": self._keys(places), "person": self._keys((self._last,))}).unique()
        sizes = frame.group_by("group").len("size")
        smallest = frame.join(sizes, on="group").group_by("person").agg(pl.col("size").min())
        size = smallest.get_column("size")
        return GroupSizes(len(size), sizes.height, int((size == 1).sum()), int((size < k).sum()))

    def _keys(self, places: tuple[int, ...], *, part: int = 0, bits: int = 0, step: int = 1) -> Keys:
        """The numbers of rows for some columns together: of all, or of those whose first bits say ``part``.

        Or of one row in so many, by ``step``.
        """
        if bits:
            parts = [self._sum(block, places, step) for block in self._every_block()]
            chosen = [keys[(keys >> np.uint64(64 - bits)) == part] for keys in parts]
            return np.concatenate(chosen) if chosen else np.empty(0, np.uint64)
        heights = [-(-height // step) for _, height in self._every_block()]
        keys = np.empty(sum(heights), np.uint64)
        begin = 0
        for block, height in zip(self._every_block(), heights, strict=True):
            self._sum(block, places, step, keys[begin : begin + height])
            begin += height
        return keys

    def _every_block(self) -> Iterator[tuple[int, int]]:
        """Where every block begins in the file, or below zero which one in memory it is, and its rows."""
        yield from self._filed
        yield from ((-1 - number, len(block[0])) for number, block in enumerate(self._blocks))

    def _sum(
        self, block: tuple[int, int], places: tuple[int, ...], step: int, out: Keys | None = None
    ) -> Keys:
        """The numbers of some columns of a block, added up."""
        start, height = block
        keys = np.empty(-(-height // step), np.uint64) if out is None else out
        keys[:] = self._row(start, height, places[0])[::step]
        for place in places[1:]:
            keys += self._row(start, height, place)[::step]
        return keys

    def _row(self, start: int, height: int, place: int) -> Keys:
        """One column of a block, which begins at a byte of the file; below zero it is one in memory."""
        if start < 0:
            return self._blocks[-1 - start][place]
        assert self._file is not None
        return np.fromfile(self._file, np.uint64, count=height, offset=start + place * height * 8)

    def likely_sets(self, columns: Sequence[str], further: Sequence[str], k: int) -> LikelySets:
        """All pairs and triples are counted where that costs little; else more and more rows choose among them.

        Where all rows are not looked at for every set, the columns with the most values are, and of the sets those that
        put the most rows of a sample into small groups go on to a larger one.
        """
        names = list(dict.fromkeys([*columns, *further]))
        if count_few(columns, further) * max(1, self.rows) <= COUNTED_ON_ALL:
            return LikelySets(self._best(list(few_columns(columns, further)), k, step=1, left=LISTED))
        step = -(-self.rows // SAMPLE)
        distinct = {name: len(np.unique(self._keys((self._places[name],), step=step))) for name in names}
        widest = sorted(names, key=lambda name: -distinct[name])[:WIDEST]
        own = [name for name in columns if name in widest]
        sets = list(few_columns(own, [name for name in widest if name not in own]))
        while step > 1:
            sets = list(self._best(sets, k, step=step, left=max(LISTED, len(sets) // (4 * KINDS))))
            step = -(-step // 4) if len(sets) > KINDS * LISTED else 1
        if len(sets) > KINDS * LISTED:
            sets = list(self._best(sets, k, step=1, left=LISTED))
        return LikelySets(tuple(sets), are_all_counted=False)

    def _best(
        self, sets: Sequence[tuple[str, ...]], k: int, *, step: int, left: int
    ) -> tuple[tuple[str, ...], ...]:
        """The pairs, and the triples, that put the most of some rows into small groups."""
        needed = {name for some in sets for name in some}
        sample = {name: self._keys((self._places[name],), step=step) for name in needed}
        return tuple(best_sets({some: _sizes_in(sample, some, k) for some in sets}, left))


def _sizes_in(sample: dict[str, Keys], columns: tuple[str, ...], k: int) -> GroupSizes:
    keys = sample[columns[0]].copy()
    for name in columns[1:]:
        keys += sample[name]
    keys.sort()
    return GroupSizes.of_sorted(keys, k)
