"""Identifiers that an operation lets through changed: whether what is left still tells who somebody is."""

from celosia.errors import ProjectError
from celosia.project import ReleaseKind, TablePlan
from celosia.say import say
from celosia.types import Role

__all__ = ["check_identifiers", "undone_by_seed", "weak_identifiers"]


def weak_identifiers(plan: TablePlan) -> tuple[str, ...]:
    """A sentence for every identifier of a light release whose operations may leave values as they are."""
    if plan.kind is not ReleaseKind.LIGHT:
        return ()
    return tuple(
        say(
            "{column!r}: it is an identifier, and after {operations} it may still tell who somebody is",
            column=name,
            operations=_operations(plan, name),
        )
        for name in _weak(plan)
    )


def undone_by_seed(plan: TablePlan) -> tuple[str, ...]:
    """A sentence for every column whose operation can be undone by whoever knows the seed of the project."""
    if plan.seed is None:
        return ()
    return tuple(
        say(
            "{column!r}, {operation}: whoever knows the seed can undo it: keep project and record to yourself",
            column=name,
            operation=operation.name,
        )
        for name, column in plan.columns.items()
        for operation in column.operation
        if operation.goes_by_order
    )


def check_identifiers(plan: TablePlan, table: str) -> None:
    """Raise if a complete release would let an identifier through that still tells who somebody is."""
    for name in _weak(plan) if plan.kind is ReleaseKind.COMPLETE else ():
        raise ProjectError(
            say(
                "it is an identifier, and after {operations} it may still tell who somebody is",
                operations=_operations(plan, name),
            ),
            where=f"tables.{table}.columns.{name}",
            remedy=say(
                "pseudonymize, encrypt or hash it, leave the operation out, or give the column another role"
            ),
        )


def _weak(plan: TablePlan) -> list[str]:
    return [
        name
        for name, column in plan.columns.items()
        if column.role is Role.IDENTIFIER
        and not column.is_dropped
        and not any(operation.hides_identity for operation in column.operation)
    ]


def _operations(plan: TablePlan, name: str) -> str:
    return ", ".join(operation.name for operation in plan.columns[name].operation)
