"""Which tables a connected database has."""

from typing import Any

from celosia.say import say
from celosia.server.work.kind import JobContext, JobKind, Parameters

__all__ = ["KIND"]


class TablesRequest(Parameters):
    """The address of the database."""

    address: str


def work(task: JobContext) -> dict[str, Any]:
    """List them."""
    from celosia.tables.sql.open import list_tables

    task.progress(say("connecting"), 0.0)
    found = [str(each.name) for each in list_tables(task.parameters.address, ask=task.ask)]
    task.keep({"tables": found})
    return {"tables": len(found)}


KIND = JobKind("tables", work, TablesRequest, addresses=("address",))
