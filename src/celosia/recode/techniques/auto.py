"""The technique that keeps most: those that fit are tried, and the best of them is taken."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from celosia.errors import NoSolutionError, ProjectError
from celosia.recode.parts_plan import is_counted
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.contest import Contender, Contest, Trial, find_contenders
from celosia.recode.techniques.full_domain import FullDomain
from celosia.recode.techniques.steps import say_kept
from celosia.recode.techniques.technique import RecodingPlan, Technique, TechniqueTaken
from celosia.say import Text, join_texts, say, say_count
from celosia.tables.location import is_on_cluster

__all__ = ["Auto"]


class Auto(Technique):
    """The technique that keeps most: full-domain, local recoding, Mondrian and clustering are tried on one count.

    Those that can do what is asked compete by the measure asked for, and the best is taken; the release says which it
    was, what the others would have kept, and how to ask for them. Nobody is left out unless rows may go: what 1 % and
    5 % of them would bring is told, not done. Where there are many combinations, techniques are tried on neighbourhoods
    of them, and a slow one is not taken. Where somebody may have several rows, every class has as many different people
    as are asked for; people of several tables are compared by all their rows, as full-domain does.
    """

    name: ClassVar[str] = "auto"

    @property
    def compares_linked_people(self) -> bool:
        """As full-domain, which it leaves them to; people of one table are counted, by whichever technique is best."""
        return True

    @property
    def for_people(self) -> FullDomain:
        """The technique for people who are compared by all their rows."""
        return FullDomain()

    def choice_for_people(self) -> TechniqueTaken:
        """What is told of it."""
        line = say(
            "auto took {technique}: people of several tables are compared by all their rows",
            technique=self.for_people.name,
        )
        return TechniqueTaken(
            self.for_people, (line,), {"technique": _document(self.for_people), "others": []}
        )

    def check(self, task: RecodingTask) -> None:
        """Raise if no technique does what is asked."""
        if not any(contender.is_allowed for contender in find_contenders(task)):
            FullDomain().check(task)
            raise ProjectError(
                say("no technique does all that is asked"),
                where="technique",
                remedy=say("name the technique that you want, to see what it lacks"),
            )

    def try_out(self, task: RecodingTask) -> None:
        """Raise whatever planning would: what all contenders would raise, as the first of them says it."""
        self.check(task)
        refusals = []
        for contender in find_contenders(task):
            asked = contender.fit(task)
            if contender.is_allowed and asked is not None:
                try:
                    contender.technique.try_out(asked)
                except (ProjectError, NoSolutionError) as error:
                    refusals.append(error)
                else:
                    return
        raise refusals[0]

    def plan(self, task: RecodingTask) -> RecodingPlan:
        """Try what fits, and take the best."""
        self.check(task)
        contenders = find_contenders(task)
        alone = _large_plan(task, contenders)
        if alone is not None:
            return alone
        best, others = Contest(task, contenders).run()
        assert best.plan is not None
        return replace(best.plan, choice=_tell(task, best, others))


def _large_plan(task: RecodingTask, contenders: Sequence[Contender]) -> RecodingPlan | None:
    """The plan for a table whose combinations cannot be brought here: by Mondrian, in parts; None for any other."""
    if is_counted(task, None) or (task.road is not None and not task.road.is_large):
        return None
    large = [
        one for one in contenders if one.is_allowed and one.technique.name in ("mondrian", "full-domain")
    ]
    if not large:
        return None
    taken = max(large, key=lambda one: one.technique.name == "mondrian")
    asked = taken.fit(task)
    assert asked is not None
    plan = taken.technique.plan(asked)
    if plan.recoding.parts is None and not is_on_cluster(task.table):
        task.__dict__.setdefault(
            "counts", asked.counts
        )  # it fits all the same: the others are tried on it, too
        return None
    lines = (
        say(
            "auto took {technique}: of those that fit it is the one for tables of this size",
            technique=taken.technique.name,
        ),
        say("what others would keep is not known; ask for one by its name (--technique)"),
    )
    details = {"technique": _document(taken.technique), "others": []}
    return replace(plan, choice=TechniqueTaken(taken.technique, lines, details))


def _tell(task: RecodingTask, best: Trial, others: Sequence[Trial]) -> TechniqueTaken:
    """What was taken, what the others would have kept, and how to ask for them."""
    assert best.plan is not None
    technique = best.contender.technique
    ranked = sorted(others, key=lambda trial: trial.value)
    went = best.plan.suppressed
    lines = [
        say(
            "auto took {technique}, which keeps {kept}; {gone}",
            technique=technique.name,
            kept=say_kept(task.measure, best.value),
            gone=say("nobody is left out")
            if not went
            else say_count("{count:,} row is left out", "{count:,} rows are left out", went),
        )
    ]
    if ranked:
        told = join_texts(", ", (_say_other(task, trial) for trial in ranked))
        lines.append(
            say(
                "others would keep: {others}; ask for one with --technique NAME, for rows that may go with "
                "--suppression",
                others=told,
            )
        )
    details = {
        "technique": _document(technique),
        "measure": task.measure,
        "value": best.value,
        "others": [
            {
                "technique": _document(trial.contender.technique),
                "suppression": trial.contender.suppression,
                "value": trial.value,
                "estimated": not trial.is_of_whole,
            }
            for trial in ranked
        ],
    }
    return TechniqueTaken(technique, tuple(lines), details)


def _say_other(task: RecodingTask, trial: Trial) -> Text:
    name, kept = trial.contender.technique.name, say_kept(task.measure, trial.value)
    if not trial.is_of_whole:
        kept = say("about {kept}", kept=kept)
    if isinstance(trial.contender.technique, FullDomain) and trial.contender.suppression != task.suppression:
        if not trial.contender.suppression:
            return say("{technique} {kept} if nobody may go", technique=name, kept=kept)
        return say(
            "{technique} {kept} if {share:.0%} of the rows may go",
            technique=name,
            kept=kept,
            share=trial.contender.suppression,
        )
    return say("{technique} {kept}", technique=name, kept=kept)


def _document(technique: Technique) -> dict[str, Any]:
    return {
        "name": technique.name,
        **technique.model_dump(mode="json", exclude_none=True, exclude_defaults=True),
    }
