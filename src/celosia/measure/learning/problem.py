"""A column to be predicted from others: the rows of release, original and control as models take them, in folds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from celosia.measure.learning.features import (
    MOST_CATEGORIES,
    ColumnFeatures,
    FeatureKind,
    FeatureLayout,
    column_features,
)
from celosia.measure.learning.people import MOST_ROWS, LearningPeople, assign_folds, read_aligned, read_people
from celosia.measure.learning.target import PredictionTarget, find_places
from celosia.measure.release_measure import SIDES, NotMeasurableError
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = [
    "LearningProblem",
    "LearningTable",
    "choose_predictors",
    "column_matrix",
    "features_of",
    "pose_problem",
]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LearningTable:
    """Rows of one table: ``features[combination, feature]``, ``targets[combination]``, and in which fold they are.

    ``rows[repeat, fold, combination]`` counts them; a target is the number of a class, or a number. ``left_out`` are
    rows that show no single value of the target. ``as_released`` are the features by which a model trained on the
    release is asked about people.
    """

    features: Floats
    as_released: Floats
    targets: Floats
    rows: Integers
    left_out: int


@dataclass(frozen=True)
class LearningProblem:
    """What is to be learnt. ``classes`` are the values of the target; None where it is a number.

    ``sides`` are the tables: release, original and, where there is one, control. Where rows are aligned, a fold holds
    the same people in release and original. ``seen`` is the original dealt out anew where they are not: of the people
    in its folds most are also in the rows trained on.
    """

    target: str
    predictors: tuple[str, ...]
    classes: tuple[str, ...] | None
    shown: tuple[bool, ...]
    layout: FeatureLayout
    sides: dict[str, LearningTable]
    is_aligned: bool
    notes: tuple[str, ...]

    @property
    def kinds(self) -> tuple[FeatureKind, ...]:
        """What each feature is."""
        return self.layout.kinds

    @property
    def held_out(self) -> str:
        """The people by whom release and original are compared: not in the rows trained on, where that can be."""
        return "original" if self.is_aligned else "control" if "control" in self.sides else "seen"


def choose_predictors(subject: MeasureSubject, target: str) -> tuple[str, ...]:
    """All columns of both tables but the target."""
    if target not in subject.source.columns():
        raise NotMeasurableError(say("the original has no column {target!r}", target=target))
    if target not in subject.release.columns():
        raise NotMeasurableError(say("the release has no column {target!r}", target=target))
    predictors = tuple(name for name in subject.shared_columns if name != target)
    if not predictors:
        raise NotMeasurableError(
            say("there is no column from which {target!r} could be predicted", target=target)
        )
    return predictors


def pose_problem(
    subject: MeasureSubject, target: str, predictors: Sequence[str], *, folds: int, repeats: int
) -> LearningProblem:
    """Everything that models need to learn ``target``, made once per subject."""
    key = ("problem", target, tuple(predictors), folds, repeats)
    return subject.once(key, lambda: _pose(subject, target, tuple(predictors), folds=folds, repeats=repeats))


def _pose(
    subject: MeasureSubject, target: str, predictors: tuple[str, ...], *, folds: int, repeats: int
) -> LearningProblem:
    columns = (*predictors, target)
    features = [features_of(subject, name) for name in predictors]
    learnt = PredictionTarget(subject, target)
    aligned = read_aligned(subject, columns)
    if aligned is None:
        original, release = (
            read_people(counts, seed=subject.seed)
            for counts in (subject.original_counts(*columns), subject.counts(*columns))
        )
    else:
        original, release = aligned
    tables = {"release": release, "original": original}
    if subject.control is not None:
        tables["control"] = read_people(subject.control_counts(*columns), seed=subject.seed)
    targets = {
        name: learnt.released(people) if name == "release" else learnt.known(people)
        for name, people in tables.items()
    }
    for name in ("release", "original"):
        learnt.check(targets[name][tables[name].combinations], folds, name)
    dealt = _deal(tables, targets, learnt, folds=folds, repeats=repeats, aligned=aligned, seed=subject.seed)
    sides = {
        name: _side(people, features, targets[name], dealt[name], released=name == "release", folds=folds)
        for name, people in tables.items()
    }
    for name, side in sides.items():
        if not side.rows.sum(axis=2).all():
            raise NotMeasurableError(
                say(
                    "the {table} has too few rows for {folds} folds: give fewer folds",
                    table=SIDES[name],
                    folds=folds,
                )
            )
    if aligned is None:
        anew = assign_folds(
            _strata(original, targets["original"], learnt), folds, repeats=repeats, seed=subject.seed + 1
        )
        sides["seen"] = _side(original, features, targets["original"], anew, released=False, folds=folds)
    return LearningProblem(
        target=target,
        predictors=predictors,
        classes=learnt.classes,
        shown=learnt.shown,
        layout=FeatureLayout(
            tuple(kind for column in features for kind in column.kinds),
            tuple(place for place, column in enumerate(features) for _ in column.kinds),
        ),
        sides=sides,
        is_aligned=aligned is not None,
        notes=tuple(_notes(tables, features, sides, is_aligned=aligned is not None)),
    )


def features_of(subject: MeasureSubject, column: str) -> ColumnFeatures:
    """What models see of a column, made once per subject."""

    def make() -> ColumnFeatures:
        before, after = subject.original_counts(column), subject.counts(column)
        return column_features(
            subject.decoded(column), subject.kinds[column], before.rows_of(0), after.rows_of(0)
        )

    return subject.once(("features", column), make)


def _strata(people: LearningPeople, targets: Floats, learnt: PredictionTarget) -> Integers:
    """What is to be spread evenly over the folds: the classes; of numbers, nothing."""
    if learnt.classes is None:
        return np.zeros(len(people.who), np.int64)
    return np.nan_to_num(targets[people.combinations], nan=len(learnt.classes)).astype(np.int64)


def _deal(
    tables: dict[str, LearningPeople],
    targets: dict[str, Floats],
    learnt: PredictionTarget,
    *,
    folds: int,
    repeats: int,
    aligned: object,
    seed: int,
) -> dict[str, Integers]:
    """``fold[repeat, row]`` for every table; in tables that are aligned, a person is in one fold."""
    strata = {name: _strata(people, targets[name], learnt) for name, people in tables.items()}
    if aligned is None:
        return {name: assign_folds(strata[name], folds, repeats=repeats, seed=seed) for name in tables}
    numbers = int(max(people.who.max() for people in (tables["original"], tables["release"]))) + 1
    by_person = np.zeros(numbers, np.int64)
    for name in ("release", "original"):  # the original has the last word
        by_person[tables[name].who] = strata[name]
    fold = assign_folds(by_person, folds, repeats=repeats, seed=seed)
    dealt = {name: fold[:, tables[name].who] for name in ("release", "original")}
    if "control" in tables:
        dealt["control"] = assign_folds(strata["control"], folds, repeats=repeats, seed=seed)
    return dealt


def _side(
    people: LearningPeople,
    features: Sequence[ColumnFeatures],
    targets: Floats,
    dealt: Integers,
    *,
    released: bool,
    folds: int,
) -> LearningTable:
    rows = np.stack(
        [
            np.bincount(fold * len(targets) + people.combinations, minlength=folds * len(targets)).reshape(
                folds, -1
            )
            for fold in dealt
        ]
    )
    usable = ~np.isnan(targets)
    used = usable & (rows[0].sum(axis=0) > 0)
    parts = [column_matrix(people, column, released=released)[used] for column in features]
    shown = parts if released else [_as_released(people, column)[used] for column in features]
    left_out = int(rows[0][:, ~usable].sum())
    return LearningTable(
        np.column_stack(parts), np.column_stack(shown), targets[used], rows[:, :, used], left_out
    )


def column_matrix(people: LearningPeople, column: ColumnFeatures, *, released: bool) -> Floats:
    """``[combination, feature]`` of one column."""
    values = people.values(column.column)
    if not released:
        return column.of_values(values)[people.codes(column.column)]
    return column.released[find_places(column.labels, values)[people.codes(column.column)]]


def _as_released(people: LearningPeople, column: ColumnFeatures) -> Floats:
    """Features of people as the release most likely shows them."""
    return column.as_released(people.values(column.column))[people.codes(column.column)]


def _notes(
    tables: dict[str, LearningPeople],
    features: Sequence[ColumnFeatures],
    sides: dict[str, LearningTable],
    *,
    is_aligned: bool,
) -> list[str]:
    notes: list[str] = []
    if not is_aligned and "control" not in tables:
        notes.append(
            say(
                "rows are not aligned and there is no control group: models are asked about people "
                "in the release"
            )
        )
    for name, people in tables.items():
        if len(people.who) < people.total:
            notes.append(
                say(
                    "of {total} rows of the {table}, {count} drawn at random (at most {most})",
                    total=people.total,
                    table=SIDES[name],
                    count=len(people.who),
                    most=MOST_ROWS,
                )
            )
        if sides[name].left_out:
            notes.append(
                say(
                    "{left_out} rows of the {table} show no single value of the target",
                    left_out=sides[name].left_out,
                    table=SIDES[name],
                )
            )
    for column in features:
        if column.pooled:
            notes.append(
                say(
                    "of {column!r} the {most} most frequent values are told apart, {pooled} "
                    "others share one place",
                    column=column.column,
                    most=MOST_CATEGORIES,
                    pooled=column.pooled,
                )
            )
    return notes
