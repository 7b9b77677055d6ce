"""The values that the texts of options stand for; whatever a person can mistype is caught here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from celosia.api.comparing import split_outside
from celosia.api.registries import limit_known, parse_attacker, parse_model, parse_named_model
from celosia.cli.options import ModelOptions
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import PrivacyModel

__all__ = [
    "ALWAYS_MISSING",
    "parse_fraction",
    "parse_k",
    "parse_levels",
    "parse_markers",
    "parse_models",
    "parse_node",
    "parse_numbers",
    "parse_share",
    "parse_size",
    "parse_weights",
    "split_list",
    "split_names",
    "split_pair",
]

ALWAYS_MISSING = ""
USUALLY_MISSING = ("?", "NA")


def split_names(texts: Iterable[str], columns: Callable[[], Sequence[str]]) -> list[str]:
    """Names from texts with commas between them; a text that is a column's name is not split.

    >>> split_names(["age, sex", "last, first"], lambda: ["age", "sex", "last, first"])
    ['age', 'sex', 'last, first']
    """
    names: list[str] = []
    for text in texts:
        if "," not in text or text in (known := columns()):
            names.append(text)
        else:
            parts = (part if part in known else part.strip() for part in text.split(","))
            names += [part for part in parts if part]
    return names


def split_list(texts: Iterable[str]) -> tuple[str, ...]:
    """What stands between commas outside of brackets and quotes.

    >>> split_list(["mdav(k=3, seed=1), noise", "pram"])
    ('mdav(k=3, seed=1)', 'noise', 'pram')
    """
    parts = (part.strip() for text in texts for part in split_outside(text, ","))
    return tuple(part for part in parts if part)


def parse_numbers(texts: Iterable[str], *, option: str) -> tuple[int, ...]:
    """Whole numbers between commas.

    >>> parse_numbers(["1, 6,12"], option="--qi-counts")
    (1, 6, 12)
    """
    try:
        return tuple(int(part) for part in split_list(texts))
    except ValueError:
        raise ProjectError(
            say("{text!r} are no numbers", text=",".join(texts)),
            where=option,
            remedy=say("write them as in 1,6,12"),
        ) from None


def split_pair(text: str, names: Sequence[str], *, option: str, example: str) -> tuple[str, str]:
    """A column and what is said about it; both may hold the sign between them.

    >>> split_pair("a=b=c.csv", ["a=b"], option="--hierarchy", example="age=ages.csv")
    ('a=b', 'c.csv')
    """
    places = [place for place, letter in enumerate(text) if letter == "="]
    fitting = [place for place in places if text[:place] in names] or places[-1:]
    if not fitting or not text[: fitting[-1]] or not text[fitting[-1] + 1 :]:
        raise ProjectError(
            say("{text!r} is not understood", text=text),
            where=option,
            remedy=say("write it as in {option} {example}", option=option, example=example),
        )
    return text[: fitting[-1]], text[fitting[-1] + 1 :]


def parse_k(text: str) -> int:
    """How many people somebody hides among.

    >>> parse_k("5")
    5
    """
    if not text.strip().isdecimal() or int(text) < 1:
        raise ProjectError(
            say("{text!r} is no value of k", text=text), where="-k", remedy=say("give a number, such as 5")
        )
    return int(text)


def parse_size(text: str, *, option: str) -> int:
    """Bytes from a text such as 2GB, 500 MB or 1.5GiB.

    >>> parse_size("1.5GB", option="--memory")
    1500000000
    """
    units = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
    units |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}
    number = text.strip().lower().rstrip("bgikmt ")
    unit = text.strip().lower()[len(number) :].strip()
    try:
        size = int(float(number) * units[unit])
    except (ValueError, KeyError, OverflowError):
        size = 0
    if size <= 0:
        raise ProjectError(
            say("{text!r} is not a size", text=text), where=option, remedy=say("write it as in 2GB or 500MB")
        )
    return size


def parse_share(text: str, *, option: str) -> float:
    """A share, as a number up to 1 or in per cent.

    >>> parse_share("5%", option="--suppression"), parse_share("0.05", option="--suppression")
    (0.05, 0.05)
    """
    number = text.strip()
    try:
        share = float(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ProjectError(
            say("{text!r} is not a share", text=text),
            where=option,
            remedy=say("give one from 0 to 1, such as 0.05, or 5%"),
        )
    return share


def parse_node(text: str | None) -> tuple[int, ...] | None:
    """One level per quasi-identifier.

    >>> parse_node("1,0,2")
    (1, 0, 2)
    """
    if text is None:
        return None
    try:
        return tuple(int(level) for level in text.split(","))
    except ValueError:
        raise ProjectError(
            say("{text!r} is not a node", text=text),
            where="--node",
            remedy=say("give one level per quasi-identifier, as in 1,0,2"),
        ) from None


def parse_markers(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts that mean a missing value; the empty one always does.

    >>> parse_markers(["?,-"]), parse_markers([])
    (('', '?', '-'), ('', '?', 'NA'))
    """
    markers = [marker for text in texts for marker in text.split(",")] if texts else USUALLY_MISSING
    return tuple(dict.fromkeys([ALWAYS_MISSING, *markers]))


