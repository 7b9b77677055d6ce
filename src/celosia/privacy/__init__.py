"""Privacy models: predicates over the classes of a table, one module per model."""

from celosia.privacy.classes import Classes, Histogram
from celosia.privacy.distinct_l_diversity import DistinctLDiversity
from celosia.privacy.entropy_l_diversity import EntropyLDiversity
from celosia.privacy.k_anonymity import KAnonymity
from celosia.privacy.model import PrivacyModel
from celosia.privacy.order import rank_values
from celosia.privacy.recursive_l_diversity import RecursiveCLDiversity
from celosia.privacy.registry import MODELS, parse_model
from celosia.privacy.t_closeness import TCloseness

__all__ = [
    "MODELS",
    "Classes",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "Histogram",
    "KAnonymity",
    "PrivacyModel",
    "RecursiveCLDiversity",
    "TCloseness",
    "parse_model",
    "rank_values",
]
