"""Promises to people of whom others know only some columns: classes that look alike in these are one group."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from celosia.privacy.classes import Classes
from celosia.privacy.model import PrivacyModel, histogram_of
from celosia.say import say

__all__ = ["KnownColumns", "ValuesInGroups", "choose_columns", "group_classes"]

Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
DENSE = 1 << 20
"""Numbers of groups up to here are counted in an array of that length; more are ranked first."""


def group_classes(labels: Mapping[str, Integers], columns: Sequence[str], classes: int) -> Integers:
    """``group[class]`` of those that look alike in some columns; all are one group to whoever knows none.

    >>> group_classes({"age": np.array([0, 0, 1]), "sex": np.array([1, 0, 0])}, ["age"], 3).tolist()
    [0, 0, 1]
    """
    group, size = np.zeros(classes, np.int64), 1
    for name in columns:
        if name not in labels:  # not part of what is looked at: nobody can tell by it
            continue
        codes = labels[name]
        width = int(codes.max(initial=0)) + 1
        if size * width > DENSE:
            group = np.unique(group, return_inverse=True)[1]
            size = int(group.max(initial=0)) + 1
        group, size = group * width + codes, size * width
    return np.unique(group, return_inverse=True)[1] if size > DENSE else group


class KnownColumns(PrivacyModel):
    """A promise about groups of classes that look alike in columns that somebody may know.

    Classes that are made one by one (:attr:`Classes.labels` is None) are each taken for a whole group. That asks for
    more than is promised, and so keeps it: a group of good classes is good.
    """

    is_relative: ClassVar[bool] = True
    needs_labels: ClassVar[bool] = True

    k: int = Field(ge=2, description="rows that look alike at least, in the columns that are known")

    @abstractmethod
    def views(self, columns: Sequence[str]) -> list[tuple[str, ...]]:
        """The sets of columns that may be known, of all quasi-identifiers; what fewer tell is never more."""

    @abstractmethod
    def assumption(self) -> str:
        """What nobody is assumed to know, in words that end a sentence about the promise."""

    @property
    def group_size(self) -> int:
        """Its k."""
        return self.k

    @property
    def hides_everybody(self) -> bool:
        """As far as others know only some columns."""
        return True

    def violations(self, classes: Classes) -> Mask:
        """``violations[class]``: whether it is in a group that fails, to somebody who knows some columns."""
        count = len(classes.counts)
        if classes.labels is None:
            return self.failing_groups(np.arange(count), classes, count)
        bad = np.zeros(count, bool)
        for columns in self.views(tuple(classes.labels)):
            group = group_classes(classes.labels, columns, count)
            bad |= self.failing_groups(group, classes, int(group.max(initial=-1)) + 1)[group]
        return bad

    def failing_groups(self, group: Integers, classes: Classes, groups: int) -> Mask:
        """``failing[group]``: whether a group that has rows has too few of them, or its values tell too much."""
        rows = np.bincount(group, classes.counts, groups)
        return ((rows < self.k) | self._tell_values(group, classes, groups)) & (rows > 0)

    @abstractmethod
    def _tell_values(self, group: Integers, classes: Classes, groups: int) -> Mask:
        """``failing[group]``: whether the sensitive values in a group tell too much."""


class ValuesInGroups(KnownColumns):
    """Groups of k rows with, where ``l`` asks for it, so many different values of a sensitive column."""

    class_monotone: ClassVar[bool] = True

    column: str | None = Field(
        default=None, description="the sensitive column of which l values are asked for"
    )
    l: int = Field(  # noqa: E741
        default=1, ge=1, description="different values of the sensitive column at least, in every such group"
    )

    @model_validator(mode="after")
    def _has_column(self) -> "ValuesInGroups":
        if (self.l > 1) != (self.column is not None):
            raise ValueError(say("l and the sensitive column that it is about go together"))
        return self

    def _tell_values(self, group: Integers, classes: Classes, groups: int) -> Mask:
        if self.column is None:
            return np.zeros(groups, bool)
        histogram = histogram_of(classes, self.column)
        pairs = np.unique(group[histogram.classes] * max(1, len(histogram.values)) + histogram.codes)
        return np.bincount(pairs // max(1, len(histogram.values)), minlength=groups) < self.l


def choose_columns(columns: Sequence[str], known: int) -> list[tuple[str, ...]]:
    """Every choice of so many columns: whoever knows fewer sees groups that are larger.

    >>> choose_columns(["age", "sex", "zip"], 2)
    [('age', 'sex'), ('age', 'zip'), ('sex', 'zip')]
    """
    return list(combinations(columns, min(known, len(columns))))
