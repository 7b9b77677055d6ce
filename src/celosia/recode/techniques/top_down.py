"""Top-down specialization: from the most general node down while the privacy models hold."""

import time
from typing import ClassVar, Literal

from pydantic import Field

from celosia.errors import ProjectError
from celosia.recode.subject import specialize_with
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.technique import RecodingPlan, Technique
from celosia.recode.top_down_plan import (
    Numbers,
    PreparedSpecialization,
    choose_score,
    choose_targets,
    make_plan,
    prepare,
)
from celosia.say import say

__all__ = ["TopDownSpecialization"]


class TopDownSpecialization(Technique):
    """Top-down specialization: from the most general node down, one column at a time, by what each step tells.

    Everything starts at the root of its hierarchy. Of all steps that take one column a level down and keep every
    privacy model, the one that tells most about the sensitive columns for the privacy that it costs is made (IGPL:
    bits gained over the rows that the smallest class loses plus one), until there is none. Every value is treated
    alike everywhere in the release. It looks at few nodes and finds a good one, not the best: that is what full-domain
    is for. Numbers without a hierarchy get intervals that tell most about the sensitive columns.
    """

    name: ClassVar[str] = "top-down"
    is_global: ClassVar[bool] = True

    score: Literal["gain-per-privacy", "gain", "loss-per-privacy", "loss"] | None = Field(
        default=None,
        description="what makes a step good: gain-per-privacy (the default), gain, or without a target "
        "loss-per-privacy (then the default) or loss",
    )
    target: str | tuple[str, ...] = Field(
        default=(), description="the columns that gains are to tell about; all sensitive ones by default"
    )
    numbers: Numbers = Field(
        default="gain",
        description="hierarchies of numbers that have none: gain, intervals that tell most about the target (the "
        "default), or proposed, with round bounds",
    )

    def check(self, task: RecodingTask) -> None:
        """Raise if something is asked for that it does not do."""
        task.refuse_levels(self.name)
        task.refuse_keep_type(self.name)
        for model in task.models:
            if not model.union_monotone:
                raise ProjectError(
                    say(
                        "{technique} goes down from the root while the models hold, and {model} may hold only "
                        "below",
                        technique=self.name,
                        model=model.name,
                    ),
                    where="models",
                    remedy=say("use technique full-domain, which looks everywhere"),
                )
        choose_score(task, self.score, choose_targets(task, self.target))

    def try_out(self, task: RecodingTask) -> None:
        """Raise whatever a specialization would, before its first step."""
        self.check(task)
        prepared = self.prepare(task)
        prepared.benefits  # noqa: B018 - worked out when it is asked for
        prepared.evaluator.try_out()

    def plan(self, task: RecodingTask) -> RecodingPlan:
        """Specialize from the root."""
        self.check(task)
        started = time.perf_counter()
        prepared = self.prepare(task)
        evaluator = prepared.evaluator
        found = specialize_with(
            evaluator, prepared.benefits, prepared.aim.score, evaluator.lattice.top, progress=task.progress
        )
        return make_plan(prepared, found, search=self.name, seconds=time.perf_counter() - started, details={})

    def prepare(self, task: RecodingTask) -> PreparedSpecialization:
        """What is specialized, and towards what."""
        targets = choose_targets(task, self.target)
        score = choose_score(task, self.score, targets)
        return prepare(task, targets=targets, score=score, numbers=self.numbers)
