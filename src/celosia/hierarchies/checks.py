"""What can be wrong with a hierarchy: each problem names the offending values and what to do.

In a sound hierarchy every value of the column is there, a value has one label per level, values once together
stay together, a label that was left does not come back, no label is empty, and the last level has one label.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

import numpy as np

from celosia.errors import HierarchyError
from celosia.hierarchies.encoding import Encoded, encode, pad, split_children
from celosia.say import say, say_count

__all__ = ["HierarchyProblem", "Kind", "check", "check_structure", "ensure", "name_some"]

Kind = Literal["empty", "label", "parent", "finer", "cycle", "root", "missing"]

SHOWN = 5
THE_HIERARCHY = say("the hierarchy")


@dataclass(frozen=True)
class HierarchyProblem:
    """One thing wrong with a hierarchy: its kind, what it is, and what to do about it."""

    kind: Kind
    what: str
    remedy: str


def check(
    rows: Iterable[Sequence[str]], values: Iterable[str | None] | None = None
) -> list[HierarchyProblem]:
    """Everything wrong with a hierarchy, given as paths (value first, root last), of a column with values.

    Missing values (None) belong to no hierarchy and are not looked for.

    >>> for problem in check([("Ávila", "León"), ("Soria", "Castilla")], ["Ávila", "Soria", "Lugo"]):
    ...     print(f"{problem.what}; {problem.remedy}")
    the last level has 2 labels: 'León', 'Castilla'; add a last level '*'
    1 value of the column is not in it: 'Lugo'; add a row for it
    """
    paths = pad(rows)
    problems = list(check_structure([encode(labels) for labels in zip(*paths, strict=True)]))
    if paths:
        roots = list(dict.fromkeys(path[-1] for path in paths))
        if len(roots) > 1:
            what = say(
                "the last level has {count} labels: {labels}", count=len(roots), labels=name_some(roots)
            )
            problems.append(HierarchyProblem("root", what, say("add a last level '*'")))
    known = {path[0] for path in paths}
    missing = [value for value in dict.fromkeys(values or ()) if value is not None and value not in known]
    if missing and paths:
        what = say_count(
            "{count} value of the column is not in it: {values}",
            "{count} values of the column are not in it: {values}",
            len(missing),
            values=name_some(missing),
        )
        remedy = say("add a row for it") if len(missing) == 1 else say("add a row for each")
        problems.append(HierarchyProblem("missing", what, remedy))
    return problems


def ensure(
    rows: Iterable[Sequence[str]], values: Iterable[str | None] | None = None, *, where: str = THE_HIERARCHY
) -> None:
    """Raise :class:`HierarchyError` with the first thing :func:`check` finds, and how many more there are.

    >>> ensure([("Ávila", "*"), ("Soria", "*")], ["Ávila"])
    >>> ensure([("Ávila", "*")], ["Ávila", "Lugo"], where="city.csv")
    Traceback (most recent call last):
    celosia.errors.HierarchyError: city.csv: 1 value of the column is not in it: 'Lugo'; add a row for it
    """
    problems = check(rows, values)
    if problems:
        raise HierarchyError(_all_of(problems), where=where, remedy=problems[0].remedy)


def _all_of(problems: Sequence[HierarchyProblem]) -> str:
    """The first problem, and how many more there are."""
    if len(problems) == 1:
        return problems[0].what
    return say_count(
        "{problem} (and {count} more problem)",
        "{problem} (and {count} more problems)",
        len(problems) - 1,
        problem=problems[0].what,
    )


def check_structure(levels: Sequence[Encoded]) -> Iterator[HierarchyProblem]:
    """What is wrong with the levels themselves, whatever the column holds and however many roots."""
    if not levels or not len(levels[0][1]):
        yield HierarchyProblem(
            "empty", say("it has no values"), say("write one row per value: the value, then its labels")
        )
        return
    yield from _check_labels(levels)
    yield from _check_parents(levels)
    yield from _check_cycles(levels)


def _check_labels(levels: Sequence[Encoded]) -> Iterator[HierarchyProblem]:
    # An empty value may stand at level 0: a column holds it where the empty text does not mark a missing one.
    values, value_codes = levels[0]
    for level, (labels, codes) in enumerate(levels[1:], start=1):
        if "" not in labels:
            continue
        under = value_codes[codes == labels.index("")].tolist()
        bare = [values[code] for code in dict.fromkeys(under) if values[code]]
        if bare:
            what = say_count(
                "the label at level {level} is empty for {count} value: {values}",
                "the label at level {level} is empty for {count} values: {values}",
                len(bare),
                level=level,
                values=name_some(bare),
            )
            yield HierarchyProblem(
                "label", what, say("fill it in, or leave the whole level out for a value that skips it")
            )


def _check_parents(levels: Sequence[Encoded]) -> Iterator[HierarchyProblem]:
    for level, ((lower, codes), (upper, above)) in enumerate(pairwise(levels)):
        torn = split_children(codes, above)
        if not len(torn):
            continue
        names = [lower[code] for code in torn]
        example = name_some([upper[code] for code in np.unique(above[codes == torn[0]])])
        if level == 0:
            what = say_count(
                "{count} value with more than one label at level 1: {values}",
                "{count} values with more than one label at level 1: {values}",
                len(names),
                values=name_some(names),
            )
            yield HierarchyProblem(
                "parent",
                what,
                say("keep one row per value ({value!r} has {labels})", value=names[0], labels=example),
            )
        else:
            what = say_count(
                "values together at level {level} are apart again at level {higher}, under {count} label: {labels}",
                "values together at level {level} are apart again at level {higher}, under {count} labels: {labels}",
                len(names),
                level=level,
                higher=level + 1,
                labels=name_some(names),
            )
            remedy = say(
                "give all values under {label!r} the same label at level {level}, not {labels}",
                label=names[0],
                level=level + 1,
                labels=example,
            )
            yield HierarchyProblem("finer", what, remedy)


def _check_cycles(levels: Sequence[Encoded]) -> Iterator[HierarchyProblem]:
    # A label comes back exactly when a path, read as runs of equal labels, has more runs than labels. The
    # value does not take part, nor its repetitions: a table may hold '*' as it stands, below the root '*'.
    if len(levels) < 4:
        return
    place = {label: code for code, label in enumerate({label for labels, _ in levels for label in labels})}
    matrix = np.stack([np.array([place[label] for label in labels])[codes] for labels, codes in levels])
    matrix[np.logical_and.accumulate(matrix == matrix[0], axis=0)] = -1
    runs = (np.diff(matrix, axis=0) != 0).sum(axis=0)
    distinct = (np.diff(np.sort(matrix, axis=0), axis=0) != 0).sum(axis=0)
    guilty = np.flatnonzero(runs > distinct)
    if len(guilty):
        spelled = [[labels[codes[path]] for labels, codes in levels] for path in guilty[:100]]
        names = list(dict.fromkeys(map(_returning, spelled)))
        what = say("a label stands above itself, with another in between: {labels}", labels=name_some(names))
        yield HierarchyProblem("cycle", what, say("rename one of the two"))


def _returning(path: Sequence[str]) -> str:
    """The first label above the value of a path that comes back after another."""
    runs = [label for label, _ in groupby(path)][1:]
    return next(label for place, label in enumerate(runs) if label in runs[:place])


def name_some(names: Sequence[str]) -> str:
    """The first few names, quoted, and how many more there are.

    >>> name_some(["a", "b", "c", "d", "e", "f", "g"])
    "'a', 'b', 'c', 'd', 'e' and 2 more"
    """
    shown = ", ".join(repr(name if len(name) <= 60 else name[:57] + "...") for name in names[:SHOWN])
    if len(names) <= SHOWN:
        return shown
    return say("{names} and {count} more", names=shown, count=len(names) - SHOWN)
