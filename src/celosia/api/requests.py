"""What is asked of the functions behind the front ends: tables and how they are read, roles, goals, destinations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import MISSING_MARKERS, CallerFrame, Schema, TableLike, nearest

if TYPE_CHECKING:
    from celosia.hierarchies import Hierarchy
    from celosia.privacy import PrivacyModel

__all__ = [
    "ColumnRoles",
    "HierarchyLike",
    "OperationLike",
    "PopulationSource",
    "ReleaseGoals",
    "ReleaseRequest",
    "TableDestination",
    "TableSource",
    "TechniqueChoice",
    "names_of",
]

HierarchyLike: TypeAlias = "Hierarchy | str | Path | Iterable[Sequence[str]]"
"""A Hierarchy, the path of a file, or the rows of a level table (value first, root last)."""

OperationLike = str | Mapping[str, object] | Sequence[str | Mapping[str, object]]
"""An operation by its name, or with its parameters, or several in order."""


def names_of(names: str | Iterable[str]) -> tuple[str, ...]:
    """Names of columns and the like; a text alone is one name.

    >>> names_of("id"), names_of(["id", "name"])
    (('id',), ('id', 'name'))
    """
    return (names,) if isinstance(names, str) else tuple(names)


@dataclass(frozen=True)
class TableSource:
    """A table and how it is read.

    ``place`` is a file, the address of a database, a place on a cluster, a frame that the caller holds, or None where
    none was named, which whoever opens it says. ``tables`` and ``where`` choose rows of a database;
    ``missing`` are the texts that mean a missing value; ``types`` overrides inferred column types; the ``engine`` spark
    reads any path on a cluster, whose settings are ``spark``. Of a text file ``separator``, ``encoding``, ``header``,
    ``decimal``, ``thousands`` and ``date_format`` are found out where they are None.
    """

    place: TableLike | None
    tables: tuple[str, ...] = ()
    where: str | None = None
    separator: str | None = None
    encoding: str | None = None
    header: bool | None = None
    missing: tuple[str, ...] = MISSING_MARKERS
    decimal: str | None = None
    thousands: str | None = None
    date_format: str | None = None
    quote: str | None = None
    types: Mapping[str, str] | Schema = field(default_factory=dict)
    format: str | None = None
    engine: str | None = None
    spark: Mapping[str, str] | None = None

    @classmethod
    def of(cls, place: TableLike | None, **reading: Any) -> "TableSource":
        """The source that keyword arguments describe; ``table`` names one table or several.

        >>> TableSource.of("people.csv", missing="NA").missing
        ('NA',)
        >>> TableSource.of("people.csv", sepparator=";")
        Traceback (most recent call last):
        ...
        celosia.errors.ProjectError: there is no option 'sepparator'; did you mean 'separator'?
        """
        known = tuple("table" if field.name == "tables" else field.name for field in fields(cls)[1:])
        for name in reading:
            if name not in known:
                raise unknown_option(name, known)
        told = {name: value for name, value in reading.items() if value is not None}
        if "table" in told:
            told["tables"] = names_of(told.pop("table"))
        if "missing" in told:
            told["missing"] = names_of(told["missing"])
        return cls(place, **told)

    @property
    def path(self) -> str | None:
        """The place as a project names it; None for a frame that the caller holds."""
        return str(self.place) if isinstance(self.place, str | Path) else None

    @property
    def frame(self) -> CallerFrame | None:
        """What the caller holds; None for a place that a project can name."""
        return None if isinstance(self.place, str | Path) else self.place

    @property
    def type_names(self) -> dict[str, str]:
        """The types that are given, by column."""
        if isinstance(self.types, Schema):
            return {column.name: str(column.type) for column in self.types}
        return dict(self.types)


@dataclass(frozen=True)
class TableDestination:
    """Where a release goes: a file or a place on a cluster, or a ``table`` of the database at ``path``."""

    path: str | Path | None = None
    table: str | None = None
    format: str | None = None
    record: str | Path | None = None
    formulas: str | None = None
    """What becomes of texts that a spreadsheet would take for a formula: keep or escape."""


@dataclass(frozen=True)
class ColumnRoles:
    """The columns of every role; one without a role is common, unless it would tell people apart.

    ``accepted`` are columns that leave though they tell people apart, each with the reason, or with who accepts it,
    when and why; they are common unless they have another role.
    """

    quasi_identifiers: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    common: tuple[str, ...] = ()
    accepted: Mapping[str, str | Mapping[str, object]] = field(default_factory=dict)
    person: str | None = None
    """The column that tells people apart, where one may have several rows."""

    @property
    def with_hierarchies(self) -> tuple[str, ...]:
        """Columns that a hierarchy can be given for."""
        return (*self.quasi_identifiers, *self.sensitive)


@dataclass(frozen=True)
class PopulationSource:
    """The people of whom a table holds some: their table, a file or a frame, or the share of them that it holds."""

    source: TableLike | None = None
    fraction: float | None = None

    @property
    def path(self) -> str | None:
        """The place of their table as a project names it; None for a frame that the caller holds."""
        return str(self.source) if isinstance(self.source, str | Path) else None

    @property
    def frame(self) -> CallerFrame | None:
        """What the caller holds; None for a place that a project can name."""
        return None if isinstance(self.source, str | Path) else self.source


@dataclass(frozen=True)
class TechniqueChoice:
    """A technique by name, and those of its parameters that are not as by default."""

    name: str = "auto"
    parameters: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str | None, parameters: Mapping[str, object]) -> "TechniqueChoice":
        """The technique of a name or, where none is given, the one whose parameters these are.

        >>> TechniqueChoice.of(None, {"split": "median"}).name, TechniqueChoice.of(None, {}).name
        ('mondrian', 'auto')
        """
        return cls(name or _implied_technique(tuple(parameters)), parameters)


@dataclass(frozen=True)
class ReleaseGoals:
    """What may be given up for a release, and what is worth keeping; None leaves it as it is by default."""

    suppression: float | None = None
    measure: str | None = None
    missing: str | None = None
    unknown: str | None = None
    same_labels: bool | None = None
    keep_numbers: bool | None = None
    language: str | None = None
    seed: int | None = None
    evaluate: tuple[str, ...] | None = None

    @property
    def told(self) -> dict[str, object]:
        """The goals that are not left open, as a project calls them."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class ReleaseRequest:
    """A release of one table: what it holds, what is promised, by which technique, and where it goes."""

    source: TableSource
    roles: ColumnRoles = field(default_factory=ColumnRoles)
    models: tuple["PrivacyModel | Mapping[str, object]", ...] = ()
    hierarchies: Mapping[str, HierarchyLike] = field(default_factory=dict)
    weights: Mapping[str, float | str] = field(default_factory=dict)
    finest: Mapping[str, int] = field(default_factory=dict)
    coarsest: Mapping[str, int] = field(default_factory=dict)
    keep_type: Mapping[str, bool] = field(default_factory=dict)
    masks: Mapping[str, OperationLike] = field(default_factory=dict)
    population: PopulationSource = field(default_factory=PopulationSource)
    technique: TechniqueChoice = field(default_factory=TechniqueChoice)
    goals: ReleaseGoals = field(default_factory=ReleaseGoals)
    destination: TableDestination = field(default_factory=TableDestination)

    @classmethod
    def of(cls, source: TableLike | None, **options: object) -> "ReleaseRequest":
        """The request that keyword arguments describe.

        The columns: ``quasi_identifiers``, ``sensitive``, ``identifiers``, ``common``, each a name or several;
        ``accept``, the reason by column why it leaves though it tells people apart;
        ``person``, the column that tells people apart where one may have several rows;
        ``hierarchies`` by column; ``weights`` says how much a column counts, a number, ``"important"``
        or ``"may go"``; ``finest`` and ``coarsest`` the lowest and highest level of its hierarchy that may be released;
        ``keep_type`` names quasi-identifiers that
        keep their type in a local recoding, or says it of each; ``mask`` is what is done to columns, as in
        ``{"cost": "round:to=500"}`` or ``{"cost": {"name": "round", "to": 500}}``. The promises: ``k``, short for the
        model ``KAnonymity``; ``known``, how many quasi-identifiers others know at most, and ``attackers``, each as in
        ``"neighbour: age,sex,zip; k=5"`` or a mapping of who, knows and k; and ``models``;
        ``population``, a table of the people of whom this one holds some, and
        ``population_fraction``, the share of them. The technique: its name, ``technique``, and its parameters
        (full-domain: search, seconds, node; mondrian: split, represent, ...). The goals: ``suppression``, ``measure``,
        ``missing``, ``unknown``, ``same_labels``, ``keep_numbers``, ``language`` (of labels), ``seed``, ``evaluate``.
        Reading: ``table`` and ``where`` choose rows of a database; ``separator``, ``encoding``, ``header``, ``markers``
        (the texts that mean a missing value), ``decimal``, ``thousands``, ``date_format``, ``quote``, ``types``,
        ``format``; ``engine`` spark reads any path on a cluster, whose settings are ``spark``. Writing: ``out``,
        ``out_table``, ``out_format``, ``record``, ``formulas``.

        >>> request = ReleaseRequest.of("p.csv", quasi_identifiers="age", k=5, technique="mondrian", represent="mode")
        >>> request.roles.quasi_identifiers, dict(request.technique.parameters)
        (('age',), {'represent': 'mode'})
        >>> ReleaseRequest.of("people.csv", quasi_identifier="age")
        Traceback (most recent call last):
        ...
        celosia.errors.ProjectError: there is no option 'quasi_identifier'; did you mean 'quasi_identifiers'?
        """
        keywords = _KeywordOptions(options)
        k = keywords.take("k")
        known, attackers = keywords.take("known"), keywords.take("attackers") or ()
        models = keywords.take("models") or ()
        if k is not None:
            models = (_model_of_k(k, known), *models)
        elif known is not None:
            raise ProjectError(
                say("it limits what is known for a k, and none is given"),
                where="known",
                remedy=say("give k, too, or a model of its own"),
            )
        keep_type = keywords.take("keep_type") or ()
        request = cls(
            source=TableSource.of(source, **keywords.take_all(READING)),
            roles=ColumnRoles(
                **{name: names_of(said) for name, said in keywords.take_all(ROLES).items()},
                accepted=keywords.take("accept") or {},
                person=keywords.take("person"),
            ),
            models=(*models, *map(_attacker, [attackers] if isinstance(attackers, str) else attackers)),
            hierarchies=keywords.take("hierarchies") or {},
            weights=keywords.take("weights") or {},
            finest=keywords.take("finest") or {},
            coarsest=keywords.take("coarsest") or {},
            keep_type=dict(keep_type)
            if isinstance(keep_type, Mapping)
            else dict.fromkeys(names_of(keep_type), True),
            masks=keywords.take("mask") or {},
            population=PopulationSource(keywords.take("population"), keywords.take("population_fraction")),
            goals=ReleaseGoals(**keywords.take_all(GOALS)),
            destination=TableDestination(**keywords.take_all(WRITING)),
            technique=TechniqueChoice.of(keywords.take("technique"), keywords.rest()),
        )
        keywords.check_parameters(request.technique)
        return request


