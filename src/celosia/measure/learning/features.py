"""From columns to numbers that models take: released labels and original values in one space.

A number is the middle of what its label allows, with the width where widths differ; a category is one number per
value of the original, the share that it has of what its label allows. So a value of the original is the label that
allows only itself. A model trained on a release is asked about people by the labels that the release most likely shows
of them: a forest that has seen thirds of three cities makes nothing of one city.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.decode import DecodedColumn, LabelMeaning
from celosia.measure.distribution.marginal import read_numbers
from celosia.types import DATES, ColumnType

__all__ = [
    "MOST_CATEGORIES",
    "ColumnFeatures",
    "FeatureKind",
    "FeatureLayout",
    "Preparation",
    "column_features",
    "likeliest_labels",
    "middles",
]

Floats = npt.NDArray[np.float64]

MOST_CATEGORIES = 50
"""Values of a column that get a number of their own; rarer ones share one."""


class FeatureKind(IntEnum):
    """What one number of a row is."""

    NUMBER = 0
    WIDTH = 1
    SHARE = 2


@dataclass(frozen=True)
class FeatureLayout:
    """What the features of a row are: ``kinds[feature]``, and ``columns[feature]``, the number of the column of each.

    >>> layout = FeatureLayout((FeatureKind.NUMBER, FeatureKind.SHARE, FeatureKind.SHARE), (0, 1, 1))
    >>> layout.of(1, FeatureKind.SHARE).tolist(), layout.size
    ([1, 2], 2)
    """

    kinds: tuple[FeatureKind, ...]
    columns: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many columns there are."""
        return max(self.columns, default=-1) + 1

    def of(self, column: int, *kinds: FeatureKind) -> npt.NDArray[np.int64]:
        """The features of a column that are of some kinds."""
        places = [
            place
            for place, (kind, owner) in enumerate(zip(self.kinds, self.columns, strict=True))
            if owner == column and kind in kinds
        ]
        return np.array(places, np.int64)


@dataclass(frozen=True)
class ColumnFeatures:
    """What models see of one column: ``released[label, feature]``, NaN where nothing is known.

    ``kinds[feature]`` says what each is; ``pooled`` is how many rare values share one. ``likeliest[value]`` is the
    label by which the release most likely shows each of ``values``, those of the original; -1 where none allows it.
    """

    column: str
    kind: ColumnType
    kinds: tuple[FeatureKind, ...]
    labels: pl.Series
    released: Floats
    places: dict[str | None, int]
    origin: float
    exact_width: float
    pooled: int
    values: pl.Series
    likeliest: npt.NDArray[np.int64]

    def as_released(self, values: pl.Series) -> Floats:
        """Features of values as the release most likely shows them; as they are, where it shows nothing of the kind."""
        known = pl.DataFrame({"text": self.values, "label": self.likeliest})
        beside = values.cast(pl.String).alias("text").to_frame()
        joined = beside.join(known, on="text", how="left", nulls_equal=True, maintain_order="left")
        label = joined["label"].fill_null(-1).to_numpy()
        features = self.of_values(values)
        features[label >= 0] = self.released[label[label >= 0]]
        return features

    def of_values(self, values: pl.Series) -> Floats:
        """``[value, feature]`` for values as people have them, those of the original or of others."""
        features = np.zeros((len(values), len(self.kinds)))
        if self.kinds and self.kinds[0] is FeatureKind.NUMBER:
            numbers = read_numbers(values, self.kind)
            features[:, 0] = np.where(np.isfinite(numbers), numbers, np.nan) - self.origin
            if FeatureKind.WIDTH in self.kinds:
                features[:, self.kinds.index(FeatureKind.WIDTH)] = self.exact_width
            if FeatureKind.SHARE in self.kinds:
                features[:, self.kinds.index(FeatureKind.SHARE)] = values.is_null().to_numpy()
            return features
        rows = [(row, self.places[text]) for row, text in enumerate(values.to_list()) if text in self.places]
        if rows:
            features[tuple(np.array(rows).T)] = 1.0
        return features


