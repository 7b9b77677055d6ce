"""Earth mover's distances for the verification, computed as plans of transport.

The search knows these distances as differences of (cumulative) shares; here they are the cost of an actual
plan: what must leave a value, the quantiles that are matched with each other, and what must change branches
of a hierarchy.

Entries are frames with one row per class and value that occurs in it: ``class``, ``value`` (a place in
``values``, all of which occur) and ``n`` rows. Results have one row per class: ``class`` and ``distance``.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation

import numpy as np
import polars as pl

from celosia.errors import HierarchyError
from celosia.hierarchies import Hierarchy
from celosia.say import say
from celosia.values.same import fold_keys

__all__ = [
    "class_distances_by_hierarchy",
    "class_distances_by_order",
    "class_distances_by_value",
    "order_values",
]


def class_distances_by_value(entries: pl.DataFrame) -> pl.DataFrame:
    """Distances when any two values are 1 apart.

    Half of all that differs: for each value of the class, and for those it lacks altogether.

    >>> entries = pl.DataFrame({"class": [0, 1], "value": [0, 1], "n": [1, 3]})
    >>> class_distances_by_value(entries)["distance"].to_list()
    [0.75, 0.25]
    """
    differing = (pl.col("share") - pl.col("overall")).abs().sum()
    lacking = 1.0 - pl.col("overall").sum()
    return (
        _with_shares(entries).group_by("class", maintain_order=True).agg(distance=(differing + lacking) / 2)
    )


def class_distances_by_order(entries: pl.DataFrame, places: Sequence[int]) -> pl.DataFrame:
    """Distances when neighbours in the order of the values, of which these are the places, are 1 / (m - 1) apart.

    The best plan on a line matches quantiles: the rows of a class between its quantiles a and b, all at place
    x, meet those of the whole table between the same a and b.

    >>> entries = pl.DataFrame({"class": [0, 1, 1], "value": [0, 1, 2], "n": [1, 1, 1]})
    >>> class_distances_by_order(entries, [0, 1, 2])["distance"].round(6).to_list()
    [0.5, 0.25]
    """
    place = pl.Series(places, dtype=pl.Int64)
    rows = pl.col("n").sum().over("class")
    until = pl.col("n").cum_sum().over("class")
    matched = (
        entries.with_columns(place=place.gather(entries["value"]))
        .sort("class", "place")
        .with_columns(a=(until - pl.col("n")) / rows, b=until / rows)
    )
    totals = np.bincount(matched["place"].to_numpy(), weights=matched["n"].to_numpy(), minlength=len(places))
    quantile = np.concatenate(([0.0], np.cumsum(totals) / totals.sum()))
    # moment(u): the places of the whole table up to its quantile u, integrated; linear between quantiles.
    moments = np.concatenate(([0.0], np.cumsum(totals * np.arange(len(places))) / totals.sum()))
    x, a, b = (matched[name].to_numpy() for name in ("place", "a", "b"))
    turn = np.clip(quantile[x + 1], a, b)
    at_a, at_turn, at_b = (np.interp(u, quantile, moments) for u in (a, turn, b))
    work = x * (turn - a) - (at_turn - at_a) + (at_b - at_turn) - x * (b - turn)
    return (
        matched.with_columns(work=pl.Series(work) / max(len(places) - 1, 1))
        .group_by("class", maintain_order=True)
        .agg(distance=pl.col("work").sum())
    )


def class_distances_by_hierarchy(
    entries: pl.DataFrame, values: Sequence[str | None], hierarchy: Hierarchy
) -> pl.DataFrame:
    """Distances when two values are as far apart as the height of the label that they first share.

    From the values up, each label balances what its branches have too much with what others of them lack; the
    rest is balanced higher up, where it is dearer (Li, Li and Venkatasubramanian 2007, section 4.2).

    >>> entries = pl.DataFrame({"class": [0, 1, 1], "value": [0, 1, 2], "n": [1, 1, 1]})
    >>> diseases = [("flu", "lungs", "*"), ("asthma", "lungs", "*"), ("gout", "joints", "*")]
    >>> tree = Hierarchy.from_rows("disease", diseases)
    >>> class_distances_by_hierarchy(entries, ["flu", "asthma", "gout"], tree)["distance"].round(6).to_list()
    [0.5, 0.25]
    """
    paths = _paths(values, hierarchy)
    height = len(paths[0]) - 1
    branches = _with_shares(entries).rename({"value": "branch"})
    costs = []
    for level in range(1, height + 1):
        parents = pl.DataFrame(
            {"branch": [path[level - 1] for path in paths], "label": [path[level] for path in paths]}
        ).unique()
        labels = (
            branches.join(parents, on="branch")
            .group_by("class", "label")
            .agg(
                pl.col("share").sum(),
                surplus=(pl.col("share") - pl.col("overall")).clip(lower_bound=0).sum(),
                deficit=(pl.col("overall") - pl.col("share")).clip(lower_bound=0).sum(),
                present=pl.col("overall").sum(),
            )
            .join(_label_shares(entries, [path[level] for path in paths]), on="label")
        )
        # Branches in which the class has no row at all lack their whole share.
        lacking = pl.col("deficit") + pl.col("overall") - pl.col("present")
        exchanged = pl.min_horizontal(pl.col("surplus"), lacking)
        costs.append(labels.select("class", distance=exchanged * (level / height)))
        branches = labels.select("class", "share", "overall", branch="label")
    return pl.concat(costs).group_by("class").agg(pl.col("distance").sum()).sort("class")


def order_values(values: Sequence[str | None], order: Sequence[str] | None = None) -> list[int] | None:
    """The place of each value: as given, else by size when all are numbers, by time when all are dates.

    False is before true. After numbers comes NaN, then what is missing. Other texts, or texts that a given order
    lacks, have no order.

    >>> order_values(["10", "9", None, "-1.5"])
    [2, 1, 3, 0]
    >>> order_values(["low", "high"]), order_values(["low", "high"], ["high", "low"])
    (None, [1, 0])
    """
    texts = [str(value) for value in values if value is not None]
    bare = dict(zip(texts, pl.Series(texts, dtype=pl.String).str.strip_chars().to_list(), strict=True))
    numbers = {text: _as_number(bare[text]) for text in texts}
    days = {text: _as_moment(bare[text]) for text in texts}
    if order is not None:
        ascending = _as_given(texts, order)
    elif all(number is not None for number in numbers.values()):
        ascending = sorted(texts, key=lambda text: _number_key(numbers[text], bare[text]))
    elif len({day and day.tzinfo is None for day in days.values()}) == 1 and all(days.values()):
        ascending = sorted(texts, key=lambda text: (days[text], bare[text]))
    elif {bare[text].lower() for text in texts} <= {"false", "true"}:
        ascending = sorted(texts, key=lambda text: (bare[text].lower(), bare[text]))
    else:
        return None
    places = {text: place for place, text in enumerate(ascending)}
    if len(places) < len(numbers):
        return None
    return [len(texts) if value is None else places[str(value)] for value in values]


def _as_given(texts: Sequence[str], order: Sequence[str]) -> list[str]:
    """Those of the texts that an order names, in any spelling, from the least to the greatest."""
    place = {key: number for number, key in enumerate(fold_keys(pl.Series(order, dtype=pl.String)))}
    keys = dict(zip(texts, fold_keys(pl.Series(texts, dtype=pl.String)), strict=True))
    return sorted((text for text in keys if keys[text] in place), key=lambda text: place[keys[text]])


def _as_moment(text: str) -> datetime | None:
    """A date, or a date and a time, in the one spelling of ISO 8601 that tables have."""
    if [text[place : place + 1] for place in (4, 7)] != ["-", "-"] or "," in text:
        return None
    if len(text) > 10 and (text[10] not in "T " or text[13:14] != ":"):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _as_number(text: str) -> Decimal | None:
    # Decimal also takes blanks, underscores, other scripts' digits and 'Infinity', none of which a table
    # writes.
    if text in {"NaN", "inf", "+inf", "-inf"}:
        return Decimal(text)
    if not text or not set(text) <= set("0123456789+-.eE"):
        return None
    exponent = text.lower().partition("e")[2].lstrip("+-")
    if len(exponent) > 9:
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _number_key(number: Decimal | None, text: str) -> tuple[int, Decimal, str]:
    if number is None or number.is_nan():
        return (1, Decimal(0), text)
    return (0, number, text)


def _with_shares(entries: pl.DataFrame) -> pl.DataFrame:
    """The entries with ``share``, of the value in its class, and ``overall``, in the whole table."""
    return entries.select(
        "class",
        "value",
        share=pl.col("n") / pl.col("n").sum().over("class"),
        overall=pl.col("n").sum().over("value") / pl.col("n").sum(),
    )


def _label_shares(entries: pl.DataFrame, labels: Sequence[int]) -> pl.DataFrame:
    """The share of each label in the whole table, where value number v has ``labels[v]``."""
    return (
        entries.select("n", label=pl.Series(labels, dtype=pl.Int64).gather(entries["value"]))
        .group_by("label")
        .agg(overall=pl.col("n").sum())
        .with_columns(pl.col("overall") / pl.col("overall").sum())
    )


def _paths(values: Sequence[str | None], hierarchy: Hierarchy) -> list[list[int]]:
    """For each value its branches from itself (its place in ``values``) to the root, numbered by level."""
    rows = hierarchy.rows()
    by_key = dict(zip(fold_keys(pl.Series(hierarchy.values)), [row[1:] for row in rows], strict=True))
    by_text = {row[0]: row[1:] for row in rows}
    keys = fold_keys(pl.Series(values, dtype=pl.String))
    known = {value: by_text.get(str(value), by_key.get(key)) for value, key in zip(values, keys, strict=True)}
    unknown = [value for value in values if value is not None and known[value] is None]
    if unknown:
        raise HierarchyError(
            say("the released value {value!r} is not in it", value=unknown[0]),
            where=say("hierarchy of {column!r}", column=hierarchy.column),
            remedy=say("add a row for each of {count} such values", count=len(unknown)),
        )
    above = hierarchy.height - 1 if len(hierarchy.labels[-1]) == 1 else hierarchy.height
    nothing = (None,) * max(above, 0)
    texts = [nothing if value is None else (known[value] or ())[: max(above, 0)] for value in values]
    numbered = [_number_distinct(level) for level in zip(*texts, strict=True)] if above > 0 else []
    return [[place, *(level[place] for level in numbered), 0] for place in range(len(values))]


def _number_distinct(labels: Sequence[str | None]) -> list[int]:
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return [numbers[label] for label in labels]
