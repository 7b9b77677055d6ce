"""Techniques in a row, each on what the one before leaves."""

from dataclasses import replace
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, model_validator

from celosia.errors import ProjectError
from celosia.measure.risk import class_risk
from celosia.recode.task import Task
from celosia.recode.techniques.technique import Plan, Technique
from celosia.tables.layer import see_through
from celosia.tables.recoded import RecodingLayer
from celosia.types import nearest

__all__ = ["Chain", "Step"]


class Step(BaseModel):
    """One technique of a chain, for all quasi-identifiers or for some."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    technique: SerializeAsAny[Technique]
    columns: tuple[str, ...] = ()


class Chain(Technique):
    """Several techniques in a row, each working on what the one before leaves; a project writes it as a list.

    A step may be given some of the quasi-identifiers: ``{method: distribution-mondrian, columns: [age, hours]}``
    followed by ``full-domain`` keeps numbers as numbers and generalizes the rest. The privacy models hold after every
    step for the columns of that step, and the last one works on all quasi-identifiers, so that they hold for the
    release. All steps together leave out no more rows than allowed. Utility measures are those of the last step, on
    what it was given.
    """

    name: ClassVar[str] = "chain"

    steps: tuple[Step, ...] = Field(description="the techniques, in order", min_length=1)

    @model_validator(mode="after")
    def _last_is_whole(self) -> "Chain":
        if self.steps[-1].columns:
            raise ValueError("the last step works on all quasi-identifiers; leave out its columns")
        if any(isinstance(step.technique, Chain) for step in self.steps):
            raise ValueError("a chain cannot be a step of a chain; write its steps")
        return self

    def check(self, task: Task) -> None:
        """Raise if a step is asked for something that it does not do."""
        for model in task.models if len(self.steps) > 1 else ():
            if model.needs_population or model.needs_losses:
                raise ProjectError(
                    f"{model.name} compares labels with values of the table, and a chain recodes these several times",
                    where="models",
                    remedy="use one technique, full-domain",
                )
        recoded: set[str] = set()
        for step in self.steps:
            _check_columns(step, task)
            columns = step.columns or task.quasi_identifiers
            # What an earlier step makes of a column is not known before it has run.
            seen = tuple(name for name in columns if name not in recoded)
            suppression = task.suppression if step.technique.suppresses else 0.0
            step.technique.check(replace(task, quasi_identifiers=seen, suppression=suppression))
            recoded.update(columns)

    def plan(self, task: Task) -> Plan:
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
                    "method": step.technique.name,
                    "columns": dict(plan.shown),
                    "suppressed": plan.suppressed,
                    "excluded": plan.excluded,
                }
            )
            if step is not self.steps[-1]:
                table = see_through(table, RecodingLayer(table, plan.recoding))
        return replace(
            plan,
            before=before,
            table=table,
            left_out=sum(step["suppressed"] + step["excluded"] for step in told[:-1]),
            details={**plan.details, "chain": told},
            note=f"the last of {len(self.steps)} steps. {plan.note}".strip(),
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


def _check_columns(step: Step, task: Task) -> None:
    for name in step.columns:
        if name not in task.quasi_identifiers:
            raise ProjectError(
                f"{name!r} is not a quasi-identifier",
                where=f"technique {step.technique.name}, columns",
                remedy=nearest(name, task.quasi_identifiers),
            )
