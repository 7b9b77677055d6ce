"""Columns of sentences, in which anything may be written: told from codes and categories, and looked into."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from celosia.profile.passages import PassageKind, find_passages
from celosia.profile.passages.kinds import count_passages
from celosia.say import Text, say

__all__ = ["FreeTextFindings", "holds_free_text"]

SAMPLE = 1_000
"""Distinct values by which it is decided whether they are sentences."""

LOOKED_AT = 10_000
"""Distinct values that are looked into for people."""

FEW = 20
"""In fewer rows than this nearly all values must be sentences: that they differ means nothing there."""

MANY = 1_000
"""So many distinct sentences are no list of categories, however often each repeats."""

VERBS = (
    "que|se|su|sus|le|les|lo|me|nos|es|está|están|fue|era|ha|han|tiene|tienen|refiere|acude|llama|llamar|pide|dice|"
    "pero|cuando|porque|hasta|muy|ya|al|ayer|hoy|mañana|vive|viene|avisar|presenta|ingresa|"
    "he|she|his|her|him|they|their|them|was|were|is|are|has|had|have|said|says|will|would|but|when|because|since|"
    "my|we|you|i|came|come|comes|lives|called|call|asks|wants|reports|denies|complains|feels|today|yesterday|please"
)
WORD = r"\p{L}{2,}"
SPEAKS = rf"(?i)(?:^|[^\p{{L}}])(?:{VERBS})(?:[^\p{{L}}]|$)"
ENDS = r"[.!?]\s*$|[.!?;]\s+\p{Lu}"


@dataclass(frozen=True)
class FreeTextFindings:
    """Whether a column holds free text, and what was found inside.

    ``values`` are the distinct values there are, ``looked_at`` those that were looked into; ``found`` counts passages
    by kind. That nothing was found proves nothing.
    """

    is_free_text: bool
    values: int = 0
    looked_at: int = 0
    found: Mapping[PassageKind, int] = field(default_factory=dict)

    def describe(self) -> Text:
        """What the column is, in a few words.

        >>> FreeTextFindings(True, 40, 40, {PassageKind.PHONE: 3}).describe()
        'free text, with 3 telephone numbers'
        """
        if not self.found:
            return say("free text, in which people may be named")
        counted = count_passages(self.found)
        if self.looked_at >= self.values:
            return say("free text, with {found}", found=counted)
        return say(
            "free text, with {found} in {looked_at:,} of {values:,} different values",
            found=counted,
            looked_at=self.looked_at,
            values=self.values,
        )

    def to_dict(self) -> dict[str, object]:
        """As JSON wants it."""
        return {
            "is_free_text": self.is_free_text,
            "values": self.values,
            "looked_at": self.looked_at,
            "found": {kind.value: n for kind, n in self.found.items()},
        }


def holds_free_text(values: pl.Series, *, rows: int | None = None) -> FreeTextFindings:
    """Whether the values of a column are sentences, and whom a sample of them tells about.

    ``rows`` says how many rows have a value, where ``values`` are only the distinct ones. Values that are no texts are
    no free text.

    >>> notes = pl.Series([f"She came with her brother, call 6123456{i}" for i in range(10, 40)])
    >>> findings = holds_free_text(notes)
    >>> findings.is_free_text, findings.describe()
    (True, 'free text, with 30 telephone numbers')
    >>> holds_free_text(pl.Series(["acute renal failure", "chronic renal failure"] * 20)).is_free_text
    False
    """
    if values.dtype != pl.String:
        return FreeTextFindings(False)
    present = values.alias("text").drop_nulls()
    present = present.filter(
        present.str.contains(r"\S")
    )  # an empty cell is no sentence, nor one that repeats
    distinct = present.unique()
    present_rows = len(present) if rows is None else rows
    sample = _sample(distinct, SAMPLE)
    shares = _Shares.of(sample)
    if shares.long <= 0.5:
        return FreeTextFindings(False, len(distinct))
    is_free = (
        _are_sentences(shares, len(distinct), present_rows)
        or _names_people(sample, len(distinct), present_rows)
        or (shares.spoken > 0.5 and find_passages(sample).frame.height > 0)
    )
    if not is_free:
        return FreeTextFindings(False, len(distinct))
    looked_at = _sample(distinct, LOOKED_AT)
    return FreeTextFindings(True, len(distinct), len(looked_at), find_passages(looked_at).counts())


@dataclass(frozen=True)
class _Shares:
    """Which shares of some texts have three words or more, are sentences, and have the words of sentences."""

    long: float
    sentences: float
    spoken: float

    @classmethod
    def of(cls, texts: pl.Series) -> "_Shares":
        text = pl.col("text")
        words = text.str.count_matches(WORD)
        spoken = (words >= 3) & (text.str.contains(SPEAKS) | text.str.contains(ENDS))
        long, sentences, said = (
            texts.to_frame()
            .select((words >= 3).mean(), (spoken | (words >= 8)).mean().alias("s"), spoken.mean().alias("t"))
            .row(0)
        )
        return cls(long or 0.0, sentences or 0.0, said or 0.0)


def _are_sentences(shares: _Shares, distinct: int, rows: int) -> bool:
    share = distinct / rows if rows else 0.0
    if rows < FEW:
        return shares.sentences > 0.8 and share > 0.5
    return (
        (shares.sentences > 0.25 and share > 0.5)
        or (shares.sentences > 0.5 and share > 0.1)
        or (shares.spoken > 0.5 and distinct > MANY)
    )


def _names_people(sample: pl.Series, distinct: int, rows: int) -> bool:
    """Whether values hold passages, and more than these: a column of full names is none of sentences."""
    if rows < FEW or distinct <= 0.1 * rows:
        return False
    found = find_passages(sample).frame
    length = sample.str.len_chars().gather(found.get_column("row"))
    inside = found.filter((found.get_column("end") - found.get_column("start")) < 0.7 * length)
    return inside.get_column("row").n_unique() > 0.1 * len(sample)


def _sample(values: pl.Series, size: int) -> pl.Series:
    """At most ``size`` values, chosen by hash: the same ones in whatever order the table gave them."""
    return values.sort() if len(values) <= size else values.gather(values.hash().arg_sort().head(size))
