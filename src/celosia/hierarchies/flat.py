"""Values with nothing between themselves and suppression."""

from celosia.hierarchies.building import Values, distinct, stack
from celosia.hierarchies.hierarchy import Hierarchy

__all__ = ["flat"]


def flat(column: str, values: Values) -> Hierarchy:
    """Every value, and ``*``.

    >>> flat("sex", ["M", "F", None]).rows()
    [('F', '*'), ('M', '*')]
    """
    return stack(column, distinct(column, values), levels=[])
