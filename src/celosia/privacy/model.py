"""What every privacy model is: parameters, a sentence, and a predicate over classes."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl
from pydantic import BaseModel, ConfigDict

from celosia.errors import ProjectError
from celosia.privacy.classes import Classes, Histogram
from celosia.say import say

__all__ = ["TOLERANCE", "ModelSyntax", "PrivacyModel", "guarded_columns", "histogram_of", "population_of"]

TOLERANCE = 1e-9
"""Entropies and distances this close to their limit count as equal to it: they are rounded sums."""


@dataclass(frozen=True)
class ModelSyntax:
    """How the command line asks for a model: ``-l recursive:2:3`` has a word and the fields c and l.

    A form without word is meant when the text has no word; ``fixed`` are fields that the word itself decides.
    """

    option: str
    word: str
    fields: tuple[str, ...]
    example: str
    fixed: Mapping[str, str] = field(default_factory=dict)


class PrivacyModel(BaseModel, ABC):
    """A predicate over classes; a module of this room with a subclass that has a ``name`` adds one.

    ``class_monotone`` says that a class that satisfies the model still does after merging with *any* other
    class. Most models keep the weaker promise (``union_monotone``) that the union of satisfying classes satisfies it,
    so that without suppression a generalization of a valid node is valid; no search prunes by one that does not.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    name: ClassVar[str]
    class_monotone: ClassVar[bool]
    is_relative: ClassVar[bool] = False
    """Whether a class is compared with the whole table, so that leaving classes out changes what it asks."""
    union_monotone: ClassVar[bool] = True
    """Whether classes that satisfy the model still do once they are one."""
    of_whole: ClassVar[bool] = False
    """Whether all classes are judged together; ``violations`` are then those to leave out so that the rest satisfies
    it, and none of the others may be missing."""
    needs_population: ClassVar[bool] = False
    """Whether it looks at how many people of the population each class has."""
    needs_losses: ClassVar[bool] = False
    """Whether it looks at what the labels of a class take away."""
    needs_labels: ClassVar[bool] = False
    """Whether it is about groups of classes that look alike in some columns, not about each class."""
    example: ClassVar[str]
    """Parameters as the command line takes them after the name: ``k=5``."""
    forms: ClassVar[tuple[ModelSyntax, ...]] = ()
    """Shorter ways to ask for it, with options of their own."""

    column: str | None
    """The sensitive column it looks at; None when it looks at none."""

    @property
    def least_rows(self) -> int:
        """Rows without which no class can satisfy the model."""
        return 1

    @property
    def group_size(self) -> int:
        """The size under which a group puts people at risk, as this promise sees it."""
        return self.least_rows

    @property
    def least_people(self) -> int:
        """People that every class must have, where one person may have several rows."""
        return self.least_rows if self.column is None else 1

    def settled(self, fraction: float | None) -> "PrivacyModel":
        """The model for a table that holds a known share of the population."""
        return self

    @property
    def hides_everybody(self) -> bool:
        """Whether everybody is in a class of several people, of the release or of the population."""
        return self.least_rows > 1

    @property
    def guards(self) -> str | None:
        """The column about all of whose values it promises something; None where every table would keep its promise."""
        return self.column

    @property
    def asks_for_values(self) -> bool:
        """Whether it depends on the values of its column if it can be asked for: see :meth:`check_values`."""
        return False

    def check_values(self, values: Sequence[object] | pl.Series) -> None:
        """Raise if these are values of its column that it cannot judge."""

    @abstractmethod
    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether the class fails the model."""

    @abstractmethod
    def describe(self) -> str:
        """What the model promises, in one plain sentence."""


def guarded_columns(models: Sequence[PrivacyModel]) -> tuple[str, ...]:
    """The sensitive columns about which something is promised, once each.

    >>> from celosia.privacy import DistinctLDiversity, KAnonymity, TCloseness
    >>> empty = TCloseness(column="outcome", t=1)
    >>> guarded_columns([KAnonymity(k=5), DistinctLDiversity(column="diagnosis", l=2), empty])
    ('diagnosis',)
    """
    return tuple(dict.fromkeys(model.guards for model in models if model.guards is not None))


def histogram_of(classes: Classes, column: str) -> Histogram:
    """The histogram of a sensitive column.

    >>> import numpy as np
    >>> histogram_of(Classes(counts=np.array([3])), "disease")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: the values of 'disease' were not counted; declare it as a sensitive column
    """
    if column not in classes.histograms:
        raise ProjectError(
            say("the values of {column!r} were not counted", column=column),
            remedy=say("declare it as a sensitive column"),
        )
    return classes.histograms[column]


def population_of(classes: Classes) -> npt.NDArray[np.int64]:
    """How many people of the population each class has.

    >>> population_of(Classes(counts=np.array([3])))
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: there is no population to look at; name its table with --population
    """
    if classes.population is None:
        raise ProjectError(
            say("there is no population to look at"), remedy=say("name its table with --population")
        )
    return classes.population
