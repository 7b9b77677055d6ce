"""Which tables a connected database has."""

from typing import Any

from celosia.server.work.kind import Kind, Parameters, Work

__all__ = ["KIND"]


class Asked(Parameters):
    """The address of the database."""

    address: str


def work(task: Work) -> dict[str, Any]:
    """List them."""
    from celosia.tables.sql.open import list_tables

    task.progress("connecting", 0.0)
    found = [str(each.name) for each in list_tables(task.parameters.address, ask=task.ask)]
    task.keep({"tables": found})
    return {"tables": len(found)}


KIND = Kind("tables", work, Asked, addresses=("address",))
