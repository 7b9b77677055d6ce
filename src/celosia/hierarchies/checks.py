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

__all__ = ["Kind", "Problem", "check", "check_structure", "ensure", "name_some"]

Kind = Literal["empty", "label", "parent", "finer", "cycle", "root", "missing"]

SHOWN = 5


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a hierarchy: its kind, what it is, and what to do about it."""

    kind: Kind
    what: str
    remedy: str


def check(rows: Iterable[Sequence[str]], values: Iterable[str | None] | None = None) -> list[Problem]:
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
            what = f"the last level has {len(roots)} labels: {name_some(roots)}"
            problems.append(Problem("root", what, "add a last level '*'"))
    known = {path[0] for path in paths}
    missing = [value for value in dict.fromkeys(values or ()) if value is not None and value not in known]
    if missing and paths:
        one = len(missing) == 1
        count = f"{_count(missing, 'value')} of the column {'is' if one else 'are'} not in it"
        problems.append(
            Problem("missing", f"{count}: {name_some(missing)}", f"add a row for {'it' if one else 'each'}")
        )
    return problems


def ensure(
    rows: Iterable[Sequence[str]], values: Iterable[str | None] | None = None, *, where: str = "the hierarchy"
) -> None:
    """Raise :class:`HierarchyError` with the first thing :func:`check` finds, and how many more there are.

    >>> ensure([("Ávila", "*"), ("Soria", "*")], ["Ávila"])
    >>> ensure([("Ávila", "*")], ["Ávila", "Lugo"], where="city.csv")
    Traceback (most recent call last):
    celosia.errors.HierarchyError: city.csv: 1 value of the column is not in it: 'Lugo'; add a row for it
    """
    problems = check(rows, values)
    if problems:
        more = f" (and {_count(problems[1:], 'more problem')})" if problems[1:] else ""
        raise HierarchyError(problems[0].what + more, where=where, remedy=problems[0].remedy)


def check_structure(levels: Sequence[Encoded]) -> Iterator[Problem]:
    """What is wrong with the levels themselves, whatever the column holds and however many roots."""
    if not levels or not len(levels[0][1]):
        yield Problem("empty", "it has no values", "write one row per value: the value, then its labels")
        return
    yield from _check_labels(levels)
    yield from _check_parents(levels)
    yield from _check_cycles(levels)


def _check_labels(levels: Sequence[Encoded]) -> Iterator[Problem]:
    # An empty value may stand at level 0: a column holds it where the empty text does not mark a missing one.
    values, value_codes = levels[0]
    for level, (labels, codes) in enumerate(levels[1:], start=1):
        if "" not in labels:
            continue
        under = value_codes[codes == labels.index("")].tolist()
        bare = [values[code] for code in dict.fromkeys(under) if values[code]]
        if bare:
            what = f"the label at level {level} is empty for {_count(bare, 'value')}: {name_some(bare)}"
            yield Problem("label", what, "fill it in, or leave the whole level out for a value that skips it")


def _check_parents(levels: Sequence[Encoded]) -> Iterator[Problem]:
    for level, ((lower, codes), (upper, above)) in enumerate(pairwise(levels)):
        torn = split_children(codes, above)
        if not len(torn):
            continue
        names = [lower[code] for code in torn]
        example = name_some([upper[code] for code in np.unique(above[codes == torn[0]])])
        if level == 0:
            what = f"{_count(names, 'value')} with more than one label at level 1: {name_some(names)}"
            yield Problem("parent", what, f"keep one row per value ({names[0]!r} has {example})")
        else:
            what = (
                f"values together at level {level} are apart again at level {level + 1}, "
                f"under {_count(names, 'label')}: {name_some(names)}"
            )
            remedy = f"give all values under {names[0]!r} the same label at level {level + 1}, not {example}"
            yield Problem("finer", what, remedy)


def _check_cycles(levels: Sequence[Encoded]) -> Iterator[Problem]:
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
        what = f"a label stands above itself, with another in between: {name_some(names)}"
        yield Problem("cycle", what, "rename one of the two")


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
    return shown + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


def _count(things: Sequence[object], noun: str) -> str:
    return f"{len(things)} {noun}" + ("" if len(things) == 1 else "s")
