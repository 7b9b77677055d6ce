"""How each privacy model is checked on a release: by another formula than the searches have, from what was counted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError
from celosia.hierarchies import Hierarchy
from celosia.release.counting import OTHERS, Counting
from celosia.release.population_fit import Labels, count_people, information_losses
from celosia.release.transport import (
    class_distances_by_hierarchy,
    class_distances_by_order,
    class_distances_by_value,
    order_values,
)
from celosia.release.uniques import estimate_uniques
from celosia.say import say
from celosia.values.same import find_like, fold_keys

if TYPE_CHECKING:  # the models as they are declared; none of their code runs here
    from celosia.privacy import (
        AlphaKAnonymity,
        AverageRisk,
        BetaLikeness,
        DeltaDisclosure,
        DeltaPresence,
        DistinctLDiversity,
        EntropyLDiversity,
        KAnonymity,
        KMap,
        MaximumRisk,
        NoAttack,
        PopulationUniqueness,
        Profitability,
        RecursiveCLDiversity,
        RowsAtRisk,
        TCloseness,
    )

__all__ = ["CHECKS", "Measured", "ModelCheck", "ReleasedValues"]

Integers = npt.NDArray[np.int64]
CLOSE = 1e-9
"""Entropies and distances may miss their limit by this much: it is rounding, not risk."""


@dataclass(frozen=True)
class ReleasedValues:
    """The released values of a sensitive column in some classes; ``entries`` as in :mod:`.transport`.

    ``others`` are entries of one more class, in which all other rows are: those of the whole release are both.
    """

    entries: pl.DataFrame
    others: pl.DataFrame
    values: tuple[str | None, ...]
    hierarchy: Hierarchy | None
    spellings: tuple[str | None, ...] = ()
    """All that was written, and in ``numbers`` the value that each is."""
    numbers: Integers = field(default_factory=lambda: np.empty(0, np.int64))
    is_spelled: bool = False
    """Whether every spelling is a value here; those have no place in an order or a hierarchy."""


ClassSizes = tuple[Integers, Integers]
"""The sizes of classes, and how many classes have each."""

LabelledClasses = tuple[Labels, Counting]
"""What the labels of classes stand for, and the classes counted."""

Measured = tuple[float, float, int]
"""What was asked, what was reached, how many classes violate it."""


def _check_k(model: "KAnonymity | AlphaKAnonymity", subject: ClassSizes) -> Measured:
    sizes, times = subject
    return model.k, int(sizes.min()), int(times[sizes < model.k].sum())


def _check_distinct(model: "DistinctLDiversity", subject: ReleasedValues) -> Measured:
    distinct = subject.entries.group_by("class").agg(pl.col("value").n_unique())["value"]
    return model.l, _number(distinct.min()), int((distinct < model.l).sum())


def _check_entropy(model: "EntropyLDiversity", subject: ReleasedValues) -> Measured:
    share = pl.col("n") / pl.col("n").sum().over("class")
    surprise = subject.entries.select("class", surprise=-share * share.log())
    entropy = surprise.group_by("class").agg(pl.col("surprise").sum())["surprise"]
    low = entropy < np.log(model.l) - CLOSE
    return model.l, float(np.exp(_number(entropy.min()))), int(low.sum())


def _check_recursive(model: "RecursiveCLDiversity", subject: ReleasedValues) -> Measured:
    rare = pl.col("n").sum() - pl.col("n").head(model.l - 1).sum()
    ratio = (
        subject.entries.sort("n", descending=True)
        .group_by("class", maintain_order=True)
        .agg(ratio=pl.col("n").first() / rare)["ratio"]
    )
    return model.c, _number(ratio.max()), int((ratio >= model.c).sum())


def _check_closeness(model: "TCloseness", subject: ReleasedValues) -> Measured:
    if subject.is_spelled and model.distance != "equal":
        return model.t, 0.0, 0
    whole = pl.concat([subject.entries, subject.others])
    if model.distance == "equal":
        distances = class_distances_by_value(whole)
    elif model.distance == "ordered":
        places = order_values(subject.values, model.order)
        if places is None:
            raise _no_order(model, subject)
        distances = class_distances_by_order(whole, places)
    elif subject.hierarchy is None:
        raise ProjectError(
            say(
                "the hierarchical distance of {column!r} cannot be verified without its hierarchy",
                column=model.column,
            ),
            remedy=say("give it, as in --hierarchy {column}=file.csv", column=model.column),
        )
    else:
        distances = class_distances_by_hierarchy(whole, subject.values, subject.hierarchy)
    distance = distances.filter(pl.col("class") != OTHERS)["distance"]
    return model.t, max(_number(distance.max()), 0.0), int((distance > model.t + CLOSE).sum())


def _no_order(model: "TCloseness", subject: ReleasedValues) -> ProjectError:
    if model.order is not None:
        values = pl.Series([value for value in subject.values if value is not None], dtype=pl.String)
        named = fold_keys(pl.Series(model.order, dtype=pl.String)).implode()
        lacking = values.filter(~fold_keys(values).is_in(named, nulls_equal=True))
        return ProjectError(
            say(
                "the ordered distance of {column!r} cannot be verified: the order given does not name {value!r}",
                column=model.column,
                value=lacking[0],
            ),
            remedy=say("name every value, from the least to the greatest"),
        )
    return ProjectError(
        say(
            "the ordered distance of {column!r} cannot be verified: its values are texts without an order",
            column=model.column,
        ),
        remedy=say(
            "write them as numbers (1234.56) or dates (2024-05-31) if they are, give their "
            "order, as in -t {column}=ordered:{t:g}:low,middle,high (in a project: order), or "
            "use the equal distance",
            column=model.column,
            t=model.t,
        ),
    )


def _number(value: object) -> float:
    """What Polars answers for a column of numbers."""
    assert isinstance(value, int | float)
    return float(value)


def _check_alpha(model: "AlphaKAnonymity", subject: ReleasedValues) -> Measured:
    """The share of its most frequent value, or of the guarded one, in every class; sizes are looked at apart."""
    most = pl.col("n").max()
    if model.value is not None:
        like = find_like(subject.spellings, model.value)
        most = pl.col("n").filter(pl.col("value").is_in(np.unique(subject.numbers[like]))).sum()
    shares = subject.entries.group_by("class").agg(rows=pl.col("n").sum(), share=most / pl.col("n").sum())
    too_many = shares.filter((pl.col("share") > model.alpha + CLOSE) & (pl.col("rows") >= model.k))
    return model.alpha, _number(shares["share"].max()), too_many.height


def _check_alpha_sizes(model: "AlphaKAnonymity", subject: ClassSizes) -> Measured:
    return model.alpha, 0.0, _check_k(model, subject)[2]


def _with_overall(subject: ReleasedValues) -> tuple[pl.DataFrame, int]:
    """Every entry with its share q of the class and p of the whole release, and how many values that has."""
    whole = pl.concat([subject.entries, subject.others])
    overall = whole.group_by("value").agg(p=pl.col("n").sum() / whole["n"].sum())
    joined = subject.entries.join(overall, on="value")
    return joined.with_columns(q=pl.col("n") / pl.col("n").sum().over("class")), overall.height


def _check_likeness(model: "BetaLikeness", subject: ReleasedValues) -> Measured:
    risen = _with_overall(subject)[0].filter(pl.col("q") > pl.col("p"))
    gains = risen.select("class", gain=(pl.col("q") - pl.col("p")) / pl.col("p"), most=-pl.col("p").log())
    limit = pl.lit(float(model.beta))
    if model.kind == "enhanced":
        limit = pl.min_horizontal(limit, "most")
    bad = gains.filter(pl.col("gain") > limit + CLOSE)["class"].n_unique()
    return model.beta, _number(gains["gain"].max() or 0.0), bad


def _check_disclosure(model: "DeltaDisclosure", subject: ReleasedValues) -> Measured:
    entries, values = _with_overall(subject)
    change = (pl.col("q").log() - pl.col("p").log()).abs()
    lacks = pl.len() < values  # of a value that lacks the logarithm is infinite
    far = entries.group_by("class").agg(change=pl.when(lacks).then(np.inf).otherwise(change.max()))["change"]
    return model.delta, _number(far.max()), int((far >= model.delta).sum())


def _check_average(model: "AverageRisk", subject: ClassSizes) -> Measured:
    sizes, times = subject
    mean = float(np.average(1.0 / sizes, weights=sizes * times))
    return model.risk, mean, int(mean > model.risk + CLOSE)


def _check_maximum(model: "MaximumRisk", subject: ClassSizes) -> Measured:
    sizes, times = subject
    chances = 1.0 / sizes
    return model.risk, float(chances.max()), int(times[chances > model.risk + CLOSE].sum())


def _check_at_risk(model: "RowsAtRisk", subject: ClassSizes) -> Measured:
    sizes, times = subject
    at_risk = 1.0 / sizes > model.risk + CLOSE
    share = float((sizes * times)[at_risk].sum() / (sizes @ times))
    return model.share, share, int(share > model.share + CLOSE)


def _check_no_attack(model: "NoAttack", subject: ClassSizes) -> Measured:
    sizes, times = subject
    gains = model.gain / sizes
    return model.cost, float(gains.max()), int(times[gains > model.cost * (1 + CLOSE) + CLOSE].sum())


def _check_uniqueness(model: "PopulationUniqueness", subject: ClassSizes) -> Measured:
    sizes, times = subject
    if model.fraction is None:
        raise ProjectError(
            say(
                "population-uniqueness cannot be verified without the share of the population that "
                "the table holds"
            ),
            remedy=say("give its fraction, or --population-fraction"),
        )
    uniques = estimate_uniques(sizes, times, fraction=model.fraction, estimator=model.estimator)
    rows = int(sizes @ times)
    share = uniques / max(1, rows, round(rows / model.fraction))
    # Two ways to the maximum of a flat likelihood agree to about a ten-thousandth of the population.
    return model.share, share, int(share > 1.01 * model.share + 1e-4)


def _check_map(model: "KMap", subject: LabelledClasses) -> Measured:
    labels, counting = subject
    reached, violating = np.inf, 0
    for classes in count_people(labels, counting, model.name).classes:
        reached = min(reached, _number(classes["people"].min()))
        violating += int((classes["people"] < model.k).sum())
    return model.k, reached, violating


def _check_presence(model: "DeltaPresence", subject: LabelledClasses) -> Measured:
    labels, counting = subject
    people = count_people(labels, counting, model.name)
    reached, violating = 0.0, 0
    for classes in people.classes:
        share = classes["n"].to_numpy() / np.maximum(classes["people"].to_numpy(), 1e-300)
        reached = max(reached, float(share.max()))
        violating += int(((share > model.high + CLOSE) | (share < model.low - CLOSE)).sum())
    if model.low > 0 and people.unseen():
        violating += 1  # those who fit no class that was released are known not to be in it
    return model.high, reached if reached < 1e200 else np.inf, violating


def _check_profit(model: "Profitability", subject: LabelledClasses) -> Measured:
    labels, counting = subject
    least, violating = np.inf, 0
    for sizes, lost in information_losses(labels, counting, model.name):
        attacked = model.gain > (model.cost + CLOSE) * sizes
        payoff = model.benefit - model.benefit * lost - attacked * (model.loss / sizes)
        least = min(least, float(payoff.min()))
        violating += int((payoff <= 0).sum())
    return 0, least, violating


@dataclass(frozen=True)
class ModelCheck:
    """How a model is checked in some classes, and which of several numbers reached is the worst.

    ``looks_at`` sizes (or, for a model of a sensitive column, its values), or the labels of the classes. ``of_sizes``
    is what a model of a column asks of the sizes besides. A release ``as_whole`` keeps a promise or does not, and no
    class is to blame. Where ``any_view`` is set, values that are one to some reader may hide that classes differ: the
    promise must hold for those who tell them apart, too.
    """

    # Each takes its own model and what it looks at, which the registry below puts together.
    measure: Callable[[Any, Any], Measured]
    worst: Callable[[list[float]], float]
    looks_at: Literal["classes", "labels"] = "classes"
    of_sizes: Callable[[Any, Any], Measured] | None = None
    as_whole: bool = False
    any_view: bool = False


CHECKS: Mapping[str, ModelCheck] = {
    "k-anonymity": ModelCheck(_check_k, min),
    "distinct-l-diversity": ModelCheck(_check_distinct, min),
    "entropy-l-diversity": ModelCheck(_check_entropy, min),
    "recursive-l-diversity": ModelCheck(_check_recursive, max),
    "t-closeness": ModelCheck(_check_closeness, max, any_view=True),
    "alpha-k-anonymity": ModelCheck(_check_alpha, max, of_sizes=_check_alpha_sizes),
    "beta-likeness": ModelCheck(_check_likeness, max, any_view=True),
    "delta-disclosure": ModelCheck(_check_disclosure, max, any_view=True),
    "average-risk": ModelCheck(_check_average, max, as_whole=True),
    "maximum-risk": ModelCheck(_check_maximum, max),
    "rows-at-risk": ModelCheck(_check_at_risk, max, as_whole=True),
    "no-attack": ModelCheck(_check_no_attack, max),
    "population-uniqueness": ModelCheck(_check_uniqueness, max, as_whole=True),
    "k-map": ModelCheck(_check_map, min, "labels"),
    "delta-presence": ModelCheck(_check_presence, max, "labels"),
    "profitability": ModelCheck(_check_profit, min, "labels"),
}
"""How each model is checked, by its name; a model without a check fails the verification."""
