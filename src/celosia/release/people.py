"""The promises about people who have several rows, recomputed from what was written: by joins, not by signatures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.privacy import PrivacyModel
from celosia.recode.techniques import Plan
from celosia.release.counting import NOBODY
from celosia.release.job import Job
from celosia.release.verify import Finding, Verification, check_models, conclude
from celosia.tables.layer import see_through
from celosia.tables.recoded import RecodingLayer
from celosia.tables.table import Table
from celosia.tables.text import text_of

__all__ = ["PeopleCounting", "Rows", "verify_people", "with_person"]

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    """The released rows of one table, with the column that tells people apart.

    ``models`` are those about its sensitive columns, ``hierarchies`` those of these columns.
    """

    table: Table
    person: str
    quasi_identifiers: tuple[str, ...]
    models: tuple[PrivacyModel, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    is_counted: bool = False


def with_person(job: Job, plan: Plan, released: Table) -> tuple[Rows, tuple[Finding, ...]]:
    """The release of a job as it is if it tells people apart; else as it would be with that column.

    Then the two are compared: as many rows must share each combination of what the promises look at.
    """
    person = str(job.plan.person)
    rows = Rows(
        released,
        person,
        job.plan.quasi_identifiers,
        tuple(model for model in job.plan.models if model.column is not None),
        plan.hierarchies,
        is_counted=job.plan.person_rows == "counted",
    )
    if person in released.columns():
        return rows, ()
    table = plan.table or job.table
    dropped = tuple(name for name in plan.recoding.dropped if name != person)
    seen = see_through(table, RecodingLayer(table, replace(plan.recoding, dropped=dropped)))
    looked_at = [*job.plan.quasi_identifiers, *job.plan.modelled]
    return replace(rows, table=seen), _compare(seen, released, looked_at) if looked_at else ()


def _compare(seen: Table, released: Table, columns: Sequence[str]) -> tuple[Finding, ...]:
    before, after = (np.sort(table.count_by(columns).counts) for table in (seen, released))
    passed = np.array_equal(before, after)
    text = "the rows are those in which people were counted"
    if not passed:
        text = "the rows are not those in which people were counted"
    return (Finding("rows of people", None, len(before), len(after), int(not passed), passed, text),)


def verify_people(tables: Sequence[Rows], models: Sequence[PrivacyModel]) -> Verification:
    """Check that people, each in one class, satisfy the models when all tables are joined.

    Of ``models`` those about the sizes of classes are checked; those about a column are in ``Rows``.

    >>> from celosia.privacy import KAnonymity
    >>> from celosia.tables import open_table
    >>> visits = open_table(pl.DataFrame({"who": ["a", "a", "b", "c"], "year": [1, 1, 1, 2]}))
    >>> verify_people([Rows(visits, "who", ("year",))], [KAnonymity(k=2)]).findings[0].text
    'k-anonymity: asked 2, reached 1; 1 class violates it'
    """
    counting = PeopleCounting(tables)
    of_sizes = [model for model in models if model.column is None]
    findings, sizes, times = check_models(counting, of_sizes, {})
    for rows in tables:
        counting.looked_at = rows
        asked = [model for model in rows.models if len(counting.values(str(model.column)))]
        findings += check_models(counting, asked, rows.hierarchies)[0] if asked else []
    return conclude(findings, sizes, times, models)


class PeopleCounting:
    """Classes of people, and their values in the table looked at: see :class:`celosia.release.counting.Counting`."""

    def __init__(self, tables: Sequence[Rows]) -> None:
        self.looked_at = tables[0]
        whole: pl.DataFrame | None = None
        for number, rows in enumerate(tables):
            shown = _shown(rows, f"t{number}")
            whole = shown if whole is None else whole.join(shown, on="person", how="full", coalesce=True)
        assert whole is not None
        keys = [name for name in whole.columns if name != "person"]
        classes = whole.with_columns(pl.col(keys).fill_null("no rows"))
        self._classes = classes.select("person", pl.struct(keys).rank("dense").alias("class"))

    def sizes(self) -> tuple[Integers, Integers]:
        """How many people are in each class."""
        sizes = self._classes.group_by("class").len().get_column("len").to_numpy().astype(np.int64)
        return sizes, np.ones(len(sizes), np.int64)

    def values(self, column: str) -> tuple[str | None, ...]:
        """The values of a sensitive column."""
        return tuple(self._pairs(column).get_column("value").unique().sort().to_list())

    def entries(self, column: str) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """All classes at once: a person counts once for every value that she has."""
        pairs = self._pairs(column).join(self._classes, on="person")
        numbers = {value: number for number, value in enumerate(self.values(column))}
        texts = pl.Series(list(numbers), dtype=pl.String)
        codes = pl.DataFrame({"value": texts, "code": np.arange(len(texts), dtype=np.int64)})
        found = pairs.join(codes, on="value", nulls_equal=True).group_by("class", "code").len()
        entries = found.select(
            pl.col("class").cast(pl.Int64), value=pl.col("code"), n=pl.col("len").cast(pl.Int64)
        )
        yield entries, NOBODY

    def shown(self) -> Iterator[pl.DataFrame]:
        """Nothing: a class of people has the labels of several rows."""
        return iter(())

    def _pairs(self, column: str) -> pl.DataFrame:
        rows = self.looked_at
        return _texts(rows, [rows.person, column]).unique().rename({rows.person: "person", column: "value"})


def _texts(rows: Rows, columns: Sequence[str]) -> pl.DataFrame:
    """Some columns of all rows as texts."""
    frames = [
        batch.select(
            text_of(pl.nth(i), dtype, column=name, where=rows.table.name).alias(name)
            for i, (name, dtype) in enumerate(batch.schema.items())
        )
        for batch in rows.table.scan(columns)
    ]
    empty = pl.DataFrame(schema=dict.fromkeys(columns, pl.String))
    return pl.concat([empty, *(frame.select(columns) for frame in frames)])


def _shown(rows: Rows, name: str) -> pl.DataFrame:
    """Per person one text for all that her rows show: the numbers of the combinations, in order."""
    frame = _texts(rows, [rows.person, *rows.quasi_identifiers])
    combination = pl.struct(list(rows.quasi_identifiers)) if rows.quasi_identifiers else pl.lit(0)
    number = combination.rank("dense").cast(pl.String)
    combinations = frame.select(person=pl.col(rows.person), number=number)
    counted = combinations.group_by("person", "number").len().sort("number")
    shown = pl.concat_str(["number", "len"], separator="x") if rows.is_counted else pl.col("number")
    return counted.group_by("person", maintain_order=True).agg(shown.str.join(" ").alias(name))
