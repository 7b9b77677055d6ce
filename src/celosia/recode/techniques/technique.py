"""What every technique is: parameters, and a plan of what becomes of the rows."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict

from celosia.recode.task import RecodingTask
from celosia.tables.table import Recoding, Table

if TYPE_CHECKING:
    from celosia.hierarchies import Hierarchy
    from celosia.measure.risk import ClassRisk
    from celosia.recode.result import Candidate, SearchResult
    from celosia.recode.techniques.steps import PlanStep

__all__ = ["RecodingPlan", "Technique", "TechniqueTaken"]


@dataclass(frozen=True)
class RecodingPlan:
    """What a technique found: the recoding, and what to expect of it.

    ``rows`` are those of the table, of which ``excluded`` and ``suppressed`` stay behind; ``left_out`` are further ones
    that are gone before the recoding. ``classes`` are those that are released, unknown (None) where parts are recoded
    one after the other. ``shown`` says in words what becomes of every column, ``details`` goes into the record; neither
    quotes a value of the table. Columns in ``typed`` keep values of their type, so that distributions can be compared.
    The recoding is for ``table`` where that is not the one the technique was given; promises are about people, not
    rows, where it ``counts_people``; where ``person`` names a column, people are counted by it in every class of rows.
    The verification keeps to ``memory`` bytes if given. A search of the lattice also
    has its ``result`` and the ``candidate`` chosen. ``compared`` are measures that other techniques reckon in another
    way, as all of them can; ``choice`` tells of the technique that made the plan where one was chosen among several,
    and ``steps`` what would have changed if a little less or more had been asked for.
    """

    recoding: Recoding
    rows: int
    excluded: int
    suppressed: int
    classes: int | None
    before: "ClassRisk"
    measures: Mapping[str, float]
    shown: Mapping[str, str]
    reasons: Mapping[str, str]
    details: Mapping[str, Any]
    note: str = ""
    hierarchies: "Mapping[str, Hierarchy]" = field(default_factory=dict)
    typed: tuple[str, ...] = ()
    memory: int | None = None
    table: Table | None = None
    counts_people: bool = False
    person: str | None = None
    left_out: int = 0
    candidate: "Candidate | None" = None
    result: "SearchResult | None" = None
    compared: Mapping[str, float] = field(default_factory=dict)
    choice: "TechniqueTaken | None" = None
    steps: "tuple[PlanStep, ...]" = ()

    def value(self, measure: str) -> float | None:
        """A measure as all techniques are compared by it; None where it says nothing of this one."""
        return self.compared.get(measure, self.measures.get(measure))


@dataclass(frozen=True)
class TechniqueTaken:
    """The technique that was chosen among several, in ``lines`` for people and in ``details`` for programs."""

    technique: "Technique"
    lines: tuple[str, ...]
    details: Mapping[str, Any]


class Technique(BaseModel, ABC):
    """A way to make a table safer; a module of this room with a subclass that has a ``name`` adds one.

    Its fields are its parameters: the project document, the Python functions and the command line know them by these
    names, and help shows their descriptions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    name: ClassVar[str]
    suppresses: ClassVar[bool] = True
    """Whether it may leave out rows."""
    is_global: ClassVar[bool] = False
    """Whether a value becomes the same label in the whole table."""
    pace: ClassVar[float] = inf
    """Combinations a second, roughly, where it is so slow that a person would notice."""

    @property
    def compares_people(self) -> bool:
        """Whether people with several rows are compared by all of them together; else they are counted in classes."""
        return False

    @property
    def stand_in(self) -> "Technique":
        """The technique by which it is guessed what another question would bring; its own but for slow ones."""
        return self

    @property
    def compares_linked_people(self) -> bool:
        """The same, where counting does not do: other tables tell of them, too, or a model is about rows."""
        return self.compares_people

    def check(self, task: RecodingTask) -> None:
        """Raise if something is asked for that it does not do; no row is counted for that."""

    def try_out(self, task: RecodingTask) -> None:
        """Raise whatever ``plan`` would, short of its search: for that the rows are counted, and each model is held
        against one class of all of them.
        """
        self.check(task)

    @abstractmethod
    def plan(self, task: RecodingTask) -> RecodingPlan:
        """Find out what becomes of the rows."""

    def plan_here(self, task: RecodingTask) -> RecodingPlan:
        """The plan from combinations that were counted, wherever the rows are: to see what it would keep."""
        return self.plan(task)
