"""What top-down specialization works on: the combinations with the sensitive tuple of each, here or in a partition."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from celosia.hierarchies import Hierarchy
from celosia.privacy import PrivacyModel
from celosia.recode.domain import Codes, Domain, with_rows
from celosia.recode.evaluate import Evaluator
from celosia.recode.gains import JointCounts, tuple_codes
from celosia.recode.lattice import Node
from celosia.recode.population import PopulationCounts
from celosia.recode.scores import Benefits, gain_benefits, get_score, loss_benefits
from celosia.recode.top_down import TopDown, look_with, top_down
from celosia.tables.table import Progress, no_progress

__all__ = [
    "Hashes",
    "SearchSubject",
    "SpecializationGoal",
    "hash_combinations",
    "make_subject",
    "mix",
    "specialize",
    "specialize_with",
]

Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class SpecializationGoal:
    """What is asked of a specialization: promises, rows that may be suppressed, and what makes a step good."""

    models: tuple[PrivacyModel, ...]
    score: str = "gain-per-privacy"
    measure: str = "loss"
    limit: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    population: PopulationCounts | None = None

    def benefits(self, subject: "SearchSubject") -> Benefits:
        """What every step brings."""
        columns = subject.domain.columns
        if get_score(self.score).needs_target:
            return gain_benefits(columns, subject.joints(), self.weights)
        return loss_benefits(columns, self.measure, self.weights)

    def evaluator(self, subject: "SearchSubject") -> Evaluator:
        """For looks at nodes."""
        return Evaluator(
            subject.domain,
            self.models,
            measures=[],
            limit=self.limit,
            weights=self.weights,
            sensitive_hierarchies=self.hierarchies,
            population=self.population,
        )


@dataclass(frozen=True)
class SearchSubject:
    """The combinations of a table or of a part of it, and ``targets[combination]``, a code of the sensitive tuple.

    It holds arrays, level tables and texts only, and can be sent to where the work is done.
    """

    domain: Domain
    targets: Codes
    hashes: Hashes
    """``hashes[combination]`` tells it from others, whatever table or part of one it is found in."""

    def joints(self) -> list[JointCounts]:
        """The joint counts of every quasi-identifier with the target."""
        return [JointCounts(codes, self.targets, self.domain.counts).merged() for codes in self.domain.codes]

    def part(self, counts: Codes) -> "SearchSubject":
        """The part that has ``counts[combination]`` rows of every combination; levels stay as they are."""
        domain, here = self.domain, np.flatnonzero(counts)
        kept = counts[here].astype(np.int64)
        codes = tuple(column_codes[here] for column_codes in domain.codes)
        sensitive = {name: (of_rows[here], values) for name, (of_rows, values) in domain.sensitive.items()}
        columns = tuple(
            with_rows(column, of_column, kept)
            for column, of_column in zip(domain.columns, codes, strict=True)
        )
        return SearchSubject(
            replace(
                domain, columns=columns, codes=codes, counts=kept, sensitive=sensitive, rows=int(kept.sum())
            ),
            self.targets[here],
            self.hashes[here],
        )


def make_subject(domain: Domain, targets: Sequence[str], modelled: Sequence[str]) -> SearchSubject:
    """From a domain that was counted with further columns: the target is the tuple of some, models look at others."""
    told = [(codes, len(values)) for codes, values in (domain.sensitive[name] for name in targets)]
    tuples = tuple_codes(told, len(domain.counts))
    sensitive = {name: entry for name, entry in domain.sensitive.items() if name in modelled}
    hashes = hash_combinations([*domain.codes, *(codes for codes, _ in domain.sensitive.values())])
    return SearchSubject(replace(domain, sensitive=sensitive), tuples, hashes)


def hash_combinations(columns: Sequence[Codes]) -> Hashes:
    """A number for every combination of the codes of some columns, spread over 64 bits.

    >>> hash_combinations([np.array([0, 1, 0]), np.array([1, 0, 1])]).tolist()[::2] == [1, 1]
    False
    """
    found = np.zeros(len(columns[0]) if columns else 0, np.uint64)
    for codes in columns:
        found = mix(found + codes.astype(np.uint64))
    return found


def mix(numbers: Hashes) -> Hashes:
    """Numbers as if drawn at random, always the same for the same (splitmix64)."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def specialize(
    subject: SearchSubject,
    aim: SpecializationGoal,
    *,
    progress: Progress = no_progress,
) -> TopDown:
    """Top-down specialization of a table or a part of it, from the root."""
    evaluator = aim.evaluator(subject)
    return specialize_with(
        evaluator, aim.benefits(subject), aim.score, evaluator.lattice.top, progress=progress
    )


def specialize_with(
    evaluator: Evaluator, benefits: Benefits, score: str, start: Node, *, progress: Progress = no_progress
) -> TopDown:
    """Top-down specialization from a node, of whatever an evaluator looks at."""
    return top_down(
        start,
        benefits,
        look_with(evaluator),
        get_score(score),
        is_monotone=evaluator.is_monotone,
        progress=progress,
    )
