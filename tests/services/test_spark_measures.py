"""Releases on a cluster are measured there, from frequency sets, as in memory."""

from typing import Any

import polars as pl
import pytest

import celosia
from celosia.sample import discharges

KNOWN = {"quasi_identifiers": ["age", "sex", "postcode"], "sensitive": ["diagnosis"], "population": 0.1}
MEASURES = ["risk", "loss", "variation", "correlation-change", "linkage", "singling-out", "inference"]


def test_a_release_on_a_cluster_is_measured_as_in_memory(spark: Any) -> None:
    people = discharges(300).select("age", "sex", "postcode", "diagnosis", "cost")
    roles = {name: KNOWN[name] for name in ("quasi_identifiers", "sensitive")}
    release = celosia.anonymize(people, k=5, suppression=0.05, common=["cost"], seed=1, **roles).table
    here = celosia.measure_release(people, release, measures=MEASURES, **KNOWN).table()
    frames = [spark.createDataFrame(frame.to_arrow()) for frame in (people, release)]
    there = celosia.measure_release(*frames, measures=MEASURES, **KNOWN).table()
    texts = ["measure", "about", "why not"]
    assert there.select(texts).equals(here.select(texts), null_equal=True)
    for name in ("value", "low", "high", "before"):
        pairs = pl.DataFrame({"here": here[name], "there": there[name]}).drop_nulls()
        assert pairs.height == here[name].drop_nulls().len()
        assert pairs["there"].to_list() == pytest.approx(pairs["here"].to_list(), rel=1e-9)
