"""A project being made: what profiles propose, what a person makes of it, and the document that it becomes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from celosia.mask.keys import DEFAULT, VARIABLE
from celosia.mask.parsing import parse_operations
from celosia.profile import ColumnProfile, Profile
from celosia.profile.treatments import DROP, Treatment
from celosia.project.project import VERSION
from celosia.project.registered import operation_documents
from celosia.say import join_texts
from celosia.types import ColumnType, Role, Schema

__all__ = ["LEAST_DIVERSITY", "ColumnDraft", "Draft", "TableDraft", "draft_table"]

USUAL_K = 5
USUAL_SUPPRESSION = 0.05
LEAST_DIVERSITY = 2
"""Values that every class shows of a sensitive column: as few as protect anybody, so that a release is found."""
PSEUDONYMIZE = "pseudonymize"
MOST_SEARCHED = 20
"""Quasi-identifiers up to which a release is searched for; more of them are cut by Mondrian."""


@dataclass
class ColumnDraft:
    """One column: what it is, the role it is to have and why, whether pseudonyms take the place of its values."""

    name: str
    type: ColumnType
    role: Role
    because: str = ""
    length: int | None = None
    distinct: int = 0
    is_unique: bool = False
    is_pseudonymized: bool = False
    hierarchy: str | None = None
    treatment: Treatment | None = None

    @property
    def is_left_out(self) -> bool:
        """Whether nothing milder treats it."""
        return self.treatment is not None and self.treatment.operation == DROP

    @property
    def becomes(self) -> str:
        """What a release has of it, in a word or two."""
        if self.role is Role.IDENTIFIER:
            return "pseudonyms" if self.is_pseudonymized else "removed"
        if self.role is Role.QUASI_IDENTIFIER:
            return "generalized"
        return "as it is" if self.treatment is None else self.treatment.described

    def document(self) -> dict[str, Any]:
        """The column as a project lists it."""
        document: dict[str, Any] = {} if self.type is ColumnType.OTHER else {"type": str(self.type)}
        if self.type is ColumnType.TEXT and self.length:
            document["length"] = self.length
        document["role"] = str(self.role)
        if self.role is Role.IDENTIFIER and self.is_pseudonymized:
            document["operation"] = PSEUDONYMIZE
        if self.role in (Role.SENSITIVE, Role.COMMON) and self.treatment is not None:
            document["operation"] = operation_documents(parse_operations(self.treatment.operation))
        if self.role is Role.QUASI_IDENTIFIER and self.hierarchy is not None:
            document["hierarchy"] = self.hierarchy
        return document


@dataclass
class TableDraft:
    """One table: ``source`` and ``destination`` are as documents write them, ``models`` those of sensitive columns."""

    source: Any
    destination: Any
    columns: dict[str, ColumnDraft]
    rows: int = 0
    person: str | None = None
    models: dict[str, dict[str, Any]] = field(default_factory=dict)

    def with_role(self, role: Role) -> list[str]:
        """The columns of a role."""
        return [name for name, column in self.columns.items() if column.role is role]

    def propose_models(self) -> dict[str, dict[str, object]]:
        """l-diversity for sensitive columns that can have it, by column."""
        return {
            name: {"model": "distinct-l-diversity", "column": name, "l": LEAST_DIVERSITY}
            for name in self.with_role(Role.SENSITIVE)
            if self.columns[name].distinct >= LEAST_DIVERSITY and not self.columns[name].is_left_out
        }


@dataclass
class Draft:
    """A project while it is made; ``repeated`` are groups of table and column that hold the same attribute."""

    tables: dict[str, TableDraft]
    name: str = ""
    owner: str = ""
    purpose: str = ""
    is_light: bool = False
    k: int = USUAL_K
    suppression: float = USUAL_SUPPRESSION
    repeated: list[tuple[tuple[str, str], ...]] = field(default_factory=list)
    connections: dict[str, str] = field(default_factory=dict)
    spark: dict[str, Any] = field(default_factory=dict)
    variable: str = VARIABLE
    language: str = "en"

    @property
    def complete(self) -> list[str]:
        """Tables that can have a privacy model: those with quasi-identifiers."""
        return [name for name, table in self.tables.items() if table.with_role(Role.QUASI_IDENTIFIER)]

    @property
    def needs_key(self) -> bool:
        """Whether pseudonyms are made."""
        return any(
            column.is_pseudonymized and column.role is Role.IDENTIFIER
            for table in self.tables.values()
            for column in table.columns.values()
        )

    def propose_k(self) -> int:
        """The usual k, or as many rows as there are."""
        return max(2, min([USUAL_K, *(self.tables[name].rows for name in self.complete)]))

    def places_of(self, table: str, column: str) -> tuple[tuple[str, str], ...]:
        """Everywhere that a column's attribute is, itself among them."""
        group = next((group for group in self.repeated if (table, column) in group), None)
        return ((table, column),) if group is None else group

    def assign(self, table: str, column: str, role: Role, *, is_pseudonymized: bool = False) -> None:
        """Give a column a role, and with it the same attribute in other tables."""
        for owner, name in self.places_of(table, column):
            changed = self.tables[owner].columns[name]
            changed.role, changed.is_pseudonymized = role, is_pseudonymized

    def retype(self, table: str, column: str, type: ColumnType) -> None:
        """Say what the values of a column are, and of the same attribute in other tables."""
        for owner, name in self.places_of(table, column):
            self.tables[owner].columns[name].type = type

    def repeat(self, places: Sequence[tuple[str, str]]) -> None:
        """Take columns for the same attribute: one that identifies people gets pseudonyms, so that joins still work."""
        columns = [self.tables[table].columns[name] for table, name in places]
        first = next((column for column in columns if column.role is Role.IDENTIFIER), columns[0])
        self.repeated.append(tuple(places))
        types = {column.type for column in columns}
        self.retype(*places[0], first.type if len(types) == 1 else ColumnType.TEXT)
        self.assign(*places[0], first.role, is_pseudonymized=first.role is Role.IDENTIFIER)
        # Tables that tell of the same people are counted by person as soon as one may have several rows.
        if first.role is Role.IDENTIFIER and not all(column.is_unique for column in columns):
            for table, name in places:
                self.tables[table].person = name

    def document(self) -> dict[str, Any]:
        """The project, as plain data."""
        said = {"name": self.name, "owner": self.owner, "purpose": self.purpose}
        document: dict[str, Any] = {"version": VERSION, **{key: text for key, text in said.items() if text}}
        light = self.is_light or not self.complete
        document |= {"kind": "light"} if light else self._promises()
        if self.language != "en":
            document["language"] = self.language
        if self.connections:
            document["connections"] = dict(self.connections)
        if self.spark:
            document["spark"] = dict(self.spark)
        if self.needs_key:
            document["keys"] = {DEFAULT: {"environment": self.variable}}
        document["tables"] = {name: self._table(name, light=light) for name in self.tables}
        if self.repeated:
            document["repeated_attributes"] = [
                [".".join(place) for place in group] for group in self.repeated
            ]
        return document

    def _promises(self) -> dict[str, object]:
        own = next(iter(self.tables.values())).models if len(self.tables) == 1 else {}
        promises: dict[str, object] = {"models": [self._k, *own.values()]}
        if len(self.tables) == 1 and self._has_very_many_quasi_identifiers:
            return promises | {"technique": "mondrian"}
        return promises | ({"suppression": self.suppression} if self.suppression else {})

    @property
    def _has_very_many_quasi_identifiers(self) -> bool:
        """Whether so many that a search of their generalizations takes long and leaves little."""
        (table,) = self.tables.values()
        return len(table.with_role(Role.QUASI_IDENTIFIER)) > MOST_SEARCHED

    @property
    def _k(self) -> dict[str, Any]:
        return {"model": "k-anonymity", "k": self.k}

    def _shared_person(self, name: str) -> str | None:
        """The column by which a table tells of the same people as others, some of which have no quasi-identifiers.

        None of these is light: joined to a complete one it would betray people who hide there. So all are counted by
        person, and those without quasi-identifiers keep the promises of the others.
        """
        complete = self.complete
        for group in self.repeated:
            column = dict(group).get(name)
            tables = [table for table, _ in group]
            is_mixed = any(table in complete for table in tables) and any(
                table not in complete for table in tables
            )
            if column is not None and is_mixed and self.tables[name].columns[column].role is Role.IDENTIFIER:
                return column
        return None

    def _table(self, name: str, *, light: bool) -> dict[str, Any]:
        table = self.tables[name]
        document: dict[str, Any] = {"source": table.source, "destination": table.destination}
        shared = None if light else self._shared_person(name)
        if not light and name not in self.complete and shared is None:
            document["kind"] = "light"
        elif not light and table.models and len(self.tables) > 1:
            document["models"] = [self._k, *table.models.values()]
        person = table.person or shared
        if person is not None:
            document["person"] = person
        document["unlisted"] = "drop"
        document["columns"] = {column.name: column.document() for column in table.columns.values()}
        return document


