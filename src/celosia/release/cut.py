"""Whether every value of a release stands where its node says: on the chosen level of its hierarchy, and nowhere else.

Like the rest of the verification it shares nothing with the search: it reads the paths of the hierarchies, the levels
of the record, and the texts that were written.
"""

from collections.abc import Mapping

from celosia.hierarchies import Hierarchy
from celosia.release.verify import Finding
from celosia.tables.table import Counts

__all__ = ["check_cut"]


def check_cut(
    released: Counts, levels: Mapping[str, int], hierarchies: Mapping[str, Hierarchy]
) -> tuple[Finding, ...]:
    """A finding about every generalized column of a release whose classes were counted.

    A column at level 0 shows values of the table as they are, known to its hierarchy or filled in; there is nothing to
    check. A missing value may stand on any level but the last, where all values have become one.

    >>> import numpy as np, polars as pl
    >>> sex = Hierarchy.from_rows("sex", [("f", "*"), ("m", "*")])
    >>> found = Counts(("sex",), (pl.Series(["*", "f"]),), (np.array([0, 1], np.int32),), np.array([7, 2]))
    >>> check_cut(found, {"sex": 1}, {"sex": sex})[0].text
    "1 different value of 'sex' is not on level 1 of its hierarchy"
    """
    findings = []
    for name, level in levels.items():
        if level == 0:
            continue
        hierarchy = hierarchies[name]
        allowed: set[str | None] = {path[level] for path in hierarchy.rows()}
        if level < hierarchy.height:
            allowed.add(None)
        place = released.columns.index(name)
        strange = sum(value not in allowed for value in released.values[place].to_list())
        verb = "is" if strange == 1 else "are"
        text = (
            f"{strange} different value{'' if strange == 1 else 's'} of {name!r} {verb} not on level {level} of its "
            "hierarchy"
            if strange
            else f"{name!r}: every value is on level {level} of its hierarchy"
        )
        findings.append(Finding("level", name, float(level), None, 0, strange == 0, text))
    return tuple(findings)
