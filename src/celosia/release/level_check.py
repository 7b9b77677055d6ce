"""Whether every value of a release stands where its node says: on the chosen level of its hierarchy, and nowhere else.

Like the rest of the verification it shares nothing with the search: it reads the paths of the hierarchies, the levels
of the record, and the texts that were written.
"""

from collections.abc import Callable, Collection, Iterable, Mapping

from celosia.hierarchies import Hierarchy
from celosia.release.verify import Finding
from celosia.say import say, say_count

__all__ = ["check_cut", "check_level"]


def check_cut(
    values: Callable[[str], Iterable[str | None]],
    levels: Mapping[str, int],
    hierarchies: Mapping[str, Hierarchy],
    *,
    missing: Collection[str] = (),
) -> tuple[Finding, ...]:
    """What is found of all generalized columns: the ones that break the rule, or one finding that none does.

    ``values`` tells the different texts that were written of a column; it is asked about generalized ones only. A
    column at level 0 shows values of the table as they are, known to its hierarchy or filled in; there is nothing to
    check.

    >>> sex = Hierarchy.from_rows("sex", [("f", "*"), ("m", "*")])
    >>> check_cut(lambda column: ["*"], {"sex": 1}, {"sex": sex})[0].text
    'every generalized value is on the level that was chosen for its column'
    """
    findings = [
        check_level(name, values(name), hierarchies[name], level, missing=missing)
        for name, level in levels.items()
        if level
    ]
    broken = tuple(finding for finding in findings if not finding.passed)
    text = say("every generalized value is on the level that was chosen for its column")
    return broken or ((Finding("level", None, None, None, 0, True, text),) if findings else ())


def check_level(
    column: str,
    values: Iterable[str | None],
    hierarchy: Hierarchy,
    level: int,
    *,
    missing: Collection[str] = (),
) -> Finding:
    """Whether the values of one column are labels of that level.

    A missing value, or a text in ``missing`` by which a file shows one, may stand on any level but the last, where all
    values have become one.

    >>> sex = Hierarchy.from_rows("sex", [("f", "*"), ("m", "*")])
    >>> check_level("sex", ["*", "f"], sex, 1).text
    "1 different value of 'sex' is not on level 1 of its hierarchy"
    """
    allowed: set[str | None] = {path[level] for path in hierarchy.rows()}
    if level < hierarchy.height:
        allowed.update([None, *missing])
    strange = sum(value not in allowed for value in values)
    text = (
        say_count(
            "{count} different value of {column!r} is not on level {level} of its hierarchy",
            "{count} different values of {column!r} are not on level {level} of its hierarchy",
            strange,
            column=column,
            level=level,
        )
        if strange
        else say("{column!r}: every value is on level {level} of its hierarchy", column=column, level=level)
    )
    return Finding("level", column, float(level), None, 0, strange == 0, text)
