"""Whom the columns outside a promise single out: each alone, with the quasi-identifiers, and a few together."""

from celosia.measure.exposure.exposure import (
    DEFAULT_K,
    ColumnExposure,
    Exposure,
    SubsetExposure,
    measure_exposure,
)

__all__ = ["DEFAULT_K", "ColumnExposure", "Exposure", "SubsetExposure", "measure_exposure"]
