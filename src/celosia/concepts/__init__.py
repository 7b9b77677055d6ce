"""Every concept that a person meets, explained where it is met: from the same docstrings as the documents."""

from celosia.concepts.concept import Concept, ConceptKind
from celosia.concepts.docstrings import shorten
from celosia.concepts.registry import concept, concept_texts, concepts

__all__ = ["Concept", "ConceptKind", "concept", "concept_texts", "concepts", "shorten"]
