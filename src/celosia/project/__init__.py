"""The project language: what a release is made of, as a document."""

from celosia.project.project import ColumnPlan, Project, Source, assign_roles, make_project

__all__ = ["ColumnPlan", "Project", "Source", "assign_roles", "make_project"]
