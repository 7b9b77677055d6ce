"""One step of a technique under comparison: whatever turns a table into another one, each kind seen the same way.

A step takes all it needs to know from the table that it is given, never from the one that was loaded.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from celosia.compare.rows import ROW, Rows, rows_taken
from celosia.errors import ProjectError
from celosia.perturb import Perturbation, make_perturbation, perturbations
from celosia.say import say
from celosia.types import CallerFrame, ColumnType, either, nearest
from celosia.values.text import column_type

__all__ = [
    "ComparisonStep",
    "FunctionStep",
    "MaskStep",
    "PerturbStep",
    "RecodeStep",
    "StepContext",
    "make_step",
]


@dataclass(frozen=True)
class StepContext:
    """What steps are told besides the table: its class, its quasi-identifiers, and a seed of their own."""

    target: str
    quasi_identifiers: tuple[str, ...]
    seed: int
    types: Mapping[str, ColumnType] = field(default_factory=dict)


class ComparisonStep(ABC):
    """What a technique does first, next, or last."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called."""

    @abstractmethod
    def apply(self, frame: pl.DataFrame, setting: StepContext) -> tuple[pl.DataFrame, Rows | None]:
        """The new table, and which row of the old one each of its rows comes from; None if nobody can tell."""

    @property
    def caution(self) -> str:
        """What whoever chooses it should be told."""
        return ""


@dataclass(frozen=True)
class PerturbStep(ComparisonStep):
    """A perturbation. The class is left alone unless its columns are named, or rows are made anew."""

    technique: Perturbation

    @property
    def name(self) -> str:
        """The name of the technique, as a person asks for it."""
        return self.technique.name

    @property
    def caution(self) -> str:
        """What it says itself."""
        return self.technique.caution

    def apply(self, frame: pl.DataFrame, setting: StepContext) -> tuple[pl.DataFrame, Rows | None]:
        """The table with its values perturbed, and which row each of its rows comes from."""
        technique = self.technique
        types = types_of(frame, setting)
        if not technique.named and not technique.makes_rows:
            chosen = technique.choose(
                frame[[name for name in frame.columns if name != setting.target]], types
            )
            if not chosen:
                raise ProjectError(
                    say("no column but the class is of a type that it can change"),
                    where=technique.name,
                    remedy=say("it changes columns of type {names}", names=either(technique.kinds)),
                )
            technique = technique.model_copy(update={"columns": chosen})
        seed = setting.seed if technique.seed is None else technique.seed
        perturbed = technique.perturb(frame, types=types, rng=np.random.default_rng(seed))
        if technique.makes_rows:
            return perturbed, None
        return perturbed, np.arange(frame.height) if technique.is_aligned else rows_taken(frame, perturbed)


@dataclass(frozen=True)
class MaskStep(ComparisonStep):
    """An operation on the columns that are named, or on rows."""

    operation: str
    columns: tuple[str, ...]
    parameters: Mapping[str, object]

    @property
    def name(self) -> str:
        """The name of the technique, as a person asks for it."""
        return self.operation

    def apply(self, frame: pl.DataFrame, setting: StepContext) -> tuple[pl.DataFrame, Rows | None]:
        """The table, masked; rows keep their order."""
        from celosia.mask.operation import RowOperation
        from celosia.mask.registry import make_operation

        operation = make_operation(self.name, **self.parameters)
        # Whoever compares has seen the columns: each is released, even if its name looks like an identifier's.
        roles: dict[str, object] = {
            name: {"role": "common"} for name in (*frame.columns, ROW) if name not in self.columns
        }
        table: dict[str, object] = {"order": "kept", "columns": roles}
        if isinstance(operation, RowOperation):
            table["rows"] = [{"name": self.name, **self.parameters}]
        else:
            _check_columns(self.columns, frame, location=self.name)
            table["columns"] = roles | {
                name: {"operation": {"name": self.name, **self.parameters}} for name in self.columns
            }
        return _released(frame, {"kind": "light", "seed": setting.seed}, table)


@dataclass(frozen=True)
class RecodeStep(ComparisonStep):
    """A recoding technique under k-anonymity, as ``celosia anonymize`` makes it; the class is not touched."""

    technique: str
    k: int
    columns: tuple[str, ...]
    suppression: float
    parameters: Mapping[str, object]

    @property
    def name(self) -> str:
        """The name of the technique, as a person asks for it."""
        return self.technique

    def apply(self, frame: pl.DataFrame, setting: StepContext) -> tuple[pl.DataFrame, Rows | None]:
        """The release; only its class and quasi-identifiers are sure to be in it."""
        from celosia.recode.techniques import make_technique

        chosen = self.columns or setting.quasi_identifiers
        _check_columns(chosen, frame, location=self.name)
        roles = {name: {"role": "quasi-identifier"} for name in chosen}
        roles |= {name: {"role": "common"} for name in (*frame.columns, ROW) if name not in chosen}
        goals = {
            "technique": make_technique(self.name, **self.parameters),
            "models": [{"model": "k-anonymity", "k": self.k}],
            "suppression": self.suppression,
            "seed": setting.seed,
        }
        return _released(frame, goals, {"columns": roles})


