"""The search for the released rows that are nearest to people; distances are looked up, a few people at a time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from celosia.measure.attacks.attacker import Knowledge
from celosia.measure.attacks.release_boxes import Codes, PeopleGroup, ReleaseBoxes

__all__ = [
    "NearestRows",
    "box_chunks",
    "chunks",
    "count_inside",
    "distances",
    "find_nearest",
    "knowledge_precision",
]

Tables = tuple[Any, Any, Any, Any]

LARGEST = 1 << 22
"""Distances in the tables of a chunk: 16 MB, which is kept near by the machine."""
NO_LIMIT = int(np.iinfo(np.int64).max)


@dataclass(frozen=True)
class NearestRows:
    """Of each person the ``distance`` to the nearest released rows, added up over the columns, and their number."""

    distance: npt.NDArray[np.float32]
    rows: npt.NDArray[np.int64]


def find_nearest(codes: Codes, boxes: ReleaseBoxes, knows: Mapping[str, Knowledge]) -> NearestRows:
    """The released rows nearest to each person, ``codes[person, column]``: compatible ones where the distance is 0."""
    from celosia.kernels.nearest import nearest

    parts = [
        nearest(tables, boxes.labels, boxes.rows)
        for _, tables in chunks(codes, boxes, knowledge_precision(boxes, knows))
    ]
    if not parts:
        return NearestRows(np.zeros(0, np.float32), np.zeros(0, np.int64))
    return NearestRows(
        np.concatenate([nearest_rows for nearest_rows, _ in parts]),
        np.concatenate([many for _, many in parts]),
    )


def knowledge_precision(boxes: ReleaseBoxes, knows: Mapping[str, Knowledge]) -> list[float]:
    """How far off what is known of each column may be."""
    return [knows[name].within if name in knows else 0.0 for name in boxes.columns]


def count_inside(
    labels: Codes, boxes: ReleaseBoxes, people: PeopleGroup, *, limit: int = NO_LIMIT
) -> npt.NDArray[np.int64]:
    """How many people each box allows, ``labels[box, column]``; counting stops above ``limit``."""
    from celosia.kernels.nearest import inside

    parts = [inside(tables, people.codes, people.rows, limit) for _, tables in box_chunks(labels, boxes)]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def distances(
    codes: Codes, labels: Codes, boxes: ReleaseBoxes, knows: Mapping[str, Knowledge]
) -> npt.NDArray[np.float32]:
    """How far each person is from the labels beside her, added up as the search does."""
    parts = []
    for some, (rows, flat, starts, widths) in chunks(codes, boxes, knowledge_precision(boxes, knows)):
        total = np.zeros(len(rows), np.float32)
        for column in range(len(boxes.columns)):
            total += flat[starts[column] + rows[:, column] * widths[column] + labels[some, column]]
        parts.append(total)
    return np.concatenate(parts) if parts else np.zeros(0, np.float32)


def chunks(codes: Codes, boxes: ReleaseBoxes, within: Sequence[float]) -> Iterator[tuple[slice, Tables]]:
    """People a few at a time, each with the tables that the compiled loops look distances up in.

    What is known of ``columns[column]`` may be ``within[column]`` off.
    """

    def tables(some: Codes) -> Tables:
        parts = []
        for column, (decoded, off) in enumerate(zip(boxes.decoded, within, strict=True)):
            distinct, place = np.unique(some[:, column], return_inverse=True)
            parts.append((place, decoded.table(distinct, within=off)))
        return _in_a_row(parts)

    sizes = [(len(decoded.labels), len(decoded.values)) for decoded in boxes.decoded]
    for some in _slices(len(codes), sizes):
        yield some, tables(codes[some])


def box_chunks(labels: Codes, boxes: ReleaseBoxes) -> Iterator[tuple[slice, Tables]]:
    """Boxes, ``labels[box, column]``, a few at a time, with tables in which each looks up how far values are."""

    def tables(some: Codes) -> Tables:
        parts = []
        for column, decoded in enumerate(boxes.decoded):
            distinct, place = np.unique(some[:, column], return_inverse=True)
            table = decoded.take(distinct).table(np.arange(len(decoded.values)))
            parts.append((place, np.ascontiguousarray(table.T)))
        return _in_a_row(parts)

    sizes = [(len(decoded.values), len(decoded.labels)) for decoded in boxes.decoded]
    for some in _slices(len(labels), sizes):
        yield some, tables(labels[some])


def _slices(count: int, sizes: Sequence[tuple[int, int]]) -> Iterator[slice]:
    """So many at a time that their tables, each as wide as ``sizes`` say and at most as high, are not too large."""
    step = max(1, LARGEST // max(1, sum(width for width, _ in sizes)))
    # Where columns have few values, all share the same tables.
    if sum(width * min(count, height) for width, height in sizes) <= LARGEST:
        step = max(1, count)
    for start in range(0, count, step):
        yield slice(start, min(count, start + step))


def _in_a_row(parts: Sequence[tuple[npt.NDArray[np.integer], npt.NDArray[np.float32]]]) -> Tables:
    """Tables one after the other, with the rows of everybody in them."""
    sizes = [table.size for _, table in parts]
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
    widths = np.array([table.shape[1] for _, table in parts], np.int64)
    flat = np.concatenate([table.ravel() for _, table in parts])
    rows = np.column_stack([place for place, _ in parts]).astype(np.int64)
    return np.ascontiguousarray(rows), flat, starts, widths
