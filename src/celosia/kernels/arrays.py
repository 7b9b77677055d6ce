"""Types of the arrays that compiled loops work on; how many dimensions one has is said where it is used."""

import numpy as np
import numpy.typing as npt

__all__ = ["Axes", "Codes", "Flags", "Floats", "Indexes", "Integers", "Points", "Singles", "Unsigned"]

Codes = npt.NDArray[np.int32]
Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Unsigned = npt.NDArray[np.uint64]
Indexes = npt.NDArray[np.uint32]
Points = npt.NDArray[np.uint16]
Axes = tuple[Integers, Floats, Integers, Floats]
"""How much of a column a class covers: ``starts``, ``places``, ``ups`` and ``shares``; see ``share_of``."""
