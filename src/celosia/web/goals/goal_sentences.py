"""Goals in plain sentences: what each promise means for a person in the table."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from celosia.api.registries import make_model
from celosia.words import Words, phrase

__all__ = ["model_sentence", "suppression_sentence", "weight_word"]

SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "k-anonymity": phrase("Each person hides among at least {others} others."),
        "distinct-l-diversity": phrase(
            "Whoever finds the group of a person still hesitates between at least {l} values of {column}."
        ),
        "entropy-l-diversity": phrase(
            "Whoever finds the group of a person is as uncertain about {column} as between {l} values "
            "that are equally frequent."
        ),
        "recursive-l-diversity": phrase(
            "In every group the most frequent value of {column} is less than {c} times as frequent as all values "
            "from number {l} on together."
        ),
        "t-closeness": phrase(
            "The values of {column} in a group differ from those of everybody by at most {t}."
        ),
        "alpha-k-anonymity": phrase(
            "In every group of at least {k} people no value of {column} has a share of more than {alpha}."
        ),
        "average-risk": phrase("On average the row of a person is found with a chance of at most {risk}."),
        "maximum-risk": phrase("Nobody's row is found with a chance of more than {risk}."),
        "rows-at-risk": phrase("At most {share} of the rows can be found with a chance of more than {risk}."),
        "beta-likeness": phrase(
            "No value of {column} is more than {beta} times likelier in a group, beyond its share among everybody."
        ),
        "delta-disclosure": phrase(
            "The share of every value of {column} in a group is close to that among everybody: their logarithms "
            "differ by less than {delta}."
        ),
        "delta-presence": phrase(
            "Of the people of the population who fit a group, between {low} and {high} are in the table."
        ),
        "attacker": phrase("{who}, who knows {knows}, finds at least {k} people who look alike."),
        "km-anonymity": phrase(
            "Whoever knows up to {known} of the columns of a person finds at least {k} people who look alike."
        ),
        "lkc-privacy": phrase(
            "Whoever knows up to {known} of the columns of a person finds at least {k} people, and no value of "
            "{column} has more than {confidence} of them."
        ),
        "k-map": phrase("What is released of each person fits at least {k} people of the population."),
        "population-uniqueness": phrase(
            "At most {share} of the population are unique by what is released, as estimated."
        ),
        "no-attack": phrase(
            "An attack does not pay: who gains {gain} with a row that is found pays {cost} for every try."
        ),
        "profitability": phrase(
            "Every row is worth releasing: it brings up to {benefit}, and an attack may cost {loss}."
        ),
    }
)
SHARES = ("t", "alpha", "risk", "share", "low", "high", "confidence")
"""Parameters that are shares of one."""
WEIGHT_WORDS = (
    phrase("hardly matters"),
    phrase("matters little"),
    phrase("matters less"),
    phrase("as all others"),
    phrase("matters more"),
    phrase("matters much"),
    phrase("matters most"),
)


def model_sentence(words: Words, model: Mapping[str, Any]) -> str:
    """What a model of a document promises.

    >>> model_sentence(Words(), {"model": "k-anonymity", "k": 5})
    'Each person hides among at least 4 others.'
    >>> model_sentence(Words(), {"model": "t-closeness", "column": "disease", "t": 0.2})
    'The values of disease in a group differ from those of everybody by at most 20%.'
    """
    name = str(model["model"])
    if name == "k-anonymity" and int(model["k"]) == 2:
        return words("Each person hides behind at least one other.")
    if name == "delta-presence":
        model = {"low": 0.0, **model}
    if name not in SENTENCES:
        return _described(words, model)
    values: dict[str, Any] = {
        key: words.percent(value) if key in SHARES else words.number(value)
        for key, value in model.items()
        if isinstance(value, int | float)
    }
    values |= {"who": model.get("who"), "knows": ", ".join(model.get("knows") or ())}
    if "k" in model:
        values["others"] = words.number(int(model["k"]) - 1)
    return words(SENTENCES[name], **{"column": model.get("column"), **values})


def _described(words: Words, model: Mapping[str, Any]) -> str:
    """The sentence that a model itself has, for those that came later."""
    parameters = {key: value for key, value in model.items() if key != "model"}
    return words.render(make_model(str(model["model"]), **parameters).describe())


def suppression_sentence(words: Words, share: float) -> str:
    """How many rows may be missing.

    >>> suppression_sentence(Words(), 0.05), suppression_sentence(Words(), 0)
    ('Up to 5% of the rows may be left out.', 'No row may be left out.')
    """
    if not share:
        return words("No row may be left out.")
    return words("Up to {share} of the rows may be left out.", share=words.percent(share))


def weight_word(words: Words, step: int) -> str:
    """How much a column counts, by the step of its slider.

    >>> weight_word(Words(), 3), weight_word(Words(), 6)
    ('as all others', 'matters most')
    """
    return words(WEIGHT_WORDS[step])
