"""What a program calls: the same jobs as the command line, on files or on the caller's own frames."""

from celosia.api.building import build_project
from celosia.api.inspection import profile_table, verify
from celosia.api.measuring import measure_release
from celosia.api.releasing import anonymize, balance, explore, mask_columns, run_project
from celosia.api.reporting import report_release
from celosia.api.transfer import ImportedTable, export_table, import_table

__all__ = [
    "ImportedTable",
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
