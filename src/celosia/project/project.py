"""The project: one document that says what is released, how, and under which promises.

The command line and the Python functions build it or read it, a run carries it out, and its record keeps it beside the
release.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field, model_validator

from celosia.errors import ProjectError
from celosia.mask.keys import KeySource
from celosia.privacy import PrivacyModel
from celosia.project.mistakes import with_location
from celosia.project.parts import (
    Acceptance,
    Address,
    AttackerPlan,
    ColumnPlan,
    ComparePlan,
    Destination,
    HierarchyLike,
    LedgerPlan,
    PopulationPlan,
    ProcessingPlan,
    ProjectPart,
    ReleaseKind,
    Source,
    Spark,
    StudyPlan,
    Unlisted,
)
from celosia.project.registered import DeclaredTechnique, Model, RowOperations
from celosia.project.repeated import split_place, spread
from celosia.recode.domain import MissingPolicy, UnknownPolicy
from celosia.recode.techniques import make_technique
from celosia.say import say
from celosia.types import Role, nearest

__all__ = ["EVALUATIONS", "VERSION", "Goals", "Project", "TablePlan", "assign_roles"]

VERSION: Literal[2] = 2
Evaluation = Literal["risk", "measures", "distributions"]
EVALUATIONS: tuple[Evaluation, ...] = ("risk", "measures", "distributions")


class Goals(ProjectPart):
    """What is asked of a release: said once for all tables, or differently for one of them."""

    kind: ReleaseKind = ReleaseKind.COMPLETE
    """Complete: privacy models hold. Light: operations on columns only, nothing is promised about people."""
    models: tuple[Model, ...] = ()
    """Privacy models that the release must satisfy, all of them."""
    technique: DeclaredTechnique = Field(default_factory=lambda: make_technique("auto"))
    """How the quasi-identifiers are recoded; a list is a chain, each step working on what the one before leaves."""
    suppression: float = Field(default=0.0, ge=0, le=1)
    """The share of rows that may be left out."""
    measure: str = "loss"
    """The utility measure that is made as good as can be."""
    missing: MissingPolicy = MissingPolicy.CATEGORY
    """What a missing value of a quasi-identifier is."""
    unknown: UnknownPolicy = UnknownPolicy.ERROR
    """What becomes of values that a hierarchy does not know."""
    same_labels: bool = False
    """Whether a value has to become the same label in the whole table: then no local technique may be taken."""
    keep_numbers: bool = False
    """Whether quasi-identifiers that are numbers have to stay numbers."""
    language: Literal["en", "es"] = "en"
    """The language of labels of hierarchies that are proposed, such as those of countries."""
    seed: int | None = Field(default=None, ge=0)
    """Makes a run repeatable; whoever knows it can undo the random order of rows."""
    evaluate: tuple[Evaluation, ...] = EVALUATIONS
    """What the evidence holds besides the verification."""


class TablePlan(Goals):
    """One table: where it is, what its columns are, where its release goes."""

    source: Source = Source()
    """Where the table is; a text alone is its path."""
    destination: Destination = Destination()
    """Where its release goes; a text alone is its path."""
    person: str | None = None
    """The column that tells people apart, where one person may have several rows."""
    person_rows: Literal["set", "counted"] = "set"
    """What of her rows may be known: which combinations occur in them, or also how often each does."""
    order: Literal["random", "kept"] = "random"
    """The order of rows in a light release; one that is kept tells whose they are to whoever knows the source."""
    unlisted: Unlisted = Unlisted.COMMON
    """Columns that are not listed: released as common ones, dropped, or a reason to stop."""
    rows: RowOperations = ()
    """Operations that leave out rows."""
    columns: dict[str, ColumnPlan] = Field(default_factory=dict)
    """What each column is and what is done to it; a text alone is its role."""
    population: PopulationPlan = PopulationPlan()
    """The people of whom the table holds some; a number alone is the fraction, a text the path of their table."""
    attacker: AttackerPlan = AttackerPlan()
    """What somebody who attacks the release is assumed to know."""
    control: Source | None = None
    """People like those of the table, but not in it: what is learnt about them too is not the release's fault."""
    targets: tuple[str, ...] = ()
    """Columns that somebody wants to predict from the release."""
    key: str | None = None
    """A column of the table and its release by which rows are known to be the same people's."""

    def with_role(self, role: Role) -> tuple[str, ...]:
        """Columns that have a role and leave, in the order declared; identifiers that do not leave."""
        wanted = role is Role.IDENTIFIER
        return tuple(
            name for name, plan in self.columns.items() if plan.role is role and plan.is_dropped is wanted
        )

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """Columns that are generalized."""
        return self.with_role(Role.QUASI_IDENTIFIER)

    @property
    def dropped(self) -> tuple[str, ...]:
        """Columns that do not leave."""
        return tuple(name for name, plan in self.columns.items() if plan.is_dropped)

    @property
    def accepted(self) -> dict[str, Acceptance]:
        """Columns for which a person answers."""
        return {name: plan.accepted for name, plan in self.columns.items() if plan.accepted is not None}

    @property
    def places(self) -> tuple[Source | Destination, ...]:
        """Everywhere that something is read from or written to."""
        others = (self.control, self.population.source, self.attacker.source)
        return (self.source, self.destination, *(place for place in others if place is not None))

    @property
    def weights(self) -> dict[str, float]:
        """Weights of the quasi-identifiers."""
        return {name: self.columns[name].weight for name in self.quasi_identifiers}

    @property
    def modelled(self) -> tuple[str, ...]:
        """Sensitive columns that a privacy model looks at, each once."""
        return tuple(dict.fromkeys(model.column for model in self.models if model.column is not None))


