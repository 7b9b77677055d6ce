"""Whether a release keeps its promises once it is joined with those before it, and what it breaks if not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.ledger.join import JoinedReleases, candidate_values, join_members, join_next
from celosia.ledger.members import Members
from celosia.privacy import Classes, Histogram, PrivacyModel

__all__ = [
    "KINDS",
    "BrokenGroup",
    "GroupDamage",
    "LedgerAssessment",
    "PossibleValues",
    "assess_release",
    "promised_k",
]

KINDS = ("split", "arrived", "left")
"""How a group comes about: cut out of its classes by others, not there before, or not there any more."""
MOST_SHOWN = 20


@dataclass(frozen=True)
class GroupDamage:
    """Groups of one kind: the smallest, how many are too small because of the new release, and their people."""

    kind: str
    smallest: int
    groups: int
    people: int


@dataclass(frozen=True)
class BrokenGroup:
    """A group that is too small: its people, what their class shows in the new release, and where they were before.

    ``labels`` is None for those who are not in the new release; ``earlier`` are places of the releases given.
    """

    kind: str
    people: int
    labels: Mapping[str, str | None] | None
    earlier: tuple[int, ...]


@dataclass(frozen=True)
class PossibleValues:
    """Sensitive values that remain possible: ``asked``, the fewest of anybody, and of how many people they are fewer.

    ``changed`` people have no value that all their classes show: it is another than it was.
    """

    column: str
    asked: int
    fewest: int | None
    people: int
    changed: int


@dataclass(frozen=True)
class LedgerAssessment:
    """What a release and those before it reveal together.

    ``k_before`` is that of the earlier ones alone, ``already`` the people in groups that they alone left too small.
    ``violations`` says how many groups violate each further model, of those who are in the new release.
    """

    asked: int
    k: int
    k_before: int | None
    people: int
    groups: int
    already: int
    damage: tuple[GroupDamage, ...]
    values: tuple[PossibleValues, ...]
    violations: Mapping[str, int]
    broken: tuple[BrokenGroup, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the new release breaks nothing."""
        return not (
            any(damage.groups for damage in self.damage)
            or any(possible.people for possible in self.values)
            or any(self.violations.values())
        )


def promised_k(models: Sequence[PrivacyModel]) -> int:
    """Rows without which no class satisfies the models.

    >>> from celosia.privacy import KAnonymity
    >>> promised_k([KAnonymity(k=5)]), promised_k([])
    (5, 1)
    """
    return max([model.least_rows for model in models], default=1)


def assess_release(
    earlier: Sequence[Members],
    last: Members,
    *,
    models: Sequence[PrivacyModel] = (),
    k: int | None = None,
    before: JoinedReleases | None = None,
) -> LedgerAssessment:
    """Join a release with the earlier ones and see whether everybody still hides among ``k``.

    ``k`` is what the models ask for unless given; ``before`` are the earlier ones, joined already.

    >>> def release(people, classes):
    ...     return Members(np.array(people, np.uint64), np.array(classes, np.int32), 2, np.zeros(2, np.uint64))
    >>> found = assess_release([release([1, 2, 3, 4], [0, 0, 1, 1])], release([1, 2, 3, 4, 5], [0, 0, 1, 1, 1]), k=2)
    >>> found.passed, found.k, [(one.kind, one.people) for one in found.damage]
    (False, 1, [('split', 0), ('arrived', 1), ('left', 0)])
    """
    asked = promised_k(models) if k is None else k
    before = join_members(earlier) if before is None else before
    joined = join_next(before, last)
    kinds = _kinds(joined)
    small = joined.sizes < asked
    # A group that is all of one that was too small before has nothing to do with this release.
    was = np.append(before.sizes, 0)[joined.parents] == joined.sizes
    is_old = small & was & (joined.parents >= 0)
    fresh = small & ~is_old
    damage = tuple(
        GroupDamage(
            kind,
            int(joined.sizes[kinds == place].min()) if (kinds == place).any() else 0,
            int((fresh & (kinds == place)).sum()),
            int(joined.sizes[fresh & (kinds == place)].sum()),
        )
        for place, kind in enumerate(KINDS)
    )
    return LedgerAssessment(
        asked=asked,
        k=joined.k,
        k_before=before.k if len(before.sizes) else None,
        people=len(joined.people),
        groups=len(joined.sizes),
        already=int(joined.sizes[is_old].sum()),
        damage=damage,
        values=tuple(_values(joined, before, [*earlier, last], models)),
        violations=_violations(joined, last, models),
        broken=tuple(_broken(joined, last, kinds, fresh)),
    )


