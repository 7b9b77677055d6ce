"""A table of Spark: counted, recoded and written where it is, on all machines of the cluster at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl
from pyspark import StorageLevel
from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.types import StructField

from celosia.errors import CelosiaError, TableError
from celosia.say import say
from celosia.tables.count import encode_groups
from celosia.tables.format import Format, Options
from celosia.tables.infer import Cast, ColumnEvidence, cast_of, schema_of
from celosia.tables.layer import stage_of
from celosia.tables.location import Location
from celosia.tables.parsers import ColumnParsers
from celosia.tables.recoder import check_columns
from celosia.tables.spark.checkpoints import checkpoint, forget_checkpoint
from celosia.tables.spark.errors import spark_errors_explained
from celosia.tables.spark.grouping import many_groups
from celosia.tables.spark.reader import SparkReader, gather_texts
from celosia.tables.spark.session import run_in_thread
from celosia.tables.spark.table_description import TableDescription
from celosia.tables.spark.values import (
    collect,
    map_batches,
    places,
    spark_schema,
    tallied,
)
from celosia.tables.table import Counts, Progress, Recoding, Written, no_progress
from celosia.types import Column, Schema
from celosia.values.parse import ValueParser
from celosia.values.same import as_values
from celosia.values.text import column_type, text_of

if TYPE_CHECKING:
    from celosia.tables.layer import Layer

__all__ = ["SparkReader", "SparkTable", "null_safe"]

PART_BITS = 40
"""Rows have numbers of their own in every part: no part has more rows than these bits count."""


@dataclass
class SparkTableFacts:
    """What was found out about a table: to ask a cluster twice is dear."""

    rows: int | None = None
    values: dict[str, pl.Series] = field(default_factory=dict)
    evidence: dict[str, ColumnEvidence] | None = None
    parsers: ColumnParsers = field(default_factory=ColumnParsers)
    kept: list[Callable[[], Any]] = field(default_factory=list)
    """What lets go of all that the cluster keeps for it."""


THE_FRAME = say("the Spark frame")


@dataclass(frozen=True)
class SparkTable:
    """A frame of Spark. ``format`` is that of texts, None where values have types; ``behind`` is the table that is
    seen here through a layer.
    """

    location: ClassVar[Location] = Location.CLUSTER
    spark: SparkSession
    frame: DataFrame
    name: str = THE_FRAME
    options: Options = field(default_factory=Options)
    types: Mapping[str, Column] = field(default_factory=dict)
    memory: int | None = None
    format: Format | None = None
    behind: "tuple[SparkTable, Layer] | None" = None
    known: SparkTableFacts = field(default_factory=SparkTableFacts, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """What goes to other machines: what the table is, not where."""
        schema = None if self.format is not None and self.known.evidence is None else self.schema()
        names, dtypes = self.columns(), self.reader.dtypes
        return TableDescription, (
            self.name,
            names,
            dtypes,
            self.options,
            self.format,
            schema,
            self.known.parsers,
        )

    def keep(self, frame: DataFrame) -> DataFrame:
        """Have the cluster keep what a frame finds, as long as this table is open."""
        kept = frame.persist(StorageLevel.MEMORY_AND_DISK)
        self.known.kept.append(kept.unpersist)
        return kept

    def settle(self, frame: DataFrame) -> DataFrame:
        """Have a frame computed now, so that its rows stay what they are as long as this table is open."""
        settled = checkpoint(frame)
        self.known.kept.append(lambda: forget_checkpoint(settled))
        return settled

    def close(self) -> None:
        """Let go of what the cluster keeps."""
        while self.known.kept:
            let_go = self.known.kept.pop()
            with suppress(Exception):  # of a session that has ended nothing is left
                run_in_thread(let_go)

    def columns(self) -> tuple[str, ...]:
        """Names of the columns in order."""
        return tuple(self.frame.columns)

    @cached_property
    def plain(self) -> DataFrame:
        """The rows with numbers for names: ``c0``, ``c1``, ..."""
        return self.frame.toDF(*places(self.columns()))

    @cached_property
    def reader(self) -> "SparkReader":
        """Its rows."""
        return SparkReader(self)

    def place(self, name: str) -> str:
        """What a column is called in ``plain``."""
        return f"c{self.columns().index(name)}"

    def schema(self) -> Schema:
        """Columns with their types: declared by hand, those of Spark, or of texts inferred from all values."""
        if self.format is None:
            found = zip(self.columns(), self.reader.dtypes, strict=True)
            return Schema(
                tuple(self.types.get(name, Column(name, column_type(kind))) for name, kind in found)
            )
        return schema_of(self.evidence, dict(self.types))

    @property
    def evidence(self) -> dict[str, ColumnEvidence]:
        """What all texts of every column are, gathered where they are."""
        if self.known.evidence is None:
            with spark_errors_explained(self.name):
                found = gather_texts(self.plain, self.options.missing)
            self.known.evidence = {
                name: found.get(place, ColumnEvidence())
                for name, place in zip(self.columns(), places(self.columns()), strict=True)
            }
        return self.known.evidence

    def casts(self) -> Mapping[str, Cast]:
        """For columns of text, the casts that lose nothing."""
        if self.format is None:
            return {}
        casts = {column.name: cast_of(self.evidence[column.name], column.type) for column in self.schema()}
        return {name: cast for name, cast in casts.items() if cast is not None}

    def count(self) -> int:
        """How many rows there are."""
        if self.known.rows is None:
            with spark_errors_explained(self.name):
                self.known.rows = int(self.frame.count())
        return self.known.rows

    def count_read(self) -> int:
        """How many rows there are, counted by reading values: what files say of themselves is not asked."""
        with spark_errors_explained(self.name):
            first = sf.col("c0")
            # Spark would leave out a column whose values nobody looks at.
            present, missing = sf.count(first), sf.count(sf.when(first.isNull(), sf.lit(1)))
            found = self.plain.select("c0").agg(present, missing).collect()[0]
        return int(found[0]) + int(found[1])

    def tally(self, columns: Sequence[str], look: Callable[[pl.DataFrame], Sequence[int]]) -> list[int]:
        """One whole number for each of some columns, which ``look`` finds in every batch, summed where they are."""
        if not columns:
            return []
        with spark_errors_explained(self.name):
            chosen = self.plain.select(*[sf.col(self.place(name)) for name in columns])
            found = tallied(chosen, _Named(tuple(columns), look), len(columns))
            sums = found.agg(*[sf.sum(name) for name in found.columns]).collect()[0]
        return [int(n or 0) for n in sums]

    def distinct(self, columns: Sequence[str]) -> "SparkTable":
        """A table of the distinct combinations of some columns."""
        chosen = self.plain.select(*[sf.col(self.place(name)) for name in columns]).distinct()
        return replace(self, frame=chosen.toDF(*columns), known=SparkTableFacts(), behind=None)

    def estimate(self, columns: Sequence[str]) -> int:
        """About how many combinations of some columns there are, within a few per cent."""
        check_columns(columns, self.columns(), where=self.name)
        if not columns:
            return 1
        untouched = self._untouched(columns)
        if untouched is not None:
            return untouched.estimate(columns)
        with spark_errors_explained(self.name):
            # A null has no hash of its own: two columns that swap it would look the same.
            keys = [part for name in columns for part in (self.place(name), sf.isnull(self.place(name)))]
            found = self.plain.select(sf.approx_count_distinct(sf.xxhash64(*keys), 0.02)).collect()
        return int(found[0][0])

    def most_here(self, width: int) -> int:
        """Combinations of so many columns that can be brought here, by what the driver may take."""
        conf = self.spark.sparkContext.getConf()
        given = conf.get("spark.celosia.combinations")
        if given is not None:
            return int(given)
        sizes = self.spark.sparkContext._jsc.sc().conf()
        memory = int(sizes.getSizeAsBytes("spark.driver.memory", "1g")) // 2
        result = int(sizes.getSizeAsBytes("spark.driver.maxResultSize", "1g")) or memory
        return min(memory, result) // (16 * width + 8)

    def count_by(
        self, columns: Sequence[str], *, places: bool = False, progress: Progress = no_progress
    ) -> Counts:
        """The distinct combinations of ``columns`` and their counts, by one aggregation on the cluster."""
        check_columns(columns, self.columns(), where=self.name)
        untouched = self._untouched(columns)
        if untouched is not None:
            return untouched.count_by(columns, progress=progress)
        for name in columns:
            text_of(pl.nth(0), self.dtype(name), column=name, where=self.name)
        progress(say("counting rows"), 0.0)
        with (
            spark_errors_explained(self.name),
            many_groups(self.spark) if len(columns) > 1 else nullcontext(),
        ):
            groups = collect(self.grouped(columns))
        counts = encode_groups(
            groups, columns, missing=self.options.missing, parser=self._choose_parser, where=self.name
        )
        self.known.rows = counts.rows
        for place, name in enumerate(columns):
            self.known.values.setdefault(name, groups.to_series(place).unique())
        progress(say("counting rows"), 1.0)
        return counts

    def grouped(self, columns: Sequence[str]) -> DataFrame:
        """The distinct combinations as a frame of Spark: ``c0``, ``c1``, ... in the order given, and ``rows``."""
        chosen = self.plain.select(*[sf.col(self.place(name)) for name in columns]).toDF(*places(columns))
        rows = sf.count(sf.lit(1)).alias("rows")
        return chosen.groupBy(*places(columns)).agg(rows)

    def count_few(self, columns: Sequence[str]) -> Counts | None:
        """As :meth:`count_by` if all combinations can be brought here, else None; no values are remembered."""
        most = self.most_here(len(columns))
        with spark_errors_explained(self.name):
            groups = collect(self.grouped(columns).limit(most + 1))
        if groups.height > most:
            return None
        return encode_groups(
            groups, columns, missing=self.options.missing, parser=self._choose_parser, where=self.name
        )

    def count_share(self, columns: Sequence[str], *, by: Sequence[str], share: int, of: int) -> Counts:
        """As :meth:`count_by`, of the classes of ``by`` whose hash falls to one of so many shares."""
        with spark_errors_explained(self.name):
            grouped = self.grouped(columns)
            key = sf.xxhash64(*[f"c{columns.index(name)}" for name in by]) if by else sf.lit(0)
            groups = collect(grouped.where(sf.pmod(key, sf.lit(of)) == share))
        return encode_groups(
            groups, columns, missing=self.options.missing, parser=self._choose_parser, where=self.name
        )

    def values_of(self, name: str) -> pl.Series:
        """The distinct values of a column, as Spark holds them."""
        if name not in self.known.values:
            with spark_errors_explained(self.name):
                self.known.values[name] = collect(self.plain.select(self.place(name)).distinct()).to_series()
        return self.known.values[name]

    def sizes(self, columns: Sequence[str]) -> list[tuple[int, int]]:
        """Sizes of classes and how many classes have each: no value leaves the cluster for that."""
        with spark_errors_explained(self.name):
            found = self.grouped(columns).groupBy("rows").agg(sf.count(sf.lit(1)).alias("times"))
            return sorted((int(n), int(times)) for n, times in found.collect())

    def few_values(self, name: str, rows: int) -> pl.Series:
        """Distinct values of one column in the first rows."""
        if self.behind is not None and name not in self.behind[1].touched:
            return self.behind[0].few_values(name, rows)
        with spark_errors_explained(self.name):
            first = self.plain.select(self.place(name)).limit(rows).distinct()
            return collect(first).to_series().alias(name)

    def unparsed(self) -> "SparkTable":
        """The same table with texts as they are written: to the sharpest reader every spelling is a value."""
        known = replace(self.known, parsers=ColumnParsers(reads=False))
        return replace(self, types={}, known=known)

    def _choose_parser(self, name: str, texts: pl.Series) -> ValueParser | None:
        declared = self.types[name].type if name in self.types else None
        return self.known.parsers.choose(name, texts, declared=declared, infers=self.format is not None)

    def parsers_of(self, columns: Sequence[str]) -> dict[str, ValueParser]:
        """How the texts of some columns are read."""
        if self.format is None and not self.types:
            return {}
        untouched = self._untouched(columns)
        if untouched is not None:
            return untouched.parsers_of(columns)
        for name in columns:
            if self.dtype(name) == pl.String:
                texts = as_values(self.values_of(name), missing=self.options.missing)
                self._choose_parser(name, texts.drop_nulls())
        return self.known.parsers.known(columns)

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows in batches, brought here."""
        if columns is not None:
            check_columns(columns, self.columns(), where=self.name)
        return self.reader.batches(columns)

    def dtype(self, name: str) -> pl.DataType:
        """The type in which values of a column arrive."""
        return self.reader.dtypes[self.columns().index(name)]

    def through(self, layer: "Layer") -> "SparkTable":
        """This table seen through a layer, whose passes go over the rows where they are."""
        stage = stage_of(layer)
        if stage is not None:
            from celosia.tables.spark.shuffle import shuffle_columns

            return replace(shuffle_columns(self, stage).through(stage.rest), behind=(self, layer))
        touched = layer.touched
        made = tuple(name for name in layer.names if name in touched)
        # A pass has to give some column back, or nobody knows how many rows it leaves.
        made_or_one = (
            made or tuple(name for name in layer.needs(()) or layer.names if name in layer.names)[:1]
        )
        needed = layer.needs(made_or_one)
        names = [name for name in self.columns() if name in needed or name in layer.names]
        seen = [-1 if name in touched else names.index(name) for name in layer.names]
        try:
            schema = spark_schema(places(layer.names), layer.dtypes)
        except CelosiaError:  # an operation that has no key, for one
            raise
        except Exception as error:
            raise TableError(
                say("a column would have a type that Spark lacks"),
                where=self.name,
                remedy=say("make texts of it"),
            ) from error
        for place, name in enumerate(layer.names):
            if seen[place] >= 0:
                kind = self.frame.schema.fields[self.columns().index(name)]
                schema.fields[place] = StructField(f"c{place}", kind.dataType, metadata=kind.metadata)
        given = tuple(names.index(name) for name in needed)
        begun = _Begun(
            layer.begin(made_or_one), needed, {name: f"c{layer.names.index(name)}" for name in made}
        )
        with spark_errors_explained(self.name):
            frame = self.plain.select(*map(self.place, names))
            changed = map_batches(frame, begun, seen, schema, given).toDF(*layer.names)
        types = {name: column for name, column in self.types.items() if name not in touched}
        return replace(
            self,
            frame=changed,
            types=types,
            behind=(self, layer),
            known=SparkTableFacts(kept=self.known.kept),
        )

    def write(
        self,
        recoding: Recoding,
        destination: Any,
        *,
        seed: int | None = None,
        progress: Progress = no_progress,
    ) -> Written:
        """Apply ``recoding`` and write the rows in random order to a new place on the cluster."""
        from celosia.tables.spark.writing import write_on_cluster

        return write_on_cluster(self, recoding, destination, seed=seed, progress=progress)

    def _untouched(self, columns: Sequence[str]) -> "SparkTable | None":
        """The table behind the layer, if some columns are the same there."""
        if self.behind is None:
            return None
        table, layer = self.behind
        return None if layer.drops_rows or layer.touched.intersection(columns) else table


