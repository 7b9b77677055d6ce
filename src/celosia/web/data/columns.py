"""What a page says of the columns of a table, and what it writes into the document about them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from celosia.api.masking import DEFAULT_KEY
from celosia.api.registries import make_operation
from celosia.errors import CelosiaError
from celosia.server.work.results import ColumnProfileResult, ProfileResult
from celosia.types import ColumnType, Role
from celosia.words import Words, phrase

__all__ = [
    "ROLE_TITLES",
    "TYPE_TITLES",
    "accept_roles",
    "column_fields",
    "count_roles",
    "leave_out",
    "operation_of",
    "person_of",
    "plan_of",
    "set_acceptance",
    "set_operation",
    "set_operations",
    "set_person",
    "set_role",
    "set_type",
    "shown_columns",
]

Document = dict[str, Any]

ROLE_TITLES = {
    Role.IDENTIFIER.value: phrase("Identifier"),
    Role.QUASI_IDENTIFIER.value: phrase("Quasi-identifier"),
    Role.SENSITIVE.value: phrase("Sensitive"),
    Role.COMMON.value: phrase("Common"),
}
TYPE_TITLES = {
    ColumnType.TEXT.value: phrase("text"),
    ColumnType.INTEGER.value: phrase("whole number"),
    ColumnType.REAL.value: phrase("real number"),
    ColumnType.DECIMAL.value: phrase("decimal number"),
    ColumnType.BOOLEAN.value: phrase("yes or no"),
    ColumnType.DATE.value: phrase("date"),
    ColumnType.DATETIME.value: phrase("date and time"),
    ColumnType.OTHER.value: phrase("something else"),
}


def column_fields(value: Any) -> dict[str, Any]:
    """What a document says of a column, in its long form.

    >>> column_fields("sensitive"), column_fields(None), column_fields({"role": "common"})
    ({'role': 'sensitive'}, {}, {'role': 'common'})
    """
    if isinstance(value, str):
        return {"role": value}
    return dict(value) if isinstance(value, Mapping) else {}


def plan_of(document: Mapping[str, Any], table: str) -> dict[str, dict[str, Any]]:
    """What a document says of every column of a table that it mentions.

    >>> plan_of({"tables": {"people": {"columns": {"age": "quasi-identifier"}}}}, "people")
    {'age': {'role': 'quasi-identifier'}}
    """
    own = (document.get("tables") or {}).get(table) or {}
    return {
        str(name): column_fields(value)
        for name, value in {**(document.get("columns") or {}), **(own.get("columns") or {})}.items()
    }


def set_role(document: Document, table: str, column: str, role: str) -> None:
    """Declare the role of a column; columns that are not listed stay out of releases.

    >>> document = {"tables": {"people": {"source": "people.csv"}}}
    >>> set_role(document, "people", "age", "quasi-identifier")
    >>> document["tables"]["people"]["unlisted"], document["tables"]["people"]["columns"]
    ('drop', {'age': 'quasi-identifier'})
    """
    _write(document, table, column, role=Role(role).value)
    document["tables"][table]["unlisted"] = "drop"


def set_type(document: Document, table: str, column: str, kind: str | None) -> None:
    """Declare the type of a column, or leave it to be found out.

    >>> document = {"tables": {"people": {"columns": {"zip": "quasi-identifier"}}}}
    >>> set_type(document, "people", "zip", "text")
    >>> document["tables"]["people"]["columns"]["zip"]
    {'role': 'quasi-identifier', 'type': 'text'}
    """
    _write(document, table, column, type=None if kind is None else ColumnType(kind).value)


def set_operation(document: Document, table: str, column: str, operation: Mapping[str, Any] | None) -> None:
    """Declare what is done to the values of a column; one that needs a key takes that of the project.

    >>> document = {"tables": {"people": {"columns": {"id": "identifier"}}}}
    >>> set_operation(document, "people", "id", {"name": "pseudonymize"})
    >>> document["tables"]["people"]["columns"]["id"], document["keys"]
    ({'role': 'identifier', 'operation': {'name': 'pseudonymize'}}, {'default': {'file': 'keys/default.key'}})
    """
    _write(document, table, column, operation=None if operation is None else dict(operation))
    if operation is not None and needs_key(operation):
        keys = document.setdefault("keys", {})
        keys.setdefault(DEFAULT_KEY, {"file": f"keys/{DEFAULT_KEY}.key"})


def set_operations(document: Document, table: str, column: str, operations: Any) -> None:
    """Declare one operation or several, as a document says them.

    >>> document = {"tables": {"people": {"columns": {"cost": "sensitive"}}}}
    >>> set_operations(document, "people", "cost", {"name": "round", "to": "500"})
    >>> document["tables"]["people"]["columns"]["cost"]["operation"]
    {'name': 'round', 'to': '500'}
    """
    _write(document, table, column, operation=operations)


def set_acceptance(document: Document, table: str, column: str, acceptance: Mapping[str, str] | None) -> None:
    """Keep who answers for a column that leaves, when and why; or that nobody does any more.

    >>> document = {"tables": {"people": {"columns": {"cost": "common"}}}}
    >>> accepted = {"by": "Ana Gil", "on": "2026-11-18", "why": "only the hospital knows it"}
    >>> set_acceptance(document, "people", "cost", accepted)
    >>> document["tables"]["people"]["columns"]["cost"]["accepted"]["by"]
    'Ana Gil'
    """
    _write(document, table, column, accepted=None if acceptance is None else dict(acceptance))


def person_of(document: Mapping[str, Any], table: str) -> str | None:
    """The column by which a document tells people apart.

    >>> person_of({"tables": {"people": {"person": "id"}}}, "people")
    'id'
    """
    return ((document.get("tables") or {}).get(table) or {}).get("person")


def set_person(document: Document, table: str, person: str | None) -> None:
    """Say which column tells people apart; None says that every row is a person.

    >>> document = {"tables": {"people": {}}}
    >>> set_person(document, "people", "id")
    >>> document
    {'tables': {'people': {'person': 'id'}}}
    """
    document["tables"][table].pop("person", None)
    if person is not None:
        document["tables"][table]["person"] = person


def needs_key(operation: Mapping[str, Any]) -> bool:
    """Whether an operation, as a document says it, takes the key of the project.

    >>> needs_key({"name": "pseudonymize"}), needs_key({"name": "round", "to": 10})
    (True, False)
    """
    parameters = {name: value for name, value in operation.items() if name != "name"}
    return make_operation(str(operation["name"]), **parameters).key_name == DEFAULT_KEY


def accept_roles(document: Document, table: str, proposed: Mapping[str, str]) -> None:
    """Declare the proposed role of every column that has none yet.

    >>> document = {"tables": {"people": {"columns": {"age": "common"}}}}
    >>> accept_roles(document, "people", {"age": "quasi-identifier", "sex": "quasi-identifier"})
    >>> document["tables"]["people"]["columns"]
    {'age': 'common', 'sex': 'quasi-identifier'}
    """
    declared = plan_of(document, table)
    for column, role in proposed.items():
        if "role" not in declared.get(column, {}):
            set_role(document, table, column, role)
    columns = document["tables"][table].get("columns") or {}
    ordered = [name for name in proposed if name in columns]
    document["tables"][table]["columns"] = {
        name: columns[name] for name in dict.fromkeys([*ordered, *columns])
    }


def leave_out(document: Document, table: str, columns: Iterable[str]) -> None:
    """Keep columns out of releases, whatever their role.

    >>> document = {"tables": {"people": {"columns": {"age": "quasi-identifier"}}}}
    >>> leave_out(document, "people", ["age"])
    >>> document["tables"]["people"]["columns"]["age"]
    {'role': 'quasi-identifier', 'operation': {'name': 'suppress'}}
    """
    for column in columns:
        set_operation(document, table, column, {"name": "suppress"})


def operation_of(plan: Mapping[str, Any]) -> dict[str, Any] | None:
    """The one operation that a column has; None if it has none, or a chain, which is for the document.

    >>> operation_of({"operation": "suppress"}), operation_of({"operation": [{"name": "round", "to": 5}]})
    ({'name': 'suppress'}, {'name': 'round', 'to': 5})
    """
    operation = plan.get("operation")
    if isinstance(operation, list | tuple):
        operation = operation[0] if len(operation) == 1 else None
    if isinstance(operation, str):
        return {"name": operation}
    return dict(operation) if isinstance(operation, Mapping) and "name" in operation else None


def count_roles(profile: ProfileResult, plan: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """How many columns have each role, declared or else proposed.

    >>> count_roles({"columns": [{"name": "age", "role": "quasi-identifier"}]}, {"age": {"role": "common"}})
    {'identifier': 0, 'quasi-identifier': 0, 'sensitive': 0, 'common': 1}
    """
    counts = {role.value: 0 for role in Role}
    for column in profile["columns"]:
        counts[plan.get(column["name"], {}).get("role") or column["role"]] += 1
    return counts


def shown_columns(
    profile: ProfileResult, plan: Mapping[str, Mapping[str, Any]], words: Words
) -> list[dict[str, Any]]:
    """A row for every column: what it holds, the role it has or that is proposed and why, and what happens to it."""
    return [_shown(column, plan.get(column["name"], {}), words) for column in profile["columns"]]


def _shown(column: ColumnProfileResult, plan: Mapping[str, Any], words: Words) -> dict[str, Any]:
    role = plan.get("role")
    why = "; ".join(words.render(reason["sentence"]) for reason in column["reasons"][:2])
    missing = words("{count} missing", count=words.number(column["missing"])) if column["missing"] else ""
    return {
        "name": column["name"],
        "type": plan.get("type") or column["type"],
        "distinct": words("{count} different", count=words.number(column["distinct"])),
        "missing": missing,
        "examples": ", ".join(str(example) for example in column["examples"][:4]),
        "role": role or column["role"],
        "declared": role is not None,
        "why": f"{words(ROLE_TITLES[column['role']])}: {why}",
        "fate": "; ".join([_fate(role or column["role"], plan, words), *_accepted(plan, words)]),
        "masked": plan.get("operation") is not None,
    }


def _accepted(plan: Mapping[str, Any], words: Words) -> Iterator[str]:
    """Who answers for it."""
    accepted = plan.get("accepted")
    if isinstance(accepted, Mapping):
        yield words("accepted by {by}: {why}", by=accepted.get("by", ""), why=accepted.get("why", ""))
    elif accepted:
        yield words("accepted: {why}", why=accepted)


def _fate(role: str, plan: Mapping[str, Any], words: Words) -> str:
    """What becomes of the values of a column."""
    operation = operation_of(plan)
    if operation is not None:
        parameters = {name: value for name, value in operation.items() if name != "name"}
        try:
            return words.render(make_operation(operation["name"], **parameters).describe())
        except CelosiaError as error:
            return words.render(error.what)
    if plan.get("operation"):
        return words("several operations, see the document")
    if role == Role.IDENTIFIER:
        return words("it is removed")
    return words("it is generalized") if role == Role.QUASI_IDENTIFIER else words("it stays as it is")


def _write(document: Document, table: str, column: str, **fields: Any) -> None:
    """Change fields of a column; None takes one away. A column with a role alone is written as its role."""
    columns = document["tables"][table].setdefault("columns", {})
    inherited = column_fields((document.get("columns") or {}).get(column))
    plan = {**(column_fields(columns[column]) if column in columns else inherited), **fields}
    plan = {name: value for name, value in plan.items() if value is not None}
    columns[column] = plan["role"] if set(plan) == {"role"} else plan