class Project(Goals):
    """Everything a run needs to know.

    >>> project = Project(
    ...     tables={"people": {"source": "people.csv", "columns": {"age": "quasi-identifier"}}},
    ...     models=[{"model": "k-anonymity", "k": 5}],
    ... )
    >>> plan = project.plan("people")
    >>> plan.quasi_identifiers, plan.models[0].describe()
    (('age',), 'each person hides among at least 5 rows')
    """

    version: Literal[2] = VERSION
    """Of the project language."""
    name: str = ""
    """What the project is called."""
    owner: str = ""
    """Who answers for the table."""
    purpose: str = ""
    """What the release is for."""
    connections: dict[str, Address] = Field(default_factory=dict)
    """Addresses of databases by name, without passwords: those come from the environment or a keyring."""
    spark: Spark = Spark()
    """The cluster on which tables are that Spark reads."""
    keys: dict[str, KeySource] = Field(default_factory=dict)
    """Where keys of operations come from, by name; never the keys themselves."""
    hierarchies: dict[str, HierarchyLike] = Field(default_factory=dict)
    """Hierarchies by name, for columns of any table."""
    columns: dict[str, ColumnPlan] = Field(default_factory=dict)
    """What a column of this name is, in every table that has one and says nothing else."""
    tables: dict[str, TablePlan] = Field(default_factory=dict)
    """The tables to release, by name."""
    ledger: LedgerPlan = LedgerPlan()
    """Where releases are recorded and checked against each other; a text alone is the file."""
    processing: ProcessingPlan = ProcessingPlan()
    """What a record of processing says that no table knows."""
    study: StudyPlan = StudyPlan()
    """What `celosia study` tries."""
    compare: ComparePlan = ComparePlan()
    """What `celosia compare` tries."""
    repeated_attributes: tuple[tuple[str, ...], ...] = ()
    """Groups of ``table.column`` that hold the same attribute and are treated alike, so that joins still work."""

    @model_validator(mode="after")
    @with_location
    def _is_whole(self) -> "Project":
        for name, table in self.tables.items():
            for place in table.places:
                if place.connection is not None and place.connection not in self.connections:
                    raise ValueError(
                        say(
                            "table {name!r} goes by connection {connection!r}, which is not under connections",
                            name=name,
                            connection=place.connection,
                        )
                    )
        spread(self.tables, self.repeated_attributes, self.columns)
        return self

    def plan(self, name: str | None = None) -> TablePlan:
        """A table with all that is said of it anywhere in the project; the only one unless named."""
        if name is None:
            name = self._only
        if name not in self.tables:
            remedy = nearest(name, tuple(self.tables), say("the tables"))
            raise ProjectError(say("there is no table {name!r}", name=name), where="tables", remedy=remedy)
        table = self.tables[name]
        said = table.model_fields_set
        goals = {goal: getattr(self, goal) for goal in Goals.model_fields if goal not in said}
        if "models" in goals:
            goals["models"] = tuple(model for model in self.models if self._concerns(model, name))
        columns = spread(self.tables, self.repeated_attributes, self.columns)[name]
        models = goals.get("models", table.models)
        fraction, people = table.population.fraction, table.population.source
        population = {} if people is None else {"source": self._connected(people)}
        return table.model_copy(
            update={
                **goals,
                "models": tuple(model.settled(fraction) for model in models),
                "population": table.population.model_copy(update=population),
                "columns": {column: self._settled(plan) for column, plan in columns.items()},
                "source": self._connected(table.source),
                "destination": self._connected(table.destination),
                "control": self._connected(table.control),
                **{part: self._with_source(getattr(table, part)) for part in ("population", "attacker")},
            }
        )

    def _concerns(self, model: PrivacyModel, name: str) -> bool:
        """Whether a model that is asked of all tables is about this one: another may have its column."""
        others = [table.columns for other, table in self.tables.items() if other != name]
        has_it = model.column is None or model.column in self.tables[name].columns
        return has_it or not any(model.column in columns for columns in others)

    def asked_of(self, plan: TablePlan, names: Sequence[str], name: str | None = None) -> TablePlan:
        """A plan without the models of all tables about a column that others have: one declared once for all."""
        table = self.tables[self._only if name is None else name]
        if len(self.tables) == 1 or "models" in table.model_fields_set:
            return plan
        models = [
            model
            for model in plan.models
            if model.column in (None, *names) or model.column not in self.columns
        ]
        return plan.model_copy(update={"models": tuple(models)})

    @property
    def _only(self) -> str:
        if len(self.tables) != 1:
            raise ProjectError(
                say("the project has {count} tables", count=len(self.tables)),
                where="tables",
                remedy=say("say which one is meant"),
            )
        return next(iter(self.tables))

    def _settled(self, plan: ColumnPlan) -> ColumnPlan:
        """A column with the hierarchy that it names."""
        if isinstance(plan.hierarchy, str) and plan.hierarchy in self.hierarchies:
            return plan.model_copy(update={"hierarchy": self.hierarchies[plan.hierarchy]})
        return plan

    def _with_source(self, part: Any) -> Any:
        """A part whose own source goes by a connection of the project."""
        return part.model_copy(update={"source": self._connected(part.source)})

    def _connected(self, place: Any) -> Any:
        if place is None or place.connection is None:
            return place
        return place.model_copy(update={"path": self.connections[place.connection], "connection": None})

    def shared(self, names: Sequence[str], plan: TablePlan) -> dict[str, ColumnPlan]:
        """What the project says of columns in every table, for those that the table has and does not list itself."""
        return {
            name: self._settled(column)
            for name, column in self.columns.items()
            if name in names and name not in plan.columns
        }

    def repeated(self, table: str) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """For columns of a table, the places elsewhere that hold the same attribute."""
        groups = [
            tuple(split_place(place, self.tables) for place in group) for group in self.repeated_attributes
        ]
        return {
            column: tuple(other for other in group if other != (table, column))
            for group in groups
            for owner, column in group
            if owner == table
        }


def assign_roles(
    *,
    identifiers: Sequence[str] = (),
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    common: Sequence[str] = (),
) -> dict[str, Role]:
    """Roles by column; a column named twice is a mistake.

    >>> assign_roles(quasi_identifiers=["age"], sensitive=["disease"])["age"].value
    'quasi-identifier'
    """
    roles: dict[str, Role] = {}
    for names, role in (
        (identifiers, Role.IDENTIFIER),
        (quasi_identifiers, Role.QUASI_IDENTIFIER),
        (sensitive, Role.SENSITIVE),
        (common, Role.COMMON),
    ):
        for name in [names] if isinstance(names, str) else names:
            if name in roles:
                raise ProjectError(
                    say("column {name!r} is declared {role} twice", name=name, role=role)
                    if roles[name] is role
                    else say(
                        "column {name!r} is declared {one} and {other}",
                        name=name,
                        one=roles[name],
                        other=role,
                    ),
                    where="roles",
                    remedy=say("give every column one role"),
                )
            roles[name] = role
    return roles
