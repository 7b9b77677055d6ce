"""Every privacy model by brute force, in plain Python, each written down from its definition.

A class is the list of the places of its rows. What a model finds wrong is said in a sentence; an empty text is none.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

from fuzz_values import MISSING, fold

__all__ = ["COMPARES_VALUES", "COUNTS_VALUES", "Classes", "complaint", "partition"]

SLACK = 1e-7
"""Sums of logarithms and shares are rounded."""

Rows = list[int]


@dataclass(frozen=True)
class Classes:
    """What a model is asked about.

    ``classes`` are the rows of each, ``values[column][row]`` the sensitive values, folded. ``paths[column][value]`` is
    what a value becomes at every level, itself first; ``labels[class]`` what is shown of each quasi-identifier, and
    ``people`` are the population, of each the values of the same columns.
    """

    classes: Sequence[Rows]
    values: Mapping[str, Sequence[Hashable]] = field(default_factory=dict)
    paths: Mapping[str, Mapping[Any, Sequence[str]]] = field(default_factory=dict)
    labels: Sequence[Mapping[str, Any]] = ()
    people: Sequence[Mapping[str, Any]] = ()

    @property
    def rows(self) -> int:
        """All rows."""
        return sum(map(len, self.classes))

    def shares(self, column: str, rows: Sequence[int]) -> dict[Hashable, Fraction]:
        """The share of every value in some rows."""
        counts = Counter(self.values[column][row] for row in rows)
        return {value: Fraction(count, len(rows)) for value, count in counts.items()}

    def whole(self, column: str) -> dict[Hashable, Fraction]:
        """The share of every value in all rows."""
        return self.shares(column, [row for rows in self.classes for row in rows])


def partition(keys: Sequence[Hashable]) -> list[Rows]:
    """The rows with equal keys."""
    found: dict[Hashable, Rows] = defaultdict(list)
    for row, key in enumerate(keys):
        found[key].append(row)
    return list(found.values())


Parameters = Mapping[str, Any]


def complaint(model: Parameters, given: Classes) -> str:
    """What is wrong by a model, as a document writes it: its name under ``model``, and its parameters."""
    return MODELS[model["model"]](model, given)


# --- sizes


def _smallest(given: Classes, least: float) -> str:
    size = min(map(len, given.classes))
    return f"a class of {size} where {least} are asked" if size < least else ""


def k_anonymity(model: Parameters, given: Classes) -> str:
    return _smallest(given, model["k"])


def maximum_risk(model: Parameters, given: Classes) -> str:
    worst = max(1 / len(rows) for rows in given.classes)
    return f"a risk of {worst}" if worst > model["risk"] + SLACK else ""


def average_risk(model: Parameters, given: Classes) -> str:
    mean = sum(len(rows) * (1 / len(rows)) for rows in given.classes) / given.rows
    return f"a mean risk of {mean}" if mean > model["risk"] + SLACK else ""


def rows_at_risk(model: Parameters, given: Classes) -> str:
    at_risk = sum(len(rows) for rows in given.classes if 1 / len(rows) > model["risk"] + SLACK)
    return f"{at_risk} of {given.rows} at risk" if at_risk / given.rows > model["share"] + SLACK else ""


def no_attack(model: Parameters, given: Classes) -> str:
    best = max(model["gain"] / len(rows) for rows in given.classes)
    return f"an attack brings {best}" if best > model["cost"] * (1 + SLACK) else ""


def population_uniqueness(model: Parameters, given: Classes) -> str:
    """By Zayatz alone; the other estimators maximize a likelihood, and with no single row all of them say none."""
    sizes = Counter(map(len, given.classes))
    rows, people = given.rows, max(given.rows, round(given.rows / model["fraction"]))
    if not sizes[1]:
        return ""
    if people == rows:
        uniques = float(sizes[1])
    elif model.get("estimator") == "zayatz":
        once = {n: n * math.comb(people - n, rows - 1) / math.comb(people, rows) for n in sizes}
        alone = sizes[1] * once[1] / sum(count * once[n] for n, count in sizes.items())
        uniques = sizes[1] * alone * people / rows
    else:
        return ""
    share = uniques / max(1.0, rows / model["fraction"])
    return f"a share of {share} unique" if share > model["share"] + SLACK else ""


# --- whoever knows some columns


def _groups(given: Classes, known: Sequence[str]) -> Classes:
    """Classes that look alike in some columns, as one."""
    groups: dict[Hashable, Rows] = defaultdict(list)
    for rows, labels in zip(given.classes, given.labels, strict=True):
        groups[tuple(repr(labels[name]) for name in known)].extend(rows)
    return Classes(list(groups.values()), given.values)


def _of_groups(model: Parameters, given: Classes) -> str:
    groups = [_groups(given, known) for known in _known(model, list(given.labels[0]))]
    for group in groups:
        told = _smallest(group, model["k"])
        if model.get("l", 1) > 1:
            told = told or distinct(model, group)
        if "confidence" in model:
            told = told or alpha_k({**model, "alpha": model["confidence"]}, group)
        if told:
            return told
    return ""


def _known(model: Parameters, columns: Sequence[str]) -> list[Sequence[str]]:
    if "knows" in model:
        return [model["knows"]]
    sizes = range(1, min(model["known"], len(columns)) + 1)
    return [known for size in sizes for known in combinations(columns, size)]


# --- sensitive values


def distinct(model: Parameters, given: Classes) -> str:
    values = given.values[model["column"]]
    fewest = min(len({values[row] for row in rows}) for rows in given.classes)
    return f"a class of {fewest} values" if fewest < model["l"] else ""


def entropy(model: Parameters, given: Classes) -> str:
    for rows in given.classes:
        shares = given.shares(model["column"], rows).values()
        found = -sum(float(p) * math.log(p) for p in shares)
        if found < math.log(model["l"]) - SLACK:
            return f"an entropy of {found}"
    return ""


def recursive(model: Parameters, given: Classes) -> str:
    for rows in given.classes:
        counts = sorted(Counter(given.values[model["column"]][row] for row in rows).values(), reverse=True)
        if not counts[0] < Fraction(str(model["c"])) * sum(counts[model["l"] - 1 :]):
            return f"counts of {counts}"
    return ""


def alpha_k(model: Parameters, given: Classes) -> str:
    found = _smallest(given, model["k"])
    guarded = None if model.get("value") is None else fold(model["value"])
    for rows in given.classes:
        for value, share in given.shares(model["column"], rows).items():
            if share > model["alpha"] + SLACK and guarded in (None, value):
                return f"{value} has {float(share)} of a class"
    return found


def beta_likeness(model: Parameters, given: Classes) -> str:
    whole = given.whole(model["column"])
    for rows in given.classes:
        for value, q in given.shares(model["column"], rows).items():
            p = whole[value]
            limit = model["beta"]
            if model.get("kind", "enhanced") == "enhanced":
                limit = min(limit, -math.log(p))
            if q > p and float((q - p) / p) > limit + SLACK:
                return f"{value} gains {float((q - p) / p)}, more than {limit}"
    return ""


def delta_disclosure(model: Parameters, given: Classes) -> str:
    whole = given.whole(model["column"])
    for rows in given.classes:
        shares = given.shares(model["column"], rows)
        for value, p in whole.items():
            if value not in shares or not abs(math.log(shares[value] / p)) < model["delta"] + SLACK:
                return f"{value} has {shares.get(value)} in a class, {p} in the whole"
    return ""


def t_closeness(model: Parameters, given: Classes) -> str:
    column, kind = model["column"], model.get("distance", "equal")
    whole = given.whole(column)
    if kind == "ordered":
        if problem := _unordered(whole):
            return problem
        order = sorted(whole, key=_place)
    for rows in given.classes:
        shares = given.shares(column, rows)
        if kind == "equal":
            far = sum((max(Fraction(0), shares.get(value, Fraction(0)) - p) for value, p in whole.items()))
        elif kind == "ordered":
            far = _ordered_work(order, shares, whole)
        else:
            far = _tree_work(given.paths[column], shares, whole)
        if far > model["t"] + SLACK:
            return f"a class is {float(far)} from the whole"
    return ""


def _unordered(values: Mapping[Any, Any]) -> str:
    present = [value for value in values if value != MISSING]
    texts = [text for kind, text in present if kind == "text"]
    plain = [text for text in texts if not _is_ordered(text)] or (texts if len(texts) < len(present) else [])
    return f"an order of texts, as {plain[0]!r}" if plain else ""


def _is_ordered(text: str) -> bool:
    """Whether it is a date, or one of two truths."""
    return text in ("true", "false") or (len(text) >= 10 and text[:4].isdigit() and text[4] == text[7] == "-")


def _place(value: Any) -> tuple[Any, ...]:
    return (1,) if value == MISSING else (0, value[1])


def _ordered_work(
    order: Sequence[Any], shares: Mapping[Any, Fraction], whole: Mapping[Any, Fraction]
) -> Fraction:
    if len(order) < 2:
        return Fraction(0)
    carried, work = Fraction(0), Fraction(0)
    for value in order:
        carried += shares.get(value, Fraction(0)) - whole[value]
        work += abs(carried)
    return work / (len(order) - 1)


def _tree_work(
    paths: Mapping[Any, Sequence[str]], shares: Mapping[Any, Fraction], whole: Mapping[Any, Fraction]
) -> Fraction:
    """What one has too much of is brought to where it lacks, the nearest first: exact where distances are a tree's."""
    height = max(map(len, paths.values())) - 1
    left = {value: shares.get(value, Fraction(0)) - p for value, p in whole.items()}
    work = Fraction(0)
    for level in range(1, height + 1):
        groups: dict[Any, list[Any]] = defaultdict(list)
        for value in left:
            is_root = level == height
            label = "root" if is_root else ("missing",) if value == MISSING else paths[value][level]
            groups[label].append(value)
        for members in groups.values():
            surplus = sum((max(left[one], Fraction(0)) for one in members), Fraction(0))
            lacking = sum((max(-left[one], Fraction(0)) for one in members), Fraction(0))
            moved = min(surplus, lacking)
            work += moved * Fraction(level, height)
            for sign, total in ((1, surplus), (-1, lacking)):
                for one in members:
                    if left[one] * sign > 0:
                        left[one] -= left[one] * moved / total
    return work


