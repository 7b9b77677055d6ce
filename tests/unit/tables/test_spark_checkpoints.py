"""Rows that Spark keeps are kept twice where an executor may be lost, without a JVM."""

from types import SimpleNamespace
from typing import Any

import pytest

from celosia.tables.spark.checkpoints import checkpoint


class RecordingFrame:
    """A frame that notes how its rows are to be kept."""

    def __init__(self, *, is_local: bool) -> None:
        scala_context = SimpleNamespace(isLocal=lambda: is_local)
        java_context = SimpleNamespace(sc=lambda: scala_context)
        self.sparkSession = SimpleNamespace(sparkContext=SimpleNamespace(_jsc=java_context))
        self.kept: dict[str, Any] = {}

    def localCheckpoint(self, **how: Any) -> "RecordingFrame":  # noqa: N802
        self.kept = how
        return self


@pytest.mark.parametrize(("is_local", "copies"), [(True, 1), (False, 2)])
def test_every_part_is_kept_by_two_executors_of_a_cluster(is_local: bool, copies: int) -> None:
    frame: Any = RecordingFrame(is_local=is_local)
    level = checkpoint(frame).kept["storageLevel"]
    assert frame.kept["eager"]
    assert (level.useDisk, level.useMemory, level.replication) == (True, True, copies)
