"""Explore where people are compared by all their rows: every node, valid if few enough people have to leave."""

from dataclasses import replace

import numpy as np

from celosia.recode.explore import Exploration
from celosia.recode.star import Star
from celosia.say import say
from celosia.tables.table import Progress, no_progress

__all__ = ["explore_people"]


def explore_people(star: Star, nodes: Exploration, *, progress: Progress = no_progress) -> Exploration:
    """The nodes of the only table of a star as people see them: validity, rows left out, classes and the cost.

    ``nodes`` are those of its rows, explored without a model; measures that are not searched for stay theirs.
    """
    task = star.branches[0].task
    is_valid = np.zeros(nodes.lattice.shape, bool)
    suppressed, classes = np.zeros_like(nodes.suppressed), np.zeros_like(nodes.classes)
    costs = np.zeros(nodes.lattice.shape)
    for number, node in enumerate(np.ndindex(nodes.lattice.shape)):
        found = star.look(node)
        is_valid[node] = star.is_valid(found)
        suppressed[node] = star.rows_of(0, found.suppressed)[0]
        classes[node], costs[node] = int((~found.bad).sum()), found.cost
        progress(say("exploring"), number / nodes.lattice.size)
    progress(say("exploring"), 1.0)
    measures = {**nodes.measures, task.measure: costs}
    return replace(nodes, is_valid=is_valid, suppressed=suppressed, classes=classes, measures=measures)
