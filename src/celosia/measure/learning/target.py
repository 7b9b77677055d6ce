"""What is to be predicted: classes or numbers, as released labels and values of people tell it."""

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.decode import DecodedColumn, LabelMeaning
from celosia.measure.distribution.marginal import NUMERIC_TYPES, read_numbers
from celosia.measure.learning.features import middles
from celosia.measure.learning.people import LearningPeople
from celosia.measure.release_measure import SIDES, NotMeasurableError
from celosia.measure.subject import MeasureSubject
from celosia.say import Text, say

__all__ = ["PredictionTarget", "find_places"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

FEW_NUMBERS = 10
"""A column of numbers with no more distinct values is a column of classes."""
MOST_CLASSES = 100
"""More than so many values no model is trained to tell apart."""


class PredictionTarget:
    """What is to be predicted, and how released labels and values of people tell it."""

    def __init__(self, subject: MeasureSubject, column: str) -> None:
        self.column, self.kind = column, subject.kinds[column]
        self.decoded: DecodedColumn = subject.decoded(column)
        texts = [text for text in self.decoded.values.to_list() if text is not None]
        is_number = self.kind in NUMERIC_TYPES and len(texts) > FEW_NUMBERS
        self.classes = None if is_number else tuple(texts)
        labels = set(self.decoded.labels.to_list())
        self.shown = tuple(text in labels for text in texts)
        if self.classes is not None and len(texts) > MOST_CLASSES:
            raise NotMeasurableError(
                say(
                    "{column!r} has {count} values, more than the {most} classes that models are made for",
                    column=column,
                    count=len(texts),
                    most=MOST_CLASSES,
                )
            )

    def released(self, people: LearningPeople) -> Floats:
        """``targets[combination]`` of the release; NaN where a label allows several classes."""
        places = find_places(self.decoded.labels, people.values(self.column))
        return self._of_labels()[places[people.codes(self.column)]]

    def _of_labels(self) -> Floats:
        decoded = self.decoded
        if self.classes is None:
            return middles(decoded)[0]
        is_value = (decoded.meanings == LabelMeaning.VALUE) & (np.diff(decoded.starts) == 1)
        numbers = np.full(len(decoded.labels), np.nan)
        places = decoded.values.is_not_null().to_numpy().cumsum() - 1
        numbers[is_value] = places[decoded.codes[decoded.starts[:-1][is_value]]]
        return numbers

    def known(self, people: LearningPeople) -> Floats:
        """``targets[combination]`` of rows of people; NaN where it is missing or a class that the original lacks."""
        values = people.values(self.column)
        if self.classes is None:
            numbers = read_numbers(values, self.kind)
            return np.where(np.isfinite(numbers), numbers, np.nan)[people.codes(self.column)]
        number = {text: float(place) for place, text in enumerate(self.classes)}
        known_numbers = np.array([number.get(text, np.nan) for text in values.to_list()])
        return known_numbers[people.codes(self.column)]

    def check(self, targets: Floats, folds: int, side: str) -> None:
        """Say why nothing can be learnt from these rows."""
        usable = targets[~np.isnan(targets)]
        if not len(usable):
            raise NotMeasurableError(
                say(
                    "no row of the {side} shows a single value of {column!r}",
                    side=SIDES[side],
                    column=self.column,
                )
            )
        if np.ptp(usable) == 0:
            raise NotMeasurableError(
                say(
                    "all rows of the {side} have the same value of {column!r}",
                    side=SIDES[side],
                    column=self.column,
                )
            )
        smallest = len(usable)
        if self.classes is not None:
            sizes = np.bincount(usable.astype(np.int64))
            smallest = int(sizes[sizes > 0].min())
        if smallest < folds:
            raise NotMeasurableError(self._too_few(smallest, folds, SIDES[side]))

    def _too_few(self, rows: int, folds: int, side: Text) -> Text:
        if self.classes is None:
            return say(
                "the {side} has only {rows} rows, fewer than the {folds} folds: give fewer folds, or pool rare values",
                side=side,
                rows=rows,
                folds=folds,
            )
        return say(
            "the {side} has only {rows} rows with one of the values of {column!r}, fewer than the {folds} folds:"
            " give fewer folds, or pool rare values",
            side=side,
            rows=rows,
            column=self.column,
            folds=folds,
        )


def find_places(known: pl.Series, wanted: pl.Series) -> Integers:
    """Where each text that is wanted stands among those known."""
    place = {text: code for code, text in enumerate(known.to_list())}
    return np.array([place[text] for text in wanted.to_list()], np.int64)