FrameFunction = Callable[[pl.DataFrame], CallerFrame]
"""A function of the caller, from a frame of Polars to a frame of any kind."""


@dataclass(frozen=True)
class FunctionStep(ComparisonStep):
    """A function of the caller, from a frame to a frame."""

    function: FrameFunction

    @property
    def name(self) -> str:
        """What the function is called."""
        return getattr(self.function, "__name__", "function")

    def apply(self, frame: pl.DataFrame, setting: StepContext) -> tuple[pl.DataFrame, Rows | None]:
        """What the function makes of it."""
        from celosia.tables.frames import wrap_frame

        wrapped = wrap_frame(self.function(frame))
        changed = wrapped.to_polars(wrapped.names)
        same = changed.height == frame.height and setting.target in changed.columns
        if same and changed[setting.target].equals(frame[setting.target]):
            return changed, np.arange(frame.height)
        return changed, rows_taken(frame, changed)


def make_step(name: str, parameters: Mapping[str, object] | None = None) -> ComparisonStep:
    """A step by the name of a perturbation, an operation or a recoding technique, with its parameters.

    >>> make_step("rank-swapping", {"share": 0.1}).technique.share
    0.1
    >>> make_step("mondrian", {"k": 5}).k
    5
    >>> make_step("mondrain")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: techniques: there is no technique 'mondrain'; did you mean 'mondrian'?
    """
    from celosia.mask.operation import RowOperation
    from celosia.mask.registry import make_operation, operations
    from celosia.recode.techniques import TECHNIQUES, make_technique

    told = dict(parameters or {})
    if name in perturbations():
        if isinstance(told.get("columns"), str):
            told["columns"] = (told["columns"],)
        return PerturbStep(make_perturbation(name, **told))
    columns = _named(told.pop("columns", ()), location=name)
    if name in operations():
        operation = make_operation(name, **told)  # says what is wrong with the parameters
        if not columns and not isinstance(operation, RowOperation):
            raise ProjectError(
                say("it is not said which columns it is done to"),
                where=name,
                remedy=say("write them as in {name}(columns=[age])", name=name),
            )
        if columns and isinstance(operation, RowOperation):
            raise ProjectError(say("it is done to rows"), where=name, remedy=say("name no columns"))
        return MaskStep(name, columns, told)
    if name in TECHNIQUES and name != "chain":
        k, suppression = told.pop("k", 5), told.pop("suppression", 0.0)
        if not isinstance(k, int) or k < 2:
            raise ProjectError(
                say("{k!r} is no k", k=k),
                where=say("technique {name}", name=name),
                remedy=say("give a whole number from 2 on"),
            )
        if (
            isinstance(suppression, bool)
            or not isinstance(suppression, int | float)
            or not 0 <= suppression <= 1
        ):
            raise ProjectError(
                say("{suppression!r} is no suppression", suppression=suppression),
                where=say("technique {name}", name=name),
                remedy=say("give a share of the rows, as in 0.05"),
            )
        make_technique(name, **told)
        return RecodeStep(name, k, columns, float(suppression), told)
    known = (*perturbations(), *operations(), *(name for name in TECHNIQUES if name != "chain"))
    raise ProjectError(
        say("there is no technique {name!r}", name=name),
        where="techniques",
        remedy=nearest(name, known, say("the techniques")),
    )


def _named(columns: object, *, location: str) -> tuple[str, ...]:
    """The columns that a parameter names, one or several."""
    names = (columns,) if isinstance(columns, str) else columns
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise ProjectError(
            say("{columns!r} names no columns", columns=columns),
            where=location,
            remedy=say("write them as in columns=[age]"),
        )
    return tuple(names)


def types_of(frame: pl.DataFrame, setting: StepContext) -> dict[str, ColumnType]:
    """What the columns of a table are by now: as declared where its values are still texts, else as they are held."""
    types = {name: column_type(dtype) for name, dtype in frame.schema.items()}
    kept = {
        name: kind
        for name, kind in setting.types.items()
        if types.get(name) is ColumnType.TEXT and kind in (ColumnType.DATE, ColumnType.DATETIME)
    }
    return types | kept


def _check_columns(columns: tuple[str, ...], frame: pl.DataFrame, *, location: str) -> None:
    for name in columns:
        if name not in frame.columns:
            raise ProjectError(
                say("column {name!r} does not exist", name=name),
                where=location,
                remedy=nearest(name, tuple(frame.columns)),
            )


def _released(
    frame: pl.DataFrame, goals: Mapping[str, object], table: Mapping[str, object]
) -> tuple[pl.DataFrame, Rows]:
    """What a run makes of the table, and where its rows were before: their numbers went along."""
    from celosia.project import make_project
    from celosia.run import anonymize

    project = make_project(**goals, tables={"table": dict(table)})
    numbered = frame.with_columns(pl.Series(ROW, np.arange(frame.height)))
    released = anonymize(project, source=numbered).table
    assert isinstance(released, pl.DataFrame)
    rows = released[ROW].cast(pl.Int64).to_numpy()
    kept = [name for name in frame.columns if name in released.columns]
    return released[kept], rows
