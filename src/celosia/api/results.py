"""The types that results are made of, each loaded when it is first used: names for annotations of front ends."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from celosia.balancing import Balance, Rule
    from celosia.check import Remark
    from celosia.compare import Comparison
    from celosia.compare.given import GivenTable
    from celosia.hierarchies import Hierarchy, HierarchyProposal
    from celosia.ledger.chain import Anchor, LedgerChain
    from celosia.ledger.erasure import Traces
    from celosia.ledger.extending import Extended
    from celosia.ledger.fingerprint import Suspect
    from celosia.ledger.foreign import Met, Subset
    from celosia.ledger.ledger import Entry, Ledger
    from celosia.ledger.processing import Processing
    from celosia.mask import ColumnOperation, Operation
    from celosia.mask.keys import Keys, KeySource, SecretKey
    from celosia.mask.reverse import Reversible
    from celosia.measure.distribution import ColumnComparison
    from celosia.measure.distribution.compare import DistributionComparison
    from celosia.measure.learning import LearningModel
    from celosia.measure.measured import Measured, ReleaseMeasure
    from celosia.measure.results import Result, Results
    from celosia.measure.risk import ClassRisk
    from celosia.measure.rules import RuleResult
    from celosia.privacy import PrivacyModel
    from celosia.profile import Profile, QuasiIdentifierProposal
    from celosia.project import Project, Source, TablePlan
    from celosia.project.convert import Converted
    from celosia.project.draft import Draft, TableDraft
    from celosia.recode.explore import Exploration
    from celosia.recode.lattice import Node
    from celosia.recode.result import SearchResult
    from celosia.recode.techniques import Technique
    from celosia.release.job import Ask
    from celosia.release.release import Release
    from celosia.release.verify import Verification
    from celosia.report import BarChart, Chart, FrontierChart
    from celosia.report.charts import AnyChart
    from celosia.report.evidence import MeasureAnswer, ReleaseEvidence
    from celosia.study import Study
    from celosia.tables.sql.columns import SqlColumn
    from celosia.tables.sql.dialect import DatabaseTable
    from celosia.tables.table import Progress, Table

_HOMES = {
    "celosia.balancing": ("Balance", "Rule"),
    "celosia.check": ("Remark",),
    "celosia.compare": ("Comparison",),
    "celosia.compare.given": ("GivenTable",),
    "celosia.hierarchies": ("Hierarchy", "HierarchyProposal"),
    "celosia.ledger.chain": ("Anchor", "LedgerChain"),
    "celosia.ledger.erasure": ("Traces",),
    "celosia.ledger.extending": ("Extended",),
    "celosia.ledger.fingerprint": ("Suspect",),
    "celosia.ledger.foreign": ("Met", "Subset"),
    "celosia.ledger.ledger": ("Entry", "Ledger"),
    "celosia.ledger.processing": ("Processing",),
    "celosia.mask": (
        "ColumnOperation",
        "Operation",
    ),
    "celosia.mask.keys": ("KeySource", "Keys", "SecretKey"),
    "celosia.mask.reverse": ("Reversible",),
    "celosia.measure.distribution": ("ColumnComparison",),
    "celosia.measure.distribution.compare": ("DistributionComparison",),
    "celosia.measure.learning": ("LearningModel",),
    "celosia.measure.measured": (
        "Measured",
        "ReleaseMeasure",
    ),
    "celosia.measure.results": ("Result", "Results"),
    "celosia.measure.risk": ("ClassRisk",),
    "celosia.measure.rules": ("RuleResult",),
    "celosia.privacy": ("PrivacyModel",),
    "celosia.profile": ("Profile", "QuasiIdentifierProposal"),
    "celosia.project": ("Project", "Source", "TablePlan"),
    "celosia.project.convert": ("Converted",),
    "celosia.project.draft": ("Draft", "TableDraft"),
    "celosia.recode.explore": ("Exploration",),
    "celosia.recode.lattice": ("Node",),
    "celosia.recode.result": ("SearchResult",),
    "celosia.recode.techniques": ("Technique",),
    "celosia.release.job": ("Ask",),
    "celosia.release.release": ("Release",),
    "celosia.release.verify": ("Verification",),
    "celosia.report": ("BarChart", "Chart", "FrontierChart"),
    "celosia.report.charts": ("AnyChart",),
    "celosia.report.evidence": ("MeasureAnswer", "ReleaseEvidence"),
    "celosia.study": ("Study",),
    "celosia.tables.sql.columns": ("SqlColumn",),
    "celosia.tables.sql.dialect": ("DatabaseTable",),
    "celosia.tables.table": ("Progress", "Table"),
}

__all__ = [
    "Anchor",
    "AnyChart",
    "Ask",
    "Balance",
    "BarChart",
    "Chart",
    "ClassRisk",
    "ColumnComparison",
    "ColumnOperation",
    "Comparison",
    "Converted",
    "DatabaseTable",
    "DistributionComparison",
    "Draft",
    "Entry",
    "Exploration",
    "Extended",
    "FrontierChart",
    "GivenTable",
    "Hierarchy",
    "HierarchyProposal",
    "KeySource",
    "Keys",
    "LearningModel",
    "Ledger",
    "LedgerChain",
    "MeasureAnswer",
    "Measured",
    "Met",
    "Node",
    "Operation",
    "PrivacyModel",
    "Processing",
    "Profile",
    "Progress",
    "Project",
    "QuasiIdentifierProposal",
    "Release",
    "ReleaseEvidence",
    "ReleaseMeasure",
    "Remark",
    "Result",
    "Results",
    "Reversible",
    "Rule",
    "RuleResult",
    "SearchResult",
    "SecretKey",
    "Source",
    "SqlColumn",
    "Study",
    "Subset",
    "Suspect",
    "Table",
    "TableDraft",
    "TablePlan",
    "Technique",
    "Traces",
    "Verification",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'celosia.api.results' has no attribute {name!r}")
