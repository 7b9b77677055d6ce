"""AIM: a model of a table from noisy counts, the next ones always those that the model so far gets most wrong.

R. McKenna, B. Mullins, D. Sheldon, G. Miklau: AIM: an adaptive and iterative mechanism for differentially private
synthetic data. VLDB 15(11), 2022. Every column is counted first. Then, in rounds, a margin is chosen by the exponential
mechanism, counted with noise, and the model fitted again. A round that taught nothing beyond its noise makes the next
ones dearer. All that is known of the rows comes through ``PrivateCounts``; what is done with its answers costs nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np

from celosia.perturb.budget import UNIT, Candidate, PrivateCounts, count_cells
from celosia.perturb.drawing import draw_rows
from celosia.perturb.fitting import FittedModel, NoisyMargin, fit, total_of
from celosia.perturb.junction import Columns, tree_cells

__all__ = ["all_sets", "candidates_of", "fit_adaptively", "weigh"]

# Found on Adult, which is public, and the same for every table: nothing is tuned on the rows that are released.
TOTAL = 0.01
"""The part of the budget for how many rows there are, by which all other parts are judged."""
FIRST, BLURRED = (0.15, 0.2, 0.3, 0.5), 0.1
"""Parts of the budget for the columns by themselves: the first that leaves noise of at most this part of all rows."""
CHOICE = 0.2
"""The part of a round for the choice of what to count."""
ROUNDS = 10 / 3
"""Rounds for every column, if none of them becomes dearer."""
NOISY, FEW = 0.25, 4
"""A first round has noise of at most this part of all rows, unless fewer rounds than these would be left."""
SMALL, SMALL_NOISE = 600, 0.3
"""Most cells of three columns that are counted for the sake of pairs, and the part of all rows their noise may be."""
SAMPLE = 50_000
"""Rows drawn from a model to see what it says of margins that are in no clique."""
STEPS, LAST_STEPS = 60, 800
"""Steps of a fit between rounds, and at the end."""


@dataclass(frozen=True)
class Round:
    """What a round costs, and how far noise for that price is from 0 in the mean."""

    cost: float
    noise: float

    @classmethod
    def of(cls, door: PrivateCounts, cost: float) -> "Round":
        """A round for a part of the budget."""
        return cls(cost, door.noise_of((1 - CHOICE) * cost)[1])


def fit_adaptively(
    door: PrivateCounts, workload: Sequence[Columns], *, limit: int, rng: np.random.Generator
) -> FittedModel:
    """A model that keeps the margins of a workload as well as a budget allows, in a tree of so many cells at most.

    >>> cells = np.array([[0, 0], [1, 1]] * 50)
    >>> door = PrivateCounts(cells, [2, 2], epsilon=200, delta=None, rng=np.random.default_rng(1))
    >>> model = fit_adaptively(door, [(0, 1)], limit=100, rng=np.random.default_rng(1))
    >>> model.margin((0, 1)).round(2).tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """
    sizes = door.sizes
    weights = weigh(workload, sizes, small=0)
    margins = [door.measure((), TOTAL * door.budget)]
    total = total_of(margins)
    if not weights:
        return fit([*margins, *_measure_columns(door, door.left)], sizes, rounds=LAST_STEPS)
    margins += _measure_columns(door, _first_part(door, total) * door.budget)
    model = fit(margins, sizes, rounds=STEPS)
    cost = _first_cost(door, weights, total)
    noise = Round.of(door, cost).noise
    weights = weigh(workload, sizes, small=min(SMALL, SMALL_NOISE * total / max(noise, 1e-9)))
    while door.left > 0.001 * door.budget:
        # What would be left after this round would not pay for another.
        cost = door.left if door.left < 2 * cost else cost
        # A model that grows with the budget leaves room for what is chosen late, and well.
        fitting = _fitting(weights, margins, sizes, limit * (door.spent + cost) / door.budget)
        fitting = fitting or _fitting(weights, margins, sizes, limit)
        if not fitting:
            margins += _measure_columns(door, door.left)
            break
        margin, expected = _play(door, Round.of(door, cost), fitting, weights, model, rng)
        margins.append(margin)
        model = fit(margins, sizes, rounds=STEPS, before=model)
        moved = float(np.abs(model.total * model.margin(margin.columns) - expected).sum())
        if moved <= margin.counts.size * Round.of(door, cost).noise:
            cost *= _dearer(door)
    return fit(margins, sizes, rounds=LAST_STEPS, before=model)


def all_sets(width: int, ways: int) -> list[Columns]:
    """All sets of so many of so many columns, or of all where there are fewer.

    >>> all_sets(3, 2)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(width), min(ways, width)))


