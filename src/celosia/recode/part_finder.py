"""Where to cut a table that is too large: as evenly as can be, found by counting where the table lies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import NoSolutionError
from celosia.privacy import Classes, Histogram, SensitiveColumn
from celosia.recode.cuts import Bound, CutAxis, CutPlace, CutTree
from celosia.recode.domain import MissingPolicy, check_people
from celosia.recode.mondrian import CutRules
from celosia.say import say
from celosia.tables.splitter import Range, Splitter
from celosia.tables.table import Progress
from celosia.values.same import SensitiveValues, fold_keys, people_keys, sensitive_values
from celosia.values.text import text_of

__all__ = ["PartFinder"]

Integers = npt.NDArray[np.int64]
EVEN = 0.25
"""A cut that leaves this share of the rows on its smaller side is even enough; no other column is looked at."""
MIDDLE = 0.4
"""While a cut in the column that is looked at leaves less on its smaller side, its heavy bin is looked into."""
STAGE = say("cutting into parts")


@dataclass(frozen=True)
class _Proposal:
    """A cut that leaves ``low`` rows at the bound or before it."""

    line: int
    bound: Bound
    low: int
    share: float


Pile = tuple[Any, Any, int]
"""Neighbouring values: the smallest, the largest, the rows of all of them."""


class PartFinder:
    """The cuts found so far, ``rows[part]`` of every part, and what is known of the whole table.

    ``values[name]`` are the values of a sensitive column as texts, ``numbers[name]`` the place of each by its text
    or its key and ``wholes[name]`` how many rows have each. Of the column that tells people apart nothing is kept, for
    they may be millions: in every part they are counted anew.
    """

    def __init__(
        self, splitter: Splitter, lines: tuple[CutAxis, ...], sensitive: Sequence[str], rules: CutRules
    ) -> None:
        self.splitter, self.sensitive, self.rules = splitter, sensitive, rules
        whole = self._extremes(CutTree(lines)).get(0, {"rows": 0})
        self.rows: list[int] = [whole["rows"]]
        self.whole, filled = whole, {}
        for i, line in enumerate(lines):
            if line.missing is MissingPolicy.MODE and 0 < whole.get(f"present_{i}", 0) < whole["rows"]:
                filled[i] = splitter.mode(i)
        self.splitter = splitter.fill(filled)
        self.cuts = CutTree(tuple(replace(line, filled=filled.get(i)) for i, line in enumerate(lines)))
        self.values: dict[str, SensitiveValues] = {}
        self.numbers: dict[str, dict[str | None, int]] = {}
        self._codes: dict[str, pl.DataFrame] = {}
        self.wholes: dict[str, Integers] = {}
        for i, name in enumerate(sensitive):
            if name == rules.person:
                continue
            counted = self._count_values(self.cuts, i).sort("text", nulls_last=True)
            texts = counted.get_column("text")
            self.values[name] = sensitive_values(texts)
            self.wholes[name] = counted.get_column("rows").to_numpy().astype(np.int64)
            self._codes[name] = pl.DataFrame({"text": texts}).with_row_index("code")
            keys = fold_keys(texts)
            # A part may come by another way than the whole, and write a value otherwise: its key is then the same.
            self.numbers[name] = {
                **{key: number for number, key in enumerate(keys)},
                **{text: number for number, text in enumerate(texts)},
            }

    def begin_at(self, nodes: tuple[CutPlace, ...]) -> None:
        """Start from cuts that were found among some of the rows, if all parts satisfy the models."""
        cuts = replace(self.cuts, nodes=nodes)
        counted = dict(self.splitter.rows(cuts).iter_rows())
        rows = [counted.get(part, 0) for part in range(cuts.count)]
        if self._is_good(cuts, rows).all():
            self.cuts, self.rows = cuts, rows

    def run(self, is_large: Callable[[int], bool], progress: Progress) -> list[int]:
        """Cut parts that are too large, level by level; returns those that would have to be cut and cannot."""
        if not self._is_good(self.cuts, self.rows).all():
            raise NoSolutionError(
                say("even one class of all rows does not satisfy the privacy models"),
                remedy=say("ask for less: a lower k or l, a higher t"),
            )
        stuck: list[int] = []
        while not stuck and (large := [part for part in range(self.cuts.count) if is_large(part)]):
            progress(STAGE, 1 - len(large) / self.cuts.count)
            stuck = self._cut(large)
        progress(STAGE, 1.0)
        return stuck

    def _cut(self, large: Sequence[int]) -> list[int]:
        """Cut parts in two, each in the widest column that can be cut well; those that cannot be cut at all."""
        is_known = self.cuts.count == 1 and not any(line.filled is not None for line in self.cuts.lines)
        extremes = {0: self.whole} if is_known else self._extremes(self.cuts)
        queues = {part: self._by_width(extremes[part]) for part in large}
        spare: dict[int, list[_Proposal]] = {part: [] for part in large}
        chosen: dict[int, _Proposal] = {}
        stuck: list[int] = []
        while queues:
            asked: dict[int, list[int]] = {}
            candidates: dict[int, _Proposal] = {}
            for part in list(queues):
                if queues[part]:
                    asked.setdefault(queues[part].pop(0), []).append(part)
                elif spare[part]:
                    candidates[part] = spare[part].pop(int(np.argmax([one.share for one in spare[part]])))
                else:
                    stuck.append(part)
                    del queues[part]
            for line, parts in asked.items():
                for part, found in self._halve(line, parts, extremes).items():
                    if found.share >= EVEN:
                        candidates[part] = found
                    else:
                        spare[part].append(found)
            for part, found in self._safe(candidates).items():
                chosen[part] = found
                del queues[part]
        self.cuts, self.rows = self._with(chosen)
        return stuck

    @property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """The finite ends of columns of numbers and dates in the whole table."""
        found = {}
        for i, line in enumerate(self.cuts.lines):
            low, high = self.whole.get(f"low_{i}"), self.whole.get(f"high_{i}")
            if line.dtype != pl.String and not line.is_tree and low is not None and high is not None:
                found[line.name] = float(low), float(high)
        return found

    def _extremes(self, cuts: CutTree) -> dict[int, dict[str, Any]]:
        return {row["part"]: row for row in self.splitter.extremes(cuts).iter_rows(named=True)}

    def _by_width(self, found: Mapping[str, Any]) -> list[int]:
        """Columns with more than one value, the widest first."""
        widths = {
            i: _share(*((one[f"low_{i}"], one[f"high_{i}"]) for one in (found, self.whole)))
            for i in range(len(self.cuts.lines))
            if found[f"first_{i}"] != found[f"last_{i}"] or 0 < found[f"present_{i}"] < found["rows"]
        }
        return sorted(widths, key=lambda i: -widths[i])

    def _halve(
        self, line: int, parts: Sequence[int], extremes: Mapping[int, Mapping[str, Any]]
    ) -> dict[int, _Proposal]:
        """The evenest cut of every part in one column, if both sides have enough rows."""
        piles: dict[int, list[Pile]] = {}
        ranges: dict[int, tuple[int, Range]] = {}
        for part in parts:
            first, last, low, high, present = (
                extremes[part][f"{what}_{line}"] for what in ("first", "last", "low", "high", "present")
            )
            piles[part] = [(first, last, present)]
            if first != last:
                whole = Range(first, last, low, high) if low is not None else Range(first, last, 0.0, 0.0)
                ranges[part] = 0, whole
        while ranges:
            binned = self.splitter.bins(self.cuts, line, {part: r for part, (_, r) in ranges.items()})
            for key, group in binned.sort("part", "low").partition_by("part", as_dict=True).items():
                place = ranges[key[0]][0]
                piles[key[0]][place : place + 1] = group.select("low", "high", "rows").rows()
            looked = list(ranges)
            ranges = {}
            for part in looked:
                heavy = _heavy(piles[part], self.rows[part])
                if heavy is not None:
                    low, high, _ = piles[part][heavy]
                    ranges[part] = heavy, Range(low, high, low, high)
        found = {part: self._evenest(line, piles[part], self.rows[part]) for part in parts}
        return {part: one for part, one in found.items() if one is not None}

    def _evenest(self, line: int, piles: Sequence[Pile], rows: int) -> _Proposal | None:
        below = np.cumsum([pile[2] for pile in piles])
        smaller = np.minimum(below, rows - below)
        best = int(np.argmax(smaller))
        if smaller[best] < self.rules.least:
            return None
        return _Proposal(line, piles[best][1], int(below[best]), float(smaller[best] / rows))

    def _safe(self, candidates: Mapping[int, _Proposal]) -> dict[int, _Proposal]:
        """Those cuts of which both sides satisfy every model."""
        ordered = sorted(candidates)
        if not ordered:
            return {}
        cuts, rows = self._with(candidates)
        good = self._is_good(cuts, rows)
        sides = zip(ordered, range(self.cuts.count, cuts.count), strict=True)
        return {part: candidates[part] for part, other in sides if good[part] and good[other]}

    def _with(self, chosen: Mapping[int, _Proposal]) -> tuple[CutTree, list[int]]:
        rows = list(self.rows)
        for part in sorted(chosen):
            rows[part] = chosen[part].low
            rows.append(self.rows[part] - chosen[part].low)
        return self.cuts.divide({part: (one.line, one.bound) for part, one in chosen.items()}), rows

    def _is_good(self, cuts: CutTree, rows: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Which parts satisfy every model, all parts together being the release."""
        histograms = {name: self._histogram(cuts, i, name) for i, name in enumerate(self.sensitive)}
        return self.rules.judge(Classes(np.array(rows, np.int64), histograms))

    def _histogram(self, cuts: CutTree, sensitive: int, name: str) -> Histogram:
        if name == self.rules.person:
            return self._people(cuts, sensitive)
        found = self._count_values(cuts, sensitive).join(self._codes[name], on="text", nulls_equal=True)
        parts, codes, rows = found.select("part", "code", "rows").to_numpy().astype(np.int64).T
        column = SensitiveColumn.of(self.values[name], (self.rules.hierarchies or {}).get(name))
        return column.histogram((parts, codes, rows), self.wholes[name])

    def _people(self, cuts: CutTree, sensitive: int) -> Histogram:
        """The rows of every person in every part."""
        counted = self._count_values(cuts, sensitive)
        who = people_keys(counted.get_column("text")).alias("who")
        check_people(who, counted.get_column("rows").to_numpy().astype(np.int64), str(self.rules.person), "")
        found = (
            counted.with_columns(who.rank("dense").alias("code")).group_by("part", "code").agg(pl.sum("rows"))
        )
        parts, codes, rows = found.sort("part", "code").to_numpy().astype(np.int64).T
        return Histogram(parts, codes, rows, (), None)

    def _count_values(self, cuts: CutTree, sensitive: int) -> pl.DataFrame:
        """``part``, ``text`` and ``rows`` of every value of a sensitive column."""
        found = self.splitter.values(cuts, sensitive)
        text = text_of(pl.col("value"), found.schema["value"]).alias("text")
        return found.select("part", text, "rows")


