"""Forms for parameters that are declared elsewhere: one input for every field of a model, technique or operation."""

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin

import annotated_types
from nicegui import ui
from nicegui.events import ValueChangeEventArguments
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from celosia.concepts import ConceptKind, concept
from celosia.web.page_context import PageContext
from celosia.words import Words, phrase

__all__ = ["Parameter", "parameter_form", "parameter_title", "parameters_of"]

HIDDEN = ("column", "node", "steps", "columns", "memory")
"""Fields that other parts of a page ask for, or nobody on a page."""
TITLES: Mapping[str, str] = {
    "alpha": phrase("Largest share"),
    "benefit": phrase("Benefit of a row"),
    "beta": phrase("Times likelier"),
    "cost": phrase("Cost of a try"),
    "delta": phrase("Difference of logarithms"),
    "estimator": phrase("Estimator"),
    "fraction": phrase("Share of the population"),
    "gain": phrase("Gain of an attacker"),
    "high": phrase("At most"),
    "confidence": phrase("Largest share"),
    "k": phrase("People in a group"),
    "known": phrase("Columns that others know at most"),
    "k_partition": phrase("People in a group of a partition"),
    "kind": phrase("Variant"),
    "loss": phrase("Loss by a row that is found"),
    "low": phrase("At least"),
    "numbers": phrase("Hierarchies of numbers"),
    "partitions": phrase("Partitions"),
    "relaxed": phrase("Equal values may part"),
    "represent": phrase("What a group shows"),
    "risk": phrase("Chance of being found"),
    "score": phrase("What makes a step good"),
    "search": phrase("Search"),
    "seconds": phrase("Seconds at most"),
    "share": phrase("Largest share"),
    "split": phrase("Where groups are cut"),
    "target": phrase("Column to be predicted"),
    "value": phrase("Only this value"),
    "width": phrase("Which column is widest"),
}
"""What parameters are called on a page; those that are added later are called by their name."""
CHOICES: Mapping[str, str] = {
    "basic": phrase("basic"),
    "dankar": phrase("by the fraction (Dankar)"),
    "datafly": phrase("Datafly: quick, not the best"),
    "deviation": phrase("by its deviation"),
    "distribution": phrase("by the distribution"),
    "enhanced": phrase("enhanced"),
    "gain": phrase("by the gain towards a target"),
    "gain-per-privacy": phrase("gain for the privacy it costs"),
    "incognito": phrase("Incognito: the best, step by step"),
    "loss": phrase("by the loss"),
    "loss-per-privacy": phrase("loss for the privacy it costs"),
    "mean": phrase("the mean"),
    "median": phrase("the median"),
    "mode": phrase("the most frequent value"),
    "negative-binomial": phrase("negative binomial"),
    "node": phrase("a node of the hierarchy"),
    "optimal": phrase("the best, proven"),
    "pitman": phrase("Pitman"),
    "proposed": phrase("round bounds"),
    "range": phrase("a range"),
    "samarati": phrase("Samarati: the lowest"),
    "share": phrase("by its share of the whole range"),
    "zayatz": phrase("Zayatz"),
}
"""What choices are called on a page."""


@dataclass(frozen=True)
class Parameter:
    """One field: what it holds, between which limits, and what it is if nobody says."""

    name: str
    kind: Literal["whole", "number", "switch", "choice", "text"]
    default: Any
    needed: bool
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    def read(self, value: Any) -> Any:
        """What a person entered, as a document holds it; None where it is left as it is.

        >>> Parameter("k", "whole", None, True).read(5.0), Parameter("t", "number", 0.5, False).read("")
        (5, None)
        """
        if value is None or value == "" or (not self.needed and value == self.default):
            return None
        if self.kind == "whole":
            return int(value)
        return float(value) if self.kind == "number" else value


def parameters_of(registered: type[BaseModel]) -> tuple[Parameter, ...]:
    """The parameters of a registered thing that a form can ask for.

    >>> from celosia.api.registries import privacy_models
    >>> [(each.name, each.kind, each.low) for each in parameters_of(privacy_models()["k-map"])]
    [('k', 'whole', 2)]
    """
    parameters = (
        _parameter(name, info) for name, info in registered.model_fields.items() if name not in HIDDEN
    )
    return tuple(parameter for parameter in parameters if parameter is not None)


