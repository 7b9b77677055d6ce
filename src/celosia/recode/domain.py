"""The quasi-identifiers as the searches see them: small integers, one level table per column, keys of packed bits.

A value that the hierarchy does not know, or a missing one under the policy ``drop``, takes its rows out of the search;
they are counted in ``Domain.excluded`` and named in ``Domain.left_out``, never lost silently.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import HierarchyError, ProjectError
from celosia.hierarchies import Hierarchy
from celosia.say import say
from celosia.tables.table import Counts
from celosia.values.same import SensitiveValues, fold_people, people_keys
from celosia.values.same import sensitive_values as as_sensitive

__all__ = [
    "Domain",
    "MissingPolicy",
    "QuasiIdentifier",
    "UnknownPolicy",
    "build_domain",
    "check_people",
    "encode_column",
    "not_covered",
    "sensitive_values",
    "with_rows",
]

Codes = npt.NDArray[np.int64]


class MissingPolicy(StrEnum):
    """What a missing value of a quasi-identifier is.

    ``category``: a value of its own at every level below the root. ``drop``: its rows leave the release and are
    reported. ``mode``: it is replaced by the column's most frequent value.
    """

    CATEGORY = "category"
    DROP = "drop"
    MODE = "mode"


class UnknownPolicy(StrEnum):
    """What happens to values that a hierarchy does not cover: an error that names them, or their rows are left out."""

    ERROR = "error"
    SUPPRESS = "suppress"


@dataclass(frozen=True)
class QuasiIdentifier:
    """One column, encoded: ``levels[level][value]`` is the code at a level of each value that occurs.

    ``labels[level][code]`` is what the release shows (None: missing), ``leaves[level][code]`` how many values of the
    hierarchy it stands for out of ``size``, ``rows[level][code]`` how many rows have it. ``values`` are those that
    occur, with their type, and ``entries`` how the hierarchy writes them; ``is_respelled`` says that the table writes
    some of them in several ways. ``filled`` replaces missing values; rows with a value in ``left_out`` leave the table.
    """

    name: str
    values: pl.Series
    levels: tuple[Codes, ...]
    labels: tuple[tuple[str | None, ...], ...]
    leaves: tuple[Codes, ...]
    rows: tuple[Codes, ...]
    size: int
    entries: tuple[str | None, ...] = ()
    is_respelled: bool = False
    has_spellings: bool = False
    filled: Any = None
    left_out: tuple[Any, ...] = ()

    @property
    def has_missing(self) -> bool:
        """Whether a missing value is one of the values."""
        return self.values.null_count() > 0

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.levels) - 1

    def between(self, low: int, high: int | None) -> Codes:
        """``map[code at low]`` = code at ``high``; ``high`` None makes every code 0, as if the column were absent."""
        size = len(self.labels[low])
        result = np.zeros(size, np.int64)
        if high is not None:
            result[self.levels[low]] = self.levels[high]
        return result


@dataclass(frozen=True)
class Domain:
    """All quasi-identifiers, the distinct combinations of their values and how many rows have each.

    ``codes[column][combination]`` are level-0 codes, ``counts[combination]`` rows. ``sensitive[name]`` holds the code
    of a sensitive column per combination and its values, with what readers take for one; with sensitive columns, the
    same quasi-identifier values may stand in several combinations.
    """

    columns: tuple[QuasiIdentifier, ...]
    codes: tuple[Codes, ...]
    counts: Codes
    sensitive: Mapping[str, tuple[Codes, SensitiveValues]]
    rows: int
    excluded: int

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers in order."""
        return tuple(column.name for column in self.columns)

    @property
    def heights(self) -> tuple[int, ...]:
        """Highest level per quasi-identifier."""
        return tuple(column.height for column in self.columns)


