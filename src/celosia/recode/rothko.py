"""Rothko: a table that does not fit into memory is cut where it lies until every part fits, then each is recoded.

The cuts of Mondrian at the top of its tree, found by counting; from there on a part is cut in memory. K. LeFevre, D. J.
DeWitt, R. Ramakrishnan: Workload-aware anonymization techniques for large-scale datasets. ACM Transactions on Database
Systems 33(3), 2008. With distribution-based cuts: A. P. Ortiz Pulido, J. S. Corredor Merchán: Sistema de anonimización
de datos estructurados (Rothko-D). Pontificia Universidad Javeriana, Bogotá, 2017.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import NoSolutionError
from celosia.hierarchies import Hierarchy
from celosia.recode.cuts import Bound, CutAxis, CutPlace, CutTree
from celosia.recode.domain import MissingPolicy, UnknownPolicy
from celosia.recode.local import PartitionCosts
from celosia.recode.mondrian import CutRules
from celosia.recode.part_finder import PartFinder
from celosia.recode.space import Axis, Space
from celosia.recode.splitters import Cuttable, first_rows, most_rows, open_sample, open_splitter
from celosia.say import say
from celosia.tables.frame_table import FrameTable
from celosia.tables.private import private_folder
from celosia.tables.splitter import Splitter
from celosia.tables.table import Progress, Recoding, no_progress
from celosia.types import ColumnType
from celosia.values.same import SensitiveValues, fold_keys
from celosia.values.text import texts_of

__all__ = ["MemoryNeed", "TableParts", "plan_parts", "published_levels", "published_memory"]

Integers = npt.NDArray[np.int64]
MOST_PARTS = 1024
"""Parts beyond which files and passes cost more than memory does."""
SAMPLE = 200_000
"""Rows by which a cluster is cut first: each pass over all of them takes seconds there."""
EVEN_ENOUGH = 1.5
"""Where so many parts are wanted, one is cut again only if it has this many times its share of the rows."""


@dataclass(frozen=True)
class MemoryNeed:
    """Bytes that recoding some rows in memory takes at most, all of the process included.

    Measured over counting, laying out, cutting and writing down the classes, all values different and k = 2, for
    splits by loss and by distribution (which needs more), 0.3 to 2 million rows of numbers: 429 bytes a row for one
    column, 450 for 2, 736 for 4, 1,289 for 8, 1,861 for 12, over 265 MB for Python and its libraries (340 when loops
    are compiled for the first time). A text took up to 6 bytes for every one beyond the eighth, a sensitive column 50 a
    row and 1,100 for every value that occurs. All that was measured lies at 92 % of this bound or below.

    >>> MemoryNeed(columns=4).bytes(1_000_000) >> 20
    1227
    """

    columns: int
    text: float = 0.0
    sensitive: int = 0
    values: int = 0

    FIXED = 350 << 20
    ROW = 280
    COLUMN = 160
    TEXT = 7
    SENSITIVE = 60
    VALUE = 1250

    @property
    def per_row(self) -> float:
        """Bytes of one row."""
        return self.ROW + self.COLUMN * self.columns + self.TEXT * self.text + self.SENSITIVE * self.sensitive

    def bytes(self, rows: int) -> int:
        """Bytes for so many rows."""
        return self.FIXED + self.VALUE * self.values + math.ceil(self.per_row * rows)


def published_levels(records: float, k: int) -> float:
    """Levels of the tree of cuts, as it was published: log2(records / k) + 1.

    It holds for cuts in the middle. The published split takes as few rows as it can off one end, and its tree is
    nearly as deep as the table is long: it is no bound for it, and :class:`MemoryNeed` does not use it.

    >>> published_levels(8, 2)
    3.0
    """
    return math.log2(records / k) + 1


def published_memory(weight: float, records: float, k: int) -> float:
    """Memory that a table of some weight would take, as it was published: every level holds a copy of it.

    >>> round(published_memory(0.2014, 35_000_000, 2), 2)
    5.05
    """
    return weight * published_levels(records, k)


RecodePart = Callable[[pl.DataFrame, CutRules], Recoding]


@dataclass(frozen=True)
class TableParts:
    """A table in parts, each of which can be recoded by itself: the classes of all of them satisfy the models.

    ``rows[part]`` are released rows and ``needed[part]`` the bytes that recoding it takes at most; ``excluded`` rows
    leave the release and are dealt out over the parts. ``columns`` are those that a recoding looks at. ``values[name]``
    are all values of a sensitive column, which ``rules.wholes`` counts, and ``numbers[name]`` the number of each by
    its text or its key. ``sizes`` are those of the classes of the original, and how many there are of each. ``ranges``
    are the finite ends of columns of numbers and dates. ``spare`` bytes are left to rows on their way. ``shown`` are
    the types of what classes show, and ``costs`` grow as parts are recoded.
    """

    cuts: CutTree
    rows: tuple[int, ...]
    needed: tuple[int, ...]
    excluded: int
    columns: tuple[str, ...]
    rules: CutRules
    values: Mapping[str, SensitiveValues]
    numbers: Mapping[str, Mapping[str | None, int]]
    sizes: tuple[Integers, Integers]
    ranges: Mapping[str, tuple[float, float]]
    spare: int = 1 << 26
    shown: Mapping[str, pl.DataType] = field(default_factory=dict)
    costs: PartitionCosts = field(default_factory=lambda: PartitionCosts({}))
    recode_part: RecodePart | None = None

    @property
    def count(self) -> int:
        """How many parts there are."""
        return self.cuts.count

    @property
    def filled(self) -> dict[str, Bound]:
        """Columns in which another value stands for missing ones, and its place."""
        return {line.name: line.filled for line in self.cuts.lines if line.filled is not None}

    def recoded_by(self, recode_part: RecodePart) -> "TableParts":
        """The same with the function that recodes the rows of one part."""
        return replace(self, recode_part=recode_part)

    def number(self, frame: pl.DataFrame) -> Integers:
        """The part of every row."""
        return self.cuts.number(frame)

    def prepare(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Rows as the parts hold them: the most frequent value of the whole table, not of a part, fills gaps."""
        if not self.filled:
            return frame
        lines = {line.name: line for line in self.cuts.lines}
        columns = frame.iter_columns()
        return pl.DataFrame([lines[c.name].fill(c) if c.name in lines else c for c in columns])

    def recode(self, part: pl.DataFrame) -> Recoding:
        """What happens to the rows of one part, of which only ``columns`` are looked at."""
        assert self.recode_part is not None, "say first how a part is recoded: recoded_by(...)"
        return self.recode_part(part, self.rules)

    def widen(self, space: Space) -> Space:
        """The space of a part as a part of the whole: axes as long as their stretch of it, sensitive values numbered
        as in the whole table, as ``rules`` counts them.
        """
        sensitive = dict(space.sensitive)
        for name, values in self.values.items():
            if name in sensitive:
                codes, own = sensitive[name]
                known, typed = self.numbers[name], pl.Series(own)
                pairs = zip(texts_of(typed), fold_keys(typed), strict=True)
                numbers = [known[text] if text in known else known[key] for text, key in pairs]
                sensitive[name] = np.array(numbers, np.int64)[codes], values
        return replace(space, axes=tuple(map(self._stretch, space.axes)), sensitive=sensitive)

    def _stretch(self, axis: Axis) -> Axis:
        if axis.name not in self.ranges or not axis.missing:
            return axis
        low, high = self.ranges[axis.name]
        own = axis.values.to_physical().cast(pl.Float64).to_numpy()[: axis.missing]
        finite = own[np.isfinite(own)]
        extent = float(finite[-1] - finite[0]) if len(finite) else 0.0
        share = min(1.0, extent / (high - low)) if high > low else 1.0
        is_inside = (axis.places >= 0) & (axis.places <= 1)
        places = np.where(is_inside, axis.places * share, axis.places)
        return replace(axis, places=places, has_negative=low < 0)


