"""The sample table in a project: discharges of people who do not exist, with their hierarchies, treated with care."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celosia.api.sampling import sample_columns, sample_hierarchies, sample_table, write_sample
from celosia.server.access import MemberRole, User, require
from celosia.server.hierarchies import write_rows
from celosia.server.projects import StoredProject, read_project, update_project
from celosia.server.service import Service
from celosia.server.sources import add_file
from celosia.server.workspace import HIERARCHIES

__all__ = ["SAMPLES", "add_sample"]

SAMPLES = {"en": "discharges", "es": "altas"}
"""What the sample is called in each language."""
ROWS = 2_000

SUPPRESSION = 0.05
"""One row in twenty may be left out: nearly all others tell more for it."""
PERSON = "national_id"
LEAVE_OUT: Mapping[str, Any] = {"operation": {"name": "suppress"}}
LEFT_OUT = "birth_date marital_status nationality admission_date discharge_date department length_of_stay"
"""What others may know and no reader of the tour needs: each would make the other quasi-identifiers less precise."""
ROUNDED: Mapping[str, Any] = {"operation": [{"name": "round", "to": 1000}, {"name": "code", "top": 12_000}]}
"""An exact cost tells nearly everybody apart."""


def add_sample(service: Service, user: User, project: str, *, language: str = "en") -> StoredProject:
    """Add the sample table to a project: its file, its hierarchies, and both to the document.

    Most roles are left open. Patients who come back are one person, and columns that would tell people apart beside the
    promise are left out or treated: whoever accepts the proposals gets a release that protects them.
    """
    with service.store.begin() as data:
        require(data, user, project, MemberRole.ANALYST)
    name, spoken = SAMPLES[language], sample_columns(language)
    source = add_file(service, user, project, f"{name}.csv", [_file(language)], replace=True)
    columns: dict[str, Any] = {spoken[column]: dict(LEAVE_OUT) for column in LEFT_OUT.split()}
    # A decimal comma makes no number yet: what cannot be rounded stays behind.
    columns[spoken["cost"]] = dict(LEAVE_OUT if language == "es" else ROUNDED)
    for column, hierarchy in sample_hierarchies(language).items():
        write_rows(service, user, project, column, hierarchy.rows())
        columns.setdefault(column, {"hierarchy": f"{HIERARCHIES}/{column}.csv"})
    held = read_project(service, user, project)
    tables = {
        **(held.document.get("tables") or {}),
        name: {"source": source["address"], "person": spoken[PERSON], "columns": columns},
    }
    return update_project(
        service,
        user,
        project,
        {"suppression": SUPPRESSION, **held.document, "tables": tables},
        expected=held.version,
        remark="sample table",
    )


def _file(language: str) -> bytes:
    """The table as a file of its language."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.csv"
        write_sample(sample_table(ROWS, language=language), path, language=language)
        return path.read_bytes()