def column_features(
    decoded: DecodedColumn, kind: ColumnType, before: npt.NDArray[np.int64], after: npt.NDArray[np.int64]
) -> ColumnFeatures:
    """What models see of a column; ``before[value]`` rows of the original have each, ``after[label]`` of the release.

    >>> from celosia.measure.decode import decode_column
    >>> age = decode_column("age", ColumnType.INTEGER, pl.Series(["31", "47"]), pl.Series(["[30-39]", "47", "*"]))
    >>> found = column_features(age, ColumnType.INTEGER, np.array([1, 1]), np.array([1, 1, 1]))
    >>> found.released.tolist(), found.of_values(pl.Series(["31"])).tolist()
    ([[34.5, 9.0], [47.0, 0.0], [nan, 16.0]], [[31.0, 0.0]])
    >>> job = decode_column("job", ColumnType.TEXT, pl.Series(["cook", "nurse"]), pl.Series(["cook", "*"]))
    >>> column_features(job, ColumnType.TEXT, np.array([1, 1]), np.array([1, 1])).released.tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    if decoded.is_number:
        return _numbers(decoded, kind, after)
    return _shares(decoded, kind, before, after)


def likeliest_labels(decoded: DecodedColumn, after: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For each value of the original the label that most of its rows show, those of a label being spread evenly.

    -1 where no label allows it.

    >>> from celosia.measure.decode import decode_column
    >>> labels = pl.Series(["[30-39]", "31", "*"])
    >>> age = decode_column("age", ColumnType.INTEGER, pl.Series(["31", "35", "47"]), labels)
    >>> likeliest_labels(age, np.array([4, 3, 3])).tolist()
    [1, 0, 2]
    """
    labels = np.full(len(decoded.values), -1, np.int64)
    order = np.argsort(decoded.numbers, kind="stable")
    ordered = decoded.numbers[order]
    first, last = np.searchsorted(ordered, decoded.low), np.searchsorted(ordered, decoded.high, "right")
    is_interval = decoded.is_number & ~np.isnan(decoded.low) & (decoded.meanings == LabelMeaning.SOME)
    # The likeliest come last, and have the last word.
    for label in np.argsort(after / np.maximum(decoded.leaves, 1), kind="stable").tolist():
        if decoded.meanings[label] == LabelMeaning.EVERYTHING:
            labels[:] = label
        elif is_interval[label]:
            labels[order[first[label] : last[label]]] = label
        else:
            labels[decoded.codes[decoded.starts[label] : decoded.starts[label + 1]]] = label
    return labels


def middles(decoded: DecodedColumn) -> tuple[Floats, Floats]:
    """The middle of what each label allows of a column of numbers, and how wide that is; NaN where it allows all.

    >>> from celosia.measure.decode import decode_column
    >>> labels = pl.Series(["[30-39]", ">=65", "{20, 80}", "*"])
    >>> age = decode_column("age", ColumnType.INTEGER, pl.Series(["20", "31", "80"]), labels)
    >>> [part.tolist() for part in middles(age)]
    [[34.5, 72.5, 50.0, nan], [9.0, 15.0, 60.0, 60.0]]
    """
    finite = decoded.numbers[np.isfinite(decoded.numbers)]
    least, most = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    # An open end is where the original ends, or the other end where that lies beyond.
    low = np.where(np.isneginf(decoded.low), np.fmin(least, decoded.high), decoded.low)
    high = np.where(np.isposinf(decoded.high), np.fmax(most, decoded.low), decoded.high)
    middle, width = low / 2 + high / 2, high - low
    listed = np.isnan(decoded.low) & (np.diff(decoded.starts) > 0) & (decoded.meanings == LabelMeaning.SOME)
    for label in np.flatnonzero(listed):
        numbers = decoded.numbers[decoded.codes[decoded.starts[label] : decoded.starts[label + 1]]]
        numbers = numbers[np.isfinite(numbers)]
        if len(numbers):
            middle[label], width[label] = numbers.mean(), np.ptp(numbers)
    is_open = decoded.meanings == LabelMeaning.EVERYTHING
    width = np.where(is_open, decoded.scale, width)
    known = np.isfinite(middle) & ~is_open
    return np.where(known, middle, np.nan), np.where(np.isfinite(width), width, np.nan)


