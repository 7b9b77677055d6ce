"""Searches whose combinations stay on a cluster find what searches in memory do, on random small tables.

The cluster is made of batches in this process, and everything that would go to another machine is pickled.
"""

import pickle
import random
from dataclasses import dataclass, field
from typing import ClassVar

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark import cloudpickle
from small_tables import hierarchy_objects, tables

from celosia.errors import NoSolutionError, ProjectError
from celosia.privacy import DistinctLDiversity, EntropyLDiversity, KAnonymity, TCloseness
from celosia.recode.domain import MissingPolicy
from celosia.recode.task import RecodingTask
from celosia.recode.techniques import make_technique
from celosia.tables import open_table
from celosia.tables.location import Location

MODELS = {
    "k": (KAnonymity(k=2),),
    "l": (KAnonymity(k=2), DistinctLDiversity(column="s", l=2)),
    "entropy": (EntropyLDiversity(column="s", l=1.5),),
    "t": (TCloseness(column="s", t=0.4, distance="equal"),),
}


def sent(work):
    """Work as it arrives on another machine."""
    return pickle.loads(cloudpickle.dumps(work))


@dataclass
class Cluster:
    """A table that says it is on a cluster, and answers what is asked of one."""

    frame: pl.DataFrame
    most: int
    location: ClassVar[Location] = Location.CLUSTER
    kept: list = field(default_factory=list)

    def __getattr__(self, name):
        return getattr(open_table(self.frame), name)

    def most_here(self, width):
        return self.most

    def estimate(self, columns):
        return self.frame.select(columns).unique().height

    def count(self):
        return self.frame.height

    def sizes(self, columns):
        rows = self.frame.group_by(columns).len().get_column("len").value_counts()
        return sorted(rows.rows())


@dataclass
class Combinations:
    """What the cluster keeps, in batches of three."""

    table: Cluster
    columns: tuple
    encode: object
    keys: tuple
    others: tuple = ()
    size: int = 0

    def __post_init__(self):
        groups = self.table.frame.group_by(self.columns).len("rows").cast({"rows": pl.Int64})
        encode = sent(self.encode)
        self.made = pl.concat([encode(batch) for batch in groups.iter_slices(3)])

    def _changed(self, change):
        there = sent(change)
        return pl.concat([there(batch) for batch in self.made.iter_slices(3)] or [there(self.made)])

    def collect(self, change):
        return self._changed(change).group_by([*self.keys, *self.others]).agg(pl.col("rows").sum())

    def fold(self, change, columns):
        return self._changed(change).group_by(columns).agg(pl.col("rows").sum())

    def shares(self, change, work):
        there = sent(work)
        dealt = self._changed(change).with_columns(pl.struct(self.keys).hash().mod(3).alias("share"))
        return [there(group.drop("share")) for group in dealt.partition_by("share")]

    def parts(self, change, part, work):
        there = sent(work)
        return [there(group) for group in self._changed(change).partition_by(part)]


@pytest.fixture(autouse=True)
def _here(monkeypatch):
    monkeypatch.setattr("celosia.tables.spark.combinations.SparkCombinations", Combinations)


def tasks(table, models, most, limit, missing):
    """The same task in memory and on the cluster."""
    frame = pl.DataFrame(table.rows, schema=dict.fromkeys([*table.names, "s"], pl.String), orient="row")
    common = {
        "quasi_identifiers": tuple(table.names),
        "models": MODELS[models],
        "modelled": ("s",) if any(model.column for model in MODELS[models]) else (),
        "sensitive": ("s",),
        "suppression": limit,
        "missing": missing,
        "given": hierarchy_objects(table),
        "seed": 3,
    }
    return RecodingTask(open_table(frame), **common), RecodingTask(Cluster(frame, most), **common)


def outcome(technique, task):
    """What a plan promises, or why there is none."""
    try:
        plan = technique.plan(task)
    except (NoSolutionError, ProjectError) as error:
        return error.what
    details = {name: plan.details[name] for name in plan.details if name not in ("search", "road")}
    measures = {name: round(value, 9) for name, value in plan.measures.items()}
    suppressed = sorted(map(str, plan.recoding.suppressed.rows()))
    maps = {name: dict(labels) for name, labels in plan.recoding.maps.items()}
    numbers = (plan.rows, plan.excluded, plan.suppressed, plan.classes, plan.before)
    return numbers, measures, details, suppressed, maps


cases = given(
    table=tables(),
    models=st.sampled_from(list(MODELS)),
    most=st.sampled_from([0, 4, 20]),
    limit=st.sampled_from([0.0, 0.2]),
    missing=st.sampled_from(list(MissingPolicy)),
)


@pytest.mark.parametrize("search", ["optimal", "incognito"])
@cases
@settings(max_examples=30, deadline=None)
def test_full_domain_finds_the_same_node_on_a_cluster(search, table, models, most, limit, missing):
    here, there = tasks(table, models, most, limit, missing)
    if models == "t" and limit:
        return  # refused there, see below
    technique = make_technique("full-domain", search=search)
    assert outcome(technique, here) == outcome(technique, there)


@cases
@settings(max_examples=30, deadline=None)
def test_two_phases_take_the_same_steps_on_a_cluster(table, models, most, limit, missing):
    here, there = tasks(table, models, most, limit, missing)
    if models == "t" and limit:
        return
    technique = make_technique("two-phase", partitions=3)
    assert outcome(technique, here) == outcome(technique, there)


@pytest.mark.parametrize("how", [{"person": "s"}, {"modelled": ("s",), "sensitive": ("s",)}])
@pytest.mark.parametrize("technique", ["full-domain", "top-down"])
@pytest.mark.parametrize("most", [0, 4])
def test_people_and_values_in_several_spellings_are_one_on_a_cluster_too(technique, most, how):
    chance = random.Random(1)
    rows = [
        (str(chance.randrange(20, 30)), f"{chance.choice('pP')}{chance.randrange(12)}") for _ in range(60)
    ]
    frame = pl.DataFrame(rows, schema=["a", "s"], orient="row")
    models = (KAnonymity(k=3),) if "person" in how else MODELS["l"]
    here, there = (
        outcome(make_technique(technique), RecodingTask(table, ("a",), models, **how))
        for table in (open_table(frame), Cluster(frame, most))
    )
    assert here == there
    assert not isinstance(here, str)


def test_t_closeness_with_suppression_is_refused_where_classes_cannot_be_brought_here():
    rows = [("a", "x"), ("b", "y"), ("c", "x")]
    frame = pl.DataFrame(rows, schema=["a", "s"], orient="row")
    task = RecodingTask(
        Cluster(frame, most=0),
        ("a",),
        MODELS["t"],
        modelled=("s",),
        suppression=0.5,
    )
    with pytest.raises(ProjectError, match="too many to bring here"):
        make_technique("full-domain").plan(task)
    assert "searched on the cluster" in task.road.text
