"""Gives a release on a cluster its name once it is verified, or hands over a frame that was."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.errors import ProjectError
from celosia.release.new_target import is_named_target
from celosia.release.publish import record_text
from celosia.release.publish_table import publishing_table
from celosia.say import say

if TYPE_CHECKING:
    from celosia.release.new_target import ClusterTarget

__all__ = ["publishing_on_cluster"]


@contextmanager
def publishing_on_cluster(
    target: "ClusterTarget",
    *,
    record: Path | None,
    describe: Callable[[], Mapping[str, object]],
    held: ExitStack,
    overwrite: bool = False,
) -> Iterator[None]:
    """Once a release is written and verified where nobody sees it, give it its name, with its record.

    The record of files lies beside them on the cluster, that of a table of Hive where the person says. Whatever stops
    this, Ctrl-C too, nothing is left; of several releases those that have their names lose them again.
    """
    from celosia.tables.spark.new_table import NewFrame

    _undo_unless_all(target, held)
    if is_named_target(target):
        with publishing_table(target, record=record, describe=describe, held=held, overwrite=overwrite):
            yield
        return
    if record is not None:
        raise ProjectError(
            say("the record of files lies beside them"), where="record", remedy=say("leave it out")
        )
    if isinstance(target, NewFrame):  # it gets no name, and is handed over as it is
        yield
        return
    target.ensure_free()
    yield
    target.publish(record_text(describe()))


def _undo_unless_all(target: "ClusterTarget", held: ExitStack) -> None:
    def undo(kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            target.withdraw()

    held.push(undo)
