"""The privacy models that exist, and how the command line asks for them."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from celosia.errors import ProjectError
from celosia.privacy.model import ModelSyntax, PrivacyModel
from celosia.registered import discover
from celosia.say import say
from celosia.types import either, nearest
from celosia.validation import say_mistake, say_wanted

__all__ = ["MODELS", "parse_model", "parse_named_model", "ways_to_ask"]


MODELS: Mapping[str, type[PrivacyModel]] = discover("celosia.privacy", Path(__file__).parent, PrivacyModel)
"""Privacy models by name."""


def parse_model(option: str, text: str, sensitive_columns: Sequence[str] = ()) -> PrivacyModel:
    """The model that an option of the command line asks for.

    A model of a sensitive column may name it, as in ``disease=entropy:3``, and must if there are several.

    >>> parse_model("k", "5")
    KAnonymity(column=None, k=5)
    >>> parse_model("l", "recursive:2:3", ["disease"])
    RecursiveCLDiversity(column='disease', c=2.0, l=3)
    >>> parse_model("t", "salary=ordered:0.2", ["disease", "salary"])
    TCloseness(column='salary', t=0.2, distance='ordered', order=None)
    >>> parse_model("t", "0.2", ["disease", "salary"])
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: -t '0.2': it does not say which sensitive column is meant;
    write disease=0.2 or salary=0.2
    """
    where = f"-{option} {text!r}"
    prefix, equals, rest = text.rpartition("=")
    model, form = _find_form(option, rest, where=where)
    parameters: dict[str, object] = dict(form.fixed)
    if model.model_fields["column"].annotation is str:
        parameters["column"] = _choose_column(
            prefix if equals else None, rest, sensitive_columns, where=where
        )
    elif equals:
        raise ProjectError(
            say("{name} is about no single column, but {prefix!r} was given", name=model.name, prefix=prefix),
            where=where,
            remedy=say("write {rest}", rest=rest),
        )
    words = rest.split(":")
    parameters |= zip(form.fields, words[len(words) - len(form.fields) :], strict=True)
    try:
        return model.model_validate(parameters)
    except ValidationError as error:
        raise ProjectError(_first_reason(error), where=where, remedy=_accepted(option)) from None


def parse_named_model(text: str, sensitive_columns: Sequence[str] = ()) -> PrivacyModel:
    """The model that a text names, with its parameters: ``NAME:PARAMETER=VALUE,PARAMETER=VALUE``.

    The column of a model of a sensitive one may be left out where there is only one. A value may hold commas.

    >>> parse_named_model("k-map:k=5")
    KMap(column=None, k=5)
    >>> parse_named_model("beta-likeness:beta=2,kind=basic", ["disease"])
    BetaLikeness(column='disease', beta=2.0, kind='basic')
    >>> parse_named_model("k-map:l=5")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: --model 'k-map:l=5': k-map has no parameter 'l'; write it as in k-map:k=5
    """
    where = f"--model {text!r}"
    name, _, rest = text.partition(":")
    if name not in MODELS:
        raise ProjectError(
            say("there is no privacy model {name!r}", name=name),
            where=where,
            remedy=nearest(name, tuple(MODELS), say("the models")),
        )
    model = MODELS[name]
    remedy = say("write it as in {name}:{example}", name=name, example=model.example)
    # A comma ends a value only where another parameter follows.
    names = "|".join(map(re.escape, model.model_fields))
    pairs = [part.partition("=") for part in re.split(rf",(?=\s*(?:{names})\s*=)", rest)] if rest else []
    for field, equals, _ in pairs:
        if field.strip() not in model.model_fields or not equals:
            raise ProjectError(
                say("{name} has no parameter {parameter!r}", name=name, parameter=field.strip()),
                where=where,
                remedy=remedy,
            )
    parameters: dict[str, object] = {field.strip(): value.strip() for field, _, value in pairs}
    if model.model_fields["column"].annotation is str:
        parameters["column"] = _named_column(parameters.get("column"), text, sensitive_columns, where=where)
    try:
        return model.model_validate(parameters)
    except ValidationError as error:
        raise ProjectError(_first_reason(error), where=where, remedy=remedy) from None


def ways_to_ask(model: type[PrivacyModel]) -> list[str]:
    """How the command line asks for a model: by options of its own, or else by its name.

    >>> ways_to_ask(MODELS["k-anonymity"]), ways_to_ask(MODELS["k-map"])
    (['-k 5'], ['--model k-map:k=5'])
    """
    short = [f"-{form.option} {form.example}" for form in model.forms]
    return short or [f"--model {model.name}:{model.example}"]


def _named_column(asked: object, text: str, sensitive_columns: Sequence[str], *, where: str) -> str:
    """The sensitive column that is meant, where models are asked for by name."""
    if asked is None and len(sensitive_columns) > 1:
        choices = either(f"{text},column={column}" for column in sensitive_columns)
        raise ProjectError(
            say("it does not say which sensitive column is meant"),
            where=where,
            remedy=say("write {choices}", choices=choices),
        )
    named = None if asked is None else str(asked)
    return _choose_column(named, text, sensitive_columns, where=where)


def _find_form(option: str, text: str, *, where: str) -> tuple[type[PrivacyModel], ModelSyntax]:
    """The model and the form of the option that ``text`` has."""
    word, *rest = text.split(":")
    plain = len(rest) == 0
    forms = [(model, form) for model in MODELS.values() for form in model.forms if form.option == option]
    if not forms:
        options = sorted({f"-{form.option}" for model in MODELS.values() for form in model.forms})
        raise ProjectError(
            say("option -{option} asks for no privacy model", option=option),
            remedy=say("the options are: {names}", names=", ".join(options)),
        )
    for model, form in forms:
        if form.word == ("" if plain else word) and len(form.fields) == (1 if plain else len(rest)):
            return model, form
    raise ProjectError(say("{text!r} is not understood", text=text), where=where, remedy=_accepted(option))


def _choose_column(asked: str | None, rest: str, sensitive_columns: Sequence[str], *, where: str) -> str:
    """The sensitive column that is meant."""
    if not sensitive_columns:
        raise ProjectError(
            say("there is no sensitive column"),
            where=where,
            remedy=say("declare one, as in --sensitive disease"),
        )
    if asked is None and len(sensitive_columns) > 1:
        choices = either(f"{column}={rest}" for column in sensitive_columns)
        raise ProjectError(
            say("it does not say which sensitive column is meant"),
            where=where,
            remedy=say("write {choices}", choices=choices),
        )
    if asked is None:
        return sensitive_columns[0]
    if asked not in sensitive_columns:
        raise ProjectError(
            say("{asked!r} is not a sensitive column", asked=asked),
            where=where,
            remedy=nearest(asked, tuple(sensitive_columns)),
        )
    return asked


def _accepted(option: str) -> str:
    examples = [form.example for model in MODELS.values() for form in model.forms if form.option == option]
    return say("accepted are, for example: {names}", names=", ".join(examples))


def _first_reason(error: ValidationError) -> str:
    """The first thing that is wrong, with the parameter and the value got."""
    mistake: dict[str, Any] = {**error.errors()[0]}
    if not mistake["loc"]:  # parameters that do not go together
        return say_mistake(mistake)
    parameter, got = mistake["loc"][0], mistake["input"] or say("nothing")
    if mistake["type"] == "missing":
        return say("{parameter} is not given", parameter=parameter)
    wanted = _PLAINLY.get(mistake["type"]) or say_wanted(mistake)
    if wanted is None:
        return say(
            "{parameter}: {mistake}, got {got}", parameter=parameter, mistake=say_mistake(mistake), got=got
        )
    return say("{parameter} should be {wanted}, got {got}", parameter=parameter, wanted=wanted, got=got)


_PLAINLY = {
    "int_parsing": say("a valid integer"),
    "int_from_float": say("a valid integer"),
    "float_parsing": say("a valid number"),
    "bool_parsing": say("a valid boolean"),
}
"""What a parameter should be, where the value that was got tells the rest."""
