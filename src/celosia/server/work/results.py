"""What jobs find, as they keep it and pages read it: JSON with these fields."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

__all__ = [
    "BalanceColumn",
    "BalancePointResult",
    "BalanceResult",
    "CandidateResult",
    "CandidatesResult",
    "HierarchyResult",
    "LevelShape",
    "ProposedHierarchy",
]


class CandidateResult(TypedDict):
    """One generalization: its levels, whether it keeps the promises, what it loses and what it risks."""

    node: Sequence[int]
    valid: bool
    optimal: bool
    minimal: bool
    suppressed: int
    classes: int
    risk: float
    measures: Mapping[str, float]


class LevelShape(TypedDict):
    """What the labels of a level look like: their kind, and the width or number that goes with it."""

    kind: str
    size: float


class CandidatesResult(TypedDict):
    """Every generalization there is; ``best`` and ``frontier`` are nodes, levels in the order of ``columns``."""

    table: str | None
    columns: Sequence[str]
    heights: Sequence[int]
    hierarchies: Mapping[str, str]
    samples: Mapping[str, Sequence[str]]
    shapes: Mapping[str, Sequence[LevelShape]]
    measure: str
    models: Sequence[str]
    nodes: int
    valid: int
    rows: int
    best: Sequence[int] | None
    frontier: Sequence[Sequence[int]]
    candidates: Sequence[CandidateResult]


class BalanceColumn(TypedDict):
    """What a release keeps of a column at one k, and what it loses there."""

    kind: str
    distance: float | None
    significance: float | None
    variation: float | None
    loss: float


class BalancePointResult(TypedDict):
    """A release at one k."""

    k: int
    columns: Mapping[str, BalanceColumn]
    measures: Mapping[str, float]
    singled_out: Mapping[str, int]
    below_k: Mapping[str, int]
    classes: Mapping[str, int]
    rows: Mapping[str, int]
    passes: Mapping[str, bool]


class BalanceResult(TypedDict):
    """What every k keeps of a table, and by each rule the largest that keeps enough."""

    quasi_identifiers: Sequence[str]
    tolerance: float
    threshold: float
    judged: Mapping[str, Sequence[str]]
    best: Mapping[str, int | None]
    left_out: Sequence[str]
    points: Sequence[BalancePointResult]


class ProposedHierarchy(TypedDict):
    """A hierarchy that is proposed, row by row, and why."""

    rows: Sequence[Sequence[str]]
    reason: str


class HierarchyResult(TypedDict):
    """The values of a column with their rows, the hierarchy that it has, and the one that is proposed."""

    column: str
    type: str
    missing: int
    count: int
    values: Mapping[str, int]
    proposed: ProposedHierarchy | None
    given: Sequence[Sequence[str]] | None
    problems: Sequence[Mapping[str, str]]
