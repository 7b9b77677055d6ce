"""People without a key, known by their values: which class of each release allows them.

Whoever knows the quasi-identifiers of a person finds the classes whose labels allow them, in any release, whoever made
it. Rows of the table with the same classes everywhere are those she hides among. What this cannot know: who of the
table's people was in an earlier release, and whose values have changed since.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.ledger.members import Digests, Members
from celosia.measure.risk.matching import match_classes
from celosia.measure.subject import Subject
from celosia.tables.table import Counts, Table
from celosia.types import ColumnType

__all__ = ["Published", "members_by_values"]


@dataclass(frozen=True)
class Published:
    """A released table: its columns that tell about people, and what is known of their labels."""

    table: Table
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    types: Mapping[str, ColumnType] = field(default_factory=dict)


def members_by_values(source: Table, releases: Sequence[Published]) -> tuple[list[Members], tuple[str, ...]]:
    """The rows of ``source`` as people of every release, and what cannot be known about them.

    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"age": ["31", "38", "47"]}))
    >>> safe = Published(open_table(pl.DataFrame({"age": ["30-39", "30-39", "40-49"]})), ("age",),
    ...                  types={"age": ColumnType.INTEGER})
    >>> [found], _ = members_by_values(people, [safe])
    >>> found.classes.tolist()
    [0, 0, 1]
    """
    names = source.columns()
    columns = list(dict.fromkeys(name for one in releases for name in one.quasi_identifiers if name in names))
    if not columns:
        return [], ("no quasi-identifier of the releases is a column of the table: nobody can be looked for",)
    people = source.count_by(columns)
    members, unknown = [], []
    for one in releases:
        found, notes = _members(one, people, source)
        members.append(found)
        unknown += notes
    return members, tuple(dict.fromkeys(unknown))


def _members(one: Published, people: Counts, source: Table) -> tuple[Members, list[str]]:
    known = tuple(
        name for name in one.quasi_identifiers if name in people.columns and name in one.table.columns()
    )
    subject = Subject.of(
        source,
        one.table,
        quasi_identifiers=known,
        sensitive=[name for name in one.sensitive if name in one.table.columns()],
        hierarchies=one.hierarchies,
        types=one.types,
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
    everyone = np.repeat(own, people.counts)
    is_in = everyone >= 0
    size = max(count, int(own.max(initial=-1)) + 1)
    found = Members(
        people=np.flatnonzero(is_in).astype(np.uint64),
        classes=everyone[is_in].astype(np.int32),
        count=size,
        labels=np.arange(size, dtype=np.uint64),
        values=_values(subject, looks, number),
        shown=_shown(subject.class_counts, size),
    )
    return found, _unknown(one, subject, number, looks, people, int((~is_in).sum()))


def _values(
    subject: Subject, looks: pl.DataFrame, number: np.ndarray
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Sensitive values of every class; of several classes taken for one, those of all of them."""
    parts = (
        looks.select(pl.Series("owner", number), pl.col("looks").str.split(",").alias("class"))
        .unique("owner")
        .explode("class")
        .select("owner", pl.col("class").cast(pl.Int64))
    )
    found = {}
    for name, histogram in subject.classes.histograms.items():
        coded = Digests().of("values", pl.Series(histogram.values, dtype=pl.String))
        table = pl.DataFrame({"class": histogram.classes, "value": coded[histogram.codes]})
        pairs = parts.join(table, on="class").select("owner", "value").unique().sort("owner", "value")
        found[name] = (pairs.get_column("owner").to_numpy(), pairs.get_column("value").to_numpy())
    return found


def _shown(classes: Counts, size: int) -> pl.DataFrame:
    labels = {
        name: classes.values[place].gather(classes.codes[place]).cast(pl.String)
        for place, name in enumerate(classes.columns)
    }
    several = pl.DataFrame(
        {name: ["one of several"] * (size - len(classes)) for name in labels},
        schema=dict.fromkeys(labels, pl.String),
    )
    return pl.concat([pl.DataFrame(labels), several])


def _unknown(
    one: Published, subject: Subject, number: np.ndarray, looks: pl.DataFrame, people: Counts, absent: int
) -> list[str]:
    notes = ["without a key it is not known who of these people was in an earlier release"]
    if absent:
        notes.append(
            f"{one.table.name}: {absent:,} rows of the table fit no class of it: they are new, were left out, or have "
            "changed"
        )
    fitting = np.bincount(number, people.counts[looks.get_column("person").to_numpy()])
    rows = subject.classes.counts
    width = min(len(rows), len(fitting))
    if int((fitting[:width].astype(np.int64) != rows[:width]).sum()):
        notes.append(
            f"{one.table.name}: the rows of some classes are not as many as people of the table who fit them: some "
            "came, left or changed, and without a key nobody knows who"
        )
    return notes