def build_domain(
    counts: Counts,
    hierarchies: Mapping[str, Hierarchy],
    *,
    quasi_identifiers: Sequence[str],
    missing: MissingPolicy = MissingPolicy.CATEGORY,
    unknown: UnknownPolicy = UnknownPolicy.ERROR,
    person: str | None = None,
) -> Domain:
    """Encode counted combinations by their hierarchies; further columns of ``counts`` are taken as sensitive.

    The column ``person`` tells people apart; its values are those of :func:`celosia.values.same.people_keys`.

    >>> counted = Counts(("sex",), (pl.Series(["f", "m"]),), (np.array([0, 1], np.int32),), np.array([3, 4]))
    >>> sex = Hierarchy.from_rows("sex", [("f", "*"), ("m", "*")])
    >>> build_domain(counted, {"sex": sex}, quasi_identifiers=["sex"]).heights
    (1,)
    """
    keep = np.ones(len(counts), bool)
    encoded: list[tuple[QuasiIdentifier, Codes]] = []
    for name in quasi_identifiers:
        place = counts.columns.index(name)
        column, translate = encode_column(counts, place, hierarchies[name], missing, unknown)
        codes = translate[counts.codes[place]]
        keep &= codes >= 0
        encoded.append((column, codes))
    kept = counts.counts[keep]
    columns, all_codes = [], []
    for column, codes in encoded:
        columns.append(with_rows(column, codes[keep], kept))
        all_codes.append(codes[keep])
    sensitive = {
        name: sensitive_values(counts, place, keep, is_person=name == person)
        for place, name in enumerate(counts.columns)
        if name not in quasi_identifiers
    }
    rows = int(counts.counts.sum())
    return Domain(tuple(columns), tuple(all_codes), kept, sensitive, int(kept.sum()), rows - int(kept.sum()))


def sensitive_values(
    counts: Counts, place: int, keep: npt.NDArray[np.bool_], *, is_person: bool = False
) -> tuple[Codes, SensitiveValues]:
    """The code of a sensitive column for the combinations kept, and its values; people are folded already.

    >>> found = Counts(("x",), (pl.Series(["HIV", "hiv"]),), (np.array([0, 1], np.int32),), np.array([3, 4]))
    >>> codes, values = sensitive_values(found, 0, np.array([True, True]))
    >>> codes.tolist(), values, values.folded.values
    ([0, 1], ('HIV', 'hiv'), ('HIV',))
    """
    codes = counts.codes[place][keep].astype(np.int64)
    key = ("people" if is_person else "sensitive", counts.columns[place])
    if key not in counts.remembered:
        make = fold_people if is_person else as_sensitive
        counts.remembered[key] = make(counts.values[place])
    if not is_person:
        return codes, counts.remembered[key]
    people = counts.remembered[key]
    return people.codes[codes], SensitiveValues.distinct(people.values)


def check_people(values: pl.Series, rows: Codes, column: str, where: str) -> None:
    """Raise if some rows do not say whose they are; ``rows[value]`` have each of the values.

    >>> check_people(pl.Series(["a1", "-"]), np.array([3, 2]), "patient", "visits.csv")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: visits.csv: 2 rows do not say whose they are: 'patient' is missing; fill it, or leave
    them out with an operation drop-rows where patient is null (marks such as NA and - are missing to some reader)
    """
    lacking = int(rows[people_keys(values).is_null().to_numpy()].sum())
    if lacking:
        raise ProjectError(
            say("{rows} rows do not say whose they are: {column!r} is missing", rows=lacking, column=column),
            where=where,
            remedy=say(
                "fill it, or leave them out with an operation drop-rows where {column} is null "
                "(marks such as NA and - are missing to some reader)",
                column=column,
            ),
        )


