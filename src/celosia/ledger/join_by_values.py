"""People without a key, known by their values: which class of each release allows them.

Whoever knows the quasi-identifiers of a person finds the classes whose labels allow them, in any release, whoever made
it. Rows of the table with the same classes everywhere are those she hides among. What this cannot know: who of the
table's people was in an earlier release, and whose values have changed since.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.ledger.members import Digests, Members, people_classes
from celosia.measure.decode import LabelMeaning
from celosia.measure.grouping import number_groups
from celosia.measure.risk.matching import match_classes
from celosia.measure.subject import MeasureSubject
from celosia.say import say
from celosia.tables.table import Counts, Table
from celosia.types import ColumnType
from celosia.values.same import fold_people

__all__ = ["PublishedTable", "members_by_values", "people_by_values"]

NOBODY = say("no quasi-identifier of the releases is a column of the table: nobody can be looked for")


@dataclass(frozen=True)
class PublishedTable:
    """A released table: its columns that tell about people, and what is known of their labels."""

    table: Table
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    types: Mapping[str, ColumnType] = field(default_factory=dict)


def members_by_values(
    source: Table, releases: Sequence[PublishedTable]
) -> tuple[list[Members | None], tuple[str, ...]]:
    """The rows of ``source`` as people of every release, and what cannot be known about them.

    None stands for a release whose labels nobody here understands.

    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"age": ["31", "38", "47"]}))
    >>> safe = PublishedTable(open_table(pl.DataFrame({"age": ["30-39", "30-39", "40-49"]})), ("age",),
    ...                  types={"age": ColumnType.INTEGER})
    >>> [found], _ = members_by_values(people, [safe])
    >>> found.classes.tolist()
    [0, 0, 1]
    """
    columns = _shared_columns(source, releases)
    if not columns:
        return [], (NOBODY,)
    people = source.count_by(columns)
    members: list[Members | None] = []
    unknown: list[str] = []
    for release in releases:
        own, own_members, notes = _members(release, people, source)
        everyone = np.repeat(own, people.counts)
        is_in = everyone >= 0
        rows, classes = np.flatnonzero(is_in).astype(np.uint64), everyone[is_in].astype(np.int32)
        members.append(None if own_members is None else replace(own_members, people=rows, classes=classes))
        unknown += notes
    return members, tuple(dict.fromkeys(unknown))


def people_by_values(
    source: Table, releases: Sequence[PublishedTable], *, person: str, digests: Digests
) -> tuple[list[Members | None], tuple[str, ...]]:
    """Who is in which class of releases, by values in ``source``, named by digests of their keys as in the ledger.

    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"id": ["a", "b", "c"], "age": ["31", "38", "47"]}))
    >>> safe = PublishedTable(open_table(pl.DataFrame({"age": ["30-39", "30-39", "40-49"]})), ("age",),
    ...                  types={"age": ColumnType.INTEGER})
    >>> [found], _ = people_by_values(people, [safe], person="id", digests=Digests())
    >>> len(found.people), np.bincount(found.classes).tolist()
    (3, [2, 1])
    """
    columns = _shared_columns(source, releases)
    if not columns:
        return [], (NOBODY,)
    rows = source.count_by([*columns, person])
    number = number_groups(rows.codes[:-1])
    first = np.zeros(int(number.max(initial=-1)) + 1, np.int64)
    first[number] = np.arange(len(number))
    people = Counts(
        tuple(columns),
        rows.values[:-1],
        tuple(codes[first] for codes in rows.codes[:-1]),
        np.bincount(number, rows.counts, len(first)).astype(np.int64),
        rows.spellings,
    )
    who_is = fold_people(rows.values[-1])
    names = pl.Series(who_is.values, dtype=pl.String)
    codes = who_is.codes[rows.codes[-1]]
    has_key = names.is_not_null().to_numpy()[codes]
    keys = digests.of_people(names)
    members: list[Members | None] = []
    unknown: list[str] = []
    for release in releases:
        own, own_members, notes = _members(release, people, source, digests)
        unknown += notes
        if own_members is None:
            members.append(None)
            continue
        is_in = has_key & (own[number] >= 0)
        who, mine = people_classes(codes[is_in], own[number][is_in], size=own_members.count)
        order = np.argsort(keys[who], kind="stable")
        count = max(own_members.count, int(mine.max(initial=-1)) + 1)
        members.append(
            replace(
                own_members,
                people=keys[who][order],
                classes=mine[order].astype(np.int32),
                count=count,
                labels=np.arange(count, dtype=np.uint64),
            )
        )
    return members, tuple(dict.fromkeys(unknown))


def _shared_columns(source: Table, releases: Sequence[PublishedTable]) -> list[str]:
    names = source.columns()
    return list(
        dict.fromkeys(name for release in releases for name in release.quasi_identifiers if name in names)
    )


def _members(
    release: PublishedTable, people: Counts, source: Table, digests: Digests | None = None
) -> tuple[np.ndarray, Members | None, list[str]]:
    """The class of every combination of values, -1 where it is in none; what classes show; and what is not known.

    There are no classes where nobody fits any, because of labels that are not understood.
    """
    known = tuple(
        name
        for name in release.quasi_identifiers
        if name in people.columns and name in release.table.columns()
    )
    subject = MeasureSubject.of(
        source,
        release.table,
        quasi_identifiers=known,
        sensitive=[name for name in release.sensitive if name in release.table.columns()],
        hierarchies=release.hierarchies,
        types=release.types,
    )
    pairs = [pl.DataFrame({"person": a, "class": b}) for a, b in match_classes(subject, people)]
    matched = pl.concat(pairs) if pairs else pl.DataFrame({"person": [], "class": []})
    looks = (
        matched.sort("person", "class")
        .group_by("person", maintain_order=True)
        .agg(pl.col("class").cast(pl.String).str.join(",").alias("looks"), pl.col("class").first())
    )
    # One class is what it is; several that overlap are one for whoever knows only the values.
    single = ~looks.get_column("looks").str.contains(",")
    number = looks.get_column("class").to_numpy().astype(np.int64)
    several = (~single).to_numpy()
    count = len(subject.class_counts)
    if several.any():
        ranks = looks.filter(~single).get_column("looks").rank("dense").cast(pl.Int64).to_numpy()
        number[several] = count - 1 + ranks
    own = np.full(len(people), -1, np.int64)
    own[looks.get_column("person").to_numpy()] = number
    size = max(count, int(own.max(initial=-1)) + 1)
    members = Members(
        people=np.zeros(0, np.uint64),
        classes=np.zeros(0, np.int32),
        count=size,
        labels=np.arange(size, dtype=np.uint64),
        values=_values(subject, looks, number, digests or Digests()),
        shown=_class_labels(subject.class_counts, size),
    )
    absent = int(people.counts[own < 0].sum())
    notes = _unknown(release, subject, number, looks, people, absent)
    is_lost = not (own >= 0).any() and any(_is_strange(subject, name) for name in known)
    return own, None if is_lost else members, notes


def _values(
    subject: MeasureSubject, looks: pl.DataFrame, number: np.ndarray, digests: Digests
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Sensitive values of every class; of several classes taken for one, those of all of them."""
    parts = (
        looks.select(pl.Series("owner", number), pl.col("looks").str.split(",").alias("class"))
        .unique("owner")
        .explode("class")
        .select("owner", pl.col("class").cast(pl.Int64))
    )
    by_column = {}
    for name, histogram in subject.classes.histograms.items():
        coded = digests.of_values(name, _as_series(histogram.values))
        table = pl.DataFrame({"class": histogram.classes, "value": coded[histogram.codes]})
        pairs = parts.join(table, on="class").select("owner", "value").unique().sort("owner", "value")
        by_column[name] = (pairs.get_column("owner").to_numpy(), pairs.get_column("value").to_numpy())
    return by_column


