"""Texts with labels in place of what tells who somebody is: lists, words of other columns, tags."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import polars as pl

from celosia.mask.digests import DigestForm, show_digests
from celosia.profile.passages.find import (
    Passages,
    find_passages,
    find_words,
    hide_passages,
    replace_passages,
    write_instead,
)
from celosia.profile.passages.kinds import LABELS, PassageKind

__all__ = ["Redaction", "find_words_beside"]

TAG = 8
"""Characters of 5 bits: two of 10,000 names share a tag with a probability of one in 20,000."""

SHORTEST = 3
"""Shorter words of another column are particles and initials, which stand everywhere."""
PARTICLES = frozenset({"del", "las", "los", "van", "von", "der", "dos", "the", "and"})


@dataclass(frozen=True)
class Redaction:
    """What is replaced in texts, and by what."""

    kinds: tuple[PassageKind, ...]
    countries: tuple[str, ...]
    language: str = "en"
    tags: Literal["none", "row", "table"] = "none"
    words: tuple[str, ...] = ()
    digest: Callable[[bytes], bytes] | None = None

    def apply(self, texts: pl.Series, beside: Sequence[pl.Series] = ()) -> pl.Series:
        """The texts of a batch, redacted; ``beside`` are columns of the same rows whose words go, too.

        >>> redaction = Redaction(kinds=tuple(PassageKind), countries=("ES",), tags="row")
        >>> redaction.apply(pl.Series(["Ana Gil and Luis Rey called; Ana Gil again"])).to_list()
        ['[person 1] and [person 2] called; [person 1] again']
        """
        passages = self._find(texts, beside)
        if self.tags == "none" or not passages.frame.height:
            return replace_passages(texts, passages, self.label)
        return write_instead(texts, self._tagged(passages.frame))

    def _find(self, texts: pl.Series, beside: Sequence[pl.Series]) -> Passages:
        """Everything that goes; what was found is hidden from what looks next, so that nothing is found twice."""
        passages = find_passages(texts, kinds=self.kinds, countries=self.countries)
        hidden = hide_passages(texts, passages)
        searches = [partial(find_words_beside, column=column) for column in beside]
        for search in (*searches, partial(find_words, words=self.words)):
            further = search(hidden)
            hidden = hide_passages(hidden, further)
            passages = Passages(pl.concat([passages.frame, further.frame]))
        return Passages(passages.frame.sort("row", "start"))

    def label(self, kind: str) -> str:
        """What is written in place of a passage, without a tag."""
        return f"[{self._called(kind)}]"

    def _called(self, kind: str) -> str:
        return LABELS[self.language][PassageKind(kind) if kind else None]

    def _tagged(self, passages: pl.DataFrame) -> pl.DataFrame:
        """Passages with what is written instead of each."""
        called = {kind: self._called(kind) for kind in passages.get_column("kind").unique()}
        same = passages.with_columns(same=_folded(pl.col("text")).str.replace_all(r"[^\p{L}\p{N}]", ""))
        if self.tags == "row":
            first = pl.col("start").min().over("row", "kind", "same")
            tagged = same.with_columns(tag=first.rank("dense").over("row", "kind").cast(pl.String))
        else:
            tagged = same.join(self._digests(same), on=["kind", "same"], how="left", maintain_order="left")
        label = pl.col("kind").replace_strict(called, return_dtype=pl.String)
        tag = pl.when(pl.col("kind") != "").then(pl.lit(" ") + pl.col("tag")).otherwise(pl.lit(""))
        return tagged.with_columns(instead=pl.concat_str(pl.lit("["), label, tag, pl.lit("]")))

    def _digests(self, same: pl.DataFrame) -> pl.DataFrame:
        """The tag of every distinct passage."""
        assert self.digest is not None
        distinct = same.select("kind", "same").unique()
        digests = (self.digest(f"{kind} {text}".encode()) for kind, text in distinct.iter_rows())
        return distinct.with_columns(tag=show_digests(digests, DigestForm.BASE32, TAG))


def find_words_beside(texts: pl.Series, column: pl.Series) -> Passages:
    """Where words of another column stand in the text of the same row, with or without accents and capitals.

    >>> notes = pl.Series(["Garcia vino con Eva", "Garcia vino"])
    >>> find_words_beside(notes, pl.Series(["Ana García", "Luis Rey"])).frame.rows()
    [(0, 0, 6, '', 'Garcia')]
    """
    frame = pl.DataFrame({"text": texts.alias("text"), "beside": column.alias("beside")}).with_row_index(
        "row"
    )
    hits = (
        frame.with_columns(
            folded=_folded(pl.col("text")),
            word=_folded(pl.col("beside")).str.extract_all(rf"[\p{{L}}\p{{N}}]{{{SHORTEST},}}"),
        )
        .drop_nulls(["text", "beside"])
        .explode("word", keep_nulls=False, empty_as_null=False)
        .filter(~pl.col("word").is_in(list(PARTICLES)))
        .filter(pl.col("folded").str.contains(pl.col("word"), literal=True))
        .group_by("row", "text", maintain_order=True)
        .agg("word")
    )
    passages = [
        {"row": row, "start": match.start(), "end": match.end(), "kind": "", "text": match.group()}
        for row, text, words in hits.iter_rows()
        for match in _matches(text, words)
    ]
    empty = find_words(pl.Series([], dtype=pl.String), ()).frame
    return Passages(pl.DataFrame(passages, schema=empty.schema))


def _matches(text: str, words: Sequence[str]) -> list[re.Match[str]]:
    """Where words that have no accents stand in a text that may have them."""
    letters = ("".join(VARIANTS.get(letter, re.escape(letter)) for letter in word) for word in words)
    pattern = "|".join(sorted(letters, key=len, reverse=True))
    return list(re.finditer(rf"(?<![^\W_])(?:{pattern})(?![^\W_])", text, re.IGNORECASE))


VARIANTS = {
    "a": "[aáàâäãå]",
    "c": "[cç]",
    "e": "[eéèêë]",
    "i": "[iíìîï]",
    "n": "[nñ]",
    "o": "[oóòôöõ]",
    "u": "[uúùûü]",
    "y": "[yýÿ]",
}


def _folded(text: pl.Expr) -> pl.Expr:
    """Texts without accents, in lower case."""
    return text.str.normalize("NFKD").str.replace_all(r"\p{M}", "").str.to_lowercase()
