"""Techniques of a comparison as a person builds them: steps in order, each with its parameters, and their text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from celosia.api.comparing import parse_step, split_outside
from celosia.api.registries import operations, perturbations, techniques
from celosia.concepts import ConceptKind

__all__ = ["FIRST", "StepText", "kind_of", "read_chain", "registered_of", "technique_names", "write_chain"]

FIRST = ("mondrian(k=5)", "mdav(k=3)", "rank-swapping", "noise(percent=20)", "pram")
"""What to begin with: one technique of each kind."""
UNFIT = "=()[]{}'\""


@dataclass
class StepText:
    """One step: the name of a technique, and parameters that differ from what they are by themselves."""

    name: str
    parameters: dict[str, Any] = field(default_factory=dict)


def write_chain(name: str, steps: Sequence[StepText]) -> str:
    """The text of a technique, as the project document has it.

    >>> write_chain("coarse", [StepText("mdav", {"k": 3, "columns": ["age", "it's"]}), StepText("noise")])
    "coarse = mdav(k=3, columns=['age', 'it''s']) + noise"
    """
    text = " + ".join(_call(step) for step in steps)
    called = "".join(step for step in name if step not in UNFIT).strip()
    return f"{called} = {text}" if called else text


def read_chain(text: str) -> tuple[str, list[StepText]]:
    """The name of a technique, empty if it has none, and its steps.

    >>> read_chain("coarse = mdav(k=3, columns=['age', 'it''s']) + noise")[1][0].parameters["columns"]
    ['age', "it's"]
    """
    *names, inside = split_outside(text, "=")
    steps = [StepText(*parse_step(part)) for part in split_outside(inside, "+")]
    return (names[0].strip() if names else ""), steps


def _call(step: StepText) -> str:
    told = ", ".join(
        f"{name}={_value(value)}" for name, value in step.parameters.items() if value is not None
    )
    return f"{step.name}({told})" if told else step.name


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_value(name)}: {_value(part)}" for name, part in value.items()) + "}"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "[" + ", ".join(map(_value, value)) + "]"
    return "'" + str(value).replace("'", "''") + "'"


@cache
def technique_names() -> Mapping[ConceptKind, tuple[str, ...]]:
    """What a comparison understands, by kind.

    >>> "mdav" in technique_names()[ConceptKind.PERTURBATION], "mondrian" in technique_names()[ConceptKind.TECHNIQUE]
    (True, True)
    """
    return {
        ConceptKind.PERTURBATION: tuple(perturbations()),
        ConceptKind.TECHNIQUE: tuple(name for name in techniques() if name != "chain"),
        ConceptKind.OPERATION: tuple(operations()),
    }


def kind_of(name: str) -> ConceptKind | None:
    """What a step is; None if there is no such technique."""
    return next((kind for kind, names in technique_names().items() if name in names), None)


def registered_of(name: str) -> Any:
    """The class that has the parameters of a step."""
    known: dict[str, Any] = {**techniques(), **operations(), **perturbations()}
    return known[name]