def draft_table(
    profile: Profile,
    schema: Schema,
    *,
    source: object,
    destination: object,
    treatments: Mapping[str, Treatment] | None = None,
) -> TableDraft:
    """A table as its profile proposes it, with ``treatments`` of columns whose values single people out.

    >>> import polars as pl
    >>> from celosia.profile import profile_table
    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"sex": ["f", "m"], "age": [31, 47]}))
    >>> draft = draft_table(profile_table(people), people.schema(), source="a.csv", destination="b.csv")
    >>> draft.columns["age"].document()
    {'type': 'integer', 'role': 'quasi-identifier'}
    """
    columns = {
        column.name: _draft_column(column, schema[column.name].length, (treatments or {}).get(column.name))
        for column in profile
    }
    person = None if profile.person is None else profile.person.column
    return TableDraft(
        source=source, destination=destination, columns=columns, rows=profile.rows, person=person
    )


def _draft_column(profile: ColumnProfile, length: int | None, treatment: Treatment | None) -> ColumnDraft:
    return ColumnDraft(
        name=profile.name,
        type=profile.type,
        role=profile.role,
        because=join_texts("; ", [reason.sentence for reason in profile.reasons]),
        length=length,
        distinct=profile.distinct,
        is_unique=profile.distinct == profile.rows - profile.missing,
        treatment=treatment,
    )
