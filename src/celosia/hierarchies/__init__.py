"""What every value of a column becomes, level by level: built, read, written and checked."""

from celosia.hierarchies.checks import HierarchyProblem, check, ensure
from celosia.hierarchies.dates import dates
from celosia.hierarchies.digits import digits
from celosia.hierarchies.files import find_hierarchies, read_hierarchy, write_hierarchy
from celosia.hierarchies.flat import flat
from celosia.hierarchies.gain import gain_intervals
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.hierarchies.intervals import intervals
from celosia.hierarchies.prefixes import prefixes
from celosia.hierarchies.propose import HierarchyProposal, propose
from celosia.hierarchies.rare import merge_rare
from celosia.hierarchies.rules import build_by_rule, is_rule, rule_names
from celosia.hierarchies.taxonomy import taxonomy

__all__ = [
    "Hierarchy",
    "HierarchyProblem",
    "HierarchyProposal",
    "build_by_rule",
    "check",
    "dates",
    "digits",
    "ensure",
    "find_hierarchies",
    "flat",
    "gain_intervals",
    "intervals",
    "is_rule",
    "merge_rare",
    "prefixes",
    "propose",
    "read_hierarchy",
    "rule_names",
    "taxonomy",
    "write_hierarchy",
]