def parse_models(models: ModelOptions, sensitive: Sequence[str]) -> "list[PrivacyModel]":
    """The privacy models asked for, k-anonymity first."""
    asked: Mapping[str, Sequence[str]] = {
        "k": [] if models.k is None else [models.k],
        "l": models.diversity,
        "t": models.closeness,
    }
    short = [parse_model(option, text, sensitive) for option, texts in asked.items() for text in texts]
    promised = [*short, *(parse_named_model(text, sensitive) for text in models.named)]
    if models.known is not None:
        promised = limit_known(promised, models.known, where="--known")
    return [*promised, *(parse_attacker(text, sensitive) for text in models.attackers)]


def parse_fraction(text: str | None) -> float | None:
    """The share of the population that a table holds, more than nothing of it.

    >>> parse_fraction("10%")
    0.1
    """
    if text is None:
        return None
    share = parse_share(text, option="--population-fraction")
    if share == 0:
        raise ProjectError(
            say("a table that holds nobody of the population says nothing about it"),
            where="--population-fraction",
            remedy=say("give a share above 0, such as 0.1"),
        )
    return share


def parse_levels(texts: Iterable[str], columns: Sequence[str], *, option: str) -> dict[str, int]:
    """Levels of hierarchies by column.

    >>> parse_levels(["zip=1"], ["zip"], option="--finest")
    {'zip': 1}
    """
    levels = {}
    for text in texts:
        column, number = split_pair(text, columns, option=option, example="zip=1")
        if not number.isdecimal():
            raise ProjectError(
                say("{number!r} is not a level", number=number),
                where=f"{option} {text}",
                remedy=say("give a whole number; 0 are the values themselves"),
            )
        levels[column] = int(number)
    return levels


def parse_weights(texts: Iterable[str], columns: Sequence[str]) -> dict[str, float | str]:
    """How much columns count.

    >>> parse_weights(["sex=2", "zip=may-go"], ["sex", "zip"])
    {'sex': 2.0, 'zip': 'may go'}
    """
    weights: dict[str, float | str] = {}
    for text in texts:
        column, number = split_pair(text, columns, option="--weight", example="sex=2")
        if number in ("important", "may-go", "may go"):
            weights[column] = number.replace("-", " ")
            continue
        weight = _number(number)
        if not 0 < weight < float("inf"):
            raise ProjectError(
                say("{number!r} is not a weight", number=number),
                where=f"--weight {text}",
                remedy=say("say important or may-go, or give a number above 0, such as 2"),
            )
        weights[column] = weight
    return weights


def _number(text: str) -> float:
    """A number, 0 for what is none."""
    try:
        return float(text)
    except ValueError:
        return 0.0
