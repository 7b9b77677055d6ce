"""What one step less or more would have changed: k, rows left out, a column, worked out from what was counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from celosia.errors import CelosiaError
from celosia.measure.utility import CellMeasure, get_measure
from celosia.privacy import KAnonymity
from celosia.recode.dense_part import dense_part
from celosia.recode.optimal import LARGEST_LATTICE
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.contest import GLOBAL, LOCAL, WORK, Contender
from celosia.recode.techniques.full_domain import FullDomain
from celosia.recode.techniques.technique import RecodingPlan, Technique
from celosia.say import Text, join_texts, say
from celosia.tables.table import no_progress

__all__ = ["PlanStep", "find_steps", "say_steps"]

SOME = 3_072
"""Combinations on which a step is tried, where there are more of them."""
MANY = 100_000
"""Where full-domain has more combinations than this, columns are not left out one by one."""
MORE_ROWS = 0.01
"""The share of rows by which suppression is one step more."""


@dataclass(frozen=True)
class PlanStep:
    """One thing asked for differently, and what the measure would then be: ``k``, ``suppression`` or ``without``."""

    what: str
    to: Any
    value: float
    is_estimate: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As a record keeps it."""
        return {"what": self.what, "to": self.to, "value": self.value, "estimated": self.is_estimate}


def find_steps(task: RecodingTask, technique: Technique, plan: RecodingPlan) -> tuple[PlanStep, ...]:
    """The steps around a plan that ``technique`` made of a task; none where rows are recoded part by part.

    Nothing is read or counted again. Of many combinations, techniques that cut are tried on some neighbourhoods: what
    they say there is brought to the whole by what they said of the plan itself; and so is what the stand-in of a slow
    technique says.
    """
    known, value = task.known_counts, plan.value(task.measure)
    if known is None or value is None or plan.recoding.parts is not None or not _is_stepped(technique):
        return ()
    fitted = Contender(technique, task.suppression).fit(_quiet(task))
    if fitted is None or (_has_lattice(technique) and fitted.evaluator.lattice.size > LARGEST_LATTICE):
        return ()
    scale, is_estimate = 1.0, False
    quick, is_many = technique.stand_in, not isinstance(technique, FullDomain) and len(known) > SOME
    if is_many:
        space = fitted.space(known)
        fitted = fitted.part(space.owners[dense_part(space, SOME, seed=task.seed or 0)])
    if is_many or quick is not technique:
        here = _value(quick, fitted, task.measure)
        if not here:
            return ()
        scale, is_estimate = value / here, True
    found = []
    for what, to, varied in _variants(fitted, quick, len(known)):
        changed = _value(quick, varied, task.measure)
        if changed is not None:
            found.append(
                PlanStep(what, to, min(1.0, changed * scale) if is_estimate else changed, is_estimate)
            )
    return tuple(found)


def _quiet(task: RecodingTask) -> RecodingTask:
    """The task without a bar of progress, with all that was worked out for it."""
    quiet = task.varied(suppression=task.suppression, measure=task.measure)
    object.__setattr__(quiet, "progress", no_progress)
    return quiet


def _has_lattice(technique: Technique) -> bool:
    return technique.name in ("full-domain", "local")


def _is_stepped(technique: Technique) -> bool:
    if isinstance(technique, FullDomain):
        return technique.search == "optimal" and technique.node is None
    return technique.name in (*GLOBAL, *LOCAL, "distribution-mondrian") and not getattr(
        technique, "target", None
    )


def _variants(
    task: RecodingTask, technique: Technique, points: int
) -> Iterator[tuple[str, Any, RecodingTask]]:
    """What is asked for differently, and the task that asks for it."""
    asked = next((model for model in task.models if isinstance(model, KAnonymity)), None)
    for k in () if asked is None else (asked.k - 1, asked.k + 1):
        if k >= 2:
            models = tuple(KAnonymity(k=k) if model is asked else model for model in task.models)
            yield "k", k, task.asking(models)
    if technique.suppresses and task.suppression + MORE_ROWS <= 1:
        more = round(task.suppression + MORE_ROWS, 10)
        yield "suppression", more, task.varied(suppression=more, measure=task.measure)
    if len(task.quasi_identifiers) > 1 and not (isinstance(technique, FullDomain) and points > MANY):
        for name in task.quasi_identifiers:
            yield "without", name, task.without(name)


def _value(technique: Technique, task: RecodingTask, measure: str) -> float | None:
    """What a technique would make of the measure; None where it finds nothing, or the measure says nothing of it."""
    try:
        if isinstance(technique, FullDomain):
            return technique.find(task, work=WORK).best.measures.get(measure)
        return technique.plan(task).value(measure)
    except CelosiaError:
        return None


def say_steps(steps: tuple[PlanStep, ...], measure: str) -> Text:
    """All steps in one sentence.

    >>> print(say_steps((PlanStep("k", 4, 0.04), PlanStep("without", "age", 0.01, is_estimate=True)), "loss"))
    one step less or more: k = 4 would keep 96.0%; without 'age' about 99.0%
    """
    told = [_say_step(step, measure, is_first=number == 0) for number, step in enumerate(steps)]
    return say("one step less or more: {steps}", steps=join_texts("; ", told))


def _say_step(step: PlanStep, measure: str, *, is_first: bool) -> Text:
    kept = say_kept(measure, step.value)
    if step.is_estimate:
        kept = say("about {kept}", kept=kept)
    if is_first:
        kept = say("would keep {kept}", kept=kept)
    match step.what:
        case "k":
            return say("k = {k} {kept}", k=step.to, kept=kept)
        case "suppression":
            return say("with {share:.0%} of the rows left out {kept}", share=step.to, kept=kept)
    return say("without {column!r} {kept}", column=step.to, kept=kept)


def say_kept(measure: str, value: float) -> Text:
    """What is kept under a measure, as a share where it is one."""
    known = get_measure(measure)
    if isinstance(known, CellMeasure) and known.is_share:
        return say("{share:.1%}", share=1 - value)
    return say("{measure} {value:,.6g}", measure=measure, value=value)