def _as_series(values: Sequence[object]) -> pl.Series:
    # The type of the first alone would be taken, which later integers may not fit.
    are_integers = all(value is None or type(value) is int for value in values)
    return pl.Series(values, dtype=pl.Int128 if are_integers else None)


def _class_labels(classes: Counts, size: int) -> pl.DataFrame:
    labels = {
        name: classes.texts[place].gather(classes.codes[place]).cast(pl.String)
        for place, name in enumerate(classes.columns)
    }
    several = pl.DataFrame(
        {name: ["one of several"] * (size - len(classes)) for name in labels},
        schema=dict.fromkeys(labels, pl.String),
    )
    return pl.concat([pl.DataFrame(labels), several])


def _is_strange(subject: MeasureSubject, column: str) -> bool:
    """Whether a column shows labels that nobody here understands."""
    return bool((subject.decoded(column).meanings == LabelMeaning.UNKNOWN).any())


def _unknown(
    release: PublishedTable,
    subject: MeasureSubject,
    number: np.ndarray,
    looks: pl.DataFrame,
    people: Counts,
    absent: int,
) -> list[str]:
    notes: list[str] = []
    notes.append(say("without a key it is not known who of these people was in an earlier release"))
    lacking = [name for name in release.quasi_identifiers if name not in people.columns]
    if lacking:
        notes.append(
            say(
                "{release}: shows {columns}, which the table does not have here: whoever knows that of "
                "people finds fewer",
                release=release.table.name,
                columns=", ".join(lacking),
            )
        )
    strange = [name for name in subject.class_counts.columns if _is_strange(subject, name)]
    if strange:
        notes.append(
            say(
                "{release}: what some labels of {columns} stand for is not known here, so that nobody is "
                "found in their classes: give the hierarchy that they are from",
                release=release.table.name,
                columns=", ".join(strange),
            )
        )
    if absent:
        notes.append(
            say(
                "{release}: {rows:,} rows of the table fit no class of it: they are new, were left "
                "out, or have changed",
                release=release.table.name,
                rows=absent,
            )
        )
    fitting = np.bincount(number, people.counts[looks.get_column("person").to_numpy()])
    rows = subject.classes.counts
    width = min(len(rows), len(fitting))
    if int((fitting[:width].astype(np.int64) != rows[:width]).sum()):
        notes.append(
            say(
                "{release}: the rows of some classes are not as many as people of the table who fit "
                "them: some came, left or changed, and without a key nobody knows who",
                release=release.table.name,
            )
        )
    return notes
