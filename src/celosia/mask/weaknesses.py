"""Weak choices: operations that protect a column less than one might think, seen in its first rows."""

import polars as pl

from celosia.mask.masking import Masking, plain_values
from celosia.mask.operation import ColumnFacts
from celosia.mask.values import by_plain_name, texts_of
from celosia.say import join_texts
from celosia.tables.format import first_batches

__all__ = ["find_weaknesses"]

SAMPLE = 1 << 17
"""Rows that are looked at: enough to tell a few values from many, and a common one from a rare one."""


def find_weaknesses(masking: Masking) -> tuple[str, ...]:
    """A sentence for every operation that is a weak choice for its column, or for the rows."""
    weaknesses: list[str] = [
        join_texts(": ", [operation.name, reason])
        for operation in masking.rows
        for reason in operation.weaknesses(ColumnFacts(rows=0, distinct=0, largest=0))
    ]
    for column, chain in masking.chains.items():
        for operation in chain:
            if not operation.looks_at_facts:
                continue
            facts = gather_facts(masking, column)
            place = f"{column!r}, {operation.name}"
            weaknesses += [join_texts(": ", [place, reason]) for reason in operation.weaknesses(facts)]
    return tuple(weaknesses)


def gather_facts(masking: Masking, column: str) -> ColumnFacts:
    """What the first rows tell of a column."""
    seen: list[pl.Series] = []
    rows = 0
    for batch in first_batches(masking.source.reader, (column,), SAMPLE):
        counted = by_plain_name(batch.get_column(column))
        values = plain_values(counted, masking.source.reader.options.missing)
        seen.append(texts_of(values.head(SAMPLE - rows), location=masking.source.name))
        rows += batch.height
        if rows >= SAMPLE:
            break
    texts = pl.concat(seen).drop_nulls() if seen else pl.Series([], dtype=pl.String)
    counts = texts.alias("").value_counts().get_column("count") if len(texts) else pl.Series([0])
    largest = counts.max()
    return ColumnFacts(
        rows=len(texts),
        distinct=texts.n_unique() if len(texts) else 0,
        largest=largest if isinstance(largest, int) else 0,
        is_sample=rows >= SAMPLE,
    )
