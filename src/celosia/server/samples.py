"""The sample table in a project: discharges of people who do not exist, with their hierarchies."""

from typing import Any

from celosia.api.sampling import sample_hierarchies, sample_table
from celosia.server.access import MemberRole, User, require
from celosia.server.hierarchies import write_rows
from celosia.server.projects import StoredProject, read_project, update_project
from celosia.server.service import Service
from celosia.server.sources import add_file
from celosia.server.workspace import HIERARCHIES

__all__ = ["SAMPLE", "add_sample"]

SAMPLE = "discharges"
ROWS = 2_000


def add_sample(service: Service, user: User, project: str) -> StoredProject:
    """Add the sample table to a project: its file, its hierarchies, and both to the document; roles are left open."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.ANALYST)
    text = sample_table(ROWS).write_csv().encode()
    source = add_file(service, user, project, f"{SAMPLE}.csv", [text], replace=True)
    columns: dict[str, Any] = {}
    for column, hierarchy in sample_hierarchies().items():
        write_rows(service, user, project, column, hierarchy.rows())
        columns[column] = {"hierarchy": f"{HIERARCHIES}/{column}.csv"}
    held = read_project(service, user, project)
    tables = {
        **(held.document.get("tables") or {}),
        SAMPLE: {"source": source["address"], "columns": columns},
    }
    return update_project(
        service,
        user,
        project,
        {**held.document, "tables": tables},
        expected=held.version,
        remark="sample table",
    )
