"""Risk measures: what a table still betrays about the people in it."""

from celosia.measure.risk.classes import ClassRisk, class_risk

__all__ = ["ClassRisk", "class_risk"]