@dataclass(frozen=True)
class _Begun:
    """A pass that was begun here, for every part of the table a copy of it; columns have numbers outside of it."""

    change: Any
    needed: tuple[str, ...]
    made: Mapping[str, str]

    def __call__(self) -> Any:
        from pyspark import TaskContext

        context = TaskContext.get()
        if context is not None and hasattr(self.change, "begin_at"):
            self.change.begin_at(context.partitionId() << PART_BITS)
        return self._pass

    def _pass(self, batch: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series | None]:
        batch.columns = list(self.needed)
        frame, kept = self.change(batch)
        return pl.DataFrame([frame.get_column(name).alias(place) for name, place in self.made.items()]), kept


@dataclass(frozen=True)
class _Named:
    """What looks at batches, given the names that their columns have here."""

    names: tuple[str, ...]
    look: Callable[[pl.DataFrame], Sequence[int]]

    def __call__(self, batch: pl.DataFrame) -> Sequence[int]:
        batch.columns = list(self.names)
        return self.look(batch)


def null_safe(columns: Sequence[tuple[SparkColumn, SparkColumn]]) -> SparkColumn:
    """Whether columns are the same pair by pair, missing values too."""
    return reduce(lambda a, b: a & b, [one.eqNullSafe(other) for one, other in columns])
