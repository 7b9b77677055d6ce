"""What the labels of a release stand for, for the verification: which people of a population fit its classes.

Nothing is shared with the searches: labels are looked up in the paths of the hierarchies, or read as intervals and
patterns where there is none, and the people of the population are joined to the classes value by value.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError, TableError
from celosia.hierarchies import Hierarchy
from celosia.measure.decode import decode_column
from celosia.release.counting import Counting
from celosia.say import say
from celosia.tables.table import Counts, Table
from celosia.types import ColumnType, nearest

__all__ = ["Labels", "PopulationFit", "count_people", "information_losses"]

ROOT = "*"


@dataclass(frozen=True)
class Labels:
    """What is needed to understand the labels of a release.

    ``population`` is a table of the people of whom the original held some; ``levels`` are those of the columns, where
    they are known; ``missing`` are texts by which a file shows a missing value.
    """

    columns: tuple[str, ...]
    hierarchies: Mapping[str, Hierarchy]
    population: Table | None = None
    levels: Mapping[str, int] = field(default_factory=dict)
    missing: tuple[str, ...] = ("",)

    def shown(self, counting: Counting) -> Iterator[pl.DataFrame]:
        """The classes, some at a time, with missing values as such."""
        for frame in counting.shown():
            texts = pl.col([name for name in frame.columns if name != "n"])
            is_missing = texts.is_in(list(self.missing))
            yield frame.with_columns(pl.when(is_missing).then(None).otherwise(texts).name.keep())

    def values_under(self, name: str, labels: list[str | None]) -> dict[str | None, set[str | None]]:
        """The values of its hierarchy that every label of a column stands for, with None for a missing one."""
        hierarchy = self.hierarchies[name]
        paths, top = hierarchy.rows(), hierarchy.height
        by_level: list[dict[str | None, set[str | None]]] = [{} for _ in range(top + 1)]
        for path in paths:
            for level, label in enumerate(path):
                by_level[level].setdefault(label, set()).add(path[0])
        if top > 0 and len(by_level[top]) == 1:
            next(iter(by_level[top].values())).add(None)  # missing values join all others at the root
        shown = {label for label in labels if label is not None}
        order = by_level
        if name in self.levels:
            order = [by_level[self.levels[name]], *by_level]
        elif any(
            together := [labels_of_level for labels_of_level in by_level if shown <= set(labels_of_level)]
        ):
            # A label may mean different things on two levels: if all are on one level it is that, the lowest.
            order = [together[0], *by_level]
        by_label: dict[str | None, set[str | None]] = {None: {None}}
        for label in shown:
            by_label[label] = next(
                (level_labels[label] for level_labels in order if label in level_labels), set()
            )
        if ROOT in shown and not by_label[ROOT]:
            by_label[ROOT] = {None, *(path[0] for path in paths)}
        return by_label


@dataclass(frozen=True)
class PopulationFit:
    """Classes of a release, some at a time, with their rows ``n`` and the ``people`` of the population who fit each."""

    classes: Iterator[pl.DataFrame]
    _seen: npt.NDArray[np.bool_]
    _rows: npt.NDArray[np.int64]

    def unseen(self) -> int:
        """How many people fit none of the classes looked at so far."""
        return int(self._rows[~self._seen].sum())


def count_people(labels: Labels, counting: Counting, model: str) -> PopulationFit:
    """The people of the population who fit every class of a release, counted anew from their table."""
    people = _count_population(labels, model)
    seen = np.zeros(len(people), bool)
    return PopulationFit(_fit(labels, counting, people, seen), seen, people.counts)


def information_losses(
    labels: Labels, counting: Counting, model: str
) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]]:
    """Sizes of classes, some at a time, and the share of information that the labels of each take away."""
    for name in labels.columns:
        if name not in labels.hierarchies:
            raise ProjectError(
                say(
                    "{model} cannot be verified without the hierarchy of {column!r}", model=model, column=name
                ),
                remedy=say("give it, as in --hierarchy {column}=file.csv", column=name),
            )
    sizes = [len(labels.hierarchies[name].values) for name in labels.columns]
    most = sum(np.log2(size) for size in sizes) or 1.0
    for frame in labels.shown(counting):
        lost = np.zeros(frame.height)
        for place, (name, size) in enumerate(zip(labels.columns, sizes, strict=True)):
            texts = frame.get_column(f"qi{place}")
            under = labels.values_under(name, texts.unique().to_list())
            leaves = {label: min(size, max(1, len(values - {None}))) for label, values in under.items()}
            lost += np.log2(np.array([leaves[text] for text in texts.to_list()], np.float64))
        yield frame.get_column("n").to_numpy(), lost / most


def _count_population(labels: Labels, model: str) -> Counts:
    if labels.population is None:
        raise ProjectError(
            say("{model} cannot be verified without the population", model=model),
            where="population",
            remedy=say("name its table with --population"),
        )
    names = tuple(labels.population.columns())
    for name in labels.columns:
        if name not in names:
            raise TableError(
                say("the population has no column {name!r}", name=name),
                where=labels.population.name,
                remedy=nearest(name, names),
            )
    return labels.population.count_by(labels.columns)


def _fit(
    labels: Labels, counting: Counting, people: Counts, seen: npt.NDArray[np.bool_]
) -> Iterator[pl.DataFrame]:
    types = (
        {}
        if labels.population is None
        else {column.name: column.type for column in labels.population.schema()}
    )
    columns = [f"qi{place}" for place in range(len(labels.columns))]
    codes = {f"value{place}": codes.astype(np.int64) for place, codes in enumerate(people.codes)}
    whole = pl.DataFrame({**codes, "people": people.counts, "who": np.arange(len(people))})
    for frame in labels.shown(counting):
        fitting = whole
        for place, name in enumerate(labels.columns):
            texts = frame.get_column(columns[place]).unique()
            pairs = _pairs(labels, name, people.texts[place], texts, types.get(name, ColumnType.TEXT))
            pairs = pairs.rename({"value": f"value{place}", "label": columns[place]})
            fitting = fitting.join(pairs, on=f"value{place}").drop(f"value{place}")
            begun = columns[: place + 1]  # only what a class begins with can become one
            fitting = fitting.join(frame.select(begun).unique(), on=begun, how="semi", nulls_equal=True)
        seen[fitting.get_column("who").to_numpy()] = True
        counted = fitting.group_by(columns).agg(pl.col("people").sum())
        yield frame.join(counted, on=columns, how="left", nulls_equal=True).select(
            "n", pl.col("people").fill_null(0)
        )


def _pairs(labels: Labels, name: str, values: pl.Series, texts: pl.Series, kind: ColumnType) -> pl.DataFrame:
    """Which values of the population each label allows."""
    shown, known = texts.to_list(), values.to_list()
    value, label = [], []
    if name in labels.hierarchies:
        places = {text: code for code, text in enumerate(known)}
        for text, under in labels.values_under(name, shown).items():
            if text in shown:
                fitting = [places[value] for value in under if value in places]
                value += fitting
                label += [text] * len(fitting)
    else:
        decoded = decode_column(name, kind, values, texts)
        every = np.arange(len(known))
        for number, text in enumerate(shown):
            fitting = every[decoded.allows(every, np.full(len(known), number))].tolist()
            value += fitting
            label += [text] * len(fitting)
    return pl.DataFrame({"value": value, "label": label}, schema={"value": pl.Int64, "label": pl.String})
