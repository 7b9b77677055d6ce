"""The project language: what is released, how, and under which promises, as a document."""

from celosia.project.changes import SchemaChange, changed_types, match_to_table
from celosia.project.json_schema import json_schema
from celosia.project.load import load_project, make_project, save_project
from celosia.project.parts import (
    COMPARED_MEASURES,
    COMPARED_MODELS,
    Acceptance,
    AttackerPlan,
    ColumnPlan,
    ComparePlan,
    Destination,
    HierarchyLike,
    KnowledgePlan,
    LedgerPlan,
    PopulationPlan,
    ProcessingPlan,
    ReleaseKind,
    Source,
    StudyPlan,
    Unlisted,
)
from celosia.project.project import Goals, Project, TablePlan, assign_roles

__all__ = [
    "COMPARED_MEASURES",
    "COMPARED_MODELS",
    "Acceptance",
    "AttackerPlan",
    "ColumnPlan",
    "ComparePlan",
    "Destination",
    "Goals",
    "HierarchyLike",
    "KnowledgePlan",
    "LedgerPlan",
    "PopulationPlan",
    "ProcessingPlan",
    "Project",
    "ReleaseKind",
    "SchemaChange",
    "Source",
    "StudyPlan",
    "TablePlan",
    "Unlisted",
    "assign_roles",
    "changed_types",
    "json_schema",
    "load_project",
    "make_project",
    "match_to_table",
    "save_project",
]
