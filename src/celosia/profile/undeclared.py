"""Columns that nobody declared and that would betray people if they left with the release."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from celosia.profile.columns import ENOUGH, propose_role
from celosia.profile.content import identifier_in_content
from celosia.profile.group_sizes import group_sizes
from celosia.profile.names import match_name
from celosia.profile.reasons import Reason
from celosia.profile.row_order import follows_rows
from celosia.profile.treatments import TOLERATED, Treatment, count_values, find_treatment
from celosia.say import say
from celosia.tables.file_table import FileTable
from celosia.tables.frame_table import FrameTable
from celosia.tables.group_sizes import GroupSizes
from celosia.tables.infer import gather_evidence, schema_of
from celosia.tables.table import Table
from celosia.types import Column, ColumnType, Role
from celosia.values.same import as_values
from celosia.values.text import column_type, texts_of

__all__ = ["UndeclaredColumn", "find_undeclared", "likely_identifiers"]

LOOKED_AT = 1_000  # rows: a column of e-mail addresses shows in the first ones
TREATED = 20
"""Columns for which a treatment is looked for: with more, somebody has to think about the table as a whole."""


@dataclass(frozen=True)
class UndeclaredColumn:
    """A column that must not leave without a word: why, and what would treat it, where its values were counted."""

    name: str
    reasons: tuple[Reason, ...]
    sizes: GroupSizes | None = None
    can_be_treated: bool = False
    treatment: Treatment | None = None


@dataclass(frozen=True)
class ColumnSample:
    """Values of a column in the first rows, in their order where the table has one, and what they are."""

    column: Column
    values: pl.Series

    @property
    def texts(self) -> pl.Series:
        """Its distinct values, none of them missing."""
        if self.column.type is ColumnType.OTHER:
            return pl.Series([], dtype=pl.String)
        return texts_of(self.values.drop_nulls().unique()).drop_nulls()


def find_undeclared(table: Table, columns: Sequence[str], *, k: int) -> tuple[UndeclaredColumn, ...]:
    """Which of ``columns`` identify people, single them out, are known to others, are free text or follow the rows.

    The names and the first rows are looked at, and the values of every column are counted.

    >>> from celosia.tables import open_table
    >>> costs = [number * 77 % 1000 for number in range(200)]
    >>> stays = open_table(pl.DataFrame({"cost": costs, "kind": ["a", "b"] * 100}))
    >>> for column in find_undeclared(stays, ["cost", "kind"], k=5):
    ...     print(column.name, [reason.code for reason in column.reasons], column.treatment.described)
    cost ['singles-out'] rounded to 100
    """
    if not columns:
        return ()
    first = _first_rows(table, columns)
    sizes = group_sizes(table, columns, k=k)
    if sizes and not any(one.members for one in sizes.values()):
        return ()  # nobody is told apart in a table without rows, which is a mistake of its own
    found = [_judge(name, first.get(name), sizes.get(name), table, k) for name in columns]
    suspects = [one for one in found if one.reasons]
    treated = {one.name for one in [one for one in suspects if one.can_be_treated][:TREATED]}
    return tuple(_with_treatment(one, table, k) if one.name in treated else one for one in suspects)


def likely_identifiers(table: Table, columns: Sequence[str]) -> dict[str, Reason]:
    """Which of ``columns`` identify people by name or by content, and why; only the first rows are read.

    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"apellido": ["Gil"], "age": [31]}))
    >>> {name: str(reason) for name, reason in likely_identifiers(people, ["apellido", "age"]).items()}
    {'apellido': "the name says 'apellido', a person's name"}
    """
    if not columns:
        return {}
    first = _first_rows(table, columns)
    found = {}
    for name in columns:
        by_name = match_name(name)
        looked = first.get(name)
        content = identifier_in_content(looked.texts, looked.column.type) if looked else None
        if content:
            found[name] = content
        elif by_name and by_name.role is Role.IDENTIFIER:
            found[name] = by_name.reason
    return found


def _judge(
    name: str, first: ColumnSample | None, sizes: GroupSizes | None, table: Table, k: int
) -> UndeclaredColumn:
    """Why a column must not leave without a word; no reason if nothing speaks against it."""
    reasons: list[Reason] = []
    rows = sizes.members if sizes is not None else 0
    if first is None or first.column.type is ColumnType.OTHER:
        return UndeclaredColumn(name, (_not_comparable(),) if rows or first else ())
    texts = first.texts
    present = len(first.values) - first.values.null_count()
    # Where the first rows are told as distinct values, how many rows have them is not known.
    is_read_in_order = isinstance(table, FileTable | FrameTable)
    counted = present if is_read_in_order else max(present, rows)
    role, why = propose_role(first.column, texts, counted, distinct=min(len(texts), counted))
    if role in (Role.IDENTIFIER, Role.QUASI_IDENTIFIER):
        reasons += [reason for reason in why if reason.code != "unknown"]
    order = follows_rows(first.values) if is_read_in_order and rows >= ENOUGH else None
    reasons += [order] if order else []
    if sizes is None or rows < ENOUGH or sizes.small <= TOLERATED * rows:
        return UndeclaredColumn(name, tuple(reasons), sizes)
    counted_out = [reason for reason in reasons if not reason.code.startswith("near-unique")]
    return UndeclaredColumn(
        name,
        (*counted_out, _singles_out(sizes, k)),
        sizes,
        # A rounded row number still tells the order; an identifier is left out.
        can_be_treated=role is not Role.IDENTIFIER and order is None,
    )


def _not_comparable() -> Reason:
    return Reason("not-looked-at", say("its values are no texts, numbers or dates, and were not looked at"))


def _singles_out(sizes: GroupSizes, k: int) -> Reason:
    return Reason(
        "singles-out",
        say(
            "{small:,} of {rows:,} rows have a value that fewer than {k} share",
            small=sizes.small,
            rows=sizes.members,
            k=k,
        ),
        {"rows": sizes.members, "small": sizes.small, "alone": sizes.alone, "k": k},
    )


def _with_treatment(found: UndeclaredColumn, table: Table, k: int) -> UndeclaredColumn:
    """The same with what would treat it, by the counts of its values."""
    counts = count_values(table, found.name)
    treatment = None if counts is None else find_treatment(counts, k=k)
    return replace(found, treatment=treatment)


def _first_rows(table: Table, columns: Sequence[str]) -> dict[str, ColumnSample]:
    """The first rows, column by column; of a database and a cluster distinct values alone, for rows stay there."""
    if isinstance(table, FileTable | FrameTable):
        rows = next(iter(table.scan(columns)), pl.DataFrame()).head(LOOKED_AT)
        return {series.name: _look(series, table.options.missing) for series in rows.iter_columns()}
    plain = {column.name: column for column in table.schema() if column.type is not ColumnType.OTHER}
    return {
        name: ColumnSample(plain[name], table.few_values(name, LOOKED_AT))  # type: ignore[attr-defined]
        for name in columns
        if name in plain
    }


def _look(values: pl.Series, missing: Sequence[str]) -> ColumnSample:
    """The type of texts is told by what they say."""
    kind = column_type(values.dtype)
    if kind is ColumnType.OTHER:
        return ColumnSample(Column(values.name, kind), values.alias(""))
    known = as_values(values, missing=missing)
    if known.dtype == pl.String:
        evidence = gather_evidence([known.alias("value").to_frame()], ())
        kind = schema_of(evidence, {})["value"].type
    return ColumnSample(Column(values.name, kind), known)
