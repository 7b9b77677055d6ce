"""Tables, wherever they live: opened with :func:`open_table`, answered through the verbs of :class:`Table`."""

from celosia.tables.file_table import FileTable
from celosia.tables.frame_table import FrameTable
from celosia.tables.open import open_table, open_written
from celosia.tables.table import Counts, Progress, Recoding, Table, Written, close_table, no_progress
from celosia.tables.target import FileDestination, write_frame
from celosia.tables.types_file import read_types, write_types

__all__ = [
    "Counts",
    "FileDestination",
    "FileTable",
    "FrameTable",
    "Progress",
    "Recoding",
    "Table",
    "Written",
    "close_table",
    "no_progress",
    "open_table",
    "open_written",
    "read_types",
    "write_frame",
    "write_types",
]
