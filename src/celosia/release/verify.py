"""Proof that a release keeps its promises: every declared privacy model recomputed from what was written.

Nothing here is shared with the rooms that searched for the recoding: each model is computed by another
formula, from the released texts alone; of the model only its parameters are read. A mistake would have to be
made twice.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from celosia.errors import ProjectError, TableError
from celosia.hierarchies import Hierarchy
from celosia.measure.risk import ClassRisk, class_risk
from celosia.release.checks import CHECKS, Values
from celosia.release.counting import Counting, InDatabase, InMemory, OnCluster, out_of_core
from celosia.release.fitting import Labels
from celosia.tables.table import Table
from celosia.tables.where import is_in_database, is_on_cluster
from celosia.types import nearest

if TYPE_CHECKING:
    from celosia.privacy import PrivacyModel

__all__ = ["CHECKS", "Finding", "Verification", "check_models", "conclude", "verify"]

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Finding:
    """What one check found.

    ``asked`` and ``reached`` are the k, l or t of the model, for recursive diversity its c; ``reached`` is
    None when no finite number says it. ``violating`` counts classes.
    """

    name: str
    column: str | None
    asked: float | None
    reached: float | None
    violating: int
    passed: bool
    text: str


@dataclass(frozen=True)
class Verification:
    """What was found in a release; ``smallest`` is the size of its smallest class, ``risk`` what all sizes tell."""

    passed: bool
    rows: int
    classes: int
    smallest: int
    risk: ClassRisk
    findings: tuple[Finding, ...]


def verify(
    table: Table,
    *,
    quasi_identifiers: Sequence[str],
    models: Sequence["PrivacyModel"],
    hierarchies: Mapping[str, Hierarchy] = MappingProxyType({}),
    identifiers: Sequence[str] = (),
    allow_empty: bool = False,
    memory: int | None = None,
    folder: Path | None = None,
    further: Callable[[Counting], Sequence[Finding]] | None = None,
    labels: Labels | None = None,
) -> Verification:
    """Check that a release satisfies ``models`` and holds none of the ``identifiers``.

    ``hierarchies`` are those of sensitive columns, for hierarchical t-closeness. Missing values are values of
    their own. A release without rows fails unless ``allow_empty``. Within ``memory`` bytes, if given, classes are
    counted by an engine that keeps in ``folder`` what does not fit. ``further`` looks for more in what was counted.
    ``labels`` say what the labels of quasi-identifiers stand for, for models that ask that, or look at a population.

    >>> import polars as pl
    >>> from types import SimpleNamespace
    >>> from celosia.privacy import KAnonymity
    >>> from celosia.tables.table import Counts
    >>> ages = Counts(("age",), (pl.Series(["30-39", "40-49"]),), (np.array([0, 1]),), np.array([5, 2]))
    >>> people = SimpleNamespace(
    ...     name="people.csv",
    ...     columns=lambda: ("age",),
    ...     count_by=lambda columns: ages,
    ... )
    >>> result = verify(people, quasi_identifiers=["age"], models=[KAnonymity(k=3)])
    >>> result.passed, result.rows, result.findings[0].text
    (False, 7, 'k-anonymity: asked 3, reached 2; 1 class violates it')
    """
    columns = tuple(dict.fromkeys(quasi_identifiers))
    _check_columns(table, columns, models)
    findings = []
    if identifiers:
        findings.append(_find_identifiers([name for name in identifiers if name in table.columns()]))
    modelled = tuple(dict.fromkeys(model.column for model in models if model.column is not None))
    with _counting(table, columns, modelled, memory, folder) as counting:
        labels = labels or Labels(columns, hierarchies)
        found, sizes, times = check_models(
            counting, models, hierarchies, allow_empty=allow_empty, labels=labels
        )
        findings += [*found, *(further(counting) if further is not None else ())]
    return conclude(findings, sizes, times, models)


def check_models(
    counting: Counting,
    models: Sequence["PrivacyModel"],
    hierarchies: Mapping[str, Hierarchy],
    *,
    allow_empty: bool = False,
    labels: Labels | None = None,
) -> tuple[list[Finding], Integers, Integers]:
    """What every model finds in the classes, with their sizes and how many classes have each."""
    sizes, times = counting.sizes()
    findings = []
    if len(sizes) == 0:
        findings.append(Finding("rows", None, None, 0, 0, allow_empty, "the release is empty"))
    for model in models:
        hierarchy = hierarchies.get(model.column or "")
        findings.append(_check_model(model, sizes, times, counting, hierarchy, labels))
    return findings, sizes, times


def conclude(
    findings: Sequence[Finding], sizes: Integers, times: Integers, models: Sequence["PrivacyModel"]
) -> Verification:
    """The verdict on what was found."""
    return Verification(
        passed=all(finding.passed for finding in findings),
        rows=int(sizes @ times),
        classes=int(times.sum()),
        smallest=int(sizes.min()) if len(sizes) else 0,
        risk=class_risk(sizes, times=times, threshold=max([model.least_rows for model in models] or [5])),
        findings=tuple(findings),
    )


@contextmanager
def _counting(
    table: Table, columns: tuple[str, ...], modelled: tuple[str, ...], memory: int | None, folder: Path | None
) -> Iterator[Counting]:
    if is_on_cluster(table):
        yield OnCluster(table, columns)
        return
    # Where texts mean a missing value, as in a release they never do, classes that differ in them are one.
    if is_in_database(table) and not table.options.missing and (memory is None or not modelled):
        yield InDatabase(table, columns)
        return
    if memory is None:
        yield InMemory(table, columns)
        return
    with out_of_core(table, columns, modelled, memory=memory, folder=folder or Path.cwd()) as counting:
        yield counting


def _check_columns(table: Table, columns: Sequence[str], models: Sequence["PrivacyModel"]) -> None:
    names = table.columns()
    if not columns:
        raise ProjectError(
            "no quasi-identifier was given", where=table.name, remedy="name them, as in --qi age,zip"
        )
    if not models:
        raise ProjectError("no privacy model was given", where=table.name, remedy="name one, as in -k 5")
    for column in (*columns, *(model.column for model in models if model.column is not None)):
        if column not in names:
            raise TableError(
                f"column {column!r} does not exist", where=table.name, remedy=nearest(column, names)
            )
    for model in models:
        if model.column in columns:
            raise ProjectError(
                f"column {model.column!r} is a quasi-identifier, and sensitive for {model.name}",
                where=table.name,
                remedy="give it one role",
            )


def _find_identifiers(present: Sequence[str]) -> Finding:
    shown = ", ".join(map(repr, present))
    text = f"identifiers in the release: {shown}" if present else "no identifier is in the release"
    return Finding("identifiers", None, 0, len(present), 0, not present, text)


def _check_model(
    model: "PrivacyModel",
    sizes: Integers,
    times: Integers,
    counting: Counting,
    hierarchy: Hierarchy | None,
    labels: Labels | None,
) -> Finding:
    title = model.name if model.column is None else f"{model.name} of {model.column!r}"
    if model.name not in CHECKS:
        text = f"{title}: there is no independent check of it"
        return Finding(model.name, model.column, None, None, 0, False, text)
    if len(sizes) == 0:
        text = f"{title}: there are no classes"
        return Finding(model.name, model.column, None, None, 0, True, text)
    check = CHECKS[model.name]
    if check.looks_at == "labels":
        if labels is None:
            text = f"{title}: it is about rows, and people are counted here"
            return Finding(model.name, model.column, None, None, 0, False, text)
        found = [check.measure(model, (labels, counting))]
    elif model.column is None:
        found = [check.measure(model, (sizes, times))]
    else:
        values = counting.values(model.column)
        found = [
            check.measure(model, Values(entries, others, values, hierarchy))
            for entries, others in counting.entries(model.column)
        ]
        if check.of_sizes is not None:
            found.append(check.of_sizes(model, (sizes, times)))
    asked, violating = found[0][0], sum(one[2] for one in found)
    reached = check.worst([one[1] for one in found])
    finite = float(reached) if np.isfinite(reached) else None
    verdict = f"{violating} {'class violates' if violating == 1 else 'classes violate'} it"
    if check.as_whole:
        verdict = f"the release as a whole {'violates' if violating else 'keeps'} it"
    text = f"{title}: asked {asked:g}, reached {'nothing' if finite is None else f'{finite:.6g}'}; {verdict}"
    return Finding(model.name, model.column, float(asked), finite, violating, violating == 0, text)
