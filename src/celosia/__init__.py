"""Celosía anonymizes tables about people and proves what the result is worth.

Names are loaded when they are first used: importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from celosia.api import (
        anonymize,
        balance,
        explore,
        export_table,
        import_table,
        mask_columns,
        measure_release,
        profile_table,
        report_release,
        run_project,
        verify,
    )
    from celosia.check import check_project
    from celosia.compare import compare_techniques
    from celosia.errors import CelosiaError
    from celosia.hierarchies import Hierarchy, read_hierarchy
    from celosia.privacy import (
        AlphaKAnonymity,
        AverageRisk,
        BetaLikeness,
        DeltaDisclosure,
        DeltaPresence,
        DistinctLDiversity,
        EntropyLDiversity,
        KAnonymity,
        KMAnonymity,
        KMap,
        LKCPrivacy,
        MaximumRisk,
        NamedAttacker,
        NoAttack,
        PopulationUniqueness,
        Profitability,
        RecursiveCLDiversity,
        RowsAtRisk,
        TCloseness,
    )
    from celosia.project import load_project, save_project

__all__ = [
    "AlphaKAnonymity",
    "AverageRisk",
    "BetaLikeness",
    "CelosiaError",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "Hierarchy",
    "KAnonymity",
    "KMAnonymity",
    "KMap",
    "LKCPrivacy",
    "MaximumRisk",
    "NamedAttacker",
    "NoAttack",
    "PopulationUniqueness",
    "Profitability",
    "RecursiveCLDiversity",
    "RowsAtRisk",
    "TCloseness",
    "anonymize",
    "balance",
    "check_project",
    "compare_techniques",
    "explore",
    "export_table",
    "import_table",
    "load_project",
    "mask_columns",
    "measure_release",
    "profile_table",
    "read_hierarchy",
    "report_release",
    "run_project",
    "save_project",
    "verify",
]

_HOMES = {
    "celosia.api": (
        "anonymize",
        "balance",
        "explore",
        "export_table",
        "import_table",
        "mask_columns",
        "measure_release",
        "profile_table",
        "report_release",
        "run_project",
        "verify",
    ),
    "celosia.check": ("check_project",),
    "celosia.compare": ("compare_techniques",),
    "celosia.errors": ("CelosiaError",),
    "celosia.hierarchies": ("Hierarchy", "read_hierarchy"),
    "celosia.privacy": (
        "AlphaKAnonymity",
        "NamedAttacker",
        "AverageRisk",
        "BetaLikeness",
        "DeltaDisclosure",
        "DeltaPresence",
        "DistinctLDiversity",
        "EntropyLDiversity",
        "KAnonymity",
        "KMAnonymity",
        "KMap",
        "LKCPrivacy",
        "MaximumRisk",
        "NoAttack",
        "PopulationUniqueness",
        "Profitability",
        "RecursiveCLDiversity",
        "RowsAtRisk",
        "TCloseness",
    ),
    "celosia.project": ("load_project", "save_project"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'celosia' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
