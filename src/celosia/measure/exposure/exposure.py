"""Whom the columns outside a promise single out, counted on what leaves by code that no search shares."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from celosia.measure.exposure.group_counter import GroupCounter
from celosia.say import say
from celosia.tables.few_columns import LikelySets, best_sets
from celosia.tables.frame_table import FrameTable
from celosia.tables.group_sizes import GroupSizes
from celosia.tables.location import is_in_database, is_on_cluster
from celosia.tables.table import Progress, Table, no_progress

__all__ = ["DEFAULT_K", "ColumnExposure", "Exposure", "SubsetExposure", "measure_exposure"]

DEFAULT_K = 5
"""The size under which a group is small where no promise says one."""
LISTED = 5
"""Sets of columns that are told."""
MOST_SETS = 8
"""Sets of quasi-identifiers that a column is counted with, where others may know one of several."""
STAGE = say("looking at every column that leaves")


@dataclass(frozen=True)
class ColumnExposure:
    """Whom one column singles out.

    ``alone`` are people whose value nobody else has, ``small`` those in groups smaller than k, the former included;
    ``alone_with`` and ``small_with`` are the same together with the quasi-identifiers as released. They do not stand
    against a column that ``is_guarded``: a model promises what whoever knows the quasi-identifiers learns about it, and
    its premise is that nobody knows it beforehand.
    """

    column: str
    distinct: int
    alone: int
    small: int
    alone_with: int
    small_with: int
    is_guarded: bool = False

    @property
    def in_small_groups(self) -> int:
        """People in groups smaller than k by all that stands against the column."""
        return self.small if self.is_guarded else max(self.small, self.small_with)

    @property
    def is_exposed(self) -> bool:
        """Whether somebody is in a group smaller than k."""
        return self.in_small_groups > 0


@dataclass(frozen=True)
class SubsetExposure:
    """Whom a few columns single out together."""

    columns: tuple[str, ...]
    alone: int
    small: int


@dataclass(frozen=True)
class Exposure:
    """Whom the columns single out that leave and are no quasi-identifiers; these too where nobody promised for them.

    ``together`` are the pairs and triples found to single out most, and all columns at once if those do, as far as they
    single out more people than one of them by itself or with the quasi-identifiers. Where it is empty and no column is
    exposed, no set of columns, however many, puts anybody into a group smaller than k. Unless ``are_all_counted`` the
    pairs and triples were chosen by a sample or a few tries: others may single out more, though never more than all
    columns at once. ``not_looked_at`` says of columns why they could not be counted.
    """

    k: int
    people: int
    columns: tuple[ColumnExposure, ...]
    together: tuple[SubsetExposure, ...] = ()
    not_looked_at: Mapping[str, str] = field(default_factory=dict)
    are_all_counted: bool = True

    def __getitem__(self, column: str) -> ColumnExposure:
        return next(one for one in self.columns if one.column == column)

    def to_dict(self) -> dict[str, Any]:
        """As a document: no value of the table is in it."""
        return {
            "k": self.k,
            "people": self.people,
            "columns": {
                one.column: {name: count for name, count in asdict(one).items() if name != "column"}
                for one in self.columns
            },
            "together": [{**asdict(one), "columns": list(one.columns)} for one in self.together],
            "all pairs and triples counted": self.are_all_counted,
            "not looked at": dict(self.not_looked_at),
        }


def measure_exposure(
    table: Table,
    *,
    quasi_identifiers: Sequence[str],
    known: Sequence[Sequence[str]] | None = None,
    guarded: Sequence[str] = (),
    accepted: Sequence[str] = (),
    k: int = DEFAULT_K,
    classes_are_promised: bool = True,
    person: str | None = None,
    memory: int | None = None,
    folder: Path | None = None,
    look: Callable[[pl.DataFrame], None] | None = None,
    progress: Progress = no_progress,
) -> Exposure:
    """Count whom every column that leaves singles out: alone, with the quasi-identifiers, and a few together.

    ``known`` are sets of quasi-identifiers that somebody may know together: a column is counted with each of them, and
    what the worst tells is said; all quasi-identifiers are known at once unless given.
    Two values are the same only if every reader sees the same; a missing value is a value. ``accepted`` columns are
    known to nobody outside, as somebody said: they are counted, but not together with others. The same holds of
    ``guarded`` ones, about which a privacy model promises something. Where it is not ``classes_are_promised``, no model
    says how large classes are, and the quasi-identifiers are looked at by themselves, too. With ``person`` groups are
    made of people, who may have several rows. Numbers of rows that do not fit in ``memory`` lie in ``folder``
    meanwhile, which only this run can read. ``look`` is shown the rows on the way, where they come here.

    >>> from celosia.tables import open_table
    >>> visits = open_table(pl.DataFrame({"age": ["30-39"] * 4, "cost": [10, 10, 10, 99]}))
    >>> measure_exposure(visits, quasi_identifiers=["age"], k=3)["cost"]
    ColumnExposure(column='cost', distinct=2, alone=1, small=1, alone_with=1, small_with=1, is_guarded=False)
    """
    table = table.unparsed()
    present = table.columns()
    quasi = tuple(name for name in dict.fromkeys(quasi_identifiers) if name in present)
    unreadable = _unreadable(table)
    looked_at = [name for name in present if name not in quasi and name not in unreadable and name != person]
    sets = [quasi] if known is None else [tuple(name for name in some if name in quasi) for some in known]
    with _counter(
        table,
        [*quasi, *looked_at],
        classes=quasi,
        person=person,
        memory=memory,
        folder=folder,
        look=look,
        progress=progress,
    ) as counter:
        progress(STAGE, 0.4)
        alone = dict(zip(looked_at, counter.count([(name,) for name in looked_at], k), strict=True))
        progress(STAGE, 0.6)
        joined = alone
        if quasi:
            sets = _most_telling(counter, sets, k)
            joined = _joined(counter, looked_at, sets, k)
        progress(STAGE, 0.8)
        free = [name for name in looked_at if name not in accepted and name not in guarded]
        most_telling = sets[0] if quasi else quasi
        together, are_all_counted = _together(counter, free, most_telling, alone, joined, k)
        if quasi and not classes_are_promised:
            together = (*_classes(counter, quasi, k), *together)
        people = counter.people
    progress(STAGE, 1.0)
    columns = (_column(name, alone[name], joined[name], is_guarded=name in guarded) for name in looked_at)
    return Exposure(k, people, tuple(columns), together, unreadable, are_all_counted)


def _most_telling(counter: GroupCounter, sets: Sequence[tuple[str, ...]], k: int) -> list[tuple[str, ...]]:
    """The sets of columns that make the most groups, the most first; of many sets a few are counted on with."""
    distinct = [some for some in dict.fromkeys(sets) if some]
    if len(distinct) < 2:
        return distinct
    sizes = counter.count(distinct, k)
    order = sorted(range(len(distinct)), key=lambda place: -sizes[place].groups)
    return [distinct[place] for place in order[:MOST_SETS]]


def _joined(
    counter: GroupCounter, names: Sequence[str], sets: Sequence[tuple[str, ...]], k: int
) -> dict[str, GroupSizes]:
    """Whom each column singles out with the set of quasi-identifiers that helps it most."""
    counted = counter.count([(*some, name) for name in names for some in sets], k)
    return {
        name: max(counted[place * len(sets) : (place + 1) * len(sets)], key=lambda sizes: sizes.small)
        for place, name in enumerate(names)
    }


def _column(name: str, alone: GroupSizes, joined: GroupSizes, *, is_guarded: bool) -> ColumnExposure:
    return ColumnExposure(
        name, alone.groups, alone.alone, alone.small, joined.alone, joined.small, is_guarded
    )


def _classes(counter: GroupCounter, quasi: tuple[str, ...], k: int) -> tuple[SubsetExposure, ...]:
    """The quasi-identifiers by themselves, where they single somebody out."""
    (sizes,) = counter.count([quasi], k)
    return (SubsetExposure(quasi, sizes.alone, sizes.small),) if sizes.small else ()


def _together(
    counter: GroupCounter,
    free: Sequence[str],
    quasi: tuple[str, ...],
    alone: Mapping[str, GroupSizes],
    joined: Mapping[str, GroupSizes],
    k: int,
) -> tuple[tuple[SubsetExposure, ...], bool]:
    """First all columns at once: where they single nobody out, no few of them do.

    And whether all pairs and triples were counted.
    """
    if not free or len(free) + len(quasi) < 2:
        return (), True
    everything = (*quasi, *free)
    whole = joined[free[0]] if len(free) == 1 else counter.count([everything], k)[0]
    if not whole.small:
        return (), True
    # A column that tells most people apart by itself says so by itself; whatever joins it says nothing new.
    hidden = [name for name in free if 2 * alone[name].small <= counter.people]
    likely = (
        counter.likely_sets(hidden, quasi, k) if hidden and len(hidden) + len(quasi) > 1 else LikelySets()
    )
    counted = dict(zip(likely.sets, counter.count(likely.sets, k), strict=True))
    found = {
        columns: SubsetExposure(columns, counted[columns].alone, counted[columns].small)
        for columns in best_sets(counted)
        if counted[columns].small > max(alone[name].small for name in columns if name in alone)
    }
    if len(free) > 1 and (len(everything) > 3 or not found):
        found[everything] = SubsetExposure(everything, whole.alone, whole.small)
    known = {(name,): alone[name].small for name in free} | {
        (*quasi, name): joined[name].small for name in free
    }
    known |= {columns: one.small for columns, one in found.items()}
    told = [one for one in found.values() if not _says_nothing_new(one, known)]
    told.sort(key=lambda one: (-one.small, len(one.columns)))
    return tuple(told[:LISTED]), likely.are_all_counted


def _says_nothing_new(one: SubsetExposure, known: Mapping[tuple[str, ...], int]) -> bool:
    """Whether fewer of its columns single out as many, or all that one of them does with the quasi-identifiers."""
    own = set(one.columns)
    return any(
        set(other) <= own and other != one.columns and small >= one.small for other, small in known.items()
    )


def _unreadable(table: Table) -> dict[str, str]:
    """Columns whose values cannot be told apart, and why."""
    if is_in_database(table):
        return {
            one.name: say("the database cannot compare values of type {type}", type=one.native)
            for one in table.fields
            if not one.is_plain
        }
    if is_on_cluster(table):
        from celosia.tables.spark.group_sizes import can_be_grouped

        why = say("the cluster cannot compare values of its type")
        return {name: why for name in table.columns() if not can_be_grouped(table, name)}
    found: dict[str, str] = {}
    reader: Any = table.reader  # type: ignore[attr-defined]  # whatever is not in a database has one
    for name, dtype in zip(reader.names, reader.dtypes, strict=True):
        if dtype == pl.Object:
            found[name] = say("its values are objects of Python that cannot be compared")
        elif isinstance(table, FrameTable) and table.frame.told_apart(name):
            found[name] = say("it holds one value in several forms, and readers tell them apart")
    return found


@contextmanager
def _counter(
    table: Table,
    columns: Sequence[str],
    *,
    classes: Sequence[str],
    person: str | None,
    memory: int | None,
    folder: Path | None,
    look: Callable[[pl.DataFrame], None] | None,
    progress: Progress,
) -> Iterator[GroupCounter]:
    """Where the table is; people are told apart by rules that only we know, so that their rows come here."""
    from celosia.measure.exposure.elsewhere import ClusterGroups, DatabaseGroups
    from celosia.tables.hashed_rows import hashed_rows

    if person is None and is_in_database(table):
        yield DatabaseGroups(table)
    elif person is None and is_on_cluster(table):
        yield ClusterGroups(table)
    else:
        progress(STAGE, 0.0)
        with hashed_rows(
            table, columns, classes=classes, person=person, memory=memory, folder=folder, look=look
        ) as rows:
            yield rows
