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
from celosia.hierarchies.taxonomy import taxonomy

__all__ = [
    "Hierarchy",
    "HierarchyProblem",
    "HierarchyProposal",
    "check",
    "dates",
    "digits",
    "ensure",
    "find_hierarchies",
    "flat",
    "gain_intervals",
    "intervals",
    "merge_rare",
    "prefixes",
    "propose",
    "read_hierarchy",
    "taxonomy",
    "write_hierarchy",
]
