"""Attributes that several tables share, found by the values they hold: foreign keys above all.

What is proposed is for a person to confirm: the same attribute then gets the same operation in every table, and joins
still work after release. Values that are in a key by accident, as ages are among the ids 1 to 1000, propose nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from celosia.errors import TableError
from celosia.profile.matching_names import names_match
from celosia.profile.sketches import Sketch, find_hashes, sketch_columns
from celosia.say import Text, join_texts, say
from celosia.tables.table import Table
from celosia.types import nearest

__all__ = ["RepeatedProposal", "propose_repeated"]

NEARLY_ALL = 0.9
"""Values of a foreign key that are in the key, where only values tell that it is one."""
HALF = 0.5
"""Values that two columns must share that are called alike."""
ENOUGH = 20
"""Fewer distinct values than this say nothing by themselves: sexes, grades, codes."""
MANY = 200
"""Numbers in a row that say something: more than ages, quantities and years have."""
NEAR_UNIQUE = 0.95
SPARSE = 0.5
"""Where fewer of all possible numbers occur, values are not in a key by accident."""
SEEN = 30
"""Sampled values by which a share is judged; with fewer, the table is asked again."""


@dataclass(frozen=True)
class RepeatedProposal:
    """Places, as ``table.column``, that seem to hold one attribute; ``overlap`` is that of the weakest link."""

    places: tuple[str, ...]
    reason: str
    overlap: float


@dataclass(frozen=True, eq=False)
class _Place:
    table: str
    column: str
    sketch: Sketch

    def __str__(self) -> str:
        return f"{self.table}.{self.column}"

    @cached_property
    def is_key(self) -> bool:
        """Whether hardly a value occurs twice."""
        return len(self.sketch) > 0 and self.sketch.rows_per_value <= 1 / NEAR_UNIQUE

    @cached_property
    def is_whole(self) -> bool:
        """Whether it holds whole numbers or dates."""
        return len(self.sketch.numbers) > NEARLY_ALL * len(self.sketch)

    @cached_property
    def span(self) -> tuple[float, ...]:
        """Where its numbers lie: the first and the last of them but for a twentieth, and but for a tenth."""
        lowest, low, high, highest = map(float, np.quantile(self.sketch.numbers, [0.05, 0.1, 0.9, 0.95]))
        return lowest, low, high, highest

    @cached_property
    def step(self) -> int:
        """What all its numbers are multiples of: ids may be 10, 20, 30, and prices too."""
        return max(int(np.gcd.reduce(self.sketch.numbers)), 1)

    @cached_property
    def is_measured(self) -> bool:
        """Whether it holds numbers with decimals, which are nobody's key."""
        return self.sketch.reals > (1 - NEARLY_ALL) * len(self.sketch)


@dataclass(frozen=True)
class _Link:
    """Why ``child`` and ``parent`` hold one attribute; 2 is for declared, 1 for named alike, 0 for values alone."""

    child: _Place
    parent: _Place
    strength: int
    overlap: float
    is_guess: bool = False
    """Whether numbers in a row are all there is to go by."""

    @property
    def reason(self) -> Text:
        """What speaks for it."""
        overlap = self._overlap
        if self.strength == 2:
            return say(
                "{child} is declared to refer to {parent}, and {overlap}",
                child=str(self.child),
                parent=str(self.parent),
                overlap=overlap,
            )
        if self.parent.is_key:
            is_unique = self.parent.sketch.is_whole and self.parent.sketch.rows_per_value == 1
            overlap = (
                say("{overlap}, where no value repeats", overlap=overlap)
                if is_unique
                else say("{overlap}, where hardly a value repeats", overlap=overlap)
            )
        return say("{overlap}, and they are called alike", overlap=overlap) if self.strength == 1 else overlap

    @property
    def _overlap(self) -> Text:
        percent = float(np.floor(self.overlap * 100 + 1e-9))
        child, parent = str(self.child), str(self.parent)
        if self.child.sketch.is_whole and self.parent.sketch.is_whole:
            return say(
                "{percent:.0f} % of the values of {child} are in {parent}",
                percent=percent,
                child=child,
                parent=parent,
            )
        return say(
            "about {percent:.0f} % of the values of {child} are in {parent}",
            percent=percent,
            child=child,
            parent=parent,
        )


def propose_repeated(
    tables: Mapping[str, Table], *, declared: Iterable[tuple[str, str]] = ()
) -> list[RepeatedProposal]:
    """Propose which columns hold the same attribute: those ``declared`` to, and those whose values say so.

    ``declared`` are pairs of ``table.column``, the foreign keys of a database; what belongs to other tables is passed
    over. Columns called alike need half of their values in common. Without that, nearly all values of one must be in
    another in which hardly a value repeats, and it must be no accident: not of few values, nor of numbers in a row,
    unless they are many, spread over all of that one key and no other. Each table is read once, and columns of
    millions of values once more where a small column is compared with them; memory does not grow with the tables.

    >>> import polars as pl
    >>> from celosia.tables import open_table
    >>> people = pl.DataFrame({"id": range(100, 140), "age": range(30, 70)})
    >>> visits = pl.DataFrame({"person": [101, 139, 101, 120], "quantity": [31, 32, 33, 34]})
    >>> found = propose_repeated({"people": open_table(people), "visits": open_table(visits)})
    >>> found[0].places, found[0].reason
    (('people.id', 'visits.person'), '100 % of the values of visits.person are in people.id, where no value repeats, \
and they are called alike')
    """
    places = [
        _Place(name, column, sketch)
        for name, table in tables.items()
        for column, sketch in sketch_columns(table).items()
    ]
    known = {str(place): place for place in places}
    asked = [pair for pair in declared if all(_is_known(place, known, tables) for place in pair)]
    pairs = {(known[child], known[parent]): 2 for child, parent in asked if child != parent}
    for child, parent in _candidates(places):
        pairs.setdefault((child, parent), int(_alike(child, parent)))
    shares = _overlaps(pairs, tables)
    links = [link for pair, strength in pairs.items() if (link := _judge(*pair, strength, shares[pair]))]
    return _group(places, _without_guesses(links))


