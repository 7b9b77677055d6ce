"""From a node to the recoding that a table can apply."""

from dataclasses import replace

import numpy as np
import polars as pl

from celosia.errors import ProjectError
from celosia.recode.domain import Domain
from celosia.recode.evaluate import Evaluator
from celosia.recode.lattice import Node
from celosia.say import join_texts, say
from celosia.tables.table import Recoding

__all__ = ["bare_recoding", "check_node", "full_domain_recoding"]


def full_domain_recoding(evaluator: Evaluator, node: Node, *, dropped: tuple[str, ...] = ()) -> Recoding:
    """Every value to its label at the node's levels; violating classes suppressed, ``dropped`` columns left out.

    A column at level 0 keeps its values and, unless missing ones are filled in, its type; but every value is written in
    one way only, or a class would fall apart in the release for somebody who reads the texts.
    """
    maps = {}
    for column, level in zip(evaluator.domain.columns, node, strict=True):
        # What one file of text writes in several ways, or a value filled in, is written as one of them.
        if level > 0 or column.is_respelled or (column.has_spellings and column.filled is not None):
            labels = column.labels[level]
            maps[column.name] = {
                value: labels[code] for value, code in zip(column.values, column.levels[level], strict=True)
            }
    return replace(
        bare_recoding(evaluator.domain, dropped), maps=maps, suppressed=_suppressed_classes(evaluator, node)
    )


def bare_recoding(domain: Domain, dropped: tuple[str, ...]) -> Recoding:
    """What becomes of missing and unknown values, whatever becomes of the others."""
    columns = domain.columns
    return Recoding(
        dropped=dropped,
        unified=tuple(
            column.name for column in columns if column.has_missing or column.values.dtype.is_float()
        )
        + tuple(name for name, (_, values) in domain.sensitive.items() if None in values),
        quasi_identifiers=tuple(column.name for column in columns),
        filled={column.name: column.filled for column in columns if column.filled is not None},
        excluded={column.name: column.left_out for column in columns if column.left_out},
    )


def _suppressed_classes(evaluator: Evaluator, node: Node) -> pl.DataFrame:
    """The labels of the classes that violate a model at a node."""
    keys = evaluator.suppressed_keys(node)
    if not len(keys):
        return pl.DataFrame()
    labels = {}
    for column, level, (word, shift, mask) in zip(
        evaluator.domain.columns, node, evaluator.sets.fields, strict=True
    ):
        codes = ((keys[:, word] >> shift) & mask).astype(np.int64)
        labels[column.name] = pl.Series(column.labels[level], dtype=pl.String).gather(codes)
    return pl.DataFrame(labels)


def check_node(node: Node, names: tuple[str, ...], heights: Node, floors: Node | None = None) -> None:
    """Raise unless there is one level per quasi-identifier within its hierarchy, not under its floor.

    >>> check_node((1, 0, 2), ("age", "sex", "zip"), (2, 1, 3))
    """
    floors = floors or (0,) * len(heights)
    if len(node) != len(heights) or any(
        not floor <= level <= height for floor, level, height in zip(floors, node, heights, strict=False)
    ):
        limits = join_texts(
            ", ",
            (
                say("{column} {floor} to {height}", column=name, floor=floor, height=height)
                for name, floor, height in zip(names, floors, heights, strict=True)
            ),
        )
        raise ProjectError(
            say("{node!r} is not a node", node=node),
            where="node",
            remedy=say("give one level per column: {levels}", levels=limits),
        )
