"""What top-down specialization works on: the combinations with the sensitive tuple of each, here or in a partition."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from celosia.hierarchies import Hierarchy
from celosia.privacy import PrivacyModel
from celosia.recode.domain import Codes, Domain, with_rows
from celosia.recode.evaluate import Evaluator
from celosia.recode.gains import Joint, tuple_codes
from celosia.recode.lattice import Node
from celosia.recode.scores import Benefits, gain_benefits, get_score, loss_benefits
from celosia.recode.top_down import TopDown, look_with, top_down
from celosia.tables.table import Progress, no_progress

__all__ = ["Aim", "Subject", "make_subject", "specialize"]


@dataclass(frozen=True)
class Aim:
    """What is asked of a specialization: promises, rows that may be suppressed, and what makes a step good."""

    models: tuple[PrivacyModel, ...]
    score: str = "gain-per-privacy"
    measure: str = "loss"
    limit: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)

    def benefits(self, subject: "Subject") -> Benefits:
        """What every step brings."""
        columns = subject.domain.columns
        if get_score(self.score).needs_target:
            return gain_benefits(columns, subject.joints(), self.weights)
        return loss_benefits(columns, self.measure, self.weights)

    def evaluator(self, subject: "Subject") -> Evaluator:
        """For looks at nodes."""
        return Evaluator(
            subject.domain,
            self.models,
            measures=[],
            limit=self.limit,
            weights=self.weights,
            sensitive_hierarchies=self.hierarchies,
        )


@dataclass(frozen=True)
class Subject:
    """The combinations of a table or of a part of it, and ``targets[combination]``, a code of the sensitive tuple.

    It holds arrays, level tables and texts only, and can be sent to where the work is done.
    """

    domain: Domain
    targets: Codes

    def joints(self) -> list[Joint]:
        """The joint counts of every quasi-identifier with the target."""
        return [Joint(codes, self.targets, self.domain.counts).merged() for codes in self.domain.codes]

    def part(self, counts: Codes) -> "Subject":
        """The part that has ``counts[combination]`` rows of every combination; levels stay as they are."""
        domain, here = self.domain, np.flatnonzero(counts)
        kept = counts[here].astype(np.int64)
        codes = tuple(column_codes[here] for column_codes in domain.codes)
        sensitive = {name: (of_rows[here], values) for name, (of_rows, values) in domain.sensitive.items()}
        columns = tuple(
            with_rows(column, of_column, kept)
            for column, of_column in zip(domain.columns, codes, strict=True)
        )
        return Subject(
            replace(
                domain, columns=columns, codes=codes, counts=kept, sensitive=sensitive, rows=int(kept.sum())
            ),
            self.targets[here],
        )


def make_subject(domain: Domain, targets: Sequence[str], modelled: Sequence[str]) -> Subject:
    """From a domain that was counted with further columns: the target is the tuple of some, models look at others."""
    told = [(codes, len(values)) for codes, values in (domain.sensitive[name] for name in targets)]
    tuples = tuple_codes(told, len(domain.counts))
    sensitive = {name: entry for name, entry in domain.sensitive.items() if name in modelled}
    return Subject(replace(domain, sensitive=sensitive), tuples)


def specialize(
    subject: Subject,
    aim: Aim,
    *,
    start: Node | None = None,
    evaluator: Evaluator | None = None,
    progress: Progress = no_progress,
) -> TopDown:
    """Top-down specialization of a table or a part of it, from ``start`` or else from the root."""
    evaluator = evaluator or aim.evaluator(subject)
    return top_down(
        evaluator.lattice.top if start is None else start,
        aim.benefits(subject),
        look_with(evaluator),
        get_score(aim.score),
        is_monotone=evaluator.is_monotone,
        progress=progress,
    )
