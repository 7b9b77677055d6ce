"""The hierarchy of one column: every value and what it becomes at each level, the last the most general."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import HierarchyError
from celosia.hierarchies.checks import check_structure, name_some
from celosia.hierarchies.encoding import encode, pad
from celosia.hierarchies.trees import build_tree, tree_paths
from celosia.say import say
from celosia.values.parse import parse_texts

__all__ = ["Hierarchy"]


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """What each value of a column becomes, level by level, dictionary-encoded.

    ``labels[level][code]`` are the labels of a level, those of level 0 the column's values;
    ``codes[level][value]`` is the code of value number ``value`` at that level, so ``codes[0]`` counts up.
    The last level may have several labels; :meth:`with_root` then adds one above them.

    >>> ages = Hierarchy.from_rows("age", [("31", "30-39", "*"), ("38", "30-39", "*"), ("44", "40-49", "*")])
    >>> ages.height, ages.labels[1], ages.codes[1].tolist()
    (2, ('30-39', '40-49'), [0, 0, 1])
    """

    column: str
    labels: tuple[tuple[str, ...], ...]
    codes: tuple[npt.NDArray[np.int32], ...]

    @classmethod
    def from_rows(cls, column: str, rows: Iterable[Sequence[str]]) -> "Hierarchy":
        """From one path per value, the value first and the root last; shorter paths join at the top.

        >>> Hierarchy.from_rows("status", [("Single", "*"), ("Married", "Family", "*")]).rows()
        [('Single', 'Single', '*'), ('Married', 'Family', '*')]
        """
        return cls.from_levels(column, list(zip(*pad(rows), strict=True)))

    @classmethod
    def from_tree(cls, column: str, tree: Mapping[str, Any]) -> "Hierarchy":
        """From nested mappings: ``value`` a label, ``children`` what is under it; the leaves are the values.

        >>> tree = {"value": "*", "children": [{"value": "Soria"}, {"value": "Lugo"}]}
        >>> Hierarchy.from_tree("city", tree).rows()
        [('Soria', '*'), ('Lugo', '*')]
        """
        return cls.from_rows(column, tree_paths(tree, where=say("hierarchy of {column!r}", column=column)))

    @classmethod
    def from_levels(cls, column: str, levels: Sequence[Sequence[str]]) -> "Hierarchy":
        """From ``levels[level][value]``, each value's label at each level; values given twice count once.

        >>> Hierarchy.from_levels("sex", [["F", "M"], ["*", "*"]]).rows()
        [('F', '*'), ('M', '*')]
        """
        encoded = [encode(level) for level in levels]
        for problem in check_structure(encoded):
            raise HierarchyError(
                problem.what, where=say("hierarchy of {column!r}", column=column), remedy=problem.remedy
            )
        _, first = np.unique(encoded[0][1], return_index=True)
        codes = tuple(level_codes[first] for _, level_codes in encoded)
        for level_codes in codes:
            level_codes.setflags(write=False)
        return cls(column, tuple(labels for labels, _ in encoded), codes)

    @property
    def height(self) -> int:
        """The number of the last level; level 0 are the values."""
        return len(self.labels) - 1

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the column."""
        return self.labels[0]

    @cached_property
    def _place(self) -> dict[str | None, int]:
        return {value: code for code, value in enumerate(self.values)}

    def find(self, values: pl.Series | Iterable[str | None]) -> npt.NDArray[np.int32]:
        """The code at level 0 of each value given, -1 where the hierarchy does not know it or it is missing.

        Texts are looked up as they are; values of another type by value, however the hierarchy writes them.

        >>> Hierarchy.from_rows("sex", [("F", "*"), ("M", "*")]).find(["M", None, "F", "?"]).tolist()
        [1, -1, 0, -1]
        >>> Hierarchy.from_rows("dose", [("1.10", "*"), ("2", "*")]).find(pl.Series([2.0, 1.1])).tolist()
        [1, 0]
        """
        if not isinstance(values, pl.Series) or values.dtype in (pl.String, pl.Null):
            return np.fromiter((self._place.get(value, -1) for value in values), dtype=np.int32)
        known = self._by_value(values.dtype)
        found = values.alias("v").to_frame().join(known, on="v", how="left", maintain_order="left")
        return found.get_column("code").fill_null(-1).to_numpy()

    def _by_value(self, dtype: pl.DataType) -> pl.DataFrame:
        """The values of the hierarchy with a type, and their codes; raises if two of them are the same."""
        texts = pl.Series(self.values, dtype=pl.String)
        codes = pl.Series("code", np.arange(len(texts)), dtype=pl.Int32)
        known = pl.DataFrame([parse_texts(texts, dtype).alias("v"), codes]).drop_nulls("v")
        twice = known.filter(pl.col("v").is_duplicated()).sort("v")
        paths = {
            tuple(self.codes[level][code] for level in range(1, self.height + 1))
            for code in twice["code"][:2]
        }
        if twice.height and len(paths) > 1:
            spelled = [self.values[code] for code in twice["code"][:2]]
            raise HierarchyError(
                say(
                    "{one!r} and {other!r} are one value and become different things",
                    one=spelled[0],
                    other=spelled[1],
                ),
                where=say("hierarchy of {column!r}", column=self.column),
                remedy=say("give both the same path"),
            )
        return known.unique("v", keep="first", maintain_order=True)

    def up_to(self, level: int) -> "Hierarchy":
        """The same without the levels above one of them; its last level then may have several labels.

        >>> ages = Hierarchy.from_rows("age", [("31", "30-39", "*"), ("44", "40-49", "*")])
        >>> ages.up_to(1).rows()
        [('31', '30-39'), ('44', '40-49')]
        """
        return Hierarchy(self.column, self.labels[: level + 1], self.codes[: level + 1])

    def rows(self) -> list[tuple[str, ...]]:
        """One path per value: the value, then its label at every level.

        >>> Hierarchy.from_rows("sex", [("F", "*"), ("M", "*")]).rows()
        [('F', '*'), ('M', '*')]
        """
        return list(zip(*(self._spelled(level) for level in range(self.height + 1)), strict=True))

    def tree(self) -> dict[str, Any]:
        """Nested mappings of ``value`` and ``children``, the root outermost; it takes one root.

        >>> Hierarchy.from_rows("sex", [("F", "*"), ("M", "*")]).tree()
        {'value': '*', 'children': [{'value': 'F'}, {'value': 'M'}]}
        """
        if len(self.labels[-1]) != 1:
            raise HierarchyError(
                say(
                    "the last level has {count} labels, a tree one: {labels}",
                    count=len(self.labels[-1]),
                    labels=name_some(self.labels[-1]),
                ),
                where=say("hierarchy of {column!r}", column=self.column),
                remedy=say("add a last level '*' (with_root)"),
            )
        return build_tree(self.rows())

    def level(self, n: int) -> dict[str, str]:
        """What each value becomes at level ``n``.

        >>> Hierarchy.from_rows("sex", [("F", "*"), ("M", "*")]).level(1)
        {'F': '*', 'M': '*'}
        """
        self._within(n, self.height)
        return dict(zip(self.values, self._spelled(n), strict=True))

    def parents(self, level: int) -> npt.NDArray[np.int32]:
        """``parents[code at level]``: the code at the level above.

        >>> Hierarchy.from_rows("sex", [("F", "*"), ("M", "*")]).parents(0).tolist()
        [0, 0]
        """
        self._within(level, self.height - 1)
        above = np.empty(len(self.labels[level]), dtype=np.int32)
        above[self.codes[level]] = self.codes[level + 1]
        return above

    def leaves(self, level: int) -> npt.NDArray[np.int64]:
        """``leaves[code at level]``: how many values are under that label.

        >>> Hierarchy.from_rows("sex", [("F", "*"), ("M", "*")]).leaves(1).tolist()
        [2]
        """
        self._within(level, self.height)
        return np.bincount(self.codes[level], minlength=len(self.labels[level])).astype(np.int64)

    def with_root(self, label: str = "*") -> "Hierarchy":
        """The same with a level of suppression on top, unless the last level is a single label already.

        >>> Hierarchy.from_rows("sex", [("F",), ("M",)]).with_root().rows()
        [('F', '*'), ('M', '*')]
        """
        if len(self.labels[-1]) == 1:
            return self
        levels = [self._spelled(level) for level in range(self.height + 1)]
        return Hierarchy.from_levels(self.column, [*levels, [label] * len(self.values)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hierarchy):
            return NotImplemented
        same = (self.column, self.labels) == (other.column, other.labels)
        return same and all(np.array_equal(a, b) for a, b in zip(self.codes, other.codes, strict=True))

    def __hash__(self) -> int:
        return hash((self.column, self.labels))

    def __repr__(self) -> str:
        return f"Hierarchy({self.column!r}, {' -> '.join(str(len(level)) for level in self.labels)} labels)"

    def _spelled(self, level: int) -> list[str]:
        labels = self.labels[level]
        return [labels[code] for code in self.codes[level].tolist()]

    def _within(self, level: int, most: int) -> None:
        if not 0 <= level <= most:
            raise HierarchyError(
                say("level {level} does not exist", level=level),
                where=say("hierarchy of {column!r}", column=self.column),
                remedy=say("levels go from 0 to {most} here", most=most),
            )