def _kinds(joined: JoinedReleases) -> npt.NDArray[np.int64]:
    is_new, is_here = joined.parents < 0, joined.classes[:, -1] >= 0
    return np.where(is_new, KINDS.index("arrived"), np.where(is_here, 0, KINDS.index("left")))


def _broken(
    joined: JoinedReleases, last: Members, kinds: npt.NDArray[np.int64], fresh: npt.NDArray[np.bool_]
) -> Iterator[BrokenGroup]:
    """The smallest of the groups that break, no more than anybody reads."""
    too_small = np.flatnonzero(fresh)
    for group in too_small[np.argsort(joined.sizes[too_small], kind="stable")][:MOST_SHOWN].tolist():
        own = int(joined.classes[group, -1])
        labels = None
        if own >= 0 and last.shown is not None:
            labels = last.shown.row(own, named=True)
        places = np.flatnonzero(joined.classes[group, :-1] >= 0)
        yield BrokenGroup(
            KINDS[int(kinds[group])], int(joined.sizes[group]), labels, tuple(map(int, places.tolist()))
        )


def _values(
    joined: JoinedReleases,
    before: JoinedReleases,
    releases: Sequence[Members],
    models: Sequence[PrivacyModel],
) -> Iterator[PossibleValues]:
    is_here = joined.classes[:, -1] >= 0
    for column in releases[-1].values:
        asked = max([model.least_rows for model in models if model.column == column], default=1)
        candidates = candidate_values(joined, releases, column)
        told = is_here & (candidates > 0)
        # As few as the earlier releases alone had left is nothing that this one does.
        were = np.append(candidate_values(before, releases[:-1], column), -1)[joined.parents]
        too_few = told & (candidates < asked) & (candidates != were)
        yield PossibleValues(
            column,
            asked,
            int(candidates[told].min()) if told.any() else None,
            int(joined.sizes[too_few].sum()),
            int(joined.sizes[is_here & (candidates == 0)].sum()),
        )


def _violations(joined: JoinedReleases, last: Members, models: Sequence[PrivacyModel]) -> dict[str, int]:
    """Groups of those in the new release that violate a model of sensitive values, each group taken for a class."""
    wanted = [model for model in models if model.column in last.own and not model.of_whole]
    if not wanted:
        return {}
    groups = joined.groups[np.searchsorted(joined.people, last.people)]
    numbers, place = np.unique(groups, return_inverse=True)
    sizes = np.bincount(place, minlength=len(numbers)).astype(np.int64)
    histograms = {name: _regrouped(last.own[name], place) for name in {str(model.column) for model in wanted}}
    classes = Classes(sizes, histograms)
    return {
        f"{model.name} of {model.column}": int(model.violations(classes).sum())
        for model in wanted
        if not (model.needs_population or model.needs_losses or model.needs_labels)
    }


def _regrouped(own: Histogram, place: npt.NDArray[np.int64]) -> Histogram:
    """Values by group instead of by person."""
    entries = (
        pl.DataFrame({"class": place[own.classes], "code": own.codes, "n": own.counts})
        .group_by("class", "code")
        .agg(pl.col("n").sum())
    )
    return Histogram(
        entries.get_column("class").to_numpy(),
        entries.get_column("code").to_numpy(),
        entries.get_column("n").to_numpy(),
        own.values,
        own.rank,
        own.hierarchy,
    )