def _heavy(piles: Sequence[Pile], rows: int) -> int | None:
    """The pile in the middle if no cut beside it is even, and it can be cut itself."""
    below = np.cumsum([pile[2] for pile in piles])
    if np.minimum(below, rows - below).max() >= MIDDLE * rows:
        return None
    place = int(np.searchsorted(below, rows / 2))
    return place if place < len(piles) and piles[place][0] != piles[place][1] else None


def _share(part: tuple[Any, Any], whole: tuple[Any, Any]) -> float:
    """What share of the whole range the range of a part is; 0 where there is none."""
    (low, high), (lowest, highest) = part, whole
    if low is None or low == high:
        return 0.0
    if isinstance(low, str):
        low, high, lowest, highest = (_spell(text, lowest, highest) for text in (low, high, lowest, highest))
    # Halved: the distance of the largest numbers is more than a number can be.
    return float((high / 2 - low / 2) / (highest / 2 - lowest / 2)) if highest > lowest else 0.0


def _spell(text: str, lowest: str, highest: str) -> float:
    """A text as a number between 0 and 1 in alphabetical order: the first letters that not all texts share."""
    same = 0
    while same < min(len(lowest), len(highest)) and lowest[same] == highest[same]:
        same += 1
    return float(sum(byte / 256.0 ** (i + 1) for i, byte in enumerate(text[same:].encode()[:6])))
