"""The promises about people who have several rows, recomputed from what was written: by joins, not by signatures.

People who are compared by all their rows are joined; those who are counted in every class are counted there again.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.measure.risk import ClassRisk, class_risk
from celosia.privacy import PrivacyModel
from celosia.recode.local import PartitionCosts
from celosia.recode.techniques import RecodingPlan
from celosia.release.counting import NOBODY, PeopleInClasses
from celosia.release.prepared_table import PreparedTable
from celosia.release.verify import (
    Finding,
    Verification,
    check_models,
    conclude,
    find_people,
    opened_counting,
)
from celosia.say import say
from celosia.tables import FileDestination, open_written
from celosia.tables.layer import apply_layer
from celosia.tables.location import is_on_cluster
from celosia.tables.private import private_folder
from celosia.tables.recoding_layer import RecodingLayer
from celosia.tables.table import Recoding, Table
from celosia.values.named import named
from celosia.values.same import fold, people_keys
from celosia.values.text import text_of

if TYPE_CHECKING:
    from celosia.tables import FileTable, FrameTable
    from celosia.tables.sql.sql_table import SqlTable

__all__ = [
    "PeopleCounting",
    "PeopleRows",
    "people_risk",
    "see_with_person",
    "seen_with_person",
    "verify_people",
    "verify_people_in_classes",
    "with_person",
]

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PeopleRows:
    """The released rows of one table, with the column that tells people apart.

    ``models`` are those about its sensitive columns, ``hierarchies`` those of these columns.
    """

    table: Table
    person: str
    quasi_identifiers: tuple[str, ...]
    models: tuple[PrivacyModel, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    is_counted: bool = False


def with_person(
    job: PreparedTable, plan: RecodingPlan, released: Table
) -> tuple[PeopleRows, tuple[Finding, ...]]:
    """The release of a job as it is if it tells people apart; else as it would be with that column.

    Then the two are compared: as many rows must share each combination of what the promises look at.
    """
    person = str(job.plan.person)
    rows = PeopleRows(
        released,
        person,
        job.plan.quasi_identifiers,
        tuple(model for model in job.plan.models if model.column is not None),
        plan.hierarchies,
        is_counted=job.plan.person_rows == "counted",
    )
    if person in released.columns():
        return rows, ()
    seen = see_with_person(plan.table or job.table, plan.recoding, person)
    looked_at = [*job.plan.quasi_identifiers, *job.plan.modelled]
    return replace(rows, table=seen), _compare(seen, released, looked_at) if looked_at else ()


def see_with_person(table: Table, recoding: Recoding, person: str) -> Table:
    """A table as it is released, with the column that tells people apart."""
    dropped = tuple(name for name in recoding.dropped if name != person)
    return apply_layer(table, RecodingLayer(table, replace(recoding, dropped=dropped)))


def _compare(seen: Table, released: Table, columns: Sequence[str]) -> tuple[Finding, ...]:
    before, after = (np.sort(table.count_by(columns).counts) for table in (seen, released))
    return _tell_compared(before, after)


def _tell_compared(before: Integers, after: Integers) -> tuple[Finding, ...]:
    passed = np.array_equal(before, after)
    text = say("the rows are those in which people were counted")
    if not passed:
        text = say("the rows are not those in which people were counted")
    return (Finding("rows of people", None, len(before), len(after), int(not passed), passed, text),)


def verify_people(tables: Sequence[PeopleRows], models: Sequence[PrivacyModel]) -> Verification:
    """Check that people, each in one class, satisfy the models when all tables are joined.

    Of ``models`` those about the sizes of classes are checked; those about a column are in ``Rows``.

    >>> from celosia.privacy import KAnonymity
    >>> from celosia.tables import open_table
    >>> visits = open_table(pl.DataFrame({"who": ["a", "a", "b", "c"], "year": [1, 1, 1, 2]}))
    >>> verify_people([PeopleRows(visits, "who", ("year",))], [KAnonymity(k=2)]).findings[0].text
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

    def __init__(self, tables: Sequence[PeopleRows]) -> None:
        self._tables, self.looked_at = tuple(tables), tables[0]
        self._paired: dict[tuple[int, str], tuple[pl.DataFrame, pl.Series]] = {}
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
        """The values of a sensitive column, in all their spellings."""
        return tuple(self._pairs(column)[1].to_list())

    def entries(self, column: str) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """All classes at once: a person counts once for every value that she has."""
        pairs = self._pairs(column)[0].join(self._classes, on="person")
        counts = pairs.group_by("class", "code").len()
        entries = counts.select(
            pl.col("class").cast(pl.Int64), value=pl.col("code"), n=pl.col("len").cast(pl.Int64)
        )
        yield entries, NOBODY

    def shown(self) -> Iterator[pl.DataFrame]:
        """Nothing: a class of people has the labels of several rows."""
        return iter(())

    def _pairs(self, column: str) -> tuple[pl.DataFrame, pl.Series]:
        """People and the number of each of their values, once, and all spellings of these.

        What is one value to some reader has one number, that of its first spelling, before anybody is counted: who has
        it in two spellings has one value.
        """
        rows = self.looked_at
        place = (id(rows), column)
        if place not in self._paired:
            pairs = _people_and_texts(rows, [column]).unique()
            spellings = pairs.get_column("t0").unique().sort()
            folded = fold(spellings)
            codes = pl.DataFrame({"t0": spellings, "code": folded.first[folded.codes]})
            numbered = pairs.join(codes, on="t0", nulls_equal=True).select("person", "code").unique()
            self._paired[place] = numbered, spellings
        return self._paired[place]


