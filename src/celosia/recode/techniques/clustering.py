"""Clustering: classes of the rows that are nearest to each other, refined until little is gained."""

from collections.abc import Mapping
from functools import partial
from threading import Thread
from typing import Any, ClassVar

from pydantic import Field

from celosia.recode.clustering import ClusterRules, Effort, cluster, load_cluster_loops
from celosia.recode.mondrian import CutRules
from celosia.recode.parts_plan import Partitioner
from celosia.recode.represent import Represent
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.mondrian import Mondrian
from celosia.recode.techniques.multidimensional import Multidimensional
from celosia.say import say

__all__ = ["Clustering"]


class Clustering(Multidimensional):
    """Clustering: every class is made of the rows nearest to each other, and rows change classes while that helps.

    It loses about half of what Mondrian does, and never more, but takes longer. Classes overlap, and people with the
    same values may part. Where a model looks at sensitive values, so do the changes, and who is not moved may tell
    something: blind forms classes without them, and loses more.

    J.-W. Byun, A. Kamra, E. Bertino, N. Li: Efficient k-anonymization using clustering techniques. DASFAA 2007.
    R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei: Minimality attack in privacy preserving data publishing. VLDB 2007.
    """

    name: ClassVar[str] = "clustering"
    pace: ClassVar[float] = 40_000

    represent: Represent = Field(
        default=Represent.SET,
        description="what a class shows: set (the default; of numbers the range), range, node, mode, median or mean",
    )
    effort: Effort = Field(
        default=Effort.NORMAL, description="how long it refines: quick, normal (the default) or thorough"
    )
    blind: bool = Field(
        default=False,
        description="form classes without a look at sensitive values, only as large as they need",
    )

    @property
    def stand_in(self) -> Mondrian:
        """Mondrian, in a fiftieth of the time: what changes its loss changes that of clustering about as much."""
        return Mondrian()

    def rules(self, task: RecodingTask) -> CutRules:
        """What every class has to satisfy."""
        return CutRules(
            models=task.models,
            # Where people are counted, rows with the same values stay together.
            is_relaxed=task.person is None,
            hierarchies=task.own_hierarchies,
            weights=task.weights,
            person=task.person,
        )

    def partitioner(self, task: RecodingTask) -> Partitioner:
        """By near rows."""
        return partial(
            cluster, how=ClusterRules(effort=self.effort, seed=task.seed or 0, is_blind=self.blind)
        )

    @property
    def details(self) -> Mapping[str, Any]:
        """How hard it tried, and whether it looked at sensitive values."""
        return {"effort": str(self.effort), "blind": self.blind}

    def load_loops(self, task: RecodingTask) -> Thread | None:
        """Those of near lists and refinement, too."""
        return load_cluster_loops()

    def say_led(self, measure: str) -> str:
        """It is led by the loss of its classes."""
        return say(
            "{technique} is led by the loss of its classes, not by {measure}",
            technique=self.name,
            measure=measure,
        )

    def say_price(self, task: RecodingTask) -> str:
        """What is given up for the detail that is kept."""
        models = [model for model in task.models if model.column not in (None, task.person)]
        parted = say("classes overlap, and people with the same values may be in different ones")
        if task.person is not None:
            parted = say("classes overlap")
        if not models:
            return parted
        if self.blind:
            return say("{parted}; of the sensitive values only the size of classes depends", parted=parted)
        return say(
            "{parted}; changes were refused by sensitive values, from which somebody who knows all quasi-identifiers "
            "may learn (minimality attack): blind avoids that, and loses more",
            parted=parted,
        )