def _model_of_k(k: object, known: object) -> Mapping[str, object]:
    """k-anonymity, or k^m-anonymity where it is said how many columns others know at most."""
    if known is None:
        return {"model": "k-anonymity", "k": k}
    return {"model": "km-anonymity", "k": k, "known": known}


def _attacker(attacker: object) -> "PrivacyModel | Mapping[str, object]":
    """A text or a mapping as the promise that it asks for."""
    if isinstance(attacker, str):
        from celosia.privacy import parse_attacker

        return parse_attacker(attacker)
    return {"model": "attacker", **dict(cast(Mapping[str, object], attacker))}


READING = {
    "table": "table",
    "where": "where",
    "separator": "separator",
    "encoding": "encoding",
    "header": "header",
    "markers": "missing",
    "decimal": "decimal",
    "thousands": "thousands",
    "date_format": "date_format",
    "quote": "quote",
    "types": "types",
    "format": "format",
    "engine": "engine",
    "spark": "spark",
}
ROLES = {field.name: field.name for field in fields(ColumnRoles) if field.name not in ("accepted", "person")}
GOALS = {field.name: field.name for field in fields(ReleaseGoals)}
WRITING = {
    "out": "path",
    "out_table": "table",
    "out_format": "format",
    "record": "record",
    "formulas": "formulas",
}
OTHERS = (
    "accept",
    "person",
    "k",
    "known",
    "attackers",
    "models",
    "hierarchies",
    "weights",
    "finest",
    "coarsest",
    "keep_type",
    "mask",
    "population",
    "population_fraction",
    "technique",
)


