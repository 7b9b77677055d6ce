"""Counting for the verification by an engine: an interrupt is heard while it counts."""

import os
import signal
import threading

import polars as pl
import pytest

from celosia.release.counting import out_of_core
from celosia.tables import open_table

FOR_HOURS = (
    "CREATE OR REPLACE VIEW source AS SELECT a.range % 7 AS x, b.range % 5 AS y "
    "FROM range(100000000) a, range(100000000) b"
)
ASKED = {"sizes": lambda counting: counting.sizes(), "values": lambda counting: counting.values("y")}


@pytest.mark.parametrize("asked", ASKED)
def test_whoever_loses_patience_does_not_wait_until_everything_is_counted(tmp_path, asked):
    pytest.importorskip("duckdb")
    table = open_table(pl.DataFrame({"x": [1, 1, 2], "y": [0, 1, 1]}))
    impatience = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with out_of_core(table, ["x"], ["y"], memory=1 << 27, folder=tmp_path) as counting:
        counting.connection.execute(FOR_HOURS)
        impatience.start()
        with pytest.raises(KeyboardInterrupt):
            ASKED[asked](counting)
    assert list(tmp_path.iterdir()) == []
