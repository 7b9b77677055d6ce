"""People whom others could find who know only some columns: each attacker named, and any one, two or three columns."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np
import polars as pl

from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.subject import MeasureSubject
from celosia.say import say, say_count
from celosia.values.named import named

__all__ = ["MEASURES"]

MOST_SETS = 300
"""Sets of columns that are counted for one number of them; of more nobody would wait for the answer."""
MOST_KNOWN = 4


def _known_columns(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    names = subject.released_quasi_identifiers
    counts = subject.class_counts
    if not counts.rows:
        raise NotMeasurableError(say("the release has no rows"))
    frame = pl.DataFrame({**dict(zip(names, counts.codes, strict=True)), "": counts.counts})
    for who, known in subject.attackers.items():
        shown = [name for name in names if name in known]
        if shown:
            about = say("{who}: {columns}", who=who, columns=", ".join(shown))
            yield _people_below(frame, [shown], subject.threshold, about)
    for known_columns in range(1, min(MOST_KNOWN, len(names)) + 1):
        if comb(len(names), known_columns) > MOST_SETS:
            return
        about = say_count("any {count} column", "any {count} columns", known_columns)
        yield _people_below(frame, list(combinations(names, known_columns)), subject.threshold, about)


def _people_below(
    frame: pl.DataFrame, sets: Sequence[Sequence[str]], threshold: int, about: str
) -> MeasuredValue:
    """Rows that are in a small group by at least one of some sets of columns."""
    rows = frame.get_column("").to_numpy()
    smallest = np.full(len(rows), rows.sum())
    worst: tuple[int, Sequence[str]] = (-1, ())
    for columns in sets:
        by = [named(name) for name in columns]
        sizes = frame.select(pl.col("").sum().over(by)).to_series().to_numpy()
        worst = max(worst, (int(rows[sizes < threshold].sum()), columns), key=lambda pair: pair[0])
        smallest = np.minimum(smallest, sizes)
    people, alone = int(rows[smallest < threshold].sum()), int(rows[smallest == 1].sum())
    return MeasuredValue(
        people / int(rows.sum()),
        about=about,
        details={
            "people": people,
            "alone": alone,
            "smallest": int(smallest.min()),
            "worst": list(worst[1]),
        },
    )


MEASURES = (
    ReleaseMeasure(
        name="known-columns",
        family=MeasureFamily.RISK,
        meaning=say(
            "share of people in groups smaller than the threshold to whoever knows only some quasi-identifiers: each "
            "attacker that the project names, and any one, two, three or four columns"
        ),
        reference="Terrovitis, Mamoulis, Kalnis: Privacy-preserving anonymization of set-valued data. VLDB 2008",
        better="lower",
        compute=_known_columns,
    ),
)
