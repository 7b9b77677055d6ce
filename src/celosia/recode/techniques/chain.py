"""Techniques in a row, each on what the one before leaves."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, model_validator

from celosia.errors import InvalidValueError, ProjectError
from celosia.measure.risk import class_risk
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.technique import RecodingPlan, Technique
from celosia.say import say
from celosia.tables.layer import apply_layer
from celosia.tables.recoding_layer import RecodingLayer
from celosia.types import nearest

__all__ = ["ChainStep", "TechniqueChain"]


class ChainStep(BaseModel):
    """One technique of a chain, for all quasi-identifiers or for some."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    technique: SerializeAsAny[Technique]
    columns: tuple[str, ...] = ()


class TechniqueChain(Technique):
    """Several techniques in a row, each working on what the one before leaves; a project writes it as a list.

    A step may be given some of the quasi-identifiers: ``{name: distribution-mondrian, columns: [age, hours]}``
    followed by ``full-domain`` keeps numbers as numbers and generalizes the rest. The privacy models hold after every
    step for the columns of that step, and the last one works on all quasi-identifiers, so that they hold for the
    release. All steps together leave out no more rows than allowed. Utility measures are those of the last step, on
    what it was given.
    """

    name: ClassVar[str] = "chain"

    steps: tuple[ChainStep, ...] = Field(description="the techniques, in order", min_length=1)

    @model_validator(mode="after")
    def _last_is_whole(self) -> "TechniqueChain":
        if self.steps[-1].columns:
            raise InvalidValueError(
                say("the last step works on all quasi-identifiers"), remedy=say("leave out its columns")
            )
        if any(isinstance(step.technique, TechniqueChain) for step in self.steps):
            raise InvalidValueError(say("a chain cannot be a step of a chain"), remedy=say("write its steps"))
        return self

    def check(self, task: RecodingTask) -> None:
        """Raise if a step is asked for something that it does not do."""
        for step, current in self._steps_of(task):
            step.technique.check(current)

    def try_out(self, task: RecodingTask) -> None:
        """Raise whatever planning would, as far as the columns that no earlier step recodes tell it."""
        self.check(task)
        for step, current in self._steps_of(task):
            if current.quasi_identifiers:
                step.technique.try_out(current)

    def _steps_of(self, task: RecodingTask) -> Iterator[tuple[ChainStep, RecodingTask]]:
        """Every step with what it is given of the table as it is."""
        for model in task.models if len(self.steps) > 1 else ():
            if model.needs_labels:
                raise ProjectError(
                    say(
                        "{model} is about columns that are known together, and a chain recodes them one after the "
                        "other",
                        model=model.name,
                    ),
                    where="models",
                    remedy=say("use one technique"),
                )
            if model.needs_population or model.needs_losses:
                raise ProjectError(
                    say(
                        "{model} compares labels with values of the table, and a chain recodes these several "
                        "times",
                        model=model.name,
                    ),
                    where="models",
                    remedy=say("use one technique, full-domain"),
                )
        recoded: set[str] = set()
        for step in self.steps:
            _check_columns(step, task)
            columns = step.columns or task.quasi_identifiers
            # What an earlier step makes of a column is not known before it has run.
            seen = tuple(name for name in columns if name not in recoded)
            suppression = task.suppression if step.technique.suppresses else 0.0
            yield step, replace(task, quasi_identifiers=seen, suppression=suppression)
            recoded.update(columns)

    def plan(self, task: RecodingTask) -> RecodingPlan:
        """Plan every step, the next one on the table seen through the recodings of those before."""
        self.check(task)
        before = class_risk(task.counts.sizes(task.quasi_identifiers), threshold=task.threshold)
        allowed = int(task.suppression * task.counts.rows + 1e-9)
        told: list[dict[str, Any]] = []
        table = task.table
        for step in self.steps:
            current = replace(
                task,
                table=table,
                quasi_identifiers=step.columns or task.quasi_identifiers,
                suppression=self._left(allowed, told, task.counts.rows) if step.technique.suppresses else 0.0,
                dropped=task.dropped if step is self.steps[-1] else (),
                given=_fitting(task.given, told),
                files=_fitting(task.files, told),
                declared=_fitting(task.declared, told),
            )
            plan = step.technique.plan(current)
            told.append(
                {
                    "name": step.technique.name,
                    "columns": dict(plan.shown),
                    "suppressed": plan.suppressed,
                    "excluded": plan.excluded,
                }
            )
            if step is not self.steps[-1]:
                table = apply_layer(table, RecodingLayer(table, plan.recoding))
        return replace(
            plan,
            before=before,
            table=table,
            left_out=sum(step["suppressed"] + step["excluded"] for step in told[:-1]),
            details={**plan.details, "chain": told},
            note=say("the last of {count} steps. {note}", count=len(self.steps), note=plan.note)
            if plan.note
            else say("the last of {count} steps.", count=len(self.steps)),
        )

    def _left(self, allowed: int, told: list[dict[str, Any]], rows: int) -> float:
        """The share of the rows that are left which may still be suppressed."""
        gone = sum(step["suppressed"] for step in told)
        rest = rows - gone - sum(step["excluded"] for step in told)
        return 0.0 if rest <= 0 else max(0.0, min(1.0, (allowed - gone) / rest))


def _fitting(given: Any, told: list[dict[str, Any]]) -> dict[str, Any]:
    """Hierarchies and types of columns that no step has recoded yet: those of others tell of values that are gone."""
    recoded = {name for step in told for name in step["columns"]}
    return {name: one for name, one in given.items() if name not in recoded}


def _check_columns(step: ChainStep, task: RecodingTask) -> None:
    for name in step.columns:
        if name not in task.quasi_identifiers:
            raise ProjectError(
                say("{column!r} is not a quasi-identifier", column=name),
                where=say("technique {technique}, columns", technique=step.technique.name),
                remedy=nearest(name, task.quasi_identifiers),
            )
