"""Methods of SparkTPTDS: each a technique of ours under k-anonymity, on Spark."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from celosia.errors import ProjectError
from celosia.say import say
from celosia.sparktptds.dataset import DataPreprocess

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from celosia.hierarchies import Hierarchy
    from celosia.release.release import Release

__all__ = ["AnonymizationMethod", "LevelCut", "TwoPhaseTDS", "as_k"]


@dataclass(frozen=True)
class LevelCut:
    """One level of a hierarchy, 0 the values as they are: what an anonymization level has for every attribute."""

    hierarchy: "Hierarchy"
    level: int

    @property
    def labels(self) -> frozenset[str]:
        """The labels on it."""
        return frozenset(self.hierarchy.labels[self.level])


class AnonymizationMethod(ABC):
    """A way to anonymize a dataset under k-anonymity; a subclass names the technique.

    After a run, ``al`` and ``al_0`` are the anonymization levels that it came to and began from, by attribute, if the
    technique has such; ``release`` is all that is known of the run.
    """

    def __init__(self, dataset: DataPreprocess, k: int) -> None:
        if not isinstance(dataset, DataPreprocess):
            raise ProjectError(
                say("this is no dataset"), where="dataset", remedy=say("give a DataPreprocess")
            )
        self.dataset, self.k = dataset, as_k(k, "k")
        self.al: dict[str, LevelCut] = {}
        self.al_0: dict[str, LevelCut] = {}
        self.release: Release | None = None

    @abstractmethod
    def technique(self) -> Mapping[str, object]:
        """The technique with its parameters, as a project writes it."""

    def anonymize(self) -> "DataFrame | str":
        """Run it, verify the result, and return it as a DataFrame, or the path to which it was saved.

        It is saved if ``save_anonymization_result`` says so: beside the table unless ``result_file_name`` has a
        folder, as ``name_k500_2026-11-16`` with an ending, and never over what is there.
        """
        from celosia import run

        is_saved = self.dataset.information["save_anonymization_result"]
        project = self.dataset.project(self.k, self.technique(), date.today() if is_saved else None)
        with _at_work_in(self.dataset.spark):
            release = run.anonymize(project, source=None if is_saved else self.dataset.file_path)
        self.release, plan = release, release.plan
        levels = plan.details.get("node", {})
        self.al = {name: LevelCut(plan.hierarchies[name], level) for name, level in levels.items()}
        self.al_0 = {name: LevelCut(cut.hierarchy, cut.hierarchy.height) for name, cut in self.al.items()}
        if plan.details.get("warning"):
            warnings.warn(plan.details["warning"], stacklevel=3)
        return release.table


class TwoPhaseTDS(AnonymizationMethod):
    """Two-phase top-down specialization: partitions under ``k_i``, then the whole under ``k``, which is not more."""

    def __init__(self, data: DataPreprocess, k: int, k_i: int) -> None:
        super().__init__(data, k)
        self.k_i = as_k(k_i, "k_i")
        if self.k_i < self.k:
            raise ProjectError(
                say("k_i = {k_i} is less than k = {k}", k_i=k_i, k=k),
                where="k_i",
                remedy=say("give {k} or more, such as {larger}", k=k, larger=2 * k),
            )

    def technique(self) -> Mapping[str, object]:
        """Two-phase, with as many partitions as the dataset says."""
        partitions = self.dataset.information.get("partitions")
        return {
            "name": "two-phase",
            "k_partition": self.k_i,
            **({} if partitions is None else {"partitions": partitions}),
        }

    def two_phase_tds(self) -> "DataFrame | str":
        """Run it: the anonymised DataFrame, or the path to which it was saved."""
        return self.anonymize()


def as_k(value: object, name: str) -> int:
    """A k, or an error that names it."""
    if type(value) is not int or value < 2:
        raise ProjectError(say("this is no k"), where=name, remedy=say("give a whole number from 2 on"))
    return value


@contextmanager
def _at_work_in(session: "SparkSession") -> Iterator[None]:
    """Have a session be the one that is found, and afterwards again the one that was before."""
    from celosia.tables.spark.session import find_session

    before = find_session()
    _activate(session)
    try:
        yield
    finally:
        if before is not None:
            _activate(before)


def _activate(session: "SparkSession") -> None:
    # Spark has no word for this in Python, but whoever makes a frame becomes the active session.
    session.createDataFrame([], "nothing int")
