"""The balance of k: what every k keeps of a table, and the largest that keeps its distributions."""

from celosia.balancing.curve import RULES, Balance, Rule
from celosia.balancing.evaluate import BalanceEvaluation, Original, evaluate_partition
from celosia.balancing.sweep import choose_technique, sweep

__all__ = [
    "RULES",
    "Balance",
    "BalanceEvaluation",
    "Original",
    "Rule",
    "choose_technique",
    "evaluate_partition",
    "sweep",
]
