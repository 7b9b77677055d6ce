"""What is proposed for a table, accepted at once: roles, treatments, the person, promises about what is sensitive."""

from collections.abc import Mapping
from typing import Any

from celosia.server.work.results import ProfileResult
from celosia.types import Role
from celosia.web.data.columns import (
    accept_roles,
    operation_of,
    person_of,
    plan_of,
    set_operations,
    set_person,
)
from celosia.web.goals.goals import models_of, set_model

__all__ = ["accept_proposals"]

PROPOSED_K = {"model": "k-anonymity", "k": 5}
LEAST_DIVERSITY = 2


def accept_proposals(document: dict[str, Any], table: str, profile: ProfileResult) -> None:
    """Declare what is proposed wherever nothing is declared yet.

    >>> ill, sex = {"name": "ill", "role": "sensitive", "distinct": 3}, {"name": "sex", "role": "quasi-identifier"}
    >>> profile = {"columns": [ill, {**sex, "distinct": 2}], "treatments": {"ill": {"name": "merge"}}}
    >>> document = {"tables": {"people": {"source": "people.csv"}}}
    >>> accept_proposals(document, "people", profile)
    >>> document["tables"]["people"]["columns"]["ill"]
    {'role': 'sensitive', 'operation': {'name': 'merge'}}
    >>> [model["model"] for model in document["models"]]
    ['k-anonymity', 'distinct-l-diversity']
    """
    accept_roles(document, table, {column["name"]: column["role"] for column in profile["columns"]})
    for name, operation in (profile.get("treatments") or {}).items():
        plan = plan_of(document, table).get(name, {})
        if plan.get("role") in (Role.SENSITIVE, Role.COMMON) and not plan.get("operation"):
            set_operations(document, table, name, operation)
    person = profile.get("person")
    if person is not None and person_of(document, table) is None:
        set_person(document, table, person["column"])
    _promise(document, table, profile)


def _promise(document: dict[str, Any], table: str, profile: ProfileResult) -> None:
    """l-diversity about every sensitive column that leaves, unless somebody promised something already."""
    goal_table = None if len(document["tables"]) == 1 else table
    if models_of(document, goal_table):
        return
    plan = plan_of(document, table)
    sensitive = [
        column["name"]
        for column in profile["columns"]
        if column["distinct"] >= LEAST_DIVERSITY and _leaves(plan.get(column["name"], {}))
    ]
    if not any(column.get("role") == Role.QUASI_IDENTIFIER for column in plan.values()):
        return
    set_model(document, goal_table, PROPOSED_K)
    for name in sensitive:
        model = {"model": "distinct-l-diversity", "column": name, "l": LEAST_DIVERSITY}
        set_model(document, goal_table, model)


def _leaves(plan: Mapping[str, Any]) -> bool:
    operation = operation_of(plan)
    is_removed = operation is not None and operation["name"] == "suppress" and len(operation) == 1
    return plan.get("role") == Role.SENSITIVE and not is_removed
