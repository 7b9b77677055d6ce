"""Project documents: read, written, compared, converted, and carried out on other tables than they name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from celosia.api.masking import DEFAULT_KEY
from celosia.api.opening import PlaceKind, place_kind, server_of
from celosia.api.requests import ColumnRoles
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import ConvertedProject, KeySource, Project, Source
    from celosia.errors import CelosiaError
    from celosia.project import ComparePlan, StudyPlan
    from celosia.project.diff import Change
    from celosia.types import Role

    Plan = TypeVar("Plan", ComparePlan, StudyPlan)

__all__ = [
    "ComparisonChanges",
    "LedgerChanges",
    "StudyChanges",
    "assign_roles",
    "compared_models",
    "complete_goals",
    "convert_file",
    "describe_changes",
    "document_version",
    "find_mistakes",
    "is_path_field",
    "json_schema",
    "load_project",
    "make_project",
    "parse_project",
    "read_settings",
    "save_project",
    "to_yaml",
    "with_comparison",
    "with_goals",
    "with_key",
    "with_ledger",
    "with_other_sources",
    "with_study",
    "with_target",
]


def load_project(path: str | Path) -> "Project":
    """The project of a document, or of the record of a release."""
    from celosia import project

    return project.load_project(path)


def parse_project(text: str, location: str) -> "Project":
    """The project that a text says; ``location``, where it comes from, is named in what is wrong with it."""
    from celosia.project import load

    return load.parse_project(text, location)


def make_project(**told: object) -> "Project":
    """The project of these fields.

    >>> make_project(kind="light").kind.value
    'light'
    """
    from celosia import project

    return project.make_project(**told)


def save_project(project: "Project", path: Path) -> None:
    """Write a project down as a document."""
    from celosia import project as language

    language.save_project(project, path)


def to_yaml(document: Mapping[str, object], *, schema: str | None = None) -> str:
    """A document as YAML; ``schema`` is where editors find the schema of projects."""
    from celosia.project import writing

    return writing.to_yaml(document) if schema is None else writing.to_yaml(document, schema=schema)


def find_mistakes(path: Path) -> "Sequence[CelosiaError]":
    """Everything that is wrong with the document of a project by itself."""
    from celosia.project import load

    return load.find_mistakes(path)


def json_schema() -> dict[str, object]:
    """The JSON Schema of projects."""
    from celosia import project

    return project.json_schema()


def document_version() -> int:
    """The version of the project language.

    >>> document_version()
    2
    """
    from celosia.project.project import VERSION

    return VERSION


def is_path_field(path: tuple[str | int, ...], value: str) -> bool:
    """Whether a field of a document names a file."""
    from celosia.project import load

    return load.is_path_field(path, value)


def compared_models() -> tuple[str, ...]:
    """The models that learn in a comparison unless others are named."""
    from celosia.project import COMPARED_MODELS

    return tuple(COMPARED_MODELS)


def complete_goals() -> tuple[str, ...]:
    """The goals of a project that a light release takes no heed of.

    >>> "models" in complete_goals()
    True
    """
    from celosia.release.linked_tables import GOALS

    return GOALS


def read_settings(path: Path) -> dict[str, object]:
    """The fields of a document of settings, YAML or JSON."""
    from celosia.project.document import read_document

    return dict(read_document(path).data)


def describe_changes(before: Path, after: Path) -> "Sequence[Change]":
    """What differs between the projects of two documents, whatever way they are written."""
    from celosia.project.diff import diff

    documents = [
        load_project(path).model_dump(mode="json", exclude_defaults=True) for path in (before, after)
    ]
    return diff(*documents)


def convert_file(path: Path, *, trees: Path | None = None) -> "ConvertedProject":
    """A project of another system as one of ours, with notes on what could not be carried over."""
    from celosia.project import convert

    return convert.convert_file(path, trees=trees)


def assign_roles(roles: ColumnRoles) -> "dict[str, Role]":
    """The role of every column that has one; a column with two is told.

    >>> {name: role.value for name, role in assign_roles(ColumnRoles(quasi_identifiers=("age",))).items()}
    {'age': 'quasi-identifier'}
    """
    from celosia import project

    return project.assign_roles(
        identifiers=roles.identifiers,
        quasi_identifiers=roles.quasi_identifiers,
        sensitive=roles.sensitive,
        common=roles.common,
    )


def with_other_sources(
    project: "Project", sources: Mapping[str, str], tables: Mapping[str, Sequence[str]]
) -> "Project":
    """The project with other places, and other tables of databases, for tables that it names.

    >>> project = make_project(tables={"people": {"source": "people_2025.csv"}})
    >>> with_other_sources(project, {"people": "people_2026.csv"}, {}).plan().source.path
    'people_2026.csv'
    """
    changed = dict(project.tables)
    for name, place in sources.items():
        source = _elsewhere(project.plan(name).source, place)
        changed[name] = changed[name].model_copy(update={"source": source})
    for name, names in tables.items():
        source = changed[name].source.model_copy(update={"table": tuple(names)})
        changed[name] = changed[name].model_copy(update={"source": source})
    return project.model_copy(update={"tables": changed})


def _elsewhere(source: "Source", place: str) -> "Source":
    """A source at another place: what is said of rows and tables of a database holds for databases only."""
    moved: dict[str, object] = {"path": place, "connection": None}
    is_database = place_kind(place) is PlaceKind.DATABASE
    was_database = place_kind(source.path) is PlaceKind.DATABASE
    if is_database:
        server_of(place)  # refuses one that holds a password
        moved["engine"] = None
    if not (is_database and was_database):
        moved["table"] = ()
    after = source.model_copy(update=moved)
    if is_database == was_database and after.is_on_cluster == source.is_on_cluster:
        return after
    return after.model_copy(update={"where": None})


def with_goals(project: "Project", **goals: object) -> "Project":
    """A project that asks for these goals in all its tables, whatever it said of them.

    >>> with_goals(make_project(suppression=0.1), suppression=0.0).suppression
    0.0
    """
    tables = {
        name: table.model_copy(
            update={goal: value for goal, value in goals.items() if goal in table.model_fields_set}
        )
        for name, table in project.tables.items()
    }
    return project.model_copy(update={**goals, "tables": tables})


def with_target(project: "Project", table: str, target: str | None) -> "Project":
    """The project with another class that models predict for a table; None leaves it as it is."""
    if target is None or table not in project.tables:
        return project
    changed = project.tables[table].model_copy(update={"targets": (target,)})
    return project.model_copy(update={"tables": {**project.tables, table: changed}})


def with_key(project: "Project", source: "KeySource") -> "Project":
    """The project with a key at another place, under the default name."""
    return project.model_copy(update={"keys": {**project.keys, DEFAULT_KEY: source}})


@dataclass(frozen=True)
class ComparisonChanges:
    """What is compared, in place of what a project says of it; None leaves that as it is."""

    techniques: tuple[str, ...] | None = None
    others: Mapping[str, str] | None = None
    models: tuple[str, ...] | None = None
    measures: tuple[str, ...] | None = None
    folds: int | None = None
    repeats: int | None = None
    scaled: bool | None = None


def with_comparison(project: "Project", changes: ComparisonChanges, *, seed: int | None = None) -> "Project":
    """The project with changes of its comparison; what is wrong with them is told.

    >>> with_comparison(make_project(), ComparisonChanges(folds=3)).compare.folds
    3
    """
    from celosia.project import ComparePlan

    update: dict[str, object] = {"compare": _changed_plan(ComparePlan, project.compare, changes, "compare")}
    if seed is not None:
        update["seed"] = seed
    return project.model_copy(update=update)


@dataclass(frozen=True)
class StudyChanges:
    """What is studied, in place of what a project says of it; None leaves that as it is."""

    k: tuple[int, ...] | None = None
    quasi_identifiers: tuple[int, ...] | None = None
    """How many of them, in their order."""
    models: tuple[str, ...] | None = None
    folds: int | None = None
    repeats: int | None = None
    control: float | None = None
    measures: tuple[str, ...] | None = None


def with_study(project: "Project", changes: StudyChanges) -> "Project":
    """The project with changes of its study; what is wrong with them is told.

    >>> with_study(make_project(), StudyChanges(folds=3)).study.folds
    3
    """
    from celosia.project import StudyPlan

    return project.model_copy(update={"study": _changed_plan(StudyPlan, project.study, changes, "study")})


def _told(changes: "ComparisonChanges | StudyChanges | LedgerChanges") -> dict[str, object]:
    """The changes that are not None, by field."""
    told = {field.name: getattr(changes, field.name) for field in fields(changes)}
    return {name: value for name, value in told.items() if value is not None}


def _changed_plan(
    kind: "type[Plan]", plan: "Plan", changes: ComparisonChanges | StudyChanges, command: str
) -> "Plan":
    from pydantic import ValidationError

    from celosia.registered import first_mistake

    try:
        return kind.model_validate({**plan.model_dump(), **_told(changes)})
    except ValidationError as error:
        field, message, value = first_mistake(error)
        raise ProjectError(
            say("{message}, got {value!r}", message=message, value=value),
            where=f"{command}.{field}",
            remedy=say("see `celosia compare --help`")
            if command == "compare"
            else say("see `celosia study --help`"),
        ) from None


@dataclass(frozen=True)
class LedgerChanges:
    """The ledger of a release, in place of what a project says of it; None leaves that as it is."""

    file: str | None = None
    recipient: str | None = None
    person: str | None = None
    together: str | tuple[str, ...] | None = None
    broken: str | None = None


def with_ledger(project: "Project", changes: LedgerChanges) -> "Project":
    """The project with changes of its ledger; what is wrong with them is told.

    >>> with_ledger(make_project(), LedgerChanges("clinic.ledger", recipient="university")).ledger.recipient
    'university'
    """
    from pydantic import ValidationError

    from celosia.project import LedgerPlan

    told = _told(changes)
    if not told:
        return project
    said = project.ledger.model_dump(exclude_unset=True)
    try:
        plan = LedgerPlan.model_validate({**said, **told})
    except ValidationError:
        raise ProjectError(
            say("{broken!r} is none of stop, suppress, record", broken=changes.broken),
            where="--broken",
            remedy=say("name one of them"),
        ) from None
    if plan.file is None:
        raise ProjectError(
            say("there is no ledger"), where="--ledger", remedy=say("name it: --ledger clinic.ledger")
        )
    return project.model_copy(update={"ledger": plan})
