"""Techniques under comparison: steps in their order under a name, from the text that a person writes or from parts."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from celosia.compare.comparison import ORIGINAL, SCALED
from celosia.compare.rows import Rows
from celosia.compare.step import (
    ComparisonStep,
    FrameFunction,
    FunctionStep,
    PerturbStep,
    StepContext,
    make_step,
)
from celosia.errors import ProjectError
from celosia.perturb import Perturbation
from celosia.registered import split_outside
from celosia.say import join_texts, say

__all__ = [
    "StepChain",
    "TechniqueLike",
    "Techniques",
    "make_chains",
    "parse_call",
    "parse_chain",
    "split_outside",
]


@dataclass(frozen=True)
class StepChain:
    """Steps one after the other; each works on what the one before it made."""

    name: str
    steps: tuple[ComparisonStep, ...]

    def apply(self, frame: pl.DataFrame, setting: StepContext) -> tuple[pl.DataFrame, Rows | None]:
        """The last table, and which row of the first each of its rows comes from; None if nobody can tell.

        Every step draws from a seed of its own.
        """
        rows: Rows | None = np.arange(frame.height)
        for number, step in enumerate(self.steps):
            if not frame.height:
                break
            seed = int(np.random.SeedSequence([setting.seed, number]).generate_state(1)[0])
            told = StepContext(setting.target, setting.quasi_identifiers, seed, setting.types)
            frame, taken = step.apply(frame, told)
            rows = None if rows is None or taken is None else rows[taken]
        return frame, rows

    @property
    def cautions(self) -> list[str]:
        """What whoever chose it should be told."""
        return [join_texts(": ", [step.name, step.caution]) for step in self.steps if step.caution]


StepLike = ComparisonStep | str | Perturbation | FrameFunction
"""A step, what a person writes for one or several, a perturbation, or a function of a frame."""

TechniqueLike = StepChain | StepLike | Sequence[StepLike]
"""A technique under comparison, or what one is made of."""

Techniques = Mapping[str, TechniqueLike] | Iterable[TechniqueLike]
"""Techniques under comparison, maybe by the names that they are to have."""


def make_chains(techniques: Techniques) -> tuple[StepChain, ...]:
    """Techniques by what a caller hands over: texts, steps, perturbations, functions, or lists of these, maybe named.

    >>> chains = make_chains({"shift": "cpda-noise", "both": ["cpda-noise", lambda frame: frame]})
    >>> [(chain.name, len(chain.steps)) for chain in chains]
    [('shift', 1), ('both', 2)]
    >>> make_chains(["mdav(k=3) + cpda-noise", "coarse = cpda-generalization(ranges=2)"])[1].name
    'coarse'
    """
    named = (
        techniques.items()
        if isinstance(techniques, Mapping)
        else ((None, technique) for technique in techniques)
    )
    chains = tuple(_chain(name, steps) for name, steps in named)
    seen: set[str] = {ORIGINAL, SCALED}
    for chain in chains:
        if chain.name in seen:
            raise ProjectError(
                say("two tables are called {name!r}", name=chain.name),
                where="techniques",
                remedy=say("name one of them, as in finer = mdav(k=3)"),
            )
        seen.add(chain.name)
    return chains


def _chain(name: str | None, technique: TechniqueLike) -> StepChain:
    if isinstance(technique, StepChain):
        return technique if name is None else StepChain(name, technique.steps)
    if isinstance(technique, str):
        parsed = parse_chain(technique)
        return parsed if name is None else StepChain(name, parsed.steps)
    parts = technique if isinstance(technique, Sequence) else [technique]
    steps = tuple(step for part in parts for step in _steps(part))
    if not steps:
        raise ProjectError(
            say("a technique has no steps"), where="techniques", remedy=say("give at least one")
        )
    return StepChain(name or " + ".join(step.name for step in steps), steps)


def _steps(part: StepLike) -> Iterator[ComparisonStep]:
    if isinstance(part, ComparisonStep):
        yield part
    elif isinstance(part, str):
        yield from parse_chain(part).steps
    elif isinstance(part, Perturbation):
        yield PerturbStep(part)
    elif callable(part):
        yield FunctionStep(part)
    else:
        raise ProjectError(
            say("a {type} is no technique", type=type(part).__name__),
            where="techniques",
            remedy=say("give a name, a perturbation, a function of a frame, or a list of these"),
        )


def parse_chain(text: str) -> StepChain:
    """A technique as it is written: steps between plus signs, their parameters in brackets, a name before ``=``.

    >>> chain = parse_chain("G + N = cpda-generalization(ranges=4) + cpda-noise")
    >>> chain.name, [step.name for step in chain.steps]
    ('G + N', ['cpda-generalization', 'cpda-noise'])
    """
    parts = split_outside(text, "=")
    if len(parts) > 2:
        raise ProjectError(
            say("{text!r} has more than one name", text=text),
            where="techniques",
            remedy=say("write name = step + step"),
        )
    name = parts[0].strip() if len(parts) == 2 else None
    steps = tuple(make_step(*parse_call(step)) for step in split_outside(parts[-1], "+"))
    return StepChain(name or " + ".join(part.strip() for part in split_outside(parts[-1], "+")), steps)


_CALL = re.compile(r"\s*([A-Za-z][\w.:-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)


def parse_call(text: str) -> tuple[str, dict[str, object]]:
    """A name and its parameters.

    >>> parse_call("mdav(k=3, columns=[age, income])")
    ('mdav', {'k': 3, 'columns': ['age', 'income']})
    """
    import yaml

    match = _CALL.fullmatch(text)
    if match is None:
        raise ProjectError(
            say("{text!r} is not understood", text=text.strip()),
            where="techniques",
            remedy=say("write a name, and its parameters in brackets, as in mdav(k=3)"),
        )
    name, inside = match.groups()
    parameters: dict[str, object] = {}
    for part in split_outside(inside or "", ","):
        if not part.strip():
            continue
        key, is_said, value = part.partition("=")
        try:
            parameters[key.strip()] = yaml.safe_load(value) if is_said else None
        except yaml.YAMLError:
            is_said = ""
        if not is_said:
            raise ProjectError(
                say("{text!r} is no parameter", text=part.strip()),
                where=name,
                remedy=say("write it as in k=3 or columns=[age]"),
            )
    return name, parameters