def plan_parts(
    table: Cuttable,
    *,
    quasi_identifiers: Sequence[str],
    types: Mapping[str, ColumnType],
    hierarchies: Mapping[str, Hierarchy],
    rules: CutRules,
    budget: int,
    folder: Path,
    missing: MissingPolicy = MissingPolicy.CATEGORY,
    unknown: UnknownPolicy = UnknownPolicy.ERROR,
    share: float = 1.0,
    need: Callable[[int], int] | None = None,
    wanted: int = 0,
    progress: Progress = no_progress,
) -> TableParts | None:
    """Cut a table into parts that can each be recoded within ``budget`` bytes, or None if all of it can.

    Every cut leaves both sides satisfying all models, so every part has a recoding. Cuts lie as near the middle of the
    widest column as they can, whatever ``rules.split`` says of the cuts inside a part: by the published split, which
    leaves as few rows as it can on one side, parts that fit would be cut off k rows at a time, a pass over the table
    for each. All parts of one level are cut together, in log2(parts) levels of few passes.

    Of what the libraries leave of the budget, a part may take the ``share``. ``need`` is what some rows take, for those
    who know better. So many parts as are ``wanted``, or about that, are made even if all of the table fits, as far as
    there are cuts.
    """
    whole, budget = budget, budget - int((1 - share) * max(0, budget - MemoryNeed.FIXED))
    markers = (table.options if isinstance(table, FrameTable) else table.reader.options).missing
    lines = tuple(
        CutAxis(
            name,
            types.get(name, ColumnType.TEXT),
            hierarchies.get(name),
            markers=markers,
            missing=missing,
            unknown=unknown,
            where=table.name,
        )
        for name in quasi_identifiers
    )
    modelled = dict.fromkeys(m.column for m in rules.models if m.column is not None)
    sensitive = tuple(name for name in modelled if name is not None)
    further = [rules.target] if rules.target is not None and rules.target not in sensitive else []
    columns = tuple(dict.fromkeys([*quasi_identifiers, *sensitive, *further]))
    rough = MemoryNeed(len(lines), _text_bytes(table, quasi_identifiers), len(columns) - len(lines))
    total = most_rows(table)
    if not total or (not wanted and (need or rough.bytes)(total) <= budget):
        return None
    memory = max(1 << 26, (budget - MemoryNeed.FIXED) // 2)
    with (
        private_folder(folder) as private,
        open_splitter(table, lines, sensitive, private=private, memory=memory, progress=progress) as (
            splitter,
            total,
        ),
    ):
        parting = PartFinder(splitter, lines, sensitive, rules)
        excluded = total - parting.rows[0]
        known = need or replace(rough, values=sum(map(len, parting.values.values()))).bytes
        fitting = _largest_fit(known, budget)
        if not wanted and splitter.points(fitting) <= fitting:
            return None
        smallest = max(rules.least, total // MOST_PARTS)
        if smallest > fitting:
            raise _too_little(
                say("parts of {rows:,} rows", rows=smallest),
                known(smallest),
                share,
                whole,
                table.name,
            )

        def needed(part: int) -> int:
            return known(parting.rows[part] + -(-excluded // parting.cuts.count))

        most, uncut = EVEN_ENOUGH * total / max(1, wanted), set[int]()

        def is_large(part: int) -> bool:
            return part not in uncut and (needed(part) > budget or parting.rows[part] > most)

        with open_sample(
            splitter, lines, len(sensitive), rows=SAMPLE, private=private, memory=memory
        ) as sample:
            if sample is not None:
                parting.begin_at(
                    _guess(sample, parting, rules, lambda rows: known(rows) > budget or rows > most)
                )
        while stuck := parting.run(is_large, progress):
            for part in stuck:
                if needed(part) > budget:
                    rows = say("{rows:,} rows that no cut can part safely", rows=parting.rows[part])
                    raise _too_little(rows, needed(part), share, whole, table.name)
            uncut.update(stuck)
        progress(say("counting classes"), 0.0)
        sizes = splitter.sizes()
    return TableParts(
        cuts=parting.cuts,
        rows=tuple(parting.rows),
        needed=tuple(needed(part) for part in range(parting.cuts.count)),
        excluded=excluded,
        columns=columns,
        rules=replace(rules, wholes=parting.wholes),
        values=parting.values,
        numbers=parting.numbers,
        sizes=(sizes["n"].to_numpy().astype(np.int64), sizes["times"].to_numpy().astype(np.int64)),
        ranges=parting.ranges,
    )


def _guess(
    sample: Splitter, whole: PartFinder, rules: CutRules, is_large: Callable[[int], bool]
) -> tuple[CutPlace, ...]:
    """Cuts by some of the rows, as fine as all of them need; whoever takes them counts all rows."""
    filled = {i: line.filled for i, line in enumerate(whole.cuts.lines) if line.filled is not None}
    try:
        parting = PartFinder(sample.fill(filled), whole.cuts.lines, whole.sensitive, rules)
        times = whole.rows[0] / max(1, parting.rows[0])
        parting.run(lambda part: is_large(math.ceil(parting.rows[part] * times)), no_progress)
    except NoSolutionError:
        return ()
    return parting.cuts.nodes


def _too_little(what: str, needed: int, share: float, budget: int, where: str) -> NoSolutionError:
    megabytes = math.ceil((needed + (1 / share - 1) * max(0, needed - MemoryNeed.FIXED)) / 10**6)
    return NoSolutionError(
        say(
            "{what} take up to {needed:,} MB of memory, and {allowed:,} MB are allowed",
            what=what,
            needed=megabytes,
            allowed=budget // 10**6,
        ),
        where=where,
        remedy=say(
            "allow {needed} MB or more with --memory, or ask for less: a lower k or l, a higher t",
            needed=megabytes,
        ),
    )


def _text_bytes(table: Cuttable, columns: Sequence[str]) -> float:
    """Bytes beyond the eighth of all texts of a row, by the first rows."""
    first = first_rows(table, columns)
    texts = [c for c in first.iter_columns() if c.dtype in (pl.String, pl.Categorical, pl.Enum)]
    lengths = [
        text.alias("").cast(pl.String).str.len_bytes().fill_null(0).to_numpy().mean() for text in texts
    ]
    return float(sum(max(0.0, length - 8) for length in lengths))


def _largest_fit(need: Callable[[int], int], budget: int) -> int:
    """The most rows that the budget allows."""
    low, high = 0, 1 << 40
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if need(middle) <= budget else (low, middle - 1)
    return low
