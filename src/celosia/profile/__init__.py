"""What is this column? Types, distinct values, and proposals of roles with their reasons."""

from celosia.profile.columns import ColumnProfile, Profile, profile_table
from celosia.profile.free_text import FreeTextFindings, holds_free_text
from celosia.profile.passages import PassageKind
from celosia.profile.person import PersonProposal
from celosia.profile.quasi_identifiers import QuasiIdentifierProposal, propose_quasi_identifiers
from celosia.profile.reasons import Reason
from celosia.profile.treatments import Treatment, find_treatments
from celosia.profile.undeclared import UndeclaredColumn, find_undeclared, likely_identifiers

__all__ = [
    "ColumnProfile",
    "FreeTextFindings",
    "PassageKind",
    "PersonProposal",
    "Profile",
    "QuasiIdentifierProposal",
    "Reason",
    "Treatment",
    "UndeclaredColumn",
    "find_treatments",
    "find_undeclared",
    "holds_free_text",
    "likely_identifiers",
    "profile_table",
    "propose_quasi_identifiers",
]
