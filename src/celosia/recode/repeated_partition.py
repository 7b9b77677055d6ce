"""A local recoding on its way: classes that satisfy the privacy models, each with a node of its own, and their splits.

A class is split by taking parts out of it: those that satisfy the models on their own, as long as what stays behind
does too. So what is held here could be released at any time.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from celosia.recode.domain import Codes, QuasiIdentifier
from celosia.recode.evaluate import Evaluator
from celosia.recode.frequency import FrequencySet, FrequencySets
from celosia.recode.lattice import Node

__all__ = ["RepeatedPartition", "group", "label_numbers", "pack", "part_of"]

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]

SAME = 1 + 1e-9  # sums of rounded numbers that differ by less are equal, in whatever order they were added up


class RepeatedPartition:
    """Units (rows that share all values) in classes: ``owner[unit]`` is the class of each, ``nodes[class]`` its node.

    All units are released; at the start they are in the classes of ``node``, which must satisfy the models.
    ``costs[column][level, value]`` is what a row with that value pays for its label at a level.
    With ``by_groups`` promises about groups of classes are left to whoever splits; else every class keeps them alone.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        units: FrequencySet,
        *,
        node: Node,
        costs: Sequence[Floats],
        by_groups: bool = False,
    ) -> None:
        self.evaluator = evaluator
        self.sets = evaluator.sets
        self.units = self.rest = units
        self.costs, self.by_groups = costs, by_groups
        self.codes = [np.stack(column.levels) for column in evaluator.domain.columns]  # by level and value
        self.values = [
            ((units.keys[:, word] >> shift) & mask).astype(np.int64) for word, shift, mask in self.sets.fields
        ]
        # One table re-maps keys to the labels of any node: column after column, and in each level after level.
        self.maps = np.concatenate([codes.ravel() for codes in self.codes]).astype(np.uint64)
        self.widths = np.array([codes.shape[1] for codes in self.codes])
        self.begins = np.cumsum([0, *(codes.size for codes in self.codes[:-1])])
        self.members = np.arange(len(units))  # the units of ``rest``: still in the classes they started in
        classes, self.owner = self.at(node)
        self.started = len(classes)
        self.nodes = np.tile(np.array(node, np.int64), (len(classes), 1))
        self.is_valid = len(classes) > 0 and not self.failing(classes).any()

    def failing(self, classes: FrequencySet) -> Mask:
        """Which classes may not be released."""
        return self.evaluator.failing(classes, self.units, by_groups=self.by_groups)

    def price(self, costs: Sequence[Floats]) -> float:
        """What all rows pay together."""
        paid = np.zeros(len(self.units))
        for table, values, levels in zip(costs, self.values, self.nodes.T, strict=True):
            paid += table[levels[self.owner], values]
        return float(paid @ self.units.counts)

    def at(self, node: Node) -> tuple[FrequencySet, Codes]:
        """The classes of ``rest`` at a node, and the class of each of its units."""
        starts = (self.begins + self.widths * node).astype(np.uint64)
        change = {"fields": self.sets.fields, "starts": starts, "maps": self.maps}
        return group(self.sets, self.rest, change)

    def release(self, node: Node) -> bool:
        """Take out of ``rest`` the classes that satisfy the models at a node; False if there are but none can leave."""
        found, part = self.at(node)
        if self.failing(found).all():
            return True  # so it is at most nodes: what follows may take its time
        parent = np.empty(len(found), np.int64)
        parent[part] = self.owner[self.members]
        leaves = self.leaving(found, parent)
        self.move(self.members, part, leaves, np.tile(np.array(node, np.int64), (len(found), 1)))
        self.members = np.flatnonzero(self.owner < self.started)
        self.rest = part_of(self.units, self.members)
        return bool(leaves.any())

    def specialize(self) -> None:
        """Split classes by one column at a time, each by the one that saves most, until none can be split."""
        live = np.ones(len(self.nodes), bool)
        while live.any():
            saved = np.full(len(live), -np.inf)
            chosen = np.full(len(live), -1)
            splits = {}
            for column in range(len(self.values)):
                floor = self.evaluator.lattice.bottom[column]
                members = np.flatnonzero((live & (self.nodes[:, column] > floor))[self.owner])
                part, parent, leaves, saves = self.split(column, members)
                total = np.bincount(parent[leaves], saves[leaves], len(live))
                better = np.bincount(parent[leaves], minlength=len(live)) > 0
                better &= total > saved * SAME
                saved[better], chosen[better] = total[better], column
                splits[column] = members, part, parent, leaves
            before = len(live)
            for column, (members, part, parent, leaves) in splits.items():
                nodes = self.nodes[parent]
                nodes[:, column] -= 1
                self.move(members, part, leaves & (chosen[parent] == column), nodes)
            live = np.append(chosen >= 0, np.ones(len(self.nodes) - before, bool))

    def split(self, column: int, members: Codes) -> tuple[Codes, Codes, Mask, Floats]:
        """The classes of some units one level lower in a column.

        Per unit its part; per part its class, whether it may leave that, and what its rows would save.
        """
        owner, value = self.owner[members], self.values[column][members]
        level = self.nodes[owner, column]
        width = self.codes[column].shape[1] + 1
        words = owner * width + self.codes[column][level - 1, value]
        found, part = group(self.sets, part_of(self.units, members, _one_word(words)))
        parent = found.keys[:, 0].astype(np.int64) // width
        costs = self.costs[column]
        saves = (costs[level, value] - costs[level - 1, value]) * self.units.counts[members]
        total: Floats = np.bincount(part, saves, len(found)).astype(np.float64)
        return part, parent, self.leaving(found, parent), total

    def leaving(self, parts: FrequencySet, parent: Codes) -> Mask:
        """Which parts may leave their classes.

        Where what stays behind would fail, the smallest of them stays as well; where that does not help, all do.
        """
        leaves = ~self.failing(parts)
        for is_last in (False, True):
            behind = np.flatnonzero(~leaves)
            left, _ = group(self.sets, part_of(parts, behind, _one_word(parent[behind])))
            fails = left.keys[self.failing(left), 0].astype(np.int64)
            if not len(fails):
                break
            held = np.flatnonzero(leaves & np.isin(parent, fails))
            if not is_last:  # of equally small ones, that of the lowest key
                held = held[np.lexsort((*parts.keys[held].T, parts.counts[held]))]
                held = held[np.unique(parent[held], return_index=True)[1]]
            leaves[held] = False
        return leaves

    def move(self, members: Codes, part: Codes, leaves: Mask, nodes: Codes) -> None:
        """Make the parts that leave classes of their own, with the nodes given."""
        number = np.cumsum(leaves) - 1 + len(self.nodes)
        moved = leaves[part]
        self.owner[members[moved]] = number[part[moved]]
        self.nodes = np.concatenate([self.nodes, nodes[leaves]])


