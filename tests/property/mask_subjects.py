"""Operations at work on a few values, without a table around them."""

from itertools import pairwise
from typing import Any

import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.mask.keys import SecretKey
from celosia.mask.operation import ColumnOperation, OperationSubject, RowOperation
from celosia.mask.registry import make_operation


class OneKey:
    """Stands for the keys of a project: every name is the same key."""

    def __init__(self, byte: int = 0) -> None:
        self.key = SecretKey(bytes((byte + place) % 256 for place in range(32)))

    def current(self, name: str | None = None) -> SecretKey:
        return self.key


def subject_of(values: pl.Series, /, **further: Any) -> OperationSubject:
    """A column that holds these values."""
    known = {
        "column": values.name,
        "dtype": values.dtype,
        "keys": OneKey(),
        "seed": 7,
        "values": lambda: iter([values]),
    }
    return OperationSubject(**(known | further))


def masked(
    name: str,
    values: pl.Series,
    rows: pl.DataFrame | None = None,
    *,
    batches: tuple[int, ...] = (),
    subject: dict[str, Any] | None = None,
    **parameters: Any,
) -> pl.Series:
    """What an operation makes of values that come in batches that end there."""
    operation = make_operation(name, **parameters)
    assert isinstance(operation, ColumnOperation)
    mask = operation.start(subject_of(values, **(subject or {})))
    rows = values.to_frame() if rows is None else rows
    parts = [mask(values.clear(), rows.clear())]
    bounds = [0, *sorted(batches), len(values)]
    parts += [
        mask(values.slice(low, high - low), rows.slice(low, high - low)) for low, high in pairwise(bounds)
    ]
    assert {part.dtype for part in parts} == {parts[0].dtype}
    assert {part.name for part in parts} == {values.name}
    return pl.concat(parts)


def staying(
    name: str, rows: pl.DataFrame, *, batches: tuple[int, ...] = (), seed: int = 7, **parameters: Any
) -> list[bool]:
    """Which rows an operation leaves."""
    operation = make_operation(name, **parameters)
    assert isinstance(operation, RowOperation)
    keep = operation.start_rows(subject_of(pl.Series("", [], dtype=pl.String), seed=seed))
    bounds = [0, *sorted(batches), rows.height]
    found = [keep(rows.slice(low, high - low), low) for low, high in pairwise(bounds)]
    return pl.concat(found).to_list()


def cities() -> Hierarchy:
    """Towns, provinces, everything."""
    rows = [("Soria", "Soria", "*"), ("Ágreda", "Soria", "*"), ("Lugo", "Lugo", "*"), ("31", "Lugo", "*")]
    return Hierarchy.from_rows("city", rows)
