"""Distribution measures: what a release kept of the distribution of each column, original against release."""

from celosia.measure.distribution.compare import (
    ColumnComparison,
    DistributionComparison,
    compare_column,
    compare_tables,
)
from celosia.measure.distribution.correlations import Moments, correlation_change, correlations
from celosia.measure.distribution.from_counts import compare_counts
from celosia.measure.distribution.kolmogorov_smirnov import ks_distance, ks_significance
from celosia.measure.distribution.large import compare_large
from celosia.measure.distribution.marginal import Marginal, read_numbers
from celosia.measure.distribution.variation import total_variation
from celosia.measure.distribution.wasserstein import wasserstein_distance, wasserstein_share

__all__ = [
    "ColumnComparison",
    "DistributionComparison",
    "Marginal",
    "Moments",
    "compare_column",
    "compare_counts",
    "compare_large",
    "compare_tables",
    "correlation_change",
    "correlations",
    "ks_distance",
    "ks_significance",
    "read_numbers",
    "total_variation",
    "wasserstein_distance",
    "wasserstein_share",
]
