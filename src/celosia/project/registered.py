"""Registered things in a document: privacy models, techniques and operations, each by its name and parameters."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, GetJsonSchemaHandler, PlainSerializer

from celosia.errors import InvalidValueError, ProjectError
from celosia.mask.operation import ColumnOperation, Operation, RowOperation
from celosia.mask.registry import make_operation, operations
from celosia.privacy import MODELS, PrivacyModel
from celosia.project.mistakes import with_location
from celosia.recode.techniques import TECHNIQUES, Technique, find_technique, make_technique
from celosia.say import say
from celosia.types import nearest

__all__ = ["ColumnOperations", "DeclaredTechnique", "Model", "RowOperations", "operation_documents"]

JsonSchema = dict[str, Any]
COLUMNS: JsonSchema = {
    "columns": {
        "type": "array",
        "items": {"type": "string"},
        "description": "the quasi-identifiers that this step of a chain works on; all by default",
    }
}


class _Choice:
    """How a registered thing looks to editors: its name under ``key``, its parameters beside it."""

    def __init__(self, key: str, kind: str) -> None:
        self._key, self._kind = key, kind

    def __get_pydantic_json_schema__(self, schema: object, handler: GetJsonSchemaHandler) -> JsonSchema:
        return self.one()

    def one(self, further: JsonSchema | None = None) -> JsonSchema:
        """A schema with one branch per thing that is registered; ``further`` are properties that all have besides."""
        return {"oneOf": [self._branch(name, kind, further or {}) for name, kind in self._things().items()]}

    def names(self) -> JsonSchema:
        """The names alone, of things whose parameters all have defaults."""
        return {
            "enum": [
                name
                for name, kind in self._things().items()
                if not any(field.is_required() for field in kind.model_fields.values())
            ]
        }

    def _things(self) -> Mapping[str, type[BaseModel]]:
        if self._kind == "model":
            return MODELS
        if self._kind == "technique":  # a chain is written as a list
            return {name: kind for name, kind in TECHNIQUES.items() if "steps" not in kind.model_fields}
        wanted = ColumnOperation if self._kind == "column" else RowOperation
        return {name: kind for name, kind in operations().items() if issubclass(kind, wanted)}

    def _branch(self, name: str, kind: type[BaseModel], further: JsonSchema) -> JsonSchema:
        # Parameters are plain values: schemas of theirs are small enough to stand where they are used.
        schema = _schema_of(kind)
        described = (kind.__doc__ or "").strip().partition("\n")[0]
        return {
            "type": "object",
            "title": name,
            "description": described,
            "properties": {self._key: {"const": name}, **_inlined(schema), **further},
            "required": [self._key, *schema.get("required", [])],
            "additionalProperties": False,
        }


@cache
def _schema_of(kind: type[BaseModel]) -> JsonSchema:
    return kind.model_json_schema(mode="validation")


def _inlined(schema: JsonSchema) -> JsonSchema:
    definitions = schema.get("$defs", {})

    def walk(part: Any, depth: int = 0) -> Any:
        if isinstance(part, Mapping):
            if "$ref" in part:
                if depth > 8:
                    return {}
                definition = definitions[part["$ref"].rpartition("/")[2]]
                return walk({**definition, **{k: v for k, v in part.items() if k != "$ref"}}, depth + 1)
            return {key: walk(value, depth) for key, value in part.items()}
        return [walk(element, depth) for element in part] if isinstance(part, list) else part

    properties: JsonSchema = walk(schema.get("properties", {}))
    return properties


class _OneOrMore(_Choice):
    """The same where a name alone will do, and several make a chain; there may be no operation."""

    def __get_pydantic_json_schema__(self, schema: object, handler: GetJsonSchemaHandler) -> JsonSchema:
        is_technique = self._kind == "technique"
        several = {"anyOf": [self.names(), self.one(COLUMNS if is_technique else None)]}
        chain = {"type": "array", "items": several, **({"minItems": 1} if is_technique else {})}
        nothing = [] if is_technique else [{"type": "null"}]
        return {"anyOf": [self.names(), self.one(), chain, *nothing]}


def _named(value: Mapping[Any, Any], key: str, thing: str, example: str) -> tuple[str, dict[str, Any]]:
    """The name of a registered thing, which stands under ``key``, and its parameters."""
    parameters = dict(value)
    name = parameters.pop(key, None)
    if not isinstance(name, str):
        others = [other for other in ("name", "method", "model") if other in parameters]
        raise ProjectError(
            say("{thing} is named by {key!r}, not by {other!r}", thing=thing, key=key, other=others[0])
            if others
            else say("{thing} is named by {key!r}", thing=thing, key=key),
            remedy=say("write it as in {key}: {example}", key=key, example=example),
        )
    for parameter in parameters:
        if not isinstance(parameter, str):
            raise ProjectError(
                say("{parameter!r} is no parameter of {name}", parameter=parameter, name=name),
                remedy=say("leave it out"),
            )
    return name, parameters


def _model(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    name, parameters = _named(value, "model", say("a privacy model"), "k-anonymity")
    if name not in MODELS:
        remedy = nearest(name, tuple(MODELS), say("the models"))
        raise InvalidValueError(say("there is no privacy model {name!r}", name=name), remedy=remedy)
    return MODELS[name](**parameters)


def _model_document(model: PrivacyModel) -> dict[str, object]:
    return {"model": model.name, **model.model_dump(mode="json", exclude_none=True)}


def _technique(value: object) -> object:
    if isinstance(value, str):
        return make_technique(value)
    if isinstance(value, list | tuple):
        if not value:
            raise ProjectError(
                say("a chain has no steps"), remedy=say("name a technique, as in name: full-domain")
            )
        return make_technique("chain", steps=tuple(_step(step) for step in value))
    if not isinstance(value, Mapping):
        return value
    name, parameters = _named(value, "name", say("a technique"), "mondrian")
    find_technique(name, where="name")  # the field of this document, where a caller has an option
    return make_technique(name, **parameters)


def _step(value: object) -> object:
    if isinstance(value, Mapping) and "columns" in value:
        rest = {name: parameter for name, parameter in value.items() if name != "columns"}
        return {"technique": _technique(rest), "columns": value["columns"]}
    return {"technique": _technique(value)}


def _technique_document(technique: Technique) -> Any:
    steps = getattr(technique, "steps", None)
    if steps is not None:
        return [
            {
                **_technique_document(step.technique),
                **({"columns": list(step.columns)} if step.columns else {}),
            }
            for step in steps
        ]
    return {"name": technique.name, **technique.model_dump(mode="json", exclude_none=True)}


def _column_operations(value: object) -> object:
    return _operations(value, on_rows=False)


def _row_operations(value: object) -> object:
    return _operations(value, on_rows=True)


def _operations(value: object, *, on_rows: bool) -> object:
    if value is None:
        return ()
    listed = value if isinstance(value, list | tuple) else [value]
    return tuple(_operation(operation, on_rows=on_rows) for operation in listed)


def _operation(value: object, *, on_rows: bool) -> object:
    if isinstance(value, Operation):
        _check_kind(value.name, on_rows=on_rows)
        return value
    if isinstance(value, str):
        _check_kind(value, on_rows=on_rows)
        return make_operation(value)
    if not isinstance(value, Mapping):
        raise InvalidValueError(
            say("an operation is a name, or a mapping of its name and parameters"),
            remedy=say("as in name: round"),
        )
    name, parameters = _named(value, "name", say("an operation"), "round")
    _check_kind(name, on_rows=on_rows)
    return make_operation(name, **parameters)


def _check_kind(name: str, *, on_rows: bool) -> None:
    """Raise if an operation on rows is given to a column, or one on a column to the rows."""
    kind = operations().get(name)
    if kind is None or issubclass(kind, RowOperation if on_rows else ColumnOperation):
        return
    if not on_rows:
        raise ProjectError(
            say("{name!r} is an operation on rows", name=name),
            remedy=say("write it under the rows of the table"),
        )
    raise ProjectError(
        say("{name!r} is an operation on a column", name=name),
        remedy=say("write it under a column, as its operation"),
    )


def operation_documents(chain: tuple[Operation, ...]) -> object:
    """Operations as a project writes them: one by itself, several as a list.

    >>> from celosia.mask import make_operation
    >>> operation_documents((make_operation("truncate", first=2),))
    {'name': 'truncate', 'first': 2}
    """
    documents = [
        {
            "name": operation.name,
            **operation.model_dump(mode="json", exclude_none=True, exclude_defaults=True),
        }
        for operation in chain
    ]
    return documents[0] if len(documents) == 1 else documents


Model = Annotated[
    PrivacyModel,
    BeforeValidator(with_location(_model)),
    PlainSerializer(_model_document),
    _Choice("model", "model"),
]

DeclaredTechnique = Annotated[
    Technique,
    BeforeValidator(with_location(_technique)),
    PlainSerializer(_technique_document),
    _OneOrMore("name", "technique"),
]

ColumnOperations = Annotated[
    tuple[ColumnOperation, ...],
    BeforeValidator(with_location(_column_operations)),
    PlainSerializer(operation_documents),
    _OneOrMore("name", "column"),
]

RowOperations = Annotated[
    tuple[RowOperation, ...],
    BeforeValidator(with_location(_row_operations)),
    PlainSerializer(operation_documents),
    _OneOrMore("name", "row"),
]
