"""Proof that a release keeps its promises: every declared privacy model recomputed from what was written.

Nothing here is shared with the rooms that searched for the recoding: each model is computed by another formula, from
what was written; of the model only its parameters are read. A mistake would have to be made twice. Only reading a
table, and :mod:`celosia.values.same`, are the same for all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError, TableError
from celosia.hierarchies import Hierarchy
from celosia.measure.risk import ClassRisk, class_risk
from celosia.release.checks import CHECKS, Measured, ModelCheck
from celosia.release.counting import (
    ClassesInMemory,
    Counting,
    InDatabase,
    OnCluster,
    PeopleInClasses,
    out_of_core,
)
from celosia.release.group_checks import (
    GROUP_CHECKS,
    CountedGroups,
    GroupsBelow,
    asked_of_groups,
    check_known,
    known_sets,
    say_groups,
)
from celosia.release.population_fit import Labels
from celosia.release.reading_views import ReadingViews, read_views
from celosia.say import say, say_count
from celosia.tables.format import Reader
from celosia.tables.frame_table import FrameTable
from celosia.tables.location import is_in_database, is_on_cluster
from celosia.tables.table import Counts, Table
from celosia.types import MISSING_MARKERS, nearest
from celosia.values.same import FoldedValues

if TYPE_CHECKING:
    from celosia.privacy import PrivacyModel

__all__ = [
    "CHECKS",
    "Finding",
    "Verification",
    "check_models",
    "conclude",
    "find_people",
    "opened_counting",
    "verify",
]

Integers = npt.NDArray[np.int64]
OpenGroups = Callable[[tuple[str, ...]], AbstractContextManager[Counting]]
"""What counts a release by some of its columns only."""


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
    person: str | None = None,
) -> Verification:
    """Check that a release satisfies ``models`` and holds none of the ``identifiers``.

    ``hierarchies`` are those of sensitive columns, for hierarchical t-closeness. Missing values are values of
    their own. A release without rows fails unless ``allow_empty``. Within ``memory`` bytes, if given, classes are
    counted by an engine that keeps in ``folder`` what does not fit. ``further`` looks for more in what was counted.
    ``labels`` say what the labels of quasi-identifiers stand for, for models that ask that, or look at a population.
    Where ``person`` names a column, sizes of classes are those of different people, whatever rows they have.

    >>> from celosia.privacy import KAnonymity
    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"age": ["30-39"] * 5 + ["40-49"] * 2}))
    >>> result = verify(people, quasi_identifiers=["age"], models=[KAnonymity(k=3)])
    >>> result.passed, result.rows, result.findings[0].text
    (False, 7, 'k-anonymity: asked 3, reached 2; 1 class violates it')
    """
    columns = tuple(dict.fromkeys(quasi_identifiers))
    _check_columns(table, columns, models, person)
    findings = []
    if identifiers:
        findings.append(_find_identifiers([name for name in identifiers if name in table.columns()]))
    modelled = tuple(dict.fromkeys(model.column for model in models if model.column is not None))
    exact = table.unparsed()
    findings += _find_spellings(exact, columns)
    counted = modelled if person is None else (*modelled, person)
    with opened_counting(exact, columns, counted, memory, folder) as rows:
        counting = rows if person is None else PeopleInClasses(rows, person)
        labels = labels or Labels(columns, hierarchies)
        # First whoever looks at values: sizes are then known without counting again.
        more = further(counting) if further is not None else ()
        of_classes = [model for model in models if model.name not in GROUP_CHECKS]
        model_findings, sizes, times = check_models(
            counting, of_classes, hierarchies, allow_empty=allow_empty, labels=labels
        )
        of_groups = [model for model in models if model.name in GROUP_CHECKS]
        open_groups = _open_groups(exact, columns, counted, memory=memory, folder=folder, person=person)
        model_findings += [_check_groups(model, columns, open_groups) for model in of_groups]
        if person is None:
            return conclude([*findings, *model_findings, *more], sizes, times, models)
        findings += [find_people(person, models, sizes, times), *model_findings, *more]
        in_rows = rows.sizes()
    return replace(conclude(findings, sizes, times, models), rows=int(in_rows[0] @ in_rows[1]))


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
        findings.append(Finding("rows", None, None, 0, 0, allow_empty, say("the release is empty")))
    # What is one value to some reader must not count as two.
    told = dict.fromkeys(model.column for model in models if model.column is not None)
    missing = MISSING_MARKERS if labels is None else labels.missing
    views = {column: read_views(counting.values(column), missing=missing) for column in told}
    for model in models:
        hierarchy = hierarchies.get(model.column or "")
        findings.append(
            _check_model(model, sizes, times, counting, views.get(model.column or ""), hierarchy, labels)
        )
    findings += [_tell_folded(column, view.folded) for column, view in views.items() if view.folded.merged]
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
        risk=class_risk(sizes, times=times, threshold=max([model.group_size for model in models] or [5])),
        findings=tuple(findings),
    )


def _open_groups(
    table: Table,
    columns: tuple[str, ...],
    modelled: tuple[str, ...],
    *,
    memory: int | None,
    folder: Path | None,
    person: str | None,
) -> OpenGroups:
    """What counts by some of the columns: from all combinations, counted once, or where the table lies."""
    known: list[Counts] = []

    @contextmanager
    def open_groups(some: tuple[str, ...]) -> Iterator[Counting]:
        with ExitStack() as stack:
            counting: Counting
            if memory is not None or is_in_database(table) or is_on_cluster(table):
                counting = stack.enter_context(opened_counting(table, some, modelled, memory, folder))
            else:
                if not known:
                    known.append(table.count_by(tuple(dict.fromkeys([*columns, *modelled]))))
                counting = CountedGroups(known[0], some)
            yield counting if person is None else PeopleInClasses(counting, person)

    return open_groups


def _check_groups(model: "PrivacyModel", columns: tuple[str, ...], open_groups: OpenGroups) -> Finding:
    """What a promise to whoever knows some columns finds, over all sets of columns that may be known."""
    wanted, groups, about_values = asked_of_groups(model), [], []
    violating = 0
    for some in known_sets(model, columns):
        with open_groups(some) as counting:
            findings, sizes, times = check_models(counting, wanted, {})
        groups.append(GroupsBelow.of(some, sizes, times, wanted[0].k))
        about_values += [finding for finding in findings if finding.column is not None]
        violating += sum(finding.violating for finding in findings)
    if not groups or not all(group.smallest < 2**62 for group in groups):
        nobody = say("{title}: there are no classes", title=model.name)
        return Finding(model.name, model.column, wanted[0].k, None, 0, True, nobody)
    worst = sorted(about_values, key=lambda finding: -finding.violating)[:1]
    text = say_groups(model, groups, [finding.text for finding in worst])
    reached = float(min(group.smallest for group in groups))
    return Finding(model.name, model.column, float(wanted[0].k), reached, violating, violating == 0, text)


@contextmanager
def opened_counting(
    table: Table, columns: tuple[str, ...], modelled: tuple[str, ...], memory: int | None, folder: Path | None
) -> Iterator[Counting]:
    """The classes of a table, counted where it lies or within ``memory`` bytes, if given."""
    if is_on_cluster(table):
        yield OnCluster(table, columns)
        return
    # Where texts mean a missing value, as in a release they never do, classes that differ in them are one.
    if is_in_database(table) and not table.options.missing and (memory is None or not modelled):
        yield InDatabase(table, columns)
        return
    if memory is None:
        yield ClassesInMemory(table, columns)
        return
    with out_of_core(table, columns, modelled, memory=memory, folder=folder or Path.cwd()) as counting:
        yield counting


def _find_spellings(table: Table, columns: Sequence[str]) -> list[Finding]:
    """Quasi-identifiers with values that counting takes for one and some reader sees as two; none where all is well.

    Those are floating-point numbers (0.0 and -0.0, NaN and a missing value), objects of Python (1 and '1'), and what a
    database takes for equal.
    """
    if is_in_database(table):
        return _in_several_forms([name for name in columns if table.respelled(name)])
    reader: Reader = table.reader  # type: ignore[attr-defined]  # whatever is not in a database has one
    kinds = dict(zip(reader.names, reader.dtypes, strict=True))
    reals = [name for name in columns if kinds[name].is_float()]
    bad = [name for name in columns if isinstance(table, FrameTable) and table.frame.told_apart(name)]
    if reals:
        counts = {form: _count_form(table, reals, form) for form in FORMS}
        zeros = np.minimum(counts["zero"], counts["negative zero"])
        missing = np.minimum(counts["missing"], counts["not a number"])
        bad += [name for name, rows in zip(reals, zeros + missing, strict=True) if rows]
    return _in_several_forms(bad)


def _in_several_forms(names: Sequence[str]) -> list[Finding]:
    findings = []
    for name in dict.fromkeys(names):
        text = say("{column!r} holds one value in several forms, and readers tell them apart", column=name)
        findings.append(Finding("spelling", name, None, None, 0, False, text))
    return findings


FORMS: Mapping[str, Callable[[pl.Series], pl.Series]] = {
    "zero": lambda values: (values == 0) & (1.0 / values > 0),
    "negative zero": lambda values: (values == 0) & (1.0 / values < 0),
    "missing": lambda values: values.is_null(),
    "not a number": lambda values: values.is_nan(),
}
"""Forms of floating-point numbers of which two and two are one value when they are counted."""


def _count_form(table: Table, columns: Sequence[str], form: str) -> Integers:
    """In how many rows every column has a form."""
    if is_on_cluster(table):
        return np.array(table.tally(columns, partial(_rows_of_form, form=form)), np.int64)
    rows = np.zeros(len(columns), np.int64)
    for batch in table.scan(columns):
        rows += np.array(_rows_of_form(batch, form=form), np.int64)
    return rows


def _rows_of_form(batch: pl.DataFrame, *, form: str) -> list[int]:
    return [int(FORMS[form](column.alias("")).sum() or 0) for column in batch.iter_columns()]


def _check_columns(
    table: Table, columns: Sequence[str], models: Sequence["PrivacyModel"], person: str | None
) -> None:
    names = table.columns()
    if not columns:
        raise ProjectError(
            say("no quasi-identifier was given"),
            where=table.name,
            remedy=say("name them, as in --qi age,zip"),
        )
    if not models:
        raise ProjectError(
            say("no privacy model was given"), where=table.name, remedy=say("name one, as in -k 5")
        )
    named = (*columns, *(model.column for model in models), person)
    for column in (name for name in named if name is not None):
        if column not in names:
            raise TableError(
                say("column {name!r} does not exist", name=column),
                where=table.name,
                remedy=nearest(column, names),
            )
    check_known(models, columns, where=table.name)
    for model in models:
        if model.column in columns:
            raise ProjectError(
                say(
                    "column {column!r} is a quasi-identifier, and sensitive for {model}",
                    column=model.column,
                    model=model.name,
                ),
                where=table.name,
                remedy=say("give it one role"),
            )


def _tell_folded(column: str, folded: FoldedValues) -> Finding:
    """How many values of a sensitive column counted as another, because some reader takes them for it."""
    merged, spellings = folded.merged, len(folded.codes)
    text = say(
        "{column!r}: {merged} of {spellings} spellings count as another, which some reader takes them for",
        column=column,
        merged=merged,
        spellings=spellings,
    )
    return Finding("spellings", column, None, float(merged), 0, True, text)


def _worst_view(check: ModelCheck, measured: Sequence[Measured]) -> Measured:
    """What the reader finds to whom the promise is kept least; classes are those that most violate to one of them."""
    reached = check.worst([answer[1] for answer in measured])
    return measured[0][0], reached, max(answer[2] for answer in measured)


def _find_identifiers(present: Sequence[str]) -> Finding:
    shown = ", ".join(map(repr, present))
    text = (
        say("identifiers in the release: {columns}", columns=shown)
        if present
        else say("no identifier is in the release")
    )
    return Finding("identifiers", None, 0, len(present), 0, not present, text)


def find_people(person: str, models: Sequence["PrivacyModel"], sizes: Integers, times: Integers) -> Finding:
    """Whether every class has as many different people as the models ask for."""
    least = max([1, *(model.least_people for model in models)])
    reached, violating = int(sizes.min(initial=2**62)), int(times[sizes < least].sum())
    text = say(
        "different people by {column!r} in every class: asked {asked}, reached {reached}; {verdict}",
        column=person,
        asked=least,
        reached=reached if len(sizes) else 0,
        verdict=say_count("{count} class violates it", "{count} classes violate it", violating),
    )
    return Finding("people", person, least, reached if len(sizes) else 0, violating, violating == 0, text)


def _check_model(
    model: "PrivacyModel",
    sizes: Integers,
    times: Integers,
    counting: Counting,
    views: ReadingViews | None,
    hierarchy: Hierarchy | None,
    labels: Labels | None,
) -> Finding:
    title = (
        model.name
        if model.column is None
        else say("{model} of {column!r}", model=model.name, column=model.column)
    )
    if model.name in GROUP_CHECKS:
        text = say("{title}: it is about rows, and people are counted here", title=title)
        return Finding(model.name, model.column, None, None, 0, False, text)
    if model.name not in CHECKS:
        text = say("{title}: there is no independent check of it", title=title)
        return Finding(model.name, model.column, None, None, 0, False, text)
    if len(sizes) == 0:
        text = say("{title}: there are no classes", title=title)
        return Finding(model.name, model.column, None, None, 0, True, text)
    check = CHECKS[model.name]
    if check.looks_at == "labels":
        if labels is None:
            text = say("{title}: it is about rows, and people are counted here", title=title)
            return Finding(model.name, model.column, None, None, 0, False, text)
        answers = [check.measure(model, (labels, counting))]
    elif views is None:
        answers = [check.measure(model, (sizes, times))]
    else:
        answers = [
            _worst_view(
                check,
                [
                    check.measure(model, subject)
                    for subject in views.subjects(entries, others, hierarchy, every=check.any_view)
                ],
            )
            for entries, others in counting.entries(str(model.column))
        ]
        if check.of_sizes is not None:
            answers.append(check.of_sizes(model, (sizes, times)))
    asked, violating = answers[0][0], sum(answer[2] for answer in answers)
    reached = check.worst([answer[1] for answer in answers])
    finite = float(reached) if np.isfinite(reached) else None
    verdict = say_count("{count} class violates it", "{count} classes violate it", violating)
    if check.as_whole:
        verdict = (
            say("the release as a whole violates it") if violating else say("the release as a whole keeps it")
        )
    text = (
        say("{title}: asked {asked:g}, reached nothing; {verdict}", title=title, asked=asked, verdict=verdict)
        if finite is None
        else say(
            "{title}: asked {asked:g}, reached {reached:.6g}; {verdict}",
            title=title,
            asked=asked,
            verdict=verdict,
            reached=finite,
        )
    )
    return Finding(model.name, model.column, float(asked), finite, violating, violating == 0, text)