def encode_column(
    counts: Counts, place: int, hierarchy: Hierarchy, missing: MissingPolicy, unknown: UnknownPolicy
) -> tuple[QuasiIdentifier, Codes]:
    """The encoded column and, per distinct value of the table, its level-0 code or -1 where rows are left out."""
    name, values, marginal = counts.columns[place], counts.values[place], counts.rows_of(place)
    leaf = hierarchy.find(values).astype(np.int64)
    is_missing = values.is_null().to_numpy()
    strange = pl.Series((leaf < 0) & ~is_missing & (marginal > 0))
    if strange.any() and unknown is UnknownPolicy.ERROR:
        raise not_covered(name, counts.texts[place].filter(strange))
    left_out: list[Any] = values.filter(strange).to_list()
    has_missing = bool(is_missing.any())
    filled = None
    if has_missing and missing is MissingPolicy.DROP:
        left_out.append(None)
    elif (
        has_missing and missing is MissingPolicy.MODE and (leaf >= 0).any()
    ):  # else there is no value to take
        mode = int(np.argmax(np.where(leaf >= 0, marginal, -1)))
        filled = values[mode]
        leaf = np.where(is_missing, leaf[mode], leaf)
    own_category = has_missing and missing is not MissingPolicy.DROP and filled is None
    present = np.unique(leaf[leaf >= 0])
    translate = np.full(len(values), -1, np.int64)
    inside = leaf >= 0
    translate[inside] = np.searchsorted(present, leaf[inside])
    if own_category:
        translate[is_missing] = len(present)
    first = np.zeros(len(present) + own_category, np.int64)
    first[translate[(translate >= 0) & ~is_missing]] = np.flatnonzero((translate >= 0) & ~is_missing)
    if own_category:
        first[-1] = int(np.argmax(is_missing))
    column = _level_tables(name, hierarchy, present, own_category, values.gather(first))
    shown = tuple(counts.texts[place].gather(first).to_list())
    column = replace(
        column,
        labels=(shown, *column.labels[1:]),
        is_respelled=name in counts.respelled,
        has_spellings=name in counts.spellings,
    )
    return replace(column, filled=filled, left_out=tuple(left_out)), translate


def _level_tables(
    name: str,
    hierarchy: Hierarchy,
    present: npt.NDArray[np.int64],
    own_category: bool,
    values: pl.Series,
) -> QuasiIdentifier:
    """Levels reduced to the values that occur; a missing value joins the others only at the root."""
    levels, labels, leaves = [], [], []
    total = len(hierarchy.values) + own_category
    for level in range(hierarchy.height + 1):
        used, codes = np.unique(hierarchy.codes[level][present], return_inverse=True)
        level_labels: list[str | None] = [hierarchy.labels[level][code] for code in used]
        level_leaves = hierarchy.leaves(level)[used].astype(np.int64)
        if own_category:
            if level == hierarchy.height and level > 0 and len(level_labels) <= 1:
                codes = np.append(codes, 0)
                level_labels = level_labels or [hierarchy.labels[level][0]]
                level_leaves = np.array([total], np.int64)
            else:
                codes = np.append(codes, len(level_labels))
                level_labels.append(None)
                level_leaves = np.append(level_leaves, 1)
        levels.append(codes.astype(np.int64))
        labels.append(tuple(level_labels))
        leaves.append(level_leaves)
    return QuasiIdentifier(
        name, values, tuple(levels), tuple(labels), tuple(leaves), (), total, entries=labels[0]
    )


def with_rows(column: QuasiIdentifier, codes: Codes, counts: Codes) -> QuasiIdentifier:
    """The column with the rows of every label, from the level-0 code and the rows of every combination."""
    per_value = np.bincount(codes, weights=counts, minlength=len(column.values)).astype(np.int64)
    rows = tuple(
        np.bincount(level, weights=per_value, minlength=len(labels)).astype(np.int64)
        for level, labels in zip(column.levels, column.labels, strict=True)
    )
    return replace(column, rows=rows)


def not_covered(name: str, strange: pl.Series) -> HierarchyError:
    """What to say of values that a hierarchy does not know."""
    shown = ", ".join(repr(value) for value in strange.head(5).to_list())
    return HierarchyError(
        say(
            "the hierarchy of {column!r} does not cover {values} and {count} more",
            column=name,
            values=shown,
            count=len(strange) - 5,
        )
        if len(strange) > 5
        else say("the hierarchy of {column!r} does not cover {values}", column=name, values=shown),
        remedy=say("add these values to it, or leave their rows out with --unknown suppress"),
    )
