"""Operations on single columns and on rows: light anonymization, without a privacy model."""

from celosia.mask.masking import Masking, Tally, mask_table
from celosia.mask.operation import ColumnOperation, Facts, MissingValues, Operation, RowOperation, Subject
from celosia.mask.registry import make_operation

__all__ = [
    "ColumnOperation",
    "Facts",
    "Masking",
    "MissingValues",
    "Operation",
    "RowOperation",
    "Subject",
    "Tally",
    "make_operation",
    "mask_table",
]
