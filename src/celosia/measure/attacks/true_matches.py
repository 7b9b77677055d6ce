"""Which released row is whose: told by a key, by the order of the rows, or known to be one of those that allow it.

A release in random order without a key tells nobody's row. Where it is truthful, that is recoded but not perturbed, the
row of a person is still one of those that allow her values, and her chance to be found can be counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from celosia.measure.attacks.release_boxes import Codes, PeopleGroup, ReleaseBoxes, sample
from celosia.measure.attacks.search import count_inside, find_nearest
from celosia.measure.release_measure import NotMeasurableError
from celosia.measure.row_order import rows_in_order
from celosia.say import say
from celosia.tables.table import Counts, Table
from celosia.values.named import named

if TYPE_CHECKING:
    from celosia.measure.subject import MeasureSubject

__all__ = ["RELEASED", "PairedPeople", "pair_rows", "paired_texts", "require_truthful"]

RELEASED = "is released"
ROWS = "rows counted"


@dataclass(frozen=True)
class PairedPeople:
    """People, ``codes[person, column]``, each with the ``labels`` of her own row, if it ``is_released``.

    A code is -1 for what the attacker does not know.
    """

    codes: Codes
    labels: Codes
    is_released: np.ndarray[tuple[int], np.dtype[np.bool_]]


def pair_rows(
    subject: "MeasureSubject", boxes: ReleaseBoxes, rng: np.random.Generator
) -> PairedPeople | None:
    """Some people and their released rows; None where nothing tells whose a row is."""
    if subject.key is None and not subject.same_order:
        return None
    before, after = paired_texts(subject, boxes.columns)
    size = min(subject.attacker.people, len(before))
    chosen = np.sort(rng.choice(len(before), size, replace=False, shuffle=False))
    before, after = before[chosen], after[chosen]
    codes = _look_up(before, boxes.columns, [decoded.values for decoded in boxes.decoded])
    if subject.attacker.table is not None:
        codes[np.column_stack([before[name].alias("").is_null().to_numpy() for name in boxes.columns])] = -1
    labels = _look_up(after, boxes.columns, [decoded.labels for decoded in boxes.decoded])
    return PairedPeople(codes, np.maximum(labels, 0), after[RELEASED].to_numpy())


def paired_texts(subject: "MeasureSubject", columns: Sequence[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of the people attacked and, beside them, their released rows; ``is released`` says if there is one.

    The people are those of the attacker's table if it is given, otherwise of the original.
    """
    people = subject.source if subject.attacker.table is None else subject.attacker.table
    if subject.key is not None:
        before, after = (_by_key(table, subject.key, columns) for table in (people, subject.release))
        after = after.with_columns(pl.lit(value=True).alias(RELEASED))
        beside = before.select(named(subject.key)).join(
            after, on=named(subject.key), how="left", maintain_order="left"
        )
        beside = beside.with_columns(pl.col(RELEASED).fill_null(value=False))
        if not beside.get_column(RELEASED).any():
            # A key under pseudonyms tells nobody's row; that nobody is found would then be no safety.
            raise NotMeasurableError(
                say("no value of {key!r} is in both tables: their rows cannot be aligned", key=subject.key)
            )
        return before, beside
    if subject.attacker.table is not None:
        raise NotMeasurableError(
            say("the attacker's table needs a key that tells which released row is whose")
        )
    for table in (people, subject.release):
        _require(table, columns)
    before, after = rows_in_order(people, columns), rows_in_order(subject.release, columns)
    if len(before) != len(after):
        raise NotMeasurableError(
            say(
                "rows cannot be the same people's in the same order: there are {before} and {after}",
                before=len(before),
                after=len(after),
            )
        )
    return before, after.with_columns(pl.lit(value=True).alias(RELEASED))


def require_truthful(
    subject: "MeasureSubject", boxes: ReleaseBoxes, original: PeopleGroup, rng: np.random.Generator
) -> int:
    """The number of rows that a truthful release leaves out; where it is not truthful, no match can be judged.

    Of a sample of people each must be allowed by some released row, but for as many as were left out; and of a sample
    of boxes each must allow as many people as it has rows, which values swapped among people seldom do.
    """
    total, size = len(original), subject.attacker.people
    left_out = total - int(boxes.rows.sum())
    people = sample(original, size, rng)
    alone = int((find_nearest(people, boxes, {}).distance > 0).sum())
    chosen = np.sort(rng.choice(len(boxes.rows), min(size, len(boxes.rows)), replace=False, shuffle=False))
    is_full = count_inside(boxes.labels[chosen], boxes, original) >= boxes.rows[chosen]
    expected = max(0, left_out) * len(people) / max(1, total)
    slack = 0.0 if len(people) == total else 3 * expected**0.5
    if subject.attacker.table is not None or left_out < 0 or alone > expected + slack or not is_full.all():
        raise NotMeasurableError(
            say(
                "nothing tells which released row is whose: the rows are perturbed or another "
                "table's, and there is neither a key nor the order of the original"
            )
        )
    return left_out


def _by_key(table: Table, key: str, columns: Sequence[str]) -> pl.DataFrame:
    """One row per value of the key, as texts, in the order of the key."""
    _require(table, [key, *columns])
    names = [key, *(name for name in columns if name != key)]
    frame = _texts(table.count_by(names)).drop_nulls(named(key))
    if frame.get_column(key).alias("").is_duplicated().any() or (frame.get_column(ROWS) > 1).any():
        raise NotMeasurableError(
            say("column {key!r} of {name} does not tell rows apart", key=key, name=table.name)
        )
    return frame.sort(named(key))


def _require(table: Table, columns: Sequence[str]) -> None:
    lacking = [name for name in columns if name not in table.columns()]
    if lacking:
        raise NotMeasurableError(say("{table} has no column {column!r}", table=table.name, column=lacking[0]))


def _texts(counts: Counts) -> pl.DataFrame:
    """The combinations as texts, with their number of rows."""
    columns = [
        values.cast(pl.String).gather(codes).alias(name)
        for name, values, codes in zip(counts.columns, counts.texts, counts.codes, strict=True)
    ]
    return pl.DataFrame([*columns, pl.Series(ROWS, counts.counts)])


def _look_up(frame: pl.DataFrame, columns: Sequence[str], values: Sequence[pl.Series]) -> Codes:
    """Texts as places in lists of them; -1 where one is not there."""
    places = []
    for name, wanted in zip(columns, values, strict=True):
        table = pl.DataFrame({"text": wanted, "code": np.arange(len(wanted), dtype=np.int32)})
        texts = frame.get_column(name).alias("text").to_frame()
        place = texts.join(table, on="text", how="left", nulls_equal=True, maintain_order="left")
        places.append(place["code"].fill_null(-1).to_numpy())
    return np.ascontiguousarray(np.column_stack(places).astype(np.int32))
