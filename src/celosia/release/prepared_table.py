"""One table on its way through a run: opened, checked against the project, seen through its operations."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from celosia.errors import HierarchyError, ProjectError, ReleaseError
from celosia.hierarchies import Hierarchy, is_rule, read_hierarchy, taxonomy
from celosia.mask import ColumnOperation, Masking
from celosia.measure.utility import get_measure
from celosia.privacy import PrivacyModel
from celosia.profile.undeclared import find_undeclared
from celosia.project import HierarchyLike, Project, ReleaseKind, SchemaChange, TablePlan
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.auto import Auto
from celosia.release.class_means import check_class_means
from celosia.release.group_checks import check_known
from celosia.release.identifiers import check_identifiers
from celosia.release.undeclared import smallest_group, undeclared_error
from celosia.say import say
from celosia.tables.location import has_order, is_in_database, is_on_cluster
from celosia.tables.place import is_store
from celosia.tables.reading_told import check_doubts
from celosia.tables.table import Progress, Table, no_progress
from celosia.types import NUMBERS, Role

__all__ = [
    "Ask",
    "PreparedTable",
    "as_hierarchy",
    "check_plan",
    "folder_of",
    "is_about_rows",
    "no_quasi_identifiers",
    "no_row_left",
]

Ask = Callable[[str], str]
"""Asks a person for a password."""


@dataclass(frozen=True)
class PreparedTable:
    """One table of a project: ``source`` as it is, ``table`` as its operations leave it.

    ``plan`` is what the project says of it, ``changes`` what has changed since that was written, ``weaknesses`` are
    operations that protect less than one might think, ``masking`` is None where there are no operations.
    """

    name: str
    project: Project
    plan: TablePlan
    source: Table
    table: Table
    masking: Masking | None
    changes: tuple[SchemaChange, ...]
    weaknesses: tuple[str, ...]
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    population: Table | None = None
    progress: Progress = no_progress

    @property
    def is_light(self) -> bool:
        """Whether nothing but operations is asked for."""
        return self.plan.kind is ReleaseKind.LIGHT

    @property
    def chains(self) -> dict[str, tuple[ColumnOperation, ...]]:
        """The operations of columns that leave."""
        return {
            name: column.operation
            for name, column in self.plan.columns.items()
            if column.is_masked and not column.is_dropped
        }

    @property
    def dropped(self) -> tuple[str, ...]:
        """Columns that do not leave."""
        return self.plan.dropped

    @property
    def folder(self) -> Path | None:
        """Where rows may be kept for a while: beside the file they go to, or where the system keeps such things."""
        return folder_of(self.plan, self.source)

    @cached_property
    def task(self) -> RecodingTask:
        """What a technique is given."""
        plan = self.plan
        check_plan(plan)
        files = {
            name: column.hierarchy
            for name, column in plan.columns.items()
            if isinstance(column.hierarchy, str)
        }
        written = {
            name: as_hierarchy(column.hierarchy, name)
            for name, column in plan.columns.items()
            if column.hierarchy is not None and not isinstance(column.hierarchy, str)
        }
        return RecodingTask(
            table=self.table,
            quasi_identifiers=plan.quasi_identifiers,
            models=plan.models,
            modelled=plan.modelled,
            sensitive=plan.with_role(Role.SENSITIVE),
            dropped=tuple(name for name in self.dropped if name in self.table.columns()),
            suppression=plan.suppression,
            measure=plan.measure,
            weights=plan.weights,
            keep_type=self._keep_type(),
            finest=_levels(plan, "finest"),
            coarsest=_levels(plan, "coarsest"),
            same_labels=plan.same_labels,
            missing=plan.missing,
            unknown=plan.unknown,
            given={**written, **self.hierarchies},
            files=files,
            declared={
                name: column.type
                for name, column in plan.columns.items()
                if column.type is not None and not column.is_masked
            },
            language=plan.language,
            seed=plan.seed,
            folder=self.folder,
            population=self.population,
            person=self.counted_person,
            progress=self.progress,
        )

    def _keep_type(self) -> dict[str, bool | None]:
        """What every column is to keep of its type; all numbers, where they have to stay numbers."""
        said = {name: column.keep_type for name, column in self.plan.columns.items()}
        if self.plan.keep_numbers:
            types = {column.name: column.type for column in self.table.schema()}
            for name in self.plan.quasi_identifiers:
                is_number = (self.plan.columns[name].type or types[name]) in NUMBERS
                said[name] = True if said[name] is None and is_number else said[name]
        return said

    @property
    def counted_person(self) -> str | None:
        """The column by which people are counted in every class; None where they are compared, or rows are counted."""
        technique = self.plan.technique
        must = self._is_linked or self.plan.person_rows == "counted" or self._has_models_of_rows
        compares = technique.compares_linked_people if must else technique.compares_people
        return None if self.is_light or compares else self.plan.person

    @property
    def _has_models_of_rows(self) -> bool:
        """Whether a model is about rows, so that people cannot be counted in its classes."""
        return any(is_about_rows(model) for model in self.plan.models)

    @property
    def _is_linked(self) -> bool:
        """Whether another table of the project tells of the same people."""
        places = self.project.repeated(self.name).get(self.plan.person or "", ())
        return any(table != self.name for table, _ in places)

    @property
    def checks(self) -> tuple[Callable[[], None], ...]:
        """Functions that raise if something is missing that was to be declared, before anything is counted."""
        return (
            self._check_promises,
            self._check_identifiers,
            self._check_order,
            self._check_counting,
            self._check_class_means,
            self._check_repeatable,
            self._check_technique,
            self._check_reading,
        )

    def _check_reading(self) -> None:
        """Raise if what matters to the promise, or is operated on, may be read in two ways."""
        promised = () if self.is_light else (*self.plan.quasi_identifiers, *self.plan.modelled)
        where = {name: f"columns.{name}" for name in (*promised, *self.chains)}
        if where:
            check_doubts(self.source, where)

    def _check_technique(self) -> None:
        technique = self.plan.technique
        if self.plan.same_labels and not (technique.is_global or isinstance(technique, Auto)):
            raise ProjectError(
                say(
                    "labels have to be the same in the whole table, and by {technique} they are not",
                    technique=technique.name,
                ),
                where="same_labels",
                remedy=say("leave it out, or use technique full-domain"),
            )
        is_compared = self.plan.person is not None and self.counted_person is None
        if not self.is_light and not is_compared:  # people who are compared have checks of their own
            self.plan.technique.check(self.task)

    def _check_repeatable(self) -> None:
        """Raise if something is promised of a column whose values are others each time the rows are read."""
        for name in (
            () if self.is_light else dict.fromkeys([*self.plan.quasi_identifiers, *self.plan.modelled])
        ):
            for operation in self.plan.columns[name].operation if name in self.plan.columns else ():
                if not operation.is_repeatable:
                    raise ProjectError(
                        say(
                            "after {operation} the values of {column!r} are others each time they are read, and "
                            "nothing can be promised of them",
                            operation=operation.name,
                            column=name,
                        ),
                        where=f"tables.{self.name}.columns.{name}.operation",
                        remedy=say("encrypt it with mode siv, or give the column another role"),
                    )

    def _check_promises(self) -> None:
        if self.is_light:
            return
        check_plan(self.plan)
        get_measure(self.plan.measure)
        if self.plan.order == "kept":
            raise ProjectError(
                say("rows that keep their order tell whose they are"),
                where=f"tables.{self.name}.order",
                remedy=say("leave it out; only a light release may keep it"),
            )

    def _check_identifiers(self) -> None:
        check_identifiers(self.plan, self.name)

    def _check_class_means(self) -> None:
        check_class_means(self)

    def _check_counting(self) -> None:
        """Raise if an operation reads a column first that lies on a cluster."""
        for name, chain in self.chains.items() if is_on_cluster(self.source) else ():
            for operation in chain:
                if operation.counts_column:
                    raise ProjectError(
                        say(
                            "{operation} counts column {column!r} first, which the machines of a cluster cannot",
                            operation=operation.name,
                            column=name,
                        ),
                        where=f"tables.{self.name}.columns.{name}",
                        remedy=say(
                            "name the values that become one: substitute, with pairs and others: keep"
                        ),
                    )

    def _check_order(self) -> None:
        """Raise if rows that are read twice have to come in one order: a database promises none.

        Nor does a cluster, but there what was shuffled is kept until the release is written.
        """
        if has_order(self.source):
            return
        shuffled = [
            name
            for name, chain in self.chains.items()
            if any(operation.goes_by_order for operation in chain) and is_in_database(self.source)
        ]
        if any(operation.goes_by_order for operation in self.plan.rows) and (shuffled or not self.is_light):
            raise ProjectError(
                say(
                    "a database hands over its rows in any order, so that a sample by their numbers is "
                    "another each time they are read"
                )
                if is_in_database(self.source)
                else say(
                    "a cluster hands over its rows in any order, so that a sample by their numbers is "
                    "another each time they are read"
                ),
                where=f"tables.{self.name}.rows",
                remedy=say("name the column by whose values they are drawn, as in by: id"),
            )
        promised = {*self.plan.quasi_identifiers, *self.plan.modelled}
        for name in shuffled if not self.is_light else ():
            if name in promised:
                raise ProjectError(
                    say(
                        "a database hands over its rows in any order, so that {column!r} is shuffled in another "
                        "way each time they are read, and nothing can be promised of it",
                        column=name,
                    ),
                    where=f"tables.{self.name}.columns.{name}",
                    remedy=say("leave the operation out, or export the table to a file first"),
                )

    def undeclared(self) -> Iterator[ProjectError]:
        """Nothing leaves by accident: columns that tell people apart leave only if a person answers for them."""
        known = {
            name
            for name, column in self.plan.columns.items()
            if column.role or column.operation or column.accepted
        }
        names = [name for name in self.table.columns() if name not in known]
        columns = find_undeclared(self.table, names, k=smallest_group(self.plan.models))
        if columns:
            yield undeclared_error(columns, location=self.table.name)


def _levels(plan: TablePlan, bound: str) -> dict[str, int]:
    """The levels by which quasi-identifiers are bound."""
    named = {name: getattr(plan.columns[name], bound) for name in plan.quasi_identifiers}
    return {name: level for name, level in named.items() if level is not None}


def folder_of(plan: TablePlan, source: Table) -> Path | None:
    """Where rows of a table may be kept for a while."""
    if plan.destination.table is not None:
        return Path(tempfile.gettempdir())
    path = plan.destination.path
    if is_store(path):
        return Path(tempfile.gettempdir())
    if is_on_cluster(source):  # asked of the table: of a frame that is handed over the plan knows nothing
        return Path(tempfile.gettempdir())  # for a sample by which cuts are found
    return None if path is None else Path(path).absolute().parent


def is_about_rows(model: PrivacyModel) -> bool:
    """Whether a model looks at more than the classes: people cannot be counted for it."""
    return model.needs_population or model.needs_losses or model.of_whole or model.needs_labels


def as_hierarchy(spec: HierarchyLike | None, column: str) -> Hierarchy:
    """A hierarchy from what a document may say: a file, rows, a tree of value and children, or groups of groups.

    >>> as_hierarchy({"North": ["Lugo", "Vigo"], "South": ["Cádiz"]}, "town").height
    2
    """
    if isinstance(spec, str):
        return read_hierarchy(Path(spec), column)
    if is_rule(spec):
        raise HierarchyError(
            say("a rule needs the values of a column"),
            where=say("hierarchy of {column!r}", column=column),
            remedy=say("name a file, or write its rows or groups"),
        )
    if isinstance(spec, Mapping):
        if "value" in spec and set(spec) <= {"value", "children"}:
            return Hierarchy.from_tree(column, spec)
        return taxonomy(column, spec)
    return Hierarchy.from_rows(column, [tuple(map(str, row)) for row in spec or ()])


def no_row_left(table: str) -> ReleaseError:
    """What to say where a release would hold nobody."""
    return ReleaseError(
        say("no row is left to release"),
        where=say("table {table}", table=table),
        remedy=say(
            "nothing was written; look at the rows of the table, and at the operations that drop some"
        ),
    )


def no_quasi_identifiers() -> ProjectError:
    """What to say where nothing could be generalized."""
    return ProjectError(
        say("no quasi-identifier is declared"),
        where="roles",
        remedy=say(
            "name the columns that others may know about a person (--qi); `celosia profile` proposes some"
        ),
    )


def check_plan(plan: TablePlan) -> None:
    """Raise if promises are missing, or are about columns that are not what they would have to be.

    >>> check_plan(TablePlan(columns={"age": "quasi-identifier"}))
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: models: no privacy model is asked for; ask for k-anonymity with -k 5, for example
    """
    # Where people are told apart, those of another table may do: what is released of the same people is joined.
    if not plan.quasi_identifiers and plan.person is None:
        raise no_quasi_identifiers()
    if not plan.models:
        raise ProjectError(
            say("no privacy model is asked for"),
            where="models",
            remedy=say("ask for k-anonymity with -k 5, for example"),
        )
    for model in plan.models:
        if model.column is not None and model.column not in plan.with_role(Role.SENSITIVE):
            raise ProjectError(
                say(
                    "{model} is asked of {column!r}, which is not a sensitive column",
                    model=model.name,
                    column=model.column,
                ),
                where="models",
                remedy=say("declare it with --sensitive {column}", column=model.column),
            )
    check_known(plan.models, plan.quasi_identifiers)
