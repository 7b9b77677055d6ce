"""Try many values of k on one table; what does not depend on k is done once."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from celosia.balancing.curve import Balance
from celosia.balancing.evaluate import BalanceEvaluation, Original, evaluate_partition
from celosia.errors import ProjectError
from celosia.machine import usable_cores
from celosia.privacy import KAnonymity
from celosia.recode.mondrian import CutRules, Partition, Split, continue_mondrian, mondrian
from celosia.recode.represent import Represent, choose, represent
from celosia.recode.space import Space
from celosia.recode.target import with_target
from celosia.recode.task import RecodingTask
from celosia.recode.techniques import Technique
from celosia.recode.techniques.distribution_mondrian import DistributionMondrian
from celosia.recode.techniques.mondrian import Mondrian
from celosia.say import say
from celosia.types import NUMBERS

__all__ = ["choose_technique", "sweep"]

_STAGE = say("trying values of k")


def choose_technique(
    task: RecodingTask, technique: Technique | None = None, *, is_named: bool = False
) -> Technique:
    """The technique with what a person left open; ``is_named`` says that she named it herself.

    If she did not: distribution-mondrian for numbers, unless parameters are given; otherwise mondrian. With mondrian
    numbers stay numbers if nothing else is said, for ranges have no distribution that could be kept.
    """
    if technique is not None and is_named and technique.name != Mondrian.name:
        return technique
    parameters = {} if technique is None else technique.model_dump(exclude_unset=True)
    is_numeric = all(task.types[name] in NUMBERS for name in task.quasi_identifiers)
    if is_numeric and not parameters and not is_named:
        return DistributionMondrian()
    return Mondrian(**{"represent": Represent.MODE, **parameters})


def sweep(
    task: RecodingTask,
    technique: Technique,
    ks: Iterable[int] = range(2, 21),
    *,
    tolerance: float = 0.05,
    threshold: float = 0.95,
) -> Balance:
    """Evaluate the release that ``technique`` would make with every k; all other models of the task stay.

    The combinations are counted and put on their axes once. Where no model but k-anonymity is asked for, the cuts of
    one k that leave enough rows are those of the next (see ``chain``). What is left is shared out to the cores,
    which changes nothing in the result. Values of k that are more than the rows are left out.
    """
    wanted = _check_ks(ks)
    cutter = _check(task, technique)
    others = tuple(model for model in task.models if not isinstance(model, KAnonymity))
    bare = replace(task, models=others)
    counts = bare.count(() if cutter.target is None else (cutter.target,))
    space = with_target(bare.space(counts), cutter.target, bare.types)
    possible = [k for k in wanted if k <= space.rows]
    if not possible:
        raise ProjectError(
            say("k = {k} is more than the {rows} rows left", k=wanted[0], rows=space.rows)
            if space.excluded
            else say("k = {k} is more than the {rows} rows there are", k=wanted[0], rows=space.rows),
            where=task.table.name,
            remedy=say("try smaller values of k"),
        )
    kept = tuple(
        axis.name
        for axis in space.axes
        if choose(axis, cutter.represent, task.keep_type.get(axis.name)).keeps_type
    )
    original = Original(counts, task.quasi_identifiers, bare.types, kept, task.person)
    work = _SweepInputs(
        bare, cutter, space.one_by_one() if cutter.relaxed else space, original, tolerance, threshold
    )
    points = work.run(possible)
    return Balance(
        technique=cutter,
        quasi_identifiers=task.quasi_identifiers,
        kept=kept,
        points=dict(zip(possible, points, strict=True)),
        tolerance=tolerance,
        threshold=threshold,
        left_out=tuple(wanted[len(possible) :]),
    )


@dataclass(frozen=True)
class _SweepInputs:
    """What every k needs."""

    task: RecodingTask
    technique: Mondrian
    space: Space
    original: Original
    tolerance: float
    threshold: float

    def run(self, ks: Sequence[int]) -> list[BalanceEvaluation]:
        """Every k in turn, several at once."""
        # Worked out before threads ask for it, or each would do it.
        _ = self.original.frequencies, self.original.sizes, self.original.correlations, self.space.tables
        cores = usable_cores()
        with ThreadPoolExecutor(cores) as pool:
            if self.shares_cuts:
                evaluations = pool.map(self.evaluate, ks, self.chain(ks))
            else:
                evaluations = pool.map(lambda k: self.evaluate(k, mondrian(self.space, self.rules(k))), ks)
            return list(self.counted(evaluations, len(ks)))

    @property
    def shares_cuts(self) -> bool:
        return not self.task.models and self.technique.split is not Split.DISTRIBUTION

    def chain(self, ks: Sequence[int]) -> Iterator[Partition]:
        """The partition of every k, each from the tree of the one before.

        A cut is the best of those that leave at least k rows on both sides, and how good a cut is does not depend on
        k. If the best cut for one k leaves enough rows for a larger one too, it is among the fewer cuts that are
        possible then, and still the best. So the tree for the larger k begins like that for the smaller one, up to
        the cuts that leave too few. (Of gains that are equal within rounding the most even cut is taken: a larger k
        takes the least even ones away, and never that one alone.)
        """
        partition = None
        for number, k in enumerate(ks):
            self.task.progress(_STAGE, number / len(ks))
            if partition is None:
                partition = mondrian(self.space, self.rules(k))
            else:
                partition = continue_mondrian(self.space, partition.tree.keep_large(k), self.rules(k))
            yield partition

    def rules(self, k: int) -> CutRules:
        asked = replace(self.task, models=(KAnonymity(k=k), *self.task.models))  # as many people, too
        return replace(self.technique.rules(self.task), models=asked.models)

    def evaluate(self, k: int, partition: Partition) -> BalanceEvaluation:
        return evaluate_partition(
            partition,
            represent(partition, self.technique.represent, self.task.keep_type),
            self.original,
            k=k,
            weights=self.task.weights,
            tolerance=self.tolerance,
            threshold=self.threshold,
        )

    def counted(self, evaluations: Iterable[BalanceEvaluation], total: int) -> Iterator[BalanceEvaluation]:
        for number, evaluation in enumerate(evaluations, start=1):
            self.task.progress(_STAGE, number / total)
            yield evaluation


def _check_ks(ks: Iterable[int]) -> list[int]:
    wanted = sorted(set(ks))
    if not wanted or wanted[0] < 2:
        raise ProjectError(
            say("there is no k to try") if not wanted else say("k = {k} hides nobody", k=wanted[0]),
            where="k",
            remedy=say("try values from 2 on, as in 2 to 20"),
        )
    return wanted


def _check(task: RecodingTask, technique: Technique) -> Mondrian:
    """The technique, if its releases can be told from the combinations alone."""
    if not isinstance(technique, Mondrian):
        raise ProjectError(
            say("k cannot be balanced for technique {technique}", technique=technique.name),
            where="technique",
            remedy=say("use mondrian or distribution-mondrian, which keep numbers as numbers"),
        )
    if technique.memory is not None:
        raise ProjectError(
            say("the values of k are tried in memory, whatever its limit"),
            where="memory",
            remedy=say("leave it out here, and give it for the release"),
        )
    technique.check(task)
    return technique
