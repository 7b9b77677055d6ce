"""How the texts of a table's columns are read as values: as declared, or in a file of text as all of them are."""

from collections.abc import Sequence

import polars as pl

from celosia.tables.count import ParserChoice
from celosia.tables.format import Reader
from celosia.tables.infer import ColumnEvidence, weigh
from celosia.types import ColumnType
from celosia.values.parse import ValueParser, parser_of
from celosia.values.same import as_values

__all__ = ["ColumnParsers"]


class ColumnParsers:
    """The parsers of columns, each chosen once, from all the texts of its column; none where nothing ``reads`` them.

    >>> parsers = ColumnParsers()
    >>> parsers.choose("dose", pl.Series(["1.10", "1.1"]), declared=None, infers=True).dtype
    Float64
    >>> parsers.choose("zip", pl.Series(["08001"]), declared=None, infers=True) is None
    True
    """

    def __init__(self, *, reads: bool = True) -> None:
        self._reads = reads
        self._known: dict[str, ValueParser | None] = {}

    def choose(
        self, name: str, texts: pl.Series, *, declared: ColumnType | None, infers: bool
    ) -> ValueParser | None:
        """How distinct texts are read, none of them missing; None where they are the values."""
        if not self._reads:
            return None
        if name not in self._known:
            kind = declared
            if declared is None and infers:
                evidence = ColumnEvidence()
                weigh(evidence, texts)
                kind = evidence.type
            found = None if kind is None else parser_of(kind, texts)
            self._known[name] = None if found is None or found.is_text else found
        return self._known[name]

    def of(self, reader: Reader, columns: Sequence[str], choose: ParserChoice) -> dict[str, ValueParser]:
        """The parsers of those columns that have one; texts of a column that is not known yet are looked at."""
        if not self._reads:
            return {}
        kinds = dict(zip(reader.names, reader.dtypes, strict=True))
        texts = (pl.String, pl.Categorical, pl.Enum)
        unknown = [name for name in columns if name not in self._known and kinds.get(name) in texts]
        if unknown:
            missing, distinct = (
                reader.options.missing,
                {name: pl.Series([], dtype=pl.String) for name in unknown},
            )
            for batch in reader.batches(unknown):
                for name in unknown:
                    met = batch.get_column(name).alias("").cast(pl.String)
                    distinct[name] = pl.concat([distinct[name], met.unique()]).unique()
            for name, found in distinct.items():
                choose(name, as_values(found, missing=missing).drop_nulls())
        return self.known(columns)

    def known(self, columns: Sequence[str]) -> dict[str, ValueParser]:
        """The parsers chosen so far for some columns."""
        parsers = {name: self._known.get(name) for name in columns}
        return {name: parser for name, parser in parsers.items() if parser is not None}
