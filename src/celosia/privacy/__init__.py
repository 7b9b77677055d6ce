"""Privacy models: predicates over the classes of a table, one module per model."""

from celosia.privacy.alpha_k_anonymity import AlphaKAnonymity
from celosia.privacy.attacker import NamedAttacker
from celosia.privacy.attacker_text import limit_known, parse_attacker
from celosia.privacy.average_risk import AverageRisk
from celosia.privacy.beta_likeness import BetaLikeness
from celosia.privacy.classes import Classes, Histogram
from celosia.privacy.delta_disclosure import DeltaDisclosure
from celosia.privacy.delta_presence import DeltaPresence
from celosia.privacy.distinct_l_diversity import DistinctLDiversity
from celosia.privacy.entropy_l_diversity import EntropyLDiversity
from celosia.privacy.k_anonymity import KAnonymity
from celosia.privacy.k_map import KMap
from celosia.privacy.km_anonymity import KMAnonymity
from celosia.privacy.known_columns import KnownColumns
from celosia.privacy.lkc_privacy import LKCPrivacy
from celosia.privacy.maximum_risk import MaximumRisk
from celosia.privacy.model import PrivacyModel, guarded_columns
from celosia.privacy.order import rank_values
from celosia.privacy.population_uniqueness import PopulationUniqueness
from celosia.privacy.profitability import NoAttack, Profitability
from celosia.privacy.recursive_l_diversity import RecursiveCLDiversity
from celosia.privacy.registry import MODELS, parse_model, parse_named_model, ways_to_ask
from celosia.privacy.rows_at_risk import RowsAtRisk
from celosia.privacy.sensitive_column import SensitiveColumn
from celosia.privacy.t_closeness import TCloseness

__all__ = [
    "MODELS",
    "AlphaKAnonymity",
    "AverageRisk",
    "BetaLikeness",
    "Classes",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "Histogram",
    "KAnonymity",
    "KMAnonymity",
    "KMap",
    "KnownColumns",
    "LKCPrivacy",
    "MaximumRisk",
    "NamedAttacker",
    "NoAttack",
    "PopulationUniqueness",
    "PrivacyModel",
    "Profitability",
    "RecursiveCLDiversity",
    "RowsAtRisk",
    "SensitiveColumn",
    "TCloseness",
    "guarded_columns",
    "limit_known",
    "parse_attacker",
    "parse_model",
    "parse_named_model",
    "rank_values",
    "ways_to_ask",
]
