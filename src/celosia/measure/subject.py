"""What is measured: a release beside its original, and all that is known about both; each thing is counted once."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self, TypeVar, cast

import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.measure.attacks.attacker import Attacker
from celosia.measure.decode import DecodedColumn, decode_column
from celosia.measure.distribution.spelling import spell_counts
from celosia.measure.grouping import classes_of, roll_up
from celosia.measure.release_measure import SIDES, NotMeasurableError
from celosia.privacy import Classes
from celosia.say import say
from celosia.tables.table import Counts, Progress, Table, no_progress
from celosia.types import ColumnType

__all__ = ["MeasureSubject", "Population"]

ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class Population:
    """The people of whom the original holds some: as a ``table``, by the ``fraction`` that it holds, or by weights.

    ``weight`` is a column of the original with the number of people that each row stands for.
    """

    table: Table | None = None
    fraction: float | None = None
    weight: str | None = None


@dataclass(frozen=True)
class MeasureSubject:
    """A release and what it is measured against.

    ``key`` is a column of both tables by whose values rows are the same people's; with ``same_order`` they are row by
    row. ``guarded`` are the sensitive columns about which a model promises something, ``accepted`` ones those for
    which a person answers; ``person`` tells people apart. ``control`` holds people who are not in the release;
    ``targets`` are columns that somebody wants to predict. ``attacker`` is who attacks the release; ``attackers`` are
    the quasi-identifiers that those know to whom promises were made. ``threshold`` is the size under which a class
    counts as at risk.

    >>> people = pl.DataFrame({"age": [31, 38, 47], "job": ["nurse", "cook", "cook"]})
    >>> release = pl.DataFrame({"age": ["[30-39]", "[30-39]", "[40-49]"], "job": ["nurse", "cook", "cook"]})
    >>> subject = MeasureSubject.of(people, release, quasi_identifiers=["age"], sensitive=["job"])
    >>> sorted(subject.classes.counts.tolist()), subject.decoded("age").leaves.tolist()
    ([1, 2], [2, 1])
    """

    release: Table
    original: Table | None = None
    quasi_identifiers: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    guarded: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    person: str | None = None
    targets: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    types: Mapping[str, ColumnType] = field(default_factory=dict)
    population: Population = Population()
    attacker: Attacker = field(default_factory=Attacker)
    attackers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    control: Table | None = None
    key: str | None = None
    same_order: bool = False
    threshold: int = 5
    seed: int = 0
    progress: Progress = no_progress

    @classmethod
    def of(cls, original: Any, release: Any, **known: Any) -> Self:
        """A subject of tables, or of whatever can be opened as one: frames, paths."""
        from celosia.tables import open_table

        def opened(source: Any) -> Table | None:
            return source if source is None or isinstance(source, Table) else open_table(source)

        table = opened(release)
        assert table is not None
        for name in ("quasi_identifiers", "sensitive", "guarded", "accepted", "targets"):
            known[name] = tuple(known.get(name, ()))
        known["control"] = opened(known.get("control"))
        return cls(release=table, original=opened(original), **known)

    @cached_property
    def kinds(self) -> Mapping[str, ColumnType]:
        """The types of the columns before the release: as declared, else as the original has them."""
        table = self.release if self.original is None else self.original
        return {column.name: column.type for column in table.schema()} | dict(self.types)

    @property
    def source(self) -> Table:
        """The original; a measure that needs it says so where there is none."""
        if self.original is None:
            raise NotMeasurableError(say("the original table was not given"))
        return self.original

    @cached_property
    def released_quasi_identifiers(self) -> tuple[str, ...]:
        """The quasi-identifiers that the release still shows."""
        names = self.release.columns()
        return tuple(name for name in self.quasi_identifiers if name in names)

    @cached_property
    def shared_columns(self) -> tuple[str, ...]:
        """Columns of both tables, in the order of the original."""
        names = self.release.columns()
        return tuple(name for name in self.source.columns() if name in names and name != self.key)

    def counts(self, *columns: str) -> Counts:
        """The combinations of some columns of the release, counted once."""
        return self._counted(self.release, "release", columns)

    def original_counts(self, *columns: str) -> Counts:
        """The combinations of some columns of the original, counted once."""
        return self._counted(self.source, "original", columns)

    def control_counts(self, *columns: str) -> Counts:
        """The combinations of some columns of the people who are not in the release."""
        if self.control is None:
            raise NotMeasurableError(
                say("no control group was given: people like those of the table, but not in it")
            )
        return self._counted(self.control, "control", columns)

    def population_counts(self, *columns: str) -> Counts:
        """The combinations of some columns of the population, where it was given as a table."""
        if self.population.table is None:
            raise NotMeasurableError(say("no table of the population was given"))
        return self._counted(self.population.table, "population", columns)

    def _counted(self, table: Table, side: str, columns: Sequence[str]) -> Counts:
        if not columns:
            raise NotMeasurableError(say("there is no column to look at"))
        key = (side, *columns)
        if key not in self._counts_by_key:
            lacking = [name for name in columns if name not in table.columns()]
            if lacking:
                raise NotMeasurableError(
                    say("the {side} has no column {column!r}", side=SIDES[side], column=lacking[0])
                )
            self._counts_by_key[key] = self._spelt(table.count_by(columns), side)
        return self._counts_by_key[key]

    def _spelt(self, counts: Counts, side: str) -> Counts:
        """Counts of another table than the original with its texts for its values: labels are compared by texts."""
        if self.original is None or side == "original" or self.original is self.release:
            return counts
        for name in counts.columns:
            if name in self.original.columns():
                counts = spell_counts(counts, name, self.original_counts(name), self.kinds[name])
        return counts

    @cached_property
    def _counts_by_key(self) -> dict[tuple[str, ...], Counts]:
        return {}

    def once(self, name: Hashable, find: Callable[[], ResultT]) -> ResultT:
        """What ``find`` answers, asked once for each name: measures that share a search look it up here."""
        if name not in self._results:
            self._results[name] = find()
        return cast(ResultT, self._results[name])

    @cached_property
    def _results(self) -> dict[Hashable, Any]:
        return {}

    @cached_property
    def classes(self) -> Classes:
        """The classes of the release, with the histograms of its sensitive columns."""
        names = self.released_quasi_identifiers
        return classes_of(self._classes_and_sensitive(), names, self.hierarchies, told=self.sensitive)

    @cached_property
    def class_counts(self) -> Counts:
        """The combinations of quasi-identifiers that the release shows, one per class, in the order of ``classes``."""
        return roll_up(self._classes_and_sensitive(), self.released_quasi_identifiers)

    def _classes_and_sensitive(self) -> Counts:
        if not self.released_quasi_identifiers:
            raise NotMeasurableError(say("the release shows no quasi-identifier"))
        known, names = self.released_quasi_identifiers, self.release.columns()
        return self.counts(*known, *(name for name in self.sensitive if name in names and name not in known))

    def grown(self, column: str) -> frozenset[str]:
        """Labels of a column that more rows of the release show than of the original."""
        had, show = (
            dict(zip(counts.texts[0].cast(pl.String).to_list(), counts.rows_of(0).tolist(), strict=True))
            for counts in (self.original_counts(column), self.counts(column))
        )
        return frozenset(
            label for label, rows in show.items() if label is not None and rows > had.get(label, 0)
        )

    def decoded(self, column: str) -> DecodedColumn:
        """What every released label of a column allows among the values of the original.

        ``labels`` are as ``counts(column).texts[0]`` has them, ``values`` as ``original_counts(column)``. An empty
        cell is a missing value where people miss some: measures that count cells know how many were emptied.
        """
        return self.once(("decoded", column), lambda: self._decode(column))

    def _decode(self, column: str) -> DecodedColumn:
        before, after = self.original_counts(column), self.counts(column)
        return decode_column(
            column,
            self.kinds[column],
            before.texts[0],
            after.texts[0],
            hierarchy=self.hierarchies.get(column),
            grown=self.grown(column),
        )
