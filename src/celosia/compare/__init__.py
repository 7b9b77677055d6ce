"""Comparisons: what techniques cost the models that learn from their tables, and what they protect."""

from celosia.compare.compare import compare_techniques
from celosia.compare.comparison import Comparison

__all__ = ["Comparison", "compare_techniques"]
