"""What programs, the command line, the service and the pages call: one module for every verb, with typed requests."""

from celosia.api.building import build_project
from celosia.api.measuring import measure_release
from celosia.api.planning import balance, explore
from celosia.api.profiling import profile_table
from celosia.api.releasing import anonymize, mask_columns, run_project
from celosia.api.reporting import report_release
from celosia.api.requests import ReleaseRequest
from celosia.api.transfer import ImportedTable, export_table, import_table
from celosia.api.verifying import verify

__all__ = [
    "ImportedTable",
    "ReleaseRequest",
    "anonymize",
    "balance",
    "build_project",
    "explore",
    "export_table",
    "import_table",
    "mask_columns",
    "measure_release",
    "profile_table",
    "report_release",
    "run_project",
    "verify",
]
