"""Frames that were computed once: their rows stay what they are, and nobody reads the source of them again.

A frame of Spark is a plan. Each time that somebody asks for its rows they are computed again, and what was cached is
too, once the cache is emptied, an executor is lost or somebody writes to the table behind it. A checkpoint has rows and
no plan: what is lost of it cannot be read, and never comes back as something else.
"""

from collections.abc import Iterator
from typing import Any

from pyspark import StorageLevel
from pyspark.sql import DataFrame

from celosia.tables.spark.files import Files

__all__ = ["checkpoint", "forget_checkpoint", "reads_the_same", "reliable_checkpoint"]

COPIES = 2
"""Executors that keep each part of a checkpoint, so that one of them may be lost."""
FILES = "HadoopFsRelation"
"""What Spark calls tables that are files."""
REPEATABLE = frozenset(
    {"LocalRelation", "Range", "OneRowRelation", "HiveTableRelation"}  # what is read, beside files
    | {"Project", "Filter", "SubqueryAlias", "View", "Union"}  # what is done to it
)
"""Nodes of a plan that give the same rows each time, and in the same order within each part: the random order of a
release goes by the places of rows. After an exchange, as of a join, they come in any order; a limit takes any of them,
an aggregation adds up real numbers as they come, and what somebody's own code or a server hands over nobody knows."""
UNKNOWN_CODE = ("PYTHON_UDF", "SCALA_UDF", "PLAN_EXPRESSION")
"""Parts of expressions that cannot be judged: somebody's own code, and a plan within a plan."""


def checkpoint(frame: DataFrame) -> DataFrame:
    """The rows of a frame, computed now and kept by the executors."""
    copies = 1 if frame.sparkSession.sparkContext._jsc.sc().isLocal() else COPIES
    return frame.localCheckpoint(eager=True, storageLevel=StorageLevel(True, True, False, False, copies))


def reliable_checkpoint(frame: DataFrame) -> DataFrame:
    """The same, in files if the session has a checkpoint directory: then all executors may be lost.

    Only their owner may read the files, and they are removed when Spark ends.
    """
    folder = frame.sparkSession.sparkContext.getCheckpointDir()
    if folder is None:
        return checkpoint(frame)
    files = Files(frame.sparkSession, folder)
    files.close_to_others(folder)  # which Spark made for this session
    kept = frame.checkpoint(eager=True)
    for path in _files(kept):
        files.remove_in_the_end(path)
    return kept


def forget_checkpoint(kept: DataFrame) -> None:
    """Let go of the rows at once. Spark itself does so some time after nobody knows the frame any more."""
    for path in _files(kept):
        Files(kept.sparkSession, path).remove(path)
    _rows(kept).unpersist(False)


def reads_the_same(frame: DataFrame) -> bool:
    """Whether a frame gives the same rows in the same places each time, as long as nobody writes to its source."""
    plan: Any = frame._jdf.queryExecution().analyzed()
    patterns: Any = frame.sparkSession._jvm.org.apache.spark.sql.catalyst.trees.TreePattern
    has_unknown = any(plan.containsPattern(getattr(patterns, name)()) for name in UNKNOWN_CODE)
    return bool(plan.deterministic()) and not has_unknown and all(map(_is_repeatable, _nodes(plan)))


def _is_repeatable(node: Any) -> bool:
    name = node.nodeName()
    if name == "LogicalRelation":
        return bool(node.relation().getClass().getSimpleName() == FILES)
    if name == "LogicalRDD":
        return bool(node.rdd().isCheckpointed())
    return name in REPEATABLE


def _nodes(plan: Any) -> Iterator[Any]:
    yield plan
    children = plan.children()
    for number in range(children.size()):
        yield from _nodes(children.apply(number))


def _rows(kept: DataFrame) -> Any:
    return kept._jdf.queryExecution().analyzed().rdd()


def _files(kept: DataFrame) -> list[str]:
    """The folder of a checkpoint that lies in files."""
    found = _rows(kept).getCheckpointFile()
    return [found.get()] if found.isDefined() else []
