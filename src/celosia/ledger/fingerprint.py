"""Copies of a release that tell for whom they were: a few cells are left empty, and the key says which.

Whether the cell of a row is emptied depends on the key, the recipient and *the other columns of the row*, never on the
cell itself: values are missing at random, at a rate that the recipient can be told; rows that are alike lose theirs
together, unless they are many. So the mark stays in any selection of rows, in any order. It is gone for whoever fills
in the column, drops or changes another one, or compares two copies; and it can be suppressed by leaving it out.

Nothing is added and nothing changed, so that no class becomes smaller; models of sensitive values are verified anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.mask.digests import hmac_of
from celosia.mask.keys import SecretKey
from celosia.values.named import named

__all__ = ["Suspect", "is_marked", "limit_marks", "mark_rows", "suspects"]


@dataclass(frozen=True)
class Suspect:
    """A recipient: of ``cells`` empty cells of a leak, how many would be empty in her copy, and by how much chance.

    ``filled`` cells would be empty in her copy and are not: somebody filled them in, or it is another's.
    """

    recipient: str
    cells: int
    hits: int
    filled: int
    p_value: float


def is_marked(
    rows: pl.DataFrame, column: str, *, key: SecretKey, ledger: str, recipient: str, rate: float
) -> npt.NDArray[np.bool_]:
    """``marked[row]``: whether the copy of a recipient leaves the cell of ``column`` empty.

    >>> rows = pl.DataFrame({"age": [str(n) for n in range(1000)], "ward": ["a"] * 1000})
    >>> marked = is_marked(rows, "ward", key=SecretKey(bytes(range(32))), ledger="", recipient="lab", rate=0.05)
    >>> int(marked.sum()) in range(30, 70)
    True
    """
    digest = hmac_of(key.derive(f"ledger {ledger} fingerprint {recipient}", 32))
    contents = _contents(rows, column)
    distinct = contents.unique(maintain_order=True)
    drawn = np.frombuffer(b"".join(digest(text.encode())[:8] for text in distinct.to_list()), ">u8")
    chosen = distinct.filter(pl.Series(drawn.astype(np.float64) / 2.0**64 < rate))
    return contents.is_in(chosen.implode()).to_numpy()


def limit_marks(
    rows: pl.DataFrame, column: str, marked: npt.NDArray[np.bool_], *, most: int
) -> tuple[npt.NDArray[np.bool_], int]:
    """The marks without those of more than ``most`` rows that are alike, and how many there are of different rows.

    Rows that are alike in all other columns have the same mark. Where they are many, a whole stratum would lose its
    values: that is no longer missing at random.

    >>> rows = pl.DataFrame({"age": ["30", "30", "30", "40"], "ward": ["a", "b", "a", "a"]})
    >>> left, count = limit_marks(rows, "ward", np.ones(4, np.bool_), most=2)
    >>> left.tolist(), count
    ([False, False, False, True], 1)
    """
    contents = _contents(rows, column).alias("content").to_frame()
    alike = contents.select(pl.len().over("content")).to_series().to_numpy()
    left = marked & (alike <= most)
    return left, contents.filter(pl.Series(left)).get_column("content").n_unique()


def mark_rows(rows: pl.DataFrame, column: str, marked: npt.NDArray[np.bool_]) -> pl.DataFrame:
    """The rows with the marked cells of a column left empty.

    >>> mark_rows(pl.DataFrame({"ward": ["a", "b"]}), "ward", np.array([True, False])).rows()
    [(None,), ('b',)]
    """
    return rows.with_columns(pl.when(pl.Series(marked)).then(None).otherwise(named(column)).alias(column))


def suspects(
    leak: pl.DataFrame, column: str, *, key: SecretKey, ledger: str, recipients: Sequence[tuple[str, float]]
) -> tuple[Suspect, ...]:
    """How well the empty cells of a leak fit the copy of each recipient, the best first.

    Rows with the same content have the same mark and count once. Of another's copy, each of the empty cells is one of
    hers with a chance of the rate, whatever the reason it is empty: the p-value is the binomial tail.
    """
    from scipy.special import bdtrc

    once = leak.filter(_contents(leak, column).is_first_distinct())
    empty = once.get_column(column).is_null().to_numpy()
    cells = int(empty.sum())
    fits = []
    for recipient, rate in recipients:
        marked = is_marked(once, column, key=key, ledger=ledger, recipient=recipient, rate=rate)
        hits = int((marked & empty).sum())
        chance = float(bdtrc(hits - 1, cells, rate)) if hits else 1.0
        fits.append(Suspect(recipient, cells, hits, int((marked & ~empty).sum()), chance))
    return tuple(sorted(fits, key=lambda suspect: (suspect.p_value, suspect.recipient)))


def _contents(rows: pl.DataFrame, column: str) -> pl.Series:
    """All but one column of a row as one text, by names of columns in their order."""
    names = sorted(name for name in rows.columns if name != column)
    if not names:
        return pl.Series("", [""] * rows.height)
    parts = [
        pl.when(named(name).is_null())
        .then(pl.lit("0"))
        .otherwise(
            pl.concat_str(pl.lit("1"), named(name).str.len_bytes().cast(pl.String), pl.lit(":"), named(name))
        )
        for name in names
    ]
    return rows.select(pl.concat_str(parts).alias("")).to_series()