def candidates_of(workload: Sequence[Columns], sizes: Sequence[int], *, small: float) -> list[Columns]:
    """The sets of two or more columns that may be counted: those in sets of a workload, and small unions of two pairs.

    For the price of one margin three columns together tell of three pairs, and where they have few cells the noise that
    adds up over a column is less than what three margins would cost.

    >>> candidates_of([(0, 1), (1, 2), (2, 3)], [2, 2, 2, 1000], small=600)
    [(0, 1), (1, 2), (2, 3), (0, 1, 2)]
    """
    sets = {
        part
        for wanted in workload
        for size in range(2, len(wanted) + 1)
        for part in combinations(wanted, size)
    }
    for first, second in combinations([columns for columns in sets if len(columns) == 2], 2):
        union = tuple(sorted({*first, *second}))
        if len(union) == 3 and prod(sizes[column] for column in union) <= small:
            sets.add(union)
    return sorted(sets, key=lambda columns: (len(columns), columns))


def weigh(workload: Iterable[Columns], sizes: Sequence[int], *, small: float) -> dict[Columns, int]:
    """For every margin that may be counted, how many columns it has in common with those of the workload, in all.

    >>> weigh([(0, 1), (1, 2)], [100, 100, 100], small=600)
    {(0, 1): 3, (1, 2): 3}
    """
    wanted = list(workload)
    return {
        columns: sum(len(set(columns) & set(other)) for other in wanted)
        for columns in candidates_of(wanted, sizes, small=small)
    }


def _dearer(door: PrivateCounts) -> int:
    """How many times as much noise of half the size costs."""
    return 2 if door.is_pure else 4


def _first_part(door: PrivateCounts, total: float) -> float:
    """The part of the budget for the columns by themselves."""
    usual, width = float(np.mean(door.sizes)), len(door.sizes)
    for part in FIRST:
        if usual * door.noise_of(part * door.budget / width)[1] <= BLURRED * total:
            return part
    return FIRST[-1]


def _first_cost(door: PrivateCounts, weights: Iterable[Columns], total: float) -> float:
    """What the first round costs: an even part, or more where that would count noise rather than rows."""
    cost = door.left / max(1.0, ROUNDS * len(door.sizes))
    usual = float(np.median([prod(door.sizes[column] for column in columns) for columns in weights]))
    while usual * Round.of(door, cost).noise > NOISY * total and cost * _dearer(door) <= door.left / FEW:
        cost *= _dearer(door)
    return cost


def _measure_columns(door: PrivateCounts, cost: float) -> list[NoisyMargin]:
    """Every column by itself; parts of a budget for which the noise of all cells together is least."""
    # Of n cells for a part e the noise is n / e, or n / sqrt(e); sums of these are least for e as n to the power of
    parts = np.array(door.sizes) ** (1 / 2 if door.is_pure else 2 / 3)
    return [door.measure((column,), float(part)) for column, part in enumerate(cost * parts / parts.sum())]


def _fitting(
    weights: Iterable[Columns], margins: Sequence[NoisyMargin], sizes: Sequence[int], limit: float
) -> list[Columns]:
    """The margins that leave the tree within a limit; those in it already cost nothing."""
    there = {margin.columns for margin in margins}
    return [
        columns
        for columns in weights
        if columns in there
        or (prod(sizes[c] for c in columns) <= limit and tree_cells(sizes, [*there, columns]) <= limit)
    ]


def _play(
    door: PrivateCounts,
    play: Round,
    fitting: Sequence[Columns],
    weights: dict[Columns, int],
    model: FittedModel,
    rng: np.random.Generator,
) -> tuple[NoisyMargin, np.ndarray]:
    """One round: a margin chosen and counted, and what the model said of it before."""
    drawn = draw_rows(model, SAMPLE, rng=rng)
    expected = {
        columns: count_cells(drawn, columns, door.sizes) * (model.total / SAMPLE) for columns in fitting
    }
    candidates = [
        Candidate(
            columns,
            expected=np.rint(UNIT * expected[columns]).astype(np.int64),
            penalty=round(UNIT * play.noise * expected[columns].size),
            weight=weights[columns],
        )
        for columns in fitting
    ]
    chosen = fitting[door.choose(candidates, CHOICE * play.cost)]
    return door.measure(chosen, (1 - CHOICE) * play.cost), expected[chosen]
