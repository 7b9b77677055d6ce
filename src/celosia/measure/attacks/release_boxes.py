"""A release as boxes: each combination of labels is the product of what its labels allow, and people are points.

Both come from frequency sets, in an order that does not depend on where the tables lie.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.attacks.attacker import Knowledge
from celosia.measure.decode import DecodedColumn, LabelMeaning, decode_column
from celosia.measure.grouping import rows_missing
from celosia.measure.release_measure import SIDES, NotMeasurableError
from celosia.say import say
from celosia.tables.table import Counts

if TYPE_CHECKING:
    from celosia.measure.subject import MeasureSubject

__all__ = [
    "PeopleGroup",
    "ReleaseBoxes",
    "add_knowledge_errors",
    "control_group",
    "known_columns",
    "read_boxes",
    "record_columns",
    "sample",
]

Codes = npt.NDArray[np.int32]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ReleaseBoxes:
    """``labels[box, column]`` points into ``decoded[column].labels``; ``rows[box]`` rows of the release show it."""

    columns: tuple[str, ...]
    decoded: tuple[DecodedColumn, ...]
    labels: Codes
    rows: Integers

    def take(self, columns: Sequence[str]) -> "ReleaseBoxes":
        """The boxes by some of the columns."""
        places = [self.columns.index(name) for name in columns]
        decoded = tuple(self.decoded[place] for place in places)
        return ReleaseBoxes(tuple(columns), decoded, np.ascontiguousarray(self.labels[:, places]), self.rows)

    @property
    def unread(self) -> dict[str, int]:
        """Labels of each column that say nothing, where there are any."""
        count = {
            column.column: int((column.meanings == LabelMeaning.UNKNOWN).sum()) for column in self.decoded
        }
        return {name: number for name, number in count.items() if number}


@dataclass(frozen=True)
class PeopleGroup:
    """People: ``codes[combination, column]`` points into ``decoded[column].values``, ``rows`` says how many."""

    codes: Codes
    rows: Integers

    def __len__(self) -> int:
        return int(self.rows.sum())


def known_columns(subject: "MeasureSubject") -> dict[str, Knowledge]:
    """What the attacker knows of what the release shows: as declared, else all quasi-identifiers exactly."""
    knows = dict(subject.attacker.knows) or {name: Knowledge() for name in subject.quasi_identifiers}
    shown = {name: precision for name, precision in knows.items() if name in subject.shared_columns}
    if not shown:
        raise NotMeasurableError(say("the attacker knows no column that the release shows"))
    return shown


def record_columns(subject: "MeasureSubject") -> dict[str, Knowledge]:
    """All that is told of a person: what the attacker knows, or quasi-identifiers and sensitive columns, or all."""
    if subject.attacker.knows:
        return known_columns(subject)
    told = [
        name for name in subject.shared_columns if name in (*subject.quasi_identifiers, *subject.sensitive)
    ]
    names = told or list(subject.shared_columns)
    if not names:
        raise NotMeasurableError(say("the release shows no column of the original"))
    return {name: Knowledge() for name in names}


def read_boxes(
    subject: "MeasureSubject", columns: Sequence[str], *, with_control: bool = True
) -> tuple[ReleaseBoxes, PeopleGroup, PeopleGroup | None]:
    """The release by some columns, the people of the original and, if it was given, of the control group."""
    released, original = subject.counts(*columns), subject.original_counts(*columns)
    for counts, side in ((released, "release"), (original, "original")):
        if not len(counts):
            raise NotMeasurableError(say("the {side} has no rows", side=SIDES[side]))
    sides = [original]
    if with_control and subject.control is not None:
        sides.append(subject.control_counts(*columns))
    table = subject.attacker.table
    extra = [] if table is None else [table.count_by([name]) for name in columns if name in table.columns()]
    decoded, coded = [], []
    for place, name in enumerate(columns):
        known = [side.texts[place] for side in sides] + [
            counts.texts[0] for counts in extra if counts.columns == (name,)
        ]
        values = _ordered(pl.concat([series.cast(pl.String) for series in known]))
        labels = _ordered(released.texts[place])
        emptied = rows_missing(subject.counts(name)) > rows_missing(subject.original_counts(name))
        hierarchy = subject.hierarchies.get(name)
        kind = subject.kinds[name]
        grown = subject.grown(name)
        decoded.append(
            decode_column(name, kind, values, labels, hierarchy=hierarchy, is_emptied=emptied, grown=grown)
        )
        coded.append((values, labels))
    recoded = [_recode(side, [values for values, _ in coded]) for side in sides]
    boxes = ReleaseBoxes(tuple(columns), tuple(decoded), *_recode(released, [labels for _, labels in coded]))
    return boxes, PeopleGroup(*recoded[0]), PeopleGroup(*recoded[1]) if len(recoded) > 1 else None


def control_group(group: PeopleGroup | None) -> PeopleGroup:
    """The control group, for attacks that mean nothing without one."""
    if group is None:
        raise NotMeasurableError(
            say("no control group was given: people like those of the table, but not in it")
        )
    return group


def sample(group: PeopleGroup, people: int, rng: np.random.Generator) -> Codes:
    """``codes[person, column]`` of so many people, each at most once; all of them where there are no more."""
    total = len(group)
    if people >= total:
        return np.repeat(group.codes, group.rows, axis=0)
    chosen = np.sort(rng.choice(total, people, replace=False, shuffle=False))
    return group.codes[np.searchsorted(np.cumsum(group.rows), chosen, side="right")]


def add_knowledge_errors(
    codes: Codes,
    group: PeopleGroup,
    columns: Sequence[str],
    knows: Mapping[str, Knowledge],
    rng: np.random.Generator,
) -> Codes:
    """What is believed of people: another person's value where the attacker is wrong about a column."""
    believed = codes.copy()
    for place, name in enumerate(columns):
        error = knows[name].error if name in knows else 0.0
        if not error:
            continue
        wrong = np.flatnonzero(rng.random(len(codes)) < error)
        others = rng.choice(group.codes[:, place], len(wrong), p=group.rows / group.rows.sum())
        believed[wrong, place] = others
    return believed


def _ordered(texts: pl.Series) -> pl.Series:
    """The distinct texts in their order, a missing one first."""
    return texts.cast(pl.String).unique().sort(nulls_last=False)


def _recode(counts: Counts, values: Sequence[pl.Series]) -> tuple[Codes, Integers]:
    """Combinations pointing into other lists of the same values, in ascending order."""
    columns = []
    for mine, codes, wanted in zip(counts.texts, counts.codes, values, strict=True):
        table = pl.DataFrame({"text": wanted, "code": np.arange(len(wanted), dtype=np.int32)})
        place = (
            mine.cast(pl.String)
            .alias("text")
            .to_frame()
            .join(table, on="text", how="left", nulls_equal=True, maintain_order="left")
        )
        columns.append(place["code"].to_numpy()[codes])
    stacked = np.column_stack(columns).astype(np.int32)
    order = np.lexsort(stacked.T[::-1])
    return np.ascontiguousarray(stacked[order]), counts.counts[order]
