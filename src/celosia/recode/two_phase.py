"""Two-phase top-down specialization: every part of the table by itself, then all of it from what they have in common.

The parts are cheap to look at and can be worked on side by side; the whole table is then only asked about the last
steps. A part is held to a larger k: what it finds is to hold for the whole, and should not fit the part too closely.

X. Zhang, L. T. Yang, C. Liu, J. Chen: A scalable two-phase top-down specialization approach for data anonymization
using MapReduce on cloud. TPDS 25(2), 2014.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from celosia.errors import ProjectError
from celosia.privacy import KAnonymity, PrivacyModel
from celosia.recode.domain import Codes
from celosia.recode.evaluate import Evaluator
from celosia.recode.lattice import Node
from celosia.recode.scores import Benefits
from celosia.recode.subject import Hashes, SearchSubject, SpecializationGoal, mix, specialize, specialize_with
from celosia.recode.top_down import TopDown
from celosia.say import say, say_count
from celosia.tables.table import Progress, no_progress

__all__ = [
    "PartNode",
    "TwoPhase",
    "combine",
    "deal_out",
    "first_phase",
    "least_k",
    "part_aim",
    "specialize_part",
    "two_phase",
    "warn_of_small_parts",
]


@dataclass(frozen=True)
class PartNode:
    """What one part found: its rows, the node, and after how many looks; ``is_small``: it has fewer rows than k."""

    rows: int
    node: Node
    checks: int
    is_small: bool = False


@dataclass(frozen=True)
class TwoPhase:
    """The nodes of the parts, what they have in common, and what became of it on the whole table.

    ``restarted``: what they have in common is not valid for the whole, which then was specialized from the root.
    """

    parts: tuple[PartNode, ...]
    combined: Node
    found: TopDown
    restarted: bool = False

    @property
    def checks(self) -> int:
        """Looks at nodes of the whole table."""
        return self.found.checks + self.restarted


def two_phase(
    parts: Sequence[PartNode],
    evaluator: Evaluator,
    benefits: Benefits,
    score: str,
    *,
    progress: Progress = no_progress,
) -> TwoPhase:
    """Combine what the parts found, and specialize the whole from there."""
    top = evaluator.domain.heights
    combined = combine([part.node for part in parts])
    found = specialize_with(evaluator, benefits, score, combined, progress=progress)
    restarted = not found.is_valid and combined != top
    if restarted:
        found = specialize_with(evaluator, benefits, score, top, progress=progress)
    return TwoPhase(tuple(parts), combined, found, restarted)


def first_phase(
    subject: SearchSubject,
    aim: SpecializationGoal,
    *,
    partitions: int,
    seed: int,
    progress: Progress = no_progress,
) -> list[PartNode]:
    """Deal the rows out to ``partitions``, and specialize each; ``aim`` is that of a part."""
    parts = []
    dealt = deal_out(subject.hashes, subject.domain.counts, partitions, seed)
    for number, counts in enumerate(dealt):
        progress(say("specializing parts"), number / partitions)
        parts.append(specialize_part(subject.part(counts), aim))
    return parts


def deal_out(hashes: Hashes, counts: Codes, parts: int, seed: int) -> Codes:
    """``dealt[part][combination]``: every part gets as many rows of each combination; the few that are left over go to
    parts drawn by the seed and the hash of the combination, so that the table is dealt out alike wherever it is.

    >>> dealt = deal_out(np.array([17, 4, 23], np.uint64), np.array([5, 0, 7]), 3, seed=1)
    >>> dealt.min(axis=0).tolist(), dealt.sum(axis=0).tolist()
    ([1, 0, 2], [5, 0, 7])
    """
    even, left = np.divmod(counts, parts)
    dealt = np.repeat(even[None, :], parts, axis=0)
    for turn in range(int(left.max(initial=0))):
        those = np.flatnonzero(left > turn)
        drawn = mix(mix(hashes[those] ^ np.uint64(seed & (2**64 - 1))) + np.uint64(turn))
        np.add.at(dealt, ((drawn % np.uint64(parts)).astype(np.int64), those), 1)
    return dealt.astype(np.int64)


def specialize_part(part: SearchSubject, aim: SpecializationGoal) -> PartNode:
    """The node that one part reaches from the root; the root itself if it has too few rows for anything."""
    needed = max([1, *(model.group_size for model in aim.models)])
    if part.domain.rows < needed:
        return PartNode(part.domain.rows, part.domain.heights, 0, is_small=True)
    found = specialize(part, aim)
    return PartNode(part.domain.rows, found.node, found.checks)


def combine(nodes: Sequence[Node]) -> Node:
    """The least general node that is at least as general as each: the highest level of every column.

    Classes of a part only grow when other rows join them or levels rise. So where every part of k or more rows is
    k-anonymous at its node, the whole is k-anonymous at this one.

    >>> combine([(0, 2, 1), (1, 1, 1)])
    (1, 2, 1)
    """
    return tuple(max(levels) for levels in zip(*nodes, strict=True))


def part_aim(aim: SpecializationGoal, k_partition: int | None) -> SpecializationGoal:
    """The aim of a part: k-anonymity with the k of the parts, all other models as they are.

    Models of the whole release, or of the population, say nothing about a part: they are asked in the second phase.
    """
    asked = tuple(model for model in aim.models if not (model.of_whole or model.needs_population))
    aim = replace(aim, models=asked, population=None)
    k = least_k(aim.models)
    if k is None:
        if k_partition is not None:
            raise ProjectError(
                say("a k for the partitions is given, and none for the whole"),
                where="k_partition",
                remedy=say("ask for k-anonymity, or leave it out"),
            )
        return aim
    inner = 2 * k if k_partition is None else k_partition
    if inner < k:
        raise ProjectError(
            say("the partitions would have k = {inner}, the whole k = {k}", inner=inner, k=k),
            where="k_partition",
            remedy=say("give {k} or more", k=k),
        )
    models: tuple[PrivacyModel, ...] = tuple(
        KAnonymity(k=inner) if isinstance(model, KAnonymity) else model for model in aim.models
    )
    return replace(aim, models=models)


def least_k(models: Sequence[PrivacyModel]) -> int | None:
    """The k that is asked for, the largest of several; None without k-anonymity."""
    return max((model.k for model in models if isinstance(model, KAnonymity)), default=None)


def warn_of_small_parts(parts: Sequence[PartNode], aim: SpecializationGoal) -> str:
    """What to say of parts that have too few rows for the k of the parts; nothing where all have enough.

    >>> parts = [PartNode(40, (1,), 0, is_small=True), PartNode(60, (0,), 2)]
    >>> warn_of_small_parts(parts, SpecializationGoal((KAnonymity(k=50),)))
    'k = 50 in the partitions is more than the rows of 1 of 2, which has 40: it was left at the root; take fewer
    partitions or a smaller k for them'
    """
    small = [part.rows for part in parts if part.is_small]
    if not small:
        return ""
    k = max([1, *(model.group_size for model in aim.models)])
    return say_count(
        "k = {k:,} in the partitions is more than the rows of {count} of {parts}, which has {rows:,}: it was left at "
        "the root; take fewer partitions or a smaller k for them",
        "k = {k:,} in the partitions is more than the rows of {count} of {parts}, the smallest {rows:,}: they were "
        "left at the root; take fewer partitions or a smaller k for them",
        len(small),
        k=k,
        parts=len(parts),
        rows=min(small),
    )
