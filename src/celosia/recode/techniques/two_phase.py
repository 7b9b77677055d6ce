"""Two-phase top-down specialization: in partitions first, then over everything from what they have in common."""

import time
from typing import Any, ClassVar

from pydantic import Field

from celosia.recode.subject import SpecializationGoal
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.technique import RecodingPlan
from celosia.recode.techniques.top_down import TopDownSpecialization
from celosia.recode.top_down_plan import make_plan
from celosia.recode.two_phase import TwoPhase, part_aim, two_phase, warn_of_small_parts
from celosia.say import say

__all__ = ["TwoPhaseSpecialization"]


class TwoPhaseSpecialization(TopDownSpecialization):
    """Two-phase top-down specialization (TPTDS): every partition by itself, then the whole from there.

    The rows are dealt out to partitions at random, by the seed. Each is specialized from the root as if it were the
    whole table, under a larger k. The most general level of every column among all partitions is where the whole table
    starts, to be specialized on under the k that was asked for. On a cluster the first phase does most of the work
    and needs no look at the whole table.
    """

    name: ClassVar[str] = "two-phase"

    partitions: int = Field(default=3, ge=1, description="how many partitions there are; 3 by default")
    k_partition: int | None = Field(
        default=None,
        ge=2,
        description="k of k-anonymity inside the partitions, not less than k; twice k by default",
    )

    def check(self, task: RecodingTask) -> None:
        """Raise if something is asked for that it does not do."""
        super().check(task)
        part_aim(SpecializationGoal(task.models), self.k_partition)

    def plan(self, task: RecodingTask) -> RecodingPlan:
        """Specialize every partition, then the whole."""
        self.check(task)
        started = time.perf_counter()
        prepared = self.prepare(task)
        inner = part_aim(prepared.aim, self.k_partition)
        parts = prepared.source.first_phase(inner, self.partitions, task.seed or 0, task.progress)
        found = two_phase(
            parts, prepared.evaluator, prepared.benefits, prepared.aim.score, progress=task.progress
        )
        warning = warn_of_small_parts(found.parts, inner)
        return make_plan(
            prepared,
            found.found,
            search=self.name,
            seconds=time.perf_counter() - started,
            details=describe_phases(found, prepared.evaluator.domain.names, warning),
            notes=[
                warning,
                say(
                    "what the partitions have in common is not valid for the whole: specialized from the root"
                )
                if found.restarted
                else "",
            ],
        )


def describe_phases(found: TwoPhase, names: tuple[str, ...], warning: str) -> dict[str, Any]:
    """Both phases, for the record."""
    return {
        "partitions": [
            {
                "rows": part.rows,
                "node": dict(zip(names, part.node, strict=True)),
                "checks": part.checks,
                "has too few rows": part.is_small,
            }
            for part in found.parts
        ],
        "combined": dict(zip(names, found.combined, strict=True)),
        "warning": warning,
    }
