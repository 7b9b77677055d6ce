"""The types that results are made of, each loaded when it is first used: names for annotations of front ends."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from celosia.balancing import Balance, Rule
    from celosia.check import Remark
    from celosia.compare import Comparison
    from celosia.compare.input_table import InputTable
    from celosia.hierarchies import Hierarchy, HierarchyProposal
    from celosia.ledger.chain_lines import Anchor, LedgerChain
    from celosia.ledger.entry import Entry, EntryFingerprint
    from celosia.ledger.erasure import FileTraces
    from celosia.ledger.extending import ExtensionResult
    from celosia.ledger.fingerprint import Suspect
    from celosia.ledger.foreign import RecipientSubset, TablePair
    from celosia.ledger.ledger import Ledger
    from celosia.ledger.processing import ProcessingRecord
    from celosia.mask import ColumnOperation, Operation
    from celosia.mask.keys import Keys, KeySource, SecretKey
    from celosia.mask.reverse import Reversible
    from celosia.measure.distribution import ColumnComparison
    from celosia.measure.distribution.compare import DistributionComparison
    from celosia.measure.learning import LearningModel
    from celosia.measure.release_measure import MeasuredValue, ReleaseMeasure
    from celosia.measure.results import MeasureResult, MeasureResults
    from celosia.measure.risk import ClassRisk
    from celosia.measure.rules import RuleResult
    from celosia.privacy import PrivacyModel
    from celosia.profile import Profile, QuasiIdentifierProposal
    from celosia.project import Project, Source, TablePlan
    from celosia.project.convert import ConvertedProject
    from celosia.project.draft import Draft, TableDraft
    from celosia.recode.explore import Exploration
    from celosia.recode.lattice import Node
    from celosia.recode.result import SearchResult
    from celosia.recode.techniques import Technique
    from celosia.release.prepared_table import Ask
    from celosia.release.release import Release
    from celosia.release.table_verification import TableVerification
    from celosia.release.verdict import Verdict
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
    "celosia.compare.input_table": ("InputTable",),
    "celosia.hierarchies": ("Hierarchy", "HierarchyProposal"),
    "celosia.ledger.chain_lines": ("Anchor", "LedgerChain"),
    "celosia.ledger.erasure": ("FileTraces",),
    "celosia.ledger.extending": ("ExtensionResult",),
    "celosia.ledger.fingerprint": ("Suspect",),
    "celosia.ledger.foreign": ("RecipientSubset", "TablePair"),
    "celosia.ledger.entry": ("Entry", "EntryFingerprint"),
    "celosia.ledger.ledger": ("Ledger",),
    "celosia.ledger.processing": ("ProcessingRecord",),
    "celosia.mask": ("ColumnOperation", "Operation"),
    "celosia.mask.keys": ("KeySource", "Keys", "SecretKey"),
    "celosia.mask.reverse": ("Reversible",),
    "celosia.measure.distribution": ("ColumnComparison",),
    "celosia.measure.distribution.compare": ("DistributionComparison",),
    "celosia.measure.learning": ("LearningModel",),
    "celosia.measure.release_measure": ("MeasuredValue", "ReleaseMeasure"),
    "celosia.measure.results": ("MeasureResult", "MeasureResults"),
    "celosia.measure.risk": ("ClassRisk",),
    "celosia.measure.rules": ("RuleResult",),
    "celosia.privacy": ("PrivacyModel",),
    "celosia.profile": ("Profile", "QuasiIdentifierProposal"),
    "celosia.project": ("Project", "Source", "TablePlan"),
    "celosia.project.convert": ("ConvertedProject",),
    "celosia.project.draft": ("Draft", "TableDraft"),
    "celosia.recode.explore": ("Exploration",),
    "celosia.recode.lattice": ("Node",),
    "celosia.recode.result": ("SearchResult",),
    "celosia.recode.techniques": ("Technique",),
    "celosia.release.prepared_table": ("Ask",),
    "celosia.release.release": ("Release",),
    "celosia.release.table_verification": ("TableVerification",),
    "celosia.release.verdict": ("Verdict",),
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
    "ConvertedProject",
    "DatabaseTable",
    "DistributionComparison",
    "Draft",
    "Entry",
    "EntryFingerprint",
    "Exploration",
    "ExtensionResult",
    "FileTraces",
    "FrontierChart",
    "Hierarchy",
    "HierarchyProposal",
    "InputTable",
    "KeySource",
    "Keys",
    "LearningModel",
    "Ledger",
    "LedgerChain",
    "MeasureAnswer",
    "MeasureResult",
    "MeasureResults",
    "MeasuredValue",
    "Node",
    "Operation",
    "PrivacyModel",
    "ProcessingRecord",
    "Profile",
    "Progress",
    "Project",
    "QuasiIdentifierProposal",
    "RecipientSubset",
    "Release",
    "ReleaseEvidence",
    "ReleaseMeasure",
    "Remark",
    "Reversible",
    "Rule",
    "RuleResult",
    "SearchResult",
    "SecretKey",
    "Source",
    "SqlColumn",
    "Study",
    "Suspect",
    "Table",
    "TableDraft",
    "TablePair",
    "TablePlan",
    "TableVerification",
    "Technique",
    "Verdict",
    "Verification",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'celosia.api.results' has no attribute {name!r}")
