"""A release: what leaves, with its evidence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from celosia.errors import ProjectError
from celosia.measure.distribution import DistributionComparison
from celosia.measure.exposure import Exposure
from celosia.measure.risk import ClassRisk
from celosia.recode.result import Candidate, SearchResult
from celosia.recode.techniques import RecodingPlan
from celosia.release.verdict import Verdict
from celosia.release.verify import Verification
from celosia.say import say
from celosia.tables.table import Written

__all__ = ["Release"]


@dataclass(frozen=True)
class Release:
    """What leaves, with its evidence. ``table`` is the caller's kind of frame, or the place it was written to.

    ``comparison`` tells how the distributions of quasi-identifiers that keep their type came through; ``dropped`` are
    rows that operations left out; ``exposure`` whom columns outside the promise single out, ``verdict`` what that and
    the verification make of the release. A light release has no ``technique_plan`` and promises nothing about people.
    """

    table: Any
    technique_plan: RecodingPlan | None
    risk_before: ClassRisk | None
    risk_after: ClassRisk | None
    comparison: DistributionComparison | None
    written: Written
    verification: Verification
    exposure: Exposure
    verdict: Verdict
    record: Mapping[str, Any]
    dropped: int = 0

    def _repr_html_(self) -> str:
        """The release as a notebook shows it."""
        from celosia.release.notebook import show_release

        return show_release(self)

    @property
    def plan(self) -> RecodingPlan:
        """What the technique found."""
        if self.technique_plan is None:
            raise ProjectError(
                say("a light release has no technique"), where="release", remedy=say("look at release.record")
            )
        return self.technique_plan

    @property
    def candidate(self) -> Candidate:
        """The node that was applied, if it was one."""
        if self.plan.candidate is None:
            raise _no_node()
        return self.plan.candidate

    @property
    def result(self) -> SearchResult:
        """What the search of the lattice found, if there was one."""
        if self.plan.result is None:
            raise _no_node()
        return self.plan.result

    @property
    def levels(self) -> Mapping[str, int]:
        """The level of every quasi-identifier in a full-domain recoding."""
        if self.plan.candidate is None:
            raise _no_node()
        return dict(self.plan.details["node"])


def _no_node() -> ProjectError:
    return ProjectError(
        say("only a full-domain recoding has one node for all rows"),
        where="release",
        remedy=say("look at release.plan.shown, which says what became of every column"),
    )