def _people_and_texts(rows: PeopleRows, columns: Sequence[str]) -> pl.DataFrame:
    """Of all rows whose they are, and some columns as texts, called t0, t1 and so on."""
    schema = {"person": pl.String, **{f"t{place}": pl.String for place in range(len(columns))}}
    frames = [pl.DataFrame(schema=schema)]
    for batch in rows.table.scan([rows.person, *columns]):
        texts = batch.select(
            text_of(named(name), batch.schema[name], column=name, where=rows.table.name).alias(f"t{place}")
            for place, name in enumerate(columns)
        )
        who = people_keys(batch.get_column(rows.person)).alias("person")
        frames.append(pl.DataFrame([who, *texts.iter_columns()]))
    return pl.concat(frames)


def _shown(rows: PeopleRows, name: str) -> pl.DataFrame:
    """Per person one text for all that her rows show: the numbers of the combinations, in order."""
    frame = _people_and_texts(rows, rows.quasi_identifiers)
    combination = pl.struct(pl.exclude("person")) if rows.quasi_identifiers else pl.lit(0)
    combinations = frame.select("person", number=combination.rank("dense").cast(pl.String))
    counted = combinations.group_by("person", "number").len().sort("number")
    shown = pl.concat_str(["number", "len"], separator="x") if rows.is_counted else pl.col("number")
    return counted.group_by("person", maintain_order=True).agg(shown.str.join(" ").alias(name))


def people_risk(job: PreparedTable, person: str, *, memory: int | None) -> tuple[ClassRisk, int]:
    """What the classes of a table tell about the risk of people, counted in every class; and how many they are."""
    with opened_counting(job.table, job.plan.quasi_identifiers, (person,), memory, job.folder) as counting:
        people = PeopleInClasses(counting, person)
        sizes, times = people.sizes()
    return class_risk(sizes, times=times, threshold=job.task.threshold), people.total


def verify_people_in_classes(
    job: PreparedTable, plan: RecodingPlan, released: Table, verification: Verification
) -> Verification:
    """What was found in the rows of a release, the sizes of its classes counted again in different people."""
    person, columns = str(plan.person), job.plan.quasi_identifiers
    of_sizes = [model for model in job.plan.models if model.column is None]
    with seen_with_person(job, plan, released, person) as seen:
        with opened_counting(seen, columns, (person,), plan.memory, job.folder) as counting:
            model_findings, sizes, times = check_models(PeopleInClasses(counting, person), of_sizes, {})
        compared = () if seen is released else _compare_sizes(job, plan, seen, released)
    names = {model.name for model in of_sizes}
    others = [finding for finding in verification.findings if finding.name not in names]
    people = find_people(person, job.plan.models, sizes, times)
    findings = [people, *model_findings, *others, *compared]
    return replace(conclude(findings, sizes, times, job.plan.models), rows=verification.rows)


@contextmanager
def seen_with_person(job: PreparedTable, plan: RecodingPlan, released: Table, person: str) -> Iterator[Table]:
    """A release as it is if it tells people apart; else as it would be with that column."""
    if person in released.columns():
        yield released
        return
    table = plan.table or job.table
    if plan.recoding.parts is None:
        yield see_with_person(table, plan.recoding, person)
        return
    dropped = tuple(name for name in plan.recoding.dropped if name != person)
    recoding = replace(plan.recoding, dropped=dropped)
    # What parts cost was noted when they were written first.
    costs = plan.measures.unchanged() if isinstance(plan.measures, PartitionCosts) else nullcontext()
    with costs, _written_again(table, recoding, job.folder) as seen:
        yield seen


@contextmanager
def _written_again(table: Table, recoding: Recoding, folder: Path | None) -> Iterator[Table]:
    """What a recoding in parts makes of a table, where nobody else may look; gone in the end."""
    if is_on_cluster(table):
        from celosia.tables.spark.new_table import new_table

        target = new_table(table.spark, None, table.options, overwrite=False)
        try:
            table.write(recoding, target)
            yield target.open()
        finally:
            target.withdraw()
        return
    with private_folder(folder or Path.cwd()) as private:
        place = FileDestination(private / "people.parquet")
        table.write(recoding, place)
        local = cast("FileTable | FrameTable | SqlTable", table)
        yield open_written(local, recoding, place, missing=())


def _compare_sizes(
    job: PreparedTable, plan: RecodingPlan, seen: Table, released: Table
) -> tuple[Finding, ...]:
    """As many rows must share each combination of what the promises look at, or people were counted in others."""
    columns = tuple(dict.fromkeys([*job.plan.quasi_identifiers, *job.plan.modelled]))
    if plan.memory is None and not is_on_cluster(seen):
        return _compare(seen, released, columns)
    tallies = []
    for table in (seen, released):
        with opened_counting(table, columns, (), plan.memory, job.folder) as counting:
            tallies.append(_tally(*counting.sizes()))
    return _tell_compared(*tallies)


def _tally(sizes: Integers, times: Integers) -> Integers:
    """Sizes in order, and how many classes have each, as pairs."""
    distinct, places = np.unique(sizes, return_inverse=True)
    return np.stack([distinct, np.bincount(places, times, len(distinct)).astype(np.int64)], axis=1)