_NO_CHANGE = {
    "fields": np.zeros((0, 3), np.uint64),
    "starts": np.zeros(0, np.uint64),
    "maps": np.zeros(0, np.uint64),
}


def group(
    sets: FrequencySets, source: FrequencySet, change: Mapping[str, Words] = _NO_CHANGE
) -> tuple[FrequencySet, Codes]:
    """The classes of a set with equal keys as one class each, and in which of these each of them is.

    Before that, keys are changed by ``fields``, ``starts`` and ``maps`` as the compiled ``regroup`` takes them.
    """
    keys, counts, inverse = sets.engine.regroup(source.keys, source.counts, **change, wants_inverse=True)
    histograms = []
    for classes, codes, rows in source.histograms:
        size = int(codes.max(initial=0)) + 1
        pairs = FrequencySet(_one_word(inverse[classes] * size + codes), rows)
        merged, _ = group(sets, pairs)
        pair = merged.keys[:, 0].astype(np.int64)
        histograms.append((pair // size, pair % size, merged.counts))
    return FrequencySet(keys, counts, tuple(histograms)), inverse


def part_of(source: FrequencySet, members: Codes, keys: Words | None = None) -> FrequencySet:
    """Some classes of a set, numbered anew, with other keys where they are given.

    >>> whole = FrequencySet(np.array([[7], [8]], np.uint64), np.array([3, 4]))
    >>> part_of(whole, np.array([1])).counts
    array([4])
    """
    number = np.full(len(source), -1)
    number[members] = np.arange(len(members))
    histograms = []
    for classes, codes, rows in source.histograms:
        stays = number[classes] >= 0
        histograms.append((number[classes[stays]], codes[stays], rows[stays]))
    keys = source.keys[members] if keys is None else keys
    return FrequencySet(keys, source.counts[members], tuple(histograms))


def pack(sets: FrequencySets, codes: Sequence[Codes]) -> Words:
    """One code per column as a key, in the fields that the sets have."""
    words = np.zeros((len(codes[0]), sets.base.keys.shape[1]), np.uint64)
    for (word, shift, _), column in zip(sets.fields, codes, strict=True):
        words[:, word] |= column.astype(np.uint64) << shift
    return words


def label_numbers(column: QuasiIdentifier) -> tuple[Codes, list[str | None]]:
    """By level and value the number of the label, and the labels: equal ones of two levels are one label."""
    numbers: dict[str | None, int] = {}
    by_level = [
        np.array([numbers.setdefault(label, len(numbers)) for label in labels], np.int64)[codes]
        for labels, codes in zip(column.labels, column.levels, strict=True)
    ]
    return np.stack(by_level), list(numbers)


def _one_word(numbers: Codes) -> Words:
    return numbers.astype(np.uint64).reshape(-1, 1)
