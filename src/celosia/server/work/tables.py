"""Which tables a connected database has."""

from celosia.api.opening import list_database_tables
from celosia.say import say
from celosia.server.work.kind import JobContext, JobKind, JobSummary, Parameters

__all__ = ["KIND"]


class TablesParameters(Parameters):
    """The address of the database."""

    address: str


def work(task: JobContext[TablesParameters]) -> JobSummary:
    """List them."""
    task.progress(say("connecting"), 0.0)
    names = [str(table.name) for table in list_database_tables(task.parameters.address, ask=task.ask)]
    task.keep({"tables": names})
    return {"tables": len(names)}


KIND = JobKind("tables", work, TablesParameters, addresses=("address",))
