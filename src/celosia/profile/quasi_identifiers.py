"""Propose quasi-identifiers: the fewest columns that tell people apart almost as well as all together.

After Omer and Mohamad 2016, "Simple and effective method for selecting quasi-identifier", who count the
distinct combinations of every subset of the nominated columns and keep the one with most; a smaller subset
within a tolerance of the maximum is preferred, because fewer quasi-identifiers cost less information.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from celosia.errors import ProjectError
from celosia.profile.distinct import Columns, DistinctCombinations
from celosia.profile.reasons import Reason
from celosia.profile.subsets import search
from celosia.say import join_texts, say
from celosia.tables.table import Counts, Progress, Table, no_progress
from celosia.types import nearest

__all__ = ["QuasiIdentifierProposal", "propose_quasi_identifiers"]


@dataclass(frozen=True)
class QuasiIdentifierProposal:
    """The columns proposed, in nominated order, and what speaks for them.

    ``distinct`` combinations of them stand against ``maximum`` of all nominated columns; ``examined`` subsets
    were counted. ``proven`` says that no smaller set is within the tolerance and none of this size has more
    distinct combinations.
    """

    columns: tuple[str, ...]
    distinct: int
    maximum: int
    examined: int
    proven: bool
    reason: Reason

    def to_dict(self) -> dict[str, Any]:
        """As JSON wants it."""
        return {
            "columns": list(self.columns),
            "distinct": self.distinct,
            "maximum": self.maximum,
            "examined": self.examined,
            "proven": self.proven,
            "reason": self.reason.to_dict(),
        }


def propose_quasi_identifiers(
    source: Table | Counts,
    nominated: Sequence[str],
    *,
    tolerance: float = 0.05,
    limit: int = 250_000_000,
    progress: Progress = no_progress,
) -> QuasiIdentifierProposal:
    """The smallest set of nominated columns with ``1 - tolerance`` of the most distinct combinations.

    Among sets of that size the one with most distinct combinations wins, then the one that stands first.
    ``limit`` is how many encoded combinations may be looked at in all, about ten seconds' worth by default;
    where it does not suffice the best set found is returned and ``proven`` is false.

    >>> import numpy as np
    >>> import polars as pl
    >>> ages, sexes = pl.Series(["30", "31", "32"]), pl.Series(["f", "m"])
    >>> codes = (np.array([0, 0, 1, 2], np.int32), np.array([0, 1, 0, 1], np.int32))
    >>> counts = Counts(("age", "sex"), (ages, sexes), codes, np.array([3, 1, 1, 2]))
    >>> propose_quasi_identifiers(counts, ["age", "sex"]).columns
    ('age', 'sex')
    >>> propose_quasi_identifiers(counts, ["age", "sex"], tolerance=0.25).columns
    ('age',)
    """
    check(source, nominated, tolerance)
    counts = source if isinstance(source, Counts) else source.count_by(list(nominated), progress=progress)
    distinct = DistinctCombinations.of_counts(counts, nominated)
    threshold = max(1, ceil(distinct.maximum * (1 - tolerance) - 1e-9))
    if distinct.maximum == 0:
        nothing = Reason("no-rows", say("the table has no rows to tell apart"))
        return QuasiIdentifierProposal((), 0, 0, 0, True, nothing)
    best, smaller_excluded, proven = search(distinct, threshold, limit=limit, progress=progress)
    progress(say("propose quasi-identifiers"), 1.0)
    return QuasiIdentifierProposal(
        columns=tuple(nominated[column] for column in best),
        distinct=distinct.distinct(best),
        maximum=distinct.maximum,
        examined=distinct.examined,
        proven=proven,
        reason=explain(distinct, best, tolerance, smaller_excluded=smaller_excluded, proven=proven),
    )


def check(source: Table | Counts, nominated: Sequence[str], tolerance: float) -> None:
    """Refuse what cannot be answered, before any counting."""
    names = source.columns if isinstance(source, Counts) else source.schema().names
    where = "" if isinstance(source, Counts) else source.name
    if not nominated:
        remedy = say("name at least one column that others could know about a person")
        raise ProjectError(say("no column is nominated as quasi-identifier"), where=where, remedy=remedy)
    for position, name in enumerate(nominated):
        if name not in names:
            raise ProjectError(
                say("column {name!r} does not exist", name=name), where=where, remedy=nearest(name, names)
            )
        if name in nominated[:position]:
            raise ProjectError(
                say("column {name!r} is nominated twice", name=name), where=where, remedy=say("name it once")
            )
    if not 0 <= tolerance < 1:
        remedy = say("give a share of at least 0 and below 1, such as 0.05")
        raise ProjectError(
            say("the tolerance is {tolerance}", tolerance=tolerance), where=where, remedy=remedy
        )


def explain(
    distinct: DistinctCombinations, best: Columns, tolerance: float, *, smaller_excluded: bool, proven: bool
) -> Reason:
    """Say in words what the proposal rests on."""
    reached, maximum = distinct.distinct(best), distinct.maximum
    share = reached / maximum
    counted = say(
        "{reached:,} distinct combinations, {share:.1%} of the {maximum:,} of all nominated "
        "columns; {asked:.0%} are asked for",
        reached=reached,
        share=share,
        maximum=maximum,
        asked=1 - tolerance,
    )
    if proven:
        code, proof = "smallest-set", say("no smaller set reaches that")
    elif smaller_excluded:
        code, proof = (
            "smallest-set-not-proven-best",
            say("no smaller set reaches that, but another of this size may have more"),
        )
    else:
        code, proof = "not-proven-smallest", say("the search reached its limit, so a smaller set may exist")
    facts = {"distinct": reached, "maximum": maximum, "share": share, "tolerance": tolerance}
    return Reason(code, join_texts("; ", [counted, proof]), facts)
