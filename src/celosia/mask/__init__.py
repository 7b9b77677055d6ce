"""Operations on single columns and on rows: light anonymization, without a privacy model."""

from celosia.mask.left_rows import left_rows
from celosia.mask.masking import Masking, MaskTally, mask_table
from celosia.mask.operation import (
    ColumnOperation,
    Facts,
    MissingValues,
    Operation,
    OperationSubject,
    RowOperation,
)
from celosia.mask.registry import make_operation

__all__ = [
    "ColumnOperation",
    "Facts",
    "MaskTally",
    "Masking",
    "MissingValues",
    "Operation",
    "OperationSubject",
    "RowOperation",
    "left_rows",
    "make_operation",
    "mask_table",
]
