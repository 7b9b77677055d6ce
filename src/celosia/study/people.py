"""The people of a study: those who are released, and a control group who never is."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np
import polars as pl

from celosia.errors import ProjectError
from celosia.mask import remaining_rows
from celosia.project import Project
from celosia.release.open_source import open_source, opened_table
from celosia.release.prepared_table import Ask
from celosia.say import say
from celosia.tables import close_table
from celosia.tables.table import Table
from celosia.types import ColumnType

__all__ = ["StudyPeople", "gather_people"]


@dataclass(frozen=True)
class StudyPeople:
    """Rows with the types of their columns: ``released`` in every cell of a study, ``control`` in none."""

    released: pl.DataFrame
    control: pl.DataFrame
    types: Mapping[str, ColumnType]


def gather_people(
    project: Project, name: str, *, share: float, seed: int, ask: Ask | None = None
) -> StudyPeople:
    """The rows of a table in memory, dealt out by the seed; a control group of the project's own takes no rows away.

    Rows that operations drop are nobody's: they are in no release, and no release lost them.
    """
    with ExitStack() as stack:
        job = stack.enter_context(opened_table(project, name, ask=ask, drawn=seed))
        everybody = _rows(remaining_rows(job.source, job.masking))
        types = {column.name: column.type for column in job.source.schema()}
        if job.plan.control is not None:
            control = open_source(project, job.plan.control, ask=ask)
            stack.callback(close_table, control)
            return StudyPeople(everybody, _rows(control), types)
    taken = np.random.default_rng(seed).permutation(everybody.height) < round(share * everybody.height)
    people = StudyPeople(everybody.filter(~pl.Series(taken)), everybody.filter(pl.Series(taken)), types)
    if not people.released.height or not people.control.height:
        raise ProjectError(
            say("{rows} rows are too few for a release and a control group", rows=everybody.height),
            where=job.source.name,
            remedy=say("give a larger table"),
        )
    return people


def _rows(table: Table) -> pl.DataFrame:
    return pl.concat(list(table.scan()), how="vertical_relaxed").rechunk()
