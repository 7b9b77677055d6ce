"""What would keep the promise where a release breaks it: each way tried out on the people, and joined again.

- *same*: everybody who was in the latest release is in the class she had there, and new people wait.
- *generalize*: classes of the new release that share people of one group are merged, so that none is cut any more; of a
  full-domain recoding this is at most the node that takes the higher level of both.
- *suppress*: the rows concerned are left out. Who is left out looks like somebody who left, so as many are left out of
  a class as hide each other.
- *counterfeits*: rows that stand for nobody take the places of those who left and come along with those who arrived, as
  many as it takes (counted as in m-invariance, Xiao and Tao 2007). Against classes that cut each other they are no
  help.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from celosia.ledger.join import JoinedReleases, join_next
from celosia.ledger.members import Members, Numbers, People, regrouped
from celosia.say import say, say_count

__all__ = ["LedgerProposal", "propose", "suppressed_people"]


@dataclass(frozen=True)
class LedgerProposal:
    """One way, and what it would come to: the k that remains, classes, people left out, rows that stand for nobody."""

    name: str
    text: str
    k: int = 0
    keeps: bool = False
    classes: int = 0
    left_out: int = 0
    counterfeits: int = 0


Tried = tuple[LedgerProposal, Members]
"""A way, and what would be released."""


def propose(
    before: JoinedReleases,
    last: Members,
    *,
    k: int,
    latest: Members | None = None,
    keeps: Callable[[Members], bool] | None = None,
) -> tuple[LedgerProposal, ...]:
    """All ways, each with the k that it leaves; those that keep the promise and leave out fewest people come first.

    ``latest`` is the release before, whose classes could be kept; ``keeps`` says whether a way keeps all that is
    promised, where that is more than k.

    >>> from celosia.ledger.join import join_members
    >>> def release(people, classes):
    ...     return Members(np.array(people, np.uint64), np.array(classes, np.int32), 2, np.zeros(2, np.uint64))
    >>> first = release([1, 2, 3, 4], [0, 0, 1, 1])
    >>> found = propose(join_members([first]), release([1, 2, 3, 4], [0, 1, 0, 1]), k=2, latest=first)
    >>> [(one.name, one.k, one.left_out) for one in found if one.keeps]
    [('same', 2, 0), ('generalize', 2, 0), ('suppress', 2, 4)]
    """
    ways = [*_same(last, latest), _generalize(before, last), _suppress(before, last, k)]
    proposals = []
    for way, tried in [*ways, _counterfeit(before, last, k)]:
        joined = join_next(before, tried)
        is_kept = _is_kept(before, joined, k) and (keeps is None or keeps(tried))
        classes = len(np.unique(tried.classes))
        proposals.append(replace(way, k=joined.k, keeps=bool(is_kept), classes=classes))
    order = ("same", "generalize", "counterfeits", "suppress")
    return tuple(
        sorted(
            proposals,
            key=lambda proposal: (
                not proposal.keeps,
                proposal.left_out,
                proposal.counterfeits,
                order.index(proposal.name),
            ),
        )
    )


def _is_kept(before: JoinedReleases, joined: JoinedReleases, k: int) -> bool:
    """Whether no group is too small but those that were so before."""
    was = np.append(before.sizes, 0)[joined.parents] == joined.sizes
    return not ((joined.sizes < k) & ~(was & (joined.parents >= 0))).any()


def _same(last: Members, latest: Members | None) -> Iterator[Tried]:
    if latest is None or not len(latest.people):
        return
    places = np.minimum(np.searchsorted(latest.people, last.people), len(latest.people) - 1)
    is_known = latest.people[places] == last.people
    tried = regrouped(last, last.people[is_known], latest.classes[places[is_known]], count=latest.count)
    waiting = int((~is_known).sum())
    text = say("take the classes of the release before, with the same columns and recoding")
    if waiting:
        text = say(
            "take the classes of the release before, with the same columns and recoding; the {waiting:,} people who "
            "were not in it wait",
            waiting=waiting,
        )
    yield LedgerProposal("same", text, left_out=waiting), tried


def _generalize(before: JoinedReleases, last: Members) -> Tried:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    groups = _parents(before, last.people)
    known = groups >= 0
    size = last.count + len(before.sizes)
    edges = coo_array(
        (
            np.ones(int(known.sum()), np.int8),
            (last.classes[known].astype(np.int64), last.count + groups[known]),
        ),
        shape=(size, size),
    )
    merged = connected_components(edges, directed=False)[1][: last.count]
    tried = regrouped(last, last.people, merged[last.classes].astype(np.int32), count=size)
    left = len(np.unique(tried.classes))
    text = say(
        "generalize from the earlier releases: merge classes that cut theirs, which leaves "
        "{left:,} of {classes:,}",
        left=left,
        classes=len(np.unique(last.classes)),
    )
    return LedgerProposal("generalize", text), tried


def _suppress(before: JoinedReleases, last: Members, k: int) -> Tried:
    stays = ~suppressed_people(before, last, k=k)
    tried = regrouped(last, last.people[stays], last.classes[stays], count=last.count)
    left_out = int((~stays).sum())
    text = say(
        "leave out {count:,} of {people:,} people (ledger.broken: suppress)",
        count=left_out,
        people=len(last.people),
    )
    return LedgerProposal("suppress", text, left_out=left_out), tried


def suppressed_people(before: JoinedReleases, last: Members, *, k: int) -> npt.NDArray[np.bool_]:
    """``suppressed[i]``: whether ``last.people[i]`` is left out, so that no group is too small for what she adds.

    >>> from celosia.ledger.join import join_members
    >>> def release(people, classes):
    ...     return Members(np.array(people, np.uint64), np.array(classes, np.int32), 2, np.zeros(2, np.uint64))
    >>> first = join_members([release([1, 2, 3, 4, 5], [0, 0, 0, 0, 0])])
    >>> suppressed_people(first, release([1, 2, 3, 4, 5, 6, 7], [0, 0, 0, 0, 1, 1, 1]), k=2).tolist()
    [True, False, False, False, True, False, False]
    """
    parents = _parents(before, last.people)
    pairs, number = np.unique(np.stack([parents, last.classes.astype(np.int64)]), axis=1, return_inverse=True)
    owner, number = pairs[0], number.reshape(-1)
    size = np.bincount(number, minlength=len(owner)).astype(np.int64)
    whole = np.append(before.sizes, 0)[owner]
    # A group that is all of one that was too small before can stay: nothing becomes of it that was not so.
    goes = (size < k) & ~((owner >= 0) & (size == whole))
    ours = owner >= 0
    there = np.bincount(owner[ours], np.where(goes, 0, size)[ours], len(before.sizes)).astype(np.int64)
    missing = before.sizes - there
    lacking = np.where((missing > 0) & (missing < k) & (there > 0), k - missing, 0)
    # Who is left out alone is told by it: others of her earlier group go with her. A large group spares some, else a
    # small one goes as a whole, and is large enough to hide in.
    stays = np.flatnonzero(ours & ~goes & (np.append(lacking, 0)[owner] > 0))
    largest, smallest = _ends(stays, owner, size)
    spares = size[largest] >= k + lacking[owner[largest]]
    goes[smallest[~spares]] = True
    gone = goes[number]
    few = np.zeros(len(owner), np.int64)
    few[largest[spares]] = lacking[owner[largest[spares]]]
    order = np.argsort(number, kind="stable")
    turn = np.empty(len(number), np.int64)
    turn[order] = np.arange(len(number)) - np.repeat(np.cumsum(size) - size, size)
    out = gone | (turn < few[number])
    # What is left of a class may be too few by itself: groups that were too small before, each as a whole. Without
    # the others of the class they cannot stay, and leaving as a whole tells nothing of them that was not known.
    rows = np.bincount(last.classes, minlength=last.count)
    left = np.bincount(last.classes[~out], minlength=last.count)
    return np.asarray(out | ((left < k) & (left < rows))[last.classes])


def _ends(groups: Numbers, owner: Numbers, size: Numbers) -> tuple[Numbers, Numbers]:
    """Of every owner the largest and the smallest of some of its groups."""
    order = groups[np.lexsort((size[groups], owner[groups]))]
    differs = owner[order][1:] != owner[order][:-1]
    edge = np.ones(1 if len(order) else 0, np.bool_)
    return order[np.concatenate([differs, edge])], order[np.concatenate([edge, differs])]


def _counterfeit(before: JoinedReleases, last: Members, k: int) -> Tried:
    joined = join_next(before, last)
    small = joined.sizes < k
    is_here, is_new = joined.classes[:, -1] >= 0, joined.parents < 0
    home = _homes(before, last)
    # Those who left look as if they were still there, in the class where most of their group are.
    left = np.flatnonzero(small & ~is_here & ~is_new)
    left = left[home[joined.parents[left]] >= 0]
    kept = np.isin(joined.groups, left)
    people, classes = joined.people[kept], home[joined.parents[joined.groups[kept]]]
    arrived = np.flatnonzero(small & is_new)
    lacking = k - joined.sizes[arrived]
    fakes = _nobody(joined.people, int(lacking.sum()))
    everybody = np.concatenate([last.people, people, fakes])
    order = np.argsort(everybody, kind="stable")
    own = np.concatenate([last.classes, classes, np.repeat(joined.classes[arrived, -1], lacking)])
    tried = regrouped(last, everybody[order], own[order].astype(np.int32), count=last.count)
    count = len(people) + len(fakes)
    text = say_count(
        "add {count:,} counterfeit row, which stands for nobody, in the places of those who came and left",
        "add {count:,} counterfeit rows, which stand for nobody, in the places of those who came and left",
        count,
    )
    return LedgerProposal("counterfeits", text, counterfeits=count), tried


def _homes(before: JoinedReleases, last: Members) -> Numbers:
    """``homes[group]``: the class of the new release in which most people of an earlier group are; -1 if none is."""
    parents = _parents(before, last.people)
    known = parents >= 0
    pairs, times = np.unique(
        np.stack([parents[known], last.classes[known].astype(np.int64)]), axis=1, return_counts=True
    )
    home = np.full(len(before.sizes), -1, np.int64)
    order = np.argsort(times, kind="stable")
    home[pairs[0][order]] = pairs[1][order]
    return home


def _parents(before: JoinedReleases, people: People) -> Numbers:
    """The earlier group of each person, -1 for who is new."""
    if not len(before.people):
        return np.full(len(people), -1, np.int64)
    places = np.minimum(np.searchsorted(before.people, people), len(before.people) - 1)
    return np.where(before.people[places] == people, before.groups[places], -1)


def _nobody(people: People, count: int) -> People:
    """Numbers that are nobody's."""
    unknown = np.arange(count, dtype=np.uint64)
    while np.isin(unknown, people).any():
        unknown = unknown + np.uint64(count + 1)
    return unknown
