"""Datafly: generalize the column with most distinct values, again and again, until few enough rows stand out.

Quick and simple, and a yardstick: what it finds is valid but often far from the best.

L. Sweeney: Datafly: a system for providing anonymity in medical data. 1997.
"""

import time

from celosia.measure.utility import Measure
from celosia.recode.evaluate import Evaluator
from celosia.recode.result import Candidate, SearchResult
from celosia.say import say
from celosia.tables.table import Progress, no_progress

__all__ = ["datafly"]


def datafly(evaluator: Evaluator, measure: Measure, *, progress: Progress = no_progress) -> SearchResult:
    """One valid node, if the greedy way from the bottom meets one."""
    started = time.perf_counter()
    before = evaluator.checks
    node = list(evaluator.lattice.bottom)
    one = evaluator.check(tuple(node))
    while not one.is_valid:
        open_columns = [
            column for column, level in enumerate(node) if level < evaluator.lattice.heights[column]
        ]
        if not open_columns:
            break
        widest = max(
            open_columns, key=lambda column: len(evaluator.domain.columns[column].labels[node[column]])
        )
        node[widest] += 1
        one = evaluator.check(tuple(node))
        progress(say("searching"), sum(node) / max(1, sum(evaluator.lattice.heights)))
    progress(say("searching"), 1.0)
    return SearchResult(
        search="datafly",
        measure=measure.name,
        candidates=(Candidate.of(one),) if one.is_valid else (),
        is_proven=False,
        checks=evaluator.checks - before,
        nodes=evaluator.lattice.size,
        seconds=time.perf_counter() - started,
        note=say("a greedy search: a better node may exist"),
    )
