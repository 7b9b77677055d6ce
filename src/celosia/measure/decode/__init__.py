"""What a released label allows: intervals, sets, nodes of hierarchies and ``*``, read back as possible values."""

from celosia.measure.decode.decode import decode_column
from celosia.measure.decode.decoded import DecodedColumn, LabelMeaning

__all__ = ["DecodedColumn", "LabelMeaning", "decode_column"]
