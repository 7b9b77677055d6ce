"""Promises to whoever knows only some columns, checked on a release: its rows counted by every such set of columns.

Of a model its parameters are read. Each set of columns makes classes of its own, and these are held against what is
asked of a group by the checks of k-anonymity, distinct diversity and shares of values.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError
from celosia.release.counting import NOBODY
from celosia.say import Text, join_texts, say, say_count
from celosia.tables.table import Counts
from celosia.types import nearest

if TYPE_CHECKING:
    from celosia.privacy import PrivacyModel

__all__ = [
    "GROUP_CHECKS",
    "CountedGroups",
    "GroupsBelow",
    "asked_of_groups",
    "check_known",
    "known_sets",
    "say_groups",
]

Integers = npt.NDArray[np.int64]
GROUP_CHECKS = ("attacker", "km-anonymity", "lkc-privacy")
"""Models that are about groups of classes, by name."""


@dataclass(frozen=True)
class GroupsBelow:
    """Of one set of columns that somebody may know: the smallest group, and whom groups of fewer than k rows hold."""

    columns: tuple[str, ...]
    smallest: int
    groups: int
    rows: int
    alone: int

    @classmethod
    def of(cls, columns: tuple[str, ...], sizes: Integers, times: Integers, k: int) -> "GroupsBelow":
        """Counted from sizes of groups, and how many groups have each.

        >>> GroupsBelow.of(("age",), np.array([1, 4, 9]), np.array([2, 1, 1]), 5)
        GroupsBelow(columns=('age',), smallest=1, groups=3, rows=6, alone=2)
        """
        low = sizes < k
        return cls(
            columns,
            int(sizes.min(initial=2**62)),
            int(times[low].sum()),
            int(sizes[low] @ times[low]),
            int(times[sizes == 1].sum()),
        )


def known_sets(model: "PrivacyModel", columns: Sequence[str]) -> list[tuple[str, ...]]:
    """The sets of columns that somebody is taken to know, of those that the release shows.

    >>> from celosia.privacy import KMAnonymity
    >>> known_sets(KMAnonymity(k=2, known=2), ["age", "sex", "zip"])
    [('age', 'sex'), ('age', 'zip'), ('sex', 'zip')]
    """
    asked: Any = model
    if asked.name == "attacker":
        return [known] if (known := tuple(name for name in columns if name in asked.knows)) else []
    return list(combinations(columns, min(asked.known, len(columns))))


def asked_of_groups(model: "PrivacyModel") -> list[Any]:
    """What is asked of every group, as the checks of classes take it."""
    asked: Any = model
    wanted: list[Any] = [SimpleNamespace(name="k-anonymity", column=None, k=asked.k)]
    if asked.name == "lkc-privacy":
        share = {"alpha": asked.confidence, "k": 1, "value": asked.value}
        wanted.append(SimpleNamespace(name="alpha-k-anonymity", column=asked.column, **share))
    elif asked.column is not None:
        wanted.append(SimpleNamespace(name="distinct-l-diversity", column=asked.column, l=asked.l))
    return wanted


def check_known(models: Sequence["PrivacyModel"], columns: Sequence[str], *, where: str = "models") -> None:
    """Raise if an attacker knows what is no quasi-identifier: nothing would be promised about it.

    >>> from celosia.privacy import NamedAttacker
    >>> check_known([NamedAttacker(who="neighbour", knows="age, sexo", k=5)], ["age", "sex"])
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: models: neighbour knows 'sexo', which is not a quasi-identifier; did you mean 'sex'?
    """
    for model in models:
        for name in getattr(model, "knows", ()):
            if name not in columns:
                raise ProjectError(
                    say(
                        "{who} knows {column!r}, which is not a quasi-identifier",
                        who=getattr(model, "who", ""),
                        column=name,
                    ),
                    where=where,
                    remedy=nearest(name, tuple(columns), say("the quasi-identifiers")),
                )


class CountedGroups:
    """The groups of some columns, from all combinations counted once."""

    def __init__(self, counts: Counts, columns: tuple[str, ...]) -> None:
        self._counts, self._columns = counts, columns
        codes = {f"qi{place}": self._codes(name) for place, name in enumerate(columns)}
        self._frame = pl.DataFrame({**codes, "n": counts.counts})
        self._keys = list(codes)

    def _codes(self, column: str) -> npt.NDArray[np.int32]:
        return self._counts.codes[self._counts.columns.index(column)]

    def sizes(self) -> tuple[Integers, Integers]:
        """Sizes of groups, and how many groups have each."""
        sizes = self._frame.group_by(self._keys).agg(pl.col("n").sum()).group_by("n").len("times")
        return sizes["n"].to_numpy().astype(np.int64), sizes["times"].to_numpy().astype(np.int64)

    def values(self, column: str) -> tuple[str | None, ...]:
        """The values of a column."""
        return tuple(self._counts.texts[self._counts.columns.index(column)].to_list())

    def entries(self, column: str) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """All groups at once; there are no other rows."""
        value = pl.Series("value", self._codes(column).astype(np.int64))
        counted = self._frame.with_columns(value).group_by([*self._keys, "value"]).agg(pl.col("n").sum())
        number = pl.struct(self._keys).rank("dense").cast(pl.Int64).alias("class")
        yield counted.select(number, "value", "n"), NOBODY

    def shown(self) -> Iterator[pl.DataFrame]:
        """Nobody asks what groups show."""
        return iter(())


def say_groups(model: "PrivacyModel", groups: Sequence[GroupsBelow], told: Sequence[str]) -> Text:
    """One sentence about all sets of columns, with that which puts most rows at risk; ``told`` is said of values."""
    asked: Any = model
    if asked.name == "attacker":
        title = say("attacker {who}, who knows {columns}", who=asked.who, columns=", ".join(asked.knows))
    else:
        title = say_count(
            "{model}, whoever knows {count} quasi-identifier",
            "{model}, whoever knows up to {count} quasi-identifiers",
            asked.known,
            model=asked.name,
        )
    worst = max(groups, key=lambda group: (group.rows, -group.smallest))
    smallest = min(group.smallest for group in groups)
    text = say("{title}: asked {asked:g}, reached {reached:g}", title=title, asked=asked.k, reached=smallest)
    below = say("nobody is in a group smaller than {k}", k=asked.k)
    if worst.rows:
        below = say_count(
            "by {columns} {count:,} row is in a group smaller than {k}, {alone:,} alone",
            "by {columns} {count:,} rows are in groups smaller than {k}, {alone:,} of them alone",
            worst.rows,
            columns=", ".join(worst.columns),
            k=asked.k,
            alone=worst.alone,
        )
    return join_texts("; ", [text, below, *told])
