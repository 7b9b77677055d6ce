"""The project: one document that says what is released, how, and under which promises.

The command line and the Python functions build it, a run carries it out, and its record keeps it beside the release.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationError

from celosia.errors import ProjectError
from celosia.privacy import MODELS, PrivacyModel
from celosia.recode.domain import MissingPolicy, UnknownPolicy
from celosia.recode.techniques import Technique, make_technique
from celosia.types import MISSING_MARKERS, ColumnType, Role

__all__ = ["ColumnPlan", "Project", "Source", "assign_roles", "make_project"]


class _Document(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(_Document):
    """Where the table is and how to read it; ``path`` is None for a frame of the caller.

    For a database it is the address, without a password; ``table`` names one table or several with the same columns,
    and ``where`` is a condition on their rows.
    """

    path: str | None = None
    table: tuple[str, ...] = ()
    where: str | None = None
    separator: str | None = None
    encoding: str = "utf-8"
    header: bool = True
    missing: tuple[str, ...] = MISSING_MARKERS
    types: dict[str, ColumnType] = Field(default_factory=dict)


class ColumnPlan(_Document):
    """What one column is: its role, the file of its hierarchy and, for a quasi-identifier, more.

    Its weight in the measures, and whether a local recoding leaves it values of its own type (True), labels (False) or
    what the technique does by default (None).
    """

    role: Role = Role.COMMON
    hierarchy: str | None = None
    weight: float = Field(default=1.0, gt=0)
    keep_type: bool | None = None


def _model_from_document(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    parameters = dict(value)
    name = parameters.pop("model", None)
    if name not in MODELS:
        raise ValueError(f"there is no privacy model {name!r}; choose one of {', '.join(MODELS)}")
    return MODELS[name](**parameters)


def _model_to_document(model: PrivacyModel) -> dict[str, Any]:
    return {"model": model.name, **model.model_dump(exclude_none=True)}


def _technique_from_document(value: Any) -> Any:
    if isinstance(value, str):
        return make_technique(value)
    if not isinstance(value, Mapping):
        return value
    parameters = dict(value)
    return make_technique(str(parameters.pop("method", None)), **parameters)


def _technique_to_document(technique: Technique) -> dict[str, Any]:
    return {"method": technique.name, **technique.model_dump(mode="json", exclude_none=True)}


Model = Annotated[PrivacyModel, BeforeValidator(_model_from_document), PlainSerializer(_model_to_document)]

Method = Annotated[
    Technique, BeforeValidator(_technique_from_document), PlainSerializer(_technique_to_document)
]


class Project(_Document):
    """Everything a run needs to know.

    A release goes to the file ``destination``; or to ``destination_table`` of the database there, or of the source's.
    The ``record`` of such a table goes to a file of its own.

    >>> project = Project(columns={"age": {"role": "quasi-identifier"}}, models=[{"model": "k-anonymity", "k": 5}])
    >>> project.quasi_identifiers, project.models[0].describe()
    (('age',), 'each person hides among at least 5 rows')
    """

    version: Literal[1] = 1
    source: Source = Source()
    columns: dict[str, ColumnPlan] = Field(default_factory=dict)
    models: tuple[Model, ...] = ()
    suppression: float = Field(default=0.0, ge=0, le=1)
    measure: str = "loss"
    technique: Method = Field(default_factory=lambda: make_technique("full-domain"))
    missing: MissingPolicy = MissingPolicy.CATEGORY
    unknown: UnknownPolicy = UnknownPolicy.ERROR
    seed: int | None = Field(default=None, ge=0)
    destination: str | None = None
    destination_table: str | None = None
    record: str | None = None

    def with_role(self, role: Role) -> tuple[str, ...]:
        """Columns that have a role, in the order declared."""
        return tuple(name for name, plan in self.columns.items() if plan.role is role)

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """Columns that are generalized."""
        return self.with_role(Role.QUASI_IDENTIFIER)

    @property
    def weights(self) -> dict[str, float]:
        """Weights of the quasi-identifiers."""
        return {name: self.columns[name].weight for name in self.quasi_identifiers}

    @property
    def modelled(self) -> tuple[str, ...]:
        """Sensitive columns that a privacy model looks at, each once."""
        return tuple(dict.fromkeys(model.column for model in self.models if model.column is not None))


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
                both = f"{roles[name]} and {role}" if roles[name] is not role else f"{role} twice"
                raise ProjectError(
                    f"column {name!r} is declared {both}", where="roles", remedy="give every column one role"
                )
            roles[name] = role
    return roles


def make_project(**fields: Any) -> Project:
    """A project from its fields; what is wrong is said by field, without a traceback.

    >>> make_project(suppression=2)
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: suppression: input should be less than or equal to 1, not 2; correct the project
    """
    try:
        return Project.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        message = first["msg"].removeprefix("Value error, ")
        got = first.get("input")
        shown = f", not {got!r}" if isinstance(got, str | int | float) else ""
        raise ProjectError(
            message[0].lower() + message[1:] + shown,
            where=".".join(str(part) for part in first["loc"]),
            remedy="correct the project",
        ) from None
