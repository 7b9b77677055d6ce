"""From the labels of a released column to what each allows among the values of the original."""

import re
from collections.abc import Iterable
from math import isnan

import numpy as np
import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.measure.decode.bounds import Bounds, read_bounds
from celosia.measure.decode.decoded import Decoded, Meaning
from celosia.measure.distribution.marginal import NUMERIC_TYPES, read_numbers
from celosia.types import ColumnType

__all__ = ["decode_column"]

EVERYTHING = "*"
SET = re.compile(r"^\{(.*)\}$", re.DOTALL)
Understood = tuple[Meaning, list[int], Bounds | None]


def decode_column(
    column: str,
    kind: ColumnType,
    values: pl.Series,
    labels: pl.Series,
    *,
    hierarchy: Hierarchy | None = None,
    is_emptied: bool = False,
) -> Decoded:
    """Read what each of ``labels`` allows among ``values``, the distinct texts of the original.

    In this order a label is: ``*``; a value; a label of the column's hierarchy; a number, an interval or a period of
    a column of numbers or dates; a set of labels, ``{a, b}``; a text with ``*`` for what is hidden. An empty cell means
    a missing value, or with ``is_emptied`` a value that was taken out.

    >>> found = decode_column("age", ColumnType.INTEGER, pl.Series(["31", "38", "47"]),
    ...                       pl.Series(["[30-39]", "47", "*", "39.5", None]))
    >>> found.leaves.tolist(), [Meaning(one).name for one in found.meanings]
    ([2, 1, 3, 0, 0], ['SOME', 'VALUE', 'EVERYTHING', 'VALUE', 'MISSING'])
    >>> cities = Hierarchy.from_rows("city", [("Soria", "Castilla", "*"), ("León", "Castilla", "*"), ("Lugo", "*")])
    >>> found = decode_column("city", ColumnType.TEXT, pl.Series(["Soria", "Lugo", "León"]),
    ...                       pl.Series(["Castilla", "L*", "{Soria, Lugo}", "Vigo"]), hierarchy=cities)
    >>> [found.codes[a:b].tolist() for a, b in zip(found.starts, found.starts[1:])]
    [[0, 2], [1, 2], [0, 1], []]
    """
    reader = _Reader(column, kind, values, hierarchy, is_emptied=is_emptied)
    understood = [reader.read(label) for label in labels.to_list()]
    starts = np.concatenate(([0], np.cumsum([len(codes) for _, codes, _ in understood]))).astype(np.int64)
    bounds = np.array([found or (np.nan, np.nan) for _, _, found in understood], np.float64).reshape(-1, 2)
    return Decoded(
        column=column,
        is_number=reader.is_number,
        values=values,
        labels=labels,
        meanings=np.array([meaning for meaning, _, _ in understood], np.int8),
        starts=starts,
        codes=np.array([code for _, codes, _ in understood for code in codes], np.int32),
        numbers=reader.numbers,
        low=bounds[:, 0],
        high=bounds[:, 1],
    )


class _Reader:
    """Understands the labels of one column."""

    def __init__(
        self,
        column: str,
        kind: ColumnType,
        values: pl.Series,
        hierarchy: Hierarchy | None,
        *,
        is_emptied: bool,
    ) -> None:
        self.kind, self.is_emptied = kind, is_emptied
        self.texts = values.to_list()
        self.is_number = kind in NUMERIC_TYPES
        self.numbers = read_numbers(values, kind)
        self._place: dict[str | None, int] = {text: code for code, text in enumerate(self.texts)}
        self._of_number = {
            number: code for code, number in enumerate(self.numbers.tolist()) if not isnan(number)
        }
        self._nodes = _nodes(hierarchy, self._place) if hierarchy is not None else {}

    def read(self, label: str | None) -> Understood:
        """How a label is understood."""
        if label == EVERYTHING or (label is None and self.is_emptied):
            return Meaning.EVERYTHING, [], None
        if label is None:
            return Meaning.MISSING, self._known([None]), None
        if label in self._place:
            return self._value(label)
        if label in self._nodes:
            return self._several(self._nodes[label])
        return self._number(label) or self._set(label) or self._pattern(label) or (Meaning.UNKNOWN, [], None)

    def _number(self, label: str) -> Understood | None:
        bounds = read_bounds(label, self.kind) if self.is_number else None
        if bounds is None or bounds[0] != bounds[1]:
            return None if bounds is None else (Meaning.SOME, [], bounds)
        same = self._of_number.get(bounds[0])
        return Meaning.VALUE, [] if same is None else [same], bounds

    def _value(self, label: str) -> Understood:
        code = self._place[label]
        number = float(self.numbers[code])
        return Meaning.VALUE, [code], None if isnan(number) else (number, number)

    def _several(self, codes: list[int]) -> Understood:
        if len(codes) == len([text for text in self.texts if text is not None]):
            return Meaning.EVERYTHING, [], None
        if not self.is_number or not len(codes):
            return Meaning.SOME, codes, None
        low, high = float(np.min(self.numbers[codes])), float(np.max(self.numbers[codes]))
        # Values with others between them are listed; without, their ends say it all.
        inside = int(np.sum((self.numbers >= low) & (self.numbers <= high)))
        return (Meaning.SOME, [], (low, high)) if inside == len(codes) else (Meaning.SOME, codes, None)

    def _set(self, label: str) -> Understood | None:
        found = SET.match(label)
        if found is None:
            return None
        parts = [self.read(part.strip()) for part in found.group(1).split(",")]
        if any(meaning in (Meaning.UNKNOWN, Meaning.EVERYTHING) for meaning, _, _ in parts):
            return None
        codes = {code for _, listed, _ in parts for code in listed}
        for _, _, bounds in parts:
            if bounds is not None:
                codes |= set(
                    np.flatnonzero((self.numbers >= bounds[0]) & (self.numbers <= bounds[1])).tolist()
                )
        return self._several(sorted(codes))

    def _pattern(self, label: str) -> Understood | None:
        """``J45*`` stands for all that begins so; of several ``*`` each stands for one character."""
        if EVERYTHING not in label:
            return None
        each = re.compile(
            "".join("." if letter == EVERYTHING else re.escape(letter) for letter in label), re.DOTALL
        )
        codes = self._matching(each)
        head = label.rstrip(EVERYTHING)
        if EVERYTHING not in head and (not codes or label.count(EVERYTHING) == 1):
            codes = self._matching(re.compile(re.escape(head) + ".*", re.DOTALL))
        return self._several(codes) if codes else None

    def _matching(self, pattern: re.Pattern[str]) -> list[int]:
        return [code for code, text in enumerate(self.texts) if text is not None and pattern.fullmatch(text)]

    def _known(self, texts: Iterable[str | None]) -> list[int]:
        return [self._place[text] for text in texts if text in self._place]


def _nodes(hierarchy: Hierarchy, place: dict[str | None, int]) -> dict[str, list[int]]:
    """The values of the original under every label of a hierarchy."""
    found: dict[str, set[int]] = {}
    known = [(leaf, place[text]) for leaf, text in enumerate(hierarchy.values) if text in place]
    for level in range(1, hierarchy.height + 1):
        labels, codes = hierarchy.labels[level], hierarchy.codes[level]
        for leaf, code in known:
            found.setdefault(labels[codes[leaf]], set()).add(code)
    return {label: sorted(codes) for label, codes in found.items()}
