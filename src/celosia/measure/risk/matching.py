"""Which people a released class may stand for: combinations of values matched with what the labels of a class allow.

A global recoding gives every combination one class. Classes of a local one may overlap, and a suppressed cell allows
everybody: then people match several. Columns are joined one after the other, and only with labels that some class
shows together, so that nothing is as large as classes times combinations.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.decode import Decoded, decode_column
from celosia.measure.subject import Subject
from celosia.tables.table import Counts

__all__ = ["match_classes"]

Pairs = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
_COMBINATIONS = 1 << 15
"""Combinations matched at a time; each may match many classes."""
_CELLS = 1 << 22
"""Labels times values looked at at a time."""


def match_classes(subject: Subject, people: Counts) -> Iterator[Pairs]:
    """``(combinations, classes)`` of all pairs in which the class allows the combination of ``people``, in parts.

    ``people`` are counted by quasi-identifiers of the release, with values as before it; classes are numbered as
    ``subject.class_counts``.

    >>> release = pl.DataFrame({"age": ["[30-39]", "[40-49]"], "sex": ["*", "f"]})
    >>> before = pl.DataFrame({"age": [31, 47, 47], "sex": ["m", "f", "m"]})
    >>> subject = Subject.of(before, release, quasi_identifiers=["age", "sex"])
    >>> [(a.tolist(), b.tolist()) for a, b in match_classes(subject, subject.original_counts("age", "sex"))]
    [([0, 1], [0, 1])]
    """
    classes = subject.class_counts
    decoded = {name: _decode(subject, people, name) for name in classes.columns}
    allowed = {name: _allowed(one) for name, one in decoded.items()}
    # What tells most comes first: fewest labels per value, so that few pairs are carried along.
    order = sorted(allowed, key=lambda name: len(allowed[name]) / max(1, len(decoded[name].values)))
    steps = list(_steps(classes, order))
    for start in range(0, len(people), _COMBINATIONS):
        combinations = np.arange(start, min(len(people), start + _COMBINATIONS))
        yield _match(people, combinations, order, steps, allowed)


def _decode(subject: Subject, people: Counts, column: str) -> Decoded:
    place, shown = people.columns.index(column), subject.class_counts.columns.index(column)
    return decode_column(
        column,
        subject.kinds[column],
        people.values[place],
        subject.class_counts.values[shown],
        hierarchy=subject.hierarchies.get(column),
    )


def _allowed(decoded: Decoded) -> pl.DataFrame:
    """All pairs of ``value`` and ``label``, as codes, in which the label allows the value."""
    values = np.arange(len(decoded.values))
    step = max(1, _CELLS // max(1, len(values)))
    found = []
    for start in range(0, len(decoded.labels), step):
        labels = np.arange(start, min(len(decoded.labels), start + step))
        label, value = np.nonzero(decoded.allows(values[None, :], labels[:, None]))
        found.append(pl.DataFrame({"value": value.astype(np.int32), "label": labels[label].astype(np.int32)}))
    return pl.concat(found) if found else pl.DataFrame(schema={"value": pl.Int32, "label": pl.Int32})


def _steps(classes: Counts, order: Sequence[str]) -> Iterator[pl.DataFrame]:
    """Per column the labels that may follow ``prefix``, the labels of the columns before; ``next`` is with them.

    The last ``next`` is the class.
    """
    prefix = np.zeros(len(classes), np.int64)
    for name in order:
        label = classes.codes[classes.columns.index(name)]
        pairs = pl.DataFrame({"prefix": prefix, "label": label.astype(np.int32)})
        is_last = name == order[-1]
        following = np.arange(len(classes)) if is_last else _number(pairs)
        yield pairs.with_columns(pl.Series("next", following)).unique()
        prefix = following


def _number(pairs: pl.DataFrame) -> npt.NDArray[np.int64]:
    keys = pairs.select(pl.struct(pl.all()).rank("dense").cast(pl.Int64) - 1)
    return keys.to_series().to_numpy()


def _match(
    people: Counts,
    combinations: npt.NDArray[np.int64],
    order: Sequence[str],
    steps: Sequence[pl.DataFrame],
    allowed: Mapping[str, pl.DataFrame],
) -> Pairs:
    found = pl.DataFrame({"person": combinations, "prefix": np.zeros(len(combinations), np.int64)})
    for name, step in zip(order, steps, strict=True):
        codes = people.codes[people.columns.index(name)]
        found = (
            found.with_columns(
                pl.Series("value", codes[found.get_column("person").to_numpy()].astype(np.int32))
            )
            .join(allowed[name], on="value")
            .join(step, on=["prefix", "label"])
            .select("person", pl.col("next").alias("prefix"))
        )
    found = found.sort("person", "prefix")
    return found.get_column("person").to_numpy(), found.get_column("prefix").to_numpy()
