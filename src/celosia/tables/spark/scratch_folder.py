"""Where a Spark on this machine puts rows that it sorts, exchanges or keeps: in a folder that does not outlive it.

Spark removes its files when it stops. A JVM that is killed, for want of memory perhaps, leaves them: rows of the table
as they were. So they lie in a private folder of this process, which is erased when the session stops and at the latest
when the process ends. If both are killed at once, the next session erases it.
"""

import atexit
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.tables.private import erase_leftovers, make_private_folder, remove_folder

if TYPE_CHECKING:
    from pyspark import SparkConf

__all__ = ["remove_scratch_folders", "use_scratch_folder"]

SETTING = "spark.local.dir"
VARIABLES = ("SPARK_LOCAL_DIRS", "LOCAL_DIRS")
"""What Spark itself puts before the setting."""
_folders: list[Path] = []


def use_scratch_folder(conf: "SparkConf") -> None:
    """Have a session that is about to start use a folder of ours, unless somebody says which one it is to use."""
    if conf.contains(SETTING) or any(name in os.environ for name in VARIABLES):
        return
    place = Path(tempfile.gettempdir())
    erase_leftovers(place)
    folder = make_private_folder(place)
    _folders.append(folder)
    conf.set(SETTING, str(folder))


def remove_scratch_folders() -> None:
    """Erase what the sessions left that have ended."""
    while _folders:
        remove_folder(_folders.pop())


atexit.register(remove_scratch_folders)
