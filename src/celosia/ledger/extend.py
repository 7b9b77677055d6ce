"""New rows added to a release, without breaking it and without making all of it anew.

Rows go where the labels of a class allow their values: of several, where fewest others fit. Whoever holds the earlier
release subtracts it, so that the new rows of every class have to keep the promises *by themselves*: those that do not
wait until there are more of them. So do rows that fit no class; those of a full-domain recoding make a class of
their own at its node once there are enough.

The earlier release is counted and copied, never recoded: its rows look as they did.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError, TableError
from celosia.hierarchies import Hierarchy
from celosia.ledger.join_by_values import PublishedTable
from celosia.measure.grouping import classes_of, number_groups
from celosia.measure.risk.matching import match_classes
from celosia.measure.row_order import rows_in_order
from celosia.measure.subject import MeasureSubject
from celosia.privacy import PrivacyModel
from celosia.say import say
from celosia.tables import open_table
from celosia.tables.table import Counts, Table
from celosia.types import nearest
from celosia.values.named import named

__all__ = ["Extension", "extend_rows"]


@dataclass(frozen=True)
class Extension:
    """New rows that can be added: ``rows`` as the release shows them, and which of the new ones they are.

    ``added[row]`` says of every new row whether it is added; the others wait. ``classes`` are those that got new rows,
    ``new_classes`` those that were not there before.
    """

    rows: pl.DataFrame
    added: npt.NDArray[np.bool_]
    classes: int
    new_classes: int

    @property
    def waiting(self) -> int:
        """New rows that are held back."""
        return int((~self.added).sum())


def extend_rows(
    earlier: PublishedTable,
    new: Table,
    *,
    models: Sequence[PrivacyModel],
    node: Mapping[str, int] | None = None,
) -> Extension:
    """Find the class of every new row, and hold back those that would be told from the others.

    ``node`` are the levels of a full-domain recoding with the hierarchies of ``earlier``, for classes that are new.

    >>> from celosia.privacy import KAnonymity
    >>> from celosia.types import ColumnType
    >>> safe = pl.DataFrame({"age": ["30-39"] * 3 + ["40-49"] * 3})
    >>> more = pl.DataFrame({"age": ["31", "38", "47"]})
    >>> release = PublishedTable(open_table(safe), ("age",), types={"age": ColumnType.INTEGER})
    >>> found = extend_rows(release, open_table(more), models=[KAnonymity(k=2)])
    >>> found.rows.rows(), found.added.tolist()
    ([('30-39',), ('30-39',)], [True, True, False])
    """
    columns = list(earlier.quasi_identifiers)
    _check(earlier, new, columns, models)
    shown = earlier.table.columns()
    texts = rows_in_order(new, [name for name in new.columns() if name in shown or name in columns])
    people = open_table(texts, missing=()).count_by(columns)
    labels, is_new = _labels(earlier, people, new, node)
    place = _combination_of(texts, people)
    rows = texts.with_columns(
        [labels.get_column(name).alias("").gather(place).alias(name) for name in columns if name in shown]
    )
    fits = labels.get_column("").gather(place).to_numpy()
    added = fits & _keeps_promises(rows, fits, [name for name in columns if name in shown], models)
    classes = rows.filter(pl.Series(added)).select(named(*columns)).unique().height
    fresh = pl.Series(is_new).gather(place).to_numpy() & added
    return Extension(
        rows.filter(pl.Series(added)).select(named(*(name for name in shown if name in rows.columns))),
        added,
        classes,
        rows.filter(pl.Series(fresh)).select(named(*columns)).unique().height,
    )


def _check(
    earlier: PublishedTable, new: Table, columns: Sequence[str], models: Sequence[PrivacyModel]
) -> None:
    if not columns:
        raise ProjectError(
            say("the release has no quasi-identifier"),
            where=earlier.table.name,
            remedy=say("name them with --qi"),
        )
    for name in earlier.table.columns():
        if name not in new.columns():
            raise TableError(
                say("column {name!r} of the release does not exist here", name=name),
                where=new.name,
                remedy=nearest(name, tuple(new.columns())),
            )
    for model in models:
        if model.needs_population or model.needs_losses or model.of_whole or model.needs_labels:
            raise ProjectError(
                say("{model} looks at more than the new rows", model=model.name),
                where="models",
                remedy=say("make a new release of all rows"),
            )


def _labels(
    earlier: PublishedTable, people: Counts, new: Table, node: Mapping[str, int] | None
) -> tuple[pl.DataFrame, npt.NDArray[np.bool_]]:
    """What every combination of new values shows, ``""`` whether it fits a class; and whether that is a new one."""
    subject = MeasureSubject.of(
        new,
        earlier.table,
        quasi_identifiers=earlier.quasi_identifiers,
        hierarchies=earlier.hierarchies,
        types=earlier.types,
    )
    classes = subject.class_counts
    own = _narrowest(subject, people, len(classes))
    shown = {
        name: classes.texts[place]
        .cast(pl.String)
        .gather(np.where(own >= 0, classes.codes[place][np.maximum(own, 0)], 0))
        for place, name in enumerate(classes.columns)
    }
    fits = own >= 0
    is_new = np.zeros(len(own), np.bool_)
    if node:
        for place, name in enumerate(people.columns):
            values = people.texts[place].gather(people.codes[place]).to_list()
            labels = _at_level(values, earlier.hierarchies.get(name), node.get(name, 0))
            shown[name] = pl.Series(
                [old if fit else label for old, label, fit in zip(shown[name], labels, fits, strict=True)],
                dtype=pl.String,
            )
            is_new |= ~fits & np.array([label is None for label in labels], np.bool_)
        is_new, fits = ~fits & ~is_new, fits | ~is_new
    return pl.DataFrame(shown).with_columns(pl.Series("", fits)), is_new


def _narrowest(subject: MeasureSubject, people: Counts, size: int) -> npt.NDArray[np.int64]:
    """The class of every combination, -1 if none allows it; of several the one that fewest others fit."""
    pairs = list(match_classes(subject, people))
    combination = np.concatenate([np.zeros(0, np.int64), *(lower for lower, _ in pairs)])
    number = np.concatenate([np.zeros(0, np.int64), *(upper for _, upper in pairs)])
    fitting = np.bincount(number, minlength=size)
    order = np.lexsort((number, fitting[number], combination))
    own = np.full(len(people), -1, np.int64)
    own[combination[order][::-1]] = number[order][::-1]
    return own


def _at_level(values: Sequence[str | None], hierarchy: Hierarchy | None, level: int) -> list[str | None]:
    """What values become at a level; None where the hierarchy does not know them."""
    if level == 0:
        return list(values)
    if hierarchy is None:
        return [None] * len(values)
    known = hierarchy.level(min(level, hierarchy.height))
    return [None if value is None else known.get(value) for value in values]


def _combination_of(texts: pl.DataFrame, people: Counts) -> npt.NDArray[np.int64]:
    """For every row the place of its combination among those that were counted."""
    names = [str(place) for place in range(len(people.columns))]
    known = pl.DataFrame(
        {
            name: people.texts[place].gather(people.codes[place]).cast(pl.String)
            for place, name in enumerate(names)
        }
    )
    rows = texts.select(
        [named(column).alias(name) for column, name in zip(people.columns, names, strict=True)]
    )
    matches = rows.join(
        known.with_row_index("place"), on=names, how="left", nulls_equal=True, maintain_order="left"
    )
    return matches.get_column("place").to_numpy().astype(np.int64)


def _keeps_promises(
    rows: pl.DataFrame, fits: npt.NDArray[np.bool_], columns: Sequence[str], models: Sequence[PrivacyModel]
) -> npt.NDArray[np.bool_]:
    """Whether the new rows of the class of every row keep the promises by themselves."""
    told = list(dict.fromkeys(model.column for model in models if model.column is not None))
    is_kept = np.zeros(rows.height, np.bool_)
    if not fits.any():
        return is_kept
    some = rows.filter(pl.Series(fits))
    counts = open_table(some, missing=()).count_by([*columns, *told])
    classes = classes_of(counts, columns)
    number = number_groups([counts.codes[place] for place in range(len(columns))])
    violates = np.zeros(len(classes.counts), np.bool_)
    for model in models:
        violates |= model.violations(classes)
    keeps = ~violates[number]
    is_kept[np.flatnonzero(fits)] = keeps[_combination_of(some, counts)]
    return is_kept
