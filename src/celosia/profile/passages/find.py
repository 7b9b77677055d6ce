"""Find passages in many texts at once: Polars cuts out candidates, and each distinct one is judged once."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from celosia.profile.passages.judge import Found, judge_numbered
from celosia.profile.passages.kinds import PassageKind
from celosia.profile.passages.names import find_names
from celosia.profile.passages.numbers import COUNTRIES
from celosia.profile.passages.patterns import NAMED, NUMBERED

__all__ = ["Passages", "find_passages", "find_words", "hide_passages", "replace_passages", "write_instead"]

Judge = Callable[[str, bool, bool], Iterable[tuple[int, int, str]]]
"""From a candidate, and whether it has a letter or digit at its left and its right, to the passages in it."""

ALL = tuple(PassageKind)
NAMES = frozenset({PassageKind.PERSON, PassageKind.PLACE})
INSIDE_WORD = r"[\p{L}\p{N}]"
FILLER = "\N{FULL BLOCK}"
GROUP_NAME = re.compile(r"\?P<[a-z]+>")
JUDGED = {"number": pl.UInt32, "low": pl.Int64, "high": pl.Int64, "kind": pl.String}
SCHEMA = {"row": pl.UInt32, "start": pl.Int64, "end": pl.Int64, "kind": pl.String, "text": pl.String}


@dataclass(frozen=True)
class Passages:
    """Passages that were found: columns ``row``, ``start``, ``end`` (characters of the text), ``kind``, ``text``."""

    frame: pl.DataFrame

    def counts(self) -> dict[PassageKind, int]:
        """How many there are of each kind."""
        return {PassageKind(kind): n for kind, n in self.frame.group_by("kind").len().iter_rows()}


def find_passages(
    texts: pl.Series, *, kinds: Sequence[PassageKind] = ALL, countries: tuple[str, ...] = COUNTRIES
) -> Passages:
    """Where texts tell who somebody is; missing ones tell nothing.

    >>> found = find_passages(pl.Series(["Llamar a Ana Gil al 612 34 56 78", "sin cambios", None]))
    >>> found.frame.rows()
    [(0, 9, 16, 'person', 'Ana Gil'), (0, 20, 32, 'phone', '612 34 56 78')]
    """
    numbered = find_by(
        texts, NUMBERED, lambda text, left, right: judge_numbered(text, left, right, countries)
    )
    found = numbered
    if NAMES & set(kinds):
        # What is a number is no part of a name, nor what stands beyond it.
        named = find_by(hide_passages(texts, Passages(numbered)), NAMED, _judge_name)
        found = pl.concat([numbered, named]).sort("row", "start")
    return Passages(found.filter(pl.col("kind").is_in([kind.value for kind in kinds])))


def _judge_name(text: str, left: bool, right: bool) -> list[Found]:
    return find_names(text, is_left_free=not left, is_right_free=not right)


def find_words(texts: pl.Series, words: Sequence[str]) -> Passages:
    """Where words of a list stand in texts, as words of their own, in capitals or not; their kind is empty.

    >>> find_words(pl.Series(["Zubiri, de zubirianos"]), ["ZUBIRI"]).frame.rows()
    [(0, 0, 6, '', 'Zubiri')]
    """
    listed = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True) if word.strip())
    if not listed:
        return Passages(pl.DataFrame(schema=SCHEMA))
    found = find_by(
        texts, f"(?i:{listed})", lambda text, left, right: [] if left or right else [(0, len(text), "")]
    )
    return Passages(found)


def replace_passages(texts: pl.Series, found: Passages, label: Callable[[str], str]) -> pl.Series:
    """Texts with the label of its kind in place of every passage.

    >>> texts = pl.Series(["Llamar a Ana Gil al 612 34 56 78", None])
    >>> replace_passages(texts, find_passages(texts), lambda kind: f"[{kind}]").to_list()
    ['Llamar a [person] al [phone]', None]
    """
    labels = {kind: label(kind) for kind in found.frame.get_column("kind").unique()}
    instead = pl.col("kind").replace_strict(labels, return_dtype=pl.String) if labels else pl.lit("")
    return write_instead(texts, found.frame.with_columns(instead=instead))


def hide_passages(texts: pl.Series, found: Passages) -> pl.Series:
    """Texts of the same length, with blocks in place of every passage: what else is there keeps its place.

    >>> texts = pl.Series(["Llamar al 612 34 56 78"])
    >>> hide_passages(texts, find_passages(texts)).to_list()
    ['Llamar al ████████████']
    """
    blocks = pl.lit(FILLER).repeat_by(pl.col("end") - pl.col("start")).list.join("")
    return write_instead(texts, found.frame.sort("row", "start").with_columns(instead=blocks))


def write_instead(texts: pl.Series, found: pl.DataFrame) -> pl.Series:
    """Texts with ``instead`` in place of every passage; passages are in order and do not overlap."""
    if not found.height:
        return texts
    whole = pl.DataFrame({"text": texts.alias("text").cast(pl.String)}).with_row_index("row")
    begin = pl.col("end").shift(1, fill_value=0).over("row")
    made = (
        found.drop("text")
        .join(whole, on="row", how="left", maintain_order="left")
        .with_columns(part=pl.col("text").str.slice(begin, pl.col("start") - begin) + pl.col("instead"))
        .group_by("row", maintain_order=True)
        .agg(
            pl.col("part").str.join(""),
            rest=pl.col("text").last().str.slice(pl.col("end").last()),
        )
        .select("row", made=pl.col("part") + pl.col("rest"))
    )
    joined = whole.join(made, on="row", how="left", maintain_order="left")
    return joined.select(pl.coalesce("made", "text")).to_series().alias(texts.name)


def find_by(texts: pl.Series, expression: str, judge: Judge) -> pl.DataFrame:
    """Passages in the candidates that an expression cuts out, as ``judge`` sees them."""
    pieces = cut_texts(texts, GROUP_NAME.sub("?:", expression))
    sides = ["candidate", "left", "right"]
    distinct = pieces.select(sides).filter(pl.col("candidate") != "").unique()
    # Flat lists: a column of lists of structs takes Polars longer to build than all judging.
    judged = [
        (number, low, high, str(kind))
        for number, candidate in enumerate(distinct.iter_rows())
        for low, high, kind in judge(*candidate)
    ]
    flat = pl.DataFrame(judged, schema=JUDGED, orient="row")
    length = pl.col("candidate").str.len_chars().cast(pl.Int64)
    begin = (pl.col("piece").str.len_chars().cast(pl.Int64) + length).cum_sum().over("row") - length
    low, high = pl.col("low"), pl.col("high")
    return (
        pieces.with_columns(begin=begin)
        .join(distinct.with_row_index("number"), on=sides, how="inner", maintain_order="left")
        .join(flat, on="number", how="inner", maintain_order="left_right")
        .select(
            "row",
            start=pl.col("begin") + low,
            end=pl.col("begin") + high,
            kind="kind",
            text=pl.col("candidate").str.slice(low, high - low),
        )
        .cast(SCHEMA)  # type: ignore[arg-type]
    )


def cut_texts(texts: pl.Series, expression: str) -> pl.DataFrame:
    """Texts that hold a candidate, cut into what stands before each and the candidate itself, an empty one last.

    ``left`` and ``right`` say whether a candidate has a letter or digit at its side.

    >>> cut_texts(pl.Series(["no", "a 1, b22"]), "[0-9]+").select("row", "piece", "candidate", "left").rows()
    [(1, 'a ', '1', False), (1, ', b', '22', True), (1, '', '', False)]
    """
    whole = pl.DataFrame({"text": texts.alias("text").cast(pl.String)}).with_row_index("row")
    held = whole.with_columns(candidate=pl.col("text").str.extract_all(expression)).filter(
        pl.col("candidate").list.len() > 0
    )
    cut = held.select(
        "row",
        piece=pl.col("text").str.split(expression, literal=False),
        candidate=pl.col("candidate").list.concat(pl.lit([""])),
    ).explode("piece", "candidate")
    return cut.with_columns(
        left=pl.col("piece").str.contains(INSIDE_WORD + "$"),
        right=pl.col("piece").shift(-1, fill_value="").str.contains("^" + INSIDE_WORD),
    )
