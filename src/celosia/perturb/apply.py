"""A table through one perturbation or several, one after the other."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from celosia.perturb.perturbation import Perturbation
from celosia.types import ColumnType
from celosia.values.text import column_type

__all__ = ["perturb_frame"]


def perturb_frame(
    frame: pl.DataFrame,
    techniques: Perturbation | Sequence[Perturbation],
    *,
    types: Mapping[str, ColumnType] | None = None,
) -> pl.DataFrame:
    """What techniques make of a table, each from what the one before it left.

    ``types`` says what columns are where that cannot be told from the frame, such as numbers kept as texts.

    >>> from celosia.perturb.registry import make_perturbation
    >>> ages = pl.DataFrame({"age": [20.0, 21.0, 22.0, 70.0, 75.0, 80.0]})
    >>> perturb_frame(ages, make_perturbation("mdav", k=3))["age"].to_list()
    [21.0, 21.0, 21.0, 75.0, 75.0, 75.0]
    """
    for technique in (techniques,) if isinstance(techniques, Perturbation) else techniques:
        known = {name: column_type(dtype) for name, dtype in frame.schema.items()}
        known |= {name: type for name, type in (types or {}).items() if name in known}
        frame = technique.perturb(frame, types=known, rng=np.random.default_rng(technique.seed))
    return frame