def _numbers(decoded: DecodedColumn, kind: ColumnType, after: npt.NDArray[np.int64]) -> ColumnFeatures:
    middle, width = middles(decoded)
    finite = decoded.numbers[np.isfinite(decoded.numbers)]
    # Instants count from the first one: trees compare in 32 bits, which hold seconds since 1970 to the minute only.
    origin = float(finite.min()) if kind in DATES and len(finite) else 0.0
    is_missing = decoded.meanings == LabelMeaning.MISSING
    kinds, columns = [FeatureKind.NUMBER], [middle - origin]
    widths = width[np.isfinite(width)]
    if len(widths) and np.ptp(widths) > 0:
        kinds.append(FeatureKind.WIDTH)
        columns.append(np.where(is_missing, np.nan, width))
    if is_missing.any() or decoded.values.null_count():
        kinds.append(FeatureKind.SHARE)
        columns.append(is_missing.astype(np.float64))
    # Where the release shows no exact value, a width of 0 is nothing a model has seen: it is told what is usual.
    exact = 0.0 if (widths == 0).any() else np.nan
    return ColumnFeatures(
        decoded.column,
        kind,
        tuple(kinds),
        decoded.labels,
        np.column_stack(columns),
        {},
        origin,
        exact,
        0,
        decoded.values,
        likeliest_labels(decoded, after),
    )


def _shares(
    decoded: DecodedColumn, kind: ColumnType, before: npt.NDArray[np.int64], after: npt.NDArray[np.int64]
) -> ColumnFeatures:
    """Shares of values; labels that the original does not know are values of their own."""
    unknown = np.flatnonzero(decoded.meanings == LabelMeaning.UNKNOWN)
    texts = [*decoded.values.to_list(), *decoded.labels.gather(unknown).to_list()]
    rows = np.concatenate((before, after[unknown]))
    order = np.argsort(-rows, kind="stable")
    kept = order[:MOST_CATEGORIES] if len(order) > MOST_CATEGORIES + 1 else order
    feature = np.full(len(texts), len(kept))
    feature[np.sort(kept)] = np.arange(len(kept))
    pooled = len(texts) - len(kept)
    size = len(kept) + (pooled > 0)

    sizes = np.diff(decoded.starts)
    released = np.zeros((len(decoded.labels), size))
    owners = np.repeat(np.arange(len(sizes)), sizes)
    np.add.at(released, (owners, feature[decoded.codes]), 1 / np.repeat(np.maximum(sizes, 1), sizes))
    released[unknown, feature[len(decoded.values) :]] = 1.0
    possible = feature[: len(decoded.values)][decoded.values.is_not_null().to_numpy()]
    anything = np.bincount(possible, minlength=size) / max(1, len(possible))
    released[decoded.meanings == LabelMeaning.EVERYTHING] = anything
    places = dict(zip(texts, feature.tolist(), strict=True))
    return ColumnFeatures(
        decoded.column,
        kind,
        (FeatureKind.SHARE,) * size,
        decoded.labels,
        released,
        places,
        0.0,
        0.0,
        pooled,
        decoded.values,
        likeliest_labels(decoded, after),
    )


@dataclass(frozen=True)
class Preparation:
    """What is done to features before a model sees them, learnt from the rows that it is trained on and from no other.

    What is unknown becomes the mean; with ``scale``, numbers and widths get mean 0 and deviation 1. Shares have one
    scale already.

    >>> rows = np.array([[1.0, 0.0], [3.0, 1.0], [np.nan, 1.0]])
    >>> done = Preparation.of(rows, np.array([1.0, 1.0, 9.0]), (FeatureKind.NUMBER, FeatureKind.SHARE), scale=True)
    >>> done.apply(rows).tolist()
    [[-1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    """

    fill: Floats
    center: Floats
    deviation: Floats

    @classmethod
    def of(
        cls, features: Floats, rows: Floats, kinds: tuple[FeatureKind, ...], *, scale: bool
    ) -> "Preparation":
        """Learn it from ``features[row, feature]``, each of ``rows[row]`` rows."""
        is_known = ~np.isnan(features)
        known = np.where(is_known, features, 0.0)
        weights = np.maximum(rows @ is_known, 1e-300)
        mean = rows @ known / weights
        if not scale:
            return cls(mean, np.zeros(len(mean)), np.ones(len(mean)))
        spread = np.sqrt(rows @ np.where(is_known, (known - mean) ** 2, 0.0) / weights)
        is_share = np.array([kind is FeatureKind.SHARE for kind in kinds], np.bool_)
        deviation = np.where(is_share | (spread <= 1e-12 * np.abs(mean)), 1.0, spread)
        return cls(mean, np.where(is_share, 0.0, mean), deviation)

    def apply(self, features: Floats) -> Floats:
        """The features as a model sees them."""
        return (np.where(np.isnan(features), self.fill, features) - self.center) / self.deviation
