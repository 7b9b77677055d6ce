"""Attackers as the command line asks for them, and promises limited to whoever knows only so many columns."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from celosia.errors import ProjectError
from celosia.privacy.attacker import NamedAttacker
from celosia.privacy.distinct_l_diversity import DistinctLDiversity
from celosia.privacy.k_anonymity import KAnonymity
from celosia.privacy.km_anonymity import KMAnonymity
from celosia.privacy.model import PrivacyModel
from celosia.registered import first_mistake
from celosia.say import say

__all__ = ["limit_known", "parse_attacker"]

EXAMPLE = '"neighbour: age,sex,zip; k=5"'


def parse_attacker(text: str, sensitive_columns: Sequence[str] = ()) -> NamedAttacker:
    """The attacker that a text describes: who, what they know, and what is asked.

    The column that ``l`` is about may be left out where there is only one sensitive column.

    >>> parse_attacker("neighbour: age, sex; k=5")
    NamedAttacker(column=None, k=5, l=1, who='neighbour', knows=('age', 'sex'))
    >>> parse_attacker("insurer: job; k=5; l=2", ["disease"]).column
    'disease'
    >>> parse_attacker("neighbour: age")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: --attacker 'neighbour: age': k is not given;
    write it as in "neighbour: age,sex,zip; k=5"
    """
    where, remedy = f"--attacker {text!r}", say("write it as in {example}", example=EXAMPLE)
    who, colon, rest = text.partition(":")
    columns, *parts = rest.split(";")
    pairs = [part.partition("=") for part in parts if part.strip()]
    if not colon or not columns.strip() or any(not equals for _, equals, _ in pairs):
        raise ProjectError(say("{text!r} is not understood", text=text), where=where, remedy=remedy)
    parameters: dict[str, Any] = {name.strip(): value.strip() for name, _, value in pairs}
    for name in parameters:
        if name not in ("k", "l", "column"):
            raise ProjectError(
                say("an attacker has no parameter {parameter!r}", parameter=name), where=where, remedy=remedy
            )
    if "k" not in parameters:
        raise ProjectError(say("{parameter} is not given", parameter="k"), where=where, remedy=remedy)
    if "l" in parameters and "column" not in parameters:
        if len(sensitive_columns) != 1:
            raise ProjectError(
                say("it does not say which sensitive column is meant"),
                where=where,
                remedy=say("name it, as in {example}", example="l=2; column=disease"),
            )
        parameters["column"] = sensitive_columns[0]
    try:
        return NamedAttacker.model_validate({"who": who.strip(), "knows": columns, **parameters})
    except ValidationError as error:
        field, mistake, got = first_mistake(error)
        told = say("{parameter}: {mistake}, got {got}", parameter=field, mistake=mistake, got=got)
        raise ProjectError(told if field else mistake, where=where, remedy=remedy) from None


def limit_known(models: Sequence[PrivacyModel], known: int, *, where: str = "known") -> list[PrivacyModel]:
    """The same promises to whoever knows no more than so many quasi-identifiers: k and l become k^m-anonymity.

    >>> limit_known([KAnonymity(k=5), DistinctLDiversity(column="disease", l=2)], 3)
    [KMAnonymity(column='disease', k=5, l=2, known=3)]
    """
    if known < 1:
        raise ProjectError(
            say("{known} is no number of columns", known=known), where=where, remedy=say("give 1 or more")
        )
    plain = [model for model in models if isinstance(model, KAnonymity)]
    if not plain:
        raise ProjectError(
            say("it limits what is known for a k, and none is given"),
            where=where,
            remedy=say("ask for -k 5, too"),
        )
    others = [model for model in models if not isinstance(model, KAnonymity | DistinctLDiversity)]
    for model in others:
        if not model.needs_labels:
            raise ProjectError(
                say("{model} is about those who know all quasi-identifiers", model=model.name),
                where=where,
                remedy=say(
                    "leave it out, or ask for --model {example}",
                    example=f"lkc-privacy:known={known},k=5,confidence=0.5",
                ),
            )
    diverse = [model for model in models if isinstance(model, DistinctLDiversity)]
    wanted: list[Mapping[str, Any]] = [
        {"column": model.column, "l": model.l} for model in diverse if model.l > 1
    ]
    return [
        *(KMAnonymity(k=plain[0].k, known=known, **values) for values in wanted or [{}]),
        *others,
    ]