# --- a population, and what labels take away


def _people_of(given: Classes) -> tuple[list[int], int]:
    """People who fit every class, and how many fit none."""
    fit = [0] * len(given.classes)
    absent = 0
    for person in given.people:
        places = [
            place
            for place, labels in enumerate(given.labels)
            if all(labels[name] in given.paths[name].get(person[name], ()) for name in labels)
        ]
        absent += not places
        for place in places:
            fit[place] += 1
    return fit, absent


def k_map(model: Parameters, given: Classes) -> str:
    fewest = min(_people_of(given)[0])
    return f"a class that {fewest} people fit" if fewest < model["k"] else ""


def delta_presence(model: Parameters, given: Classes) -> str:
    fit, absent = _people_of(given)
    shares = [len(rows) / max(1, people) for rows, people in zip(given.classes, fit, strict=True)]
    low = model.get("low", 0.0)
    if max(shares) > model["high"] + SLACK or min(shares) < low - SLACK:
        return f"shares from {min(shares)} to {max(shares)}"
    return f"{absent} people are in no class" if low > 0 and absent else ""


def profitability(model: Parameters, given: Classes) -> str:
    for rows, labels in zip(given.classes, given.labels, strict=True):
        kept, all_values = 0.0, 0.0
        for name, label in labels.items():
            paths = given.paths[name]
            kept += math.log(sum(label in path for path in paths.values()))
            all_values += math.log(len(paths))
        worth = model["benefit"] * (1 - (kept / all_values if all_values else 0.0))
        attacked = model["gain"] / len(rows) > model["cost"] + SLACK
        payoff = worth - (model["loss"] / len(rows) if attacked else 0.0)
        if payoff < -SLACK * model["benefit"]:
            return f"a row brings {payoff}"
    return ""


MODELS: dict[str, Callable[[Parameters, Classes], str]] = {
    "attacker": _of_groups,
    "km-anonymity": _of_groups,
    "lkc-privacy": _of_groups,
    "k-anonymity": k_anonymity,
    "maximum-risk": maximum_risk,
    "average-risk": average_risk,
    "rows-at-risk": rows_at_risk,
    "no-attack": no_attack,
    "population-uniqueness": population_uniqueness,
    "distinct-l-diversity": distinct,
    "entropy-l-diversity": entropy,
    "recursive-l-diversity": recursive,
    "alpha-k-anonymity": alpha_k,
    "beta-likeness": beta_likeness,
    "delta-disclosure": delta_disclosure,
    "t-closeness": t_closeness,
    "k-map": k_map,
    "delta-presence": delta_presence,
    "profitability": profitability,
}

COUNTS_VALUES = ("distinct-l-diversity", "entropy-l-diversity", "recursive-l-diversity", "alpha-k-anonymity")
"""Models that a reader breaks who sees fewer values than there are."""

COMPARES_VALUES = ("t-closeness", "beta-likeness", "delta-disclosure")
"""Models that a reader may break who tells more values apart: classes then differ to her."""
