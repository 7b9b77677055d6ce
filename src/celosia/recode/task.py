"""What a technique is given: a table, what is asked of its release, and whatever can be worked out of both, once."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import HierarchyError, ProjectError, TableError
from celosia.hierarchies import Hierarchy, propose, read_hierarchy
from celosia.hierarchies.plain import read_in_form
from celosia.measure.utility import get_measure
from celosia.privacy import DistinctLDiversity, PrivacyModel
from celosia.recode.domain import Domain, MissingPolicy, UnknownPolicy, build_domain, check_people
from celosia.recode.evaluate import Evaluator
from celosia.recode.population import PopulationCounts
from celosia.recode.search_location import SearchLocation, choose_search_location
from celosia.recode.space import Space, build_space
from celosia.say import say
from celosia.tables.table import Counts, Progress, Table, no_progress
from celosia.tables.written_forms import forms_of
from celosia.types import ColumnType, nearest

__all__ = ["RecodingTask"]


@dataclass(frozen=True)
class RecodingTask:
    """A table, its quasi-identifiers and the promises; ``counts``, hierarchies and so on are worked out when asked for.

    ``modelled`` are the sensitive columns that a model looks at, ``sensitive`` all of them. ``given`` are
    hierarchies handed over, ``files`` those named by file, by column. ``types`` overrides what the table says.
    ``language`` is that of labels that are proposed.
    ``folder`` is where rows may be kept for a while. ``population`` is a table of the people of whom ``table`` holds
    some, for models that look at it.

    ``finest`` and ``coarsest`` are the lowest and the highest level of its hierarchy that a column may be released at;
    with ``same_labels`` a value becomes the same label in the whole table.

    Where ``person`` names the column that tells people apart, every class has as many different people as the models
    ask for: distinct l-diversity over that column, which is added to ``models`` and ``modelled``.
    """

    table: Table
    quasi_identifiers: tuple[str, ...]
    models: tuple[PrivacyModel, ...]
    modelled: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    suppression: float = 0.0
    measure: str = "loss"
    weights: Mapping[str, float] = field(default_factory=dict)
    keep_type: Mapping[str, bool | None] = field(default_factory=dict)
    missing: MissingPolicy = MissingPolicy.CATEGORY
    unknown: UnknownPolicy = UnknownPolicy.ERROR
    given: Mapping[str, Hierarchy] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    declared: Mapping[str, ColumnType] = field(default_factory=dict)
    language: str = "en"
    seed: int | None = None
    folder: Path | None = None
    population: Table | None = None
    person: str | None = None
    finest: Mapping[str, int] = field(default_factory=dict)
    coarsest: Mapping[str, int] = field(default_factory=dict)
    same_labels: bool = False
    progress: Progress = no_progress

    def __post_init__(self) -> None:
        if self.person is None:
            return
        models = [model for model in self.models if model.column != self.person]
        people = max([1, *(model.least_people for model in models)])
        modelled = [name for name in self.modelled if name != self.person]
        # Worked out anew whenever models are replaced: another k asks for other people.
        object.__setattr__(self, "models", (*models, DistinctLDiversity(column=self.person, l=people)))
        object.__setattr__(self, "modelled", (*modelled, self.person))

    @cached_property
    def road(self) -> SearchLocation | None:
        """Where a search of the lattice is done, if the table is on a cluster."""
        return self.road_of(())

    def road_of(self, further: tuple[str, ...]) -> SearchLocation | None:
        """The same, where some more columns matter."""
        return choose_search_location(self.table, self._names(further), self.own_hierarchies)

    def _names(self, further: tuple[str, ...]) -> list[str]:
        return list(dict.fromkeys([*self.quasi_identifiers, *self.modelled, *further]))

    @cached_property
    def counts(self) -> Counts:
        """The distinct combinations of all columns that matter."""
        return self.count(())

    @property
    def known_counts(self) -> Counts | None:
        """The combinations, if somebody had them counted."""
        return self.__dict__.get("counts")

    def count(self, further: tuple[str, ...], *, places: bool = False) -> Counts:
        """The distinct combinations of all columns that matter and some more; with ``places`` those of every row."""
        counts = self.table.count_by(self._names(further), places=places, progress=self.progress)
        self.check_rows(counts.rows)
        if self.person is not None:
            place = counts.columns.index(self.person)
            check_people(counts.values[place], counts.rows_of(place), self.person, self.table.name)
        return counts

    def count_rows(self, further: tuple[str, ...] = ()) -> Counts:
        """As :meth:`count`, for techniques that give every row a class: rows need not be looked up again."""
        if further:
            return self.count(further, places=True)
        if "counts" not in self.__dict__:
            self.__dict__["counts"] = self.count((), places=True)
        return self.counts

    def _share_with(self, other: "RecodingTask", *names: str) -> None:
        """Hand over what was worked out already."""
        other.__dict__.update({name: self.__dict__[name] for name in names if name in self.__dict__})

    def varied(self, *, suppression: float, measure: str) -> "RecodingTask":
        """The same with another share of rows that may go, or another measure; nothing is counted again."""
        other = replace(self, suppression=suppression, measure=measure)
        self._share_with(other, "counts", "road", "named_hierarchies", "_found", "types", "population_counts")
        if "evaluator" in self.__dict__ and measure == self.measure:
            other.__dict__["evaluator"] = self.evaluator.with_limit(suppression)
        return other

    def asking(self, models: tuple[PrivacyModel, ...]) -> "RecodingTask":
        """The same with other models of the same columns; nothing is counted again."""
        other = replace(self, models=models)
        self._share_with(other, "counts", "road", "named_hierarchies", "_found", "types", "population_counts")
        if "evaluator" in self.__dict__:
            other.__dict__["evaluator"] = self.evaluator.with_models(other.models)
        return other

    def without(self, column: str) -> "RecodingTask":
        """The same as if a quasi-identifier were not to be known by others; nothing is counted again."""
        other = replace(
            self, quasi_identifiers=tuple(name for name in self.quasi_identifiers if name != column)
        )
        other.__dict__["counts"] = self.counts.without(column)
        self._share_with(other, "road", "named_hierarchies", "_found", "types")
        return other

    def part(self, combinations: npt.NDArray[np.int64]) -> "RecodingTask":
        """The same about some of the combinations only, with all values and hierarchies of the whole."""
        other = replace(self)
        other.__dict__["counts"] = self.counts.part(combinations)
        self._share_with(other, "road", "named_hierarchies", "_found", "types")
        return other

    @property
    def threshold(self) -> int:
        """The size that a class must have: smaller ones put people at risk."""
        return max([1, *(model.group_size for model in self.models)])

    def check_rows(self, rows: int) -> None:
        """Raise if there are too few rows for any release."""
        if rows == 0:
            raise ProjectError(
                say("the table has no rows"),
                where=self.table.name,
                remedy=say("give a table with people in it"),
            )
        for model in self.models:
            k = getattr(model, "k", 0) if model.group_size > 1 else 0
            if k > rows:
                raise ProjectError(
                    say("k = {k} is more than the {rows} rows of the table", k=k, rows=rows),
                    where=self.table.name,
                    remedy=say("ask for a smaller k"),
                )

    def refuse_keep_type(self, technique: str) -> None:
        """Raise if a column is to keep its type, or not, under a technique that cannot do that."""
        for name, keeps in self.keep_type.items():
            if keeps is not None:
                raise ProjectError(
                    say(
                        "{technique} shows labels of hierarchies, whether or not {column!r} is to keep its type",
                        technique=technique,
                        column=name,
                    ),
                    where="keep_type",
                    remedy=say("leave it out, or use technique mondrian"),
                )

    def refuse_levels(self, technique: str) -> None:
        """Raise if levels are bounded under a technique whose classes do not stand on levels."""
        for bound, named in (("finest", self.finest), ("coarsest", self.coarsest)):
            for column in named:
                raise ProjectError(
                    say(
                        "{technique} does not keep to levels of {column!r}",
                        technique=technique,
                        column=column,
                    ),
                    where=bound,
                    remedy=say("use technique full-domain or local, or leave it out"),
                )

    def refuse_models(self, technique: str) -> None:
        """Raise if a model is asked for that a technique cannot enforce: one that builds classes one by one."""
        for model in self.models:
            if model.needs_population:
                what = say(
                    "{model} looks at the people of the population who fit a class, and {technique} makes its classes "
                    "one by one",
                    model=model.name,
                    technique=technique,
                )
            elif model.needs_losses:
                what = say(
                    "{model} looks at what the labels of one level take away, and {technique} makes its classes one by "
                    "one",
                    model=model.name,
                    technique=technique,
                )
            elif model.of_whole:
                what = say(
                    "{model} is about all classes together, and {technique} makes its classes one by one",
                    model=model.name,
                    technique=technique,
                )
            else:
                continue
            raise ProjectError(
                what,
                where="models",
                remedy=say("use technique full-domain, or another model"),
            )

    @cached_property
    def population_counts(self) -> Counts | None:
        """The combinations of the population, where a model looks at it."""
        needing = [model.name for model in self.models if model.needs_population]
        if not needing:
            return None
        if self.population is None:
            raise ProjectError(
                say("{model} looks at the population, and none is named", model=needing[0]),
                where="models",
                remedy=say("name its table with --population (in a project: population of the table)"),
            )
        names = self.population.columns()
        for name in self.quasi_identifiers:
            if name not in names:
                raise TableError(
                    say("the population has no column {name!r}", name=name),
                    where=self.population.name,
                    remedy=nearest(name, tuple(names)),
                )
        return self.population.count_by(self.quasi_identifiers, progress=self.progress)

    def people(self, domain: Domain, hierarchies: Mapping[str, Hierarchy]) -> PopulationCounts | None:
        """The population in the classes of a domain, where a model looks at it."""
        counts = self.population_counts
        if counts is None:
            return None
        return PopulationCounts(counts, domain, hierarchies, missing=self.missing, unknown=self.unknown)

    def with_population(
        self, name: str, values: pl.Series, rows: npt.NDArray[np.int64]
    ) -> tuple[pl.Series, npt.NDArray[np.int64]]:
        """Texts of a column and their rows, with those that only the population has: a proposal is to cover them."""
        if self.population_counts is None:
            return values, rows
        others = self.population_counts.texts[self.quasi_identifiers.index(name)]
        new = others.filter(~others.is_in(values.implode(), nulls_equal=True))
        return pl.concat([values, new.rename(values.name)]), np.append(rows, np.zeros(len(new), np.int64))

    @cached_property
    def named_hierarchies(self) -> dict[str, tuple[Hierarchy, str]]:
        """Hierarchies that a person gave, with where they come from."""
        found: dict[str, tuple[Hierarchy, str]] = {
            name: (hierarchy, say("given")) for name, hierarchy in self.given.items()
        }
        for name, path in self.files.items():
            if name not in found:
                found[name] = read_hierarchy(Path(path), name), say("file: {path}", path=path)
        forms = forms_of(self.table)
        found = {
            name: (read_in_form(hierarchy, forms.get(name)), reason)
            for name, (hierarchy, reason) in found.items()
        }
        for name in self.quasi_identifiers:
            if name in found and name not in self.coarsest:
                _check_root(*found[name])
        return found

    @cached_property
    def _found(self) -> tuple[dict[str, Hierarchy], dict[str, str]]:
        """The hierarchy of every counted column: given, or proposed (quasi-identifiers only)."""
        found, reasons = {}, {}
        for name in self._names(()):
            if name in self.named_hierarchies:
                hierarchy, reasons[name] = self.named_hierarchies[name]
                found[name] = self._bounded(hierarchy)
            elif name in self.quasi_identifiers:
                values, rows = self.with_population(name, *self.marginal(name))
                present = values.is_not_null()
                proposal = propose(
                    name,
                    values.filter(present),
                    type=self.declared.get(name, ColumnType.TEXT),
                    counts=rows[present.to_numpy()],
                    language=self.language,
                )
                reasons[name] = say("proposed: {reason}", reason=proposal.reason)
                _check_root(proposal.hierarchy, reasons[name])
                found[name] = self._bounded(proposal.hierarchy)
        return found, reasons

    def _bounded(self, hierarchy: Hierarchy) -> Hierarchy:
        """A hierarchy up to the highest level that may be released; levels that it lacks are a mistake."""
        for bound, named in (("finest", self.finest), ("coarsest", self.coarsest)):
            level = named.get(hierarchy.column)
            if level is not None and level > hierarchy.height:
                raise ProjectError(
                    say(
                        "the hierarchy of {column!r} has levels 0 to {height}, not {level}",
                        column=hierarchy.column,
                        height=hierarchy.height,
                        level=level,
                    ),
                    where=bound,
                    remedy=say("name one of its levels; `celosia hierarchy` shows them"),
                )
        highest = self.coarsest.get(hierarchy.column)
        return hierarchy if highest is None else hierarchy.up_to(highest)

    def marginal(self, name: str) -> tuple[pl.Series, npt.NDArray[np.int64]]:
        """The distinct texts of a column, and how many rows have each."""
        if self.road is not None and self.road.is_large:
            alone = self.table.count_by((name,))
            return alone.texts[0], alone.rows_of(0)
        place = self.counts.columns.index(name)
        return self.counts.texts[place], self.counts.rows_of(place)

    @property
    def hierarchies(self) -> dict[str, Hierarchy]:
        """The hierarchy of every counted column, proposed for quasi-identifiers that have none."""
        return self._found[0]

    @property
    def reasons(self) -> dict[str, str]:
        """Where every hierarchy comes from."""
        return self._found[1]

    @cached_property
    def evaluator(self) -> Evaluator:
        """For searches of the lattice."""
        if self.road is not None and self.road.is_large:
            from celosia.recode.cluster_table import large_evaluator

            return large_evaluator(self, self.hierarchies, measures=[get_measure(self.measure)])
        domain = build_domain(
            self.counts,
            self.hierarchies,
            quasi_identifiers=self.quasi_identifiers,
            missing=self.missing,
            unknown=self.unknown,
            person=self.person,
        )
        return Evaluator(
            domain,
            self.models,
            measures=[get_measure(self.measure)],
            limit=self.suppression,
            weights=self.weights,
            sensitive_hierarchies=self.hierarchies,
            population=self.people(domain, self.hierarchies),
            floors=self.finest,
        )

    @cached_property
    def types(self) -> dict[str, ColumnType]:
        """Types of the columns: declared, or as the table has them."""
        return {column.name: column.type for column in self.table.schema()} | dict(self.declared)

    @property
    def own_hierarchies(self) -> dict[str, Hierarchy]:
        """Only those that a person gave: numbers and dates need none to be cut."""
        return {name: hierarchy for name, (hierarchy, _) in self.named_hierarchies.items()}

    def space(self, counts: Counts) -> Space:
        """For cuts: an axis per quasi-identifier."""
        return build_space(
            counts,
            quasi_identifiers=self.quasi_identifiers,
            types=self.types,
            hierarchies=self.own_hierarchies,
            missing=self.missing,
            unknown=self.unknown,
            where=self.table.name,
            person=self.person,
        )


def _check_root(hierarchy: Hierarchy, reason: str) -> None:
    """A quasi-identifier must have a level at which it tells nothing, or a table may have no valid node."""
    top = hierarchy.labels[-1]
    if len(top) > 1:
        raise HierarchyError(
            say(
                "the hierarchy of {column!r} ends in {count} labels, {one!r} and {other!r} among them",
                column=hierarchy.column,
                count=len(top),
                one=top[0],
                other=top[1],
            ),
            where=reason,
            remedy=say("add a last level that is the same for every value, such as '*'"),
        )
