"""What jobs find, as they keep it and pages read it: JSON with these fields."""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

__all__ = [
    "BalanceColumn",
    "BalancePointResult",
    "BalanceResult",
    "BeforeAfterResult",
    "CandidateResult",
    "CandidatesResult",
    "ColumnProfileResult",
    "FirstRowsResult",
    "HierarchyResult",
    "LevelShape",
    "ProfileResult",
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


class FirstRowsResult(TypedDict):
    """The first rows of a table, as texts; None for what is missing."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str | None]]


class BeforeAfterResult(TypedDict):
    """Some rows of a table and what became of each, None for a row that was left out.

    ``columns`` are those of the rows before, ``released`` those of the rows after.
    """

    columns: Sequence[str]
    released: Sequence[str]
    before: Sequence[Sequence[str | None]]
    after: Sequence[Sequence[str | None] | None]


class ColumnProfileResult(TypedDict):
    """What a column holds, and the role proposed for it."""

    name: str
    type: str
    missing: int
    distinct: int
    distinct_share: float
    examples: Sequence[str]
    role: str
    reasons: Sequence[Mapping[str, Any]]


class ProfileResult(TypedDict):
    """What a table holds, column by column, and its first rows where they may be read."""

    table: str
    name: str | None
    rows: int
    columns: Sequence[ColumnProfileResult]
    person: Mapping[str, Any] | None
    first: FirstRowsResult | None
    quasi_identifiers: NotRequired[Mapping[str, Any]]
    reading: NotRequired[Mapping[str, Any] | None]
    treatments: NotRequired[Mapping[str, Any]]


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
