"""Frequency sets: the distinct keys of a node, their counts and the histograms of the sensitive columns.

A key packs the codes of all quasi-identifiers into fields of 64-bit words. The set of a node is rolled up from the
set of any less general node by re-mapping digits and adding up equal keys.
"""

import sys
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

import numpy as np
import numpy.typing as npt

from celosia.recode import plain
from celosia.recode.domain import Codes, Domain
from celosia.recode.lattice import Node

__all__ = ["FrequencySet", "FrequencySets"]

Keys = npt.NDArray[np.uint64]
Level = int | None
"""A level of a column, or None for a column that is left out of the subset looked at."""

# Sorting in NumPy costs about 20 ns per key; importing and loading the kernels costs what sorting this many keys does.
KEYS_WORTH_LOADING_KERNELS = 20_000_000
# While a set is larger than this, its roll-ups are done column by column so that other nodes can share them.
SHARED_SIZE = 1_000


@dataclass(frozen=True)
class FrequencySet:
    """``keys[class]`` (words of 64 bits), ``counts[class]`` rows; per sensitive column, sparse histogram entries."""

    keys: Keys
    counts: Codes
    histograms: tuple[tuple[Codes, Codes, Codes], ...] = ()

    def __len__(self) -> int:
        return len(self.counts)


class FrequencySets:
    """Rolls up the frequency set of any node, keeping what was rolled up before within a budget of keys."""

    def __init__(self, domain: Domain, *, budget: int = 20_000_000) -> None:
        self.domain = domain
        self.keys_grouped = 0
        self._engine: ModuleType = plain
        self._budget = budget
        self._kept: OrderedDict[tuple[Level, ...], FrequencySet] = OrderedDict()
        self._kept_keys = 0
        self.fields, self._words = _pack_fields([len(column.values) for column in domain.columns])
        self._changes: dict[tuple[tuple[int, int, Level], ...], tuple[Keys, Keys, Keys]] = {}
        self.base = self._base()
        self.order = self._column_order()

    @property
    def engine(self) -> ModuleType:
        """Plain NumPy until so much was grouped that loading the compiled kernels would have paid."""
        if self._engine is plain and (
            self.keys_grouped > KEYS_WORTH_LOADING_KERNELS or "celosia.kernels.frequency" in sys.modules
        ):
            self._engine = import_module("celosia.kernels.frequency")
        return self._engine

    def expect(self, keys: int) -> None:
        """Say how many keys will be grouped, so that the kernels are loaded at once where they will pay."""
        if keys > KEYS_WORTH_LOADING_KERNELS:
            import_module("celosia.kernels.frequency")

    def at(self, node: tuple[Level, ...]) -> FrequencySet:
        """The frequency set of a node, rolled up from the nearest set that is kept."""
        current = self.base
        state: list[Level] = [0] * len(node)
        rest: list[int] = []
        for column in self.order:
            if node[column] == 0:
                continue
            if rest or len(current) <= SHARED_SIZE:
                rest.append(column)
                continue
            state[column] = node[column]
            current = self._shared(tuple(state), current, column, node[column])
        if rest:
            current = self.roll_up(current, [(column, 0, node[column]) for column in rest])
        return current

    def walk(self) -> Iterator[tuple[Node, FrequencySet]]:
        """Every node with its set, each rolled up by one level of one column; few sets are alive at a time."""
        node = [0] * len(self.domain.columns)

        def descend(place: int, current: FrequencySet) -> Iterator[tuple[Node, FrequencySet]]:
            if place == len(node):
                yield tuple(node), current
                return
            column = self.order[place]
            for level in range(self.domain.columns[column].height + 1):
                if level > 0:
                    current = self.roll_up(current, [(column, level - 1, level)])
                node[column] = level
                yield from descend(place + 1, current)

        return descend(0, self.base)

    def roll_up(self, source: FrequencySet, changes: list[tuple[int, int, Level]]) -> FrequencySet:
        """Move columns of a set to other levels: ``changes`` are (column, level it has, level it gets)."""
        return self._regroup(source, *self._change(tuple(changes)))

    def _shared(
        self, state: tuple[Level, ...], source: FrequencySet, column: int, level: Level
    ) -> FrequencySet:
        found = self._kept.get(state)
        if found is not None:
            self._kept.move_to_end(state)
            return found
        found = self.roll_up(source, [(column, 0, level)])
        self._kept[state] = found
        self._kept_keys += len(found)
        while self._kept_keys > self._budget and len(self._kept) > 1:
            self._kept_keys -= len(self._kept.popitem(last=False)[1])
        return found

    def _regroup(self, source: FrequencySet, fields: Keys, starts: Keys, maps: Keys) -> FrequencySet:
        engine = self.engine
        self.keys_grouped += len(source)
        keys, counts, inverse = engine.regroup(
            source.keys,
            source.counts,
            fields=fields,
            starts=starts,
            maps=maps,
            wants_inverse=bool(source.histograms),
        )
        histograms = tuple(
            self._regroup_entries(inverse[classes], codes, rows, len(values))
            for (classes, codes, rows), (_, values) in zip(
                source.histograms, self.domain.sensitive.values(), strict=True
            )
        )
        return FrequencySet(keys, counts, histograms)

    def _regroup_entries(
        self, classes: Codes, codes: Codes, rows: Codes, size: int
    ) -> tuple[Codes, Codes, Codes]:
        """Histogram entries of equal class and value, added up."""
        self.keys_grouped += len(rows)
        pairs = (classes * size + codes).astype(np.uint64).reshape(-1, 1)
        keys, sums, _ = self.engine.regroup(pairs, rows, **_NO_CHANGE, wants_inverse=False)
        pair = keys[:, 0].astype(np.int64)
        return pair // size, pair % size, sums

    def _change(self, changes: tuple[tuple[int, int, Level], ...]) -> tuple[Keys, Keys, Keys]:
        """Fields, starts and maps as ``regroup`` takes them; made once per change, the walk repeats few."""
        if changes not in self._changes:
            maps = [self.domain.columns[column].between(low, high) for column, low, high in changes]
            starts = np.cumsum([0, *(len(one) for one in maps[:-1])]).astype(np.uint64)
            fields = self.fields[[column for column, _, _ in changes]]
            self._changes[changes] = fields, starts, np.concatenate(maps).astype(np.uint64)
        return self._changes[changes]

    def _base(self) -> FrequencySet:
        domain = self.domain
        keys = np.zeros((len(domain.counts), self._words), np.uint64)
        for (word, shift, _), codes in zip(self.fields, domain.codes, strict=True):
            keys[:, word] |= codes.astype(np.uint64) << shift
        return self.gather(keys, domain.counts, [codes for codes, _ in domain.sensitive.values()])

    def gather(self, keys: Keys, counts: Codes, sensitive: Sequence[Codes]) -> FrequencySet:
        """Combinations as a set: their keys, rows, and the codes of the sensitive columns; equal keys are added up."""
        every = np.arange(len(counts))
        entries = tuple((every, codes, counts) for codes in sensitive)
        return self._regroup(FrequencySet(keys, counts, entries), **_NO_CHANGE)

    @property
    def words(self) -> int:
        """Words of 64 bits that a key has."""
        return self._words

    def _column_order(self) -> list[int]:
        """Columns that shrink the base set most come first: everything after them is cheap."""

        def shrunk(column: int) -> float:
            heads = self.domain.columns[column]
            return len(heads.labels[-1]) / max(1, len(heads.labels[0]))

        return sorted(range(len(self.domain.columns)), key=lambda column: (shrunk(column), column))


_NO_CHANGE: dict[str, Keys] = {
    "fields": np.zeros((0, 3), np.uint64),
    "starts": np.zeros(0, np.uint64),
    "maps": np.zeros(0, np.uint64),
}


def _pack_fields(sizes: list[int]) -> tuple[Keys, int]:
    """Word, shift and mask of every column's field, and how many words a key has.

    >>> fields, words = _pack_fields([2, 5])
    >>> fields.tolist(), words
    ([[0, 0, 1], [0, 1, 7]], 1)
    """
    fields, word, used = [], 0, 0
    for size in sizes:
        bits = max(1, (size - 1).bit_length())
        if used + bits > 64:
            word, used = word + 1, 0
        fields.append((word, used, (1 << bits) - 1))
        used += bits
    return np.array(fields, np.uint64).reshape(-1, 3), word + 1
