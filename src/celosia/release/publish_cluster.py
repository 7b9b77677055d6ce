"""Gives a release on a cluster its name once it is verified, or hands over a frame that was."""

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

from celosia.errors import ProjectError
from celosia.release.publish_table import publish_table

__all__ = ["publish_on_cluster"]

Result = TypeVar("Result")


def publish_on_cluster(
    target: Any,
    *,
    record: Path | None,
    make: Callable[[], Result],
    describe: Callable[[Result], Mapping[str, Any]],
    held: ExitStack,
    overwrite: bool = False,
) -> Result:
    """Let ``make`` write and verify a release where nobody sees it, then give it its name, with its record.

    The record of files lies beside them on the cluster, that of a table of Hive where the person says. Whatever stops
    this, Ctrl-C too, nothing is left; of several releases those that have their names lose them again.
    """
    _undo_unless_all(target, held)
    if hasattr(target, "exists"):
        return publish_table(
            target, record=record, make=make, describe=describe, held=held, overwrite=overwrite
        )
    if record is not None:
        raise ProjectError("the record of files lies beside them", where="record", remedy="leave it out")
    if hasattr(target, "ensure_free"):
        target.ensure_free()
    result = make()
    if hasattr(target, "publish"):
        target.publish(json.dumps(describe(result), indent=2, ensure_ascii=False, default=str) + "\n")
    return result


def _undo_unless_all(target: Any, held: ExitStack) -> None:
    def undo(kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            target.withdraw()

    held.push(undo)
