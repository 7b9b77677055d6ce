"""Combinations as packed keys: made, taken apart and dealt out on other machines, by code that can be sent there."""

import pickle
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.recode.domain import Codes, Domain, with_rows
from celosia.recode.gains import tuple_codes
from celosia.recode.subject import SearchSubject, SpecializationGoal, hash_combinations
from celosia.recode.two_phase import deal_out, specialize_part
from celosia.values.parse import ValueParser
from celosia.values.same import as_values

__all__ = ["JointCounter", "KeyPacking", "Marginals", "PackedLayout", "PartAssignment", "PartWork"]


@dataclass(frozen=True)
class PackedLayout:
    """How combinations are packed: the fields of quasi-identifiers in words, and how many others follow."""

    fields: npt.NDArray[np.uint64]
    words: int
    others: int

    def codes(self, frame: pl.DataFrame) -> list[Codes]:
        """The codes of every column: quasi-identifiers, then others."""
        packed = [frame.to_series(place).to_numpy().view(np.uint64) for place in range(self.words)]
        codes = [((packed[int(word)] >> shift) & mask).astype(np.int64) for word, shift, mask in self.fields]
        return codes + [frame.to_series(self.words + place).to_numpy() for place in range(self.others)]


@dataclass(frozen=True)
class KeyPacking:
    """Makes packed keys and codes of combinations; those that leave the table are left out.

    ``translations[column]`` are values and the code of each, -1 where its rows leave; ``parsers[column]`` reads texts.
    """

    names: tuple[str, ...]
    translations: tuple[tuple[pl.Series, npt.NDArray[np.int64]], ...]
    fields: npt.NDArray[np.uint64]
    words: int
    missing: tuple[str, ...]
    parsers: tuple[ValueParser | None, ...]

    def __call__(self, frame: pl.DataFrame) -> pl.DataFrame:
        """From texts or whatever the table holds to whole numbers."""
        codes = [self._codes(frame, place) for place in range(len(self.names))]
        words = np.zeros((self.words, frame.height), np.uint64)
        kept = np.ones(frame.height, bool)
        for place, (word, shift, _) in enumerate(self.fields):
            kept &= codes[place] >= 0
            words[int(word)] |= np.maximum(codes[place], 0).astype(np.uint64) << shift
        made = {f"w{number}": word.view(np.int64) for number, word in enumerate(words)}
        made |= {f"s{number}": one for number, one in enumerate(codes[len(self.fields) :])}
        return pl.DataFrame({**made, "rows": frame.get_column("rows")}).filter(pl.Series(kept))

    def _codes(self, frame: pl.DataFrame, place: int) -> npt.NDArray[np.int64]:
        values, codes = self.translations[place]
        rows = as_values(
            frame.to_series(place), missing=self.missing, parser=self.parsers[place], column=self.names[place]
        )
        known = pl.DataFrame({"v": values, "code": codes})
        wanted = rows.alias("v").cast(values.dtype).to_frame()
        found = wanted.join(known, on="v", how="left", nulls_equal=True, maintain_order="left")
        return found.get_column("code").fill_null(-1).to_numpy()


@dataclass(frozen=True)
class Marginals:
    """How many rows have each code of every column, of some combinations."""

    layout: PackedLayout

    def __call__(self, frame: pl.DataFrame) -> pl.DataFrame:
        """``column``, ``code`` and ``rows``."""
        return pl.concat(
            [
                pl.DataFrame({"code": codes, "rows": frame.get_column("rows")})
                .group_by("code")
                .agg(pl.col("rows").sum())
                .select(pl.lit(place, pl.Int64).alias("column"), "code", "rows")
                for place, codes in enumerate(self.layout.codes(frame))
            ]
        )


@dataclass(frozen=True)
class JointCounter:
    """How many rows have each code of every quasi-identifier together with each target, of some combinations."""

    layout: PackedLayout
    targets: tuple[int, ...]

    def __call__(self, frame: pl.DataFrame) -> pl.DataFrame:
        """``column``, ``code``, the codes of the target, and ``rows``."""
        codes = self.layout.codes(frame)
        quasi = len(self.layout.fields)
        told = {f"t{number}": codes[quasi + place] for number, place in enumerate(self.targets)}
        return pl.concat(
            [
                pl.DataFrame({"code": codes[place], **told, "rows": frame.get_column("rows")})
                .group_by("code", *told)
                .agg(pl.col("rows").sum())
                .select(pl.lit(place, pl.Int64).alias("column"), "code", *told, "rows")
                for place in range(quasi)
            ]
        )


@dataclass(frozen=True)
class PartAssignment:
    """Deals combinations out to parts, as :func:`celosia.recode.two_phase.deal_out` does anywhere."""

    layout: PackedLayout
    parts: int
    seed: int

    def __call__(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The combinations of every part, with its number and the rows it gets."""
        hashes = hash_combinations(self.layout.codes(frame))
        dealt = deal_out(hashes, frame.get_column("rows").to_numpy(), self.parts, self.seed)
        return pl.concat(
            [
                frame.with_columns(pl.Series("rows", rows), pl.lit(part, pl.Int64).alias("part")).filter(
                    pl.col("rows") > 0
                )
                for part, rows in enumerate(dealt)
            ]
        )


@dataclass(frozen=True)
class PartWork:
    """The first phase of one part, to be done elsewhere; ``targets`` and ``modelled`` are places among the others."""

    layout: PackedLayout
    domain: Domain
    aim: SpecializationGoal
    targets: tuple[int, ...]
    modelled: tuple[int, ...]

    def __call__(self, frame: pl.DataFrame) -> bytes:
        """The number of the part and what it found."""
        # Machines hand over combinations in any order; searches go by their codes alone.
        codes, rows = self.layout.codes(frame), frame.get_column("rows").to_numpy()
        quasi, others = codes[: len(self.layout.fields)], codes[len(self.layout.fields) :]
        values = list(self.domain.sensitive.items())
        sensitive = {values[place][0]: (others[place], values[place][1][1]) for place in self.modelled}
        told = [(others[place], len(values[place][1][1])) for place in self.targets]
        domain = replace(
            self.domain,
            columns=tuple(
                with_rows(column, own, rows) for column, own in zip(self.domain.columns, quasi, strict=True)
            ),
            codes=tuple(quasi),
            counts=rows,
            sensitive=sensitive,
            rows=int(rows.sum()),
        )
        subject = SearchSubject(domain, tuple_codes(told, len(rows)), hash_combinations(codes))
        return pickle.dumps((int(frame.get_column("part")[0]), specialize_part(subject, self.aim)))