def _parameter(name: str, info: FieldInfo) -> Parameter | None:
    annotation = info.annotation
    if get_origin(annotation) in (Union, types.UnionType):
        options = [argument for argument in get_args(annotation) if argument is not types.NoneType]
        annotation = str if str in options else options[0]
    default = None if info.is_required() else info.get_default(call_default_factory=True)
    default = default.value if isinstance(default, Enum) else None if default == () else default
    low, high = _limits(info)
    if get_origin(annotation) is Literal:
        choices = tuple(str(choice) for choice in get_args(annotation))
        return Parameter(name, "choice", default, info.is_required(), choices)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        choices = tuple(str(choice.value) for choice in annotation)
        return Parameter(name, "choice", default, info.is_required(), choices)
    kinds: dict[Any, Literal["whole", "number", "switch", "text"]] = {
        bool: "switch",
        int: "whole",
        float: "number",
        str: "text",
    }
    if annotation not in kinds:
        return None
    return Parameter(name, kinds[annotation], default, info.is_required(), (), low, high)


def _limits(info: FieldInfo) -> tuple[float | None, float | None]:
    low: Any = None
    high: Any = None
    for limit in info.metadata:
        if isinstance(limit, annotated_types.Ge):
            low = limit.ge
        elif isinstance(limit, annotated_types.Gt):
            low = limit.gt
        elif isinstance(limit, annotated_types.Le):
            high = limit.le
        elif isinstance(limit, annotated_types.Lt):
            high = limit.lt
    return low, high


def parameter_form(
    context: PageContext,
    kind: ConceptKind,
    registered: Any,
    values: Mapping[str, Any],
    *,
    changed: Callable[[str, Any], None],
    columns: Sequence[str] = (),
) -> None:
    """Inputs for all parameters; ``changed`` is told the name of one and its value, None for the default.

    ``columns`` are those that a target may be.
    """
    meanings = concept(kind, registered.name, context.words).parameters
    with ui.element("div").classes("parameters"):
        for parameter in parameters_of(registered):
            if parameter.name == "target":
                parameter = replace(parameter, kind="choice", choices=tuple(columns))  # noqa: PLW2901
            with ui.element("div").classes("parameter"):
                _input(context, parameter, values.get(parameter.name, parameter.default), changed)
                if meanings.get(parameter.name):
                    ui.label(meanings[parameter.name]).classes("quiet")


def parameter_title(words: Words, name: str) -> str:
    """What a parameter is called.

    >>> parameter_title(Words(), "beta"), parameter_title(Words(), "new_one")
    ('Times likelier', 'new one')
    """
    return words(TITLES[name]) if name in TITLES else name.replace("_", " ")


def _input(
    context: PageContext, parameter: Parameter, value: Any, changed: Callable[[str, Any], None]
) -> None:
    words = context.words

    def tell(event: ValueChangeEventArguments[Any]) -> None:
        changed(parameter.name, parameter.read(event.value))

    title = parameter_title(words, parameter.name)
    element: Any
    if parameter.kind == "switch":
        ui.switch(title, value=bool(value), on_change=tell)
        return
    if parameter.kind == "choice":
        told = {} if parameter.name == "target" else CHOICES
        options = {choice: words(told[choice]) if choice in told else choice for choice in parameter.choices}
        if not parameter.needed and parameter.default is None:
            options = {"": words("by itself"), **options}
        element = ui.select(
            options, label=title, value=value or ("" if "" in options else None), on_change=tell
        )
    elif parameter.kind == "text":
        element = ui.input(title, value=value or "").on(
            "change", lambda: changed(parameter.name, parameter.read(element.value))
        )
    else:
        step = 1 if parameter.kind == "whole" else 0.05 if parameter.high is not None else 0.5
        element = ui.number(title, value=value, min=parameter.low, max=parameter.high, step=step)
        element.on("change", lambda: changed(parameter.name, parameter.read(element.value)))
    element.props("outlined dense")
