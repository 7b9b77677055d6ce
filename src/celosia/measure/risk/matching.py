"""Which people a released class may stand for: combinations of values matched with what the labels of a class allow.

A global recoding gives every combination one class. Classes of a local one may overlap, and a suppressed cell allows
everybody: then people match several. Columns are joined one after the other, and only with labels that some class
shows together, so that nothing is as large as classes times combinations.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.decode import DecodedColumn, LabelMeaning, decode_column
from celosia.measure.grouping import number_groups
from celosia.measure.subject import MeasureSubject
from celosia.tables.table import Counts

__all__ = ["match_classes"]

Pairs = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
_COMBINATIONS = 1 << 14
"""Combinations matched at a time; each may match many classes."""


def match_classes(subject: MeasureSubject, people: Counts) -> Iterator[Pairs]:
    """``(combinations, classes)`` of all pairs in which the class allows the combination of ``people``, in parts.

    ``people`` are counted by quasi-identifiers of the release, with values as before it; classes are numbered as
    ``subject.class_counts``.

    >>> release = pl.DataFrame({"age": ["[30-39]", "[40-49]"], "sex": ["*", "f"]})
    >>> before = pl.DataFrame({"age": [31, 47, 47], "sex": ["m", "f", "m"]})
    >>> subject = MeasureSubject.of(before, release, quasi_identifiers=["age", "sex"])
    >>> [(a.tolist(), b.tolist()) for a, b in match_classes(subject, subject.original_counts("age", "sex"))]
    [([0, 1], [0, 1])]
    """
    classes = subject.class_counts
    decoded = {name: _decode(subject, people, name) for name in classes.columns}
    # What tells most comes first: fewest labels per value, so that few pairs are carried along.
    often = {name: column.leaves.sum() / max(1, len(column.values)) for name, column in decoded.items()}
    steps = [
        _Step(decoded[name], people.codes[people.columns.index(name)], children, by_value)
        for name, children, by_value in _children(classes, sorted(often, key=often.__getitem__), often)
    ]
    for start in range(0, len(people), _COMBINATIONS):
        yield _match(np.arange(start, min(len(people), start + _COMBINATIONS)), steps)


def _decode(subject: MeasureSubject, people: Counts, column: str) -> DecodedColumn:
    place, classes = people.columns.index(column), subject.class_counts
    shown = classes.columns.index(column)
    return decode_column(
        column,
        subject.kinds[column],
        people.texts[place],
        classes.texts[shown],
        hierarchy=subject.hierarchies.get(column),
        # More cells are empty than people have none: cells were emptied, and may be anybody's.
        is_emptied=_missing(classes, shown) > _missing(people, place),
        grown=None if subject.original is None else subject.grown(column),
    )


def _missing(counts: Counts, place: int) -> int:
    return int(counts.rows_of(place)[counts.values[place].is_null().to_numpy()].sum())


def _children(
    classes: Counts, order: Sequence[str], often: Mapping[str, float]
) -> Iterator[tuple[str, pl.DataFrame, bool]]:
    """Per column the labels that may follow ``prefix``, the labels of the columns before; ``next`` is with them.

    The last ``next`` is the class. Also whether the labels of a value are fewer than those that follow a prefix.
    """
    prefix = np.zeros(len(classes), np.int64)
    for name in order:
        label = classes.codes[classes.columns.index(name)].astype(np.int64)
        size = int(label.max(initial=0)) + 1
        following = np.arange(len(classes)) if name == order[-1] else number_groups([prefix * size + label])
        children = pl.DataFrame({"prefix": prefix, "label": label, "next": following}).unique()
        prefixes = max(1, children.get_column("prefix").n_unique())
        yield name, children, often[name] < len(children) / prefixes
        prefix = following


@dataclass(frozen=True)
class _Step:
    """One column: from prefixes of labels that people match to those with one label more.

    ``codes[combination]`` are values of people. ``by_value`` looks up the labels that allow a value first, else those
    that follow the prefix: whichever are fewer.
    """

    decoded: DecodedColumn
    codes: npt.NDArray[np.int32]
    children: pl.DataFrame
    by_value: bool

    @cached_property
    def allowed(self) -> pl.DataFrame:
        """All pairs of ``value`` and ``label``, as codes, in which the label allows the value."""
        decoded = self.decoded
        listed = np.repeat(np.arange(len(decoded.labels)), np.diff(decoded.starts))
        everything = np.flatnonzero(decoded.meanings == LabelMeaning.EVERYTHING)
        within, inside = _numbers_within(decoded)
        anybody = np.tile(np.arange(len(decoded.values)), len(everything))
        labels = np.concatenate((listed, np.repeat(everything, len(decoded.values)), within))
        values = np.concatenate((decoded.codes.astype(np.int64), anybody, inside))
        return pl.DataFrame({"value": values, "label": labels}).unique()

    def take(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """``person`` and ``prefix`` of all matches with this column too."""
        value = pl.Series("value", self.codes[pairs.get_column("person").to_numpy()].astype(np.int64))
        pairs = pairs.with_columns(value)
        if self.by_value:
            pairs = pairs.join(self.allowed, on="value").join(self.children, on=["prefix", "label"])
        else:
            pairs = pairs.join(self.children, on="prefix")
            values, labels = (pairs.get_column(name).to_numpy() for name in ("value", "label"))
            pairs = pairs.filter(pl.Series(self.decoded.allows(values, labels)))
        return pairs.select("person", pl.col("next").alias("prefix"))


def _numbers_within(decoded: DecodedColumn) -> Pairs:
    """Labels that are intervals of numbers, each with every value between its ends."""
    order = np.argsort(decoded.numbers)  # what is no number comes last
    numbers = decoded.numbers[order][: np.count_nonzero(~np.isnan(decoded.numbers))]
    labels = np.flatnonzero(~np.isnan(decoded.low))
    first = np.searchsorted(numbers, decoded.low[labels], "left")
    width = np.maximum(np.searchsorted(numbers, decoded.high[labels], "right") - first, 0)
    # Counted through: 0, 1, ... within each label, from where its first value stands.
    places = np.arange(width.sum()) - np.repeat(np.cumsum(width) - width - first, width)
    return np.repeat(labels, width), order[places]


def _match(combinations: npt.NDArray[np.int64], steps: Sequence[_Step]) -> Pairs:
    pairs = pl.DataFrame({"person": combinations, "prefix": np.zeros(len(combinations), np.int64)})
    for step in steps:
        pairs = step.take(pairs)
    pairs = pairs.sort("person", "prefix")
    return pairs.get_column("person").to_numpy(), pairs.get_column("prefix").to_numpy()
