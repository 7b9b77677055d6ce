"""Techniques: each turns a table into a safer one; adding a module adds a technique."""

from celosia.recode.techniques.registry import TECHNIQUES, find_technique, make_technique
from celosia.recode.techniques.technique import RecodingPlan, Technique

__all__ = ["TECHNIQUES", "RecodingPlan", "Technique", "find_technique", "make_technique"]