def _is_known(place: str, known: Mapping[str, object], tables: Mapping[str, Table]) -> bool:
    """Whether a place is in one of the tables; raises if it is a column that its table does not have."""
    if place in known:
        return True
    table = max((name for name in tables if place.startswith(f"{name}.")), key=len, default=None)
    if table is None:
        return False
    column = place[len(table) + 1 :]
    raise TableError(
        say("column {column!r} does not exist", column=column),
        where=table,
        remedy=nearest(column, tables[table].columns()),
    )


def _candidates(places: list[_Place]) -> Iterator[tuple[_Place, _Place]]:
    """Pairs that could be proposed if only the values of the first are in the second."""
    for child in places:
        for parent in places:
            if child is not parent and len(child.sketch) and _may_refer(child, parent):
                yield child, parent


def _alike(child: _Place, parent: _Place) -> bool:
    # Within one table names are systematic: mother_id, father_id, id.
    return child.table != parent.table and names_match(
        (child.table, child.column), (parent.table, parent.column), is_key=parent.is_key
    )


def _may_refer(child: _Place, parent: _Place) -> bool:
    if _alike(child, parent):
        # Of two columns alike, the smaller may be in the larger.
        return parent.is_key or child.sketch.distinct <= 1.1 * parent.sketch.distinct
    if not parent.is_key or child.sketch.distinct < ENOUGH or child.is_measured:
        return False
    return not _in_a_row(child, parent) or _spreads_over(child, parent)


def _in_a_row(child: _Place, parent: _Place) -> bool:
    """Whether so many numbers of the parent lie where those of the child do that any would be found there.

    It is so unless the sample proves otherwise. The outer tenths of the child are left out: codes for missing values
    such as 9999 would make everything look sparse.
    """
    if not (child.is_whole and parent.is_whole):
        return False
    _, low, high, _ = child.span
    numbers = parent.sketch.numbers
    inside = int(np.searchsorted(numbers, high, "right") - np.searchsorted(numbers, low))
    if not parent.sketch.is_whole:  # three standard deviations more, and then some for zero
        inside = int((inside + 3 * np.sqrt(inside) + 5) * parent.sketch.distinct / len(parent.sketch))
    return bool(inside >= SPARSE * ((high - low) / parent.step + 1))


def _spreads_over(child: _Place, parent: _Place) -> bool:
    """Whether many numbers in a row are still the mark of a foreign key: they repeat, and lie all over the key."""
    if child.is_key or child.sketch.distinct < max(MANY, HALF * parent.sketch.distinct):
        return False
    (first, *_, last), (lowest, *_, highest) = child.span, parent.span
    return max(abs(first - lowest), abs(last - highest)) <= 0.05 * (highest - lowest)


def _overlaps(
    pairs: Iterable[tuple[_Place, _Place]], tables: Mapping[str, Table]
) -> dict[tuple[_Place, _Place], float]:
    """The share of the values of each child that are in its parent."""
    found: dict[tuple[_Place, _Place], float] = {}
    open_: dict[_Place, list[_Place]] = {}
    for child, parent in pairs:
        shared, of = child.sketch.shared(parent.sketch, first=2 * SEEN)
        if shared:  # most pairs have nothing in common, and that is seen at a glance
            shared, of = child.sketch.shared(parent.sketch)
        if of < min(SEEN, len(child.sketch)):
            open_.setdefault(parent, []).append(child)
        else:
            found[child, parent] = shared / of if of else 0.0
    for name, table in tables.items():
        here = {parent.column: parent for parent in open_ if parent.table == name}
        wanted = {column: [child.sketch.hashes for child in open_[parent]] for column, parent in here.items()}
        for column, hashes in find_hashes(table, wanted).items() if wanted else ():
            for child in open_[here[column]]:
                found[child, here[column]] = float(np.isin(child.sketch.hashes, hashes).mean())
    return found


def _judge(child: _Place, parent: _Place, strength: int, overlap: float) -> _Link | None:
    if overlap < {2: 0.0, 1: HALF, 0: NEARLY_ALL}[strength]:
        return None
    is_guess = strength == 0 and _in_a_row(child, parent)
    return _Link(child, parent, strength, overlap, is_guess)


def _without_guesses(links: list[_Link]) -> list[_Link]:
    """No guess where a better key is known for the child, nor where it could refer to two."""
    keys = Counter(link.child for link in links if link.parent.is_key)
    return [link for link in links if not link.is_guess or keys[link.child] == 1]


def _group(places: list[_Place], links: list[_Link]) -> list[RepeatedProposal]:
    """Places that are linked, directly or by way of others; the strongest links that hold a group together tell why."""
    group = {place: number for number, place in enumerate(places)}
    why: dict[int, list[_Link]] = {}
    for link in sorted(links, key=lambda one: (one.strength, one.parent.is_key, one.overlap), reverse=True):
        mine, theirs = group[link.child], group[link.parent]
        if mine != theirs:
            why[theirs] = [*why.get(theirs, []), *why.pop(mine, []), link]
            group = {place: theirs if number == mine else number for place, number in group.items()}
    return [
        RepeatedProposal(
            tuple(str(place) for place in places if group[place] == number),
            join_texts("; ", [link.reason for link in reasons]),
            min(link.overlap for link in reasons),
        )
        for number, reasons in sorted(why.items())
    ]
