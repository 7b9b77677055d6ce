"""The principles of a foreign project as privacy models."""

import math
from typing import Any

from celosia.project.converting.foreign import Foreign, Notes

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


def read_principles(
    foreign: Foreign, tables: dict[str, Any], notes: Notes, *, is_light: bool
) -> list[dict[str, Any]]:
    """The privacy models for all tables; where tables have sensitive columns of their own, each gets its models."""
    asked = [found for each in foreign.items("principles") if (found := _principle(each, notes)) is not None]
    if is_light and asked:
        notes.say("principles: a light project promises nothing about people; they were not carried over")
        return []
    every = [model for model in asked if model["model"] == "k-anonymity"]
    about = [model for model in asked if model["model"] != "k-anonymity"]
    if not about:
        return every
    sensitive = {
        name: [column for column, plan in table["columns"].items() if plan.get("role") == "sensitive"]
        for name, table in tables.items()
    }
    if not any(sensitive.values()):
        notes.say("principles: no column is sensitive; only k-anonymity was carried over")
        return every
    own = {
        name: [*every, *({**model, "column": column} for model in about for column in columns)]
        for name, columns in sensitive.items()
    }
    if len(own) == 1:
        return next(iter(own.values()))
    for name, models in own.items():
        if models:
            tables[name]["models"] = models
    return []


def _principle(each: Foreign, notes: Notes) -> dict[str, Any] | None:
    model = each.choice(("principle_name",), PRINCIPLES)
    if model is None:
        return None
    text = each.text("principle_value").replace(",", ".")
    each.say_unread(notes)
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise each.error(f"{model} has no number", "write it as principle_value", "principle_value")
    if model == "t-closeness":
        if value > 1:
            notes.say(f"principles: t-closeness of {text} is taken for per cent, {value / 100:g}")
            value /= 100
        return {"model": model, "t": value}
    if value != int(value):
        notes.say(f"principles: {model} of {text} is rounded up to {math.ceil(value)}")
    return {"model": model, PARAMETERS[model]: math.ceil(value)}
