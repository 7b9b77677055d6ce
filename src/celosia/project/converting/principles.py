"""The principles of a foreign project as privacy models."""

import math

from celosia.project.converting.foreign import ConversionNotes, ForeignFields
from celosia.say import say

__all__ = ["read_principles"]

PRINCIPLES = {
    "kanonymity": "k-anonymity",
    "kanonimidad": "k-anonymity",
    "kanonimato": "k-anonymity",
    "tcloseness": "t-closeness",
    "tcercania": "t-closeness",
    "tproximidad": "t-closeness",
    "ldiversity": "distinct-l-diversity",
    "ldiversidad": "distinct-l-diversity",
}
PARAMETERS = {"k-anonymity": "k", "t-closeness": "t", "distinct-l-diversity": "l"}
LEAST = {"k-anonymity": 2, "distinct-l-diversity": 1}


def read_principles(
    foreign: ForeignFields, notes: ConversionNotes, *, is_light: bool
) -> list[dict[str, object]]:
    """The privacy models that are asked for; which columns those of sensitive ones are about is not said."""
    asked = [
        model
        for principle in foreign.items("principles")
        if (model := _principle(principle, notes)) is not None
    ]
    if is_light and asked:
        notes.add(
            say("principles: a light project promises nothing about people; they were not carried over")
        )
        return []
    return asked


def _principle(principle: ForeignFields, notes: ConversionNotes) -> dict[str, object] | None:
    model = principle.choice(("principle_name",), PRINCIPLES)
    if model is None:
        return None
    text = principle.text("principle_value").replace(",", ".")
    principle.say_unread(notes)
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise principle.error(
            say("{model} has no number", model=model), say("write it as principle_value"), "principle_value"
        )
    if model == "t-closeness":
        if value > 1:
            notes.add(
                say(
                    "principles: t-closeness of {value} is taken for per cent, {share:g}",
                    value=text,
                    share=value / 100,
                )
            )
            value /= 100
        if value <= 0:
            raise principle.error(
                say("t-closeness of 0 cannot be reached"), say("ask for more, as in 0.2"), "principle_value"
            )
        return {"model": model, "t": value}
    if value != int(value):
        notes.add(
            say(
                "principles: {model} of {value} is rounded up to {rounded}",
                model=model,
                value=text,
                rounded=math.ceil(value),
            )
        )
    if value < LEAST[model]:
        raise principle.error(
            say("{model} of {text} promises nothing", model=model, text=text),
            say("ask for {least} or more", least=LEAST[model]),
            "principle_value",
        )
    return {"model": model, PARAMETERS[model]: math.ceil(value)}
