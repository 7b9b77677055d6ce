"""What a search found."""

from collections.abc import Mapping
from dataclasses import dataclass

from celosia.errors import NoSolutionError
from celosia.recode.evaluate import NodeEvaluation
from celosia.recode.lattice import Node
from celosia.say import say

__all__ = ["Candidate", "SearchResult"]


@dataclass(frozen=True)
class Candidate:
    """A node that satisfies every privacy model: the rows it suppresses, its classes and its measures."""

    node: Node
    suppressed: int
    classes: int
    measures: Mapping[str, float]

    @classmethod
    def of(cls, evaluation: NodeEvaluation) -> "Candidate":
        """The candidate that an evaluation of a valid node describes."""
        tally = evaluation.tally
        return cls(evaluation.node, tally.suppressed, tally.kept_classes, dict(evaluation.values))


@dataclass(frozen=True)
class SearchResult:
    """Candidates, best first by ``measure``, and how far to trust the order.

    ``is_proven``: no node of the lattice is better than the first. ``checks`` of ``nodes`` nodes were evaluated.
    ``note`` says in words what the numbers do not.
    """

    search: str
    measure: str
    candidates: tuple[Candidate, ...]
    is_proven: bool
    checks: int
    nodes: int
    seconds: float
    note: str = ""

    @property
    def best(self) -> Candidate:
        """The first candidate."""
        if not self.candidates:
            raise NoSolutionError(
                say("no generalization satisfies what was asked for"),
                remedy=say(
                    "allow more suppression, ask for less (a lower k or l, a higher t), or use other "
                    "hierarchies"
                ),
            )
        return self.candidates[0]
