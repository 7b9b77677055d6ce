"""Operations on single columns and on rows: light anonymization, without a privacy model."""

from celosia.mask.masking import Masking, MaskTally, mask_table
from celosia.mask.operation import (
    ColumnFacts,
    ColumnOperation,
    MissingValues,
    Operation,
    OperationSubject,
    RowOperation,
)
from celosia.mask.registry import make_operation
from celosia.mask.remaining_rows import remaining_rows

__all__ = [
    "ColumnFacts",
    "ColumnOperation",
    "MaskTally",
    "Masking",
    "MissingValues",
    "Operation",
    "OperationSubject",
    "RowOperation",
    "make_operation",
    "mask_table",
    "remaining_rows",
]
