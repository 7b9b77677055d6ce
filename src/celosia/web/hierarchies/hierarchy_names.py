"""Which file of the project holds the hierarchy of a column, and what the document says of it."""

from collections.abc import Mapping
from typing import Any

from celosia.server.workspace import HIERARCHIES, plain_name
from celosia.web.data.columns import column_fields, plan_of

__all__ = ["file_name", "own_file", "quasi_identifiers", "set_hierarchy"]


def quasi_identifiers(document: Mapping[str, Any], table: str) -> list[str]:
    """The quasi-identifiers that a document declares for a table.

    >>> people = {"columns": {"age": "quasi-identifier", "id": "identifier"}}
    >>> quasi_identifiers({"tables": {"people": people}}, "people")
    ['age']
    """
    return [name for name, plan in plan_of(document, table).items() if plan.get("role") == "quasi-identifier"]


def own_file(document: Mapping[str, Any], table: str, column: str) -> str | None:
    """The name of the file of the project that a column names, None if it names none.

    >>> own_file({"tables": {"people": {"columns": {"age": {"hierarchy": "hierarchies/years.csv"}}}}}, "people", "age")
    'years'
    """
    place = plan_of(document, table).get(column, {}).get("hierarchy")
    if not isinstance(place, str) or not place.startswith(f"{HIERARCHIES}/") or not place.endswith(".csv"):
        return None
    name = place.removeprefix(f"{HIERARCHIES}/").removesuffix(".csv")
    return None if "/" in name else name


def file_name(document: Mapping[str, Any], table: str, column: str) -> str:
    """The name of the file for the hierarchy of a column: its own, or a new one that no other column has.

    >>> plan = {"columns": {"age": {"hierarchy": "hierarchies/age.csv"}}}
    >>> file_name({"tables": {"a": plan, "b": {}}}, "a", "age"), file_name({"tables": {"a": plan, "b": {}}}, "b", "age")
    ('age', 'b age')
    """
    others = {
        own_file(document, other, name)
        for other in document.get("tables") or {}
        for name in plan_of(document, other)
        if (other, name) != (table, column)
    }
    own = own_file(document, table, column)
    if own is not None and own not in others:
        return own
    plain, longer = plain_name(column[:60]), plain_name(f"{table[:30]} {column[:60]}")
    name = plain if plain not in others else longer
    number = 2
    while name in others:
        name, number = f"{longer} {number}", number + 1
    return name


def set_hierarchy(document: dict[str, Any], table: str, column: str, place: str | None) -> None:
    """Name the hierarchy of a column, or leave it to be proposed.

    >>> document = {"tables": {"people": {"columns": {"age": "quasi-identifier"}}}}
    >>> set_hierarchy(document, "people", "age", "hierarchies/age.csv")
    >>> document["tables"]["people"]["columns"]["age"]
    {'role': 'quasi-identifier', 'hierarchy': 'hierarchies/age.csv'}
    """
    columns = document["tables"][table].setdefault("columns", {})
    plan = column_fields(columns.get(column, (document.get("columns") or {}).get(column)))
    plan.pop("hierarchy", None)
    if place is not None:
        plan["hierarchy"] = place
    columns[column] = plan["role"] if set(plan) == {"role"} else plan