def _implied_technique(parameters: tuple[str, ...]) -> str:
    """The technique that parameters are of, where none is named: the one that chooses by itself has none."""
    if not parameters:
        return "auto"
    from celosia.recode.techniques import TECHNIQUES

    usual = ("full-domain", "mondrian", "top-down", "two-phase")
    owners = [name for name in usual if set(parameters) <= set(TECHNIQUES[name].model_fields)]
    return owners[0] if owners else "full-domain"


class _KeywordOptions:
    """Keyword arguments, of which every part of a request takes its own; what is left are parameters of a technique."""

    def __init__(self, options: Mapping[str, object]) -> None:
        self._left: dict[str, object] = dict(options)  # whoever takes one checks it

    def take(self, name: str) -> Any:
        return self._left.pop(name, None)

    def take_all(self, names: Mapping[str, str]) -> dict[str, Any]:
        taken = {name: self._left.pop(name) for name in list(self._left) if name in names}
        return {names[name]: value for name, value in taken.items() if value is not None}

    def rest(self) -> dict[str, Any]:
        return self._left

    def check_parameters(self, technique: TechniqueChoice) -> None:
        """Raise if something is neither an option nor a parameter of any technique."""
        if not technique.parameters:
            return
        from celosia.recode.techniques import TECHNIQUES

        parameters = {name for known in TECHNIQUES.values() for name in known.model_fields}
        for name in technique.parameters:
            if name not in parameters:
                own = TECHNIQUES[technique.name].model_fields if technique.name in TECHNIQUES else ()
                raise unknown_option(name, (*ROLES, *READING, *GOALS, *WRITING, *OTHERS, *own))


def unknown_option(name: str, known: Iterable[str]) -> ProjectError:
    """The error of a keyword argument that there is not."""
    remedy = nearest(name, tuple(known), say("the options"))
    return ProjectError(say("there is no option {name!r}", name=name), remedy=remedy)
