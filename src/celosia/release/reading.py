"""A release as whoever receives it reads it: the texts that mean a missing value are missing values.

The verification reads it with no such text, for to the sharpest reader they are texts like others; evidence is about
what is left for everybody else.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from celosia.tables.file_table import FileTable
from celosia.tables.frame_table import FrameTable
from celosia.tables.joined_reader import read_files
from celosia.tables.location import is_on_cluster
from celosia.tables.parsers import ColumnParsers
from celosia.tables.table import Table
from celosia.types import Column

__all__ = ["as_received"]


def as_received(
    table: Table, *, missing: Collection[str], types: Mapping[str, Column] | None = None
) -> Table:
    """What was written, read with the markers of missing values with which it was written, and with these types.

    Without ``types`` the table keeps those that it was opened with. Nothing else is taken for a missing value, however
    usual: a ``*`` among numbers is the label of a suppressed one.

    >>> import polars as pl
    >>> from celosia.tables import open_table
    >>> release = open_table(pl.DataFrame({"dose": ["1.10", "?"]}), missing=())
    >>> as_received(release, missing=("?",)).count_by(["dose"]).values[0].to_list()
    ['1.10', None]
    """
    opened: Any = table
    types = opened.types if types is None else types
    if isinstance(table, FileTable):
        options = replace(table.options, missing=tuple(missing))
        reader = read_files(table.files, table.format, options)
        return replace(table, reader=reader, types=types, parsers=ColumnParsers())
    changes: dict[str, Any] = {"options": replace(opened.options, missing=tuple(missing)), "types": types}
    if isinstance(table, FrameTable):
        changes["parsers"] = ColumnParsers()
    elif is_on_cluster(table):
        changes["known"] = replace(table.known, parsers=ColumnParsers(), evidence=None)
    received: Table = replace(opened, **changes)
    return received
